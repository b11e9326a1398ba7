"""The page of practice: a free table, the first five shots, drills with their best scores."""

from client.data_folder import take_set_aside
from client.hud.page import Heading, Page, Press, Widget
from client.practice.drills import BY_NAME, DRILLS
from client.practice.lessons import LESSONS
from client.practice.store import FILE, Kept
from client.screens.activity import Back, Move, Open
from client.screens.page_screen import PageScreen
from client.screens.practice_table import PracticeTable
from client.screens.window import Window


class PracticeScreen(PageScreen):
    """See the module."""

    def __init__(self, window: Window) -> None:
        super().__init__(window)
        self.kept = Kept()
        self.focus = "free"

    def page(self) -> Page:
        """See the base class."""
        footer = (Press("back", self.say("back_button")),)
        lessons = len(LESSONS.stages)
        done = self.say("practice_lessons_done", n=self.kept.lessons, of=lessons)
        tables: tuple[Widget, ...] = (
            Heading(self.say("practice_title")),
            Press("free", self.say("practice_free"), self.say("practice_free_note"), strong=True),
            Press("lessons", self.say("practice_first"), done),
        )
        drills: list[Widget] = [Heading(self.say("practice_drills"))]
        for drill in DRILLS:
            best = self.kept.best.get(drill.name)
            key = "practice_none" if best is None else "practice_best"
            drills.append(
                Press(
                    f"drill:{drill.name}", self.say(f"drill_{drill.name}"),
                    self.say(f"drill_{drill.name}_note"),
                    value=self.say(key, n=best, of=drill.most),
                )
            )  # fmt: skip
        return Page(self.say("practice_title"), (tables, tuple(drills)), footer)

    def press(self, action: str) -> Move | None:
        """See the base class."""
        if action == "back":
            return Back()
        if action == "free":
            return Open(PracticeTable(self.window, self.kept))
        if action == "lessons":
            return Open(PracticeTable(self.window, self.kept, LESSONS))
        course = BY_NAME[action.removeprefix("drill:")]
        return Open(PracticeTable(self.window, self.kept, course))

    def enter(self, notice: str = "") -> None:
        """See the base class."""
        for damaged in take_set_aside():
            if damaged.name.startswith(FILE):
                notice = self.say("practice_damaged", file=damaged)
        super().enter(notice)
