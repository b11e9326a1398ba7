"""Racks: where the balls of a discipline stand at the start, from a seed and nothing else.

``stand(discipline, seed, gap, table)`` is a pure function: the same numbers give the same rack in
every build, so a match's log needs only the seed.  The generator is SplitMix64 (Steele, Lea and
Flood 2014), written here because the standard library promises no stable shuffle.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, get_args

from physics.table import TableSpec

Discipline = Literal["nine_ball", "eight_ball", "straight_pool", "black_ball"]
DISCIPLINES: tuple[Discipline, ...] = get_args(Discipline)

#: Loosest rack that is accepted, m.
MAX_GAP = 0.001
MAX_SEED = 2**64 - 1

_DIAMOND = (1, 2, 3, 2, 1)
_TRIANGLE = (1, 2, 3, 4, 5)
_MASK = MAX_SEED
_SWEEPS = 60


@dataclass(frozen=True, slots=True)
class Rack:
    """A rack: ``rows`` from the apex to the back, each from left (+y) to right as seen from the
    head, and the centre of every ball in m."""

    rows: tuple[tuple[int, ...], ...]
    positions: dict[int, tuple[float, float]]


class SplitMix64:
    """Steele, Lea and Flood 2014: 64 bits of state, good enough to shuffle and to place balls."""

    def __init__(self, seed: int) -> None:
        self._state = seed & _MASK

    def bits(self) -> int:
        """The next 64 bits."""
        self._state = (self._state + 0x9E3779B97F4A7C15) & _MASK
        z = self._state
        z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & _MASK
        z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & _MASK
        return z ^ (z >> 31)

    def unit(self) -> float:
        """Uniform in [0, 1), of 53 bits."""
        return (self.bits() >> 11) * 2.0**-53

    def below(self, n: int) -> int:
        """Uniform in 0 .. n-1; the bias of the remainder is under 1e-17."""
        return self.bits() % n

    def shuffled(self, balls: Sequence[int]) -> list[int]:
        """The balls in a random order (Fisher and Yates)."""
        order = list(balls)
        for i in range(len(order) - 1, 0, -1):
            j = self.below(i + 1)
            order[i], order[j] = order[j], order[i]
        return order


def stand(
    discipline: Discipline, seed: int, gap: float, table: TableSpec, fifteenth: int | None = None
) -> Rack:
    """The rack of a discipline with gaps up to ``gap`` (m) between neighbours, none overlapping.

    Nine-ball: 1 on the foot spot, 9 in the middle (N9.2a).  Eight-ball: apex on the foot spot, 8
    behind it, one of each group in the back corners (E8.2).  Straight pool: apex on the foot spot,
    any order (S14.2a).  Black ball: the 8 on the foot spot in the middle of the third row, groups
    mixed, one of each in the back corners (BB.4).

    ``fifteenth`` is the ball that stays out of a continuation rack of straight pool: the other
    fourteen stand in its triangle without the apex (S14.2b), and the first row is empty.

    The ball on the foot spot is exact, or would be if it were there; the gaps of neighbours are
    uniform in 0 .. ``gap``, each by itself as far as they can fit together (see ``_loosen``).

    Raises:
        ValueError: unknown discipline, a gap outside 0 .. MAX_GAP, a seed outside 0 .. 2^64-1, or
            a ``fifteenth`` outside 1 .. 15 or of another game.
    """
    if discipline not in DISCIPLINES:
        raise ValueError(
            f"discipline is {discipline!r}; it must be one of {', '.join(DISCIPLINES)}"
        )
    if not 0.0 <= gap <= MAX_GAP:
        raise ValueError(f"gap is {gap} m; the limits are 0 and {MAX_GAP} m")
    if not 0 <= seed <= MAX_SEED:
        raise ValueError("seed lies outside its limits, 0 and 2^64-1")
    if fifteenth is not None and (discipline != "straight_pool" or not 1 <= fifteenth <= 15):
        raise ValueError(
            f"fifteenth is {fifteenth} in {discipline}; it is a ball of 1 to 15 in straight_pool"
        )
    draw = SplitMix64(seed)
    if fifteenth is not None:
        fourteen = draw.shuffled([ball for ball in range(1, 16) if ball != fifteenth])
        rows = _split([fifteenth, *fourteen], _TRIANGLE)
        places = _place(rows, 0, gap, table, draw)
        del places[fifteenth]
        return Rack(((), *rows[1:]), places)
    rows = _rows(discipline, draw)
    # Black ball stands two rows nearer the head: its third row is on the foot spot.
    spot_row = 2 if discipline == "black_ball" else 0
    return Rack(rows, _place(rows, spot_row, gap, table, draw))


def _rows(discipline: Discipline, draw: SplitMix64) -> tuple[tuple[int, ...], ...]:
    match discipline:
        case "nine_ball":
            rest = draw.shuffled(range(2, 9))
            return _split([1, *rest[:3], 9, *rest[3:]], _DIAMOND)
        case "straight_pool":
            return _split(draw.shuffled(range(1, 16)), _TRIANGLE)
        case _:
            return _split(_grouped(draw), _TRIANGLE)


def _grouped(draw: SplitMix64) -> list[int]:
    """Eight-ball and black ball: the 8 in the middle of row 3, both groups in the back corners."""
    solids, stripes = draw.shuffled(range(1, 8)), draw.shuffled(range(9, 16))
    corners = [solids.pop(), stripes.pop()]
    if draw.below(2):
        corners.reverse()
    rest = draw.shuffled(solids + stripes)
    return [*rest[:4], 8, *rest[4:9], corners[0], *rest[9:], corners[1]]


def _split(order: Sequence[int], sizes: Sequence[int]) -> tuple[tuple[int, ...], ...]:
    rows, at = [], 0
    for size in sizes:
        rows.append(tuple(order[at : at + size]))
        at += size
    return tuple(rows)


def _place(
    rows: tuple[tuple[int, ...], ...], spot_row: int, gap: float, table: TableSpec,
    draw: SplitMix64,
) -> dict[int, tuple[float, float]]:  # fmt: skip
    spacing = 2.0 * table.ball.radius + 0.5 * gap
    places: list[list[float]] = []
    spot = 0
    for r, row in enumerate(rows):
        for k in range(len(row)):
            x = 0.25 * table.length + (r - spot_row) * spacing * math.sqrt(0.75)
            y = (0.5 * (len(row) - 1) - k) * spacing
            if r == spot_row and y == 0.0:
                spot = len(places)
            places.append([x, y])
    if gap > 0.0:
        _loosen(places, spot, 2.0 * table.ball.radius, gap, draw)
    balls = [ball for row in rows for ball in row]
    return {ball: (x, y) for ball, (x, y) in zip(balls, places, strict=True)}


def _loosen(
    places: list[list[float]], fixed: int, touching: float, gap: float, draw: SplitMix64
) -> None:
    """Move the balls of a lattice until the gaps of neighbours are what was drawn for them.

    A rack has more pairs of neighbours than its balls have freedom: round a ball the six gaps to
    it and the six between its neighbours must fit together.  So what was drawn is come near to
    (to 0.1 of ``gap``, root mean square), and then the gaps that are left outside 0 .. ``gap``
    are brought inside.  Additions, products and square roots alone: the same in every build.
    """
    near = touching + 1.5 * gap
    pairs = [
        (a, b, touching + gap * draw.unit())
        for a in range(len(places))
        for b in range(a + 1, len(places))
        if _apart(places[a], places[b]) < near
    ]
    for _ in range(_SWEEPS):
        for a, b, want in pairs:
            _move(places, a, b, fixed, want)
    margin = 0.002 * gap
    low, high = touching + margin, touching + gap - margin
    strained = True
    while strained:
        strained = False
        for a, b, _ in pairs:
            apart = _apart(places[a], places[b])
            if not touching <= apart <= touching + gap:
                _move(places, a, b, fixed, min(max(apart, low), high))
                strained = True


def _apart(a: Sequence[float], b: Sequence[float]) -> float:
    return math.sqrt((b[0] - a[0]) * (b[0] - a[0]) + (b[1] - a[1]) * (b[1] - a[1]))


def _move(places: list[list[float]], a: int, b: int, fixed: int, want: float) -> None:
    """Move two balls along their line of centres until they are ``want`` apart."""
    apart = _apart(places[a], places[b])
    part = (want - apart) / apart * (1.0 if fixed in (a, b) else 0.5)
    step = [part * (places[b][k] - places[a][k]) for k in (0, 1)]
    for ball, sense in ((a, -1.0), (b, 1.0)):
        if ball != fixed:
            places[ball][0] += sense * step[0]
            places[ball][1] += sense * step[1]
