"""Nobody decides a match of his own: not as its referee, not as an official."""

from pathlib import Path
from typing import Any

import pytest

from shared_rules import commands as c
from shared_rules import messages as m
from shared_rules.messages import oversight as acts
from shared_rules.state import Phase
from tests.server.bench_table import in_loop, serving, two_players
from tests.server.club.test_round_robin import enter, opened, shown
from tests.server.club.test_running import id_of
from tests.server.rating.rated import lose, match, rating
from tests.server.test_oversight import account, done, give
from tests.server.test_referee import referee_of
from tests.server.wire_client import WireClient

WIN = c.AwardLoss(seat=0, scope="match", reason="I win")


def code_of(answer: Any) -> str:
    return str(getattr(answer, "code", answer))


@pytest.mark.parametrize("role", ["player", "referee", "official"])
@in_loop
async def test_the_referee_of_a_table_takes_no_seat_at_it(tmp_path: Path, role: Any) -> None:
    """By invitation or by role; once he has left the chair he is a player, and nothing else."""
    async with serving(tmp_path) as server:
        ann = await WireClient.connect(server.port, "Ann")
        rex = await account(server, "Rex", role)
        table = await ann.open(referee=True)
        opened = next(x for x in ann.seen if getattr(x, "referee_invitation", None))
        invitation = opened.referee_invitation if role == "player" else None
        chair = {"table": table, "invitation": invitation}
        assert isinstance(await rex.ask(m.OfficiateTable, **chair), m.Accepted)
        assert code_of(await rex.join(table, invitation=ann.invitation)) == "is_referee"
        room = server.house.floor.tables[table].room
        assert room.seats[1] is None and room.state is None
        await rex.ask(m.LeaveTable, table=table)
        start = len(rex.seen)
        assert isinstance(await rex.join(table, invitation=ann.invitation), m.Accepted)
        shown = await rex.until(lambda x: isinstance(x, m.Snapshot), start)
        assert (shown.role, shown.seat, shown.referee) == ("player", 1, None)
        await rex.until_state(lambda s: s.phase is Phase.LAG)
        assert code_of(await rex.ask(m.OfficiateTable, **chair)) == "already_playing"
        assert code_of(await rex.give(WIN)) == "not_allowed"
        assert isinstance(await rex.strike(2.0), m.Accepted)


@in_loop
async def test_who_has_left_the_chair_and_comes_to_watch_is_a_spectator(tmp_path: Path) -> None:
    async with serving(tmp_path) as server:
        ann, bob = await two_players(server, referee=True)
        rita = await referee_of(server, ann)
        await rita.ask(m.LeaveTable, table=ann.table)
        start = len(rita.seen)
        await rita.watch(ann.table)
        snapshot = await rita.until(lambda x: isinstance(x, m.Snapshot), start)
        assert (snapshot.role, snapshot.referee) == ("spectator", None)
        assert code_of(await rita.give(WIN)) == "not_at_this_table"
        assert code_of(await bob.give(c.RequestRuling())) == "no_referee"


@in_loop
async def test_a_rated_match_has_a_referee_by_role_alone(tmp_path: Path) -> None:
    """The invitation is one side's to hand on, to a helper."""
    async with serving(tmp_path) as server:
        ann, bob = [await account(server, name, "player") for name in ("Ann", "Bob")]
        zed = await WireClient.connect(server.port, "Zed")
        cid, rita = await account(server, "Cid", "player"), await account(server, "Rita", "referee")
        terms = m.TableTerms(rated=True, referee=True)
        table = await match(ann, bob, terms)
        found = next(x for x in ann.seen if getattr(x, "referee_invitation", None))
        for who in (zed, cid):
            asked = {"table": table, "invitation": found.referee_invitation}
            assert code_of(await who.ask(m.OfficiateTable, **asked)) == "not_allowed"
            who.table = table
            assert code_of(await who.give(WIN)) == "not_at_this_table"
        assert isinstance(await rita.ask(m.OfficiateTable, table=table), m.Accepted)


@in_loop
async def test_no_official_acts_on_a_match_that_he_plays_or_has_played(tmp_path: Path) -> None:
    async with serving(tmp_path) as server:
        otto, eva = (
            await account(server, "Otto", "administrator"),
            await account(server, "Eva", "player"),
        )
        olga = await account(server, "Olga", "official")
        table = await match(otto, eva)
        for act in (
            acts.AwardTable(table=table, seat=0),
            acts.AwardTable(table=table.lower(), seat=1),
            acts.AdjournTable(table=table),
            acts.CloseTable(table=table),
            acts.ReopenTable(table=table),
            acts.SuspendPerson(who="Eva"),
            acts.MutePerson(who="Eva"),
            acts.KickPerson(who="Eva"),
            acts.EndSessions(who="Eva"),
            acts.ResetPassword(who="Eva", password="another long one 8"),
            acts.TakePin(who="Eva"),
        ):
            assert code_of(await give(otto, act)) == "own_match", act
        asked = {"table": table, "who": "Eva", "reason": "silence"}
        assert code_of(await otto.ask(m.Silence, **asked)) == "own_match"
        assert (await eva.ask(m.Ping)) and otto.state is not None and otto.state.winner is None
        await lose(otto, eva)
        assert code_of(await give(otto, acts.DiscountMatch(table=table))) == "own_match"
        discount = await done(olga, acts.DiscountMatch(table=table))
        assert code_of(await give(otto, acts.LiftSanction(action=discount))) == "own_match"
        await done(otto, acts.MutePerson(who="Eva"))  # they have no match together any more
        assert (await rating(eva)).ratings == ()


@in_loop
async def test_nobody_lifts_what_is_against_himself(tmp_path: Path) -> None:
    async with serving(tmp_path) as server:
        adam, olga = [await account(server, n, "administrator") for n in ("Adam", "Olga")]
        mute = await done(adam, acts.MutePerson(who="Olga"))
        assert code_of(await give(olga, acts.LiftSanction(action=mute))) == "not_allowed"
        await done(adam, acts.LiftSanction(action=mute))


@in_loop
async def test_no_official_enters_the_result_of_his_own_match(tmp_path: Path) -> None:
    """Nor corrects it, nor puts his opponent out; of others' matches he may."""
    async with serving(tmp_path) as server:
        adam = await account(server, "Adam", "official")
        olga = await account(server, "Olga", "official")
        bob, cid = [await WireClient.connect(server.port, name) for name in ("Bob", "Cid")]
        name = await opened(olga)
        for who in ("Adam", "Bob", "Cid"):
            await enter(olga, name, "entered", entrant={"id": who, "name": who})
        await olga.ask(m.DrawCompetition, competition=name, seed=1)
        ids = {who: id_of(server, who) for who in ("Adam", "Bob", "Cid")}
        fixtures = (await shown(adam, name)).fixtures
        mine = next(f for f in fixtures if {ids["Adam"], ids["Bob"]} == set(f["sides"]))
        theirs = next(f for f in fixtures if {ids["Bob"], ids["Cid"]} == set(f["sides"]))
        one = {"match": mine["id"], "sides": mine["sides"], "score": [1, 0]}
        lost = {"match": mine["id"], "sides": mine["sides"], "loser": ids["Bob"]}
        for act, fields in (
            ("result", one),
            ("forfeit", lost),
            ("walk_over", lost | {"winner": ids["Adam"], "loser": None}),
            ("withdrawn", {"entrant": ids["Bob"]}),
        ):
            fields = {key: value for key, value in fields.items() if value is not None}
            assert code_of(await enter(adam, name, act, **fields)) == "own_match", act
        entered = await enter(olga, name, "result", **one)
        assert isinstance(entered, m.Accepted)
        taken = {"entry": entered.entry, "old": {"act": "result", **one}, "new": None}
        assert code_of(await enter(adam, name, "corrected", **taken)) == "own_match"
        other = {"match": theirs["id"], "sides": theirs["sides"], "score": [1, 0]}
        assert isinstance(await enter(adam, name, "result", **other), m.Accepted)
        assert isinstance(await enter(olga, name, "corrected", **taken), m.Accepted)
        assert bob.token and cid.token


@in_loop
async def test_a_table_is_the_same_however_its_name_is_written(tmp_path: Path) -> None:
    """An aim is shown, and a silence holds, in small letters too."""
    async with serving(tmp_path) as server:
        ann, bob = await two_players(server, referee=True)
        rita = await referee_of(server, ann)
        eve = await WireClient.connect(server.port, "Eve")
        await eve.watch(ann.table.lower())
        await rita.ask(m.Silence, table=f" {ann.table.lower()} ", who="Eve", reason="enough")
        for written in (ann.table, ann.table.lower(), f" {ann.table.lower()}"):
            assert code_of(await eve.ask(m.Say, table=written, text="boo")) == "muted"
        silences = server.house.chat._silences._at
        await eve.ask(m.Say, table="nowhere", text="boo")
        assert set(silences) == {ann.table}  # of no table that there isn't
        await ann.strike(3.0)
        await bob.strike(2.0)
        await ann.until_state(lambda s: s.phase is Phase.LAG_CHOICE)
        await ann.give(c.Choose(option="break"))  # type: ignore[arg-type]
        await bob.until_state(lambda s: s.racked)
        await ann.give(c.PlaceCue(x=-0.8, y=0.1))
        await ann.send(m.Aim(table=ann.table.lower(), heading_deg=7.5))
        shown_aim = await bob.until(lambda x: isinstance(x, m.Aiming))
        assert (shown_aim.table, shown_aim.heading_deg) == (ann.table, 7.5)


@in_loop
async def test_a_referee_s_reasons_are_not_counted_as_texts(tmp_path: Path) -> None:
    """Of whatever command; a player's are."""
    async with serving(tmp_path) as server:
        ann, _ = await two_players(server, referee=True)
        rita = await referee_of(server, ann)
        said = c.Choose(option="warning", reason="why")  # type: ignore[arg-type]
        for _ in range(12):
            assert code_of(await rita.give(said)) != "too_many"
        codes = [code_of(await ann.give(said)) for _ in range(12)]
        assert "too_many" in codes and codes[0] != "too_many"
