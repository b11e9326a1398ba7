"""What a server can be told: one frozen value, checked as a whole.

A new setting is one line here (and ``make settings-page`` for the docs): file, environment and
checks follow from it (``server.config.setting``, ``server.config.sources``).

Times are seconds of the server's clock unless the name says ``real``.
"""

import os
import sys
from dataclasses import dataclass
from pathlib import Path

from server.config.checks import unusable
from server.config.setting import ConfigFaults, Setting, check, setting, settings_of
from server.delay import CreditLimits

DEFAULT_PORT = 4747
KIB = 1024


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
    """Database URL of what the user gave: a URL, a path of a SQLite file, or nothing (default)."""
    if name and "://" in name:
        return name
    path = Path(name).expanduser() if name else data_directory() / "server.sqlite3"
    return f"sqlite+aiosqlite:///{path.absolute().as_posix()}"


@dataclass(frozen=True)
class ServerConfig:
    """Settings of one server.

    ``physics``: the function that plays a shot, as ``module:name``; it runs in worker processes.
    """

    physics: str = "server.shots:play"

    host: str = setting(
        "127.0.0.1",
        "listen",
        "Address to listen on; 0.0.0.0 is everyone who can reach this machine.",
        flag="--host",
    )
    port: int = setting(
        DEFAULT_PORT, "listen", "TCP port; 0 is any free one.", flag="--port", within=(0, 65535)
    )

    trusted_proxies: tuple[str, ...] = setting(
        (),
        "listen",
        "Addresses and networks whose X-Forwarded-For and X-Forwarded-Proto are believed.",
    )
    origins: tuple[str, ...] = setting(
        (),
        "listen",
        "Sites (https://example.org) whose pages may connect besides the server's own; * is all.",
    )
    name: str = setting("Headstring", "server", "What the server calls itself.", flag="--name")
    time_scale: float = setting(
        1.0,
        "server",
        "How much faster than real the server's time runs; for bots and tests.",
        flag="--time-scale",
        within=(0.1, 1000),
    )
    stop_grace_real_s: float = setting(
        6.0,
        "server",
        "At SIGTERM or Ctrl-C shots that end within so long are finished first.",
        flag="--stop-grace",
        within=(0, 600),
    )
    restart_pause_s: float = setting(
        20.0,
        "server",
        "No clock runs for so long after a restart, or until both players are back.",
        within=(0, 3600),
    )

    lan_announce: bool = setting(
        True,
        "lan",
        "Let programs on the local network find the server; "
        "never one that listens on this machine only.",
        flag="--announce",
    )
    lan_host: str = setting(
        "",
        "lan",
        "Name by which they reach it, for a certificate's sake.",
        unset="its addresses",
    )

    database: str = setting(
        "",
        "database",
        "SQLite file or SQLAlchemy URL.",
        key="url",
        flag="--database",
        secret=True,
        path=True,
        unset="server.sqlite3 in the user's data folder",
    )

    workers: int = setting(
        2, "physics", "Worker processes, kept warm.", flag="--workers", within=(1, 64)
    )
    open_early: bool = setting(
        False,
        "physics",
        "Let people in before the workers are warm; the first shots wait for them.",
        flag="--open-early",
    )
    shot_limit_real_s: float = setting(
        5.0,
        "physics",
        "A worker that takes longer for one shot is replaced, the shot void.",
        within=(0.1, 300),
    )

    max_tables: int = setting(1000, "tables", "Tables at a time.", within=(1, 100_000))
    new_tables_per_s: float = setting(
        0.5, "tables", "Tables opened from an address.", within=(0.001, 1e6)
    )
    new_tables_burst: float = setting(
        100.0, "tables", "Tables opened from an address at once.", within=(1, 1e6)
    )
    tables_per_address: int = setting(
        100,
        "tables",
        "Of these, opened from one address (an IPv6 network of 64 bits is one).",
        within=(1, 100_000),
    )
    between_games_s: float = setting(3.0, "tables", "Pause between two games.", within=(0, 600))
    linger_s: float = setting(
        300.0, "tables", "So long a table stays open after its match.", within=(0, 86_400)
    )
    idle_s: float = setting(
        600.0,
        "tables",
        "Who sits at a table and is waited for so long counts as away until he does something; "
        "0: nobody does.",
        flag="--idle",
        within=(0, 86_400),
    )
    history_events: int = setting(
        64, "tables", "Events of a table that are kept for who comes back.", within=(1, 100_000)
    )
    history_bytes: int = setting(
        128 * KIB, "tables", "Bytes of such events, a table.", within=(KIB, 1024 * KIB * KIB)
    )
    delayed_bytes: int = setting(
        1024 * KIB,
        "tables",
        "Bytes that wait to be shown to the spectators of a table with a delay; "
        "beyond, they get a snapshot a second.",
        within=(64 * KIB, 1024 * KIB * KIB),
    )

    credit_most_real_s: float = setting(
        0.5,
        "clocks",
        "The most delay of his line that a player is credited at a deadline; 0: none.",
        within=(0, 5),
    )
    credit_quota_real_s: float = setting(
        2.0, "clocks", "So much of it a player has in hand, at first and at most.", within=(0, 60)
    )
    credit_gain_real_s: float = setting(
        0.2, "clocks", "What every turn that he has finished adds to that.", within=(0, 5)
    )
    ping_players_real_s: float = setting(
        2.0, "clocks", "Time between the pings that measure a player's line.", within=(0.05, 60)
    )

    sign_in_real_s: float = setting(
        10.0, "people", "So long a connection has to sign in.", within=(0.1, 3600)
    )
    wrong_tokens_per_s: float = setting(
        1.0, "people", "Wrong tokens of an address.", within=(0.001, 1e6)
    )
    wrong_tokens_burst: float = setting(
        10.0, "people", "Wrong tokens of an address at once.", within=(1, 1e6)
    )
    new_people_per_s: float = setting(
        2.0, "people", "New people of an address.", within=(0.001, 1e6)
    )
    new_people_burst: float = setting(
        100.0, "people", "New people of an address at once.", within=(1, 1e6)
    )

    guests: str = setting(
        "yes",
        "people",
        "Who may come by a mere name: everybody, those of the local network, nobody.",
        flag="--guests",
        choices=("yes", "lan", "no"),
    )
    sanctioned_address_days: float = setting(
        1.0,
        "people",
        "So long nobody new comes in from the address of a guest who is suspended, and new people "
        "from that of a muted one are muted; accounts, and who has been here before, come in as "
        "ever. `headstring admin open-address` ends it, `lift` the sanction too. 0: only the name.",
        within=(0, 365),
    )
    pins: str = setting(
        "lan",
        "people",
        "Who may sign in by a PIN that officials have given out: everybody who has one, those of "
        "the local network, nobody.",
        flag="--pins",
        choices=("yes", "lan", "no"),
    )
    registration: bool = setting(
        True, "people", "Whether people make accounts themselves, or administrators only."
    )
    session_unused_days: float = setting(
        90.0, "people", "A token that is not used for so long is worth nothing.", within=(1, 3650)
    )
    guest_match_days: float = setting(
        30.0,
        "people",
        "An adjourned match ends when its guest has not been here for so long; "
        "then his name is free.",
        within=(1, 3650),
    )
    sessions_per_person: int = setting(
        32, "people", "Devices of a person that stay signed in.", within=(1, 1000)
    )
    wrong_passwords_per_s: float = setting(
        0.2, "people", "Wrong passwords of an address.", within=(0.001, 1e6)
    )
    wrong_passwords_burst: float = setting(
        10.0, "people", "Wrong passwords of an address at once.", within=(1, 1e6)
    )
    password_memory_kib: int = setting(
        19 * KIB, "people", "Memory of Argon2id, which hashes passwords.", within=(128, KIB * KIB)
    )
    password_passes: int = setting(2, "people", "Passes of Argon2id.", within=(1, 100))
    password_lanes: int = setting(1, "people", "Lanes of Argon2id.", within=(1, 16))
    password_queue: int = setting(
        32, "people", "Passwords that may wait to be hashed.", within=(1, 10_000)
    )

    max_connections: int = setting(4000, "limits", "Connections at a time.", within=(1, 1_000_000))
    connections_per_address: int = setting(
        400,
        "limits",
        "Of these, from one address (an IPv6 network of 64 bits is one), half-open ones included.",
        within=(1, 1_000_000),
    )
    max_handshakes: int = setting(
        1000,
        "limits",
        "Connections besides that have not finished their handshake.",
        within=(1, 1_000_000),
    )
    messages_per_s: float = setting(
        60.0,
        "limits",
        "Messages of a connection; nonsense and wrong guesses count five times.",
        within=(1, 1e6),
    )
    messages_burst: float = setting(
        150.0, "limits", "Messages of a connection at once.", within=(1, 1e6)
    )
    bytes_per_s: float = setting(128.0 * KIB, "limits", "Bytes of a connection.", within=(KIB, 1e9))
    bytes_burst: float = setting(
        512.0 * KIB, "limits", "Bytes of a connection at once.", within=(64 * KIB, 1e9)
    )
    aims_per_s: float = setting(
        20.0, "limits", "How often a player's aim is shown to the others.", within=(1, 1000)
    )
    outbox_messages: int = setting(
        128,
        "limits",
        "Messages that wait for one reader; events beyond give way to a snapshot.",
        within=(16, 1_000_000),
    )
    outbox_bytes: int = setting(
        512 * KIB, "limits", "Bytes that wait for one reader.", within=(64 * KIB, 1024 * KIB * KIB)
    )
    ping_interval_real_s: float = setting(
        15.0, "limits", "Time between the pings that find dead connections.", within=(0.1, 3600)
    )
    ping_timeout_real_s: float = setting(
        20.0,
        "limits",
        "A connection that leaves a ping unanswered for so long is dead.",
        within=(0.1, 3600),
    )

    tls_certificate: str = setting(
        "",
        "tls",
        "Certificate with its chain, PEM; read again at SIGHUP.",
        flag="--tls-certificate",
        path=True,
        unset="no TLS",
    )
    tls_key: str = setting(
        "", "tls", "Its private key, PEM, without a password.", flag="--tls-key", path=True
    )
    metrics_address: str = setting(
        "",
        "metrics",
        "HOST:PORT on which /metrics is answered instead of on the server's port.",
    )
    metrics_token: str = setting(
        "",
        "metrics",
        "Bearer token for /metrics; without one only this machine sees it on the main port.",
        secret=True,
    )
    board_shown: str = setting(
        "yes",
        "board",
        "Who sees the board's pages and what programs read of it: everybody, "
        "those of the local network, nobody.",
        flag="--board",
        choices=("yes", "lan", "no"),
    )
    log_level: str = setting(
        "info",
        "log",
        "The least that is logged, on standard error.",
        flag="--log-level",
        choices=("debug", "info", "warning", "error"),
    )
    log_format: str = setting(
        "text",
        "log",
        "One line an event: text for people, json for programs.",
        flag="--log-format",
        choices=("text", "json"),
    )

    @property
    def credit(self) -> CreditLimits:
        """How much of the network's delay a player is credited at a deadline."""
        return CreditLimits(
            self.credit_most_real_s, self.credit_quota_real_s, self.credit_gain_real_s
        )

    def __post_init__(self) -> None:
        """Raises ConfigFaults when settings make no sense, naming them all."""
        faults = [*check(SETTINGS, self), *unusable(self)]
        if ":" not in self.physics:
            faults.append(("physics", f"{self.physics!r} is not of the form module:function"))
        if faults:
            raise ConfigFaults(tuple(faults))


SETTINGS: tuple[Setting, ...] = settings_of(ServerConfig)
"""Every setting that people may make."""
