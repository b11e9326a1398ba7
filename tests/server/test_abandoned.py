"""Adjourned matches of guests who don't come back: they end, and the names are free."""

from pathlib import Path
from typing import Any

import pytest

from server import ending
from server.app import MatchServer
from shared_rules import messages as m
from shared_rules.state import Phase
from tests.server.bench_table import (
    away_rules,
    back,
    eventually,
    in_loop,
    serving,
    table_after_break,
)
from tests.server.signing_in import SECRET, hello, refused, signed_in
from tests.server.wire_client import WireClient

DAY_S = 86_400.0


@pytest.fixture(autouse=True)
def _soon(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ending, "_EMPTY_REAL_S", 0.1)


async def _put_away(server: MatchServer, **rules: Any) -> tuple[WireClient, WireClient]:
    """A match of two guests that both have left, adjourned."""
    ann, bob = await table_after_break(server, overrides=away_rules(**rules))
    for client in (ann, bob):
        await client.close()
    await eventually(lambda: ann.table not in server.house.floor.tables)
    return ann, bob


def _after(server: MatchServer, days: float) -> None:
    """So many days go by."""
    people = server.house.people
    now = people.wall()
    people.wall = lambda: now + days * DAY_S


async def _status(server: MatchServer, table: str) -> tuple[str, int | None]:
    record = await server.store.matches.load(table)
    assert record is not None
    found = await server.store.archive.entry(table, server.clock.now())
    result = found.summary.result if found is not None else None
    return record.status, result.winner if result is not None else None


@pytest.mark.usefixtures("on_both")
@in_loop
async def test_a_match_that_both_guests_have_left_for_good_is_closed_and_both_names_are_free(
    tmp_path: Path,
) -> None:
    async with serving(tmp_path) as server:
        ann, _ = await _put_away(server)
        _after(server, 29)
        assert await server.abandoned.end() == 0
        assert await refused(server, name="Ann") == "name_taken"
        _after(server, 2)
        assert await server.abandoned.end() == 1
        assert await _status(server, ann.table) == ("closed", None)
        assert await server.abandoned.end() == 0
        for name in ("Ann", "Bob"):
            _, welcome = await hello(server, name=name)
            assert welcome.tables == ()
        # the old tokens name people whose names are others' now
        assert await refused(server, token=ann.token) == "name_taken"


@pytest.mark.parametrize(
    ("effect", "ends"),
    [("award_game", ("over", 0)), ("award_match", ("over", 0)), ("adjourn", ("closed", None))],
)
def test_who_has_been_here_meanwhile_gets_what_the_ruleset_says(
    tmp_path: Path, effect: str, ends: tuple[str, int | None]
) -> None:
    @in_loop
    async def play() -> None:
        async with serving(tmp_path) as server:
            ann, _ = await _put_away(server, effect=effect)
            _after(server, 20)
            again = await signed_in(server, token=ann.token)
            await again.close()
            _after(server, 11)
            assert await server.abandoned.end() == 1
            assert await _status(server, ann.table) == ends
            assert (await signed_in(server, name="Bob")).token

    play()


@in_loop
async def test_an_account_may_leave_a_match_for_as_long_as_it_likes(tmp_path: Path) -> None:
    """And so may a guest who stays connected: he is here."""
    async with serving(tmp_path) as server:
        ann, bob = await _put_away(server)
        for client in (ann, bob):
            there = await signed_in(server, token=client.token)
            assert isinstance(await there.ask(m.Register, password=SECRET), m.Accepted)
            await there.close()
        _after(server, 80)
        assert await server.abandoned.end() == 0
        assert await _status(server, ann.table) == ("adjourned", None)
    async with serving(tmp_path) as server:
        cid = await WireClient.connect(server.port, "Cid")
        dan = await WireClient.connect(server.port, "Dan")
        await cid.open(overrides=away_rules(effect="adjourn", claim_s=0.0, grace_s=1.0))
        await dan.join(cid.table)
        await dan.close()
        table = server.house.floor.tables[cid.table]
        await eventually(lambda: table.course.attendance.adjourned)
        dan = await signed_in(server, token=dan.token)  # here, not at the table
        _after(server, 40)
        assert await server.abandoned.end() == 0
        person = server.house.people.present_by_key("dan")
        assert person is not None
        await dan.close()
        await eventually(lambda: person.connection is None)
        _after(server, 40)
        assert await server.abandoned.end() == 1  # Cid sits there still, Dan has gone


@in_loop
async def test_what_was_abandoned_while_the_server_was_down_ends_once_its_clock_is_believed(
    tmp_path: Path,
) -> None:
    async with serving(tmp_path) as server:
        ann, _ = await _put_away(server)
        async with server.store._engine.begin() as connection:
            await connection.exec_driver_sql(
                f"UPDATE sessions SET used_at = used_at - {31 * DAY_S}"
            )
    async with serving(tmp_path) as server:
        assert await _status(server, ann.table) == ("adjourned", None)
        await server.tidying.once()
        assert await _status(server, ann.table) == ("closed", None)
        assert (await signed_in(server, name="Ann")).token


@in_loop
async def test_a_guest_who_comes_back_in_time_plays_on(tmp_path: Path) -> None:
    async with serving(tmp_path) as server:
        ann, bob = await _put_away(server)
        _after(server, 29)
        ann, bob = await back(server, ann), await back(server, bob)
        await bob.until_state(lambda s: s.phase is Phase.AWAIT_SHOT)
        _after(server, 2)
        assert await server.abandoned.end() == 0
        assert await _status(server, ann.table) == ("running", None)
