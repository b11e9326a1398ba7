"""Which matches count, when, and what takes it back."""

import time
from itertools import pairwise
from pathlib import Path

import pytest

from server.rating.glicko import Rating, Result, rated
from shared_rules import messages as m
from shared_rules.messages import oversight as acts
from shared_rules.state import Phase
from tests.server.bench_table import in_loop, serving
from tests.server.rating.rated import RATED, lose, match, rating
from tests.server.test_oversight import account, done, give, recorded
from tests.server.wire_client import WireClient

WON = rated(Rating(), [Result(Rating(), 1.0)])
LOST = rated(Rating(), [Result(Rating(), 0.0)])


@pytest.mark.usefixtures("on_both")
@in_loop
async def test_a_rated_match_moves_both_and_says_why(tmp_path: Path) -> None:
    async with serving(tmp_path) as server:
        ann, bob = [await account(server, name, "player") for name in ("Ann", "Bob")]
        table = await match(ann, bob)
        assert (await rating(ann)).ratings == ()  # nothing counts before the end
        await lose(bob, ann)
        mine = await rating(ann)
        (change,) = mine.changes
        assert (change.match, change.opponent, change.score) == (table, "Bob", 1.0)
        assert change.expected == pytest.approx(0.5)
        assert (change.before_rating, change.opponent_rating) == (1500.0, 1500.0)
        assert change.after_rating == pytest.approx(WON.value)
        (now,) = mine.ratings
        assert (now.discipline, now.matches, now.provisional) == ("nine_ball", 1, True)
        other = await rating(ann, who="bob")
        assert other.name == "Bob" and other.changes[0].after_rating == pytest.approx(LOST.value)
    async with serving(tmp_path) as server:  # it is stored
        eve = await WireClient.connect(server.port, "Eve")
        assert (await rating(eve, who="Ann")).changes == mine.changes
        assert (await eve.ask(m.GetRating, who="Nobody")).code == "unknown_person"


@in_loop
async def test_only_accounts_play_rated_matches(tmp_path: Path) -> None:
    async with serving(tmp_path) as server:
        ann = await account(server, "Ann", "player")
        guest = await WireClient.connect(server.port, "Gus")
        assert (await guest.ask(m.OpenTable, rated=True)).code == "account_needed"
        assert (await guest.ask(m.QuickMatch, terms=RATED)).code == "account_needed"
        assert (await ann.ask(m.Challenge, who="Gus", terms=RATED)).code == "account_needed"
        open_one = await ann.ask(m.Challenge, terms=RATED)
        answer = await guest.ask(m.AnswerChallenge, challenge=open_one.challenge, accept=True)
        assert answer.code == "account_needed"
        table = await ann.open(rated=True)
        assert (await guest.join(table)).code == "account_needed"
        (row,) = (await guest.ask(m.ListTables, rated=True)).tables
        assert row.rated and (await guest.ask(m.ListTables, rated=False)).tables == ()


@in_loop
async def test_a_match_that_is_not_rated_or_not_over_changes_nothing(tmp_path: Path) -> None:
    async with serving(tmp_path) as server:
        adam = await account(server, "Adam", "administrator")
        ann, bob = [await account(server, name, "player") for name in ("Ann", "Bob")]
        casual = m.TableTerms(overrides=RATED.overrides)
        await match(ann, bob, casual)
        await lose(bob, ann)
        table = await match(ann, bob)
        await done(adam, acts.AdjournTable(table=table))
        for who in ("Ann", "Bob"):
            assert (await rating(adam, who=who)).changes == ()


@in_loop
async def test_an_award_counts_and_taking_it_back_reckons_all_again(tmp_path: Path) -> None:
    async with serving(tmp_path) as server:
        adam = await account(server, "Adam", "administrator")
        ann, bob, cid = [await account(server, name, "player") for name in ("Ann", "Bob", "Cid")]
        table = await match(ann, bob)
        await done(adam, acts.AwardTable(table=table, seat=0))  # Bob, who accepted
        await ann.until_state(lambda s: s.phase is Phase.MATCH_OVER)
        await match(bob, cid)
        await lose(cid, bob)
        before = (await rating(adam, who="Cid")).changes[0]
        assert before.opponent_rating == pytest.approx(WON.value)
        await done(adam, acts.ReopenTable(table=table))
        after = (await rating(adam, who="Cid")).changes[0]
        assert after.opponent_rating == 1500.0 and after.after_rating == pytest.approx(LOST.value)
        (of_bob,) = (await rating(adam, who="Bob")).changes
        assert (of_bob.opponent, of_bob.before_rating) == ("Cid", 1500.0)
        assert of_bob.after_rating == pytest.approx(WON.value)
        assert (await rating(adam, who="Ann")).ratings == ()


@in_loop
async def test_br_081_what_a_spectator_does_changes_no_rating(tmp_path: Path) -> None:
    """BR-081: nonsense, reading no more, a crash."""
    async with serving(tmp_path) as server:
        ann, bob = [await account(server, name, "player") for name in ("Ann", "Bob")]
        table = await match(ann, bob)
        eve = await WireClient.connect(server.port, "Eve")
        fay = await WireClient.connect(server.port, "Fay", receive_bytes=4096)
        for who in (eve, fay):
            await who.watch(table)
        for garbage in (b"\xc1", b"", b"\x81\xa1m\xa4play", "text"):
            await eve.raw(garbage)
        fay._task.cancel()  # he has stopped reading, and asks on
        for _ in range(60):
            await fay.send(m.WatchTable(id=fay.next_id(), table=table))
        state = ann.state
        eve.cut()
        assert state is not None and state.phase is Phase.LAG
        await lose(ann, bob)
        assert (await rating(bob)).changes[0].after_rating == pytest.approx(WON.value)
        assert len((await rating(ann)).changes) == 1


@in_loop
async def test_an_official_discounts_a_match_and_takes_that_back(tmp_path: Path) -> None:
    async with serving(tmp_path) as server:
        adam = await account(server, "Adam", "official")
        ann, bob, cid = [await account(server, name, "player") for name in ("Ann", "Bob", "Cid")]
        table = await match(ann, bob)
        assert (await give(adam, acts.DiscountMatch(table=table))).code == "wrong_state"
        await lose(ann, bob)
        await match(bob, cid)
        await lose(cid, bob)
        before = [await rating(adam, who=who) for who in ("Ann", "Bob", "Cid")]
        assert (await give(ann, acts.DiscountMatch(table=table))).code == "not_allowed"
        action = await done(adam, acts.DiscountMatch(table=table), "he let him win")
        assert (await give(adam, acts.DiscountMatch(table=table))).code == "wrong_state"
        of_ann, of_bob, of_cid = [await rating(adam, who=who) for who in ("Ann", "Bob", "Cid")]
        assert of_ann.ratings == () and of_ann.changes[0].weight == 0.0
        assert of_ann.changes[0].after_rating == of_ann.changes[0].before_rating == 1500.0
        assert of_bob.ratings[0].matches == 1
        assert of_bob.ratings[0].rating == pytest.approx(WON.value)
        assert of_cid.changes[0].opponent_rating == 1500.0
        person = server.house.people.present_by_key("ann")
        assert person is not None and server.house.ratings.shown(person.id) == {}
        (row, *_) = await recorded(adam)
        assert (row.act, row.table, row.in_force) == ("discount", table, True)
        await done(adam, acts.LiftSanction(action=action))
        after = [await rating(adam, who=who) for who in ("Ann", "Bob", "Cid")]
        assert [x.changes for x in after] == [x.changes for x in before]
        assert [[r.matches for r in x.ratings] for x in after] == [[1], [2], [1]]
        assert (await give(adam, acts.LiftSanction(action=action))).code == "wrong_state"
        assert server.house.ratings.shown(person.id) == {"nine_ball": round(LOST.value)}


@in_loop
async def test_a_pair_that_plays_over_and_over_moves_its_ratings_less_and_less(
    tmp_path: Path,
) -> None:
    async with serving(tmp_path) as server:
        ann, bob, cid = [await account(server, name, "player") for name in ("Ann", "Bob", "Cid")]
        for n in range(6):
            pair = (ann, bob) if n % 2 else (bob, ann)
            await match(*pair)
            await lose(ann, bob)
        changes = (await rating(bob)).changes[::-1]
        assert [x.weight for x in changes] == [1.0, 1.0, 1.0, 0.5, 0.25, 0.125]
        gains = [x.after_rating - x.before_rating for x in changes]
        assert all(a > b > 0 for a, b in pairwise(gains))
        assert gains[5] < 0.2 * gains[2]
        await match(ann, cid)  # with anybody else all is as ever
        await lose(cid, ann)
        assert (await rating(cid)).changes[0].weight == 1.0
        day = 86_400.0
        server.house.ratings._wall = lambda: time.time() + day
        await match(ann, bob)
        await lose(ann, bob)
        assert (await rating(bob)).changes[0].weight == 1.0
