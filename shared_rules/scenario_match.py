"""The match that a scenario describes: its state before the order that the scenario is about.

Nothing is decided here.  Seat 0 is the scenario's shooter (in a lag, the first of ``players``),
seat 1 the opponent.
"""

from collections.abc import Mapping

import msgspec
from msgspec.structs import replace

from shared_rules.balls import CUE, LAG_A, LAG_B
from shared_rules.clocks import DECISION_PHASES, SHOT_PHASES
from shared_rules.groups import Group, opposite
from shared_rules.lag import start_places
from shared_rules.scenario import (
    Given,
    Scenario,
    Side,
    bad,
    ball_of,
    lag_seat,
    ruleset_of,
    seat_of,
)  # fmt: skip
from shared_rules.scenario_table import OUTSIDE, layout
from shared_rules.situation import outside_counts, safety_key
from shared_rules.state import (
    Clock,
    Foul,
    Interrupted,
    LagState,
    MatchDescription,
    MatchState,
    Option,
    Phase,
    Ruling,
    RunningShot,
    ShotClock,
)
from shared_rules.turns import declare_frozen, hand_of, without
from shared_rules.verdict import PENALTIES

# What the last shot was, when a scenario says no more than that it was not legal.
_SOME_FOUL = (Foul(code="5a", rule_id="N9.5a"),)


_OVER = (Phase.BETWEEN_GAMES, Phase.GAME_OVER, Phase.SET_OVER, Phase.MATCH_OVER)


def _pair(counts: Mapping[Side, int]) -> tuple[int, int]:
    return counts.get("shooter", 0), counts.get("opponent", 0)


def describe(scenario: Scenario) -> MatchDescription:
    """The match description of a scenario; a referee sits there unless it says otherwise."""
    players = scenario.given.players or ("shooter", "opponent")
    return MatchDescription(
        match_id=scenario.id,
        players=players,
        ruleset=ruleset_of(scenario),
        referee=scenario.given.referee is msgspec.UNSET or bool(scenario.given.referee),
    )


def phase_of(given: Given, *, played: bool) -> Phase:
    """The phase in which a scenario finds the match (before its stroke, if one was played)."""
    if given.state is not None and not (played and given.state is Phase.SHOT_RUNNING):
        return given.state
    if given.is_break:
        return Phase.PLACE_CUE_FOR_BREAK
    hands = {
        "anywhere": Phase.PLACE_CUE_ANYWHERE,
        "head": Phase.PLACE_CUE_HEAD,
        "baulk": Phase.PLACE_CUE_BAULK,
    }
    return hands.get(given.cue_in_hand, Phase.AWAIT_SHOT)


def build(scenario: Scenario, *, played: bool) -> MatchState:
    """The match as a scenario describes it; with a shot, while that shot runs.

    Raises:
        Refusal: what is given contradicts itself.
    """
    description = describe(scenario)
    given = scenario.given
    if scenario.discipline == "lag":
        return _lag_state(description, given, played=played)
    balls = layout(given, description, _gone(scenario))
    phase = phase_of(given, played=played)
    state = replace(_counters(description, given), phase=phase, shooter=0, balls=balls)
    state = replace(
        state,
        is_break=given.is_break or phase is Phase.PLACE_CUE_FOR_BREAK,
        racked=True,
        push_out_available=given.push_out_available,
        push_out_declared=given.push_out_declared,
        call=given.call,
        groups=_groups(given),
        free_shot=given.free_shot or phase is Phase.FREE_SHOT,
        # What is declared and not so is no declared snooker (BB.10).
        snooker_declared=given.snooker_declared and given.snookered is not False,
        spotting_pending=bool(given.spotting_pending),
        game_begun=not given.is_break or any(e["t"] == "cue_strike" for e in scenario.shot.events),
        cue_outside_area=given.placement_zone in OUTSIDE
        and outside_counts(description.ruleset, told=given.placement_warned),
        cue_in_hand=hand_of(phase, description.ruleset.break_.area),
        cue_placed=played or given.placed_before,
    )
    if played or phase is Phase.SHOT_RUNNING:
        return _while_running(state, phase)
    return declare_frozen(_waiting(state, given))


def _gone(scenario: Scenario) -> set[int]:
    """Object balls that the shot of a scenario takes off the table."""
    kinds = ("pocketed", "off_table", "supported_over_pocket", "settled_drop")
    named = (event.get("ball") for event in scenario.shot.events if event.get("t") in kinds)
    return {ball_of(ball) for ball in named} - {CUE}


def _groups(given: Given) -> tuple[Group, Group] | None:
    """Whose group is which, by seat."""
    groups = given.groups
    if groups is None:
        return None
    if set(groups) != {"shooter", "opponent"} or groups["opponent"] != opposite(groups["shooter"]):
        raise bad("each player has one of the two groups")
    return groups["shooter"], groups["opponent"]


def _counters(description: MatchDescription, given: Given) -> MatchState:
    """Everything of a state that is a count, a flag of the past or an order of play."""
    limit = description.ruleset.three_foul.limit
    if (
        limit is not None
        and max(_pair(given.consecutive_fouls)) >= limit
        and given.state not in _OVER
    ):
        raise bad(f"with {limit} fouls in a row the game is over")
    sets = description.ruleset.match.sets_to_win - 1
    breaker = given.rack_breaker or given.previous_breaker
    near = given.near_rail
    visits = given.stalemate_visits_left
    clock = None
    if given.shot_clock is not None and given.shot_clock.active:
        clock = ShotClock(limit_s=given.shot_clock.limit_s)
    safeties = {}
    if near is not None and near.get("safeties_by_shooter"):
        safeties[safety_key(0, near["ball"], near["rail"])] = near["safeties_by_shooter"]
    return MatchState(
        description=description,
        scores=_pair(given.scores or {}),
        consecutive_fouls=_pair(given.consecutive_fouls),
        warned=(given.warned is True, False),
        near_rail_safeties=safeties,
        sets=(sets, sets) if given.last_set else (0, 0),
        rack_number=1,
        shot_number=1 + given.shots_since,
        breaker=seat_of(breaker),
        rack_opener=seat_of(breaker),
        # Between games of which nothing else is told, the next breaker is all of the order of play.
        set_opener=seat_of(given.previous_set_opener or given.next_breaker),
        rack_winner=seat_of(given.winner or given.set_winner),
        clock=Clock(shot_clock=clock, slow_play_warned=given.slow_play_warned),
        time_outs_used=_pair(given.time_outs_used),
        time_outs_used_in_last_set=_pair(given.time_outs_used_in_last_set),
        stalemate_visits_left=None if visits is None else _pair(visits),
    )


def _while_running(state: MatchState, before: Phase) -> MatchState:
    """The shot of a scenario runs; how the cue was held is not told."""
    if before not in SHOT_PHASES:
        before = Phase.AWAIT_SHOT
    running = RunningShot(
        number=state.shot_number,
        shooter=0,
        strokes=(),
        started_at=0.0,
        balls_before=state.balls,
        phase_before=before,
        hand_before=state.cue_in_hand,
    )
    return replace(state, phase=Phase.SHOT_RUNNING, running=running, cue_in_hand="none")


def _waiting(state: MatchState, given: Given) -> MatchState:
    """Nothing rolls: decisions, pauses and balls in hand as given."""
    in_hand = state.cue_in_hand != "none" or given.cue_in_hand != "none"
    if in_hand and not given.placed_before:
        state = replace(state, balls=without(state.balls, CUE))
    match state.phase:
        case _ if state.phase in DECISION_PHASES:
            decider = seat_of(given.decider)
            if decider is None or not given.decision_options:
                raise bad("a decision has a decider and options")
            hand = given.cue_in_hand
            return replace(state, decider=decider, options=given.decision_options, cue_in_hand=hand)
        case Phase.REFEREE_PENALTY:
            options = PENALTIES
            held = Interrupted(phase=Phase.AWAIT_SHOT, shooter=0)
            return replace(state, decider="referee", options=options, interrupted=held)
        case Phase.SUSPENDED:
            return replace(state, resumes_to=Phase.AWAIT_SHOT)
        case Phase.TIME_OUT:
            return replace(state, resumes_to=Phase.AWAIT_SHOT, time_out_by=0)
        case _ if state.phase in SHOT_PHASES:
            fouls = () if given.shot_was_legal else _SOME_FOUL
            last = Ruling(shot=state.shot_number, shooter=0, fouls=fouls)
            return replace(state, last_ruling=last, restorable=state.balls)
        case _:
            return replace(state, shooter=None)


def _lag_state(description: MatchDescription, given: Given, *, played: bool) -> MatchState:
    places = start_places(description.frame)
    balls = {LAG_A: places[0], LAG_B: places[1]}
    state = MatchState(description=description, shot_number=1, balls=balls)
    if played:
        running = RunningShot(
            number=1,
            shooter=None,
            strokes=(),
            started_at=0.0,
            balls_before=balls,
            phase_before=Phase.LAG,
        )
        lag = LagState(balls=places, struck=(True, True))
        return replace(state, phase=Phase.SHOT_RUNNING, running=running, lag=lag)
    phase = given.state or Phase.LAG
    if phase is Phase.LAG_CHOICE:
        winner = lag_seat(given, given.lag_winner)
        options = (Option.BREAK, Option.GIVE_BREAK)
        return replace(
            state, phase=phase, lag_winner=winner, decider=winner, options=options, balls={}
        )
    lag = LagState(balls=places)
    if phase is Phase.LAG_REFEREE_DECISION:
        lag = replace(lag, would_win=lag_seat(given, given.lag_winner or given.player))
        options = (Option.RELAG, Option.LAG_STANDS)
        return replace(state, phase=phase, lag=lag, decider="referee", options=options)
    return replace(state, phase=Phase.LAG, lag=lag)
