"""Whose turn it is and how it begins: new racks, ball in hand, decisions, warnings, clocks."""

from msgspec.structs import replace

from shared_rules.announcements import Announcement, TurnStarted, TwoFoulWarning
from shared_rules.balls import CUE
from shared_rules.clocks import anew, started
from shared_rules.frozen import frozen_balls
from shared_rules.state import FrozenBalls, Hand, MatchState, Option, Phase, RunningShot, Seat
from shared_rules.table import Position


def with_seat(pair: tuple[int, int], seat: Seat, value: int) -> tuple[int, int]:
    """The pair with a seat's number set."""
    return (value, pair[1]) if seat == 0 else (pair[0], value)


def with_flag(pair: tuple[bool, bool], seat: Seat, value: bool) -> tuple[bool, bool]:
    """The pair with a seat's flag set."""
    return (value, pair[1]) if seat == 0 else (pair[0], value)


def declare_frozen(state: MatchState) -> MatchState:
    """The state with what touches what declared anew from the positions (D8.4, F6.7e)."""
    described = state.description
    frozen = frozen_balls(state.balls, described.frame, described.ruleset.tolerance.frozen_mm)
    return state if frozen == state.frozen else replace(state, frozen=frozen)


def on_the_brink(state: MatchState, seat: Seat) -> bool:
    """Whether one more foul in a row is one too many for a player (F6.14)."""
    limit = state.description.ruleset.three_foul.limit
    return limit is not None and state.consecutive_fouls[seat] >= limit - 1


def _at_stake(state: MatchState) -> int | None:
    """What a third foul costs where it costs points (S14.11b)."""
    rules = state.description.ruleset
    if rules.three_foul.penalty == "loss_of_game":
        return None
    return rules.points.foul + rules.points.third_foul


_PLACING: dict[Hand, Phase] = {
    "anywhere": Phase.PLACE_CUE_ANYWHERE,
    "head": Phase.PLACE_CUE_HEAD,
    "baulk": Phase.PLACE_CUE_BAULK,
}


def begin_shot(
    state: MatchState, seat: Seat, phase: Phase, at: float, say: list[Announcement]
) -> MatchState:
    """A player's stroke is awaited: he is warned if he is on two fouls, and his clock starts.

    The warning comes before the stroke by construction (N9.9l, F6.14c).
    """
    say.append(TurnStarted(seat=seat))
    warned = state.warned
    if on_the_brink(state, seat):
        say.append(TwoFoulWarning(seat=seat, points=_at_stake(state)))
        warned = with_flag(warned, seat, True)
    state = replace(
        state,
        phase=phase,
        shooter=seat,
        decider=None,
        options=(),
        running=None,
        warned=warned,
        push_out_declared=False,
        call=None,
        snooker_declared=False,
        stalemate_agreed=(False, False),
        cue_outside_area=False,
        interrupted=None,
        claim=None,
    )
    return started(declare_frozen(state), at)


def begin_in_hand(
    state: MatchState, seat: Seat, hand: Hand, at: float, say: list[Announcement]
) -> MatchState:
    """A player has the cue ball in hand; it is taken off the bed."""
    state = replace(
        state,
        balls=without(state.balls, CUE),
        cue_in_hand=hand,
        cue_placed=False,
        push_out_available=False,
        is_break=False,
    )
    return begin_shot(state, seat, _PLACING[hand], at, say)


def begin_decision(
    state: MatchState, seat: Seat, phase: Phase, options: tuple[Option, ...], at: float
) -> MatchState:
    """A player has to choose; the shooter stays the player of the last shot."""
    state = replace(
        state,
        phase=phase,
        decider=seat,
        options=options,
        running=None,
        push_out_declared=False,
        call=None,
        snooker_declared=False,
        stalemate_agreed=(False, False),
        frozen=FrozenBalls(),
    )
    return started(state, at)


def begin_rack(
    state: MatchState, breaker: Seat, at: float, say: list[Announcement], *, new_game: bool
) -> MatchState:
    """The balls are to be racked and ``breaker`` breaks; nothing of the last rack is left.

    A re-rack within the game keeps foul counters and who opened the rack (ambiguity 5).
    """
    state = replace(
        state,
        balls={},
        racked=False,
        is_break=True,
        cue_in_hand=state.description.ruleset.break_.area,
        cue_placed=False,
        push_out_available=False,
        groups=None,
        free_shot=False,
        snooker_declared=False,
        breaker=breaker,
        near_rail_safeties={},
        restorable={},
        stalemate_visits_left=None,
        game_begun=False,
        lag=None,
        rerack=None,
    )
    if new_game:
        state = replace(
            state,
            rack_number=state.rack_number + 1,
            clock=anew(state.clock),
            rack_opener=breaker,
            rack_winner=None,
            warned=(False, False),
        )
        if state.description.ruleset.three_foul.penalty == "loss_of_game":
            # Where they cost points they run through racks (F6.14b).
            state = replace(state, consecutive_fouls=(0, 0))
    return begin_shot(state, breaker, Phase.PLACE_CUE_FOR_BREAK, at, say)


def hand_of(phase: Phase, area: Hand) -> Hand:
    """How the cue ball is in hand in a phase; ``area``: from where breaks are played."""
    if phase is Phase.PLACE_CUE_FOR_BREAK:
        return area
    return next((hand for hand, placing in _PLACING.items() if placing is phase), "none")


def undo_shot(state: MatchState, running: RunningShot, at: float) -> MatchState:
    """The table as it was before the stroke, its clock started again in full (G.1.9a)."""
    state = replace(
        state,
        phase=running.phase_before,
        balls=running.balls_before,
        cue_in_hand=running.hand_before,
        running=None,
        game_begun=state.game_begun and running.phase_before is not Phase.PLACE_CUE_FOR_BREAK,
    )
    return started(state, at)


def without(balls: dict[int, Position], *gone: int) -> dict[int, Position]:
    """The balls without those that are gone."""
    return {ball: position for ball, position in balls.items() if ball not in gone}


def taken_up_again(state: MatchState) -> MatchState:
    """What stood before somebody else had to decide stands again; its clock is not started."""
    held = state.interrupted
    assert held is not None  # whoever asks for a decision keeps what it interrupts
    return replace(
        state,
        phase=held.phase,
        shooter=held.shooter,
        decider=held.decider,
        options=held.options,
        interrupted=None,
    )
