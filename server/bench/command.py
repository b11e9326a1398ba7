"""The server's part of ``headstring bench``: its options, and its lines of figures."""

import argparse
import contextlib
import math
from collections.abc import Callable, Iterator

from server.bench import PARTS, bench_server

__all__ = ["PARTS", "add_arguments", "lines"]

_SIZES: tuple[tuple[str, type[int] | type[float], str], ...] = (
    ("tables", int, "live tables (default 400)"),
    ("spectators", int, "spectators of one table (default 2000)"),
    ("deaf", int, "of whom so many don't read (default 5)"),
    ("seconds", float, "how long strokes and spectators are measured (default 30)"),
    ("minutes", float, "of accelerated play, for memory (default 60)"),
    ("workers", int, "physics processes (default 2)"),
    ("matches", int, "stored matches, for storage (default 10000)"),
)


def add_arguments(parser: argparse._ActionsContainer) -> None:
    """Declare how much is measured."""
    for name, kind, about in _SIZES:
        read = _from(0 if name == "deaf" else 1e-3, kind)
        parser.add_argument(f"--{name}", type=read, metavar="N", help=about)
    parser.add_argument("--no-uvloop", action="store_true", help="asyncio's own event loop")


def _from(least: float, kind: type[int] | type[float]) -> Callable[[str], float]:
    def read(text: str) -> float:
        with contextlib.suppress(ValueError, OverflowError):
            if math.isfinite(number := kind(text)) and number >= least:
                return number
        raise argparse.ArgumentTypeError(f"{text!r} makes no sense here")

    return read


def lines(options: argparse.Namespace, parts: tuple[str, ...]) -> Iterator[str]:
    """Figures of these parts, line by line."""
    given = {name: getattr(options, name) for name, _, _ in _SIZES}
    size = {name: value for name, value in given.items() if value is not None}
    return bench_server(parts, fast=not options.no_uvloop, **size)
