"""What breaks do: ``headstring bench breaks``.

Seeded breaks of each discipline, square on the apex ball from the head string's centre, ball
speed 9 to 11 m/s, aim with a deviation of 1 mm at the rack, gaps of the rack up to 0.1 mm, corner
mouths of 4.5 inches: the setting of target R04.  Published figures stand beside (REFERENCES 6).

The same breaks are played twice: the cue ball sent off level, as the target has it, and struck as
in a match, a little above its middle by a cue raised over the rail behind, so that it hops.
"""

import math
import random
import statistics
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from physics.case_input import Posed, read_case
from physics.clearance import least_elevation_deg
from physics.rack import DISCIPLINES, Discipline, stand
from physics.simulation import simulate, warm_up
from physics.strike import CueSpec, Stroke, strike
from shared_rules.balls import CUE
from shared_rules.events import BallBall, OffTable, Pocketed, RailContact

BREAKS = 300
SPEEDS = (9.0, 11.0)  # m/s, of the ball
AIM = 1e-3  # m, standard deviation at the apex ball
GAP = 1e-4  # m, of the rack
CORNER = 0.1143  # m, mouth of a corner pocket: 4.5 in
TIP = (0.0, 0.05)  # where the house bot's cue meets the cue ball in a break, ball radii

#: The ball whose fall on the break counts for something.
_MONEY: Mapping[Discipline, int] = {"nine_ball": 9, "eight_ball": 8, "black_ball": 8}

#: Published figures by discipline (REFERENCES 6); FM marks what is from memory there.
PUBLISHED: Mapping[Discipline, str] = {
    "nine_ball": "0.6-2.0 balls, 12-50 % dry (R04); dry 25-35 %, scratch 5-10 % (FM)",
    "eight_ball": "66 % make a ball, 8 on the break 1.6 % (7-ft, Colorado 2024)",
    "straight_pool": "no source found",
    "black_ball": "no source found",
}


@dataclass(frozen=True, slots=True)
class Broken:
    """One break: object balls that fell, whether the cue ball did, and how far the rest ran.

    ``cue_off``: the cue ball left the table.  ``hop_mm``: how high it was above the bed where it
    met the rack.
    """

    pocketed: tuple[int, ...]
    scratch: bool
    wing: bool
    railed: int
    settle_s: float
    cue_off: bool = False
    hop_mm: float = 0.0

    @property
    def legal(self) -> bool:
        """WPA: an object ball pocketed, or four driven to a rail."""
        return bool(self.pocketed) or self.railed >= 4


@dataclass(frozen=True, slots=True)
class BreakStatistics:
    """Many breaks of one discipline; ``raised``: with the cue ball struck as in a match."""

    discipline: Discipline
    breaks: tuple[Broken, ...]
    raised: bool = False

    @property
    def mean(self) -> float:
        """Object balls pocketed a break."""
        return statistics.mean(len(b.pocketed) for b in self.breaks)

    @property
    def dry(self) -> float:
        """Share of breaks on which no object ball fell."""
        return self.share([not b.pocketed for b in self.breaks])

    @staticmethod
    def share(flags: Sequence[bool]) -> float:
        """Part of the flags that are set."""
        return sum(flags) / len(flags)

    def row(self) -> tuple[str, ...]:
        """The figures as text, as in ``HEADS``."""
        money = _MONEY.get(self.discipline)
        on_break = "-" if money is None else _percent([money in b.pocketed for b in self.breaks])
        settle = sorted(b.settle_s for b in self.breaks)
        return (
            self.discipline.replace("_", " ") + (", raised" if self.raised else ""),
            str(len(self.breaks)),
            f"{self.mean:.2f}",
            f"{100.0 * self.dry:.0f} %",
            _percent([b.scratch for b in self.breaks]),
            _percent([b.wing for b in self.breaks]),
            on_break,
            f"{statistics.mean(b.railed for b in self.breaks):.1f}",
            _percent([b.legal for b in self.breaks]),
            f"{settle[len(settle) // 2]:.1f} s",
            _percent([b.cue_off for b in self.breaks]),
            f"{max(b.hop_mm for b in self.breaks):.1f} mm",
        )


HEADS = (
    "rack", "breaks", "balls", "dry", "scratch", "wing ball", "8 or 9", "to a rail", "legal",
    "settle", "cue off", "hop",
)  # fmt: skip


def _percent(flags: Sequence[bool]) -> str:
    return f"{100.0 * sum(flags) / len(flags):.1f} %"


def pose_break(
    discipline: Discipline, draw: random.Random, aside: float = 0.0, raised: bool = False
) -> tuple[Posed, frozenset[int]]:
    """A break of ``draw``'s choosing, and the balls at the corners of its rack.

    ``aside`` is how far left of the long string the cue ball lies, m; it is aimed at the apex ball.
    ``raised``: it is struck as in a match, else sent off along the bed; at the same speed.
    """
    preset = "uk7ft" if discipline == "black_ball" else "9ft"
    table: dict[str, object] = {"preset": preset}
    if preset == "9ft":
        table["corner_mouth"] = CORNER
    speed, miss = draw.uniform(*SPEEDS), draw.gauss(0.0, AIM)
    seed = draw.getrandbits(60)
    case = {
        "id": "break",
        "table": table,
        "rack": {"discipline": discipline, "seed": seed, "gap": GAP},
        "balls": {},
    }
    spec = read_case(case).world.table
    rack = stand(discipline, seed, GAP, spec)
    x, y = -0.25 * spec.length, aside
    ax, ay = rack.positions[rack.rows[0][0]]
    way = math.hypot(ax - x, ay - y)
    heading = math.atan2(ay - y, ax - x) + miss / way
    vel = [speed * math.cos(heading), speed * math.sin(heading), 0.0]
    case["balls"] = {"0": {"pos": [x, y], "vel": [0.0] * 3 if raised else vel}}
    if raised:
        case["strike"] = _strike(read_case(case), speed, math.degrees(heading))
    widest = max(rack.rows, key=len)
    return read_case(case), frozenset((widest[0], widest[-1]))


def _strike(shot: Posed, speed: float, heading_deg: float) -> dict[str, object]:
    """The stroke of a match that gives the cue ball that speed (m/s)."""
    level = strike(Stroke(1.0, heading_deg, tip=TIP), CueSpec(), shot.world.spec(CUE))
    stroke = Stroke(speed / math.hypot(*level.vel), heading_deg, tip=TIP)
    return {
        "speed": stroke.speed,
        "heading_deg": heading_deg,
        "elevation_deg": least_elevation_deg(shot.world, shot.states, stroke),
        "tip": list(TIP),
    }


def play_break(shot: Posed, wings: frozenset[int]) -> Broken:
    """Simulate a break and count."""
    outcome = simulate(shot.world, shot.states, shot.impulses, shot.until)
    fallen, railed, wing, cue_off = [], set(), False, False
    hop: float | None = None
    for recorded in outcome.events:
        event = recorded.event
        if isinstance(event, Pocketed):
            fallen.append(event.ball)
            wing = wing or (event.ball in wings and not event.pocket.startswith("side"))
        elif isinstance(event, RailContact) and event.ball != CUE:
            railed.add(event.ball)
        elif isinstance(event, OffTable):
            cue_off = cue_off or event.ball == CUE
        elif isinstance(event, BallBall) and hop is None:
            hop = 1000.0 * (recorded.before[CUE].pos[2] - shot.world.spec(CUE).radius)
    return Broken(
        tuple(b for b in fallen if b != CUE), CUE in fallen, wing, len(railed), outcome.duration,
        cue_off, hop or 0.0,
    )  # fmt: skip


def play_breaks(
    discipline: Discipline, n: int = BREAKS, seed: int = 4, aside: float = 0.0,
    raised: bool = False,
) -> BreakStatistics:  # fmt: skip
    """``n`` breaks that depend on the arguments alone."""
    draw = random.Random(seed)
    return BreakStatistics(
        discipline,
        tuple(play_break(*pose_break(discipline, draw, aside, raised)) for _ in range(n)),
        raised,
    )


@dataclass(frozen=True, slots=True)
class BreakReport:
    """Statistics of all disciplines; ``str`` prints them."""

    rows: tuple[BreakStatistics, ...]

    def __str__(self) -> str:
        table = [HEADS, *(r.row() for r in self.rows)]
        widths = [max(len(row[k]) for row in table) for k in range(len(HEADS))]
        lines = [
            "  ".join(
                text.ljust(w) if k == 0 else text.rjust(w)
                for k, (text, w) in enumerate(zip(row, widths, strict=True))
            )
            for row in table
        ]
        lines += ["", "published:"]
        lines += [
            f"  {r.discipline.replace('_', ' ')}: {PUBLISHED[r.discipline]}"
            for r in self.rows
            if not r.raised
        ]
        return "\n".join(lines)


def bench_breaks(n: int = BREAKS) -> BreakReport:
    """Break every rack ``n`` times, level and as in a match; takes some twenty seconds."""
    warm_up()
    return BreakReport(
        tuple(play_breaks(d, n, raised=raised) for d in DISCIPLINES for raised in (False, True))
    )
