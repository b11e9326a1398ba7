"""PINs over real sockets: given out, used, guessed at, changed, taken back."""

from pathlib import Path

import pytest
from websockets.asyncio.client import connect

from server.accounts.guessing import pin_guesses
from server.app import MatchServer
from shared_rules import messages as m
from shared_rules.messages import oversight as acts
from shared_rules.refusal import Refusal
from shared_rules.wire import read_server_message, write_message
from tests.server.bench_table import in_debug_loop, in_loop, serving
from tests.server.signing_in import OTHER, SECRET, check_nowhere, hello, refused, signed_in
from tests.server.test_oversight import account, done, give
from tests.server.wire_client import WireClient

PIN, NEW = "482913", "730264"


async def official(server: MatchServer, role: m.AccountRole = "official") -> WireClient:
    return await account(server, f"The {role}", role)


@pytest.mark.usefixtures("on_both")
@in_debug_loop
async def test_a_member_comes_in_by_his_pin_and_by_another_after_a_restart(tmp_path: Path) -> None:
    async with serving(tmp_path) as server:
        olga = await official(server)
        bob = await account(server, "Bob", "player")
        assert await refused(server, account="Bob", password=PIN) == "bad_password"
        await done(olga, acts.GivePin(who="Bob", pin=PIN))
        _, welcome = await hello(server, account="bob", password=PIN)
        assert (welcome.account, welcome.name) == (True, "Bob")
        await bob.until_closed()  # the same person
        await signed_in(server, account="Bob", password=SECRET)
        people = (await olga.ask(m.ListPeople, starts="Bob")).people
        assert [p.pin for p in people] == [True]
        await done(olga, acts.GivePin(who="Bob", pin=NEW))
        assert await refused(server, account="Bob", password=PIN) == "bad_password"
    async with serving(tmp_path) as server:
        await signed_in(server, account="Bob", password=NEW)
    check_nowhere(tmp_path, (PIN, NEW))


@in_loop
async def test_members_with_nothing_but_a_pin(tmp_path: Path) -> None:
    async with serving(tmp_path) as server:
        adam = await official(server, "administrator")
        await done(adam, acts.CreateAccount(name="Jan", pin=PIN))
        assert (await give(adam, acts.CreateAccount(name="Eva"))).code == "out_of_range"
        easy = acts.CreateAccount(name="Eva", pin="123456")
        assert (await give(adam, easy)).code == "weak_password"
        for nothing in ("-", SECRET):
            assert await refused(server, account="Jan", password=nothing) == "bad_password"
        jan = await signed_in(server, account="Jan", password=PIN)
        assert isinstance(
            await jan.ask(m.ChangePassword, old=PIN, new=SECRET), m.Accepted
        )  # his first password
        assert (await jan.ask(m.ChangePassword, old=PIN, new=OTHER)).code == "bad_password"
        await signed_in(server, account="Jan", password=SECRET)


@in_loop
async def test_ones_own_pin_is_changed_and_removed(tmp_path: Path) -> None:
    async with serving(tmp_path) as server:
        bob = await account(server, "Bob", "player")
        assert (await bob.ask(m.ChangePin, old=OTHER, pin=PIN)).code == "bad_password"
        assert (await bob.ask(m.ChangePin, old=SECRET, pin="111111")).code == "weak_password"
        assert (await bob.ask(m.ChangePin, old=SECRET, pin="12345x")).code == "weak_password"
        assert isinstance(await bob.ask(m.ChangePin, old=SECRET, pin=PIN), m.Accepted)
        assert isinstance(await bob.ask(m.ChangePin, old=PIN, pin=NEW), m.Accepted)
        bob = await signed_in(server, account="Bob", password=NEW)
        request = m.ChangePin(id=bob.next_id(), old=NEW)
        for _ in range(2):  # sent twice, it is done once
            assert isinstance(await bob.ask_again(request), m.Accepted)
        assert await refused(server, account="Bob", password=NEW) == "bad_password"
        eve = await signed_in(server, name="Eve")
        assert (await eve.ask(m.ChangePin, old=PIN, pin=NEW)).code == "not_allowed"


@in_loop
async def test_who_may_give_and_have_one(tmp_path: Path) -> None:
    async with serving(tmp_path) as server:
        adam, olga = await official(server, "administrator"), await official(server)
        rita, bob = await account(server, "Rita", "referee"), await account(server, "Bob", "player")
        await signed_in(server, name="Eve")
        for no in (rita, bob):
            assert (await give(no, acts.GivePin(who="Bob", pin=PIN))).code == "not_allowed"
            assert (await give(no, acts.TakePin(who="Bob"))).code == "not_allowed"
        for whom in ("Eve", "The official", "The administrator"):
            for by in (adam, olga):
                assert (await give(by, acts.GivePin(who=whom, pin=PIN))).code == "not_allowed"
        assert (await olga.ask(m.ChangePin, old=SECRET, pin=PIN)).code == "not_allowed"
        await done(olga, acts.GivePin(who="Rita", pin=PIN))
        await done(adam, acts.SetRole(who="Rita", role="official"))
        assert await refused(server, account="Rita", password=PIN) == "bad_password"
        await done(olga, acts.GivePin(who="Bob", pin=PIN))
        await done(olga, acts.TakePin(who="Bob"))
        await bob.until_closed()
        assert await refused(server, token=bob.token) == "bad_token"
        assert await refused(server, account="Bob", password=PIN) == "bad_password"
        recorded = await olga.ask(m.ListActions, who="Bob")
        assert [a.act for a in recorded.actions] == ["take_pin", "give_pin"]


@in_loop
async def test_a_server_without_pins_takes_and_gives_none(tmp_path: Path) -> None:
    async with serving(tmp_path) as server:
        olga = await official(server)
        await account(server, "Bob", "player")
        await done(olga, acts.GivePin(who="Bob", pin=PIN))
    async with serving(tmp_path, pins="no") as server:
        assert await refused(server, account="Bob", password=PIN) == "pins_not_allowed"
        olga = await signed_in(server, account="The official", password=SECRET)
        answer = await give(olga, acts.GivePin(who="Bob", pin=NEW))
        assert answer.code == "pins_not_allowed"
        bob = await signed_in(server, account="Bob", password=SECRET)
        assert (await bob.ask(m.ChangePin, old=SECRET, pin=NEW)).code == "pins_not_allowed"
    async with serving(tmp_path, trusted_proxies=("127.0.0.1",)) as server:
        far = {"X-Forwarded-For": "8.8.8.8"}
        async with connect(f"ws://127.0.0.1:{server.port}", additional_headers=far) as socket:
            told = m.Hello(protocol=m.PROTOCOL, account="Bob", password=PIN)
            await socket.send(write_message(told))
            answer = read_server_message(await socket.recv())
            assert isinstance(answer, m.Refused) and answer.code == "pins_not_allowed"


def tries(guesses, addresses: int, seconds: int) -> int:
    """How many PINs of an account are looked at, tried every ten seconds from everywhere."""
    looked_at = 0
    for now in range(0, seconds, 10):
        address = f"10.0.{now % addresses // 250}.{now % addresses % 250}"
        try:
            guesses.check("bob", address, float(now))
        except Refusal:
            continue
        guesses.failed("bob", address, float(now))
        looked_at += 1
    return looked_at


@pytest.mark.parametrize(("addresses", "known"), [(1, False), (500, False), (1, True)])
def test_a_pin_is_guessed_at_a_hundred_times_a_day_at_most(addresses: int, known: bool) -> None:
    guesses = pin_guesses()
    if known:
        guesses.know("bob", "10.0.0.0")
    assert 50 < tries(guesses, addresses, 86_400) < 110


def test_a_new_pin_ends_the_wait() -> None:
    guesses = pin_guesses()
    tries(guesses, 500, 3000)
    with pytest.raises(Refusal):
        guesses.check("bob", "10.9.9.9", 3001.0)
    guesses.forget("bob")
    guesses.check("bob", "10.9.9.9", 3002.0)
