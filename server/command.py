"""``headstring serve``: the options, and a server that runs until it is told to stop."""

import argparse
import asyncio
import sys

from server.config import ServerConfig
from server.config.sources import (
    CONFIG_VARIABLE,
    ConfigUnusable,
    add_flags,
    annotated_file,
    config_of,
)
from server.logs import set_up
from server.running import serve
from server.speed import loop_factory
from server.storage.database import DatabaseUnusable
from server.storage.journal import TakenOver
from server.storage.lock import DatabaseInUse
from server.tls import ServerTls, TlsUnusable
from server.worker import WorkerDied

_FILES = 8192  # twice the connections, and what macOS allows
_EPILOG = """\
examples:
  headstring serve                               on this machine only
  headstring serve --host 0.0.0.0                for everyone on your network
  headstring serve --database club.sqlite3       keep the matches in that file
  headstring serve --port 0                      any free port; the line printed names it
  headstring serve --print-config > server.toml  a file of all settings, to be changed
  headstring serve --config server.toml          with those settings

A setting is taken from its flag, else from its variable (HEADSTRING_LISTEN_PORT ...), else from
the file; docs/settings.md lists them all.

Ctrl-C stops it: shots that end within some seconds are finished (a second Ctrl-C waits for none),
players are told to come back, and every match goes on after the next start.
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options of ``serve``."""
    parser.epilog = _EPILOG
    parser.add_argument(
        "--config", metavar="FILE", help=f"settings, a TOML file (or named by {CONFIG_VARIABLE})"
    )
    parser.add_argument(
        "--check-config", action="store_true", help="say what is wrong with the settings, and end"
    )
    parser.add_argument(
        "--print-config", action="store_true", help="print a settings file of all defaults, and end"
    )
    add_flags(parser)


def run(options: argparse.Namespace) -> int:
    """Serve until Ctrl-C or SIGTERM; returns the exit status."""
    if options.print_config:
        print(annotated_file(), end="")
        return 0
    try:
        config = config_of(options)
    except ConfigUnusable as error:
        for fault in error.faults:
            print(f"headstring serve: {fault}", file=sys.stderr)
        return 2
    if options.check_config:
        try:
            tls = ServerTls.of(config)
        except TlsUnusable as error:
            print(f"headstring serve: {error}", file=sys.stderr)
            return 2
        warning = tls.warning() if tls is not None else None
        if warning is not None:
            print(f"headstring serve: {warning}", file=sys.stderr)
        print("These settings can be used.")
        return 0
    return run_server(config)


def run_server(config: ServerConfig) -> int:
    """Serve with these settings until Ctrl-C or SIGTERM; returns the exit status."""
    set_up(config.log_level, config.log_format)
    _allow_many_files()
    try:
        with asyncio.Runner(loop_factory=loop_factory(tls=bool(config.tls_certificate))) as runner:
            runner.run(serve(config))
    except (DatabaseInUse, DatabaseUnusable, TakenOver, TlsUnusable, WorkerDied, OSError) as error:
        print(f"headstring serve: {error}", file=sys.stderr)
        return 1
    return 0


def _allow_many_files() -> None:
    """Let this process have a file for every connection; systems begin at 256 or 1024."""
    if sys.platform != "win32":
        import resource

        soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
        wanted = _FILES if hard == resource.RLIM_INFINITY else min(hard, _FILES)
        if soft != resource.RLIM_INFINITY and soft < wanted:
            resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
