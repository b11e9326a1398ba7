"""Other programs of ours that a client starts: a private server on loopback, and the house bot.

Offline play is online play against them: one code path.  They are tied to this process
(``client.tether``), so that they end with it however it ends.
"""

import os
import subprocess
import sys
import threading
from collections.abc import Mapping
from pathlib import Path

from client.data_folder import data_folder

ROOT = Path(__file__).resolve().parent.parent
LISTENS = "listens on "
START_TIMEOUT_S = 180.0
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


def _popen(arguments: list[str], log: Path, **options: object) -> subprocess.Popen:
    environment = surroundings(os.environ)
    paths = [str(ROOT), environment.get("PYTHONPATH", "")]
    environment["PYTHONPATH"] = os.pathsep.join(p for p in paths if p)
    log.parent.mkdir(parents=True, exist_ok=True)
    with log.open("ab") as errors:
        return subprocess.Popen(
            [sys.executable, "-m", "client.tether", *arguments],
            stdin=subprocess.PIPE,
            stderr=errors,
            env=environment,
            text=True,
            encoding="utf-8",
            **options,  # type: ignore[call-overload]
        )


def _stop(process: subprocess.Popen, patience_s: float = 8.0) -> None:
    if process.poll() is None:
        process.terminate()
        try:
            process.wait(patience_s)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait(patience_s)
    for pipe in (process.stdin, process.stdout):
        if pipe is not None:
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
            "--stop-grace", "0", *more,
        ]  # fmt: skip
        self._process: subprocess.Popen | None = None
        self._said: list[str] = []
        self.url = ""

    def start(self) -> str:
        """Start it and wait until it listens; its address.

        Raises:
            NotStarted: it did not; the message holds what it said.
        """
        try:
            self.database.parent.mkdir(parents=True, exist_ok=True)
            self.log.parent.mkdir(parents=True, exist_ok=True)
            self.log.write_bytes(b"")
        except OSError as error:
            raise NotStarted(
                f"the private server did not start: {self.log.parent} can't be written to "
                f"({error.strerror}); HEADSTRING_DATA names another folder"
            ) from error
        self._process = _popen(self._arguments, self.log, stdout=subprocess.PIPE)
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
        process = self._process
        if process is None or process.stdout is None:
            return
        for line in process.stdout:  # read on to the end, so that its pipe never fills
            self._said.append(line.rstrip())
            del self._said[:-50]
            if LISTENS in line and not self.url:
                self.url = line.split(LISTENS, 1)[1].strip()
                listening.set()
        listening.set()

    @property
    def alive(self) -> bool:
        """Whether it runs."""
        return self._process is not None and self._process.poll() is None

    def stop(self) -> None:
        """End it; everything that it acknowledged is stored."""
        if self._process is not None:
            _stop(self._process)


class HouseBot:
    """The bot as a program of its own, so that its thinking takes no frame from the table."""

    def __init__(self) -> None:
        self._process: subprocess.Popen | None = None

    def start(self, url: str, table: str, invitation: str | None, level: int, name: str) -> None:
        """Send it to a table."""
        arguments = [
            "bot", "--server", url, "--table", table, "--level", str(level), "--name", name,
            "--keep-as", "offline", "--pace", "1.2",
        ]  # fmt: skip
        if invitation:
            arguments += ["--invitation", invitation]
        log = data_folder() / "bot.log"
        self._process = _popen(arguments, log, stdout=subprocess.DEVNULL)

    @property
    def ended(self) -> bool:
        """Whether it was sent and is no more."""
        return self._process is not None and self._process.poll() is not None

    def stop(self) -> None:
        """End it."""
        if self._process is not None:
            _stop(self._process, 3.0)
