"""A stored match as one stretch of time: what is on the table when, and what can be gone to."""

import msgspec
import pytest

from client.replay.timeline import LONGEST_WAIT_S, NotShown, Timeline
from shared_rules.messages import ReplayEvent, ReplayShot
from shared_rules.state import MatchState, Phase
from tests.client.builders import rolling, state

RAN = rolling()
RACKED = {"a": "racked", "rack": 1}
FOUL = {"a": "judged", "ruling": {"shot": 4, "fouls": [{"code": "x"}], "moments": {"x": 0.25}}}


def event(number: int, at: float, changes: dict, *said: dict, shot: bool = False) -> ReplayEvent:
    trajectory = ReplayShot(
        shot=4, started_at=at, duration=RAN.duration, trajectory=RAN.encode()
    )  # fmt: skip
    return ReplayEvent(
        number=number, at=at, by="server", announcements=said, changes=changes,
        shot=trajectory if shot else None,
    )  # fmt: skip


def whole(match: MatchState) -> dict:
    return msgspec.msgpack.decode(msgspec.msgpack.encode(match))


@pytest.fixture
def timeline() -> Timeline:
    return Timeline([
        event(1, 1000.0, whole(state(Phase.AWAIT_SHOT)), RACKED, {"a": "new"}),
        event(2, 1090.0, {"phase": Phase.SHOT_RUNNING.value}, shot=True),
        event(3, 1090.0 + RAN.duration, {"phase": Phase.AWAIT_SHOT.value}, FOUL),
    ])  # fmt: skip


def test_waits_are_shortened_and_shots_are_not(timeline: Timeline) -> None:
    assert timeline.duration == pytest.approx(LONGEST_WAIT_S + RAN.duration)
    assert timeline.of_shot(4) == LONGEST_WAIT_S
    assert timeline.of_shot(4, 1e9) == pytest.approx(timeline.duration)
    assert timeline.of_shot(5) is None


def test_the_state_is_that_of_the_moment_also_backwards(timeline: Timeline) -> None:
    for at, number, shot_time in (
        (-1.0, 1, None), (1.9, 1, None), (2.0, 2, 0.0), (2.3, 2, 0.3), (1.0, 1, None),
        (1e9, 3, None),
    ):  # fmt: skip
        now = timeline.now(at)
        assert now.number == number
        assert now.shot_time == (None if shot_time is None else pytest.approx(shot_time))
    assert timeline.now(2.3).state.phase is Phase.SHOT_RUNNING
    assert timeline.now(1e9).state.phase is Phase.AWAIT_SHOT


def test_a_foul_is_marked_where_it_happened(timeline: Timeline) -> None:
    (foul,) = [mark for mark in timeline.marks if mark.kind == "foul"]
    assert (foul.at, foul.shot) == (pytest.approx(LONGEST_WAIT_S + 0.25), 4)


def test_steps_lead_there_and_back_and_end(timeline: Timeline) -> None:
    places, at = [], -1.0
    while (following := timeline.step(at, 1, "rack", "shot", "foul", "end")) is not None:
        places.append(at := following)
    assert places == pytest.approx([0.0, 2.0, 2.25, timeline.duration])
    back = []
    at = 1e9
    while (previous := timeline.step(at, -1, "rack", "shot", "foul", "end")) is not None:
        back.append(at := previous)
    assert back == places[::-1]


def test_what_can_not_be_shown_says_why() -> None:
    first = event(1, 0.0, whole(state(Phase.AWAIT_SHOT)))
    with pytest.raises(NotShown, match="event 1"):
        Timeline([event(1, 0.0, {"phase": Phase.AWAIT_SHOT.value})])
    with pytest.raises(NotShown, match="event 2"):
        Timeline([first, event(2, 1.0, {"phase": "of a later build"})])
    shot = ReplayShot(shot=9, started_at=1.0, duration=1.0, trajectory=b"no trajectory")
    with pytest.raises(NotShown, match="shot 9"):
        Timeline([first, msgspec.structs.replace(event(2, 1.0, {}), shot=shot)])
    with pytest.raises(NotShown):
        Timeline([])
