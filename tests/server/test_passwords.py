"""Passwords over real sockets: guesses, hashes, a new one."""

import threading
from pathlib import Path
from typing import Any

import pytest

from server.accounts import guessable, passwords
from server.accounts.passwords import check_password
from shared_rules import messages as m
from shared_rules.refusal import Refusal
from shared_rules.wire import write_message
from tests.server.bench_table import eventually, in_debug_loop, in_loop, serving
from tests.server.signing_in import OTHER, SECRET, check_nowhere, hello, refused, signed_in
from tests.server.wire_client import WireClient


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


@in_loop
async def test_a_password_is_the_same_however_its_letters_are_composed(tmp_path: Path) -> None:
    async with serving(tmp_path) as server:
        composed, apart = "kůň v poli", "ku\u030an\u030c v poli"
        assert composed != apart
        await signed_in(server, account="Ann", password=apart, register=True)
        await signed_in(server, account="Ann", password=composed)


@in_loop
async def test_secrets_are_stored_hashed_only(tmp_path: Path) -> None:
    async with serving(tmp_path) as server:
        ann = await signed_in(server, account="Ann", password=SECRET, register=True)
        bob = await signed_in(server, name="Bob")
    check_nowhere(tmp_path, (SECRET, ann.token, bob.token))


@in_loop
async def test_wherever_a_password_is_chosen_a_common_one_is_refused(tmp_path: Path) -> None:
    async with serving(tmp_path) as server:
        fields = {"account": "Ann", "password": "1234567890", "register": True}
        assert await refused(server, **fields) == "weak_password"
        ann = await signed_in(server, name="Ann")
        assert (await ann.ask(m.Register, password="qwertzuiop")).code == "weak_password"
        assert isinstance(await ann.ask(m.Register, password=SECRET), m.Accepted)
        answer = await ann.ask(m.ChangePassword, old=SECRET, new="slunicko")
        assert answer.code == "weak_password"


@in_loop
async def test_newcomers_who_choose_passwords_keep_no_member_from_signing_in(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As many as find a place, and more, however long the judging of theirs takes."""
    judging, judged = threading.Event(), threading.Event()

    def slowly(password: str, name: str) -> None:
        judging.set()
        assert judged.wait(60.0)

    async with serving(tmp_path, password_queue=3, new_people_burst=100.0) as server:
        await signed_in(server, account="Ann", password=SECRET, register=True)
        monkeypatch.setattr(passwords, "check_password", slowly)
        crowd = [await WireClient.connect(server.port) for _ in range(6)]
        for n, client in enumerate(crowd):
            hello = {"account": f"Newcomer {n}", "password": OTHER, "register": True}
            await client.send(m.Hello(protocol=m.PROTOCOL, **hello))
            filled = min(n + 1, 3)
            await eventually(lambda n=filled: server.house.people.passwords.waiting >= n)
        turned_away = [
            await client.until(lambda x: isinstance(x, m.Refused)) for client in crowd[3:]
        ]
        assert {answer.code for answer in turned_away} == {"overloaded"}
        assert judging.is_set() and server.house.people.passwords.waiting == 3
        await signed_in(server, account="Ann", password=SECRET)
        judged.set()
        for client in crowd[:3]:
            await client.until(lambda x: isinstance(x, m.Welcome))


def test_a_long_password_is_judged_by_its_harder_end() -> None:
    weak, odd = "password" * 2, "Zq7vXk2mWc9r"
    for chosen in (weak + odd, odd + weak, weak * 3 + odd):
        check_password(chosen, "Ann")
    with pytest.raises(Refusal):
        check_password(weak * 5, "Ann")


def test_only_so_much_of_a_password_is_looked_at_as_can_be_judged_at_once(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """zxcvbn's work on signs that stand for letters grows without bound with their number."""
    asked = []
    real = guessable.zxcvbn
    monkeypatch.setattr(
        guessable, "zxcvbn", lambda part, words: asked.append(part) or real(part, words)
    )
    check_password("@@-6tee3%!(ei0e+a319is.4" * 5, "Ann")
    assert asked and max(map(len, asked)) == guessable.LOOKED_AT == 16
