"""Shots: how one starts, how it ends and is judged, how one is undone."""

from collections.abc import Iterable

from msgspec.structs import replace

from shared_rules.announcements import Announcement, ShotVoided, Struck
from shared_rules.balls import CUE
from shared_rules.clocks import stopped
from shared_rules.commands import FinishShot, VoidShot
from shared_rules.disciplines import discipline_of
from shared_rules.facts import ShotFacts, facts_of
from shared_rules.frozen import frozen_balls
from shared_rules.lag_play import finish_lag, reopen_lag
from shared_rules.placement import on_table, overlapped
from shared_rules.refusal import Code, Refusal
from shared_rules.rulings import apply_verdict
from shared_rules.situation import situation_of
from shared_rules.spotting import nearest_free
from shared_rules.state import MatchState, Phase, RunningShot, Seat, Stroke
from shared_rules.table import Position
from shared_rules.turns import undo_shot, without


def start_shot(state: MatchState, stroke: Stroke, at: float, say: list[Announcement]) -> MatchState:
    """The player at the table has struck: the shot lasts until all balls are still (D8.2)."""
    number = state.shot_number + 1
    strokes = ((CUE, 0.0, stroke),)
    running = RunningShot(
        number=number,
        shooter=state.shooter,
        strokes=strokes,
        started_at=at,
        balls_before=state.balls,
        phase_before=state.phase,
        hand_before=state.cue_in_hand,
    )
    say.append(Struck(shot=number, strokes=strokes))
    return stopped(
        replace(
            state,
            phase=Phase.SHOT_RUNNING,
            running=running,
            shot_number=number,
            cue_in_hand="none",
            game_begun=True,
            watcher_asked_by=None,
            claimed=(False, False),
        )
    )


def running_shot(state: MatchState, number: int) -> RunningShot:
    """The shot that runs.

    Raises:
        Refusal: ``stale_state``: another number runs.
    """
    running = state.running
    if running is None or running.number != number:
        raise Refusal(Code.STALE_STATE, f"shot {number} is not running")
    return running


def void_shot(
    state: MatchState, command: VoidShot, at: float, say: list[Announcement]
) -> MatchState:
    """The running shot counts as not having been."""
    running = running_shot(state, command.shot)
    say.append(ShotVoided(shot=running.number, reason=command.reason))
    if running.shooter is None:
        return reopen_lag(state, at)
    return undo_shot(state, running, at)


def finish_shot(
    state: MatchState, command: FinishShot, at: float, say: list[Announcement]
) -> MatchState:
    """The balls have stopped: judge the shot and go on as the ruling says."""
    running = running_shot(state, command.shot)
    if running.shooter is None:
        return finish_lag(state, running, command, at, say)
    return _finish(state, running, running.shooter, command, at, say)


def _finish(
    state: MatchState, running: RunningShot, shooter: Seat, command: FinishShot, at: float,
    say: list[Announcement],
) -> MatchState:  # fmt: skip
    rules, frame = state.description.ruleset, state.description.frame
    before = running.balls_before
    touching = frozen_balls(before, frame, rules.tolerance.frozen_mm)
    events = (*command.events, *running.interference)
    facts = facts_of(
        events,
        frozen_to_rail=frozenset(touching.to_rail),
        frozen_to_cue=frozenset(touching.to_cue),
        settle_s=rules.settle.seconds,
    )
    resting = _resting(running, facts, command, state)
    situation = situation_of(
        state,
        shooter,
        running.called,
        before=before,
        after=resting,
        hand=running.hand_before,
        stroke=running.strokes[0][2] if running.strokes else None,
    )
    state = replace(state, balls=resting, restorable=before)
    verdict = discipline_of(rules).judge(facts, situation)
    return apply_verdict(state, shooter, running, facts, verdict, at, say, events)


def _resting(
    running: RunningShot, facts: ShotFacts, command: FinishShot, state: MatchState
) -> dict[int, Position]:
    """Balls on the bed after a shot, those put back among them.

    Raises:
        Refusal: ``malformed``: what is reported cannot have come out of this shot.
    """
    before, frame = running.balls_before, state.description.frame
    gone = {*facts.pocketed, *facts.off_table}
    gone |= {CUE} if facts.cue_pocketed or facts.cue_off_table else set()
    if not {*command.balls, *gone, *facts.restored} <= set(before):
        raise Refusal(Code.MALFORMED, "something befell a ball that was not on the table")
    if not set(before) <= {*command.balls, *gone, *facts.restored}:
        raise Refusal(Code.MALFORMED, "a ball is missing that neither fell nor left the table")
    check_positions(command.balls.values(), state)
    resting = {b: Position(*p) for b, p in command.balls.items() if b not in gone}
    for ball in facts.restored:
        # Where it lay when all had stopped, if physics says, else where it lay before the shot.
        place = Position(*command.balls.get(ball, before[ball]))
        if overlapped(place, resting, frame, ball) is not None:
            place = nearest_free(place, without(resting, ball), frame, ball)
        resting[ball] = place
    return dict(sorted(resting.items()))


def check_positions(positions: Iterable[Position], state: MatchState) -> None:
    """Refuse positions that are no place on or at the edge of the bed.

    Raises:
        Refusal: ``malformed``.
    """
    for x, y in positions:
        if not on_table(Position(x, y), state.description.frame):
            raise Refusal(Code.MALFORMED, f"({x}, {y}) is not on the table")
