"""What is kept of practice between runs: best scores, layouts, how many first shots are done."""

from typing import Any

from client.data_folder import read_json, write_json
from client.practice.layout import TableLayout, read, written

FILE = "practice.json"
MOST_LAYOUTS = 100
LONGEST_NAME = 40


class Kept:
    """The stored things; whatever makes no sense among them is passed over."""

    def __init__(self) -> None:
        found = read_json(FILE)
        self.best = _numbers(found.get("best"))
        """Points by the name of a drill."""
        self.lessons = _numbers({"lessons": found.get("lessons")}).get("lessons", 0)
        """So many of the first shots have been done."""
        self._texts = _texts(found.get("layouts"))

    @property
    def layouts(self) -> tuple[str, ...]:
        """Names of the layouts, the latest first."""
        return tuple(reversed(self._texts))

    def layout(self, name: str) -> TableLayout:
        """A layout that was kept.

        Raises:
            LayoutError: its text is damaged.
        """
        return read(self._texts[name])

    def keep_layout(self, name: str, layout: TableLayout) -> None:
        """Keep a layout, in place of one of that name.

        Raises:
            OSError: it can't be written.
        """
        self._texts.pop(name, None)
        self._texts[name] = written(layout)
        for oldest in list(self._texts)[:-MOST_LAYOUTS]:
            del self._texts[oldest]
        self._write()

    def drop_layout(self, name: str) -> None:
        """Forget a layout.

        Raises:
            OSError: it can't be written.
        """
        self._texts.pop(name, None)
        self._write()

    def keep_score(self, drill: str, points: int) -> bool:
        """Keep a score if it is the best; whether it is.

        Raises:
            OSError: it can't be written.
        """
        if drill in self.best and points <= self.best[drill]:
            return False
        self.best[drill] = points
        self._write()
        return True

    def keep_lessons(self, done: int) -> None:
        """So many of the first shots are done.

        Raises:
            OSError: it can't be written.
        """
        if done > self.lessons:
            self.lessons = done
            self._write()

    def _write(self) -> None:
        write_json(FILE, {"best": self.best, "lessons": self.lessons, "layouts": self._texts})


def _numbers(found: Any) -> dict[str, int]:
    if not isinstance(found, dict):
        return {}
    return {
        str(key): value
        for key, value in found.items()
        if isinstance(value, int) and not isinstance(value, bool) and 0 <= value <= 1000
    }


def _texts(found: Any) -> dict[str, str]:
    if not isinstance(found, dict):
        return {}
    return {
        key: text
        for key, text in found.items()
        if isinstance(key, str) and isinstance(text, str) and 1 <= len(key) <= LONGEST_NAME
    }
