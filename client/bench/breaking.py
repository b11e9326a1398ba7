"""A client at a table where a break runs, without a network: what the measurements draw."""

from direct.showbase.ShowBase import ShowBase

from client.net.session import Session
from client.net.view import Shot, TableView
from client.play.app import TableApp
from client.play.settings import Settings
from physics.bench import posed, run
from physics.record import record
from physics.trajectory import Trajectory
from shared_rules import messages as m
from shared_rules.ruleset import make_ruleset
from shared_rules.state import MatchDescription, MatchState, Phase
from shared_rules.table import Position

FRAME_S = 1 / 60


def break_trajectory() -> Trajectory:
    """An eight-ball break, as it comes over the wire."""
    shot = posed("eight-ball break")
    return Trajectory.decode(record(shot.world, run(shot)).encode())


class Breaking:
    """The real client on a clock of its own; :meth:`frame` is a sixtieth of a second of a break."""

    def __init__(self, base: ShowBase, tier: str, trajectory: Trajectory) -> None:
        self.now = 1.0
        self._trajectory = trajectory
        self._number = 0
        session = Session("Ann")
        session.phase = "ready"
        session.clock.begin(0.0, 0.0)
        places = {
            ball: Position(*track.segments[0].pos[:2]) for ball, track in trajectory.tracks.items()
        }
        rules = make_ruleset("eight_ball")
        self._state = MatchState(
            description=MatchDescription(match_id="m", players=("Ann", "Bob"), ruleset=rules),
            version=1, phase=Phase.SHOT_RUNNING, shooter=0, balls=places, cue_placed=True,
            racked=True, rack_number=1, shot_number=1,
        )  # fmt: skip
        people = (m.Member(name="Ann", connected=True), m.Member(name="Bob", connected=True))
        session.view = TableView(
            table="t", role="player", seat=0, known=True, players=people, state=self._state
        )
        self._view = session.view
        self.app = TableApp(
            base, session, lambda now: None, Settings(quality=tier, name="Ann"),
            clock=lambda: self.now, warm=False,
        )  # fmt: skip
        self.rack()

    def rack(self) -> None:
        """The break begins anew."""
        self._number += 1
        self._view.shot = Shot(self._number, self.now, self._trajectory)

    def look(self, view: str) -> None:
        """Choose a view, and be there."""
        self.app.hand.view = view
        self.frame()
        if self.app.stage.scene is not None:
            self.app.stage.scene.cameras.settle()

    def frame(self, dt: float = FRAME_S) -> None:
        """All of a frame but the drawing."""
        self.now += dt
        shot = self._view.shot
        if shot is not None and self.now - shot.started_at > self._trajectory.duration - 0.2:
            self.rack()
        self.app.step()

    def close(self) -> None:
        """Take the table down."""
        self.app.destroy()
