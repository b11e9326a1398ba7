"""Accounts over real sockets: making one, coming in, devices, guesses, guests."""

from pathlib import Path
from typing import Any

import pytest
from websockets.asyncio.client import connect

from server.app import MatchServer
from server.storage.journal import NotStored
from shared_rules import messages as m
from shared_rules.wire import read_server_message, write_message
from tests.server.bench_table import eventually, in_debug_loop, in_loop, serving, two_players
from tests.server.wire_client import WireClient

SECRET = "correct horse 8"
OTHER = "battery staple 9"


async def hello(server: MatchServer, **fields: Any) -> tuple[WireClient, Any]:
    """A new connection, and what its hello was answered."""
    client = await WireClient.connect(server.port)
    await client.send(m.Hello(protocol=m.PROTOCOL, **fields))
    answer = await client.until(lambda x: isinstance(x, m.Welcome | m.Refused))
    if isinstance(answer, m.Welcome):
        client.token = answer.token
    return client, answer


async def refused(server: MatchServer, **fields: Any) -> str:
    """The code of a hello that is refused."""
    client, answer = await hello(server, **fields)
    await client.close()
    assert isinstance(answer, m.Refused), answer
    return answer.code


async def signed_in(server: MatchServer, **fields: Any) -> WireClient:
    client, answer = await hello(server, **fields)
    assert isinstance(answer, m.Welcome), answer
    return client


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


@in_debug_loop
async def test_a_new_password_ends_the_other_devices(tmp_path: Path) -> None:
    async with serving(tmp_path) as server:
        old = await signed_in(server, account="Ann", password=SECRET, register=True)
        ann = await signed_in(server, account="Ann", password=SECRET)
        assert (await ann.ask(m.ChangePassword, old=OTHER, new=OTHER)).code == "bad_password"
        request = m.ChangePassword(id=ann.next_id(), old=SECRET, new=OTHER)
        assert isinstance(await ann.ask_again(request), m.Accepted)
        assert isinstance(await ann.ask_again(request), m.Accepted)  # sent twice, done once
        assert await refused(server, token=old.token) == "bad_token"
        assert await refused(server, account="Ann", password=SECRET) == "bad_password"
        assert isinstance((await hello(server, token=ann.token))[1], m.Welcome)
        assert isinstance((await hello(server, account="Ann", password=OTHER))[1], m.Welcome)


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
async def test_unknown_names_and_wrong_passwords_look_the_same(tmp_path: Path) -> None:
    async with serving(tmp_path) as server:
        ann = await signed_in(server, account="Ann", password=SECRET, register=True)
        await ann.close()
        _, known = await hello(server, account="Ann", password=OTHER)
        _, unknown = await hello(server, account="Nobody", password=OTHER)
        _, nonsense = await hello(server, account="\u202e", password=OTHER)
        assert known == unknown == nonsense and known.code == "bad_password"
        verified: list[str] = []
        passwords = server.house.people.passwords
        passwords._hasher = _Spy(passwords._hasher, verified)  # type: ignore[assignment]
        await refused(server, account="Nobody", password=OTHER)
        assert [h.split("$")[:4] for h in verified] == [
            (await passwords.hash(SECRET)).split("$")[:4]
        ]


class _Spy:
    """A hasher that tells which hashes it has verified: nobody's is of the same profile."""

    def __init__(self, hasher: Any, verified: list[str]) -> None:
        self._hasher, self._verified = hasher, verified

    def verify(self, stored: str, password: str) -> bool:
        self._verified.append(stored)
        return bool(self._hasher.verify(stored, password))

    def __getattr__(self, name: str) -> Any:
        return getattr(self._hasher, name)


@in_loop
async def test_password_guessing_is_slowed_and_the_owner_comes_in_all_the_same(
    tmp_path: Path,
) -> None:
    """BR-089: guesses are refused and counted; a token is no guess."""
    async with serving(tmp_path) as server:
        ann = await signed_in(server, account="Ann", password=SECRET, register=True)
        codes = []
        for n in range(8):
            codes.append(await refused(server, account="Ann", password=f"wrong guess {n}"))
        assert codes[:4] == ["bad_password"] * 4 and codes[4:] == ["flooding"] * 4
        assert server.house.metrics.refused["bad_password"] == 4
        assert server.house.metrics.refused["flooding"] == 4
        assert server.house.people.proof.guesses.refused == 4
        _, welcome = await hello(server, token=ann.token)
        assert isinstance(welcome, m.Welcome)
        # other accounts of this address are not shut out with it
        assert await refused(server, account="Bob", password=SECRET) == "bad_password"


@in_loop
async def test_who_is_known_at_an_address_is_not_shut_out_with_who_guesses_there(
    tmp_path: Path,
) -> None:
    async with serving(tmp_path, messages_burst=1000.0) as server:
        await signed_in(server, account="Ann", password=SECRET, register=True)
        codes = []
        for n in range(12):
            codes.append(await refused(server, account=f"Somebody {n}", password=OTHER))
        assert codes == ["bad_password"] * 10 + ["flooding"] * 2
        again = await signed_in(server, account="Ann", password=SECRET)
        assert await refused(server, account="Bob", password=SECRET) == "flooding"
        for n in range(6):
            await refused(server, account="Ann", password=f"wrong guess {n}")
        assert await refused(server, account="Ann", password=SECRET) == "flooding"
        # nobody's guesses keep who is signed in from changing his password
        answer = await again.ask(m.ChangePassword, old=SECRET, new=OTHER)
        assert isinstance(answer, m.Accepted)


@in_loop
async def test_a_connection_that_guesses_is_hung_up(tmp_path: Path) -> None:
    async with serving(tmp_path, wrong_passwords_burst=1000.0) as server:
        client = await WireClient.connect(server.port)
        for n in range(60):
            guess = m.Hello(protocol=m.PROTOCOL, account=f"Nobody {n}", password=OTHER)
            await client.raw(write_message(guess))
        await client.until_closed()
        assert client.seen[-1] == m.Goodbye(reason="flooding", come_back=False)


@in_loop
async def test_hashing_never_holds_the_loop_and_its_queue_is_bounded(tmp_path: Path) -> None:
    async with serving(
        tmp_path, password_memory_kib=64 * 1024, password_queue=2, wrong_passwords_burst=100.0
    ) as server:
        clients = [await WireClient.connect(server.port) for _ in range(6)]
        for n, client in enumerate(clients):
            await client.send(m.Hello(protocol=m.PROTOCOL, account=f"Nobody {n}", password=OTHER))
        answers = [await client.until(lambda x: isinstance(x, m.Refused)) for client in clients]
        codes = sorted(answer.code for answer in answers)
        assert codes == ["bad_password"] * 2 + ["overloaded"] * 4
        assert server.house.people.passwords.waiting == 0


@in_loop
async def test_a_hash_of_another_profile_is_made_anew(tmp_path: Path) -> None:
    async with serving(tmp_path) as server:
        await signed_in(server, account="Ann", password=SECRET, register=True)
        before = await server.store.people.account("ann")
    async with serving(tmp_path, password_passes=2) as server:
        await signed_in(server, account="Ann", password=SECRET)
        after = await server.store.people.account("ann")
        assert before is not None and after is not None
        assert "t=1," in before[1] and "t=2," in after[1]
        await signed_in(server, account="Ann", password=SECRET)
        assert await server.store.people.account("ann") == after


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
async def test_a_password_is_the_same_however_its_letters_are_composed(tmp_path: Path) -> None:
    async with serving(tmp_path) as server:
        composed, apart = "kůň v poli", "ku\u030an\u030c v poli"
        assert composed != apart
        await signed_in(server, account="Ann", password=apart, register=True)
        await signed_in(server, account="Ann", password=composed)


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


@in_loop
async def test_secrets_are_stored_hashed_only(tmp_path: Path) -> None:
    async with serving(tmp_path) as server:
        ann = await signed_in(server, account="Ann", password=SECRET, register=True)
        bob = await signed_in(server, name="Bob")
    _check_nowhere(tmp_path, (SECRET, ann.token, bob.token))


def _check_nowhere(folder: Path, secrets: tuple[str, ...]) -> None:
    for file in folder.iterdir():
        data = file.read_bytes()
        for secret in secrets:
            assert secret.encode() not in data, file
