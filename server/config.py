"""What a server can be told: one frozen value, checked once, made from the command line.

Times are seconds of the server's clock unless the name says ``real``.
"""

import os
import sys
from dataclasses import dataclass
from pathlib import Path

DEFAULT_PORT = 4747


def data_directory() -> Path:
    """Where this user's programs keep their data on this platform; it may not exist yet."""
    if sys.platform == "win32":
        base = os.environ.get("LOCALAPPDATA")
        return (Path(base) if base else Path.home() / "AppData" / "Local") / "Headstring"
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Application Support" / "Headstring"
    base = os.environ.get("XDG_DATA_HOME")
    return (Path(base) if base else Path.home() / ".local" / "share") / "headstring"


def database_url(name: str | None) -> str:
    """Database URL of what the user gave: a URL, a path of a SQLite file, or None (default)."""
    if name is not None and "://" in name:
        return name
    path = Path(name).expanduser() if name else data_directory() / "server.sqlite3"
    return f"sqlite+aiosqlite:///{path.absolute().as_posix()}"


@dataclass(frozen=True)
class ServerConfig:
    """Settings of one server.

    ``physics``: the function that plays a shot, as ``module:name``; it runs in worker processes.
    ``wrong_tokens``, ``new_people``: sign-ins of one address, in real seconds.
    ``shot_limit_real_s``: a worker that takes longer for one shot is replaced, the shot void.
    """

    host: str = "127.0.0.1"
    port: int = DEFAULT_PORT
    database: str = "sqlite+aiosqlite:///:memory:"
    workers: int = 2
    time_scale: float = 1.0
    name: str = "Headstring"
    physics: str = "server.shots:play"
    shot_limit_real_s: float = 5.0
    between_games_s: float = 3.0
    restart_pause_s: float = 20.0
    linger_s: float = 300.0
    max_connections: int = 4000
    max_tables: int = 1000
    sign_in_real_s: float = 10.0
    ping_interval_real_s: float = 15.0
    ping_timeout_real_s: float = 20.0
    messages_per_s: float = 60.0
    messages_burst: float = 150.0
    bytes_per_s: float = 128 * 1024
    bytes_burst: float = 512 * 1024
    aims_per_s: float = 20.0
    wrong_tokens_per_s: float = 1.0
    wrong_tokens_burst: float = 10.0
    new_people_per_s: float = 2.0
    new_people_burst: float = 100.0
    outbox_messages: int = 128
    outbox_bytes: int = 512 * 1024
    history_events: int = 256
    history_bytes: int = 512 * 1024

    def __post_init__(self) -> None:
        """Raises ValueError when a setting makes no sense, naming it."""
        if not 0 <= self.port <= 65535:
            raise ValueError(f"port: {self.port} is not within 0 to 65535")
        if not 1 <= self.workers <= 64:
            raise ValueError(f"workers: {self.workers} is not within 1 to 64")
        if not 0.1 <= self.time_scale <= 1000:
            raise ValueError(f"time scale: {self.time_scale} is not within 0.1 to 1000")
        if ":" not in self.physics:
            raise ValueError(f"physics: {self.physics!r} is not of the form module:function")
