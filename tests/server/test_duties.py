"""What the server does by itself, read off the state: when and what, for every phase."""

import pytest
from msgspec.structs import replace

from server.duties import Duty, next_duty
from server.storage.records import ShotRecord
from shared_rules.match import new_match
from shared_rules.ruleset import make_ruleset
from shared_rules.state import Clock, MatchDescription, MatchState, Phase

_DESCRIPTION = MatchDescription(
    match_id="T", players=("Ann", "Bob"), ruleset=make_ruleset("nine_ball_epbf")
)
_SHOT = ShotRecord(
    number=4, shot=1, started_at=50.0, duration=7.5, trajectory=b"", events=(), balls={}
)


def _state(phase: Phase, **fields: object) -> MatchState:
    return replace(new_match(_DESCRIPTION), phase=phase, **fields)


def test_both_are_there_and_the_balls_are_wanted() -> None:
    start = next_duty(_state(Phase.WAITING_FOR_PLAYERS), None, 0.0, 3.0)
    rack = next_duty(_state(Phase.PLACE_CUE_FOR_BREAK), None, 0.0, 3.0)
    assert start is not None and start[1] is Duty.START and start[0] < 0.0
    assert rack is not None and rack[1] is Duty.RACK and rack[0] < 0.0


def test_a_shot_is_judged_when_it_has_ended_and_not_before_it_is_simulated() -> None:
    running = _state(Phase.SHOT_RUNNING)
    assert next_duty(running, _SHOT, 49.0, 3.0) == (57.5, Duty.FINISH_SHOT)
    assert next_duty(running, None, 49.0, 3.0) is None


@pytest.mark.parametrize("phase", [Phase.GAME_OVER, Phase.SET_OVER, Phase.BETWEEN_GAMES])
def test_the_next_game_after_a_pause(phase: Phase) -> None:
    assert next_duty(_state(phase), None, 100.0, 3.0) == (103.0, Duty.NEXT_GAME)


def test_clocks_expire_at_their_deadline() -> None:
    clock = Clock(deadline=80.0, purpose="shot")
    for phase in (Phase.AWAIT_SHOT, Phase.LAG, Phase.LAG_CHOICE, Phase.TIME_OUT):
        assert next_duty(_state(phase, clock=clock), None, 0.0, 3.0) == (80.0, Duty.EXPIRE_CLOCK)
    racked = _state(Phase.PLACE_CUE_FOR_BREAK, racked=True, clock=clock)
    assert next_duty(racked, None, 0.0, 3.0) == (80.0, Duty.EXPIRE_CLOCK)


@pytest.mark.parametrize("phase", [Phase.AWAIT_SHOT, Phase.SUSPENDED, Phase.MATCH_OVER])
def test_nothing_is_due_without_a_clock(phase: Phase) -> None:
    assert next_duty(_state(phase), None, 0.0, 3.0) is None
