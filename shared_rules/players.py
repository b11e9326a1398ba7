"""What players do: place, announce, strike, choose, give up, rest, agree (RULES 0.6)."""

from math import hypot, isfinite
from typing import Literal

from msgspec.structs import replace

from shared_rules import commands as c
from shared_rules import events as ev
from shared_rules.announcements import (
    Announcement,
    Chosen,
    CueChanged,
    CuePlaced,
    PlacementWarned,
    PushOutDeclared,
    StalemateAgreed,
    Suspended,
    TimeOutStarted,
)  # fmt: skip
from shared_rules.balls import CUE
from shared_rules.calls import spot_on_request
from shared_rules.claims import withdrawn
from shared_rules.clocks import paused, resumed
from shared_rules.follow import after_choice
from shared_rules.lag_play import choose_after_lag, place_lag_ball, strike_lag
from shared_rules.officials import play_rack_again
from shared_rules.order_of_play import is_last_set, other, plus_one, win
from shared_rules.penalties import apply_penalty
from shared_rules.placement import (
    check_area,
    check_clear,
    check_on_bed,
    in_area,
    overlapped,
)  # fmt: skip
from shared_rules.refusal import Code, Refusal
from shared_rules.rulings import foul_without_stroke
from shared_rules.shots import start_shot
from shared_rules.state import MatchState, Phase, Seat, Stroke
from shared_rules.table import Position
from shared_rules.turns import declare_frozen, with_flag

MAX_SPEED = 13.0
"""Fastest cue, m/s; a hard break is about 12."""
MAX_ELEVATION_DEG = 85.0


def check_stroke(stroke: Stroke) -> None:
    """Refuse what no arm and no cue can do.

    Raises:
        Refusal: ``stroke_out_of_range``.
    """
    a, b = stroke.tip
    if not all(map(isfinite, (stroke.speed, stroke.heading_deg, stroke.elevation_deg, a, b))):
        raise Refusal(Code.STROKE_OUT_OF_RANGE, "a stroke is given in finite numbers")
    if not 0.0 < stroke.speed <= MAX_SPEED:
        raise Refusal(
            Code.STROKE_OUT_OF_RANGE, f"the cue moves faster than 0 and at most {MAX_SPEED} m/s"
        )
    if not -360.0 <= stroke.heading_deg <= 360.0:
        raise Refusal(Code.STROKE_OUT_OF_RANGE, "the heading is from -360 to 360 degrees")
    if not 0.0 <= stroke.elevation_deg <= MAX_ELEVATION_DEG:
        raise Refusal(
            Code.STROKE_OUT_OF_RANGE, f"the cue is raised by 0 to {MAX_ELEVATION_DEG} degrees"
        )
    if hypot(a, b) > 1.0:
        raise Refusal(Code.STROKE_OUT_OF_RANGE, "the tip would miss the ball")


def place_cue(
    state: MatchState, seat: Seat, command: c.PlaceCue, at: float, say: list[Announcement]
) -> MatchState:
    """Put the cue ball down; a later place replaces it until the stroke (G.1.5)."""
    position = Position(command.x, command.y)
    if state.phase is Phase.LAG:
        return place_lag_ball(state, seat, position, say)
    rules, frame = state.description.ruleset, state.description.frame
    check_on_bed(position, frame)
    outside = not in_area(position, state.cue_in_hand, frame)
    if not (outside and state.is_break and rules.break_.placement_foul == "foul_if_warned"):
        check_area(position, state.cue_in_hand, frame)
        outside = False
    touched = overlapped(position, state.balls, frame)
    if touched is not None and rules.touch_fouls == "strict":
        contact = ev.EquipmentContact(by="cue_ball", ball=touched)
        return foul_without_stroke(state, seat, at, say, events=(contact,))
    check_clear(position, state.balls, frame)
    say.append(CuePlaced(position=position))
    if outside:
        say.append(PlacementWarned(seat=seat))
    return declare_frozen(
        replace(
            state,
            balls=dict(sorted({**state.balls, CUE: position}.items())),
            cue_placed=True,
            snooker_declared=False,  # of where the ball lay before
            cue_outside_area=outside,
        )
    )


def declare_push_out(
    state: MatchState, command: c.DeclarePushOut, say: list[Announcement]
) -> MatchState:
    """Announce a push-out, or take the announcement back (N9.3p1, W9.4a)."""
    say.append(PushOutDeclared(on=command.on))
    return replace(state, push_out_declared=command.on)


def request_spot(
    state: MatchState, seat: Seat, command: c.RequestSpot, say: list[Announcement]
) -> MatchState:
    """Have a ball behind the head string spotted (G.1.5e)."""
    state = replace(state, snooker_declared=False)
    return declare_frozen(spot_on_request(state, seat, command.ball, say))


def strike(
    state: MatchState, seat: Seat, command: c.Strike, at: float, say: list[Announcement]
) -> MatchState:
    """Strike the cue ball, or commit a lag stroke."""
    check_stroke(command.stroke)
    if state.phase is Phase.LAG:
        return strike_lag(state, seat, command.stroke, at, say)
    return start_shot(state, command.stroke, at, say)


def _say_chosen(
    state: MatchState, command: c.Choose, say: list[Announcement], by_clock: bool
) -> Seat | Literal["referee"]:
    """Tell what the decider takes, if it is among his options; who that is."""
    if command.option not in state.options or state.decider is None:
        raise Refusal(Code.OPTION_NOT_AVAILABLE, "that is not among the options")
    say.append(Chosen(seat=state.decider, option=command.option, by_clock=by_clock))
    return state.decider


def choose(
    state: MatchState, command: c.Choose, at: float, say: list[Announcement], *,
    by_clock: bool = False,
) -> MatchState:  # fmt: skip
    """Take one of the options of a decision."""
    decider = _say_chosen(state, command, say, by_clock)
    if state.phase in (Phase.LAG_CHOICE, Phase.LAG_REFEREE_DECISION):
        return choose_after_lag(state, command.option, at, say)
    if state.phase is Phase.REFEREE_PENALTY:
        return apply_penalty(state, command.option, at, say)
    assert decider != "referee"
    return after_choice(state, decider, command.option, at, say)


def concede(state: MatchState, seat: Seat, say: list[Announcement]) -> MatchState:
    """Give up the game (N9.9k) or the match (G.1.11)."""
    scope = state.description.ruleset.concede_scope
    return win(state, other(seat), scope, "concession", say)


def request_time_out(
    state: MatchState, seat: Seat, at: float, say: list[Announcement]
) -> MatchState:
    """N9.9e; the opponent's clock stands too (ambiguity 14)."""
    rules = state.description.ruleset.time_out
    say.append(TimeOutStarted(seat=seat, max_s=rules.max_s))
    if is_last_set(state):
        used = plus_one(state.time_outs_used_in_last_set, seat)
        state = replace(state, time_outs_used_in_last_set=used)
    else:
        state = replace(state, time_outs_used=plus_one(state.time_outs_used, seat))
    clock = replace(paused(state, at), deadline=at + rules.max_s, purpose="time_out")
    return replace(
        state, phase=Phase.TIME_OUT, resumes_to=state.phase, time_out_by=seat, clock=clock
    )


def answer_claim(
    state: MatchState, command: c.Choose, at: float, say: list[Announcement], *,
    by_clock: bool = False,
) -> MatchState:  # fmt: skip
    """The other player's answer to a claim; play goes on where it stood (N9.9a)."""
    _say_chosen(state, command, say, by_clock)
    return withdrawn(state, at)


def request_ruling(
    state: MatchState, seat: Seat, reason: str, at: float, say: list[Announcement]
) -> MatchState:
    """N9.9c, G.1.10: play stops until the referee has settled it."""
    say.append(Suspended(by=seat, reason=reason))
    return suspend(state, at)


def suspend(state: MatchState, at: float) -> MatchState:
    """Play stops where it is, clocks stand (G.1.10b)."""
    return replace(state, phase=Phase.SUSPENDED, resumes_to=state.phase, clock=paused(state, at))


def go_on(state: MatchState, at: float) -> MatchState:
    """Play goes on where it stopped."""
    assert state.resumes_to is not None  # TIME_OUT and SUSPENDED are entered with it only
    phase = state.resumes_to
    return resumed(replace(state, phase=phase, resumes_to=None, time_out_by=None), at)


def change_cue(
    state: MatchState, seat: Seat, command: c.ChangeCue, say: list[Announcement]
) -> MatchState:
    """G.1.3a: another cue in hand."""
    say.append(CueChanged(seat=seat, cue=command.cue))
    cues = (command.cue, state.cues[1]) if seat == 0 else (state.cues[0], command.cue)
    return replace(state, cues=cues)


def agree_stalemate(
    state: MatchState, seat: Seat, at: float, say: list[Announcement]
) -> MatchState:
    """G.1.12c: settled once both have agreed before the next stroke."""
    agreed = with_flag(state.stalemate_agreed, seat, True)
    say.append(StalemateAgreed(seat=seat, settled=all(agreed)))
    if all(agreed):
        return play_rack_again(state, at, say)
    return replace(state, stalemate_agreed=agreed)
