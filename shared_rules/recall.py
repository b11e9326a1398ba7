"""The last stroke judged again: what is called on it later counts as called in time.

F6.0b, G.1.10c: until the next stroke a foul may be called, and it takes back what the stroke gave:
a cleared counter, a ball that stays down, a group, points, the rack.  So may outside interference
be reported (G.1.9), and balls that it has wedged be resolved (N9.9m).  The stroke runs once more
from the table before it, with what was reported.
"""

from collections.abc import Mapping

from msgspec.structs import replace

from shared_rules.announcements import Announcement, RulingRevised
from shared_rules.clocks import stopped
from shared_rules.commands import FinishShot
from shared_rules.events import Interference, Pocketed
from shared_rules.placement import nearest_pocket
from shared_rules.refusal import Code, Refusal
from shared_rules.shots import finish_shot
from shared_rules.state import JudgedShot, MatchState, RunningShot
from shared_rules.table import Position
from shared_rules.turns import without


def judge_stroke(
    state: MatchState, command: FinishShot, at: float, say: list[Announcement]
) -> MatchState:
    """The match after its running stroke, with that stroke kept until the next one."""
    after = finish_shot(state, command, at, say)
    ruling = after.last_ruling
    if state.running is None or state.running.shooter is None or ruling is None or ruling.replay:
        return replace(after, last_shot=None)  # a lag, or a stroke that was undone
    before = replace(state, last_shot=None)
    judged = JudgedShot(before=before, events=command.events, balls=command.balls)
    return replace(after, last_shot=judged)


def check_counts(state: MatchState) -> None:
    """Refuse what is about a stroke that was annulled (G.1.9a): it counts as not played.

    Raises:
        Refusal: ``wrong_state``.
    """
    ruling = state.last_ruling
    if state.running is None and state.last_shot is None and ruling is not None and ruling.replay:
        raise Refusal(Code.WRONG_STATE, "the stroke counts as not played")


def check_recallable(state: MatchState, shot: int | None) -> None:
    """Refuse what comes after the next stroke has begun.

    Raises:
        Refusal: ``next_shot_already_begun``.
    """
    if state.running is not None:
        number = state.running.number
    elif state.last_shot is not None and state.last_shot.before.running is not None:
        number = state.last_shot.before.running.number  # void ones since then are none
    else:
        number = state.shot_number
    if shot is not None and shot != number:
        raise Refusal(Code.NEXT_SHOT_ALREADY_BEGUN, "a foul is called before the next stroke")


def foul_on_stroke(
    state: MatchState, judged: JudgedShot, code: str, at: float, say: list[Announcement]
) -> MatchState:
    """The match with one more foul on its last stroke.

    Where that changes nothing but the list of fouls (N9.6.3, F6.0a: several count once), what has
    happened since is left alone.
    """
    running = judged.before.running
    assert running is not None  # a stroke was judged
    untold: list[Announcement] = []
    was = _again(state, judged, running, at, untold)
    told: list[Announcement] = []
    called = replace(running, called=(*running.called, code))
    now = _again(state, judged, called, at, told)
    if _alike(was) == _alike(now) and state.last_ruling is not None:
        assert now.last_ruling is not None
        ruling = replace(state.last_ruling, fouls=now.last_ruling.fouls)
        return replace(state, last_ruling=ruling, last_shot=now.last_shot)
    say += [RulingRevised(shot=running.number), *told]
    return now


def interfered(
    state: MatchState, judged: JudgedShot, what: Interference, at: float, say: list[Announcement]
) -> MatchState:
    """The match with outside interference on its last stroke (G.1.9a, b)."""
    running = judged.before.running
    assert running is not None  # a stroke was judged
    say.append(RulingRevised(shot=running.number))
    running = replace(running, interference=(*running.interference, what))
    return _again(state, judged, running, at, say)


def fallen_after_all(
    state: MatchState, judged: JudgedShot, balls: tuple[int, ...], at: float,
    say: list[Announcement],
) -> MatchState:  # fmt: skip
    """The match with wedged balls, over the opening, pocketed by its last stroke (N9.9m)."""
    running, frame = judged.before.running, state.description.frame
    assert running is not None  # a stroke was judged
    if not balls:
        return state
    rest = max((event.at for event in judged.events), default=0.0)
    fallen = [
        Pocketed(ball=ball, pocket=nearest_pocket(judged.balls[ball], frame), at=rest)
        for ball in balls
    ]
    say.append(RulingRevised(shot=running.number))
    judged = replace(judged, events=(*judged.events, *fallen), balls=without(judged.balls, *balls))
    return _again(state, judged, running, at, say)


def lying_otherwise(judged: JudgedShot | None, moved: Mapping[int, Position]) -> JudgedShot | None:
    """The last stroke with balls that have been put elsewhere since: there they stay when it is
    judged again (G.1.8).  What it has pocketed is not among those that it left."""
    if judged is None:
        return None
    here = {ball: place for ball, place in moved.items() if ball in judged.balls}
    return replace(judged, balls={**judged.balls, **here})


def _again(
    state: MatchState, judged: JudgedShot, running: RunningShot, at: float, say: list[Announcement]
) -> MatchState:
    """The stroke judged again; what is no consequence of it stays as it is now."""
    before = judged.before
    same_rack = state.rack_number == before.rack_number
    clock = replace(
        before.clock,
        shot_clock=state.clock.shot_clock,
        slow_play_warned=state.clock.slow_play_warned,
        extended=state.clock.extended if same_rack else before.clock.extended,
    )
    announced = before.stalemate_visits_left is None and same_rack
    before = stopped(
        replace(
            before,
            running=running,
            clock=clock,
            time_outs_used=state.time_outs_used,
            time_outs_used_in_last_set=state.time_outs_used_in_last_set,
            cues=state.cues,
            claimed=state.claimed,
        )
    )
    command = FinishShot(shot=running.number, events=judged.events, balls=judged.balls)
    after = replace(judge_stroke(before, command, at, say), shot_number=state.shot_number)
    if announced and after.rack_number == state.rack_number:
        after = replace(after, stalemate_visits_left=state.stalemate_visits_left)
    return after


def _alike(state: MatchState) -> MatchState:
    """A state without what one more foul in the list changes anyway."""
    return replace(state, last_ruling=None, last_shot=None)
