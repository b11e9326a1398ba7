"""From the command to the table, and from a stroke let go to the first motion, offline.

The real thing but for the window, which is off-screen: a private server and the house bot as
programs of their own, everything over a socket.
"""

import os
import tempfile
import time
from collections.abc import Callable, Mapping
from pathlib import Path

BEGAN = time.perf_counter()
LONGEST_S = 180.0
OPTIONS = {"private": True, "watch": "nobody"}


class TooLong(Exception):
    """What was waited for has not come."""


def main(sizes: Mapping[str, int]) -> None:
    """Print the figures; ``strokes`` of ``sizes`` says how many are timed."""
    with tempfile.TemporaryDirectory() as folder:
        os.environ["HEADSTRING_DATA"] = folder
        evening = Evening()
        try:
            evening.measure(sizes["strokes"])
        except TooLong as problem:
            print(f"start: not within {LONGEST_S:.0f} s: {problem}")
        finally:
            evening.close()


def _stat(pid: int) -> list[str]:
    """What Linux says of a process, from its parent's number on (proc(5): field 4)."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[1:]
    except OSError:
        return []


def _processor_s(pid: int) -> float:
    stat = _stat(pid)
    return (int(stat[10]) + int(stat[11])) / os.sysconf("SC_CLK_TCK") if stat else 0.0


def _children(pid: int) -> list[int]:
    running = [int(path.name) for path in Path("/proc").iterdir() if path.name.isdigit()]
    return [each for each in running if _stat(each)[:1] == [str(pid)]]


def _busy_s() -> float:
    """Processor time of all programs on all cores since the machine began, s."""
    words = Path("/proc/stat").read_text().split("\n", 1)[0].split()[1:]
    user, nice, system = (int(word) for word in words[:3])
    return (user + nice + system) / os.sysconf("SC_CLK_TCK")


BUSY_S = _busy_s() if Path("/proc/stat").exists() else 0.0


class Evening:
    """A game against the house bot in this process."""

    def __init__(self) -> None:
        from client.offline import Company

        company = Company()
        company.prepare()  # as `play` does: beside the imports
        from client.play.arrival import Plan
        from client.play.party import Party
        from client.play.settings import Settings
        from client.scene.window import WindowOptions, draws_in_software, open_window
        from client.screens.pace import Pacer

        self.company = company
        self.imported_s = time.perf_counter() - BEGAN
        self.base = open_window(WindowOptions(size=(1280, 720), offscreen=True))
        settings = Settings(quality="low", name="Ann")
        self.party = Party(
            self.base, settings, Plan(open_options=OPTIONS), None, 3, company=company
        )
        self.app = self.party.app
        # As the client does: it leaves time to the programs beside it.
        self.pacer = Pacer(self.app.inputs, draws_in_software(self.base))
        self.frame()
        self.window_s = time.perf_counter() - BEGAN

    def frame(self) -> None:
        """A frame, drawn."""
        self.pacer.step(self.party.pace, time.perf_counter())
        self.app.step()
        self.base.taskMgr.step()

    def until(self, wanted: Callable[[], bool], what: str) -> None:
        """Draw frames until something has come about."""
        end = time.perf_counter() + LONGEST_S
        while not wanted():
            if time.perf_counter() > end:
                raise TooLong(what)
            self.frame()

    def measure(self, strokes: int) -> None:
        """Print when the table is there, and how long strokes take to be seen."""
        from client.play.hand import Mode
        from shared_rules.state import Phase

        app = self.app
        self.until(lambda: app.stage.scene is not None, "a table")
        seen = time.perf_counter() - BEGAN
        self.until(lambda: app.mode is Mode.AIM, "the lag")
        aimed = time.perf_counter() - BEGAN
        used = self._processor_s()
        print(
            f"start: {self.imported_s:.2f} s to import, {self.window_s:.2f} s to the first frame, "
            f"{seen:.2f} s to the table, {aimed:.2f} s until one may strike (the private server "
            "and the bot start meanwhile)",
            flush=True,
        )
        if used:
            total = sum(used.values())
            each = ", ".join(f"{name} {seconds:.2f} s" for name, seconds in used.items())
            print(
                f"processor time until then: {total:.2f} s ({each}); all programs of this machine "
                f"together {_busy_s() - BUSY_S:.1f} s, on {os.cpu_count()} cores",
                flush=True,
            )
        waits: list[float] = []
        deadline = time.perf_counter() + LONGEST_S
        while len(waits) < strokes:
            if time.perf_counter() > deadline:
                raise TooLong(f"{strokes} strokes")
            state = app.session.view.state if app.session.view is not None else None
            if app.mode is Mode.AIM and app.stage.shown.shot is None and state is not None:
                lag = state.phase is Phase.LAG
                wait = self._strike()
                if not lag:
                    waits.append(wait)
            elif app.mode is Mode.PLACE:
                app.actions.act("place")
            elif app.mode is Mode.CHOOSE and app.hud.model.dialog is not None:
                app.actions.act(app.hud.model.dialog.buttons[0].action)
            elif app.mode is Mode.OVER:
                break
            self.frame()
        waits.sort()
        trip = self.party.session.clock.round_trip_s or 0.0
        print(
            f"from letting go to the first motion: median {1000 * waits[len(waits) // 2]:.0f} ms, "
            f"most {1000 * waits[-1]:.0f} ms of {len(waits)} strokes; round trip "
            f"{1000 * trip:.1f} ms, the rest the server (physics, rules, writing) and a frame"
        )

    def _processor_s(self) -> dict[str, float]:
        """Processor time of each program so far, s; empty where the system doesn't tell."""
        programs = self.company.server.process, self.company.bot.process
        if None in programs or not Path("/proc/self/stat").exists():
            return {}
        server, bot = (_processor_s(program.pid) for program in programs)
        workers = sum(_processor_s(pid) for pid in _children(programs[0].pid))
        return {"client": time.process_time(), "server": server, "its worker": workers, "bot": bot}

    def _strike(self) -> float:
        """Draw back and let go; seconds until a ball is seen to move."""
        app = self.app
        app.actions.act("draw_back")
        self.frame()
        began = time.perf_counter()
        app.actions.let_go()
        end = began + 30.0
        while (app.stage.shown.shot_time or 0.0) <= 0.0 and time.perf_counter() < end:
            self.frame()
        return time.perf_counter() - began

    def close(self) -> None:
        """End the programs."""
        self.party.close()
