"""Going through a course, stage by stage: a drill is scored, a lesson is tried until it is done.

Pure.
"""

from dataclasses import dataclass
from typing import Literal

from client.practice.goals import Judged, Part, judge, most
from client.practice.layout import TableLayout
from client.practice.shot import PlayedShot


@dataclass(frozen=True)
class Stage:
    """A table and what is to be done at it.

    Attributes:
        layout: the balls at first.
        parts: what each stroke has to do.
        shots: so many strokes in a row, as long as each does all of it.
        hand: the cue ball is in hand.
        calls: ball and pocket have to be called.
        off_deg: how far the cue points past the right way at first; None: at the lowest ball.
        speed: of the cue at first, m/s.
        words: key of its sentence.
    """

    layout: TableLayout
    parts: tuple[Part, ...]
    shots: int = 1
    hand: bool = False
    calls: bool = False
    off_deg: float = 0.0
    speed: float = 2.0
    words: str = ""

    @property
    def most(self) -> int:
        """Points of a stage that is done as well as can be."""
        return self.shots * most(self.parts)


@dataclass(frozen=True)
class Course:
    """Stages one after another.  ``kind``: "drill" is scored, "lesson" may be tried again.

    Its name in words is ``drill_NAME``.
    """

    name: str
    stages: tuple[Stage, ...]
    kind: Literal["drill", "lesson"] = "drill"

    @property
    def most(self) -> int:
        """Points of a course that is done as well as can be."""
        return sum(stage.most for stage in self.stages)


class Run:
    """One way through a course.

    Attributes:
        at: number of the stage that is at hand, from 0; that of stages when all is done.
        points: won so far.
        judged: what the last shot was worth; None before the first shot of a stage.
        waits: the stage is over, and the player looks at the table until he goes on.
    """

    def __init__(self, course: Course) -> None:
        self.course = course
        self.at = 0
        self.points = 0
        self.done: set[int] = set()
        """Stages of which everything was done."""
        self.judged: Judged | None = None
        self.waits = False
        self._shots = 0

    @property
    def over(self) -> bool:
        """Whether there is no stage left."""
        return self.at >= len(self.course.stages)

    @property
    def stage(self) -> Stage:
        """The stage that is at hand, or was last."""
        return self.course.stages[min(self.at, len(self.course.stages) - 1)]

    @property
    def passed(self) -> bool:
        """Whether everything of the stage is done."""
        return self.at in self.done

    def take(self, shot: PlayedShot) -> Judged:
        """A shot of this stage."""
        judged = self.judged = judge(self.stage.parts, shot)
        self._shots += 1
        self.points += judged.points
        if judged.whole and self._shots == self.stage.shots:
            self.done.add(self.at)
        self.waits = not judged.whole or self._shots == self.stage.shots
        return judged

    def go_on(self) -> None:
        """On to the next stage, or, in a lesson that was not done, to another try."""
        again = self.course.kind == "lesson" and self.waits and not self.passed
        if not again:
            self.at += 1
        self._begin()

    def again(self) -> None:
        """The same stage of a lesson once more."""
        self._begin()

    def skip(self) -> None:
        """The next stage, whatever became of this one."""
        self.at += 1
        self._begin()

    def _begin(self) -> None:
        self.judged, self.waits, self._shots = None, False, 0
