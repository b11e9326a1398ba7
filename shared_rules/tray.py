"""Which balls of the rack are down, in the order in which they went.

The order is nowhere else in a state, so it is kept in it (``MatchState.down``): whoever comes late
has the same tray as those who saw the balls fall.
"""

from msgspec.structs import replace

from shared_rules.disciplines import discipline_of
from shared_rules.state import MatchState


def with_tray(state: MatchState) -> MatchState:
    """The state with ``down`` brought up to its balls.

    What lies on the bed again is down no more; what has gone comes after the rest, in the order of
    the last ruling.  Without a rack nothing is down.
    """
    down = _down(state) if state.racked else ()
    return state if down == state.down else replace(state, down=down)


def _down(state: MatchState) -> tuple[int, ...]:
    rack = discipline_of(state.description.ruleset).balls
    missing = [ball for ball in rack if ball not in state.balls]
    if len(missing) == len(state.down) and set(missing) == set(state.down):
        return state.down
    ruling = state.last_ruling
    fallen = () if ruling is None else (*ruling.pocketed, *ruling.off_table)
    order = (*state.down, *fallen, *missing)
    return tuple(ball for ball in dict.fromkeys(order) if ball in missing)
