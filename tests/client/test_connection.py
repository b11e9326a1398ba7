"""What the drawing client does with its link, with a link of the test's own."""

from client.net.connection import Connection
from client.net.session import Opened, Received
from shared_rules import messages as m
from shared_rules.state import Phase
from tests.client.builders import TABLE, event, rolling, snapshot, state, welcome


class Net:
    """Things that come one after the other; it notes how long each is waited for."""

    def __init__(self, coming) -> None:
        self.coming, self.waits = list(coming), []

    def next_event(self, wait_s=0.0):
        self.waits.append(wait_s)
        return self.coming.pop(0) if self.coming else None


def at_the_table(coming) -> Connection:
    """A connection of a player, to which so much comes."""
    connection = Connection("ws://127.0.0.1:1", "Ann", token="t")
    session = connection.session
    session.handle(Opened(0.0))
    session.handle(Received(welcome(), 0.1))
    request = session.join(TABLE)
    session.handle(Received(m.Accepted(re=request, table=TABLE), 0.2))
    session.handle(Received(snapshot(), 0.2))
    connection._net = Net(coming)
    return connection


def test_a_stroke_is_waited_for_until_its_balls_run():
    """No longer: what comes after belongs to the next frame."""
    flight = m.ShotInFlight(shot=4, started_at=101.0, trajectory=rolling().encode())
    runs = Received(event(12, state(Phase.SHOT_RUNNING), in_flight=flight), 1.0)
    later = Received(event(13), 1.0)
    connection = at_the_table([Received(event(11), 1.0), runs, later])
    connection.await_shot(5.0)
    assert connection.session.view.shot.trajectory.duration == rolling().duration
    assert connection._net.coming == [later]


def test_a_stroke_that_is_not_answered_in_time_holds_up_no_frame():
    connection = at_the_table([])
    connection.await_shot(0.01)
    assert len(connection._net.waits) == 1 and 0.0 < connection._net.waits[0] <= 0.01
