"""A match that plays itself: what each player does follows from the state alone (fake physics).

So a match with a fault in it must come out, event by event, as the one without.
"""

from shared_rules import commands as c
from shared_rules.state import MatchState, Option, Phase, Seat, Stroke
from tests.server import fake_physics as fake

_ELEVATION_DEG = 85.0  # over everything that lies behind a ball
_LAG_SPEEDS = (3.0, 2.0)  # seat 0 wins it


def command(state: MatchState, seat: Seat) -> c.PlayerCommand | None:
    """What the player of a seat does now; None: it is not for him to act."""
    if state.phase is Phase.LAG and state.lag is not None:
        first, own = state.lag.struck[0], state.lag.struck[seat]
        return None if own or (seat and not first) else _strike(_LAG_SPEEDS[seat])  # in order
    if state.decider == seat:
        return c.Choose(option=_preferred(state))
    if state.decider is not None or state.shooter != seat or state.running is not None:
        return None
    if state.phase is Phase.PLACE_CUE_FOR_BREAK and not state.racked:
        return None
    if state.cue_in_hand != "none" and not state.cue_placed:
        return c.PlaceCue(x=-0.8, y=0.0) if state.cue_in_hand == "head" else _beside(state)
    if state.is_break:
        return _strike(fake.BREAK)
    return _strike(fake.SAFE if state.shot_number % 3 == 2 else fake.POT)


def _preferred(state: MatchState) -> Option:
    return Option.BREAK if Option.BREAK in state.options else state.options[0]


def _strike(speed: float) -> c.Strike:
    return c.Strike(
        stroke=Stroke(speed=speed, heading_deg=0.0, elevation_deg=_ELEVATION_DEG),
    )


def _beside(state: MatchState) -> c.PlaceCue:
    """Ball in hand, off every other ball."""
    others = [at for ball, at in state.balls.items() if ball != 0]
    for n in range(200):
        x, y = -1.0 + 0.01 * n, 0.31
        if all(abs(at.x - x) + abs(at.y - y) > 0.08 for at in others):
            return c.PlaceCue(x=x, y=y)
    raise AssertionError("no place is free")
