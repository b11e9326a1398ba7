"""Matches to stations: what is called next, when the others are likely to start, who is late.

Time comes in; what comes out are acts to record (``Called``, and for those who are late
``Withdrawn`` or ``Forfeit``) and estimates to show.
"""

from dataclasses import dataclass
from functools import lru_cache
from math import comb

from server.competitions import acts as a
from server.competitions import bracket, ladder
from server.competitions.competition import Competition
from server.competitions.facts import Call
from server.competitions.fixtures import Fixture
from server.competitions.setup import Elimination, Ladder, Settings

#: After a pause everybody has so long to come back before anybody is late, s.
TO_COME_BACK_S = 60.0
#: The games that the settings' guess of a game's length weighs as much as, beside timed ones.
GUESS_WEIGHS = 10


@dataclass(frozen=True, slots=True)
class Estimate:
    """When a match is likely to run, s since 1970.  ``station``: where it is, once called."""

    match: str
    station: str | None
    starts_at: float
    ends_at: float


def in_order(competition: Competition) -> list[Fixture]:
    """The matches that aren't settled, most pressing first.

    In a bracket that with the longest chain of matches still behind it, so that no late round
    comes before an early one and the end isn't held up; elsewhere round by round.
    """
    waiting = [
        match
        for match in competition.fixtures.values()
        if match.outcome is None and not match.struck and not match.empty
    ]
    behind = _chains(competition)
    return sorted(waiting, key=lambda m: (-behind.get(m.id, 0), m.round, m.number))


def _chains(competition: Competition) -> dict[str, int]:
    """Of each match of a bracket, how many come after it on the longest way to the end."""
    behind: dict[str, int] = {}
    if isinstance(competition.settings.format, Elimination):
        for node in reversed(bracket.nodes_of(competition.facts)):
            mine = behind.setdefault(node.id, 0)
            for source in node.sides:
                if source.match:
                    behind[source.match] = max(behind.get(source.match, 0), mine + 1)
    return behind


def next_calls(
    competition: Competition,
    at: float,
    busy: frozenset[str] = frozenset(),
    taken: frozenset[str] = frozenset(),
) -> tuple[a.Called, ...]:
    """The matches that can be called now, each to a free station.

    ``busy``, ``taken``: people and stations occupied by something else than this competition.
    """
    facts = competition.facts
    if facts.paused_at is not None:
        return ()
    free = [s for s in facts.stations if s not in taken]
    free = [s for s in free if all(call.station != s for call in competition.calls.values())]
    if not free:
        return ()
    playing = set(busy)
    for name in competition.calls:
        playing |= competition.people_of(competition.fixtures[name])
    rested = _rested(competition)
    calls: list[a.Called] = []
    for match in in_order(competition):
        if len(calls) == len(free):
            break
        if not match.is_open or match.id in competition.calls or facts.held.get(match.id, False):
            continue
        people = competition.people_of(match)
        ready = max(match.not_before, *(rested.get(side, 0.0) for side in match.pair))
        if ready <= at and playing.isdisjoint(people):
            station = free[len(calls)]
            calls.append(a.Called(match=match.id, sides=_sides(match), station=station, due=at))
            playing |= people
    return tuple(calls)


def _rested(competition: Competition) -> dict[str, float]:
    """From when on each entrant may play again."""
    rest = competition.settings.min_rest_s
    rested: dict[str, float] = {}
    for match in competition.fixtures.values():
        out = match.outcome
        if out is not None and out.kind == "played" and out.at is not None:
            for side in match.pair:
                rested[side] = max(rested.get(side, 0.0), out.at + rest)
    return rested


def game_s(competition: Competition) -> float:
    """Length of a game: the running average of those timed, begun with the settings' guess."""
    seconds, games = competition.facts.timed
    guess = competition.settings.game_s
    return (guess * GUESS_WEIGHS + seconds) / (GUESS_WEIGHS + games)


@lru_cache(maxsize=1000)
def games_expected(mine: int, others: int) -> float:
    """Mean number of games of a race of ``mine`` to ``others``, the chances as the races stand.

    The mean is the sum over n of the chance that more than n games are played.
    """
    game, total = mine / (mine + others), 0.0
    for games in range(mine + others - 1):
        # not over after so many games: neither has won enough of them
        for won in range(max(0, games - others + 1), min(mine, games + 1)):
            total += comb(games, won) * game**won * (1.0 - game) ** (games - won)
    return total


def duration_s(competition: Competition, match: Fixture) -> float:
    """How long a match is likely to take; team matches play board after board at one station."""
    each = game_s(competition)
    settings: Settings = competition.settings
    if settings.teams is not None:
        return each * sum(games_expected(b.race_to, b.race_to) for b in settings.teams.boards)
    races = match.reason.races if match.reason else (settings.race_to, settings.race_to)
    return each * games_expected(*races)


def estimates(competition: Competition, at: float, most: int = 300) -> tuple[Estimate, ...]:
    """When the matches that run and the next ``most`` of those that wait are likely to play.

    The evening is played on in thought: whenever a station falls free, the most pressing match
    that is ready goes there.  Held matches are left out, with all that hangs on them.
    """
    facts = competition.facts
    free_at = dict.fromkeys(facts.stations, at)
    rest, ends, ready_at = competition.settings.min_rest_s, dict[str, float](), _rested(competition)
    found = []
    for name, call in competition.calls.items():
        match = competition.fixtures[name]
        start = max(call.at, call.due)
        end = max(at, start + duration_s(competition, match))
        found.append(Estimate(name, call.station, start, end))
        ends[name] = free_at[call.station] = end
        ready_at |= dict.fromkeys(match.pair, end + rest)
    waiting = [
        match
        for match in in_order(competition)
        if match.id not in competition.calls and not facts.held.get(match.id, False)
    ][:most]
    while waiting and free_at:
        station = min(free_at, key=lambda name: free_at[name])
        best: tuple[float, int] | None = None
        for place, match in enumerate(waiting):
            if all(feeder in ends for feeder in match.feeders):
                ready = max(
                    free_at[station],
                    match.not_before,
                    *(ends[feeder] + rest for feeder in match.feeders),
                    *(ready_at.get(side, 0.0) for side in match.pair),
                )
                if best is None or ready < best[0]:
                    best = ready, place
                if ready == free_at[station]:
                    break
        if best is None:
            break
        start, match = best[0], waiting.pop(best[1])
        ends[match.id] = free_at[station] = start + duration_s(competition, match)
        ready_at |= dict.fromkeys(match.pair, ends[match.id] + rest)
        found.append(Estimate(match.id, None, start, ends[match.id]))
    return tuple(found)


def late(competition: Competition, at: float) -> tuple[a.Withdrawn | a.Forfeit, ...]:
    """What the time has brought about: acts to record for those who weren't there (N9.9j).

    Who isn't at his station ``late_s`` after the match was due is out of the competition, or loses
    the match, as the settings say; where neither came, both leave.  In a ladder the challenged
    loses what isn't played in time.  While the competition stands nobody becomes late.
    """
    if competition.facts.paused_at is not None:
        return ()
    settings, acts = competition.settings, list[a.Withdrawn | a.Forfeit]()
    for name, call in competition.calls.items():
        match = competition.fixtures[name]
        missing = match.pair - call.arrived
        if not match.is_open or not missing or at < late_at(competition, call):
            continue
        sides = _sides(match)
        if settings.late_means == "forfeit" and len(missing) == 1:
            acts.append(a.Forfeit(match=name, sides=sides, loser=min(missing), reason="late"))
        else:
            out = settings.late_means == "disqualified"
            acts += [
                a.Withdrawn(entrant=side, disqualified=out, reason="N9.9j" if out else "late")
                for side in sides
                if side in missing
            ]
    if isinstance(settings.format, Ladder):
        acts += [
            a.Forfeit(match=m.id, sides=_sides(m), loser=_sides(m)[1], reason="not played in time")
            for m in ladder.overdue(competition.facts, at)
        ]
    return tuple(acts)


def late_at(competition: Competition, call: Call) -> float:
    """From when on who isn't there is late."""
    late_s = competition.settings.late_s
    return max(call.due + late_s, competition.facts.resumed_at + min(late_s, TO_COME_BACK_S))


def _sides(match: Fixture) -> a.Pair:
    first, second = match.sides
    assert first is not None and second is not None
    return first, second
