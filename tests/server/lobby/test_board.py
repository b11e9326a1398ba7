"""The board: pushed to those who ask, in batches, the same bytes for all; friends."""

import asyncio
from pathlib import Path
from typing import Any

from shared_rules import messages as m
from tests.server.bench_table import eventually, in_loop, serving
from tests.server.lobby.test_challenges import SHORT, is_a, people, refused
from tests.server.rating.rated import lose, match
from tests.server.test_oversight import account
from tests.server.wire_client import WireClient


class Known:
    """What a client makes of ``lobby`` and ``lobby_changes``."""

    def __init__(self, client: WireClient) -> None:
        self.client = client
        self.seq = -1
        self.people: dict[str, m.LobbyPerson] = {}
        self.tables: dict[str, m.LobbyTable] = {}
        self.challenges: dict[str, m.ChallengeSummary] = {}
        self.read = 0

    def look(self) -> "Known":
        for message in self.client.seen[self.read :]:
            if isinstance(message, m.LobbyShown):
                self.people, self.tables, self.challenges = {}, {}, {}
            elif isinstance(message, m.LobbyChanges):
                assert message.seq == self.seq + 1
                for gone, kept in (
                    (message.people_gone, self.people),
                    (message.tables_gone, self.tables),
                    (message.challenges_gone, self.challenges),
                ):
                    for name in gone:
                        kept.pop(name)  # type: ignore[attr-defined]
            else:
                continue
            self.seq = message.seq
            self.people |= {p.name: p for p in message.people}
            self.tables |= {t.table: t for t in message.tables}
            self.challenges |= {c.challenge: c for c in message.challenges}
        self.read = len(self.client.seen)
        return self

    async def until(self, wanted: Any) -> None:
        await eventually(lambda: bool(wanted(self.look())))


@in_loop
async def test_what_changes_is_told_to_who_is_in_the_lobby_only(tmp_path: Path) -> None:
    async with serving(tmp_path) as server:
        eve, out = await people(server, "Eve", "Out")
        await eve.ask(m.EnterLobby)
        known = Known(eve)
        await known.until(lambda k: set(k.people) == {"Eve", "Out"})
        ann, bob = [await account(server, name, "player") for name in ("Ann", "Bob")]
        await known.until(lambda k: k.people.get("Bob") and k.people["Bob"].account)
        made = await ann.ask(m.Challenge, terms=SHORT)
        await known.until(lambda k: made.challenge in k.challenges)
        table = await match(ann, bob)
        await known.until(lambda k: not k.challenges and k.tables[table].status == "playing")
        await known.until(lambda k: k.people["Ann"].status == "playing")
        assert known.people["Ann"].table == table and known.people["Ann"].ratings == {}
        await lose(ann, bob)
        await known.until(lambda k: k.people["Bob"].ratings.get("nine_ball", 0) > 1600)
        await bob.close()
        await known.until(lambda k: "Bob" not in k.people)
        await eve.ask(m.LeaveLobby)
        await ann.close()
        await asyncio.sleep(1.2)
        assert "Ann" in known.look().people
        assert not [x for x in out.seen if isinstance(x, m.LobbyShown | m.LobbyChanges)]


@in_loop
async def test_the_lobby_is_told_in_batches_and_encoded_once(tmp_path: Path) -> None:
    async with serving(tmp_path) as server:
        readers = await people(server, *(f"Reader {n}" for n in range(5)))
        for reader in readers:
            await reader.ask(m.EnterLobby)
        await Known(readers[0]).until(lambda k: len(k.people) == 5)
        starts = [len(r.seen) for r in readers]
        for n in range(30):
            await WireClient.connect(server.port, f"New {n}")
        await Known(readers[0]).until(lambda k: len(k.people) == 35)
        told = [
            [x for x in r.seen[start:] if isinstance(x, m.LobbyChanges)]
            for r, start in zip(readers, starts, strict=True)
        ]
        assert sum(len(x.people) for x in told[0]) == 30  # each once, and in far fewer messages
        assert len(told[0]) < 30


@in_loop
async def test_a_reader_who_is_too_slow_gets_the_whole_lobby_instead(tmp_path: Path) -> None:
    async with serving(tmp_path) as server:
        (eve,) = await people(server, "Eve")
        await eve.ask(m.EnterLobby)
        person = server.house.people.present_by_key("eve")
        assert person is not None and person.connection is not None
        start = len(eve.seen)
        person.connection.reseed("lobby")
        shown = await eve.until(is_a(m.LobbyShown), start)
        assert [p.name for p in shown.people] == ["Eve"]


@in_loop
async def test_followers_are_told_who_sits_down_where_they_may_watch(tmp_path: Path) -> None:
    async with serving(tmp_path) as server:
        ann = await account(server, "Ann", "player")
        bob, cid = await people(server, "Bob", "Cid")
        for client in (bob, cid):
            await client.ask(m.Relate, who="Ann", relation="follow")
        await ann.ask(m.Relate, who="Cid", relation="block")
        await ann.open(watch="nobody")
        await ann.ask(m.LeaveTable, table=ann.table)
        table = await ann.open()
        seen = await bob.until(is_a(m.FriendSeated))
        assert (seen.name, seen.table, seen.watch) == ("Ann", table, "everyone")
        assert not [x for x in cid.seen if isinstance(x, m.FriendSeated)]
        assert len([x for x in bob.seen if isinstance(x, m.FriendSeated)]) == 1
        token = bob.token
    async with serving(tmp_path) as server:  # it is stored
        bob = await WireClient.connect(server.port, token=token)
        listed = await bob.ask(m.ListRelations)
        assert (listed.follow, listed.mute, listed.block) == (("Ann",), (), ())
        await bob.ask(m.Relate, who="Ann", relation="follow", on=False)
        await bob.ask(m.Relate, who="Ann", relation="follow", on=False)
        assert (await bob.ask(m.ListRelations)).follow == ()
        assert await refused(bob, m.Relate, who="Bob", relation="mute") == "not_allowed"
        assert await refused(bob, m.Relate, who="Nobody", relation="mute") == "unknown_person"
