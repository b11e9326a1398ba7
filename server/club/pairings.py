"""Who is to play whom at a table for a match that is called: the two sides themselves, or the
players of a team match, board after board at its one station."""

from dataclasses import dataclass

from server.competitions.acts import Pair
from server.competitions.competition import Competition
from server.competitions.setup import Board
from server.competitions.teams import boards_of, line_up_of


@dataclass(frozen=True)
class Pairing:
    """``sides``: people, by seat.  ``board``: of a team match, its number from 1."""

    match: str
    sides: Pair
    board: int | None = None


def pairings(competition: Competition, match: str, sides: Pair) -> tuple[Pairing, ...]:
    """What of a match between these is still to be played at tables, in order.

    Doubles are not (a table has two seats), nor boards for which a team has nobody, nor matches
    without a race: an official enters what they gave.
    """
    facts = competition.facts
    if facts.settings.teams is None:
        return (Pairing(match, sides),) if competition.fixtures[match].reason is not None else ()
    first, second = (line_up_of(facts, match, side) for side in sides)
    found: list[Pairing] = []
    for number, score in enumerate(boards_of(facts, match, sides), 1):
        players = first[number - 1] + second[number - 1]
        if score is None and board_of(competition, number).players == 1 and len(players) == 2:
            found.append(Pairing(match, (players[0], players[1]), number))
    return tuple(found)


def board_of(competition: Competition, number: int) -> Board:
    """What is played on a board of the competition's team matches."""
    teams = competition.settings.teams
    assert teams is not None
    return teams.boards[number - 1]
