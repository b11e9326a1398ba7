"""Whether a ball may be put down somewhere: areas, bed, overlaps.  For the rules and for clients.

A ball lies where its centre is (D8.pos).

All area tests are strict and go by the centre: on a string is outside (RULES 0.2, G.1.5, F6.10).
"""

from collections.abc import Mapping
from math import hypot, isfinite

from shared_rules.balls import CUE, LAG_A
from shared_rules.events import Pocket
from shared_rules.refusal import Code, Refusal
from shared_rules.state import Hand, MatchState, Phase, Seat
from shared_rules.table import Position, TableFrame

# A ball put down in contact with another or with a cushion may lose this much to rounding, m.
TOUCHING = 1e-9
# Centres of balls that hang in a pocket mouth lie beyond the nose lines, by less than this, m.
_MOUTH = 0.12


def on_table(position: Position, frame: TableFrame) -> bool:
    """Whether a ball may rest there at all: on the bed, or in a pocket mouth at its edge."""
    x, y = position
    return (
        isfinite(x)
        and isfinite(y)
        and abs(x) <= frame.length / 2 + _MOUTH
        and abs(y) <= frame.width / 2 + _MOUTH
    )


def nearest_pocket(position: Position, frame: TableFrame) -> Pocket:
    """The pocket in whose mouth a ball lies: the one with the nearest middle of its mouth."""
    x, y = frame.length / 2, frame.width / 2
    mouths: dict[Pocket, Position] = {
        "head_left": Position(-x, y), "head_right": Position(-x, -y),
        "side_left": Position(0.0, y), "side_right": Position(0.0, -y),
        "foot_left": Position(x, y), "foot_right": Position(x, -y),
    }  # fmt: skip
    return min(mouths, key=lambda p: hypot(position.x - mouths[p].x, position.y - mouths[p].y))


def check_on_bed(position: Position, frame: TableFrame, ball: int = CUE) -> None:
    """Refuse a place off the bed, or in a cushion.

    Raises:
        Refusal: ``outside_bed``.
    """
    reach = frame.cushion_reach(ball) - TOUCHING
    inside = abs(position.x) <= frame.length / 2 - reach and (
        abs(position.y) <= frame.width / 2 - reach
    )
    if not (isfinite(position.x) and isfinite(position.y) and inside):
        raise Refusal(Code.OUTSIDE_BED, "the ball must lie on the bed, clear of the cushions")


def overlapped(
    position: Position, balls: Mapping[int, Position], frame: TableFrame, ball: int = CUE
) -> int | None:
    """The ball that one put down at ``position`` would overlap, if any."""
    mine = frame.radius(ball)
    for other, (x, y) in sorted(balls.items()):
        least = mine + frame.radius(other) - TOUCHING
        if other != ball and hypot(x - position.x, y - position.y) < least:
            return other
    return None


def check_clear(
    position: Position, balls: Mapping[int, Position], frame: TableFrame, ball: int = CUE
) -> None:
    """Refuse a place that another ball takes.

    Raises:
        Refusal: ``placement_overlaps_ball``.
    """
    other = overlapped(position, balls, frame, ball)
    if other is not None:
        raise Refusal(Code.PLACEMENT_OVERLAPS_BALL, f"ball {other} is in the way there")


def in_head_area(position: Position, frame: TableFrame) -> bool:
    """Strictly behind the head string; the string itself is not in the area (F6.10)."""
    return position.x < frame.head_string


def in_area(position: Position, hand: Hand, frame: TableFrame) -> bool:
    """Whether a place lies in the area of a cue ball in hand; all lines are outside."""
    if hand == "head":
        return in_head_area(position, frame)
    return hand != "baulk" or position.x < frame.baulk_line


def check_area(position: Position, hand: Hand, frame: TableFrame) -> None:
    """Refuse a place outside the area in which the cue ball may be put down.

    Raises:
        Refusal: ``outside_head_area``, of the baulk too.
    """
    if hand == "baulk" and not in_area(position, hand, frame):
        raise Refusal(
            Code.OUTSIDE_HEAD_AREA,
            "the cue ball must be placed in baulk; the baulk line itself is outside",
        )
    if not in_area(position, hand, frame):
        raise Refusal(
            Code.OUTSIDE_HEAD_AREA,
            "the cue ball must be placed behind the head string; the string itself is outside",
        )


def check_lag_place(
    position: Position, seat: Seat, balls: tuple[Position, Position], frame: TableFrame
) -> None:
    """Refuse a place for a lag ball outside the head area of one's own half (N9.1.1).

    Raises:
        Refusal: ``outside_bed``, ``outside_head_area`` or ``placement_overlaps_ball``.
    """
    check_on_bed(position, frame, LAG_A)
    own = position.y > 0.0 if seat == 0 else position.y < 0.0
    if not (own and in_head_area(position, frame)):
        raise Refusal(
            Code.OUTSIDE_HEAD_AREA,
            "a lag ball is placed behind the head string on one's own half of the table",
        )
    x, y = balls[1 - seat]
    if hypot(x - position.x, y - position.y) < 2 * frame.radius(LAG_A) - TOUCHING:
        raise Refusal(Code.PLACEMENT_OVERLAPS_BALL, "the opponent's ball is in the way there")


def check_placement(state: MatchState, seat: Seat, position: Position) -> None:
    """Refuse what ``place_cue`` would refuse for this place; for a client's live feedback.

    Only the place is looked at, not whose turn it is.

    Raises:
        Refusal: as the other functions of this module.
    """
    frame = state.description.frame
    if state.phase is Phase.LAG and state.lag is not None:
        check_lag_place(position, seat, state.lag.balls, frame)
        return
    rules = state.description.ruleset
    check_on_bed(position, frame)
    if rules.break_.placement_foul == "refuse" or not state.is_break:
        check_area(position, state.cue_in_hand, frame)
    if rules.touch_fouls == "refuse":
        check_clear(position, state.balls, frame)
