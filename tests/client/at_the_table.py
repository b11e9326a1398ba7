"""A client driven at a local table (the fixture ``driven``): how to get to a moment."""

from client.net.session import Received
from shared_rules import commands as c
from shared_rules.commands import Actor
from shared_rules.state import Phase, Stroke
from tests.client.builders import event

LAG = 1.33


def lag(driven, mine=LAG, theirs=1.6) -> None:
    """Lag through the interface; the opponent's ball goes worse."""
    driven.hand.aim.speed = mine
    driven.key("space")
    other = Actor.of(1 - driven.session.view.seat)
    driven.table.order(other, c.Strike(stroke=Stroke(speed=theirs, heading_deg=0.0)))
    driven.wait_for(Phase.LAG_CHOICE)


def to_the_break(driven) -> None:
    lag(driven)
    driven.key("1")
    driven.wait_for(Phase.PLACE_CUE_FOR_BREAK)
    driven.frames(3)


def show(driven, match, **changes) -> None:
    """Put a state before the client as the server would."""
    driven.table.state = match
    driven.table.seq += 1
    driven.session.handle(Received(event(driven.table.seq, match, **changes), driven.now))
    driven.frames(2)
