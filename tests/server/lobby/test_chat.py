"""Chat: what a line becomes, who reads whom, who may write nothing, what stays."""

from pathlib import Path
from typing import Any

import pytest

from server.chat.text import check_line, cleaned
from shared_rules import messages as m
from shared_rules.messages import oversight as acts
from shared_rules.refusal import Refusal
from tests.server.bench_table import in_loop, serving, two_players
from tests.server.lobby.test_challenges import people, refused
from tests.server.test_oversight import account, done
from tests.server.wire_client import WireClient


@pytest.mark.parametrize(
    ("written", "read"),
    [
        ("  good   shot\n", "good shot"),
        ("tea\u202etxt.exe\u2066", "teatxt.exe"),
        ("a\x00b\x1b[31mc\u200b", "ab[31mc"),
        ("Ahoj, šťastný výběr!", "Ahoj, šťastný výběr!"),
        ("e" + "\u0335" * 50 + "!", "e" + "\u0335" * 3 + "!"),
        ("\U0001f468\u200d\U0001f469", "\U0001f468\u200d\U0001f469"),
    ],
)
def test_what_becomes_of_a_line(written: str, read: str) -> None:
    assert cleaned(written) == read
    check_line(read, 200)


@pytest.mark.parametrize("written", ["", " \n", "\u202e\u200d", "x" * 201])
def test_lines_that_nobody_gets(written: str) -> None:
    with pytest.raises(Refusal):
        check_line(cleaned(written), 200)


def lines(client: WireClient, channel: str) -> list[str]:
    """Everything that somebody has read in a channel, in order."""
    found: dict[int, str] = {}
    for x in client.seen:
        if isinstance(x, m.Said) and x.channel == channel:
            found[x.line.number] = x.line.text
        if isinstance(x, m.ChatShown) and x.channel == channel:
            found |= {line.number: line.text for line in x.lines}
    return [found[number] for number in sorted(found)]


async def said(client: WireClient, text: str, table: str | None = None) -> None:
    answer = await client.ask(m.Say, text=text, table=table)
    assert isinstance(answer, m.Accepted), answer


async def heard(client: WireClient, text: str) -> Any:
    return await client.until(lambda x: isinstance(x, m.Said) and x.line.text == text)


@in_loop
async def test_players_and_spectators_read_their_own_kind_only(tmp_path: Path) -> None:
    async with serving(tmp_path) as server:
        ann, bob = await two_players(server)
        eve, fay, out = await people(server, "Eve", "Fay", "Out")
        await eve.watch(ann.table)
        await said(ann, "good luck", ann.table)
        await heard(bob, "good luck")
        await said(eve, "go for the nine", ann.table)
        await fay.watch(ann.table)  # the last lines are for who comes
        await fay.until(lambda x: isinstance(x, m.ChatShown))
        await said(fay, "yes", ann.table)
        await heard(eve, "yes")
        assert lines(fay, "spectators") == ["go for the nine", "yes"]
        assert lines(ann, "spectators") == lines(bob, "spectators") == []
        assert lines(eve, "players") == lines(fay, "players") == []
        assert await refused(out, m.Say, text="hi", table=ann.table) == "not_at_this_table"
        token = bob.token
        bob.cut()
        bob = await WireClient.connect(server.port, token=token)
        await bob.join(ann.table)
        await bob.until(lambda x: isinstance(x, m.ChatShown))
        assert lines(bob, "players") == ["good luck"]
        replay = await ann.ask(m.GetReplay, match=ann.table)
        assert "good luck" not in repr(replay)


@in_loop
async def test_a_table_can_do_without(tmp_path: Path) -> None:
    async with serving(tmp_path) as server:
        ann, bob = await two_players(server, chat="players")
        eve, cid = await people(server, "Eve", "Cid")
        await eve.watch(ann.table)
        assert await refused(eve, m.Say, text="hi", table=ann.table) == "chat_is_off"
        await said(ann, "hi", ann.table)
        await heard(bob, "hi")
        await cid.open(chat="none")
        assert await refused(cid, m.Say, text="hi", table=cid.table) == "chat_is_off"


@in_loop
async def test_the_lobby_talks_and_people_mute_for_themselves(tmp_path: Path) -> None:
    async with serving(tmp_path) as server:
        ann, bob, cid = await people(server, "Ann", "Bob", "Cid")
        assert await refused(ann, m.Say, text="hi") == "wrong_state"
        for client in (ann, bob, cid):
            await client.ask(m.EnterLobby)
        await bob.ask(m.Relate, who="Ann", relation="mute")
        await said(ann, "hi all")
        await heard(cid, "hi all")
        await said(cid, "hello")
        await heard(bob, "hello")
        assert lines(bob, "lobby") == ["hello"]
        dan = (await people(server, "Dan"))[0]
        await dan.ask(m.Relate, who="Cid", relation="block")
        await dan.ask(m.EnterLobby)
        await dan.until(lambda x: isinstance(x, m.ChatShown))
        assert lines(dan, "lobby") == ["hi all"]


@in_loop
async def test_too_much_is_refused_also_after_coming_back(tmp_path: Path) -> None:
    async with serving(tmp_path) as server:
        (ann,) = await people(server, "Ann")
        await ann.ask(m.EnterLobby)
        for n in range(5):
            await said(ann, f"line {n}")
        assert await refused(ann, m.Say, text="more") == "too_many"
        ann = await WireClient.connect(server.port, token=ann.token)
        await ann.ask(m.EnterLobby)
        assert await refused(ann, m.Say, text="more") == "too_many"


@in_loop
async def test_officials_mute_for_all_and_referees_at_their_table(tmp_path: Path) -> None:
    async with serving(tmp_path) as server:
        adam = await account(server, "Adam", "official")
        ann, bob = await two_players(server, referee=True)
        rex, eve = await people(server, "Rex", "Eve")
        opened = next(x for x in ann.seen if isinstance(x, m.Accepted) and x.referee_invitation)
        rex.table = ann.table
        await rex.ask(m.OfficiateTable, table=ann.table, invitation=opened.referee_invitation)
        await eve.watch(ann.table)
        told = {"table": ann.table, "who": "Bob", "reason": "language"}
        assert await refused(eve, m.Silence, **told) == "not_allowed"
        assert await refused(ann, m.Silence, **told) == "not_allowed"
        await rex.ask(m.Silence, **told)
        silenced = await bob.until(lambda x: isinstance(x, m.Silenced))
        assert (silenced.by, silenced.on, silenced.reason) == ("Rex", True, "language")
        assert await refused(bob, m.Say, text="what?", table=ann.table) == "muted"
        await bob.ask(m.EnterLobby)
        await said(bob, "only there")  # a referee's word is for his table
        await rex.ask(m.Silence, **told, on=False)
        await said(bob, "thanks", ann.table)
        await heard(rex, "thanks")
        await done(adam, acts.MutePerson(who="Bob"))
        assert await refused(bob, m.Say, text="no", table=ann.table) == "muted"
        assert await refused(bob, m.Say, text="no") == "muted"
