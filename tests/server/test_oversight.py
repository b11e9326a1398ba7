"""What officials do to people and tables: allowed by role, on record, told, and undone."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from server.accounts import roles
from server.app import MatchServer
from server.names import name_key
from server.storage.people import new_role
from shared_rules import commands as c
from shared_rules import messages as m
from shared_rules.messages import oversight as acts
from shared_rules.refusal import Code, Refusal
from tests.server.bench_table import (
    eventually,
    in_debug_loop,
    in_loop,
    serving,
    two_players,
)
from tests.server.signing_in import OTHER, SECRET, hello, refused, signed_in
from tests.server.wire_client import WireClient


async def account(server: MatchServer, name: str, role: m.AccountRole) -> WireClient:
    """Somebody with an account of a role, signed in."""
    client = await signed_in(server, account=name, password=SECRET, register=True)
    person = server.house.people.present_by_key(name_key(name))
    assert person is not None
    await server.store.journal.write(new_role(person.id, role))
    person.role = role
    return client


async def give(who: WireClient, act: Any, reason: str = "because", **fields: Any) -> Any:
    return await who.ask(m.Oversee, act=act, reason=reason, **fields)


async def done(who: WireClient, act: Any, reason: str = "because") -> str:
    """Give an act that is accepted; returns its id on record."""
    answer = await give(who, act, reason)
    assert isinstance(answer, m.Accepted) and answer.action, answer
    return answer.action


async def recorded(by: WireClient, **fields: Any) -> tuple[m.ActionSummary, ...]:
    answer = await by.ask(m.ListActions, **fields)
    assert isinstance(answer, m.ActionsListed), answer
    return answer.actions


@contextmanager
def later(server: MatchServer, seconds: float) -> Iterator[None]:
    """The people's clock is ahead."""
    people = server.house.people
    wall = people.wall
    now = wall() + seconds
    people.wall = lambda: now
    try:
        yield
    finally:
        people.wall = wall


@in_loop
async def test_who_may_do_what(tmp_path: Path) -> None:
    async with serving(tmp_path, wrong_passwords_burst=100.0) as server:
        who = {
            role: await account(server, f"The {role}", role)
            for role in ("player", "spectator", "referee", "official", "administrator")
        }
        who["guest"] = await signed_in(server, name="Eve")
        victim = await signed_in(server, name="Vic")
        needed = {
            "administrator": (
                acts.CreateAccount(name="New", password=SECRET),
                acts.SetRole(who="The player", role="player"),
                acts.ResetPassword(who="The player", password=OTHER),
                acts.EndSessions(who="The referee"),
            ),
            "official": (
                acts.MutePerson(who="Vic"),
                acts.LiftSanction(action="nothing"),
                acts.CloseTable(table="NONE"),
                acts.ReopenTable(table="NONE"),
                acts.AdjournTable(table="NONE"),
                acts.AwardTable(table="NONE", seat=0),
                acts.SuspendPerson(who="Nobody"),
                acts.KickPerson(who="Nobody"),
            ),
        }
        assert sum(len(a) for a in needed.values()) == 12
        ladder = ("guest", "spectator", "player", "referee", "official", "administrator")
        for least, some in needed.items():
            for act in some:
                for name in ladder[: ladder.index(least)]:
                    answer = await give(who[name], act)
                    assert answer.code == "not_allowed", (name, act)
        for name in ladder[:4]:
            assert (await who[name].ask(m.ListPeople)).code == "not_allowed"
            assert (await who[name].ask(m.ListActions)).code == "not_allowed"
        assert await recorded(who["official"]) == ()  # what is refused is no act
        for act in needed["official"][1:]:
            assert (await give(who["official"], act)).code.startswith("unknown_")
        assert await victim.ask(m.Ping)


def test_every_role_and_right_is_in_the_table() -> None:
    assert set(roles.RIGHTS) == set(roles.RANKS)
    for below, above in zip(roles.RANKS, roles.RANKS[1:], strict=False):
        assert roles.RIGHTS[below] <= roles.RIGHTS[above]


@pytest.mark.usefixtures("on_both")
@in_debug_loop
async def test_a_suspension_holds_tells_why_and_is_lifted(tmp_path: Path) -> None:
    """BR-092: a sanction stores the evidence, is viewable, and reversible by an administrator."""
    async with serving(tmp_path) as server:
        ann, bob = await two_players(server)
        await account(server, "Adam", "administrator")
        otto = await account(server, "Otto", "official")
        until = server.house.people.wall() + 3600.0
        suspend = acts.SuspendPerson(who="Bob", until=until, table=ann.table, shots=(1, 2))
        action = await done(otto, suspend, "plays with a ruler")
        await bob.until_closed()
        goodbye = bob.seen[-1]
        assert goodbye.reason == "you are suspended: plays with a ruler" and not goodbye.come_back
        _, answer = await hello(server, token=bob.token)
        assert answer.code == "suspended" and "plays with a ruler" in answer.message
        assert "UTC" in answer.message
        (kept,) = await recorded(otto, who="Bob")
        assert (kept.act, kept.by, kept.who, kept.shots) == ("suspend", "Otto", "Bob", (1, 2))
        assert (kept.table, kept.until, kept.in_force) == (ann.table, until, True)
    async with serving(tmp_path) as server:  # over a restart
        assert await refused(server, token=bob.token) == "suspended"
        adam = await signed_in(server, account="Adam", password=SECRET)
        listed = (await adam.ask(m.ListPeople, starts="BO")).people
        assert [(p.name, p.sanctions) for p in listed] == [("Bob", (action,))]
        await done(adam, acts.LiftSanction(action=action), "it was a cue")
        assert (await give(adam, acts.LiftSanction(action=action))).code == "wrong_state"
        _, welcome = await hello(server, token=bob.token)
        assert welcome.tables == (ann.table,)
        lift, kept = await recorded(adam, who="Bob")
        assert (lift.act, lift.by, kept.in_force) == ("lift", "Adam", False)
        assert (kept.undone_by, kept.undone_reason) == ("Adam", "it was a cue")


@in_loop
async def test_a_suspension_ends_by_itself(tmp_path: Path) -> None:
    async with serving(tmp_path) as server:
        otto = await account(server, "Otto", "official")
        bob = await signed_in(server, name="Bob")
        now = server.house.people.wall()
        answer = await give(otto, acts.SuspendPerson(who="Bob", until=now - 1.0))
        assert answer.code == "out_of_range"
        await done(otto, acts.SuspendPerson(who="Bob", until=now + 600.0))
        assert await refused(server, token=bob.token) == "suspended"
        with later(server, 700.0):
            assert isinstance((await hello(server, token=bob.token))[1], m.Welcome)


@in_loop
async def test_a_suspended_account_is_told_only_with_its_password(tmp_path: Path) -> None:
    async with serving(tmp_path) as server:
        otto = await account(server, "Otto", "official")
        await signed_in(server, account="Bob", password=SECRET, register=True)
        await done(otto, acts.SuspendPerson(who="Bob"))
        assert await refused(server, account="Bob", password=OTHER) == "bad_password"
        assert await refused(server, account="Bob", password=SECRET) == "suspended"


@in_loop
async def test_a_mute_and_a_kick(tmp_path: Path) -> None:
    async with serving(tmp_path) as server:
        otto = await account(server, "Otto", "official")
        bob = await signed_in(server, name="Bob")
        person = server.house.people.present_by_key("bob")
        assert person is not None
        now = server.house.people.wall()
        person.check_may_talk(now)
        mute = await done(otto, acts.MutePerson(who="Bob", until=now + 60.0), "swears")
        with pytest.raises(Refusal) as why:
            person.check_may_talk(now)
        assert why.value.code is Code.MUTED and "swears" in why.value.message
        person.check_may_talk(now + 61.0)
        await done(otto, acts.KickPerson(who="Bob"), "calm down")
        await bob.until_closed()
        assert not bob.seen[-1].come_back and "calm down" in bob.seen[-1].reason
        await signed_in(server, token=bob.token)  # he may come back, and is still muted
        person = server.house.people.present_by_key("bob")
        assert person is not None
        with pytest.raises(Refusal):
            person.check_may_talk(now)
        await done(otto, acts.LiftSanction(action=mute))
        person.check_may_talk(now)


@pytest.mark.usefixtures("on_both")
@in_loop
async def test_rank_protects_and_an_administrator_stays(tmp_path: Path) -> None:
    async with serving(tmp_path) as server:
        adam = await account(server, "Adam", "administrator")
        otto = await account(server, "Otto", "official")
        await account(server, "Olga", "official")
        assert (await give(otto, acts.SuspendPerson(who="Adam"))).code == "not_allowed"
        assert (await give(otto, acts.KickPerson(who="Olga"))).code == "not_allowed"
        assert (await give(otto, acts.SuspendPerson(who="Otto"))).code == "not_allowed"
        for act in (acts.SetRole(who="Adam", role="player"), acts.SuspendPerson(who="Adam")):
            assert (await give(adam, act)).code == "not_allowed"
        await done(adam, acts.SetRole(who="Otto", role="administrator"))
        suspended = await done(otto, acts.SuspendPerson(who="Adam"), "gone mad")
        # now Otto is the last who can act
        assert (await give(otto, acts.SetRole(who="Otto", role="player"))).code == "not_allowed"
        await done(otto, acts.LiftSanction(action=suspended))
        await done(otto, acts.SetRole(who="Otto", role="player"))
        assert (await otto.ask(m.ListPeople)).code == "not_allowed"  # at once


@in_debug_loop
async def test_accounts_of_others(tmp_path: Path) -> None:
    async with serving(tmp_path) as server:
        adam = await account(server, "Adam", "administrator")
        create = acts.CreateAccount(name="Rita", password=SECRET, role="referee")
        await done(adam, create)
        assert (await give(adam, create)).code == "name_taken"
        rita, welcome = await hello(server, account="Rita", password=SECRET)
        assert welcome.role == "referee"
        await done(adam, acts.ResetPassword(who="Rita", password=OTHER), "lost")
        await rita.until_closed()
        assert await refused(server, token=rita.token) == "bad_token"
        rita = await signed_in(server, account="Rita", password=OTHER)
        await done(adam, acts.EndSessions(who="Rita"), "stolen laptop")
        await rita.until_closed()
        assert await refused(server, token=rita.token) == "bad_token"
        assert await refused(server, account="Rita", password=SECRET) == "bad_password"
        weak = acts.ResetPassword(who="Rita", password="password1")
        assert (await give(adam, weak)).code == "weak_password"
        await signed_in(server, name="Eve")
        assert (await give(adam, acts.SetRole(who="Eve", role="referee"))).code == "not_allowed"
        for file in ("server.sqlite3", "server.sqlite3-wal"):
            data = (tmp_path / file).read_bytes()
            assert SECRET.encode() not in data and OTHER.encode() not in data


@pytest.mark.usefixtures("on_both")
@in_loop
async def test_an_act_sent_twice_is_done_once(tmp_path: Path) -> None:
    async with serving(tmp_path) as server:
        otto = await account(server, "Otto", "official")
        await signed_in(server, name="Bob")
        request = m.Oversee(id=otto.next_id(), act=acts.MutePerson(who="Bob"), reason="loud")
        first = await otto.ask_again(request)
    async with serving(tmp_path) as server:
        otto = await signed_in(server, token=otto.token)
        assert await otto.ask_again(request) == first
        assert len(await recorded(otto)) == 1
        other = m.Oversee(id=request.id, act=request.act, reason="quiet")
        assert (await otto.ask_again(other)).code == "id_reused"


@in_loop
async def test_roles_at_a_table(tmp_path: Path) -> None:
    """A spectator's account only watches; a referee's needs no invitation to officiate."""
    async with serving(tmp_path) as server:
        ann, bob = await two_players(server, referee=True, watch="nobody", private=True)
        cam = await account(server, "Camera", "spectator")
        assert (await cam.ask(m.OpenTable)).code == "not_allowed"
        assert (await cam.join(ann.table, invitation=ann.invitation)).code == "not_allowed"
        assert (await cam.watch(ann.table)).code == "watching_not_allowed"
        rita = await account(server, "Rita", "referee")
        assert isinstance(await rita.ask(m.OfficiateTable, table=ann.table), m.Accepted)
        snapshot = await rita.until(lambda x: isinstance(x, m.Snapshot))
        assert (snapshot.role, snapshot.invitation) == ("referee", None)
        otto = await account(server, "Otto", "official")
        assert (await otto.ask(m.OfficiateTable, table=ann.table)).code == "table_full"
        assert isinstance(await otto.watch(ann.table), m.Accepted)
        snapshot = await otto.until(lambda x: isinstance(x, m.Snapshot))
        assert (snapshot.role, snapshot.invitation) == ("spectator", ann.invitation)
        # the evidence of a sanction can be looked at, whoever may watch the table
        shown = await otto.ask(m.GetReplay, match=ann.table)
        assert isinstance(shown, m.Replay) and shown.summary.players == ("Ann", "Bob")
        assert (await cam.ask(m.GetReplay, match=ann.table)).code == "watching_not_allowed"
        # an unseen lag stroke stays unseen, whoever watches
        await ann.strike(3.0)
        for client in (rita, otto):
            client.table = ann.table
            state = await client.until_state(lambda s: s.lag is not None and s.lag.struck[0])
            assert state.lag is not None and state.lag.strokes == (None, None)
        assert (await otto.give(c.WarnSlowPlay())).code == "not_at_this_table"
        eve = await signed_in(server, name="Eve")
        assert (await eve.ask(m.OfficiateTable, table=ann.table)).code == "wrong_invitation"
        plain = await signed_in(server, name="Cid")
        await plain.open()
        assert (await rita.ask(m.OfficiateTable, table=plain.table)).code == "no_referee"
        await bob.close()


@pytest.mark.usefixtures("on_both")
@in_loop
async def test_a_guest_who_has_gone_is_found_by_his_name(tmp_path: Path) -> None:
    async with serving(tmp_path) as server:
        adam = await account(server, "Adam", "administrator")
        for n in range(2):
            bob = await WireClient.connect(server.port, "Bob")
            person = server.house.people.present_by_key("bob")
            assert person is not None
            await bob.close()
            await eventually(lambda: server.house.people.present_by_key("bob") is None)
            if n == 0:
                await done(adam, acts.MutePerson(who="Bob"))
                assert (await recorded(adam))[0].person == person.id
        # two of that name: nobody is picked by chance
        answer = await give(adam, acts.SuspendPerson(who="Bob"))
        assert answer.code == "unknown_person" and person.id in answer.message
        await done(adam, acts.SuspendPerson(who=person.id))
        assert await refused(server, token=bob.token) == "suspended"
        assert (await give(adam, acts.SuspendPerson(who="Rob"))).code == "unknown_person"


@in_loop
async def test_people_are_listed_in_pages(tmp_path: Path) -> None:
    async with serving(tmp_path) as server:
        otto = await account(server, "Otto", "official")
        for n in range(5):
            guest = await signed_in(server, name=f"Guest {n}")
            if n % 2:
                await guest.close()
        await guest.open()
        names, after = [], None
        while True:
            page = await otto.ask(m.ListPeople, limit=2, after=after)
            names += [p.name for p in page.people]
            after = page.more
            if after is None:
                break
        assert sorted(names) == [*(f"Guest {n}" for n in range(5)), "Otto"] and names[-1] == "Otto"
        (last,) = (await otto.ask(m.ListPeople, starts="guest 4")).people
        assert (last.account, last.present, last.tables) == (False, True, (guest.table,))
        assert not (await otto.ask(m.ListPeople, starts="guest 3")).people[0].present
        assert (await otto.ask(m.ListPeople, after="nonsense")).code == "out_of_range"
        assert (await otto.ask(m.ListActions, who="Nobody")).code == "unknown_person"
