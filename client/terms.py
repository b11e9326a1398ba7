"""Options of a table that concern others than its players: delay, rating, referee, chat."""

import argparse
from collections.abc import Callable
from typing import Any


def add_terms(group: argparse._ActionsContainer, seconds: Callable[[str], Any]) -> None:
    """Declare them; ``seconds`` reads the delay."""
    group.add_argument(
        "--delay", type=seconds, metavar="S",
        help="spectators see everything so many seconds later (default 0)",
    )  # fmt: skip
    group.add_argument("--rated", action="store_true", help="for accounts, and it counts")
    group.add_argument(
        "--referee", action="store_true",
        help="one is to sit at the table that is opened; the screen shows the code for him",
    )  # fmt: skip
    group.add_argument(
        "--chat", choices=("all", "players", "none"), default="all",
        help="who may write at the table (default all)",
    )  # fmt: skip


def terms_of(options: argparse.Namespace) -> dict[str, Any]:
    """The fields of ``OpenTable`` for what is not as usual."""
    asked: dict[str, Any] = {}
    if options.delay:
        asked["delay_s"] = options.delay
    if options.rated:
        asked["rated"] = True
    if options.referee:
        asked["referee"] = True
    if options.chat != "all":
        asked["chat"] = options.chat
    return asked
