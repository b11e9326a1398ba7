"""Competitions as messages show them."""

from functools import lru_cache
from typing import Any

import msgspec

from server.club.pairings import Pairing
from server.club.tables import Tables
from server.competitions import acts as a
from server.competitions.calling import estimates
from server.competitions.competition import Competition
from server.competitions.corrections import Consequences
from server.competitions.handicap import chart_of
from server.competitions.setup import OddsHandicap, Settings
from server.competitions.teams import boards_of, line_up_of
from shared_rules import messages as m
from shared_rules.messages.league import ChartStep


def summary(name: str, competition: Competition) -> m.CompetitionSummary:
    """A competition in the list."""
    drawn = "drawn" if competition.facts.started else "entries"
    return m.CompetitionSummary(
        competition=name,
        name=competition.settings.name,
        format=str(competition.settings.format.__struct_config__.tag),
        status="over" if competition.is_over else drawn,  # type: ignore[arg-type]
        entrants=len(competition.facts.present),
    )


def whole(
    re: int, name: str, competition: Competition, tables: Tables, at: float, log: bool
) -> m.CompetitionShown:
    """A competition as it stands ``at`` a Unix time."""
    facts = competition.facts
    entrants = (
        _plain(entrant) | {"left": who in facts.left} for who, entrant in facts.entrants.items()
    )
    calls = (
        {"match": who} | _plain(call) | _at_tables(name, competition, tables, who, call.sides)
        for who, call in competition.calls.items()
    )
    return m.CompetitionShown(
        re=re,
        competition=name,
        settings=_plain(competition.settings),
        entrants=tuple(entrants),
        fixtures=tuple(_plain(match) for match in competition.fixtures.values()),
        calls=tuple(calls),
        estimates=tuple(_plain(one) for one in estimates(competition, at)),
        standings=tuple(_plain(row) for row in competition.standings),
        placings=tuple(_plain(placing) for placing in competition.placings),
        log=tuple(_plain(line) for line in competition.log) if log else (),
        paused=facts.paused_at is not None,
        chart=_chart(competition.settings),
    )


def _at_tables(
    name: str, competition: Competition, tables: Tables, match: str, sides: a.Pair
) -> dict[str, Any]:
    """The table of a match that is called; of a team match where it is at, and its boards: who
    plays on each for either side, and the score once it is over."""
    found: dict[str, Any] = {"table": tables.latest(name, competition, match, sides)}
    if competition.settings.teams is not None:
        facts = competition.facts
        first, second = (line_up_of(facts, match, side) for side in sides)
        scores = boards_of(facts, match, sides)
        found["boards"] = [
            {"players": [list(mine), list(theirs)], "score": score}
            for mine, theirs, score in zip(first, second, scores, strict=True)
        ]
    return found


def follows(re: int, found: Consequences) -> m.CorrectionFollows:
    """What would follow from a correction."""
    return m.CorrectionFollows(
        re=re,
        weight=found.weight,
        touched=tuple(_plain(touched) for touched in found.touched),
        rounds_stand=found.rounds_stand,
    )


def called(
    name: str,
    competition: Competition,
    call: a.Called,
    side: str,
    table: str | None,
    pairing: Pairing | None = None,
) -> m.MatchCalled:
    """The call to a match, for one of its sides; of a board with its ``pairing``, for one of the
    two who play it."""
    match = competition.fixtures[call.match]
    seat = call.sides.index(side)
    opponents = [competition.facts.entrants[who] for who in reversed(call.sides)]
    opponent = opponents[seat].name
    races = match.reason.races if match.reason is not None else (0, 0)
    teams = competition.settings.teams
    if pairing is not None and pairing.board is not None and teams is not None:
        races = (teams.boards[pairing.board - 1].race_to,) * 2
        opponent = f"{opponent} ({pairing.board}/{len(teams.boards)})"
    return m.MatchCalled(
        competition=name,
        name=competition.settings.name,
        match=call.match,
        station=call.station,
        opponent=opponent,
        due=call.due,
        late_s=competition.settings.late_s,
        races=(races[seat], races[1 - seat]),
        why=match.reason.why if match.reason is not None else "no_handicap",
        table=table,
        ratings=(opponents[1 - seat].rating, opponents[seat].rating),
        chart=_chart(competition.settings),
    )


@lru_cache(maxsize=100)
def _chart(settings: Settings) -> tuple[ChartStep, ...]:
    handicap = settings.handicap
    if isinstance(handicap, OddsHandicap):
        handicap = chart_of(handicap, settings.race_to)
    steps = handicap.steps if handicap is not None else ()
    ordered = sorted(steps, key=lambda step: step.from_difference)
    return tuple(ChartStep(from_difference=s.from_difference, races=s.races) for s in ordered)


def _plain(value: Any) -> dict[str, Any]:
    plain: dict[str, Any] = msgspec.to_builtins(value)
    return plain
