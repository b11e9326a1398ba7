"""A table of one's own: it answers a client's commands as a server would, but without rules.

The client at it is the one that plays matches; what it sees is a :class:`MatchState` made from a
layout.  A stroke is played by the physics in a thread beside the drawing.
"""

from collections.abc import Callable
from concurrent.futures import Executor, Future, ThreadPoolExecutor

from msgspec.structs import replace

from client.net.link_events import Received
from client.net.session import Session
from client.net.view import Shot, TableView
from client.practice.layout import TableLayout, frame_of, may_lie
from client.practice.shot import NotPlayed, PlayedShot, play
from shared_rules import commands as c
from shared_rules import messages as m
from shared_rules.balls import CUE
from shared_rules.frozen import frozen_balls
from shared_rules.refusal import Code, Fault, Refusal
from shared_rules.ruleset import make_ruleset
from shared_rules.state import Call, MatchDescription, MatchState, Phase, RunningShot, Stroke
from shared_rules.table import Position

TABLE = "practice"
PLAIN, CALLING = "nine_ball_epbf", "eight_ball"
"""Rulesets whose words and marks fit: nothing is called; ball and pocket are."""


class OwnTable:
    """See the module.

    Args:
        name: of the player.
        told: a shot has come to its end.
        failed: a shot could not be played.
        executor: plays the shots; a thread of its own if None.
    """

    def __init__(
        self,
        name: str,
        told: Callable[[PlayedShot], None],
        failed: Callable[[], None] = lambda: None,
        executor: Executor | None = None,
    ) -> None:
        self.session = Session(name)
        self.session.phase = "ready"
        self.view = self.session.view = TableView(TABLE, role="player", seat=0, known=True)
        self.flying: PlayedShot | None = None
        """The shot that is shown."""
        self._told, self._failed = told, failed
        self._executor = executor or ThreadPoolExecutor(1, "headstring-practice")
        self._played: Future[PlayedShot] | None = None
        self._now = 0.0
        self._ends = 0.0
        self._number = self._version = self._racks = 0

    @property
    def state(self) -> MatchState:
        """What lies on the table, as the client has it."""
        assert self.view.state is not None
        return self.view.state

    @property
    def layout(self) -> TableLayout:
        """What lies on the table."""
        return TableLayout(self.view.preset, self.state.balls)

    @property
    def busy(self) -> bool:
        """Whether a shot runs."""
        return self.state.phase is Phase.SHOT_RUNNING

    # --- what is put on it ----------

    def lay(
        self,
        layout: TableLayout,
        guide: str,
        marks_lowest: bool = False,
        hand: bool = False,
        calls: bool = False,
        fresh: bool = True,
    ) -> None:
        """Put balls on the table; a shot that runs is broken off.

        Args:
            layout: table and balls.
            guide: how far the aiming line goes, as in ``aids.guide_line``.
            marks_lowest: ring the ball with the lowest number.
            hand: the cue ball is in hand.
            calls: ball and pocket are called.
            fresh: the balls are put there, number up; otherwise they lie as they rolled.
        """
        self._played = self.flying = None
        self._version += 1
        self._racks += fresh
        frame = frame_of(layout.table)
        balls = dict(layout.balls)
        rules = make_ruleset(CALLING if calls else PLAIN, {"aids": {"guide_line": guide}})
        self.view.preset = layout.table
        self.view.state = MatchState(
            description=MatchDescription(
                match_id=TABLE, players=(self.session.name or "1", "2"), ruleset=rules, frame=frame
            ),
            version=self._version,
            phase=Phase.PLACE_CUE_ANYWHERE if hand else Phase.AWAIT_SHOT,
            shooter=0,
            balls=balls,
            cue_in_hand="anywhere" if hand else "none",
            cue_placed=not hand,
            free_shot=not marks_lowest,
            racked=True,
            rack_number=self._racks,
            shot_number=self._number + 1,
            frozen=frozen_balls(balls, frame, rules.tolerance.frozen_mm),
        )

    def move(self, balls: dict[int, Position]) -> None:
        """The same table with the balls elsewhere: while one is dragged."""
        self._version += 1
        rules, frame = self.state.description.ruleset, self.state.description.frame
        frozen = frozen_balls(balls, frame, rules.tolerance.frozen_mm)
        self.view.state = replace(self.state, balls=balls, version=self._version, frozen=frozen)

    # --- a frame ----------

    def pump(self, now: float) -> None:
        """Answer what the client asks; begin and end shots when it is time."""
        self._now = now
        if not self.session.clock.known:
            self.session.clock.begin(now, now)
        for message in self.session.take_outgoing():
            if isinstance(message, m.Play):
                self._answer(message)
        if self._played is not None and self._played.done():
            self._begin(self._played)
        if self.flying is not None and now >= self._ends:
            self.finish()

    def finish(self) -> None:
        """The shot that is shown is over."""
        done, self.flying = self.flying, None
        if done is not None:
            self._told(done)

    def close(self) -> None:
        """Nothing is played any more."""
        self._executor.shutdown(wait=False, cancel_futures=True)

    # --- inside ----------

    def _answer(self, message: m.Play) -> None:
        answer: m.Accepted | m.Refused
        try:
            self._take(message.command)
            answer = m.Accepted(re=message.id, table=TABLE, version=self._version)
        except Refusal as refusal:
            answer = m.Refused(
                code=refusal.code.value, fault=Fault.CLIENT.value, message=refusal.message,
                re=message.id,
            )  # fmt: skip
        self.session.handle(Received(answer, self._now))

    def _take(self, command: c.Command) -> None:
        state = self.state
        if self.busy:
            raise Refusal(Code.BALLS_MOVING, "the balls are still moving")
        if isinstance(command, c.Strike):
            self._strike(command.stroke)
        elif isinstance(command, c.PlaceCue):
            at = Position(command.x, command.y)
            if not may_lie(self.layout, CUE, at):
                raise Refusal(Code.PLACEMENT_OVERLAPS_BALL, "the ball can't lie there")
            self.move({**state.balls, CUE: at})
            self.view.state = replace(self.state, cue_placed=True)
        elif isinstance(command, c.CallShot):
            call = Call(ball=command.ball, pocket=command.pocket)
            self._version += 1
            self.view.state = replace(state, call=call, version=self._version)
        else:
            raise Refusal(Code.WRONG_STATE, "there is no such thing in practice")

    def _strike(self, stroke: Stroke) -> None:
        before = self.layout
        if CUE not in before.balls:
            raise Refusal(Code.WRONG_STATE, "there is no cue ball on the table")
        self._number += 1
        self._version += 1
        self.view.state = replace(
            self.state,
            version=self._version,
            phase=Phase.SHOT_RUNNING,
            shot_number=self._number,
            running=RunningShot(
                number=self._number, shooter=0, strokes=((CUE, 0.0, stroke),),
                started_at=self._now, balls_before=dict(before.balls),
                phase_before=Phase.AWAIT_SHOT,
            ),
        )  # fmt: skip
        self._played = self._executor.submit(play, before, stroke, self.state.call)

    def _begin(self, played: "Future[PlayedShot]") -> None:
        """The physics has played the shot: show it from now on."""
        self._played = None
        try:
            shot = played.result()
        except NotPlayed:
            self._failed()
            return
        self.flying, self._ends = shot, self._now + shot.trajectory.duration
        self.view.shot = Shot(self._number, self.session.clock.now(self._now), shot.trajectory)
