"""Team matches: who may play where, how the boards stand, and what they come to."""

from collections import Counter

from server.competitions.acts import BoardResult, Entrant, LineUp, Pair, Result, Score
from server.competitions.facts import Facts
from server.competitions.setup import Board, TeamMatch
from shared_rules.refusal import Code, Refusal

LineUpBoards = tuple[tuple[str, ...], ...]


def line_up_of(facts: Facts, match: str, team: str) -> LineUpBoards:
    """Who plays for a team in a match, board by board, as far as that is known.

    Without a line-up its players come in the order in which they were entered, and begin anew as
    often as the settings let one play; a board for which nobody is left has nobody.
    """
    teams = facts.settings.teams
    assert teams is not None
    given = facts.line_ups.get((match, team))
    if given is not None:
        return given.boards
    left = list(facts.entrants[team].people) * teams.appearances
    boards: list[tuple[str, ...]] = []
    for board in teams.boards:
        players = tuple(dict.fromkeys(left))[: board.players]
        if len(players) < board.players:
            boards.append(())
            continue
        for player in players:
            left.remove(player)
        boards.append(players)
    return tuple(boards)


def boards_of(facts: Facts, match: str, sides: Pair) -> tuple[Score | None, ...]:
    """How the boards of a team match between these stand, in the order of ``sides``."""
    teams = facts.settings.teams
    assert teams is not None
    found: list[Score | None] = []
    for number in range(1, len(teams.boards) + 1):
        act = facts.boards.get((match, frozenset(sides), number))
        score = act.score if act is not None else None
        found.append(score[::-1] if score and act and act.sides != sides else score)
    return tuple(found)


def result_of(facts: Facts, match: str, sides: Pair) -> Result | None:
    """What the boards of a team match come to; None while one is open."""
    scores = [score for score in boards_of(facts, match, sides) if score is not None]
    assert facts.settings.teams is not None
    if len(scores) < len(facts.settings.teams.boards):
        return None
    first = sum(mine > theirs for mine, theirs in scores)
    return Result(
        match=match, sides=sides, score=(first, len(scores) - first), boards=tuple(scores)
    )


def check_board(teams: TeamMatch, act: BoardResult) -> None:
    """Whether there is such a board, and such a score on it.

    Raises:
        Refusal: there isn't.
    """
    if act.board > len(teams.boards):
        raise Refusal(Code.OUT_OF_RANGE, f"a team match has {len(teams.boards)} boards")
    if act.score is not None:
        _check_race(act.board, teams.boards[act.board - 1], act.score)


def _check_race(number: int, board: Board, score: Score) -> None:
    if max(score) != board.race_to or min(score) >= board.race_to:
        raise Refusal(Code.OUT_OF_RANGE, f"board {number} is a race to {board.race_to}: {score}")


def check_line_up(teams: TeamMatch, team: Entrant, line_up: LineUp) -> None:
    """Whether a line-up is one.

    Raises:
        Refusal: a board is missing or has the wrong number of players, or somebody plays who isn't
            of the team, or too often.
    """
    if len(line_up.boards) != len(teams.boards):
        raise Refusal(
            Code.MALFORMED, f"a line-up names players for {len(teams.boards)} boards, in order"
        )
    for number, (board, players) in enumerate(zip(teams.boards, line_up.boards, strict=True), 1):
        if len(set(players)) != board.players:
            raise Refusal(Code.MALFORMED, f"board {number} wants {board.players} players")
    often = Counter(player for players in line_up.boards for player in players)
    for player, times in often.items():
        if player not in team.people:
            raise Refusal(Code.UNKNOWN_PERSON, f"{player} doesn't play for {team.name}")
        if times > teams.appearances:
            raise Refusal(
                Code.NOT_ALLOWED, f"{player} is named {times} times; {teams.appearances} is allowed"
            )


def check_boards(teams: TeamMatch, result: Result) -> None:
    """Whether the boards of a team result are whole and come to its score.

    Raises:
        Refusal: they don't.
    """
    if len(result.boards) != len(teams.boards):
        raise Refusal(Code.MALFORMED, f"a team match has {len(teams.boards)} boards")
    if not result.short:
        for number, (board, score) in enumerate(zip(teams.boards, result.boards, strict=True), 1):
            _check_race(number, board, score)
    won = tuple(sum(score[side] > score[1 - side] for score in result.boards) for side in (0, 1))
    if result.score != won:
        raise Refusal(Code.OUT_OF_RANGE, f"the boards come to {won}, not to {result.score}")
