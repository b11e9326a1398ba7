"""Challenges and rematches: made, answered, withdrawn, expired; both are seated in one step."""

import asyncio
from pathlib import Path
from typing import Any

import pytest

from shared_rules import commands as c
from shared_rules import messages as m
from shared_rules.state import Phase
from tests.server.bench_table import eventually, in_loop, serving
from tests.server.rating.rated import in_lag, lose, match, name_of
from tests.server.test_oversight import account
from tests.server.wire_client import WireClient

SHORT = m.TableTerms(overrides={"match": {"games_to_win": 1}, "concede_scope": "match"})


def is_a(kind: Any) -> Any:
    return lambda x: isinstance(x, kind)


async def people(server: Any, *names: str) -> list[WireClient]:
    return [await WireClient.connect(server.port, name) for name in names]


async def refused(client: WireClient, kind: Any, **fields: Any) -> str:
    answer = await client.ask(kind, **fields)
    assert isinstance(answer, m.Refused), answer
    return answer.code


@pytest.mark.usefixtures("on_both")
@in_loop
async def test_an_accepted_challenge_seats_both_and_survives_a_restart(tmp_path: Path) -> None:
    async with serving(tmp_path) as server:
        ann, bob = await people(server, "Ann", "Bob")
        asked = await ann.ask(m.Challenge, who="bob", terms=SHORT)
        told = (await bob.until(is_a(m.Challenged))).challenge
        assert (told.challenge, told.by, told.to, told.terms) == (
            asked.challenge, "Ann", "Bob", SHORT,
        )  # fmt: skip
        request = m.AnswerChallenge(id=bob.next_id(), challenge=told.challenge, accept=True)
        answer = await bob.ask_again(request)
        found = await ann.until(is_a(m.MatchFound))
        assert (found.table, found.seat, found.opponent) == (answer.table, 1, "Bob")
        assert found.how == "challenge" and found.challenge == asked.challenge
        for client in (ann, bob):
            await in_lag(client, answer.table)
        assert (await bob.ask_again(request)).table == answer.table
        assert len(server.house.floor.tables) == 1
        tokens = ann.token, bob.token
    async with serving(tmp_path) as server:
        ann, bob = [await WireClient.connect(server.port, token=token) for token in tokens]
        assert (await bob.ask_again(request)).table == answer.table  # known from the log
        for client in (ann, bob):
            welcome = await client.until(is_a(m.Welcome))
            assert welcome.tables == (answer.table,)
            await client.join(answer.table)
            await in_lag(client, answer.table)


@in_loop
async def test_declined_withdrawn_expired_and_gone(tmp_path: Path) -> None:
    async with serving(tmp_path) as server:
        ann, bob, cid = await people(server, "Ann", "Bob", "Cid")
        for outcome in ("declined", "withdrawn", "expired"):
            starts = len(ann.seen), len(bob.seen)
            made = await ann.ask(
                m.Challenge, who="Bob", terms=SHORT, expires_s=5.0 if outcome == "expired" else 60.0
            )
            if outcome == "declined":
                await bob.ask(
                    m.AnswerChallenge,
                    challenge=made.challenge,
                    accept=False,
                    reason="tea\u202e  now",
                )
            elif outcome == "withdrawn":
                code = await refused(cid, m.WithdrawChallenge, challenge=made.challenge)
                assert code == "not_allowed"
                await ann.ask(m.WithdrawChallenge, challenge=made.challenge)
            for client, start in zip((ann, bob), starts, strict=True):
                over = await client.until(is_a(m.ChallengeOver), start)
                assert (over.challenge, over.outcome) == (made.challenge, outcome)
                assert over.reason == ("tea now" if outcome == "declined" else "")
            late = await refused(bob, m.AnswerChallenge, challenge=made.challenge, accept=True)
            assert late == "unknown_challenge"
        made = await ann.ask(m.Challenge, who="Bob", terms=SHORT)
        start = len(bob.seen)
        await ann.close()
        over = await bob.until(is_a(m.ChallengeOver), start)
        assert (over.challenge, over.outcome) == (made.challenge, "gone")


@in_loop
async def test_challenges_that_can_not_be(tmp_path: Path) -> None:
    async with serving(tmp_path) as server:
        ann, bob, cid, dan = await people(server, "Ann", "Bob", "Cid", "Dan")
        assert await refused(ann, m.Challenge, who="Nobody") == "not_here"
        assert await refused(ann, m.Challenge, who="Ann") == "not_allowed"
        assert await refused(ann, m.Challenge, terms=m.TableTerms(ruleset="x")) == "bad_ruleset"
        big = m.TableTerms(overrides={"x": "y" * 2000})
        assert await refused(ann, m.Challenge, terms=big) == "too_large"
        await bob.ask(m.Relate, who="Ann", relation="block")
        assert await refused(ann, m.Challenge, who="Bob") == "blocked"
        assert await refused(bob, m.Challenge, who="Ann") == "blocked"
        for _ in range(5):
            assert (await ann.ask(m.Challenge)).challenge
        assert await refused(ann, m.Challenge) == "too_many"
        made = await cid.ask(m.Challenge, who="Dan")
        assert (
            await refused(ann, m.AnswerChallenge, challenge=made.challenge, accept=True)
            == "unknown_challenge"
        )
        await dan.open()
        over = await cid.until(is_a(m.ChallengeOver))  # he plays: it is over
        assert (over.challenge, over.outcome) == (made.challenge, "gone")
        assert await refused(cid, m.Challenge, who="Dan") == "already_playing"
        assert await refused(dan, m.Challenge, who="Cid") == "already_playing"


@in_loop
async def test_an_open_challenge_is_accepted_once(tmp_path: Path) -> None:
    async with serving(tmp_path) as server:
        ann, *others = await people(server, "Ann", "Bob", "Cid", "Dan", "Eva")
        made = await ann.ask(m.Challenge, terms=SHORT)
        answers = await asyncio.gather(
            *(o.ask(m.AnswerChallenge, challenge=made.challenge, accept=True) for o in others)
        )
        taken = [a for a in answers if isinstance(a, m.Accepted)]
        assert len(taken) == 1 and len(server.house.floor.tables) == 1
        codes = {a.code for a in answers if isinstance(a, m.Refused)}
        assert codes <= {"unknown_challenge"}


@in_loop
async def test_br_065_who_drops_while_the_table_is_made_has_one_match(tmp_path: Path) -> None:
    """The line breaks between accepting and the table: he is at it, absent, and nowhere else."""
    async with serving(tmp_path) as server:
        ann, bob, cid = await people(server, "Ann", "Bob", "Cid")
        made = await ann.ask(m.Challenge, terms=SHORT)
        store, written = server.store, asyncio.Event()
        real = store.matches.open_match

        async def slow(*args: Any) -> None:
            ann.cut()
            person = server.house.people.present_by_key("ann")
            await eventually(lambda: person is None or person.connection is None)
            await real(*args)
            written.set()

        store.matches.open_match = slow  # type: ignore[method-assign]
        answer = await bob.ask(m.AnswerChallenge, challenge=made.challenge, accept=True)
        assert written.is_set() and answer.table
        away = await bob.until_presence(1, here=False) if bob.presence else None
        assert away is None or away.players[1].absence == "dropped"
        ann = await WireClient.connect(server.port, token=ann.token)
        welcome = await ann.until(is_a(m.Welcome))
        assert welcome.tables == (answer.table,)
        for kind, fields in (
            (m.QuickMatch, {}), (m.Challenge, {"who": "Cid"}), (m.OpenTable, {}),
        ):  # fmt: skip
            assert await refused(ann, kind, **fields) == "already_playing"
        assert name_of(cid) == "Cid" and len(server.house.floor.tables) == 1
        await ann.join(answer.table)
        await in_lag(ann, answer.table)


@in_loop
async def test_who_drops_before_anything_is_written_is_not_matched(tmp_path: Path) -> None:
    async with serving(tmp_path) as server:
        ann, bob = await people(server, "Ann", "Bob")
        made = await ann.ask(m.Challenge, terms=SHORT)
        ann.cut()
        await eventually(lambda: len(server.house.lobby.challenges) == 0)
        code = await refused(bob, m.AnswerChallenge, challenge=made.challenge, accept=True)
        assert code == "unknown_challenge" and not server.house.floor.tables


@in_loop
async def test_a_rematch_needs_both_and_changes_seats(tmp_path: Path) -> None:
    async with serving(tmp_path) as server:
        ann, bob = [await account(server, name, "player") for name in ("Ann", "Bob")]
        table = await match(ann, bob)
        assert await refused(ann, m.Rematch, table=table) == "wrong_state"
        await lose(bob, ann)
        start = len(bob.seen)
        assert (await ann.ask(m.Rematch, table=table)).table == table
        offer = await bob.until(is_a(m.RematchOffered), start)
        assert (offer.table, offer.by) == (table, "Ann")
        await ann.ask(m.Rematch, table=table)  # said again, it is one word
        assert len(server.house.floor.tables) == 1
        start = len(ann.seen)
        await bob.ask(m.Rematch, table=table)
        found = await ann.until(is_a(m.MatchFound), start)
        assert found.how == "rematch" and found.table != table
        for client, seat in ((ann, 0), (bob, 1)):
            await in_lag(client, found.table)
            assert client.snapshot is not None and client.snapshot.seat == seat
        terms = server.house.floor.tables[found.table].room.terms
        assert terms.rated and terms.ruleset.match.games_to_win == 1
        await bob.give(c.Concede())
        await ann.until_state(lambda s: s.phase is Phase.MATCH_OVER)
