"""A bad network and rude players for a whole match: everyone still holds the same in the end.

Commands are doubled, come late, from the wrong side and on old versions; connections are cut.
"""

import asyncio
import random
from pathlib import Path

import pytest

from server.app import MatchServer
from shared_rules import commands as c
from shared_rules import messages as m
from shared_rules.match import replay
from shared_rules.state import MatchState, Option, Phase, Stroke
from shared_rules.view import public_state
from shared_rules.wire import write_message
from tests.server import fake_physics as fake
from tests.server.bench_table import in_loop, serving, two_players
from tests.server.wire_client import WireClient

_SPEEDS = [fake.MISS, fake.SAFE, fake.SAFE, fake.POT, fake.POT, fake.NINE, fake.BREAK, fake.DIES]


class Storm:
    """Two players who are disturbed at random."""

    def __init__(self, server: MatchServer, players: list[WireClient], seed: int) -> None:
        self.server, self.players = server, players
        self.luck = random.Random(seed)
        self.sent: list[tuple[int, bytes]] = []
        self.cuts = 0

    async def step(self) -> None:
        """One player does something, perhaps nothing sensible, perhaps twice."""
        seat = self.luck.randrange(2)
        player = self.players[seat]
        if self.luck.random() < 0.06:
            await self._cut(seat)
            return
        if self.sent and self.luck.random() < 0.1:
            seat, data = self.luck.choice(self.sent)  # an old message once more
            await self.players[seat].raw(data)
            return
        command = self._command(player.state, seat)
        stale = self.luck.random() < 0.1 and player.state is not None
        version = self.luck.randrange(player.state.version + 2) if stale else None  # type: ignore[union-attr]
        data = write_message(player.play(command, version=version))
        self.sent.append((seat, data))
        for _ in range(2 if self.luck.random() < 0.2 else 1):
            await player.raw(data)

    async def _cut(self, seat: int) -> None:
        old = self.players[seat]
        if self.luck.random() < 0.5:
            old.cut()
        new = await WireClient.connect(self.server.port, token=old.token)
        new.knows_what(old)
        last_seen = old.seq if self.luck.random() < 0.7 else None
        assert isinstance(await new.join(old.table, last_seen=last_seen), m.Accepted)
        self.players[seat] = new
        self.cuts += 1

    def _command(self, state: MatchState | None, seat: int) -> c.PlayerCommand:
        if state is not None and self.luck.random() < 0.85:
            if state.decider == seat:
                return c.Choose(option=self.luck.choice(state.options))
            if state.cue_in_hand != "none" and not state.cue_placed:
                x = -0.8 if state.cue_in_hand == "head" else self.luck.uniform(-1.2, 1.2)
                return c.PlaceCue(x=x, y=self.luck.uniform(-0.55, 0.55))
            return self._strike()
        return self.luck.choice(
            [
                self._strike(),
                c.PlaceCue(x=self.luck.uniform(-3, 3), y=0.0),
                c.Choose(option=self.luck.choice(list(Option))),
                c.DeclarePushOut(on=True),
                c.RequestTimeOut(),
                c.ExtendShot(),
                c.EndTimeOut(),
                c.AgreeStalemate(),
            ]
        )

    def _strike(self) -> c.Strike:
        speed = self.luck.choice(_SPEEDS)
        return c.Strike(
            stroke=Stroke(speed=speed, heading_deg=self.luck.uniform(-180, 180), elevation_deg=85.0)
        )


@pytest.mark.parametrize("seed", range(2))
def test_a_match_in_a_storm(tmp_path: Path, seed: int) -> None:
    @in_loop
    async def play() -> None:
        async with serving(tmp_path, time_scale=60.0, messages_per_s=1e6) as server:
            players = await two_players(server, overrides={"match": {"games_to_win": 4}})
            eve = await WireClient.connect(server.port, "Eve")
            await eve.watch(players[0].table)
            storm = Storm(server, list(players), seed)
            for step in range(4000):
                await storm.step()
                await asyncio.sleep(0.002)
                state = eve.state
                assert state is not None
                enough = step > 500 and state.shot_number > 20 and storm.cuts > 2
                if enough or state.phase is Phase.MATCH_OVER:
                    break
            await _check(server, storm, eve)
            assert storm.cuts > 2

    play()


async def _check(server: MatchServer, storm: Storm, eve: WireClient) -> None:
    """Players, spectator, server and log agree."""
    for client in (*storm.players, eve):
        await client.ask(m.Ping)
    state = await eve.until_state(lambda s: s.phase is not Phase.SHOT_RUNNING)
    assert state.shot_number > 20 or state.phase is Phase.MATCH_OVER
    for player in storm.players:
        await player.until_state(lambda s: s.version >= state.version)
    # time goes on: each as of what he has been told before the log is read, which holds it by then
    told = [client.state for client in (*storm.players, eve)]
    shown = dict(eve.trajectories)
    record = await server.store.matches.load(eve.table)
    assert record is not None and record.description is not None
    for seen in told:
        assert seen is not None
        orders = record.orders[: seen.version]
        assert public_state(replay(record.description, orders), None) == seen
    stored = {shot.shot: shot.trajectory for shot in await server.store.matches.shots(eve.table)}
    assert shown.items() <= stored.items() and len(stored) - len(eve.trajectories) <= 1
    for person in server.house.floor.tables[eve.table].room.seats:
        assert person is not None
        requests = await server.store.requests.latest(person.id, 100_000)
        assert len({row.request for row in requests}) == len(requests)  # nothing done twice
