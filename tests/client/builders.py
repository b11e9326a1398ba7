"""States, messages and a hand-made trajectory for the client's tests."""

import msgspec

from physics.state import Motion
from physics.track import Segment, Track
from physics.trajectory import Cloth, Contact, ContactKind, Trajectory
from shared_rules import messages as m
from shared_rules.changes import changes_of
from shared_rules.ruleset import make_ruleset
from shared_rules.state import MatchDescription, MatchState, Phase
from shared_rules.table import Position

R = 0.028575
TABLE = "t-1"


def description(**changes):
    base = MatchDescription(
        match_id="m-1", players=("Ann", "Bob"), ruleset=make_ruleset("nine_ball_epbf")
    )
    return msgspec.structs.replace(base, **changes)


def state(phase: Phase = Phase.AWAIT_SHOT, **changes) -> MatchState:
    """A state in which seat 0 is at the table and three balls are left."""
    base = MatchState(
        description=description(),
        version=7,
        phase=phase,
        shooter=0,
        balls={
            0: Position(-0.6, 0.1),
            2: Position(0.4, 0.2),
            5: Position(0.8, -0.3),
            9: Position(0.1, 0.45),
        },
        cue_placed=True,
        racked=True,
        rack_number=1,
        shot_number=3,
    )
    return msgspec.structs.replace(base, **changes)


def members(connected=(True, True)):
    return (
        m.Member(name="Ann", connected=connected[0]),
        m.Member(name="Bob", connected=connected[1]),
    )


def snapshot(match: MatchState | None = None, **changes) -> m.Snapshot:
    base = m.Snapshot(
        table=TABLE,
        seq=10,
        clock=100.0,
        role="player",
        seat=0,
        players=members(),
        spectators=0,
        table_preset="9ft",
        state=match if match is not None else state(),
    )
    return msgspec.structs.replace(base, **changes)


def event(seq: int, match: MatchState | None = None, **changes) -> m.RoomEvent:
    base = m.RoomEvent(
        table=TABLE,
        seq=seq,
        clock=100.0 + seq,
        by="server",
        announcements=(),
        changes=changes_of(None, match if match is not None else state(version=seq)),
    )
    return msgspec.structs.replace(base, **changes)


def welcome(**changes) -> m.Welcome:
    base = m.Welcome(protocol=m.PROTOCOL, server="test", name="Ann", token="t" * 24, clock=100.0)
    return msgspec.structs.replace(base, **changes)


def rolling(ball: int = 0, duration: float = 2.0) -> Trajectory:
    """One ball that rolls along +x from the head spot at 1 m/s and slows to rest."""
    decel = 1.0 / duration
    pieces = [
        Segment(0.0, (-0.635, 0.0, R), (1.0, 0, 0), (-decel, 0, 0),
                (0, 1.0 / R, 0), (0, -decel / R, 0), Motion.ROLL, None),
        Segment(duration, (-0.635 + duration / 2, 0.0, R), (0, 0, 0), (0, 0, 0),
                (0, 0, 0), (0, 0, 0), Motion.REST, None),
    ]  # fmt: skip
    cloth = Cloth(g=9.81, mu_slide=0.2, mu_roll=decel / 9.81, spin_decel=10.0)
    strike = Contact(0.0, ContactKind.STRIKE, ball, None, 1.0)
    return Trajectory(cloth, [Track(ball, R, pieces)], [strike], duration)
