"""The client's part of ``headstring bench``: its options, and its lines of figures."""

import argparse
from collections.abc import Iterator

from client.bench import PARTS, bench_client

__all__ = ["PARTS", "add_arguments", "lines"]

_SIZES = {
    "racks": ("racks", "racks one after another, for memory (default 500)"),
    "table_changes": ("tables", "tables built and taken down, for memory (default 100)"),
    "strokes": ("strokes", "timed strokes against the house bot (default 3)"),
}
"""By the name of the option, with a hyphen for the underscore: the name of the size."""


def add_arguments(parser: argparse._ActionsContainer) -> None:
    """Declare how much is measured."""
    for option, (_, about) in _SIZES.items():
        parser.add_argument(f"--{option.replace('_', '-')}", type=int, metavar="N", help=about)


def lines(options: argparse.Namespace, parts: tuple[str, ...]) -> Iterator[str]:
    """Figures of these parts, line by line."""
    given = {size: getattr(options, option) for option, (size, _) in _SIZES.items()}
    return bench_client(parts, **{k: max(v, 1) for k, v in given.items() if v is not None})
