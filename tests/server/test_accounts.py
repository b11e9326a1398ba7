"""Accounts and guests over real sockets: making one, coming in, whose a name is."""

from pathlib import Path

import pytest
from websockets.asyncio.client import connect

from server.app import MatchServer
from shared_rules import messages as m
from shared_rules.wire import read_server_message, write_message
from tests.server.bench_table import eventually, in_debug_loop, in_loop, serving, two_players
from tests.server.signing_in import OTHER, SECRET, hello, refused, signed_in


@pytest.mark.usefixtures("on_both")
@in_debug_loop
async def test_an_account_is_made_and_comes_back_by_its_password(tmp_path: Path) -> None:
    async with serving(tmp_path) as server:
        ann, welcome = await hello(server, account="Ann", password=SECRET, register=True)
        assert (welcome.account, welcome.role, welcome.name) == (True, "player", "Ann")
        await ann.open()
        await ann.close()
    async with serving(tmp_path) as server:  # and after a restart
        again, welcome = await hello(server, account="ANN", password=SECRET)
        assert welcome.tables == (ann.table,) and welcome.name == "Ann"
        assert again.token != ann.token
        assert isinstance(await again.join(ann.table), m.Accepted)
        _, welcome = await hello(server, token=ann.token)
        assert welcome.account and welcome.tables == (ann.table,)
        await again.until_closed()  # one live connection a person


@in_loop
async def test_the_name_of_an_account_and_its_look_alikes_are_its_own(tmp_path: Path) -> None:
    async with serving(tmp_path) as server:
        ema = await signed_in(server, account="Ema", password=SECRET, register=True)
        await ema.close()
        for name in ("Ema", "EMA", "Ｅma", "Ема"):  # the last one is Cyrillic
            assert await refused(server, name=name) == "name_taken"
            fields = {"account": name, "password": OTHER, "register": True}
            assert await refused(server, **fields) == "name_taken"


@pytest.mark.usefixtures("on_both")
@in_debug_loop
async def test_a_guest_who_registers_stays_the_same_person(tmp_path: Path) -> None:
    async with serving(tmp_path) as server:
        ann, bob = await two_players(server)
        before = server.house.people.present_by_key("ann")
        assert (await ann.ask(m.Register, password="short")).code == "weak_password"
        request = m.Register(id=ann.next_id(), password=SECRET)
        assert isinstance(await ann.ask_again(request), m.Accepted)
        assert isinstance(await ann.ask_again(request), m.Accepted)  # sent twice, done once
        await ann.close()
        back, welcome = await hello(server, account="Ann", password=SECRET)
        assert welcome.account and welcome.tables == (ann.table,)
        assert server.house.people.present_by_key("ann") is before
        assert isinstance(await back.join(ann.table), m.Accepted)
        # the guest's own token is one of his devices
        shown = await back.ask(m.ListSessions)
        assert len(shown.sessions) == 2 and sum(s.current for s in shown.sessions) == 1
        assert (await bob.ask(m.ChangePassword, old=SECRET, new=OTHER)).code == "not_allowed"


@in_loop
async def test_a_name_of_an_unfinished_match_is_its_guests(tmp_path: Path) -> None:
    """Over a restart too, while nobody is connected: it stays his until the match is over."""
    async with serving(tmp_path) as server:
        ann, _ = await two_players(server)
    async with serving(tmp_path) as server:
        assert await refused(server, name="Ann") == "name_taken"
        fields = {"account": "Ann", "password": SECRET, "register": True}
        assert await refused(server, **fields) == "name_taken"
        back, welcome = await hello(server, token=ann.token)
        assert welcome.tables == (ann.table,)
        assert isinstance(await back.ask(m.Register, password=SECRET), m.Accepted)


@pytest.mark.parametrize(("guests", "code"), [("no", "guests_not_allowed"), ("lan", None)])
def test_guests_as_the_server_allows(tmp_path: Path, guests: str, code: str | None) -> None:
    @in_loop
    async def run() -> None:
        async with serving(tmp_path) as server:
            eve = await signed_in(server, name="Eve")
        async with serving(tmp_path, guests=guests) as server:
            for fields in ({"name": "Ann"}, {"token": eve.token}):
                _, answer = await hello(server, **fields)
                assert getattr(answer, "code", None) == code
            ann = await signed_in(server, account="Cid", password=SECRET, register=True)
            assert isinstance(await ann.ask(m.OpenTable), m.Accepted)

    run()


@in_loop
async def test_a_proxy_that_is_not_believed_brings_no_lan_guests(tmp_path: Path) -> None:
    """It may stand on this machine and speak for the whole internet."""

    async def comes(server: MatchServer, forwarded_for: str | None) -> str:
        headers = {"X-Forwarded-For": forwarded_for} if forwarded_for else {}
        url = f"ws://127.0.0.1:{server.port}"
        async with connect(url, additional_headers=headers, compression=None) as socket:
            await socket.send(write_message(m.Hello(protocol=m.PROTOCOL, name="Ann")))
            answer = read_server_message(bytes(await socket.recv()))  # type: ignore[arg-type]
        await eventually(lambda: len(server.house.people) == 0)  # the name is free again
        return answer.code if isinstance(answer, m.Refused) else "welcome"

    async with serving(tmp_path, guests="lan") as server:
        assert await comes(server, None) == "welcome"
        assert await comes(server, "192.168.1.7") == "guests_not_allowed"
    async with serving(tmp_path, guests="lan", trusted_proxies=("127.0.0.1",)) as server:
        assert await comes(server, "203.0.113.9") == "guests_not_allowed"
        assert await comes(server, "192.168.1.8") == "welcome"
        assert await comes(server, "fd12::8") == "welcome"
        assert await comes(server, "192.168.1.7, 203.0.113.9") == "guests_not_allowed"


@in_loop
async def test_accounts_made_by_officials_only(tmp_path: Path) -> None:
    async with serving(tmp_path, registration=False) as server:
        fields = {"account": "Ann", "password": SECRET, "register": True}
        assert await refused(server, **fields) == "not_allowed"
        eve = await signed_in(server, name="Eve")
        assert (await eve.ask(m.Register, password=SECRET)).code == "not_allowed"


@in_loop
async def test_an_invitation_is_enough_on_a_lan_without_accounts(tmp_path: Path) -> None:
    """BR-097: invite by code works on LAN without accounts; without the code nobody sits down."""
    async with serving(tmp_path, guests="lan", registration=False) as server:
        ann = await signed_in(server, name="Ann")
        table = await ann.open(private=True, watch="invited")
        bob, eve = await signed_in(server, name="Bob"), await signed_in(server, name="Eve")
        assert (await eve.join(table)).code == "wrong_invitation"
        assert (await eve.join(table, invitation="WRONG234")).code == "wrong_invitation"
        assert (await eve.watch(table)).code == "wrong_invitation"
        assert isinstance(await bob.join(table, invitation=ann.invitation), m.Accepted)
        assert (await eve.join(table, invitation=ann.invitation)).code == "table_full"
