"""The rating book: which matches count, and what each has done to whose rating.

All ratings of a discipline are one fold over the matches that counted, in the order of their ends.
A match that ends, one that goes on after all, one whose winner is another, one that an official
takes back: each is one change in that list, and the fold is done again from there.  What it gives
is written in the same transaction as what has happened to the match.
"""

import asyncio
import time
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

from sqlalchemy import Executable

from server.rating.glicko import Rating, Result, aged, expected_score, rated
from server.storage.ratings import RatingRow, RatingStore, added, changed, removed
from shared_rules.state import MatchState, Phase

PERIOD_S = 7 * 86_400.0
"""The rating period, in which the deviation of who doesn't play grows by one volatility."""
PROVISIONAL_DEVIATION = 110.0
"""A rating that is less sure is provisional."""


@dataclass(frozen=True)
class Contest:
    """A match that is rated: whose, and in which discipline."""

    match: str
    discipline: str
    players: tuple[str, str]


@dataclass
class _Change:
    statements: list[Executable] = field(default_factory=list)
    latest: dict[str, Rating | None] = field(default_factory=dict)


class RatingBook:
    """All ratings of a server.  ``at_hand`` holds those of the accounts that are here."""

    def __init__(self, store: RatingStore, wall: Callable[[], float] = time.time) -> None:
        """``wall``: the Unix time."""
        self._store = store
        self._wall = wall
        self._lock = asyncio.Lock()  # one change after the other
        self._at_hand: dict[str, dict[str, Rating]] = {}

    # --- of whom ------------------------------------------------------------------------------

    async def open_for(self, person: str) -> None:
        """Somebody with an account is here: have his ratings at hand."""
        async with self._lock:
            rows = await self._store.current(person)
            self._at_hand[person] = {row.discipline: _after(row) for row in rows}

    def close_for(self, person: str) -> None:
        """He has gone."""
        self._at_hand.pop(person, None)

    def of(self, person: str, discipline: str) -> Rating:
        """The rating of somebody who is here; that of a beginner if he has none."""
        return self._at_hand.get(person, {}).get(discipline, Rating())

    def shown(self, person: str) -> dict[str, int]:
        """Ratings of somebody who is here, in whole points, by discipline."""
        return {d: round(r.value) for d, r in self._at_hand.get(person, {}).items()}

    # --- what happens to a match --------------------------------------------------------------

    @asynccontextmanager
    async def settling(
        self, contest: Contest, before: MatchState, after: MatchState
    ) -> AsyncIterator[Sequence[Executable]]:
        """What an order does to ratings, to be written with it."""
        if _winner(before) == _winner(after):
            yield ()
            return
        async with self._rewriting(contest, _winner(after)) as statements:
            yield statements

    @asynccontextmanager
    async def withdrawing(self, match: str) -> AsyncIterator[Sequence[Executable]]:
        """What it does to ratings that a match has not ended after all."""
        rows = await self._store.of_match(match)
        if not rows:
            yield ()
            return
        contest = Contest(match, rows[0].discipline, (rows[0].person, rows[0].opponent))
        async with self._rewriting(contest, None) as statements:
            yield statements

    @asynccontextmanager
    async def _rewriting(
        self, contest: Contest, winner: int | None
    ) -> AsyncIterator[Sequence[Executable]]:
        async with self._lock:
            change = await self._rewritten(contest, winner)
            yield change.statements
            for person, rating in change.latest.items():
                at_hand = self._at_hand.get(person)
                if at_hand is not None and rating is not None:
                    at_hand[contest.discipline] = rating
                elif at_hand is not None:
                    at_hand.pop(contest.discipline, None)

    async def _rewritten(self, contest: Contest, winner: int | None) -> _Change:
        """The list of matches with this one in it, won by a seat, or (None) without it."""
        known = await self._store.of_match(contest.match)
        number = known[0].number if known else await self._store.last_number() + 1
        at = known[0].at if known else self._wall()
        change, fold = _Change(), _Fold()
        for person in contest.players:
            fold.begin(person, await self._store.latest(person, contest.discipline, number))
        later = [
            row
            for row in await self._store.since(contest.discipline, number)
            if row.match != contest.match
        ]
        if winner is None:
            change.statements.append(removed(contest.match))
        else:
            rows = fold.play(contest, number, at, winner)
            change.statements += [changed(row) if known else added(row) for row in rows]
        change.statements += await asyncio.to_thread(_folded, fold, later)
        change.latest = {
            person: rating if played is not None else None
            for person, (rating, played) in fold.ratings.items()
        }
        return change


class _Fold:
    """``ratings``: of those whom the change concerns, and when they played last."""

    def __init__(self) -> None:
        self.ratings: dict[str, tuple[Rating, float | None]] = {}

    def begin(self, person: str, row: RatingRow | None) -> None:
        self.ratings[person] = (Rating(), None) if row is None else (_after(row), row.at)

    def at(self, person: str, at: float) -> Rating:
        """The rating with which somebody begins a match."""
        rating, played = self.ratings[person]
        return rating if played is None else aged(rating, (at - played) / PERIOD_S)

    def play(self, contest: Contest, number: int, at: float, winner: int) -> list[RatingRow]:
        """Both rows of a match; the ratings are as after it."""
        before = [self.at(person, at) for person in contest.players]
        made = []
        for seat, person in enumerate(contest.players):
            mine, other = before[seat], before[1 - seat]
            score = 1.0 if seat == winner else 0.0
            after = rated(mine, [Result(other, score)])
            self.ratings[person] = (after, at)
            made.append(
                RatingRow(
                    match=contest.match,
                    person=person,
                    discipline=contest.discipline,
                    number=number,
                    at=at,
                    opponent=contest.players[1 - seat],
                    score=score,
                    expected=expected_score(mine, other),
                    before_rating=mine.value,
                    before_deviation=mine.deviation,
                    before_volatility=mine.volatility,
                    after_rating=after.value,
                    after_deviation=after.deviation,
                    after_volatility=after.volatility,
                    opponent_rating=other.value,
                    opponent_deviation=other.deviation,
                )
            )
        return made


def _folded(fold: _Fold, rows: Sequence[RatingRow]) -> list[Executable]:
    """Later matches once more, as far as the change reaches; two rows a match, together."""
    statements: list[Executable] = []
    for first, second in zip(rows[::2], rows[1::2], strict=True):
        if first.person not in fold.ratings and second.person not in fold.ratings:
            continue
        for row in (first, second):
            if row.person not in fold.ratings:  # as it was: nothing has changed for him so far
                fold.ratings[row.person] = (_before(row), None)
        contest = Contest(first.match, first.discipline, (first.person, second.person))
        winner = 0 if first.score > second.score else 1
        made = fold.play(contest, first.number, first.at, winner)
        known = (first, second)
        statements += [changed(new) for new, old in zip(made, known, strict=True) if new != old]
    return statements


def _winner(state: MatchState) -> int | None:
    return state.winner if state.phase is Phase.MATCH_OVER else None


def _before(row: RatingRow) -> Rating:
    return Rating(row.before_rating, row.before_deviation, row.before_volatility)


def _after(row: RatingRow) -> Rating:
    return Rating(row.after_rating, row.after_deviation, row.after_volatility)
