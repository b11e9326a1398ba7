"""What the end of a match at a table is for its competition."""

from server.competitions import acts as a
from server.competitions.competition import Competition
from server.storage.competitions import LeagueTable
from shared_rules.state import MatchState, Phase


def act_of(competition: Competition, at: LeagueTable, state: MatchState) -> a.Settling | None:
    """How a match has ended; None: it hasn't, or nobody has won it.

    Whoever has his race has won by the score; who wins without it was given the match, conceded
    or by an official.
    """
    if state.phase is not Phase.MATCH_OVER or state.winner is None:
        return None
    match = competition.fixtures[at.match]
    sets = competition.settings.ruleset.match.sets_to_win > 1
    score = state.sets if sets else state.games
    races = match.reason.races if match.reason is not None else (0, 0)
    if at.sides != match.sides:
        races = races[::-1]
    if score[state.winner] == races[state.winner]:
        result = a.Result(match=at.match, sides=at.sides, score=score)
        if at.sides != match.sides:
            return a.Result(match=at.match, sides=at.sides[::-1], score=score[::-1])
        return result
    sides = match.sides if set(match.sides) == set(at.sides) else at.sides
    first, second = sides
    assert first is not None and second is not None
    return a.Forfeit(
        match=at.match, sides=(first, second), loser=at.sides[1 - state.winner], reason="given"
    )


def changed(
    competition: Competition, at: LeagueTable, before: MatchState, after: MatchState
) -> a.Settling | a.Corrected | None:
    """What an order at the table puts into the log; None: nothing.

    A result that an official has entered meanwhile stands.
    """
    if at.match not in competition.fixtures:
        return None
    old, new = act_of(competition, at, before), act_of(competition, at, after)
    if old == new:
        return None
    settled = competition.facts.settled.get((at.match, frozenset(at.sides)))
    if settled is None:
        return new
    if old is None or settled.act != old:
        return None
    return a.Corrected(entry=settled.entry, old=old, new=new, reason="the match went on")
