"""A database that doesn't take a write: the player is told, nothing has happened, play goes on."""

from pathlib import Path
from typing import Any

import pytest

from server.app import MatchServer
from server.storage.journal import NotStored
from shared_rules import commands as c
from shared_rules import messages as m
from shared_rules.state import Phase, Stroke
from shared_rules.view import public_state
from tests.server import fake_physics as fake
from tests.server.bench_table import in_loop, serving, table_after_break
from tests.server.wire_client import RAISED_DEG, WireClient


class FullDisk:
    """Makes the next writes of a server fail."""

    def __init__(self, server: MatchServer, writes: int) -> None:
        self.left = writes
        self._write = server.store.journal.write
        server.store.journal.write = self.write  # type: ignore[method-assign]

    async def write(self, *statements: Any) -> None:
        if self.left > 0:
            self.left -= 1
            raise NotStored("disk full")
        await self._write(*statements)


@pytest.mark.usefixtures("on_both")
@in_loop
async def test_an_order_that_is_not_stored_has_not_happened(tmp_path: Path) -> None:
    async with serving(tmp_path) as server:
        ann, bob = await table_after_break(server)
        before = bob.state
        FullDisk(server, 1)
        request = bob.play(
            c.Strike(stroke=Stroke(speed=fake.POT, heading_deg=0.0, elevation_deg=RAISED_DEG))
        )
        answer = await bob.ask_again(request)
        assert isinstance(answer, m.Refused)
        assert (answer.code, answer.fault) == ("internal", "server")
        keeper = server.house.floor.tables[bob.table].course.keeper
        assert keeper is not None and public_state(keeper.state, None) == before
        assert isinstance(await bob.ask_again(request), m.Accepted)  # the same id, again
        await ann.until_state(lambda s: 1 not in s.balls)


@pytest.mark.usefixtures("on_both")
@in_loop
async def test_a_shot_that_is_not_stored_is_not_shown_before_it_is(tmp_path: Path) -> None:
    async with serving(tmp_path) as server:
        _, bob = await table_after_break(server)
        disk = FullDisk(server, 0)
        original = server.store.matches.append

        async def then_fail(*args: Any, **kwargs: Any) -> None:
            await original(*args, **kwargs)
            disk.left = 1  # the order is in; the trajectory isn't

        server.store.matches.append = then_fail  # type: ignore[method-assign]
        assert isinstance(await bob.strike(fake.POT), m.Accepted)
        server.store.matches.append = original  # type: ignore[method-assign]
        await bob.until_state(lambda s: 1 not in s.balls)  # tried again a second later
        stored = await server.store.matches.shots(bob.table)
        assert stored[-1].trajectory == bob.trajectories[3] and len(stored) == 3


@in_loop
async def test_nobody_signs_in_on_a_full_disk(tmp_path: Path) -> None:
    async with serving(tmp_path) as server:
        disk = FullDisk(server, 1)
        ann = await WireClient.connect(server.port)
        await ann.send(m.Hello(protocol=m.PROTOCOL, name="Ann"))
        assert (await ann.until(lambda x: isinstance(x, m.Refused))).code == "internal"
        assert disk.left == 0 and (await ann.hello("Ann")).name == "Ann"
        await ann.open()
        assert ann.state is None or ann.state.phase is Phase.WAITING_FOR_PLAYERS
