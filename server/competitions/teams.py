"""Team matches: who may play where, and what the boards come to."""

from collections import Counter

from server.competitions.acts import Entrant, LineUp, Result
from server.competitions.setup import TeamMatch
from shared_rules.refusal import Code, Refusal


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
            if max(score) != board.race_to or min(score) >= board.race_to:
                raise Refusal(
                    Code.OUT_OF_RANGE, f"board {number} is a race to {board.race_to}: {score}"
                )
    won = tuple(sum(score[side] > score[1 - side] for score in result.boards) for side in (0, 1))
    if result.score != won:
        raise Refusal(Code.OUT_OF_RANGE, f"the boards come to {won}, not to {result.score}")
