"""How fast competitions are: ``headstring bench league``.

Times are processor time: nothing here waits for anything.
"""

import time
from dataclasses import dataclass

from server import competitions
from server.competitions import acts as a
from server.competitions.setup import (
    DoubleElimination,
    Format,
    RoundRobin,
    Settings,
    SingleElimination,
    Swiss,
    TieBreak,
)

ENTRANTS = 128
#: Teams of a double round robin of at least 20,000 matches.
SEASON_TEAMS = 142


@dataclass(frozen=True)
class LeagueReport:
    """Seconds for each draw of ``entrants``, and for a season of ``matches`` recounted."""

    entrants: int
    draws_s: tuple[tuple[str, float], ...]
    matches: int
    replayed_s: float
    counted_s: float
    recorded_ms: float

    def __str__(self) -> str:
        lines = [f"{name:20} drawn for {self.entrants}: {s:.3f} s" for name, s in self.draws_s]
        whole = self.replayed_s + self.counted_s
        return "\n".join([
            *lines,
            f"a season of {self.matches} matches: replayed in {self.replayed_s:.2f} s, standings "
            f"with all tie-breaks in {self.counted_s:.2f} s, together {whole:.2f} s; "
            f"one more result recorded in {self.recorded_ms:.0f} ms",
        ])  # fmt: skip


def bench_league() -> str:
    """The report."""
    return str(measured())


def measured(entrants: int = ENTRANTS, teams: int = SEASON_TEAMS) -> LeagueReport:
    """Draws of every format, and a season replayed, counted and carried on."""
    forms: tuple[tuple[str, Format], ...] = (
        ("single elimination", SingleElimination(third_place=True)),
        ("double elimination", DoubleElimination()),
        ("round robin", RoundRobin()),
        ("Swiss, round 1", Swiss(rounds=7)),
    )
    draws = tuple((name, _drawn_s(form, entrants)) for name, form in forms)
    season = _entered(RoundRobin(legs=2), teams)
    season = competitions.record(season, season.log[-1].at, "bench", competitions.draw(season, 1))
    log, matches = list(season.log), list(season.fixtures.values())
    for turn, match in enumerate(matches[:-1]):
        log.append(_line(len(log) + 1, match, turn))
    begun = time.process_time()
    season = competitions.replay(season.opened, log)
    made = len(season.fixtures)
    replayed = time.process_time()
    assert len(season.standings) == teams
    counted = time.process_time()
    last = _line(len(log) + 1, matches[-1], 0)
    competitions.record(season, last.at, last.by, last.act)
    recorded = time.process_time()
    return LeagueReport(
        entrants=entrants,
        draws_s=draws,
        matches=made,
        replayed_s=replayed - begun,
        counted_s=counted - replayed,
        recorded_ms=(recorded - counted) * 1e3,
    )


def _entered(form: Format, entrants: int) -> competitions.Competition:
    settings = Settings(name="bench", format=form, tie_breaks=tuple(TieBreak))
    who = (a.Entrant(id=f"e{n}", name=f"E{n}", rating=float(n)) for n in range(entrants))
    lines = (
        a.Entry(number=n, at=0.0, by="bench", act=a.Entered(entrant=entrant))
        for n, entrant in enumerate(who, 1)
    )
    return competitions.replay(settings, lines)


def _drawn_s(form: Format, entrants: int) -> float:
    competition = _entered(form, entrants)
    begun = time.process_time()
    drawn = competitions.record(competition, 0.0, "bench", competitions.draw(competition, 1))
    assert drawn.fixtures
    return time.process_time() - begun


def _line(number: int, match: competitions.Fixture, turn: int) -> a.Entry:
    """A result of a match; who wins, and how clearly, changes from match to match."""
    first, second = match.sides
    assert first is not None and second is not None
    behind = turn % 5
    score = (5, behind) if (turn * 7) % 3 else (behind, 5)
    act = a.Result(match=match.id, sides=(first, second), score=score)
    return a.Entry(number=number, at=float(number), by="bench", act=act)
