"""Competitions without I/O: a log goes in; fixtures, standings, placings and calls come out.

No clock, no database, no socket, no chance but by a seed that comes in.  ``new`` opens a
competition, ``record`` adds to its log or refuses, ``replay`` builds it from a stored log.
"""

from server.league.competition import Competition as Competition
from server.league.competition import replay as replay
from server.league.corrections import Consequences as Consequences
from server.league.corrections import consequences as consequences
from server.league.draw import draw as draw
from server.league.fixtures import Fixture as Fixture
from server.league.fixtures import Outcome as Outcome
from server.league.floor import estimates as estimates
from server.league.floor import late as late
from server.league.floor import next_calls as next_calls
from server.league.placings import Placing as Placing
from server.league.record import record as record
from server.league.settings import Settings as Settings
from server.league.standings import Row as Row


def new(settings: Settings) -> Competition:
    """A competition in which nothing has been entered."""
    return replay(settings, ())
