"""What a ruling does to a match: counters, groups, spotting; what comes next is ``follow``'s."""

from collections.abc import Sequence

from msgspec.structs import replace

from shared_rules import events as ev
from shared_rules.announcements import Announcement, BallsRestored, GroupsSet, Judged
from shared_rules.balls import CUE
from shared_rules.clocks import SHOT_PHASES, started
from shared_rules.disciplines import discipline_of
from shared_rules.facts import ShotFacts, facts_of
from shared_rules.follow import follow, spotted
from shared_rules.frozen import rails_within
from shared_rules.groups import Group, opposite
from shared_rules.moments import moments_of
from shared_rules.order_of_play import other
from shared_rules.situation import safety_key, situation_of
from shared_rules.state import Call, MatchState, Phase, Ruling, RunningShot, Seat
from shared_rules.turns import undo_shot, with_flag, with_seat
from shared_rules.verdict import (
    Breaks,
    Decides,
    Next,
    Penalty,
    Reracks,
    Shoots,
    Undone,
    Unplayed,
    Verdict,
    Wins,
)  # fmt: skip


def apply_verdict(
    state: MatchState, seat: Seat, running: RunningShot | None, facts: ShotFacts, verdict: Verdict,
    at: float, say: list[Announcement], events: Sequence[ev.Event] = (),
) -> MatchState:  # fmt: skip
    """The match after a verdict on ``seat``; ``running`` is None for a foul without a stroke.

    ``events``: of the stroke, for the moments of its fouls.
    """
    at_ruling, call = len(say), state.call
    at_table = _at_table(state)
    state = replace(state, shooter=seat)  # seen from who has shot, or fouled
    say.append(Judged(ruling=Ruling(shot=state.shot_number, shooter=seat)))  # filled in below
    if isinstance(verdict.next, Undone | Unplayed) and running is not None:
        if isinstance(verdict.next, Undone):
            state = undo_shot(state, running, at)
        else:
            state = started(
                replace(state, phase=running.phase_before, running=None,
                        cue_in_hand=running.hand_before),
                at,
            )  # fmt: skip
        if facts.restored:
            say.append(BallsRestored(balls=facts.restored))
    else:
        state = _count(state, seat, verdict)
        state = _visit(state, seat, at_table, verdict)
        state = _with_group(state, seat, verdict.group, say)
        state = spotted(state, verdict.spotted, say)
        state = _goes_on(state, seat, verdict, at, say)
    ruling = _ruling(state, seat, facts, verdict, call)
    ruling = replace(ruling, moments=moments_of(verdict.fouls, events, facts))
    say[at_ruling] = Judged(ruling=ruling)
    return replace(state, last_ruling=ruling)


def _ruling(
    state: MatchState, seat: Seat, facts: ShotFacts, verdict: Verdict, call: Call | None
) -> Ruling:
    decider = state.decider if state.decider != "referee" else None
    acts = decider if decider is not None else state.shooter
    over = state.phase in (Phase.GAME_OVER, Phase.SET_OVER, Phase.MATCH_OVER)
    return Ruling(
        shot=state.shot_number,
        shooter=seat,
        fouls=verdict.fouls,
        first_contact=facts.first_contact,
        railed=tuple(dict.fromkeys(touch.ball for touch in facts.touches)),
        pockets=facts.pockets,
        pocketed=facts.pocketed,
        off_table=facts.off_table,
        spotted=verdict.spotted,
        push_out=verdict.push_out,
        illegal_break=verdict.illegal_break,
        call=call,
        counted=verdict.counted,
        points=verdict.points,
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
        scores=with_seat(state.scores, seat, state.scores[seat] + verdict.points),  # S14.7
    )


def _at_table(state: MatchState) -> Seat | None:
    """Whose visit it is: not always that of who has fouled (a foul that is no stroke)."""
    at_table = state.phase in SHOT_PHASES or state.running is not None
    return state.shooter if at_table else None


def _visit(state: MatchState, seat: Seat, at_table: Seat | None, verdict: Verdict) -> MatchState:
    """The run of who is at the table, and the last visits before a stalemate (S14.7, G.1.12a).

    They end with his visit; a foul of his opponent ends nothing of his.
    """
    if at_table is None:
        return state
    if at_table == seat:
        run = state.run + max(0, verdict.points)
        longest = max(run, state.high_runs[seat])
        state = replace(state, run=run, high_runs=with_seat(state.high_runs, seat, longest))
    if _acts_next(verdict.next, seat) == at_table:
        return state
    left = state.stalemate_visits_left
    if left is not None and not isinstance(verdict.next, Wins | Penalty):
        left = with_seat(left, at_table, max(0, left[at_table] - 1))
    return replace(state, run=0, stalemate_visits_left=left)


def _acts_next(then: Next, seat: Seat) -> Seat | None:
    """Who shoots or chooses next on the rack that is played, said from ``seat``."""
    match then:
        case Reracks():
            return seat
        case Shoots(who) | Decides(who):
            return seat if who == "shooter" else other(seat)
    return None


def _still_near(state: MatchState, key: str) -> bool:
    """Whether the ball of a counter lies within a diameter of its cushion; else the count ends."""
    ball, rail = int(key.split(":")[1]), key.split(":")[2]
    frame = state.description.frame
    place = state.balls.get(ball)
    return place is not None and rail in rails_within(ball, place, 2 * frame.ball_radius, frame)


def _with_group(
    state: MatchState, seat: Seat, group: Group | None, say: list[Announcement]
) -> MatchState:
    """The match with the shooter's group settled, which settles the other's (E8.4b)."""
    if group is None or state.groups is not None:
        return state
    groups = (group, opposite(group)) if seat == 0 else (opposite(group), group)
    say.append(GroupsSet(seat=seat, groups=groups))
    return replace(state, groups=groups)


def _goes_on(
    state: MatchState, seat: Seat, verdict: Verdict, at: float, say: list[Announcement]
) -> MatchState:
    """The stroke is over: so is what held for it alone, and perhaps its player's visit."""
    then = verdict.next
    state = replace(state, free_shot=verdict.free_shot)
    if isinstance(then, Wins | Penalty):
        return follow(state, seat, then, at, say)
    if not isinstance(then, Breaks):
        state = replace(
            state,
            is_break=False,
            cue_in_hand="none",
            cue_placed=False,
            push_out_available=verdict.push_out_available,
        )
    return follow(state, seat, then, at, say)


def foul_without_stroke(
    state: MatchState, seat: Seat, at: float, say: list[Announcement], *,
    called: Sequence[str] = (), events: Sequence[ev.Event] = (),
) -> MatchState:  # fmt: skip
    """A foul of ``seat`` that is no stroke: the clock, a called foul, a touch while placing."""
    rules = state.description.ruleset
    facts = facts_of(events, settle_s=rules.settle.seconds)
    situation = situation_of(state, seat, called)
    state = replace(state, restorable=state.balls, last_shot=None)
    verdict = discipline_of(rules).judge(facts, situation)
    return apply_verdict(state, seat, None, facts, verdict, at, say)
