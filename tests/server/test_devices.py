"""The devices of a person: sessions and their tokens, listed, ended, out of use."""

from pathlib import Path
from typing import Any

import pytest

from server.storage.journal import NotStored
from shared_rules import commands as c
from shared_rules import messages as m
from tests.server.bench_table import in_debug_loop, in_loop, serving, two_players
from tests.server.signing_in import SECRET, hello, refused, signed_in


@pytest.mark.usefixtures("on_both")
@in_debug_loop
async def test_devices_are_listed_and_revoked(tmp_path: Path) -> None:
    """Replayed and revoked tokens are refused."""
    async with serving(tmp_path) as server:
        fields = {"account": "Ann", "password": SECRET}
        phone = await signed_in(server, **fields, register=True, client="phone")
        laptop = await signed_in(server, **fields, client="laptop")
        await phone.until_closed()
        shown = (await laptop.ask(m.ListSessions)).sessions
        assert {(s.client, s.current) for s in shown} == {("phone", False), ("laptop", True)}
        assert all(s.used_at >= s.created_at > 1.7e9 for s in shown)
        (other,) = (s.session for s in shown if not s.current)
        assert isinstance(await laptop.ask(m.EndSession, session=other), m.Accepted)
        assert isinstance(await laptop.ask(m.EndSession, session=other), m.Accepted)
        assert await refused(server, token=phone.token) == "bad_token"
        third = await signed_in(server, **fields)
        assert isinstance(await third.ask(m.EndSession), m.Accepted)  # all but this one
        assert await refused(server, token=laptop.token) == "bad_token"
        (mine,) = (await third.ask(m.ListSessions)).sessions
        await third.ask(m.EndSession, session=mine.session)  # signing out
        await third.until_closed()
        assert await refused(server, token=third.token) == "bad_token"


@in_loop
async def test_nobody_ends_the_session_of_another(tmp_path: Path) -> None:
    async with serving(tmp_path) as server:
        ann = await signed_in(server, account="Ann", password=SECRET, register=True)
        eve = await signed_in(server, account="Eve", password=SECRET, register=True)
        (of_ann,) = (await ann.ask(m.ListSessions)).sessions
        await eve.ask(m.EndSession, session=of_ann.session)
        assert len((await ann.ask(m.ListSessions)).sessions) == 1


@pytest.mark.usefixtures("on_both")
@in_loop
async def test_a_token_out_of_use_is_worth_nothing(tmp_path: Path) -> None:
    async with serving(tmp_path, session_unused_days=30.0) as server:
        people = server.house.people
        ann = await signed_in(server, account="Ann", password=SECRET, register=True)
        await ann.close()
        now = people.wall()
        people.wall = lambda: now + 29 * 86_400
        back = await signed_in(server, token=ann.token)  # which counts as use
        await back.close()
        people.wall = lambda: now + 58 * 86_400
        back = await signed_in(server, token=ann.token)
        await back.close()
        people.wall = lambda: now + 89 * 86_400
        assert await refused(server, token=ann.token) == "bad_token"
        again = await signed_in(server, account="Ann", password=SECRET)
        assert len((await again.ask(m.ListSessions)).sessions) == 1
        await server.house.people.forget_unused()
        person = server.house.people.present_by_key("ann")
        assert person is not None and len(await server.store.people.sessions(person.id)) == 1


@in_loop
async def test_sessions_of_a_person_are_bounded(tmp_path: Path) -> None:
    async with serving(tmp_path, sessions_per_person=3) as server:
        fields = {"account": "Ann", "password": SECRET}
        first = await signed_in(server, **fields, register=True)
        for _ in range(3):
            last = await signed_in(server, **fields)
        assert len((await last.ask(m.ListSessions)).sessions) == 3
        assert await refused(server, token=first.token) == "bad_token"


@in_loop
async def test_a_disk_that_fails_keeps_nobody_out(tmp_path: Path) -> None:
    """When a session was used is worth noting, not worth a refusal."""
    async with serving(tmp_path) as server:
        ann = await signed_in(server, account="Ann", password=SECRET, register=True)
        await ann.close()

        async def fails(*_: Any) -> None:
            raise NotStored("the disk is full")

        server.store.people.use_session = fails  # type: ignore[method-assign]
        now = server.house.people.wall()
        server.house.people.wall = lambda: now + 3600.0
        await signed_in(server, token=ann.token)


@pytest.mark.usefixtures("on_both")
@in_loop
async def test_a_guest_with_a_match_does_not_throw_his_only_way_back_away(tmp_path: Path) -> None:
    async with serving(tmp_path) as server:
        ann, bob = await two_players(server, overrides={"concede_scope": "match"})
        (mine,) = (await bob.ask(m.ListSessions)).sessions
        assert (await bob.ask(m.EndSession, session=mine.session)).code == "unfinished_match"
        assert isinstance(await bob.ask(m.EndSession), m.Accepted)  # the others: none
        await bob.close()
        back, welcome = await hello(server, token=bob.token)
        assert welcome.tables == (ann.table,)
        assert isinstance(await back.join(ann.table), m.Accepted)
        assert isinstance(await back.give(c.Concede()), m.Accepted)
        assert isinstance(await back.ask(m.EndSession, session=mine.session), m.Accepted)
        await back.until_closed()
        assert await refused(server, token=bob.token) == "bad_token"
        # an account comes back by its password
        assert isinstance(await ann.ask(m.Register, password=SECRET), m.Accepted)
        await ann.ask(m.LeaveTable, table=ann.table)
        await ann.open()
        (mine,) = (await ann.ask(m.ListSessions)).sessions
        assert isinstance(await ann.ask(m.EndSession, session=mine.session), m.Accepted)
        _, welcome = await hello(server, account="Ann", password=SECRET)
        assert welcome.tables == (ann.table,)
