"""What a competition is before anyone plays: format, race, handicap, points, tie-breaks, teams.

Everything here is a value that can be stored as it is; nothing here knows who has entered.
"""

from enum import StrEnum
from typing import Annotated, Literal

import msgspec

from shared_rules.ruleset import Ruleset

Count = Annotated[int, msgspec.Meta(ge=1, le=1000)]
Races = tuple[Count, Count]
Seconds = Annotated[float, msgspec.Meta(ge=0.0, le=1e9)]
#: Seconds since 1970, as the server's clock tells them.
Instant = Annotated[float, msgspec.Meta(ge=0.0, le=1e11)]
#: What the bracket is laid out for; the cross-over table of ``bracket.py`` ends here.
MOST_IN_BRACKET = 128


class Part(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A value of a competition."""


class RoundRobin(Part, frozen=True, kw_only=True, tag_field="format", tag="round_robin"):
    """Everyone meets everyone, ``legs`` times; a season, when it has teams and match days."""

    legs: Annotated[int, msgspec.Meta(ge=1, le=4)] = 1


class Swiss(Part, frozen=True, kw_only=True, tag_field="format", tag="swiss"):
    """So many rounds, each drawn among those who have about as many points."""

    rounds: Annotated[int, msgspec.Meta(ge=1, le=64)]


class SingleElimination(Part, frozen=True, kw_only=True, tag_field="format", tag="single"):
    """Who loses is out; the losers of the semi-finals may play for the third place."""

    third_place: bool = False


class DoubleElimination(Part, frozen=True, kw_only=True, tag_field="format", tag="double"):
    """Who has lost twice is out.  A second final is played when the first evens the losses."""


class Ladder(Part, frozen=True, kw_only=True, tag_field="format", tag="ladder"):
    """Players challenge who stands above them.

    ``reach``: how many places up a challenge may go.  ``rematch_s``: how long the same two wait
    after a match.  ``play_within_s``: a challenge that is not played by then is forfeited by who
    was challenged.  ``moves``: the winner takes the place and all between move down (``insert``),
    or the two change places (``exchange``).
    """

    reach: Annotated[int, msgspec.Meta(ge=1, le=100)] = 3
    rematch_s: Seconds = 7 * 86_400.0
    play_within_s: Seconds = 14 * 86_400.0
    moves: Literal["insert", "exchange"] = "insert"


Format = RoundRobin | Swiss | SingleElimination | DoubleElimination | Ladder
Elimination = SingleElimination | DoubleElimination


class Step(Part, frozen=True, kw_only=True):
    """A line of a chart: from this rating difference, the races of the stronger and the weaker."""

    from_difference: Annotated[float, msgspec.Meta(ge=0.0, le=1e4)]
    races: Races


class ChartHandicap(Part, frozen=True, kw_only=True, tag_field="handicap", tag="chart"):
    """Races read from a chart of the club; below its first line both play the full race."""

    steps: Annotated[tuple[Step, ...], msgspec.Meta(min_length=1, max_length=50)]


class OddsHandicap(Part, frozen=True, kw_only=True, tag_field="handicap", tag="odds"):
    """Races that make the match as even as whole games allow.

    ``points_per_doubling``: the rating difference at which the stronger wins two games of three.
    ``share``: the part of the difference that is evened out.  ``least``: the shortest race given.
    """

    points_per_doubling: Annotated[float, msgspec.Meta(gt=0.0, le=1e4)] = 100.0
    share: Annotated[float, msgspec.Meta(ge=0.0, le=1.0)] = 1.0
    least: Count = 2


Handicap = ChartHandicap | OddsHandicap


class TieBreak(StrEnum):
    """What parts those with as many points, in the order a competition names them."""

    HEAD_TO_HEAD = "head_to_head"
    BOARDS_DIFFERENCE = "boards_difference"
    GAMES_DIFFERENCE = "games_difference"
    GAMES_WON = "games_won"
    AVERAGE = "average"
    WINS = "wins"
    BUCHHOLZ = "buchholz"
    MEDIAN_BUCHHOLZ = "median_buchholz"
    SONNEBORN_BERGER = "sonneborn_berger"
    LAG_OFF = "lag_off"


class Points(Part, frozen=True, kw_only=True):
    """Points of the standings for a match."""

    win: Annotated[int, msgspec.Meta(ge=0, le=100)] = 2
    draw: Annotated[int, msgspec.Meta(ge=0, le=100)] = 1
    loss: Annotated[int, msgspec.Meta(ge=0, le=100)] = 0


class Board(Part, frozen=True, kw_only=True):
    """One match within a team match; without a ruleset of its own it has the competition's."""

    players: Literal[1, 2] = 1
    race_to: Count = 5
    ruleset: Ruleset | None = None


class TeamMatch(Part, frozen=True, kw_only=True):
    """What two teams play against each other.

    ``boards``: in the order in which the line-ups name their players.  ``appearances``: on how many
    boards one player may play.
    """

    boards: Annotated[tuple[Board, ...], msgspec.Meta(min_length=1, max_length=50)]
    appearances: Count = 1


class Settings(Part, frozen=True, kw_only=True):
    """A competition.

    ``match_days``: the times before which the rounds don't begin, first round first.
    ``min_rest_s``: between two matches of one player.  ``late_s``, ``late_means``: who isn't there
    so long after his match was due is out of the competition (N9.9j), or loses the match.
    ``struck``: whose withdrawal strikes out all his results in a round robin: anyone's, of him who
    has played less than half of his matches, or nobody's; the disqualified's always are (N9.9j).
    ``game_s``: how long a game is thought to last before any has been timed.
    """

    name: Annotated[str, msgspec.Meta(min_length=1, max_length=80)]
    format: Format
    ruleset: Ruleset = Ruleset()
    race_to: Count = 5
    handicap: Handicap | None = None
    seeding: Literal["rating", "hand", "draw"] = "rating"
    points: Points = Points()
    tie_breaks: Annotated[tuple[TieBreak, ...], msgspec.Meta(max_length=10)] = (
        TieBreak.HEAD_TO_HEAD,
        TieBreak.GAMES_DIFFERENCE,
        TieBreak.GAMES_WON,
    )
    teams: TeamMatch | None = None
    match_days: Annotated[tuple[Instant, ...], msgspec.Meta(max_length=1000)] = ()
    min_rest_s: Seconds = 0.0
    late_s: Seconds = 900.0
    late_means: Literal["disqualified", "forfeit"] = "disqualified"
    struck: Literal["all", "under_half", "none"] = "under_half"
    game_s: Annotated[float, msgspec.Meta(gt=0.0, le=86_400.0)] = 480.0
