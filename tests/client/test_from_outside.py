"""A real window on a display of its own, with mouse and keys from outside, as a person has them.

One of the long runs (``make soak``): from outside nobody sees when the camera rests, so it waits by
the clock, which a busy machine may spoil.  Without Xvfb and xdotool nothing is tried.
"""

import os
import shutil
import sqlite3
import subprocess
import sys
import time
from pathlib import Path

import msgspec
import pytest

from shared_rules.commands import Order, Strike

ROOT = Path(__file__).resolve().parents[2]
LONGEST_S = 90.0

pytestmark = [
    pytest.mark.skipif(not os.environ.get("HEADSTRING_SOAK"), reason="one of the long runs"),
    pytest.mark.skipif(
        shutil.which("Xvfb") is None or shutil.which("xdotool") is None,
        reason="Xvfb or xdotool is not installed",
    ),
]


FIRST_DISPLAY = 91
"""Not :0, which programs take that are told of none: other tests run beside."""


def _is_taken(display: int) -> bool:
    return Path(f"/tmp/.X11-unix/X{display}").exists()


class Desk:
    """A display, a client on it, and hands."""

    def __init__(self, folder: Path) -> None:
        number = next(n for n in range(FIRST_DISPLAY, 200) if not _is_taken(n))
        words = ["Xvfb", f":{number}", "-screen", "0", "1280x720x24", "-nolisten", "tcp"]
        self._display = subprocess.Popen([*words, "-noreset"], stderr=subprocess.DEVNULL)
        self.environment = os.environ | {
            "DISPLAY": f":{number}", "HEADSTRING_DATA": str(folder),
            "LANG": "en_GB.UTF-8", "LC_ALL": "",
        }  # fmt: skip
        end = time.monotonic() + LONGEST_S
        while not _is_taken(number):
            assert time.monotonic() < end and self._display.poll() is None, "no display"
            time.sleep(0.05)
        self.database = folder / "offline.sqlite3"
        self.client = subprocess.Popen(
            [sys.executable, "-m", "headstring", "play", "--name", "Ann"],
            cwd=ROOT, env=self.environment, stderr=subprocess.PIPE, text=True,
        )  # fmt: skip

    def hands(self, *words: str) -> str:
        done = subprocess.run(
            ["xdotool", *words], check=False, env=self.environment, capture_output=True, text=True,
            timeout=30,
        )  # fmt: skip
        return done.stdout

    def until(self, wanted, what: str):
        end = time.monotonic() + LONGEST_S
        while not (found := wanted()):
            assert self._display.poll() is None, "the display is gone"
            if self.client.poll() is not None:
                pytest.skip(f"no window here: {self.client.communicate()[1][-300:]}")
            assert time.monotonic() < end, what
            time.sleep(0.1)
        return found

    def strikes(self) -> list[Strike]:
        """The strokes that the private server has acknowledged from the person at the window."""
        try:
            with sqlite3.connect(f"file:{self.database}?mode=ro", uri=True) as log:
                rows = log.execute("SELECT body FROM orders ORDER BY number").fetchall()
        except sqlite3.OperationalError:  # not there yet
            return []
        orders = [msgspec.msgpack.decode(row[0], type=Order) for row in rows]
        return [o.command for o in orders if o.by.seat == 0 and isinstance(o.command, Strike)]

    def begun(self) -> bool:
        """Whether the match has begun: the lag is to be struck."""
        try:
            with sqlite3.connect(f"file:{self.database}?mode=ro", uri=True) as log:
                return bool(log.execute("SELECT count(*) FROM orders").fetchone()[0])
        except sqlite3.OperationalError:
            return False

    def close(self) -> None:
        self.client.terminate()
        self.client.wait(30)
        self._display.terminate()
        self._display.wait(30)


@pytest.fixture
def desk(tmp_path):
    made = Desk(tmp_path)
    yield made
    made.close()


def test_a_stroke_is_aimed_by_the_mouse_and_struck_by_a_key(desk):
    desk.until(lambda: desk.hands("search", "--name", "Headstring").split(), "a window")
    desk.until(desk.begun, "the lag")
    time.sleep(5.0)  # the picture of the table, and its camera at rest
    desk.hands("mousemove", "640", "300", "mousedown", "1")
    for _ in range(5):
        desk.hands("mousemove_relative", "--", "10", "0")
        time.sleep(0.1)
    desk.hands("mouseup", "1")
    time.sleep(0.3)
    desk.hands("keydown", "space")
    time.sleep(0.3)
    desk.hands("keyup", "space")
    (strike,) = desk.until(desk.strikes, "a stroke")
    assert -8.0 < strike.stroke.heading_deg < -2.0, "fifty pixels to the right turn six degrees"
