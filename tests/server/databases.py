"""The databases that tests run on: a SQLite file, and PostgreSQL where it is installed.

A cluster of PostgreSQL is started for the test run in a folder of its own, on a unix socket.
``HEADSTRING_NEED_POSTGRESQL`` set makes its absence an error instead of a skip.
"""

import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import quote

from server.config import database_url

URLS: dict[Path, str] = {}
"""The database that a test's folder stands for, where it isn't the file in it."""

_BINARIES = sorted(Path("/usr/lib/postgresql").glob("*/bin"), reverse=True)
_MEMORY = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None  # a disk would only be slower
_PORT = 54321  # names the socket's file only


def url_of(folder: Path) -> str:
    """URL of the database of a test."""
    return URLS.get(folder) or database_url(str(folder / "server.sqlite3"))


def has_postgresql() -> bool:
    return bool(_BINARIES) or shutil.which("initdb") is not None


class Cluster:
    """A running PostgreSQL.  ``durable``: commits wait for the disk, as outside of tests."""

    def __init__(self, durable: bool = False) -> None:
        self.folder = Path(tempfile.mkdtemp(prefix="headstring-pg-", dir=_MEMORY))
        self._binaries = _BINARIES[0] if _BINARIES else Path(str(shutil.which("initdb"))).parent
        # PostgreSQL refuses to run as root.
        self._user: dict[str, Any] = {}
        if os.geteuid() == 0:
            self._user = {"user": "postgres", "group": "postgres"}
            shutil.chown(self.folder, "postgres", "postgres")
        self._options = f"-c listen_addresses='' -c unix_socket_directories={self.folder}"
        self._options += f" -c port={_PORT} -c max_connections=60"
        if not durable:
            self._options += " -c fsync=off"
        self._made = 0
        self._run("initdb", "--no-sync", "-U", "headstring", "-A", "trust", "-E", "UTF8",
                  "--locale=C", "-D", str(self.folder / "data"))  # fmt: skip
        self.start()

    def start(self) -> None:
        self._control("start", "-w", "-o", self._options, "-l", str(self.folder / "log"))

    def stop(self, how: str = "fast") -> None:
        """``how``: ``fast``, or ``immediate``: as if it had crashed."""
        self._control("stop", "-w", "-m", how)

    def close(self) -> None:
        self.stop("immediate")
        shutil.rmtree(self.folder, ignore_errors=True)

    @property
    def socket(self) -> Path:
        return self.folder / f".s.PGSQL.{_PORT}"

    def new_database(self) -> str:
        """URL of a new, empty database."""
        self._made += 1
        name = f"test{self._made}"
        self.sql("postgres", f"CREATE DATABASE {name}")
        return self.url(name)

    def url(self, name: str, folder: Path | None = None) -> str:
        """``folder``: where the socket is; the cluster's own by default."""
        where = quote(str(folder or self.folder))
        return f"postgresql+asyncpg://headstring@/{name}?host={where}&port={_PORT}"

    def sql(self, name: str, statement: str) -> str:
        """What psql prints for a statement."""
        return self._run("psql", "-h", str(self.folder), "-p", str(_PORT), "-U", "headstring",
                         "-d", name, "-At", "-c", statement)  # fmt: skip

    def _control(self, *arguments: str) -> None:
        self._run("pg_ctl", "-D", str(self.folder / "data"), *arguments)

    def _run(self, program: str, *arguments: str) -> str:
        # Not a pipe for what is started to keep open: the log is a file.
        with tempfile.TemporaryFile("w+") as said:
            done = subprocess.run(
                [str(self._binaries / program), *arguments],
                stdin=subprocess.DEVNULL, stdout=said, stderr=subprocess.STDOUT,
                cwd=self.folder, check=False, **self._user,
            )  # fmt: skip
            said.seek(0)
            text = said.read()
        assert done.returncode == 0, f"{program}: {text}"
        return text


@contextmanager
def standing_for(folder: Path, url: str) -> Iterator[None]:
    """Let a test's folder stand for another database."""
    URLS[folder] = url
    try:
        yield
    finally:
        del URLS[folder]
