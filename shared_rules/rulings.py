"""What a ruling does to a match: counters, spotting, and who goes on how (RULES 3.7)."""

from collections.abc import Sequence

from msgspec.structs import replace

from shared_rules import events as ev
from shared_rules.announcements import Announcement, BallsRestored, Judged, Spotted
from shared_rules.balls import CUE
from shared_rules.clocks import started, stopped
from shared_rules.facts import ShotFacts, facts_of
from shared_rules.frozen import frozen_balls, rails_within, threatened
from shared_rules.nine_ball import Situation, Verdict, judge_shot
from shared_rules.order_of_play import other, win
from shared_rules.spotting import spot_position
from shared_rules.state import MatchState, Option, Phase, Ruling, RunningShot, Seat, Stroke
from shared_rules.table import Position
from shared_rules.turns import (
    begin_decision,
    begin_in_hand,
    begin_rack,
    begin_shot,
    hand_of,
    undo_shot,
    with_flag,
    with_seat,
    without,
)


def safety_key(seat: Seat, ball: int, rail: str) -> str:
    """Key of a counter of near-cushion safeties (N9.5l)."""
    return f"{seat}:{ball}:{rail}"


def situation_of(
    state: MatchState,
    seat: Seat,
    called: Sequence[str] = (),
    *,
    before: dict[int, Position] | None = None,
    after: dict[int, Position] | None = None,
    stroke: Stroke | None = None,
) -> Situation:
    """The table before a stroke as the discipline judges it.

    Args:
        before, after: where the balls lay and where they have come to rest; the table as it is
            when nothing was played.
        stroke: what was played, to know which balls the half-distance test is for.
    """
    rules, frame = state.description.ruleset, state.description.frame
    before = state.balls if before is None else before
    after = before if after is None else after
    objects = frozenset(ball for ball in before if ball != CUE)
    lowest = min(objects, default=0)
    diameter = 2 * frame.ball_radius
    near = rails_within(lowest, before[lowest], diameter, frame) if objects else frozenset()
    ends = rails_within(lowest, after[lowest], diameter, frame) if lowest in after else frozenset()
    counts = state.near_rail_safeties
    return Situation(
        ruleset=rules,
        on_table=objects,
        is_break=state.is_break,
        push_out=state.push_out_declared,
        fouls_before=state.consecutive_fouls[seat],
        warned=state.warned[seat],
        frozen_to_rail=frozenset(frozen_balls(before, frame, rules.tolerance.frozen_mm).to_rail),
        near_rails=tuple((r, counts.get(safety_key(seat, lowest, r), 0)) for r in sorted(near)),
        ends_near=frozenset(ends),
        threatened=None
        if stroke is None
        else threatened(before, stroke.heading_deg, rules.tolerance.graze_deg, frame),
        outside_area=state.cue_outside_area,
        called=tuple(called),
        referee=state.description.referee,
    )


def apply_verdict(
    state: MatchState, seat: Seat, running: RunningShot | None, facts: ShotFacts, verdict: Verdict,
    at: float, say: list[Announcement],
) -> MatchState:  # fmt: skip
    """The match after a verdict on ``seat``; ``running`` is None for a foul without a stroke."""
    at_ruling = len(say)
    say.append(Judged(ruling=Ruling(shot=state.shot_number, shooter=seat)))  # filled in below
    if verdict.follow in ("replay", "nothing") and running is not None:
        if verdict.follow == "replay":
            state = undo_shot(state, running, at)
        else:
            state = started(
                replace(state, phase=running.phase_before, running=None,
                        cue_in_hand=hand_of(running.phase_before)),
                at,
            )  # fmt: skip
        if facts.restored:
            say.append(BallsRestored(balls=facts.restored))
    else:
        state = _count(state, seat, verdict)
        state = spotted(state, verdict.spotted, say)
        state = _follow(state, seat, verdict, at, say)
    ruling = _ruling(state, seat, facts, verdict)
    say[at_ruling] = Judged(ruling=ruling)
    return replace(state, last_ruling=ruling)


def _ruling(state: MatchState, seat: Seat, facts: ShotFacts, verdict: Verdict) -> Ruling:
    decider = state.decider if state.decider != "referee" else None
    acts = decider if decider is not None else state.shooter
    over = state.phase in (Phase.GAME_OVER, Phase.SET_OVER, Phase.MATCH_OVER)
    return Ruling(
        shot=state.shot_number,
        shooter=seat,
        fouls=verdict.fouls,
        first_contact=facts.first_contact,
        pocketed=facts.pocketed,
        off_table=facts.off_table,
        spotted=verdict.spotted,
        push_out=verdict.push_out,
        counted=verdict.counted,
        next_player=None if over or state.decider == "referee" else acts,
        restored=facts.restored,
        replay=facts.replay,
    )


def _count(state: MatchState, seat: Seat, verdict: Verdict) -> MatchState:
    """Counters after a ruling: fouls, warnings, near-cushion safeties (N9.7.2, N9.5l)."""
    safeties = {
        key: count
        for key, count in state.near_rail_safeties.items()
        if not key.startswith(f"{seat}:") and _still_near(state, key)
    }
    lowest = min((b for b in state.restorable if b != CUE), default=0)
    for rail, count in verdict.safeties:
        safeties[safety_key(seat, lowest, rail)] = count
    return replace(
        state,
        consecutive_fouls=with_seat(state.consecutive_fouls, seat, verdict.fouls_after),
        warned=with_flag(state.warned, seat, False),
        near_rail_safeties=safeties,
    )


def _still_near(state: MatchState, key: str) -> bool:
    """Whether the ball of a counter lies within a diameter of its cushion; else the count ends."""
    ball, rail = int(key.split(":")[1]), key.split(":")[2]
    frame = state.description.frame
    place = state.balls.get(ball)
    return place is not None and rail in rails_within(ball, place, 2 * frame.ball_radius, frame)


def spotted(state: MatchState, balls: Sequence[int], say: list[Announcement]) -> MatchState:
    """The table with balls spotted, one after another (RULES 11.1)."""
    for ball in balls:
        rules = state.description.ruleset.spot
        place = spot_position(without(state.balls, ball), state.description.frame, rules)
        say.append(Spotted(ball=ball, position=place))
        state = replace(state, balls=dict(sorted({**state.balls, ball: place}.items())))
    return state


def _visit_ends(state: MatchState, seat: Seat) -> MatchState:
    """One of the last visits before a stalemate is over (G.1.12a)."""
    left = state.stalemate_visits_left
    if left is None:
        return state
    return replace(state, stalemate_visits_left=with_seat(left, seat, max(0, left[seat] - 1)))


def _follow(
    state: MatchState, seat: Seat, verdict: Verdict, at: float, say: list[Announcement]
) -> MatchState:
    opponent = other(seat)
    if verdict.follow == "game_over":
        winner = seat if verdict.winner == "shooter" else opponent
        return win(state, winner, "game", verdict.reason, say)
    if verdict.follow == "penalty":
        return open_penalty(state, seat, verdict.options)
    if verdict.follow != "same_shoots":
        state = _visit_ends(state, seat)
    if verdict.follow == "other_breaks":
        return _hand_break_over(state, opponent, at, say)
    state = replace(
        state,
        is_break=False,
        cue_in_hand="none",
        cue_placed=False,
        push_out_available=verdict.push_out_available,
    )
    match verdict.follow:
        case "same_shoots":
            return begin_shot(state, seat, Phase.AWAIT_SHOT, at, say)
        case "other_shoots":
            return begin_shot(state, opponent, Phase.AWAIT_SHOT, at, say)
        case "decide_push_out":
            phase = Phase.DECIDE_AFTER_PUSH_OUT
            return begin_decision(state, opponent, phase, verdict.options, at)
        case "decide_break_foul":
            phase = Phase.DECIDE_AFTER_BREAK_FOUL
            return begin_decision(state, opponent, phase, verdict.options, at)
        case _:
            return begin_in_hand(state, opponent, "anywhere", at, say)


def _hand_break_over(
    state: MatchState, seat: Seat, at: float, say: list[Announcement]
) -> MatchState:
    """The break was not played: the rack stands, and the other player breaks."""
    if not state.racked:
        return begin_rack(state, seat, at, say, new_game=False)
    state = replace(
        state,
        balls=without(state.balls, CUE),
        breaker=seat,
        cue_in_hand="head",
        cue_placed=False,
    )
    return begin_shot(state, seat, Phase.PLACE_CUE_FOR_BREAK, at, say)


def open_penalty(state: MatchState, seat: Seat, options: tuple[Option, ...]) -> MatchState:
    """The referee has to choose a penalty for ``seat`` (F6.16p)."""
    before = state.running.phase_before if state.running is not None else state.phase
    return stopped(
        replace(
            state,
            phase=Phase.REFEREE_PENALTY,
            shooter=seat,
            decider="referee",
            options=options,
            running=None,
            resumes_to=before,
        )
    )


def foul_without_stroke(
    state: MatchState, seat: Seat, at: float, say: list[Announcement], *,
    called: Sequence[str] = (), events: Sequence[ev.Event] = (),
) -> MatchState:  # fmt: skip
    """A foul of ``seat`` that is no stroke: the clock, a called foul, a touch while placing."""
    facts = facts_of(events, settle_s=state.description.ruleset.settle.seconds)
    situation = situation_of(state, seat, called)
    state = replace(state, restorable=state.balls)
    return apply_verdict(state, seat, None, facts, judge_shot(facts, situation), at, say)
