"""Continuation racks of straight pool: what is in the way of fourteen balls, and where it goes
(S14.2b, S14.4b, S14.6, S14.8).  Geometry and bookkeeping; nothing is judged here."""

from collections.abc import Mapping
from math import hypot, sqrt

from msgspec.structs import replace

from shared_rules.announcements import Announcement, Reracking
from shared_rules.balls import CUE
from shared_rules.clocks import anew, stopped
from shared_rules.disciplines import discipline_of
from shared_rules.placement import in_head_area
from shared_rules.rack import RackPattern, check_rack
from shared_rules.refusal import Code, Refusal
from shared_rules.state import MatchState, Phase, Rerack, Seat, Site
from shared_rules.table import Position, TableFrame
from shared_rules.turns import begin_in_hand, begin_shot, without

# A ball that only touches the outline does not overlap it, m.
_TOUCHING = 1e-9


def in_rack_area(
    position: Position, radius: float, pattern: RackPattern, frame: TableFrame, gap_mm: float
) -> bool:
    """Whether a ball lies inside the outline of the triangle, or overlaps it.

    The outline is that of all fifteen balls, the apex too, of a rack as loose as ``gap_mm`` lets it
    be: straight lines that touch the outer balls.
    """
    slots = pattern.slots(frame)
    rows = len(pattern.sizes) - 1
    middle = Position(
        sum(slot.x for slot in slots) / len(slots), sum(slot.y for slot in slots) / len(slots)
    )
    inner = frame.ball_radius + rows * gap_mm * 1e-3  # distance of the lines from the outer balls
    apex, left, right = slots[0], slots[-len(pattern.sizes)], slots[-1]
    # A line moved out by ``inner`` moves each corner out by twice that: the angles are of 60.
    corners = [_outwards(corner, middle, 2 * inner) for corner in (apex, right, left)]
    return _distance(position, corners) < radius - _TOUCHING


def _outwards(point: Position, middle: Position, by: float) -> Position:
    dx, dy = point.x - middle.x, point.y - middle.y
    part = by / hypot(dx, dy)
    return Position(point.x + part * dx, point.y + part * dy)


def _distance(p: Position, corners: list[Position]) -> float:
    """Distance of a point from a triangle, 0 inside it."""
    sides = list(zip(corners, corners[1:] + corners[:1], strict=True))
    turns = [(b.x - a.x) * (p.y - a.y) - (b.y - a.y) * (p.x - a.x) for a, b in sides]
    if all(turn >= 0.0 for turn in turns) or all(turn <= 0.0 for turn in turns):
        return 0.0
    return min(_from_segment(p, a, b) for a, b in sides)


def _from_segment(p: Position, a: Position, b: Position) -> float:
    dx, dy = b.x - a.x, b.y - a.y
    along = ((p.x - a.x) * dx + (p.y - a.y) * dy) / (dx * dx + dy * dy)
    along = min(max(along, 0.0), 1.0)
    return sqrt((p.x - a.x - along * dx) ** 2 + (p.y - a.y - along * dy) ** 2)


def blocks(position: Position, radius: float, spot: Position, frame: TableFrame) -> bool:
    """Whether a ball put on a spot would overlap the one that lies at ``position``."""
    reach = radius + frame.ball_radius
    return hypot(position.x - spot.x, position.y - spot.y) < reach - _TOUCHING


def rerack_of(
    balls: Mapping[int, Position], pattern: RackPattern, frame: TableFrame, gap_mm: float
) -> Rerack:
    """What is racked, and where cue ball and fifteenth go (S14.8; ambiguity 41).

    Args:
        balls: the cue ball, and the fifteenth if it is still on the table.
    """
    cue = balls[CUE]
    left = [ball for ball in balls if ball != CUE]
    radius = frame.radius(CUE)
    cue_in = in_rack_area(cue, radius, pattern, frame, gap_mm)
    if not left:
        return Rerack(balls=pattern.balls, cue_ball=_hand_if(cue_in), fifteenth="racked")
    last = balls[left[0]]
    last_in = in_rack_area(last, frame.ball_radius, pattern, frame, gap_mm)
    if cue_in and last_in:
        return Rerack(balls=pattern.balls, cue_ball="in_hand_head", fifteenth="racked")
    fourteen = tuple(ball for ball in pattern.balls if ball != left[0])
    if last_in:
        spot: Site = "center_spot" if blocks(cue, radius, frame.head_spot, frame) else "head_spot"
        return Rerack(balls=fourteen, fifteenth=spot)
    if not cue_in:
        return Rerack(balls=fourteen)
    if not in_head_area(last, frame):
        return Rerack(balls=fourteen, cue_ball="in_hand_head")
    blocked = blocks(last, frame.ball_radius, frame.head_spot, frame)
    return Rerack(balls=fourteen, cue_ball="center_spot" if blocked else "head_spot")


def _hand_if(interferes: bool) -> Site:
    return "in_hand_head" if interferes else "as_is"


def begin_rerack(state: MatchState, seat: Seat, say: list[Announcement]) -> MatchState:
    """Play stops for the rack; what is in its way is moved at once (S14.4b, S14.8)."""
    described = state.description
    frame, rules = described.frame, described.ruleset
    rerack = rerack_of(state.balls, discipline_of(rules).rack, frame, rules.rack.gap_mm)
    say.append(Reracking(seat=seat, rerack=rerack))
    spots = {"head_spot": frame.head_spot, "center_spot": frame.centre_spot}
    balls = without(state.balls, *rerack.balls)
    for ball in tuple(balls):
        site = rerack.cue_ball if ball == CUE else rerack.fifteenth
        balls[ball] = spots.get(site, balls[ball])
    in_hand = rerack.cue_ball == "in_hand_head"
    return stopped(
        replace(
            state,
            phase=Phase.RERACK,
            shooter=seat,
            running=None,
            balls=without(balls, CUE) if in_hand else balls,
            cue_in_hand="head" if in_hand else "none",
            cue_placed=False,
            call=None,
            racked=False,
            rerack=rerack,
            restorable={},
            stalemate_visits_left=None,
        )
    )


def finish_rerack(
    state: MatchState, balls: Mapping[int, Position], at: float, say: list[Announcement]
) -> MatchState:
    """The rack stands, and the same player goes on (S14.4b).

    Raises:
        Refusal: ``malformed``: it does not stand as it should.
    """
    rerack, seat = state.rerack, state.shooter
    assert rerack is not None and seat is not None  # RERACK is entered with them
    if set(balls) != set(rerack.balls):
        raise Refusal(Code.MALFORMED, f"balls {', '.join(map(str, rerack.balls))} are racked")
    frame, rules = state.description.frame, state.description.ruleset
    pattern = discipline_of(rules).rack
    # The rack is whole with its apex ball, which would stand on the foot spot.
    apex = {ball: frame.foot_spot for ball in pattern.balls if ball not in balls}
    check_rack(pattern, {**balls, **apex}, frame, rules.rack.gap_mm)
    state = replace(
        state,
        balls=dict(sorted({**state.balls, **balls}.items())),
        racked=True,
        rerack=None,
        rack_number=state.rack_number + 1,
        clock=anew(state.clock),
    )
    if state.cue_in_hand != "none":
        return begin_in_hand(state, seat, state.cue_in_hand, at, say)
    return begin_shot(state, seat, Phase.AWAIT_SHOT, at, say)


def stands_without_apex(
    balls: Mapping[int, Position], pattern: RackPattern, frame: TableFrame, gap_mm: float
) -> bool:
    """Whether fourteen balls stand as racked, so that a ball on the foot spot is their apex."""
    loose = len(pattern.sizes) * gap_mm * 1e-3 + _TOUCHING
    objects = [place for ball, place in balls.items() if ball != CUE]
    return all(
        any(hypot(x - slot.x, y - slot.y) <= loose for x, y in objects)
        for slot in pattern.slots(frame)[1:]
    )
