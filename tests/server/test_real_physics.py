"""The server with the real physics in real worker processes: lag, break, a whole short match."""

import math
from pathlib import Path

from physics.trajectory import Trajectory
from server import shots
from server.app import MatchServer
from shared_rules import commands as c
from shared_rules.balls import CUE, LAG_A, LAG_B
from shared_rules.events import CueRecontact
from shared_rules.messages import Accepted
from shared_rules.state import MatchState, Option, Phase, Stroke
from shared_rules.table import Position
from tests.server.bench_table import in_loop, real_lag, serving, two_players
from tests.server.wire_client import WireClient

_BREAK = Phase.PLACE_CUE_FOR_BREAK
_BUSY = (Phase.SHOT_RUNNING, Phase.GAME_OVER, Phase.SET_OVER, Phase.BETWEEN_GAMES)
# On a busy machine a shot takes what it takes: none is to be made void for it.
_REAL = {
    "workers": True,
    "physics": "server.shots:play",
    "time_scale": 40.0,
    "shot_limit_real_s": 120.0,
    "sign_in_real_s": 120.0,
}


async def _to_rack(server: MatchServer, **rules: object) -> list[WireClient]:
    players = list(await two_players(server, **rules))
    state = await real_lag(*players)
    assert state.decider in (0, 1)
    await players[state.decider].give(c.Choose(option=Option.BREAK))
    for player in players:
        await player.until_state(lambda s: s.racked)
    return players


@in_loop
async def test_lag_and_break_as_the_record_shows_them_and_a_race_to_the_end(tmp_path: Path) -> None:
    async with serving(tmp_path, **_REAL) as server:
        players = await _to_rack(server, overrides={"match": {"games_to_win": 1}})
        state = players[0].state
        assert state is not None and state.breaker is not None
        shot = state.shot_number
        lag = Trajectory.decode(players[0].trajectories[shot])
        assert set(lag.balls) == {LAG_A, LAG_B}
        # the foot cushion sends both back towards the head
        assert all(lag.state_at(b, lag.duration).pos[0] < 1.0 for b in lag.balls)
        breaker = players[state.breaker]
        await breaker.give(c.PlaceCue(x=-0.8, y=0.0))
        await breaker.strike(9.0)
        state = await breaker.until_state(
            lambda s: s.shot_number == shot + 1 and s.phase is not Phase.SHOT_RUNNING
        )
        record = Trajectory.decode(breaker.trajectories[shot + 1])
        assert set(record.balls) == set(range(10))
        assert state.last_ruling is not None and state.last_ruling.first_contact == 1
        for ball, place in state.balls.items():
            if ball not in state.last_ruling.spotted and not (ball == CUE and state.cue_in_hand):
                continue
            shown = record.state_at(ball, record.duration).pos
            if ball not in state.last_ruling.spotted:
                assert math.dist(shown[:2], place) < 1e-4
        assert players[0].trajectories == players[1].trajectories
        await _to_the_end(players)


async def _to_the_end(players: list[WireClient]) -> None:
    """Both hit the lowest ball as straight as they can until somebody has won or given up."""
    for _ in range(12):
        state = await _settled(players)
        if state.phase is Phase.MATCH_OVER:
            break
        await _act(players, state)
    state = await _settled(players)
    if state.phase is not Phase.MATCH_OVER:
        actor = state.shooter if state.decider is None else state.decider
        await players[actor or 0].give(c.Concede())
    state = await players[0].until_state(lambda s: s.phase is Phase.MATCH_OVER)
    assert state.winner in (0, 1) and state.shot_number >= 2  # one break in eighty sinks the 9
    assert players[0].trajectories == players[1].trajectories


async def _settled(players: list[WireClient]) -> MatchState:
    """The state once somebody is to act, as both players have it."""
    for player in players:
        state = await player.until_state(
            lambda s: s.phase not in _BUSY and (s.racked or s.phase is not _BREAK)
        )
    return state


async def _act(players: list[WireClient], state: MatchState) -> None:
    if state.decider in (0, 1):
        answer = await players[state.decider].give(c.Choose(option=state.options[0]))
    else:
        assert state.shooter is not None
        player = players[state.shooter]
        if state.cue_in_hand != "none":
            x, y = (-0.8, 0.0) if state.cue_in_hand == "head" else _free_place(state)
            await player.give(c.PlaceCue(x=x, y=y))
            state = await player.until_state(lambda s: CUE in s.balls)
        answer = await player.strike(6.0, _towards_lowest(state))
    assert isinstance(answer, Accepted), answer
    for player in players:
        await player.until_state(lambda s: s.version >= (answer.version or 0))


def _free_place(state: MatchState) -> tuple[float, float]:
    for n in range(200):
        place = (-1.0 + 0.01 * n, 0.31)
        if all(math.dist(place, at) > 0.08 for ball, at in state.balls.items() if ball != CUE):
            return place
    raise AssertionError("no free place")


def _towards_lowest(state: MatchState) -> float:
    cue = state.balls[CUE]
    target = state.balls[min(ball for ball in state.balls if ball != CUE)]
    return math.degrees(math.atan2(target[1] - cue[1], target[0] - cue[0]))


def test_the_same_job_gives_the_same_bytes() -> None:
    balls = shots.rack("nine_ball", 42, 0.03, "9ft") | {CUE: Position(-0.8, 0.01)}
    job = shots.ShotJob(
        preset="9ft", balls=balls, strokes=((CUE, 0.0, Stroke(speed=8.0, heading_deg=0.0)),)
    )
    assert shots.play(job) == shots.play(job)


def test_the_follow_through_that_is_asked_for_is_played() -> None:
    """A draw shot at a ball 40 mm away: a cue that goes on meets the cue ball as it comes back."""
    balls = {CUE: Position(0.0, 0.0), 1: Position(0.098, 0.0)}

    def kinds(follow_through: float | None) -> set[type]:
        stroke = Stroke(speed=1.5, heading_deg=0.0, tip=(0.0, -0.4), follow_through=follow_through)
        job = shots.ShotJob(preset="9ft", balls=balls, strokes=((CUE, 0.0, stroke),))
        return {type(event) for event in shots.play(job).events}

    assert CueRecontact in kinds(0.1) and CueRecontact not in kinds(0.02)
    assert kinds(None) == kinds(0.05)
