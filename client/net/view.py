"""One table as its server last described it: what is drawn, and what a bot thinks about.

Fed with snapshots and numbered events in order; a gap in the numbers is reported, so that the
session can ask for the rest.
"""

from collections import deque
from dataclasses import dataclass, field
from typing import Literal

from physics.trajectory import Trajectory
from shared_rules.announcements import Announcement
from shared_rules.changes import changed
from shared_rules.messages import (
    Aiming,
    Member,
    PresenceEvent,
    RoomEvent,
    ShotInFlight,
    Snapshot,
    TableClosed,
)
from shared_rules.state import MatchState, Phase, Seat

NEWS_KEPT = 200


@dataclass(frozen=True)
class Shot:
    """A trajectory being played, to be shown from ``started_at`` on, by the server's clock."""

    number: int
    started_at: float
    trajectory: Trajectory


@dataclass(frozen=True)
class News:
    """An announcement with the number of the room event that brought it; ``by``: who caused it."""

    seq: int
    by: str
    announcement: Announcement


@dataclass
class TableView:
    """A table, as of room event ``seq``."""

    table: str
    role: Literal["player", "spectator", "referee"] = "spectator"
    seat: Seat | None = None
    seq: int = 0
    known: bool = False
    """Whether the server has shown the table yet."""
    players: tuple[Member | None, Member | None] = (None, None)
    referee: Member | None = None
    spectators: int = 0
    preset: str = "9ft"
    state: MatchState | None = None
    shot: Shot | None = None
    aiming: Aiming | None = None
    invitation: str | None = None
    referee_invitation: str | None = None
    """For who has opened a table with a referee, to hand on."""
    closed: str | None = None
    delay_s: float = 0.0
    """So much later the server shows this table: its times are against the clock less this."""
    news: deque[News] = field(default_factory=lambda: deque(maxlen=NEWS_KEPT))

    def take_snapshot(self, message: Snapshot) -> None:
        """Replace everything by a snapshot.

        Raises:
            TrajectoryError: the running shot in it cannot be read.
        """
        shot = _shot(message.in_flight, message.delay_s)
        self.delay_s = message.delay_s
        self.role, self.seat = message.role, message.seat
        self.seq, self.known = message.seq, True
        self.players, self.spectators = message.players, message.spectators
        self.referee = message.referee
        self.preset = message.table_preset
        self.state = message.state
        self.invitation = message.invitation or self.invitation
        self.shot, self.aiming = shot, None

    def take_event(self, message: RoomEvent | PresenceEvent | TableClosed) -> bool:
        """Apply the next event; one that came before is passed over.

        Returns:
            False if events are missing in between: nothing is changed then.

        Raises:
            TrajectoryError: the shot that it brings cannot be read.
        """
        if message.seq <= self.seq:
            return True
        if message.seq != self.seq + 1:
            return False
        if isinstance(message, RoomEvent):
            try:
                after = changed(self.state, message.changes)
            except ValueError:  # of a state that was never shown
                return False
            self._take_match_event(message, after)
        elif isinstance(message, PresenceEvent):
            self.players, self.spectators = message.players, message.spectators
            self.referee = message.referee
        else:
            self.closed = message.reason
        self.seq = message.seq
        return True

    def take_aim(self, message: Aiming) -> None:
        """How the player at the table holds the cue; worthless once he has struck."""
        state = self.state
        if state is not None and state.shooter == message.seat and state.running is None:
            self.aiming = message

    def _take_match_event(self, message: RoomEvent, after: MatchState) -> None:
        if message.in_flight is not None:
            self.shot = _shot(message.in_flight, self.delay_s)
        before, self.state = self.state, after
        if before is None or (before.shooter, before.phase) != (after.shooter, after.phase):
            self.aiming = None
        self.news.extend(News(message.seq, message.by, a) for a in message.announcements)

    @property
    def running(self) -> Shot | None:
        """The shot that runs by the state of the match, if one does and it can be shown."""
        if self.state is None or self.state.phase is not Phase.SHOT_RUNNING:
            return None
        return self.shot

    def name_of(self, seat: Seat) -> str:
        """Name of the player in a seat, or an empty string."""
        member = self.players[seat]
        if member is not None:
            return member.name
        return self.state.description.players[seat] if self.state is not None else ""


def _shot(flight: ShotInFlight | None, delay_s: float) -> Shot | None:
    if flight is None:
        return None
    return Shot(flight.shot, flight.started_at + delay_s, Trajectory.decode(flight.trajectory))
