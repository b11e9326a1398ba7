"""A guest who was suspended or muted comes in as somebody new: by his name, from his address."""

from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import select

from server.accounts.given import Given
from server.person import Origin
from server.storage import schema
from shared_rules import messages as m
from shared_rules.messages import oversight as acts
from shared_rules.refusal import Refusal
from tests.faults.indoors import Indoors, indoors
from tests.server.bench_table import in_loop, serving
from tests.server.signing_in import SECRET, hello, refused, signed_in
from tests.server.test_oversight import account, done, give
from tests.server.wire_client import WireClient

HERE, ELSEWHERE = "192.0.2.7", "192.0.2.8"


@in_loop
async def test_who_is_suspended_is_kept_out_over_real_sockets(tmp_path: Path) -> None:
    """By token, by his name and those that look alike, by another name, with a new account."""
    async with serving(tmp_path) as server:
        otto = await account(server, "Otto", "official")
        eve = await signed_in(server, name="Eve")
        gus = await signed_in(server, name="Gus Iris")
        suspension = await done(otto, acts.SuspendPerson(who="Gus Iris"))
        await gus.until_closed()
        tries: tuple[dict[str, Any], ...] = (
            {"token": gus.token},
            {"name": "Gus Iris"},
            {"name": "gus.lris"},
            {"name": "Gus 2"},
            {"account": "Gus 3", "password": SECRET, "register": True},
        )
        for way in tries:
            assert await refused(server, **way) == "suspended", way
        await eve.close()  # who has been here before comes in as ever, and so do accounts
        await signed_in(server, token=eve.token)
        await signed_in(server, account="Otto", password=SECRET)
    async with serving(tmp_path) as server:  # over a restart
        for way in tries:
            assert await refused(server, **way) == "suspended", way
        otto = await signed_in(server, account="Otto", password=SECRET)
        await done(otto, acts.LiftSanction(action=suspension))
        for way in tries[:1] + tries[3:]:
            assert isinstance((await hello(server, **way))[1], m.Welcome), way


@in_loop
async def test_who_is_muted_is_so_under_another_name(tmp_path: Path) -> None:
    async with serving(tmp_path) as server:
        otto = await account(server, "Otto", "official")
        old = await signed_in(server, name="Eve")
        await signed_in(server, name="Gus")
        mute = await done(otto, acts.MutePerson(who="Gus"))

        async def says(who: WireClient) -> str:
            await who.ask(m.EnterLobby)
            return str(getattr(await who.ask(m.Say, text="hello"), "code", "said"))

        new = await signed_in(server, name="Gus 2")
        member = await signed_in(server, account="Gus 3", password=SECRET, register=True)
        assert [await says(who) for who in (new, member, old)] == ["muted", "muted", "said"]
        for who in (new, member):
            await who.close()
        new = await signed_in(server, token=new.token)
        member = await signed_in(server, account="Gus 3", password=SECRET)
        assert [await says(who) for who in (new, member)] == ["muted", "muted"]
        await done(otto, acts.LiftSanction(action=mute))
        assert [await says(who) for who in (new, member)] == ["said", "said"]


@in_loop
async def test_an_official_opens_an_address_and_keeps_the_guest_out(tmp_path: Path) -> None:
    """Behind one router there are others; what holds for his name and himself stays."""
    async with serving(tmp_path) as server:
        otto = await account(server, "Otto", "official")
        gus = await signed_in(server, name="Gus")
        mute = await done(otto, acts.MutePerson(who="Gus"))
        new = await signed_in(server, name="Ann")
        await new.ask(m.EnterLobby)
        assert (await new.ask(m.Say, text="hello")).code == "muted"
        await done(otto, acts.OpenAddress(action=mute))
        assert isinstance(await new.ask(m.Say, text="hello"), m.Accepted)
        await gus.ask(m.EnterLobby)
        assert (await gus.ask(m.Say, text="hello")).code == "muted"
        suspension = await done(otto, acts.SuspendPerson(who="Gus"))
        connection, answer = await hello(server, name="Bob")
        assert isinstance(answer, m.Refused) and "UTC" in answer.message
        await connection.close()
        await done(otto, acts.OpenAddress(action=suspension))
        assert isinstance((await hello(server, name="Bob"))[1], m.Welcome)
        for way in ({"token": gus.token}, {"name": "Gus"}):
            assert await refused(server, **way) == "suspended", way
        again = await give(otto, acts.OpenAddress(action=suspension))
        assert again.code == "wrong_state"
        assert (await give(otto, acts.OpenAddress(action="none"))).code == "unknown_act"
        assert (await give(new, acts.OpenAddress(action=mute))).code == "not_allowed"


async def comes(place: Indoors, name: str, address: str) -> str:
    """What somebody new is told; ``ok``: he is in."""
    try:
        await place.house.people.enter(
            m.Hello(protocol=m.PROTOCOL, name=name), Origin(address, False), place.real_s
        )
    except Refusal as refusal:
        return refusal.code.value
    return "ok"


async def sanctioned(place: Indoors, name: str, address: str, act: acts.AnyAct) -> str:
    """A guest who came from an address, and what an administrator of the machine does."""
    assert await comes(place, name, address) == "ok"
    oversight = place.house._oversight
    return (await oversight.carry(Given(act, "because", None, "administrator"))).action


@pytest.mark.usefixtures("on_both")
@in_loop
async def test_name_and_address_hold_for_their_time(tmp_path: Path) -> None:
    """The name as long as the suspension, the address some days; both not for others."""
    async with indoors(tmp_path) as place:
        people = place.house.people
        now = people.wall()
        act = acts.SuspendPerson(who="Gus", until=now + 30 * 86_400.0)
        await sanctioned(place, "Gus", HERE, act)
        assert await comes(place, "Ann", HERE) == "suspended"
        assert await comes(place, "Gus", ELSEWHERE) in ("suspended", "name_taken")
        assert await comes(place, "Bob", ELSEWHERE) == "ok"
        gus = people.present_by_key("gus")
        assert gus is not None
        people.let_go(gus)
        assert await comes(place, "GU.S", ELSEWHERE) == "suspended"
        people.wall = lambda: now + 8 * 86_400.0
        await people.forget_unused()
        addresses = await place.store.people._read(select(schema.actions.c.address))
        assert [row[0] for row in addresses] == [None]  # it isn't kept longer than it counts
        assert await comes(place, "Ann", HERE) == "ok"
        assert await comes(place, "Gus", ELSEWHERE) == "suspended"
        people.wall = lambda: now + 31 * 86_400.0
        assert await comes(place, "Gus", ELSEWHERE) == "ok"


@in_loop
async def test_an_ipv6_network_is_one_address_and_a_club_may_do_without(tmp_path: Path) -> None:
    for folder in ("a", "b"):
        (tmp_path / folder).mkdir()
    async with indoors(tmp_path / "a") as place:
        await sanctioned(place, "Gus", "2001:db8::1", acts.SuspendPerson(who="Gus"))
        assert await comes(place, "Ann", "2001:db8::2:9") == "suspended"
        assert await comes(place, "Ann", "2001:db8:0:1::1") == "ok"
    async with indoors(tmp_path / "b", sanctioned_address_days=0.0) as place:
        await sanctioned(place, "Gus", HERE, acts.SuspendPerson(who="Gus"))
        assert await comes(place, "Ann", HERE) == "ok"
