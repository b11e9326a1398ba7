"""Competitions without I/O: a log goes in; fixtures, standings, placings and calls come out.

No clock, no database, no socket, no chance but by a seed that comes in.  ``new`` opens a
competition, ``record`` adds to its log or refuses, ``replay`` builds it from a stored log.
"""

from server.competitions.calling import estimates as estimates
from server.competitions.calling import late as late
from server.competitions.calling import next_calls as next_calls
from server.competitions.competition import Competition as Competition
from server.competitions.competition import replay as replay
from server.competitions.corrections import Consequences as Consequences
from server.competitions.corrections import consequences as consequences
from server.competitions.draw import draw as draw
from server.competitions.fixtures import Fixture as Fixture
from server.competitions.fixtures import Outcome as Outcome
from server.competitions.placings import Placing as Placing
from server.competitions.record import record as record
from server.competitions.setup import Settings as Settings
from server.competitions.standings import Row as Row


def new(settings: Settings) -> Competition:
    """A competition in which nothing has been entered."""
    return replay(settings, ())
