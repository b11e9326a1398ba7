"""What the server itself must do next for a match, and when: a pure reading of the state.

The whole life of a match as far as it is the server's, in one table.  Times are the server's clock.
"""

from enum import Enum

from server.storage.records import ShotRecord
from shared_rules.state import MatchState, Phase


class Duty(Enum):
    """What is to be done."""

    START = "start"  # both players are there: the lag
    RACK = "rack"
    FINISH_SHOT = "finish_shot"  # the balls have stopped on every screen
    NEXT_GAME = "next_game"
    EXPIRE_CLOCK = "expire_clock"


Due = tuple[float, Duty]

_IMMEDIATELY = float("-inf")


def next_duty(
    state: MatchState,
    shot: ShotRecord | None,
    since: float,
    between_games_s: float,
    credit_s: float = 0.0,
) -> Due | None:
    """The next duty and when it is due.

    Args:
        state: the match.
        shot: the running shot, simulated; None: there is none, or it isn't yet.
        since: when the present phase began.
        between_games_s: seconds from the end of a game to the next rack.
        credit_s: what may come so late counts as in time, so a clock expires only then.
    """
    match state.phase:
        case Phase.MATCH_OVER:
            return None
        case Phase.WAITING_FOR_PLAYERS:
            return _IMMEDIATELY, Duty.START
        case Phase.SHOT_RUNNING:
            return (shot.started_at + shot.duration, Duty.FINISH_SHOT) if shot else None
        case Phase.GAME_OVER | Phase.SET_OVER | Phase.BETWEEN_GAMES:
            return since + between_games_s, Duty.NEXT_GAME
        case Phase.PLACE_CUE_FOR_BREAK if not state.racked:
            return _IMMEDIATELY, Duty.RACK
        case Phase.RERACK:
            return _IMMEDIATELY, Duty.RACK
    if state.clock.deadline is not None:
        return state.clock.deadline + credit_s, Duty.EXPIRE_CLOCK
    return None
