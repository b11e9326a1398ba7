"""Competitions as the board shows them: in short, and whole; what is next, what has ended."""

from collections.abc import Iterable, Mapping

import msgspec

from server.club.club import Club
from server.competitions import bracket
from server.competitions.calling import Estimate, estimates
from server.competitions.competition import Competition
from server.competitions.fixtures import Fixture
from server.competitions.setup import Elimination, SingleElimination
from server.terms import code_key
from server.web.board.shapes import (
    Awaited,
    Entrant,
    InShort,
    Match,
    Overview,
    Place,
    Side,
    Standing,
    Whole,
)

_IN_SHORT = 8  # rows of a standing
_NEXT = 60  # matches of a competition whose times are worked out for the board
_LATEST = 12
_MOST_SHORT = 50  # competitions on the board
_AGAIN_S = 10.0  # so long estimates hold


class Part(msgspec.Struct, frozen=True, kw_only=True):
    """What a competition gives to the board."""

    short: InShort
    coming: tuple[Match, ...]
    results: tuple[Match, ...]


class League:
    """Makes all of this of the club's competitions, and remembers it while they stay the same."""

    def __init__(self, club: Club, server: str) -> None:
        self._club = club
        self._server = server
        self._parts: dict[str, tuple[Competition, float, Part]] = {}

    @property
    def kept(self) -> Mapping[str, Competition]:
        """Every competition by its id, the oldest first."""
        return self._club.book.kept

    def tables_of(self, name: str) -> dict[str, str]:
        """The latest table of each match of a competition."""
        return {at.match: at.table for at in list(self._club.tables) if at.competition == name}

    def overview(self, now: float) -> Overview:
        """The board at a Unix time."""
        tables: dict[str, dict[str, str]] = {}
        for at in list(self._club.tables):
            tables.setdefault(at.competition, {})[at.match] = at.table
        parts = [
            self._part(name, one, tables.get(name, {}), now)
            for name, one in list(self.kept.items())
        ]
        order = {"drawn": 0, "entries": 1, "over": 2}
        shorts = sorted(
            (part.short for part in reversed(parts)), key=lambda short: order[short.status]
        )
        coming = sorted((m for part in parts for m in part.coming), key=lambda m: m.starts_at or 0)
        ended = sorted(
            (m for part in parts for m in part.results), key=lambda m: -(m.ended_at or 0)
        )
        return Overview(
            server=self._server,
            at=now,
            competitions=tuple(shorts[:_MOST_SHORT]),
            coming=tuple(coming[:_NEXT]),
            results=tuple(ended[:_LATEST]),
        )

    def _part(
        self, name: str, competition: Competition, tables: Mapping[str, str], now: float
    ) -> Part:
        known = self._parts.get(name)
        if known is not None and known[0] is competition:
            lasts = competition.is_over or not competition.facts.started
            if lasts or now - known[1] < _AGAIN_S:
                return known[2]
        likely = estimates(competition, now, _NEXT) if _goes_on(competition) else ()
        coming = (_match(name, competition, one.match, one, tables) for one in likely)
        settled = [m for m in competition.fixtures.values() if m.outcome and m.outcome.at]
        settled = [m for m in settled if m.outcome and m.outcome.kind != "bye"]
        settled.sort(key=lambda m: -(m.outcome.at or 0.0) if m.outcome else 0.0)
        part = Part(
            short=in_short(name, competition),
            coming=tuple(coming),
            results=tuple(_match(name, competition, m.id, None, tables) for m in settled[:_LATEST]),
        )
        self._parts[name] = (competition, now, part)
        return part

    def whole(self, name: str, now: float) -> Whole | None:
        """A competition at a Unix time; None: there is none of that id."""
        name = code_key(name)
        competition = self.kept.get(name)
        if competition is None:
            return None
        facts, tables = competition.facts, self.tables_of(name)
        likely = {e.match: e for e in estimates(competition, now)} if _goes_on(competition) else {}
        return Whole(
            at=now,
            summary=in_short(name, competition),
            entrants=tuple(
                Entrant(
                    id=who,
                    name=entrant.name,
                    rating=entrant.rating,
                    players=entrant.players,
                    left=who in facts.left,
                )
                for who, entrant in facts.entrants.items()
            ),
            matches=tuple(
                _match(name, competition, match, likely.get(match), tables)
                for match in competition.fixtures
            ),
            standings=_standings(competition, None),
            placings=tuple(
                Place(
                    id=placing.entrant,
                    name=_name(competition, placing.entrant),
                    first=placing.first,
                    last=placing.last,
                    disqualified=placing.disqualified,
                )
                for placing in competition.placings
            ),
        )

    def coming_for(self, person: str, now: float) -> list[Match]:
        """The matches that somebody still has, the next first; those of his teams too."""
        found: list[Match] = []
        for name, competition in list(self.kept.items()):
            mine = sides_of(competition, person)
            if not mine or not _goes_on(competition):
                continue
            tables = self.tables_of(name)
            likely = {one.match: one for one in estimates(competition, now)}
            found += [
                _match(name, competition, match.id, likely.get(match.id), tables)
                for match in competition.fixtures.values()
                if match.outcome is None and not match.empty and not match.struck
                and mine & match.pair
            ]  # fmt: skip
        return sorted(found, key=lambda m: (m.starts_at is None, m.starts_at or 0.0))


def sides_of(competition: Competition, person: str) -> frozenset[str]:
    """The entrants for whom somebody plays: himself, or his teams."""
    entrants = competition.facts.entrants.items()
    return frozenset(who for who, entrant in entrants if person in entrant.people)


def in_short(name: str, competition: Competition) -> InShort:
    """A competition in a list."""
    facts, settings = competition.facts, competition.settings
    drawn = "drawn" if facts.started else "entries"
    playable = [m for m in competition.fixtures.values() if not m.empty and not _is_bye(m)]
    settled = sum(m.outcome is not None or m.struck for m in playable)
    return InShort(
        competition=name,
        name=settings.name,
        format=str(settings.format.__struct_config__.tag),
        discipline=settings.ruleset.discipline,
        ruleset=settings.ruleset.id,
        race_to=settings.race_to,
        status="over" if competition.is_over else drawn,
        entrants=len(facts.present),
        matches=(settled, len(playable)),
        opened_at=competition.log[0].at if competition.log else 0.0,
        leaders=()
        if isinstance(settings.format, Elimination) or not _goes_on(competition)
        else _standings(competition, _IN_SHORT),
    )


def _is_bye(match: Fixture) -> bool:
    return match.outcome is not None and match.outcome.kind == "bye"


def _goes_on(competition: Competition) -> bool:
    return competition.facts.started and not competition.is_over


def _standings(competition: Competition, most: int | None) -> tuple[Standing, ...]:
    return tuple(
        Standing(
            place=row.place,
            id=row.entrant,
            name=_name(competition, row.entrant),
            points=row.points,
            played=row.played,
            won=row.won,
            drawn=row.drawn,
            lost=row.lost,
            score=row.score,
            games=row.games,
            tie_breaks={tie.value: value for tie, value in row.tie_breaks},
            has_left=row.has_left,
        )
        for row in competition.standings[:most]
    )


def _name(competition: Competition, who: str) -> str:
    entrant = competition.facts.entrants.get(who)
    return who if entrant is None else entrant.name


def _side(competition: Competition, who: str | None) -> Side | None:
    return None if who is None else Side(id=who, name=_name(competition, who))


def _match(
    name: str,
    competition: Competition,
    match_id: str,
    likely: Estimate | None,
    tables: Mapping[str, str],
) -> Match:
    match = competition.fixtures[match_id]
    call, outcome = competition.calls.get(match_id), match.outcome
    table = tables.get(match_id)
    if outcome is not None or match.struck:
        state = "over"
    elif match.empty:
        state = "none"
    elif call is not None:
        state = "called" if table is None else "playing"
    else:
        state = "waiting"
    station = call.station if call is not None else likely.station if likely is not None else None
    return Match(
        competition=name,
        match=match_id,
        stage=match.stage,
        round=match.round,
        number=match.number,
        sides=_sides(competition, match),
        races=None if match.reason is None else match.reason.races,
        state=state,
        awaits=_awaited(competition, match),
        to_final=_to_final(competition, match),
        station=station,
        starts_at=likely.starts_at if likely is not None else None,
        ends_at=likely.ends_at if likely is not None else None,
        ended_at=outcome.at if outcome is not None else None,
        winner=outcome.winner if outcome is not None else None,
        score=outcome.score if outcome is not None else None,
        ended_by=outcome.kind if outcome is not None else None,
        table=table,
    )


def _awaited(competition: Competition, match: Fixture) -> tuple[Awaited | None, Awaited | None]:
    """Who is still to come to a match of a bracket."""
    if not match.feeders or not isinstance(competition.settings.format, Elimination):
        return None, None
    node = next(node for node in bracket.nodes_of(competition.facts) if node.id == match.id)
    first, second = (
        None
        if side is not None or source.match not in match.feeders
        else _source(competition, source.kind, competition.fixtures[source.match])
        for side, source in zip(match.sides, node.sides, strict=True)
    )
    return first, second


def _source(competition: Competition, kind: str, match: Fixture) -> Awaited:
    return Awaited(
        kind=kind,
        match=match.id,
        stage=match.stage,
        round=match.round,
        number=match.number,
        to_final=_to_final(competition, match),
        sides=_sides(competition, match),
    )


def _sides(competition: Competition, match: Fixture) -> tuple[Side | None, Side | None]:
    return _side(competition, match.sides[0]), _side(competition, match.sides[1])


def _to_final(competition: Competition, match: Fixture) -> int | None:
    form = competition.settings.format
    if not isinstance(form, SingleElimination) or match.stage != "winners":
        return None
    rounds = len(competition.facts.draws[1]).bit_length() - 1
    return rounds - match.round


def known_people(kept: Iterable[Competition]) -> dict[str, str]:
    """Everybody who has entered a competition by himself: id to name, the latest name counts."""
    found: dict[str, str] = {}
    for competition in kept:
        if competition.settings.teams is None:
            found |= {who: entrant.name for who, entrant in competition.facts.entrants.items()}
    return found
