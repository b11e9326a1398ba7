"""What the end of a match at a table is for its competition."""

from server.club.pairings import board_of
from server.competitions import acts as a
from server.competitions.competition import Competition
from server.competitions.teams import boards_of, result_of
from server.storage.competitions import LeagueTable
from shared_rules.ruleset import Ruleset
from shared_rules.state import MatchState, Phase


def act_of(competition: Competition, at: LeagueTable, state: MatchState) -> a.Settling | None:
    """How a match has ended; None: it hasn't, or nobody has won it.

    Whoever has his race has won by the score; who wins without it was given the match, conceded
    or by an official.
    """
    if state.phase is not Phase.MATCH_OVER or state.winner is None:
        return None
    match = competition.fixtures[at.match]
    score = _score(competition.settings.ruleset, state)
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


def _score(rules: Ruleset, state: MatchState) -> tuple[int, int]:
    """What each has won of what is raced for, by seat."""
    return state.sets if rules.match.sets_to_win > 1 else state.games


def board_result_of(
    competition: Competition, at: LeagueTable, state: MatchState
) -> a.BoardResult | None:
    """How a board of a team match has ended; None: it hasn't, or nobody has won it.

    Who was given it has his race, and his opponent what he had won.
    """
    if at.board is None or state.phase is not Phase.MATCH_OVER or state.winner is None:
        return None
    board = board_of(competition, at.board)
    won = list(_score(board.ruleset or competition.settings.ruleset, state))
    won[state.winner] = board.race_to
    won[1 - state.winner] = min(won[1 - state.winner], board.race_to - 1)
    first, second = competition.fixtures[at.match].sides
    assert first is not None and second is not None
    turned = at.sides[0] not in competition.facts.entrants[first].people
    score = (won[1], won[0]) if turned else (won[0], won[1])
    return a.BoardResult(match=at.match, sides=(first, second), board=at.board, score=score)


def changed(
    competition: Competition, at: LeagueTable, before: MatchState, after: MatchState
) -> tuple[a.AnyAct, ...]:
    """What an order at the table puts into the log.

    A result that an official has entered meanwhile stands.
    """
    if at.match not in competition.fixtures:
        return ()
    if at.board is not None:
        return _changed_board(competition, at, before, after)
    old, new = act_of(competition, at, before), act_of(competition, at, after)
    if old == new:
        return ()
    settled = competition.facts.settled.get((at.match, frozenset(at.sides)))
    if settled is None:
        return () if new is None else (new,)
    if old is None or settled.act != old:
        return ()
    return (a.Corrected(entry=settled.entry, old=old, new=new, reason="the match went on"),)


def _changed_board(
    competition: Competition, at: LeagueTable, before: MatchState, after: MatchState
) -> tuple[a.AnyAct, ...]:
    old, new = (board_result_of(competition, at, state) for state in (before, after))
    if old == new:
        return ()
    if new is not None:
        return (new,)
    assert old is not None and at.board is not None
    facts, sides = competition.facts, old.sides
    if boards_of(facts, at.match, sides)[at.board - 1] != old.score:
        return ()
    again = a.BoardResult(match=at.match, sides=sides, board=at.board, score=None)
    settled = facts.settled.get((at.match, frozenset(sides)))
    if settled is None:
        return (again,)
    if settled.act != result_of(facts, at.match, sides):
        return ()
    back = a.Corrected(entry=settled.entry, old=settled.act, reason="a board went on")
    return back, again
