"""Which balls the cue ball passes above: ``jump_over``, read off the pieces.

Seen from above the cue ball overlaps another ball for a while, by more than the eye would miss.
Where it comes nearest to that ball's middle in this, in the air and above it, it has jumped over
it: on the bed, the same way would have been barred.  A touch before that place begins the passing
anew, from where the two touched; one after it, of the far side, changes nothing.  N9.4.7, N9.5o,
BB.13c.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from math import hypot, inf

import numpy as np

from physics.outcome import Piece
from physics.state import Motion
from shared_rules.balls import CUE

OVERLAP = 1e-3  # m: passing above less of a ball than this is passing beside it
SMALL = 1e-12  # s


def _flights(pieces: Sequence[Piece], end: float) -> list[tuple[float, float]]:
    """Stretches of time in which a ball is in the air, pieces joined."""
    spans: list[tuple[float, float]] = []
    for k, piece in enumerate(pieces):
        if piece.motion is not Motion.AIR:
            continue
        stop = pieces[k + 1].start if k + 1 < len(pieces) else end
        if spans and piece.start - spans[-1][1] <= SMALL:
            spans[-1] = (spans[-1][0], stop)
        else:
            spans.append((piece.start, stop))
    return [span for span in spans if span[1] > span[0]]


def _highest(track: "Track", start: float, end: float) -> float:
    """Greatest height of a flying ball's centre between the starts of pieces (m)."""
    first, last = (bisect_left(track.starts, at) for at in (start, end))
    return max(
        p.pos[2] + (0.5 * p.vel[2] ** 2 / -p.acc[2] if p.vel[2] > 0.0 > p.acc[2] else 0.0)
        for p in track.pieces[first:last]
    )


class Track:
    """The pieces of a ball, with when each begins."""

    def __init__(self, pieces: Sequence[Piece]) -> None:
        self.pieces = pieces
        self.starts = [piece.start for piece in pieces]

    def running(self, at: float, k: int) -> int:
        """Index of the piece that runs at a time, not before the one of index ``k``."""
        return max(bisect_right(self.starts, at, lo=k) - 1, 0)

    def next_start(self, k: int) -> float:
        """When the piece after the one of index ``k`` begins; infinity: never."""
        return self.starts[k + 1] if k + 1 < len(self.starts) else inf


def _stretches(
    cue: Track, other: Track, start: float, end: float
) -> Iterator[tuple[Piece, Piece, float, float]]:
    """Pieces that run at the same time, from when to when."""
    i = j = 0
    while start < end:
        i, j = cue.running(start, i), other.running(start, j)
        until = min(cue.next_start(i), other.next_start(j), end)
        yield cue.pieces[i], other.pieces[j], start, until
        start = until


def _along(a: Piece, b: Piece, at: float, x: int) -> tuple[float, float, float]:
    """Place, velocity and half the acceleration of ``b`` from ``a`` at a time, along an axis."""
    s, u = at - a.start, at - b.start
    pull, pull_b = a.acc[x], b.acc[x]
    return (
        b.pos[x] + (b.vel[x] + 0.5 * pull_b * u) * u - (a.pos[x] + (a.vel[x] + 0.5 * pull * s) * s),
        b.vel[x] + pull_b * u - (a.vel[x] + pull * s),
        0.5 * pull_b - 0.5 * pull,
    )


def _nearest_times(
    x: tuple[float, float, float], y: tuple[float, float, float], start: float, end: float
) -> list[float]:
    """Times in [start, end] at which two pieces may be nearest, seen from above, and both ends.

    ``x`` and ``y``: what :func:`_along` tells at ``start``.
    """
    (x0, x1, x2), (y0, y1, y2) = x, y
    # A quarter of the rate of the squared distance, highest power first.
    rate = [
        x2 * x2 + y2 * y2, 1.5 * (x1 * x2 + y1 * y2),
        0.5 * (x1 * x1 + y1 * y1) + x0 * x2 + y0 * y2, 0.5 * (x0 * x1 + y0 * y1),
    ]  # fmt: skip
    if rate[0] == 0.0:  # both fly: the rate is linear
        still = -rate[3] / rate[2] if rate[2] != 0.0 else 0.0
        inside = 0.0 < still < end - start
        return [start, end, start + still] if inside else [start, end]
    times = [start, end]
    for root in np.roots(rate).tolist():
        if abs(root.imag) < 1e-9 and 0.0 < root.real < end - start:
            times.append(start + float(root.real))
    return times


def _passed(cue: Track, other: Track, start: float, end: float, reach: float) -> float | None:
    """When in a flight the cue ball is nearest to another ball that it passes above, or None."""
    best, least = start, reach - OVERLAP
    for first, second, a, b in _stretches(cue, other, start, end):
        if second.motion >= Motion.POCKETED:
            break
        x, y = _along(first, second, a, 0), _along(first, second, a, 1)
        lasts = b - a
        way = (hypot(x[1], y[1]) + hypot(x[2], y[2]) * lasts) * lasts
        if hypot(x[0], y[0]) - way > least:
            continue  # too far apart, and too slow
        for at in _nearest_times(x, y, a, b):
            gap = hypot(_along(first, second, at, 0)[0], _along(first, second, at, 1)[0])
            if gap < least and _along(first, second, at, 2)[0] < 0.0:
                best, least = at, gap
    # At either end of the flight they do not pass: the one lands on the other, or comes off it.
    return best if start + SMALL < best < end - SMALL else None


def jumps_over(
    pieces: Mapping[int, Sequence[Piece]], radii: Mapping[int, float],
    touches: Mapping[int, Sequence[float]], end: float,
) -> list[tuple[float, int]]:  # fmt: skip
    """Times (s) at which the cue ball passes above a ball, and which ball, in order.

    Args:
        pieces: of all balls.
        radii: of all balls (m).
        touches: of each ball, when the cue ball touches it.
        end: when the run ended.
    """
    if CUE not in pieces:
        return []
    tracks = {ball: Track(own) for ball, own in pieces.items()}
    cue = tracks[CUE]
    found = []
    least = min(radii.values())
    # Two balls of radius r that overlap by d seen from above are sqrt(4 r d - d^2) apart in height.
    rise = radii[CUE] + (4.0 * least * OVERLAP - OVERLAP**2) ** 0.5
    for start, stop in _flights(cue.pieces, end):
        if _highest(cue, start, stop) < rise:
            continue
        for ball, own in tracks.items():
            if ball == CUE:
                continue
            # Each stretch from touch to touch is by itself.
            cuts = [start, *(t for t in touches.get(ball, ()) if start < t < stop), stop]
            for a, b in pairwise(cuts):
                at = _passed(cue, own, a, b, radii[CUE] + radii[ball])
                if at is not None:
                    found.append((at, ball))
    return sorted(found)
