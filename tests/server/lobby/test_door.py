"""The door for texts: no field is forgotten, none evades a mute, none steers a terminal."""

import typing
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec

from server.chat.door import NOT_READ, TEXTS, text_fields
from shared_rules import acts as c_acts
from shared_rules import commands as c
from shared_rules import messages as m
from shared_rules.messages import oversight as acts
from shared_rules.ruleset import Ruleset
from shared_rules.state import Phase
from tests.server.bench_table import in_loop, serving, two_players
from tests.server.lobby.test_challenges import SHORT, people, refused
from tests.server.test_oversight import account, done
from tests.server.wire_client import WireClient

NASTY = "\x1b[31myou\u202e \x07fool\n"
NICE = "[31myou fool"


def _parts(kind: Any) -> Iterator[Any]:
    """A type and everything that it is made of."""
    yield kind
    for part in typing.get_args(kind):
        yield from _parts(part)


def _is_text(kind: Any) -> bool:
    return any(part is str or part is Any for part in _parts(kind))


def _structs(kind: Any, known: set[type[msgspec.Struct]]) -> set[type[msgspec.Struct]]:
    """Every struct that a type may hold."""
    for part in _parts(kind):
        if isinstance(part, type) and issubclass(part, msgspec.Struct) and part not in known:
            known.add(part)
            for inner in typing.get_type_hints(part, include_extras=True).values():
                _structs(inner, known)
    return known


def _texts(kind: type[msgspec.Struct]) -> set[str]:
    hints = typing.get_type_hints(kind, include_extras=True)
    return {f for f in kind.__struct_fields__ if _is_text(hints[f])}


def test_every_text_of_a_client_passes_the_door_or_nobody_reads_it() -> None:
    structs = _structs(m.ClientMessage, set())
    assert {m.Say, c.RequestRuling, c_acts.CallFoul, acts.MutePerson, m.TableTerms} <= structs
    forgotten, wrong = [], []
    for kind in structs:
        told = {f for base in kind.__mro__ for f in NOT_READ.get(base, ())}
        passes = set(text_fields(kind))
        forgotten += [(kind.__name__, f) for f in _texts(kind) - told - passes]
        wrong += [(kind.__name__, f) for f in (told | passes) - _texts(kind) | (told & passes)]
    assert forgotten == [] and wrong == []
    assert {kind for kind in TEXTS if kind is not c_acts.Act} <= structs


def test_of_a_ruleset_only_its_name_is_free_text() -> None:
    found = {(s.__name__, f) for s in _structs(Ruleset, set()) for f in _texts(s)}
    assert found == {("Ruleset", "id"), ("Ruleset", "changed")}  # the second comes from the server


def _named(name: str) -> dict[str, Any]:
    return SHORT.overrides | {"id": name}


@in_loop
async def test_whatever_it_comes_in_a_text_is_cleaned(tmp_path: Path) -> None:
    async with serving(tmp_path) as server:
        adam = await account(server, "Adam", "official")
        ann, bob = await two_players(server, referee=True)
        cid, dan = await people(server, "Cid", "Dan")
        await cid.ask(m.EnterLobby)
        rex = await _referee(server, ann)
        await dan.open(overrides=_named(NASTY))
        asked = await cid.ask(m.Challenge, terms=m.TableTerms(overrides=_named(NASTY)))
        assert isinstance(asked, m.Accepted)
        shown = await cid.until(lambda x: isinstance(x, m.LobbyChanges) and x.challenges)
        assert shown.challenges[0].terms.overrides["id"] == NICE
        rows = {row.ruleset for row in (await cid.ask(m.ListTables)).tables}
        assert rows == {NICE, "nine_ball_epbf"}
        await rex.ask(m.Silence, table=ann.table, who="Bob", reason=NASTY)
        assert (await bob.until(lambda x: isinstance(x, m.Silenced))).reason == NICE
        await rex.give(c.Suspend(reason=NASTY))
        await ann.until_state(lambda s: s.phase is Phase.SUSPENDED)
        assert ann.said("suspended")[0].reason == NICE
        await done(adam, acts.KickPerson(who="Bob"), NASTY)
        goodbye = await bob.until(lambda x: isinstance(x, m.Goodbye))
        assert goodbye.reason.endswith(f": {NICE}")
        assert (await adam.ask(m.ListActions)).actions[0].reason == NICE
        nothing = await adam.ask(m.Oversee, act=acts.KickPerson(who="Cid"), reason="\u202e\x1b")
        assert nothing.code == "out_of_range"


@in_loop
async def test_a_ruleset_whose_name_is_no_text_is_refused_as_any_wrong_ruleset(
    tmp_path: Path,
) -> None:
    async with serving(tmp_path) as server:
        cid, dan = await people(server, "Cid", "Dan")
        await cid.ask(m.EnterLobby)
        for name in ([NASTY], {}, 7, None):
            terms = m.TableTerms(overrides=SHORT.overrides | {"id": name})
            assert (await cid.ask(m.Challenge, terms=terms)).code == "bad_ruleset"
            opened = await dan.ask(m.OpenTable, overrides=terms.overrides)
            assert opened.code == "bad_ruleset"


async def _referee(server: Any, ann: WireClient, name: str = "Rex") -> WireClient:
    rex = await WireClient.connect(server.port, name)
    opened = next(x for x in ann.seen if isinstance(x, m.Accepted) and x.referee_invitation)
    rex.table = ann.table
    await rex.ask(m.OfficiateTable, table=ann.table, invitation=opened.referee_invitation)
    return rex


@in_loop
async def test_a_mute_is_evaded_by_no_message(tmp_path: Path) -> None:
    async with serving(tmp_path) as server:
        adam = await account(server, "Adam", "official")
        ann, bob = await two_players(server, referee=True)
        rex = await _referee(server, ann)
        (cid,) = await people(server, "Cid")
        for who in ("Bob", "Rex", "Cid"):
            await done(adam, acts.MutePerson(who=who))
        assert (await bob.give(c.RequestRuling(reason="he is a fool"))).code == "muted"
        assert isinstance(await bob.give(c.RequestRuling()), m.Accepted)
        await ann.until_state(lambda s: s.phase is Phase.SUSPENDED)
        assert (await rex.give(c.Resume(reason="you fools"))).code == "muted"
        assert isinstance(await rex.give(c.Resume()), m.Accepted)
        silence = {"table": ann.table, "who": "Bob", "reason": "fool"}
        assert await refused(rex, m.Silence, **silence) == "muted"
        assert await refused(cid, m.OpenTable, overrides=_named("Bob is a fool")) == "muted"
        terms = m.TableTerms(overrides=_named("Bob is a fool"))
        assert await refused(cid, m.Challenge, terms=terms) == "muted"
        assert await refused(cid, m.QuickMatch, terms=terms) == "muted"
        (dan,) = await people(server, "Dan")
        asked = await dan.ask(m.Challenge, who="Cid")
        no = {"challenge": asked.challenge, "accept": False}
        assert await refused(cid, m.AnswerChallenge, **no, reason="fool") == "muted"
        assert isinstance(await cid.ask(m.AnswerChallenge, **no), m.Accepted)
        assert isinstance(await cid.ask(m.OpenTable), m.Accepted)


@in_loop
async def test_who_has_muted_somebody_reads_nothing_of_his(tmp_path: Path) -> None:
    async with serving(tmp_path) as server:
        ann, bob = await two_players(server, referee=True)
        rex = await _referee(server, ann)
        dan, cid = await people(server, "Dan", "Cid")
        for reader, who in ((dan, "Cid"), (ann, "Bob"), (ann, "Rex")):
            await reader.ask(m.Relate, who=who, relation="mute")
        asked = await dan.ask(m.Challenge, who="Cid")
        await cid.ask(m.AnswerChallenge, challenge=asked.challenge, accept=False, reason="fool")
        over = await dan.until(lambda x: isinstance(x, m.ChallengeOver))
        assert (over.outcome, over.reason) == ("declined", "")
        await bob.give(c.RequestRuling(reason="she is a fool"))
        await ann.until_state(lambda s: s.phase is Phase.SUSPENDED)
        assert ann.said("suspended")[0].reason == ""
        await rex.give(c.Resume())
        await ann.until_state(lambda s: s.phase is Phase.LAG)
        await rex.give(c.Suspend(reason="a moment"))  # a ruling is for all
        await ann.until_state(lambda s: s.phase is Phase.SUSPENDED)
        assert ann.said("suspended")[1].reason == "a moment"


@in_loop
async def test_texts_come_no_faster_in_other_messages_and_a_copy_is_none(tmp_path: Path) -> None:
    async with serving(tmp_path) as server:
        ann, bob = await two_players(server, referee=True)
        await _referee(server, ann)
        eve, fay = await people(server, "Eve", "Fay")
        ruling = bob.play(c.RequestRuling(reason="a double hit"))
        first = await bob.ask_again(ruling)
        assert isinstance(first, m.Accepted)
        for n in range(4):
            asked = await bob.ask(m.Say, text=f"line {n}", table=bob.table)
            assert isinstance(asked, m.Accepted)
        assert await refused(bob, m.Say, text="more", table=bob.table) == "too_many"
        assert await bob.ask_again(ruling) == first
        codes = []
        for _ in range(6):
            asked = await fay.ask(m.Challenge, who="Eve")
            no = {"challenge": asked.challenge, "accept": False, "reason": "fool"}
            codes.append(getattr(await eve.ask(m.AnswerChallenge, **no), "code", "ok"))
        assert codes == ["ok"] * 5 + ["too_many"]


@in_loop
async def test_a_silence_is_for_who_is_at_the_table_and_is_kept(tmp_path: Path) -> None:
    async with serving(tmp_path) as server:
        ann, bob = await two_players(server, referee=True)
        rex = await _referee(server, ann)
        out, eve = await people(server, "Out", "Eve")
        await eve.watch(ann.table)
        told = {"table": ann.table, "reason": "language"}
        assert await refused(rex, m.Silence, who="Out", **told) == "not_here"
        assert not [x for x in out.seen if isinstance(x, m.Silenced)]
        for who in ("Bob", "Eve"):
            assert isinstance(await rex.ask(m.Silence, who=who, **told), m.Accepted)
        await eve.ask(m.LeaveTable, table=eve.table)
        assert isinstance(await rex.ask(m.Silence, who="Eve", on=False, **told), m.Accepted)
    async with serving(tmp_path) as server:
        bob = await WireClient.connect(server.port, token=bob.token)
        await bob.join(ann.table)
        assert await refused(bob, m.Say, text="what?", table=ann.table) == "muted"
        ruling = c.RequestRuling(reason="what?")
        assert (await bob.give(ruling)).code == "muted"
        eve = await WireClient.connect(server.port, token=eve.token)
        await eve.watch(ann.table)
        assert isinstance(await eve.ask(m.Say, text="hi", table=ann.table), m.Accepted)
