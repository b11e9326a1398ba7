"""Players as the board shows them: record, head to head, form, figures, what is next.

A record holds the public matches that somebody has played at tables of this server, and the
results of competitions that an official has entered.  Figures are counted once a match and
remembered.
"""

import asyncio
from collections import Counter, OrderedDict
from collections.abc import Sequence
from dataclasses import asdict

import msgspec

from server.clock import ServerClock
from server.club.club import Club
from server.names import name_key
from server.storage.ratings import Eyes, RatingRow, RatingStore
from server.storage.seasons import PlayedMatch, SeasonStore
from server.web.board.figures import Figures, figures_of
from server.web.board.league import League, known_people, sides_of
from server.web.board.shapes import Match

MOST_MATCHES = 1000
_REMEMBERED = 20_000
_AT_A_TIME = 2
_TOGETHER = 20  # matches that are read at once
_FORM = 10

Pair = tuple[int, int]


class Played(msgspec.Struct, frozen=True, kw_only=True):
    """A match of somebody.  ``score``: his first; ``match``: its replay, null for a result that an
    official entered; ``at``: when it ended, Unix time."""

    match: str | None
    at: float
    opponent: str
    opponent_name: str
    won: bool | None
    score: Pair
    discipline: str
    competition: str | None = None
    competition_name: str | None = None


class Against(msgspec.Struct, frozen=True, kw_only=True):
    """The record against one opponent."""

    id: str
    name: str
    played: int
    won: int
    lost: int
    score: Pair


class InCompetition(msgspec.Struct, frozen=True, kw_only=True):
    """How somebody fares in a competition; ``first`` to ``last``: his place, where it is known."""

    competition: str
    name: str
    status: str
    played: int
    won: int
    lost: int
    first: int | None
    last: int | None


class Rated(msgspec.Struct, frozen=True, kw_only=True):
    """A rating, in whole points."""

    discipline: str
    rating: int


class PlayerShown(msgspec.Struct, frozen=True, kw_only=True):
    """A player's page.  ``form``: won, lost or drawn (W, L, D), the latest first; ``figures``: of
    the matches played at tables of this server, ``figured`` of them; ``since``: the first match."""

    id: str
    name: str
    ratings: tuple[Rated, ...]
    played: int
    won: int
    lost: int
    score: Pair
    since: float | None
    form: str
    figured: int
    figures: dict[str, int]
    coming: tuple[Match, ...]
    competitions: tuple[InCompetition, ...]
    opponents: tuple[Against, ...]
    matches: tuple[Played, ...]


class PlayerInList(msgspec.Struct, frozen=True, kw_only=True):
    """A player in the list: what his competitions come to."""

    id: str
    name: str
    competitions: int
    played: int
    won: int


class Players:
    """See the module."""

    def __init__(
        self,
        league: League,
        club: Club,
        seasons: SeasonStore,
        ratings: RatingStore,
        clock: ServerClock,
    ) -> None:
        self._league = league
        self._club = club
        self._seasons = seasons
        self._ratings = ratings
        self._clock = clock
        self._counted: OrderedDict[tuple[str, float], tuple[Figures, Figures]] = OrderedDict()
        self._turns = asyncio.Semaphore(_AT_A_TIME)

    def everybody(self) -> list[PlayerInList]:
        """Everybody who has entered a competition by himself, by name."""
        names = known_people(list(self._league.kept.values()))
        entered, played, won = Counter[str](), Counter[str](), Counter[str]()
        for competition in list(self._league.kept.values()):
            if competition.settings.teams is not None:
                continue
            entered.update(list(competition.facts.entrants))
            for match in competition.fixtures.values():
                if match.outcome is not None and match.outcome.kind == "played":
                    played.update(match.pair)
                    won.update([match.outcome.winner] if match.outcome.winner else [])
        found = (
            PlayerInList(
                id=who, name=name, competitions=entered[who], played=played[who], won=won[who]
            )
            for who, name in names.items()
        )
        return sorted(found, key=lambda one: name_key(one.name))

    async def find(self, who: str) -> tuple[str, str] | None:
        """Id and name of somebody by id or name; None: there is nobody."""
        known = known_people(self._league.kept.values())
        if who in known:
            return who, known[who]
        name = await self._seasons.person(who)
        if name is not None:
            return who, name
        key = name_key(who)
        found = await self._seasons.named(key)
        if found is not None:
            return found, await self._seasons.person(found) or who
        return next(((id, name) for id, name in known.items() if name_key(name) == key), None)

    async def shown(self, who: str, now: float) -> PlayerShown | None:
        """The page of somebody at a Unix time; None: nobody of this name has played here."""
        found = await self.find(who)
        if found is None:
            return None
        person, name = found
        async with self._turns:
            at_tables = await self._seasons.matches_of(person, self._clock.now(), MOST_MATCHES)
            figures = await self._figures(person, at_tables)
        current = await self._ratings.current(person, Eyes("", self._clock.now()))
        return await asyncio.to_thread(
            self._put_together, (person, name), at_tables, figures, current, now
        )

    def _put_together(
        self,
        who: tuple[str, str],
        at_tables: Sequence[PlayedMatch],
        figures: Figures,
        current: Sequence[RatingRow],
        now: float,
    ) -> PlayerShown | None:
        person, name = who
        matches = self._matches(person, at_tables)
        coming = self._league.coming_for(person, now)
        competitions = self._competitions(person)
        if not matches and not competitions and not coming:
            return None
        won = sum(one.won is True for one in matches)
        lost = sum(one.won is False for one in matches)
        return PlayerShown(
            id=person,
            name=name,
            ratings=tuple(
                Rated(discipline=row.discipline, rating=round(row.after_rating)) for row in current
            ),
            played=len(matches),
            won=won,
            lost=lost,
            score=_sum(matches),
            since=matches[-1].at if matches else None,
            form="".join("D" if m.won is None else "LW"[m.won] for m in matches[:_FORM]),
            figured=len(at_tables),
            figures=asdict(figures),
            coming=tuple(coming),
            competitions=tuple(competitions),
            opponents=_against(matches),
            matches=tuple(matches),
        )

    # --- matches ------------------------------------------------------------------------------

    def _matches(self, person: str, at_tables: Sequence[PlayedMatch]) -> list[Played]:
        """The matches of somebody, the latest first."""
        found = [self._at_table(person, one) for one in at_tables]
        with_table = {(at.competition, at.match) for at in list(self._club.tables)}
        for name, competition in list(self._league.kept.items()):
            if competition.settings.teams is not None or person not in competition.facts.entrants:
                continue
            for match in competition.fixtures.values():
                out, first = match.outcome, match.sides[0]
                if out is None or out.kind != "played" or person not in match.pair:
                    continue
                if (name, match.id) in with_table or out.score is None:
                    continue
                seat = 0 if first == person else 1
                other = match.sides[1 - seat] or ""
                found.append(
                    Played(
                        match=None,
                        at=out.at or 0.0,
                        opponent=other,
                        opponent_name=competition.facts.entrants[other].name,
                        won=None if out.winner is None else out.winner == person,
                        score=(out.score[seat], out.score[1 - seat]),
                        discipline=competition.settings.ruleset.discipline,
                        competition=name,
                        competition_name=competition.settings.name,
                    )
                )
        return sorted(found, key=lambda one: one.at, reverse=True)

    def _at_table(self, person: str, one: PlayedMatch) -> Played:
        seat = one.seats.index(person)
        at = self._club.at_table(one.match)
        return Played(
            match=one.match,
            at=one.ended_at,
            opponent=one.seats[1 - seat],
            opponent_name=one.names[1 - seat],
            won=None if one.winner is None else one.winner == seat,
            score=(one.score[seat], one.score[1 - seat]),
            discipline=one.discipline,
            competition=None if at is None else at.competition,
            competition_name=None
            if at is None
            else self._league.kept[at.competition].settings.name,
        )

    def _name(self, competition: str) -> str:
        return self._league.kept[competition].settings.name

    def _competitions(self, person: str) -> list[InCompetition]:
        found: list[InCompetition] = []
        for name, competition in reversed(list(self._league.kept.items())):
            for who in sides_of(competition, person):
                done = [
                    m.outcome
                    for m in competition.fixtures.values()
                    if m.outcome is not None and who in m.pair and m.outcome.kind != "bye"
                ]
                place = next((p for p in competition.placings if p.entrant == who), None)
                over = competition.is_over
                drawn = "drawn" if competition.facts.started else "entries"
                found.append(
                    InCompetition(
                        competition=name,
                        name=competition.settings.name,
                        status="over" if over else drawn,
                        played=len(done),
                        won=sum(one.winner == who for one in done),
                        lost=sum(one.loser == who for one in done),
                        first=None if place is None else place.first,
                        last=None if place is None else place.last,
                    )
                )
        return found

    # --- figures ------------------------------------------------------------------------------

    async def _figures(self, person: str, matches: Sequence[PlayedMatch]) -> Figures:
        """What somebody's strokes in these matches come to."""
        unknown = [one for one in matches if (one.match, one.ended_at) not in self._counted]
        for first in range(0, len(unknown), _TOGETHER):
            some = unknown[first : first + _TOGETHER]
            told = await self._seasons.told([one.match for one in some])
            for one in some:
                key = one.match, one.ended_at
                self._counted[key] = await asyncio.to_thread(
                    figures_of, one.match, one.preset, one.seats, told[one.match]
                )
        total = Figures()
        for one in matches:
            key = one.match, one.ended_at
            self._counted.move_to_end(key)
            total += self._counted[key][one.seats.index(person)]
        while len(self._counted) > _REMEMBERED:
            self._counted.popitem(last=False)
        return total


def _sum(matches: Sequence[Played]) -> Pair:
    return sum(m.score[0] for m in matches), sum(m.score[1] for m in matches)


def _against(matches: Sequence[Played]) -> tuple[Against, ...]:
    """Head to head, whom one has met most first."""
    by_id: dict[str, list[Played]] = {}
    for one in matches:
        by_id.setdefault(one.opponent, []).append(one)
    found = (
        Against(
            id=who,
            name=met[0].opponent_name,
            played=len(met),
            won=sum(one.won is True for one in met),
            lost=sum(one.won is False for one in met),
            score=_sum(met),
        )
        for who, met in by_id.items()
    )
    return tuple(sorted(found, key=lambda one: (-one.played, one.name)))
