"""Balls laid out on a table: where they may lie, and a short text by which a layout is shared.

Pure.  The text names the table and each ball with its place in millimetres, ``9ft 0:-635,0
1:635,12.5``; a case of ``headstring simulate`` is read as well.
"""

import math
import re
from collections.abc import Mapping
from dataclasses import dataclass, field

from physics.case import read_line
from physics.case_fields import CaseError
from physics.case_input import Posed, read_case
from physics.case_placing import check_placing
from physics.outcome import World
from physics.pots import mouths
from physics.rack import Discipline, stand
from physics.state import BallState
from physics.table import TABLES, TableSpec
from shared_rules.balls import CUE, ball_name
from shared_rules.table import Position, TableFrame

BALLS = tuple(range(16))
PRESETS = tuple(name for name, spec in TABLES.items() if spec.bounded)
MOST_TEXT = 20_000
"""Characters that are read; a table with every ball takes some 400."""
_TOKEN = re.compile(r"(\d{1,2}):(-?\d+(?:\.\d+)?),(-?\d+(?:\.\d+)?)")
_PLACES = 7
"""Digits after the point of a millimetre: balls that touch still do when they are read."""
MOUTH_M = 0.08
"""A point so near to a pocket's mouth means the pocket, unless a ball can lie there."""
_GRID_PLACES = 5
"""Places that are chosen by hand have so many digits in metres, so that texts stay short."""
_APART_M = 2e-10
"""Kept between balls that are put against each other, beside the rounding of their text."""
_GAP_M = 3e-5
"""Gaps of a rack, at most."""


class LayoutError(ValueError):
    """A text is no layout.  ``code``: which kind of fault, as in ``physics.case_fields``."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code


@dataclass(frozen=True)
class TableLayout:
    """A table by its preset, and where the balls lie on it (m)."""

    table: str = "9ft"
    balls: Mapping[int, Position] = field(default_factory=dict)

    @property
    def spec(self) -> TableSpec:
        """The table's measures."""
        return TABLES[self.table]

    def with_ball(self, ball: int, at: Position) -> "TableLayout":
        """With a ball put there."""
        return TableLayout(self.table, {**self.balls, ball: at})

    def without(self, ball: int) -> "TableLayout":
        """With a ball taken off."""
        return TableLayout(self.table, {n: at for n, at in self.balls.items() if n != ball})

    def radius(self, ball: int) -> float:
        """Radius of a ball, m."""
        return World(self.spec).spec(ball).radius


def frame_of(table: str) -> TableFrame:
    """A table's measures as the rules have them."""
    return TableFrame.of(table, TABLES[table])


# --- where a ball may lie -----------------------------------------------------------------------


def may_lie(layout: TableLayout, ball: int, at: Position) -> bool:
    """Whether a ball may be put there: on the bed, clear of cushions, holes and other balls."""
    if not all(math.isfinite(value) for value in at):
        return False
    if any(gap < -_APART_M for gap, _, _ in _gaps(layout, ball, at)):
        return False
    radius = layout.radius(ball)
    try:
        check_placing(World(layout.spec), [BallState(ball, (at[0], at[1], radius))])
    except CaseError:
        return False
    return True


def nearest_place(layout: TableLayout, ball: int, at: Position) -> Position | None:
    """The place for a ball that is meant by a point: beside what is in its way, where something is.

    None where it can't lie anywhere near: beyond the cushions, or over a pocket.
    """
    at = Position(*(round(value, _GRID_PLACES) for value in at))
    if may_lie(layout, ball, at):
        return at
    frame = frame_of(layout.table)
    reach = frame.cushion_reach(ball)
    far_x, far_y = layout.spec.length / 2 - reach, layout.spec.width / 2 - reach
    if abs(at.x) > far_x + 2 * reach or abs(at.y) > far_y + 2 * reach:
        return None
    if min(math.dist(at, mouth.at) for mouth in mouths(layout.spec)) < MOUTH_M:
        return None
    for _ in range(24):
        at = Position(
            math.copysign(min(abs(at.x), far_x), at.x), math.copysign(min(abs(at.y), far_y), at.y)
        )
        gaps = _gaps(layout, ball, at)
        gap, way, least = min(gaps, default=(0.0, (0.0, 0.0), 0.0))
        if gap >= -_APART_M:
            break
        size = math.hypot(*way)
        unit = (way[0] / size, way[1] / size) if size > 1e-9 else (0.0, 1.0)
        push = least - size + 2 * _APART_M
        at = Position(at.x + unit[0] * push, at.y + unit[1] * push)
    return at if may_lie(layout, ball, at) else None


def _gaps(
    layout: TableLayout, ball: int, at: Position
) -> list[tuple[float, tuple[float, float], float]]:
    """To each other ball: the gap, the way from it, and the least distance of the centres (m)."""
    found = []
    for other, place in layout.balls.items():
        if other != ball:
            least = layout.radius(ball) + layout.radius(other)
            way = (at[0] - place[0], at[1] - place[1])
            found.append((math.hypot(*way) - least, way, least))
    return found


def free_place(layout: TableLayout, ball: int) -> Position:
    """Where a ball comes to that is put on the table without a place being said.

    The cue ball at the head spot, others at the foot spot, or as near on the long string as there
    is room; there always is, for sixteen balls.
    """
    frame = frame_of(layout.table)
    spot = frame.head_spot if ball == CUE else frame.foot_spot
    steps = [k * 0.01 for k in range(int(layout.spec.length / 0.01))]
    ways = [(way * step, 0.0) for step in steps for way in (1.0, -1.0)]
    for dx, dy in ways:
        at = Position(spot.x + dx, spot.y + dy)
        if may_lie(layout, ball, at):
            return at
    raise ValueError("there is no room on the long string")


def racked(table: str, discipline: Discipline, seed: int) -> TableLayout:
    """A rack ready to be broken, with the cue ball behind the line."""
    standing = stand(discipline, seed, _GAP_M, TABLES[table])
    balls = {ball: Position(x, y) for ball, (x, y) in standing.positions.items()}
    frame = frame_of(table)
    line = frame.baulk_line if discipline == "black_ball" else frame.head_string
    balls[CUE] = Position(line - 0.06, 0.0 if discipline == "black_ball" else 0.18)
    return TableLayout(table, balls)


# --- as a text ----------------------------------------------------------------------------------


def written(layout: TableLayout) -> str:
    """A layout as a text that :func:`read` takes."""
    parts = [f"{ball}:{_mm(at[0])},{_mm(at[1])}" for ball, at in sorted(layout.balls.items())]
    return " ".join([layout.table, *parts])


def _mm(metres: float) -> str:
    text = f"{metres * 1000:.{_PLACES}f}".rstrip("0").rstrip(".")
    return "0" if text == "-0" else text


def read(text: str) -> TableLayout:
    """A layout from its text, or from a case of ``headstring simulate``.

    Raises:
        LayoutError: it is neither, or balls lie where they can't.
    """
    text = text.strip()
    try:
        if len(text) > MOST_TEXT:
            raise CaseError("bad_json", f"the text has over {MOST_TEXT} characters")
        if text in PRESETS:  # an empty table, which no case can be
            return TableLayout(text)
        case = read_line(text) if text.startswith("{") else _case(text)
        if isinstance(case, dict):
            case.setdefault("id", "layout")
        return _layout(read_case(case))
    except CaseError as error:
        raise LayoutError(error.code, str(error)) from error


def _case(text: str) -> dict[str, object]:
    table, *tokens = text.split() or [""]
    balls: dict[str, object] = {}
    for token in tokens:
        found = _TOKEN.fullmatch(token)
        if found is None or (found[1].lstrip("0") != found[1] and found[1] != "0"):
            raise CaseError("bad_json", f"{token[:40]!r} is no ball with its place")
        if found[1] in balls:
            raise CaseError("conflict", f"ball {found[1]} comes twice")
        balls[found[1]] = {"pos": [float(found[2]) / 1000, float(found[3]) / 1000]}
    if table not in PRESETS:
        raise CaseError("unknown_name", f"there is no table {table[:40]!r}: {', '.join(PRESETS)}")
    return {"id": "layout", "table": table, "balls": balls}


def _layout(posed: Posed) -> TableLayout:
    table = posed.world.table
    if table.name not in PRESETS or table != TABLES[table.name]:
        raise CaseError("unknown_name", f"a layout is on one of the tables {', '.join(PRESETS)}")
    balls = {}
    for state in posed.states:
        lies = state.pos[2] <= posed.world.spec(state.ball).radius + 1e-9
        if not lies or any(state.vel) or any(state.spin):
            raise CaseError("conflict", f"ball {ball_name(state.ball)} does not lie still")
        if state.ball not in BALLS:
            raise CaseError("unknown_name", "the balls of a layout are 0 to 15")
        balls[state.ball] = Position(state.pos[0], state.pos[1])
    return TableLayout(table.name, balls)
