"""The rating book: which matches count, and what each has done to whose rating.

All ratings of a discipline are one fold over the matches that counted, in the order of their ends.
A match that ends, one that goes on after all, one whose winner is another, one that an official
takes back: each is one change in that list, and the fold is done again from there.  What it gives
is written in the same transaction as what has happened to the match.
"""

import asyncio
import logging
import time
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

from sqlalchemy import Executable
from sqlalchemy.exc import SQLAlchemyError

from server.rating.fold import Contest, Fold, Terms, after, folded
from server.rating.glicko import Rating
from server.storage.ratings import Eyes, RatingRow, RatingStore, added, changed, removed
from shared_rules.state import MatchState, Phase

log = logging.getLogger("headstring.server.rating")

PROVISIONAL_DEVIATION = 110.0
"""A rating that is less sure is provisional."""


IN_FULL = 3
"""So many matches of a pair within ``_WITHIN_S`` count in full, each further one half as much."""
_WITHIN_S = 86_400.0


@dataclass
class _Change:
    statements: list[Executable] = field(default_factory=list)
    concerned: set[str] = field(default_factory=set)


class RatingBook:
    """All ratings of a server.

    ``at_hand`` holds those of the accounts that are here, ``shown`` what others may know of them,
    ``coming`` what is to be shown of them later, and from when on.
    """

    def __init__(
        self, store: RatingStore, clock: Callable[[], float], wall: Callable[[], float] = time.time
    ) -> None:
        """``clock``: the server's; ``wall``: the Unix time."""
        self._store = store
        self._clock = clock
        self._wall = wall
        self._shown: dict[str, dict[str, Rating]] = {}
        self._coming: dict[str, dict[str, tuple[float, Rating]]] = {}
        self._lock = asyncio.Lock()  # one change after the other
        self._at_hand: dict[str, dict[str, Rating]] = {}

    # --- of whom ------------------------------------------------------------------------------

    async def open_for(self, person: str) -> None:
        """Somebody with an account is here: have his ratings at hand."""
        async with self._lock:
            await self._load(person)

    async def _load(self, person: str) -> None:
        rows = await self._store.current(person)
        known = await self._store.current(person, Eyes("", self._clock()))
        self._at_hand[person] = {row.discipline: after(row) for row in rows}
        self._shown[person] = {row.discipline: after(row) for row in known}
        self._coming[person] = {
            row.discipline: (row.shown_from, after(row)) for row in rows if row not in known
        }

    def close_for(self, person: str) -> None:
        """He has gone."""
        for ratings in (self._at_hand, self._shown, self._coming):
            ratings.pop(person, None)

    def of(self, person: str, discipline: str) -> Rating:
        """The rating of somebody who is here; that of a beginner if he has none."""
        return self._at_hand.get(person, {}).get(discipline, Rating())

    def shown(self, person: str) -> dict[str, int]:
        """Ratings of somebody who is here, as others know them: whole points, by discipline."""
        shown, coming = self._shown.get(person, {}), self._coming.get(person, {})
        for discipline, (since, rating) in list(coming.items()):
            if since <= self._clock():
                del coming[discipline]
                shown[discipline] = rating
        return {d: round(r.value) for d, r in shown.items()}

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
        async with self._rewriting(_contest(rows[0]), None) as statements:
            yield statements

    @asynccontextmanager
    async def discounting(self, match: str, on: bool) -> AsyncIterator[Sequence[Executable]]:
        """What it does to ratings that a match counts no more, or again.

        Raises:
            LookupError: it is none that counted, or it is so already.
        """
        rows = await self._store.of_match(match)
        if not rows or rows[0].discounted == on:
            raise LookupError(match)
        winner = 0 if rows[0].score > rows[1].score else 1
        async with self._rewriting(_contest(rows[0]), winner, on) as statements:
            yield statements

    @asynccontextmanager
    async def _rewriting(
        self, contest: Contest, winner: int | None, discounted: bool | None = None
    ) -> AsyncIterator[Sequence[Executable]]:
        async with self._lock:
            change = await self._rewritten(contest, winner, discounted)
            yield change.statements
            for person in self._at_hand.keys() & change.concerned:
                try:
                    await self._load(person)
                except (
                    OSError,
                    SQLAlchemyError,
                ) as error:  # it is stored
                    log.warning("a rating could not be read again: %s", error)

    async def _rewritten(
        self, contest: Contest, winner: int | None, discounted: bool | None
    ) -> _Change:
        """The list of matches with this one in it, won by a seat, or (None) without it.

        ``discounted``: whether it is to count as nothing; None: as before.
        """
        known = await self._store.of_match(contest.match)
        number = known[0].number if known else await self._store.last_number() + 1
        at = known[0].at if known else self._wall()
        terms = await self._terms(contest, known, discounted)
        change, fold = _Change(), Fold()
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
            rows = fold.play(contest, number, at, winner, terms)
            change.statements += [changed(row) if known else added(row) for row in rows]
        change.statements += await asyncio.to_thread(folded, fold, later)
        change.concerned = set(fold.standings)
        return change

    async def _terms(
        self, contest: Contest, known: Sequence[RatingRow], discounted: bool | None
    ) -> Terms:
        """What a match that has ended (again) weighs, and when it may be known."""
        now = self._clock()
        if known and discounted is not None:
            row = known[0]
            return Terms(row.weight, discounted, row.shown_from)
        if known:
            weight = known[0].weight
        else:
            earlier = await self._store.between(contest.players, self._wall() - _WITHIN_S)
            weight = 0.5 ** max(0, len(earlier) - IN_FULL + 1)
        late = now + contest.delay_s if contest.delay_s > 0.0 else 0.0
        return Terms(weight, bool(known and known[0].discounted), late)


def _winner(state: MatchState) -> int | None:
    return state.winner if state.phase is Phase.MATCH_OVER else None


def _contest(row: RatingRow) -> Contest:
    return Contest(row.match, row.discipline, (row.person, row.opponent))
