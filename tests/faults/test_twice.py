"""Every request that there is, sent twice: its thing is done once, and it is answered alike.

Sent again on the same connection, on another one after a cut, and to the next server on what a
SIGKILL would leave of the database.
"""

import shutil
import typing
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any, Literal, NamedTuple

import pytest
from sqlalchemy import func, select

from server.app import MatchServer
from server.course import Course
from server.storage import schema
from shared_rules import commands as c
from shared_rules import messages as m
from shared_rules.messages import oversight as acts
from shared_rules.state import Phase, Stroke
from tests.server import fake_physics as fake
from tests.server.bench_table import (
    away_rules,
    eventually,
    in_loop,
    serving,
    table_after_break,
    two_players,
)
from tests.server.rating.rated import lose, match
from tests.server.signing_in import OTHER, SECRET
from tests.server.test_oversight import account
from tests.server.wire_client import RAISED_DEG, WireClient

SHORT = m.TableTerms(overrides={"match": {"games_to_win": 1}, "concede_scope": "match"})


class Asked(NamedTuple):
    """Who asks what, and whether he is at his table, or in the lobby, when he asks again."""

    who: WireClient
    request: Any
    at_table: bool = False
    in_lobby: bool = False


Prepare = Callable[[MatchServer], Awaitable[Asked]]


async def _signed_in(server: MatchServer, *names: str) -> list[WireClient]:
    return [await WireClient.connect(server.port, name) for name in names]


def _plain(kind: Any, **fields: Any) -> Prepare:
    """A request that needs nothing."""

    async def prepare(server: MatchServer) -> Asked:
        (ann,) = await _signed_in(server, "Ann")
        return Asked(ann, kind(id=ann.next_id(), **fields))

    return prepare


def _of_account(kind: Any, role: m.AccountRole = "player", **fields: Any) -> Prepare:
    async def prepare(server: MatchServer) -> Asked:
        ann = await account(server, "Ann", role)
        return Asked(ann, kind(id=ann.next_id(), **fields))

    return prepare


async def strike(server: MatchServer) -> Asked:
    _, bob = await table_after_break(server)
    stroke = Stroke(speed=fake.POT, heading_deg=0.0, elevation_deg=RAISED_DEG)
    return Asked(bob, bob.play(c.Strike(stroke=stroke)), at_table=True)


async def concede(server: MatchServer) -> Asked:
    _, bob = await table_after_break(server, overrides={"match": {"games_to_win": 3}})
    return Asked(bob, bob.play(c.Concede()), at_table=True)


async def claim_win(server: MatchServer) -> Asked:
    return await _claim(server, "win")


async def claim_adjournment(server: MatchServer) -> Asked:
    return await _claim(server, "adjourn")


async def claim_adjournment_when_no_clock_runs(server: MatchServer) -> Asked:
    return await _claim(server, "adjourn", suspended=True)


async def _claim(
    server: MatchServer, ask: Literal["win", "adjourn"], suspended: bool = False
) -> Asked:
    ann, bob = await table_after_break(server, overrides=away_rules(left_grace_s=0.5))
    if suspended:
        keeper = server.house.floor.tables[ann.table].course.keeper
        assert keeper is not None
        await server.house.floor.tables[ann.table].oversee(
            lambda course: course.carry(c.Actor.SERVER, c.Suspend())
        )
    await bob.ask(m.LeaveTable, table=bob.table)
    claim_from = (await ann.until_presence(1, here=False)).players[1].claim_from  # type: ignore[union-attr]
    assert claim_from is not None
    await eventually(lambda: server.clock.now() > claim_from)
    request = m.ClaimAbsence(id=ann.next_id(), table=ann.table, ask=ask)
    return Asked(ann, request, at_table=True)


async def join(server: MatchServer) -> Asked:
    ann, bob = await _signed_in(server, "Ann", "Bob")
    table = await ann.open()
    return Asked(bob, m.JoinTable(id=bob.next_id(), table=table))


async def watch(server: MatchServer) -> Asked:
    ann, eve = await _signed_in(server, "Ann", "Eve")
    return Asked(eve, m.WatchTable(id=eve.next_id(), table=await ann.open()))


async def officiate(server: MatchServer) -> Asked:
    ann, eve = await _signed_in(server, "Ann", "Eve")
    opened = await ann.ask(m.OpenTable, referee=True)
    request = m.OfficiateTable(
        id=eve.next_id(), table=opened.table, invitation=opened.referee_invitation
    )
    return Asked(eve, request)


async def leave(server: MatchServer) -> Asked:
    _, bob = await two_players(server)
    return Asked(bob, m.LeaveTable(id=bob.next_id(), table=bob.table))


async def challenge(server: MatchServer) -> Asked:
    ann, _ = await _signed_in(server, "Ann", "Bob")
    return Asked(ann, m.Challenge(id=ann.next_id(), who="Bob", terms=SHORT))


async def challenge_that_was_played(server: MatchServer) -> Asked:
    ann, bob = await _signed_in(server, "Ann", "Bob")
    request = m.Challenge(id=ann.next_id(), terms=SHORT)
    made = await ann.ask_again(request)
    await bob.ask(m.AnswerChallenge, challenge=made.challenge, accept=True)
    await _play(ann, bob)
    return Asked(ann, request)


async def accept(server: MatchServer) -> Asked:
    ann, bob = await _signed_in(server, "Ann", "Bob")
    made = await ann.ask(m.Challenge, who="Bob", terms=SHORT)
    return Asked(bob, m.AnswerChallenge(id=bob.next_id(), challenge=made.challenge, accept=True))


async def decline(server: MatchServer) -> Asked:
    ann, bob = await _signed_in(server, "Ann", "Bob")
    made = await ann.ask(m.Challenge, who="Bob", terms=SHORT)
    return Asked(bob, m.AnswerChallenge(id=bob.next_id(), challenge=made.challenge, accept=False))


async def withdraw(server: MatchServer) -> Asked:
    (ann,) = await _signed_in(server, "Ann")
    made = await ann.ask(m.Challenge, terms=SHORT)
    return Asked(ann, m.WithdrawChallenge(id=ann.next_id(), challenge=made.challenge))


async def leave_queue(server: MatchServer) -> Asked:
    (ann,) = await _signed_in(server, "Ann")
    await ann.ask(m.QuickMatch)
    return Asked(ann, m.LeaveQueue(id=ann.next_id()))


async def quick_match_that_was_played(server: MatchServer) -> Asked:
    ann, bob = await _signed_in(server, "Ann", "Bob")
    request = m.QuickMatch(id=ann.next_id(), terms=SHORT)
    await ann.ask_again(request)
    await bob.ask(m.QuickMatch, terms=SHORT)
    await _play(ann, bob)
    return Asked(ann, request)


async def _play(ann: WireClient, bob: WireClient) -> None:
    """Seated by the lobby, they play a match to its end."""
    for client in (ann, bob):
        found = await client.until(lambda x: isinstance(x, m.MatchFound))
        client.table = found.table
        await client.until_state(lambda s: s.phase is Phase.LAG)
    await lose(bob, ann)


async def rematch(server: MatchServer) -> Asked:
    ann, bob = await _signed_in(server, "Ann", "Bob")
    table = await match(ann, bob, SHORT)
    await lose(bob, ann)
    return Asked(ann, m.Rematch(id=ann.next_id(), table=table))


async def rematch_that_the_other_wants(server: MatchServer) -> Asked:
    ann, bob = await _signed_in(server, "Ann", "Bob")
    table = await match(ann, bob, SHORT)
    await lose(bob, ann)
    await bob.ask(m.Rematch, table=table)
    return Asked(ann, m.Rematch(id=ann.next_id(), table=table))


async def change_password(server: MatchServer) -> Asked:
    ann = await account(server, "Ann", "player")
    return Asked(ann, m.ChangePassword(id=ann.next_id(), old=SECRET, new=OTHER))


async def change_pin(server: MatchServer) -> Asked:
    ann = await account(server, "Ann", "player")
    return Asked(ann, m.ChangePin(id=ann.next_id(), old=SECRET, pin="482913"))


async def oversee(server: MatchServer) -> Asked:
    ann = await account(server, "Ann", "official")
    await _signed_in(server, "Bob")
    bob = server.house.people.present_by_key("bob")
    assert bob is not None
    mute = acts.MutePerson(who=bob.id)
    return Asked(ann, m.Oversee(id=ann.next_id(), act=mute, reason="because"))


async def relate(server: MatchServer) -> Asked:
    ann, _ = await _signed_in(server, "Ann", "Bob")
    return Asked(ann, m.Relate(id=ann.next_id(), who="Bob", relation="follow"))


async def say(server: MatchServer) -> Asked:
    (ann,) = await _signed_in(server, "Ann")
    await ann.ask(m.EnterLobby)
    return Asked(ann, m.Say(id=ann.next_id(), text="good evening"), in_lobby=True)


async def silence(server: MatchServer) -> Asked:
    ann = await account(server, "Ann", "official")
    (bob,) = await _signed_in(server, "Bob")
    table = await bob.open()
    return Asked(ann, m.Silence(id=ann.next_id(), table=table, who="Bob", reason="because"))


async def get_replay(server: MatchServer) -> Asked:
    ann, _ = await two_players(server)
    return Asked(ann, m.GetReplay(id=ann.next_id(), match=ann.table))


SETTINGS = {"name": "Club night", "format": {"format": "round_robin"}, "race_to": 1}


async def enter_act(server: MatchServer) -> Asked:
    ann = await account(server, "Ann", "official")
    await _signed_in(server, "Bob")
    opened = await ann.ask(m.OpenCompetition, settings=SETTINGS)
    entrant = {"id": "Bob", "name": "Bob"}
    act = {"act": "entered", "entrant": entrant}
    return Asked(ann, m.EnterAct(id=ann.next_id(), competition=opened.competition, act=act))


async def draw_competition(server: MatchServer) -> Asked:
    ann = await account(server, "Ann", "official")
    await _signed_in(server, "Bob", "Cid")
    opened = await ann.ask(m.OpenCompetition, settings=SETTINGS)
    for name in ("Bob", "Cid"):
        act = {"act": "entered", "entrant": {"id": name, "name": name}}
        await ann.ask(m.EnterAct, competition=opened.competition, act=act)
    return Asked(ann, m.DrawCompetition(id=ann.next_id(), competition=opened.competition))


async def get_competition(server: MatchServer) -> Asked:
    ann = await account(server, "Ann", "official")
    opened = await ann.ask(m.OpenCompetition, settings=SETTINGS)
    return Asked(ann, m.GetCompetition(id=ann.next_id(), competition=opened.competition))


CASES: dict[str, Prepare] = {
    "strike": strike,
    "concede": concede,
    "claim_win": claim_win,
    "claim_adjournment": claim_adjournment,
    "claim_adjournment_when_no_clock_runs": claim_adjournment_when_no_clock_runs,
    "open_table": _plain(m.OpenTable),
    "join_table": join,
    "watch_table": watch,
    "officiate_table": officiate,
    "leave_table": leave,
    "challenge": challenge,
    "challenge_that_was_played": challenge_that_was_played,
    "accept": accept,
    "decline": decline,
    "withdraw": withdraw,
    "quick_match": _plain(m.QuickMatch),
    "quick_match_that_was_played": quick_match_that_was_played,
    "leave_queue": leave_queue,
    "rematch": rematch,
    "rematch_that_the_other_wants": rematch_that_the_other_wants,
    "enter_lobby": _plain(m.EnterLobby),
    "leave_lobby": _plain(m.LeaveLobby),
    "register": _plain(m.Register, password=SECRET),
    "change_password": change_password,
    "change_pin": change_pin,
    "end_session": _of_account(m.EndSession),
    "oversee": oversee,
    "relate": relate,
    "say": say,
    "silence": silence,
    "ping": _plain(m.Ping),
    "list_tables": _plain(m.ListTables),
    "list_replays": _plain(m.ListReplays),
    "get_replay": get_replay,
    "list_sessions": _of_account(m.ListSessions),
    "list_people": _of_account(m.ListPeople, "official"),
    "list_actions": _of_account(m.ListActions, "official"),
    "list_relations": _plain(m.ListRelations),
    "get_rating": _of_account(m.GetRating),
    "open_competition": _of_account(m.OpenCompetition, "official", settings=SETTINGS),
    "enter_act": enter_act,
    "draw_competition": draw_competition,
    "list_competitions": _plain(m.ListCompetitions),
    "get_competition": get_competition,
}

DOING = [name for name in CASES if not name.startswith(("list_", "get_", "ping"))]
_SOON_REAL_S = 0.3
LASTING = (
    m.Play, m.OpenTable, m.ClaimAbsence, m.Challenge, m.AnswerChallenge, m.QuickMatch, m.Rematch,
    m.Oversee, m.OpenCompetition, m.EnterAct, m.DrawCompetition,
)  # fmt: skip
"""Those that the protocol says are remembered, over restarts too."""


async def done(server: MatchServer) -> dict[str, object]:
    """All that requests have brought about, in the database and in memory."""
    found: dict[str, object] = {}
    read = server.store._read
    matches = schema.matches.c
    rows = await read(select(matches.match, matches.status, matches.seat_0, matches.seat_1))
    found["matches"] = sorted(map(tuple, rows), key=str)
    for table in ("orders", "accounts", "actions", "relations", "ratings", "silences"):
        count = select(func.count()).select_from(schema.metadata.tables[table])
        found[table] = (await read(count))[0][0]
    house = server.house
    found["competitions"] = {name: len(one.log) for name, one in house.club.book.kept.items()}
    found["challenges"] = sorted(house.lobby.challenges._standing)
    found["waiting"] = sorted(house.lobby.queue._waiting)
    found["rematches"] = {t: set(o) for t, o in house.lobby._rematches._offers.items()}
    found["lines"] = {place: lines.number for place, lines in house.chat._lines.items()}
    return found


@pytest.mark.parametrize("name", CASES)
def test_twice_on_the_same_connection(tmp_path: Path, name: str) -> None:
    @in_loop
    async def play() -> None:
        async with serving(tmp_path) as server:
            asked = await CASES[name](server)
            first = await asked.who.ask_again(asked.request)
            await _settled(server)
            before = await done(server)
            again = await asked.who.ask_again(asked.request)
            await _is_once(server, asked, first, again, before)

    play()


@pytest.mark.parametrize("name", DOING)
def test_twice_with_a_cut_between(tmp_path: Path, name: str) -> None:
    @in_loop
    async def play() -> None:
        async with serving(tmp_path) as server:
            asked = await CASES[name](server)
            first = await asked.who.ask_again(asked.request)
            await _settled(server)
            person = next(p for p in server.house.people.everybody() if _is(p, asked.who))
            asked.who.cut()
            await eventually(lambda: person.connection is None)
            new = await _back(server, asked)
            before = await done(server)
            again = await new.ask_again(asked.request)
            await _is_once(server, asked, first, again, before)

    play()


@pytest.mark.parametrize("name", DOING)
def test_twice_with_a_sigkill_between(tmp_path: Path, name: str) -> None:
    @in_loop
    async def play() -> None:
        later = tmp_path / "later"
        later.mkdir()
        async with serving(tmp_path) as server:
            asked = await CASES[name](server)
            first = await asked.who.ask_again(asked.request)
            await _settled(server)
            spoken = (await done(server))["lines"]
            for file in ("server.sqlite3", "server.sqlite3-wal"):
                shutil.copy(tmp_path / file, later / file)
        async with serving(later) as server:
            new = await _back(server, asked)
            before = await done(server)
            if isinstance(asked.request, m.Say):
                before["lines"] = spoken  # they are nowhere but in memory: it is said anew, once
            again = await new.ask_again(asked.request)
            await _is_once(server, asked, first, again, before)

    play()


def test_every_request_there_is() -> None:
    requests = {kind for kind in typing.get_args(m.ClientMessage) if "id" in kind.__struct_fields__}
    tags = {kind.__struct_config__.tag for kind in requests}
    named = {
        "strike": "play", "concede": "play", "accept": "answer_challenge",
        "decline": "answer_challenge", "withdraw": "withdraw_challenge",
    } | {name: "claim_absence" for name in CASES if name.startswith("claim_")}  # fmt: skip
    assert {named.get(name, name.partition("_that_")[0]) for name in CASES} == tags


async def _settled(server: MatchServer) -> None:
    """Return once what follows from the request has come about."""
    for table in list(server.house.floor.tables.values()):
        await eventually(lambda course=table.course: _is_quiet(course))  # type: ignore[misc]


def _is_quiet(course: Course) -> bool:
    left = course.real_time_left()
    return left is None or left > _SOON_REAL_S


async def _back(server: MatchServer, asked: Asked) -> WireClient:
    new = await WireClient.connect(server.port, token=asked.who.token)
    if asked.at_table:
        answer = await new.join(asked.who.table)
        assert isinstance(answer, m.Accepted | m.Refused), answer
    if asked.in_lobby:
        await new.ask(m.EnterLobby)
    return new


async def _is_once(
    server: MatchServer, asked: Asked, first: Any, again: Any, before: dict[str, object]
) -> None:
    assert isinstance(first, m.Accepted) or not isinstance(asked.request, LASTING), first
    if isinstance(asked.request, LASTING):
        assert again == first
    await _settled(server)
    assert await done(server) == before


def _is(person: Any, client: WireClient) -> bool:
    welcome = next(x for x in client.seen if isinstance(x, m.Welcome))
    return bool(person.name == welcome.name)
