"""A race to three, from the lag to match point: two players, one who looks on, one server process.

All three hold the same trajectory bytes, turn and score after every shot, and the log alone
replays to the state in which the match ended.
"""

import asyncio
import time
from dataclasses import dataclass, field, replace

import pytest

from client.bot.levels import LEVELS, Level
from client.bot.player import BotPlayer, Seating
from client.net.link import Link
from client.net.session import LinkEvent, Received, Session
from physics.trajectory import Trajectory
from server.storage.store import Store
from shared_rules.announcements import Judged
from shared_rules.changes import changed
from shared_rules.match import replay
from shared_rules.messages import RoomEvent, Snapshot
from shared_rules.state import MatchState, Phase
from shared_rules.view import public_state
from tests.end_to_end.processes import serving

# Fifteen balls give more to think about: one game of eight-ball, and little thought.
QUICK = replace(LEVELS[5], thought=40)
RACES = [
    ("nine_ball_epbf", {"match": {"games_to_win": 3}}, LEVELS[4]),
    ("eight_ball", {"match": {"games_to_win": 1}}, QUICK),
    ("straight_pool", {"target": 10}, QUICK),
    ("black_ball", {"match": {"games_to_win": 1}}, QUICK),
]
LIMIT_S = 150.0


@dataclass
class Witness:
    """What one client was told: every trajectory, and the match after every ruling."""

    trajectories: dict[int, bytes] = field(default_factory=dict)
    after_shots: dict[int, tuple] = field(default_factory=dict)
    told_early: list[int] = field(default_factory=list)
    last: MatchState | None = None
    _ends: dict[int, float] = field(default_factory=dict)

    def see(self, event: LinkEvent) -> None:
        if isinstance(event, Received) and isinstance(event.message, Snapshot):
            self.last = event.message.state
        if not isinstance(event, Received) or not isinstance(event.message, RoomEvent):
            return
        message = event.message
        self.last = changed(self.last, message.changes)
        if message.in_flight is not None:
            flight = message.in_flight
            self.trajectories[flight.shot] = flight.trajectory
            duration = Trajectory.decode(flight.trajectory).duration
            self._ends[flight.shot] = flight.started_at + duration
        for said in message.announcements:
            if isinstance(said, Judged):
                state = self.last
                shot = said.ruling.shot
                if message.clock < self._ends[shot]:
                    self.told_early.append(shot)
                turn = (state.phase, state.shooter, state.decider, state.breaker)
                score = (state.games, state.sets, state.consecutive_fouls, state.groups,
                         state.scores, state.high_runs)  # fmt: skip
                self.after_shots[shot] = (turn, score, state.balls, said.ruling)


class WitnessedSession(Session):
    """A client's session that remembers what came."""

    def __init__(self, name: str) -> None:
        super().__init__(name)
        self.witness = Witness()

    def handle(self, event: LinkEvent) -> None:
        self.witness.see(event)
        super().handle(event)


async def look_on(url: str, session: Session, table: str) -> None:
    """Watch a table until its match is over."""
    link: Link

    def deliver(event: LinkEvent) -> None:
        session.handle(event)
        if session.phase == "ready" and session.view is None and not asked:
            asked.append(session.watch(table))
        for message in session.take_outgoing():
            link.send(message)

    asked: list[int] = []
    link = Link(url, deliver)
    carrying = asyncio.create_task(link.run())
    try:
        while not (session.view and session.view.state) or (
            session.view.state.phase is not Phase.MATCH_OVER
        ):
            assert session.phase != "over", session.reason
            session.tick(time.monotonic())
            await asyncio.sleep(0.05)
    finally:
        link.close()
        await asyncio.gather(carrying, return_exceptions=True)


async def play_race(url: str, preset: str, rules: dict, level: Level) -> tuple[str, list[Witness]]:
    """Two bots and someone who looks on; returns the table and what each was told."""
    ann, bob, eve = (WitnessedSession(name) for name in ("Ann", "Bob", "Eve"))
    opening = Seating(open_options={"ruleset": preset, "overrides": rules})
    first = BotPlayer(url, ann, level, opening, seed=11, say=lambda line: None)
    tasks = [asyncio.create_task(first.run())]
    try:
        while ann.view is None:
            assert not tasks[0].done(), tasks[0].exception()
            await asyncio.sleep(0.02)
        table = ann.view.table
        tasks.append(asyncio.create_task(look_on(url, eve, table)))
        while eve.view is None:
            assert not tasks[1].done(), tasks[1].exception()
            await asyncio.sleep(0.02)
        second = BotPlayer(url, bob, level, Seating(table), seed=12, say=lambda line: None)
        tasks.append(asyncio.create_task(second.run()))
        await asyncio.wait_for(asyncio.gather(*tasks), LIMIT_S)
    finally:
        for task in tasks:
            task.cancel()
    return table, [session.witness for session in (ann, bob, eve)]


async def replayed(database_url: str, match: str) -> tuple[MatchState, int]:
    """The match as its log alone tells it, and how many shots are stored."""
    store = await Store.open(database_url)
    try:
        record = await store.matches.load(match)
        assert record.status == "over"
        shots = await store.matches.shots(match)
        return public_state(replay(record.description, record.orders), None), len(shots)
    finally:
        await store.close()


@pytest.mark.parametrize(("preset", "rules", "level"), RACES)
def test_all_see_the_same_race_and_the_log_replays_to_it(tmp_path, preset, rules, level):
    database = tmp_path / "race.sqlite3"
    with serving(database, "--time-scale", "40") as url:
        table, (ann, bob, eve) = asyncio.run(play_race(url, preset, rules, level))

    assert ann.last.phase is Phase.MATCH_OVER
    games = ann.last.description.ruleset.match.games_to_win
    assert max(ann.last.games) == games
    assert ann.last.lag_winner is not None
    assert 0 in ann.trajectories or 1 in ann.trajectories
    assert len(ann.trajectories) >= 1 + games  # the lag and a shot for each game
    for other in (bob, eve):
        assert other.trajectories == ann.trajectories
        assert other.after_shots == ann.after_shots
        assert other.last == ann.last
    assert ann.trajectories.keys() == ann.after_shots.keys()
    assert ann.told_early + bob.told_early + eve.told_early == []

    state, shots = asyncio.run(replayed(f"sqlite+aiosqlite:///{database}", table))
    assert state == ann.last
    assert shots == len(ann.trajectories)
