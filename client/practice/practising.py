"""What a person does at a table of his own: shots, steps back, and the way through a course.

Pure but for the table, which plays the shots, and the file of scores.
"""

from collections.abc import Callable
from concurrent.futures import Executor

from client.practice.history import History
from client.practice.layout import TableLayout, free_place
from client.practice.own_table import OwnTable
from client.practice.run import Course, Run
from client.practice.shot import PlayedShot
from client.practice.store import Kept
from shared_rules.balls import CUE
from shared_rules.table import Position

FIRST = TableLayout("9ft", {CUE: Position(-0.635, 0.0), 1: Position(0.635, 0.0)})
"""What lies on the table when practice begins."""
FREE_GUIDE, DRILL_GUIDE = "full", "first_contact"


class Practising:
    """See the module.

    Args:
        name: of the player.
        kept: best scores and the like.
        guide: how far the aiming line is to go; None: as is usual here.
        course: what is gone through; None: free practice.
        executor: plays the shots.
    """

    def __init__(
        self,
        name: str,
        kept: Kept,
        guide: Callable[[], str | None] = lambda: None,
        course: Course | None = None,
        executor: Executor | None = None,
    ) -> None:
        self.kept = kept
        self._guide = guide
        self.table = OwnTable(name, self._told, self._failed, executor)
        self.run = Run(course) if course is not None else None
        self.history = History(FIRST)
        self.last: PlayedShot | None = None
        self.aims_anew = True
        """The cue is to point at the balls that lie there now, as at the beginning."""
        self.is_best = False
        """Whether the score that was just reached is the best so far."""
        self.news: list[str] = []
        """Keys of sentences that are to be told."""
        self._lay_anew()

    # --- what lies there ----------

    @property
    def free(self) -> bool:
        """Whether nothing is asked for."""
        return self.run is None

    @property
    def layout(self) -> TableLayout:
        """What lies on the table."""
        return self.table.layout

    @property
    def waits(self) -> bool:
        """Whether a stage is over and its end is looked at, or all is."""
        return self.run is not None and (self.run.waits or self.run.over)

    def set_guide(self) -> None:
        """The player has changed how far the aiming line goes."""
        if not self.table.busy:
            self._lay(self.layout, fresh=False)

    def show(self, layout: TableLayout) -> None:
        """A layout while it is being made."""
        self.table.move(dict(layout.balls))

    def put(self, layout: TableLayout, anew: bool = False) -> None:
        """A layout from now on, which can be taken back; ``anew``: the cue points anew too."""
        self.history.do(layout)
        self.aims_anew = self.aims_anew or anew
        self._lay(layout)

    # --- steps ----------

    def repeat(self) -> bool:
        """The table as it was before the last shot; the strike stays as it is set."""
        if self.run is not None:
            return self._again()
        if self.table.busy:
            self._lay(self.history.now)
        elif self.last is not None:
            self.put(self.last.before)
        else:
            return False
        return True

    def _again(self) -> bool:
        """The stage of a lesson once more."""
        assert self.run is not None
        if self.run.course.kind != "lesson" or self.run.over:
            return False
        if self.run.passed and self.run.waits:
            self.run.done.discard(self.run.at)
        self.run.again()
        self._lay_stage()
        return True

    def undo(self) -> bool:
        """One step back; a shot that runs is broken off."""
        if self.run is not None:
            return False
        if self.table.busy:
            self._lay(self.history.now)
            return True
        if self.history.undo():
            self._lay(self.history.now)
            return True
        return False

    def redo(self) -> bool:
        """One step forth again."""
        if self.run is None and not self.table.busy and self.history.redo():
            self._lay(self.history.now)
            return True
        return False

    def go_on(self) -> None:
        """On to the next stage, or to another try."""
        run = self.run
        if run is None or run.over or not run.waits:
            return
        before = run.at
        run.go_on()
        self._after_stage(anew=run.at != before)

    def skip(self) -> None:
        """The next stage, whatever became of this one."""
        if self.run is not None and not self.run.over:
            self.run.skip()
            self._after_stage(anew=True)

    def restart(self) -> None:
        """The same course from its beginning."""
        if self.run is not None:
            self.run = Run(self.run.course)
            self.last = None
            self._lay_anew()

    def close(self) -> None:
        """Nothing is played any more."""
        self.table.close()

    # --- inside ----------

    def _after_stage(self, anew: bool) -> None:
        assert self.run is not None
        self.last = None
        if self.run.over:
            self._finished()
        else:
            self.aims_anew = self.aims_anew or anew
            self._lay_stage()

    def _finished(self) -> None:
        assert self.run is not None
        if self.run.course.kind == "drill":
            self.is_best = self._keep(
                lambda: self.kept.keep_score(self.run.course.name, self.run.points)
            )

    def _keep(self, keep: Callable[[], object]) -> bool:
        try:
            return bool(keep())
        except OSError:
            self.news.append("practice_unkept")
            return False

    def _lay_anew(self) -> None:
        self.aims_anew = True
        self.is_best = False
        if self.run is None:
            self._lay(self.history.now)
        else:
            self._lay_stage()

    def _lay_stage(self) -> None:
        assert self.run is not None
        self._lay(self.run.stage.layout, hand=self.run.stage.hand)

    def _lay(self, layout: TableLayout, fresh: bool = True, hand: bool = False) -> None:
        run = self.run
        lesson = run is not None and run.course.kind == "lesson"
        guide = self._guide() or (FREE_GUIDE if run is None or lesson else DRILL_GUIDE)
        calls = run is not None and run.stage.calls
        self.table.lay(layout, FREE_GUIDE if lesson else guide, run is not None, hand, calls, fresh)

    def _told(self, shot: PlayedShot) -> None:
        """A shot has come to its end."""
        self.last = shot
        after = shot.after
        if self.run is not None:
            self.run.take(shot)
            if self.run.course.kind == "lesson" and self.run.passed:
                self._keep(lambda: self.kept.keep_lessons(self.run.at + 1))
            self.aims_anew = self.aims_anew or not self.run.waits
            self._lay(after, fresh=False)
            return
        if shot.lost:
            after = after.with_ball(CUE, free_place(after, CUE))
            self.news.append("practice_scratch")
        self.history.do(after)
        self._lay(after, fresh=False)

    def _failed(self) -> None:
        """A shot could not be played: the table is as before it."""
        self.news.append("practice_failed")
        if self.run is None:
            self._lay(self.history.now)
        else:
            self._lay_stage()
