"""Other programs of ours that a client starts: a private server on loopback, and the house bot.

Offline play is online play against them: one code path.  They are tied to this process
(``client.tether``), so that they end with it however it ends, and they can be started before
anybody knows what they will be asked to do: to import takes longer than all the rest.
"""

import json
import os
import subprocess
import sys
import threading
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

from client.data_folder import data_folder

ROOT = Path(__file__).resolve().parent.parent
LISTENS = "listens on "
START_TIMEOUT_S = 180.0
SERVER_READY = ("server.command",)
BOT_READY = ("client.command", "client.bot.player")
BOT_IDLE = ("client.bot.readiness:load_physics",)
_PASSED_ON = ("HEADSTRING_DATA", "HEADSTRING_KERNELS")


class NotStarted(RuntimeError):
    """A program of ours did not start; the message says why."""


def surroundings(environment: Mapping[str, str]) -> dict[str, str]:
    """What a program of ours gets of this one's environment: no settings of a server that the user
    runs (a database, limits, a certificate), nor a password; only where files lie."""
    return {
        name: value
        for name, value in environment.items()
        if not name.startswith("HEADSTRING_") or name in _PASSED_ON
    }


class _Program:
    """A process of ours: started, getting ready, and waiting for the arguments that it runs with.

    ``ready``: what it imports or calls meanwhile (``client.tether``).
    """

    def __init__(self, ready: tuple[str, ...], log: Path, keeps_output: bool) -> None:
        environment = surroundings(os.environ)
        paths = [str(ROOT), environment.get("PYTHONPATH", "")]
        environment["PYTHONPATH"] = os.pathsep.join(p for p in paths if p)
        log.parent.mkdir(parents=True, exist_ok=True)
        with log.open("ab") as errors:
            self.process = subprocess.Popen(
                [sys.executable, "-m", "client.tether", *ready],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE if keeps_output else subprocess.DEVNULL,
                stderr=errors,
                env=environment,
                text=True,
                encoding="utf-8",
            )

    def run(self, arguments: list[str]) -> None:
        """Let it run ``headstring`` with these arguments."""
        assert self.process.stdin is not None
        with suppress(OSError):  # it has ended; whoever waits for it sees that
            self.process.stdin.write(json.dumps(arguments) + "\n")
            self.process.stdin.flush()

    @property
    def alive(self) -> bool:
        return self.process.poll() is None

    def stop(self, patience_s: float = 8.0) -> None:
        """End it."""
        process = self.process
        if self.alive:
            process.terminate()
            try:
                process.wait(patience_s)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait(patience_s)
        for pipe in (process.stdin, process.stdout):
            if pipe is not None:
                with suppress(OSError):
                    pipe.close()


class PrivateServer:
    """A server of this machine's own, on a free port of the loopback interface."""

    def __init__(
        self,
        database: Path | None = None,
        time_scale: float = 1.0,
        workers: int = 1,
        more: tuple[str, ...] = (),
    ) -> None:
        """``more``: further arguments of ``headstring serve``."""
        folder = data_folder()
        self.database = database or folder / "offline.sqlite3"
        self.log = (database.parent if database is not None else folder) / "server.log"
        self._arguments = [
            "serve", "--host", "127.0.0.1", "--port", "0", "--database", str(self.database),
            "--workers", str(workers), "--time-scale", str(time_scale), "--log-level", "warning",
            "--stop-grace", "0", "--idle", "0", "--open-early", "true", *more,
        ]  # fmt: skip
        self._program: _Program | None = None
        self._said: list[str] = []
        self.url = ""

    def prepare(self) -> None:
        """Let its program get ready; it touches no database before it is started.

        Raises:
            NotStarted: it can't be.
        """
        if self._program is not None:
            return
        try:
            self.database.parent.mkdir(parents=True, exist_ok=True)
            self.log.parent.mkdir(parents=True, exist_ok=True)
            self.log.write_bytes(b"")
            self._program = _Program(SERVER_READY, self.log, keeps_output=True)
        except OSError as error:
            raise NotStarted(
                f"the private server did not start: {self.log.parent} can't be written to "
                f"({error.strerror}); HEADSTRING_DATA names another folder"
            ) from error

    def start(self) -> str:
        """Start it and wait until it listens; its address.

        Raises:
            NotStarted: it did not; the message holds what it said.
        """
        self.prepare()
        assert self._program is not None
        self._program.run(self._arguments)
        listening = threading.Event()
        reader = threading.Thread(target=self._read, args=(listening,), daemon=True)
        reader.start()
        listening.wait(START_TIMEOUT_S)
        if not self.url:
            self.stop()
            said = self.log.read_text(encoding="utf-8", errors="replace").strip()
            last = said.splitlines()[-1] if said else "it said nothing"
            raise NotStarted(f"the private server did not start: {last}")
        return self.url

    def _read(self, listening: threading.Event) -> None:
        if self._program is None or self._program.process.stdout is None:
            return
        for (
            line
        ) in self._program.process.stdout:  # read on to the end, so that its pipe never fills
            self._said.append(line.rstrip())
            del self._said[:-50]
            if LISTENS in line and not self.url:
                self.url = line.split(LISTENS, 1)[1].strip()
                listening.set()
        listening.set()

    @property
    def process(self) -> subprocess.Popen | None:
        """The process, once there is one."""
        return self._program.process if self._program is not None else None

    @property
    def alive(self) -> bool:
        """Whether it runs."""
        return self._program is not None and self._program.alive

    def stop(self) -> None:
        """End it; everything that it acknowledged is stored."""
        if self._program is not None:
            self._program.stop()


class HouseBot:
    """The bot as a program of its own, so that its thinking takes no frame from the table."""

    def __init__(self) -> None:
        self._program: _Program | None = None
        self._sent = False

    def prepare(self, idle: bool = False) -> None:
        """Let its program get ready.  ``idle``: nobody waits, so there is time for the physics."""
        if self._program is None or self.ended:
            ready = (*BOT_READY, *(BOT_IDLE if idle else ()))
            self._program = _Program(ready, data_folder() / "bot.log", keeps_output=False)
            self._sent = False

    def start(self, url: str, table: str, invitation: str | None, level: int, name: str) -> None:
        """Send it to a table."""
        arguments = [
            "bot", "--server", url, "--table", table, "--level", str(level), "--name", name,
            "--keep-as", "offline", "--pace", "1.2",
        ]  # fmt: skip
        if invitation:
            arguments += ["--invitation", invitation]
        self.prepare()
        assert self._program is not None
        self._program.run(arguments)
        self._sent = True

    @property
    def process(self) -> subprocess.Popen | None:
        """The process, once there is one."""
        return self._program.process if self._program is not None else None

    @property
    def ended(self) -> bool:
        """Whether it was sent and is no more."""
        return self._sent and self._program is not None and not self._program.alive

    def stop(self) -> None:
        """End it."""
        if self._program is not None:
            self._program.stop(3.0)


class Company:
    """All that offline play needs beside the table: a private server and the house bot."""

    def __init__(self, time_scale: float = 1.0) -> None:
        self.server = PrivateServer(time_scale=time_scale)
        self.bot = HouseBot()
        # Where time is short, nobody may be loading when it is his turn.
        self._hurried = time_scale > 1.0

    def prepare(self, idle: bool = False) -> None:
        """Let both get ready, as far as they can: a failure is told when they are needed.

        ``idle``: nobody waits for them yet.
        """
        with suppress(NotStarted, OSError):
            self.server.prepare()
            self.bot.prepare(idle or self._hurried)

    def stop(self) -> None:
        """End both."""
        self.bot.stop()
        self.server.stop()
