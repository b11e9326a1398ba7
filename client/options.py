"""Options that several of the client's commands have, and the readers of their values."""

import argparse
import getpass
import math
from collections.abc import Callable
from typing import Any

from client.address import websocket_url
from client.bot.levels import DEFAULT_LEVEL, LEVELS
from client.own_rules import own_rules
from client.terms import add_terms, terms_of
from client.trust import add_ca_argument
from physics.table import TABLES
from shared_rules.presets import PRESETS, merge

LONGEST_NAME = 32
BEDS = tuple(name for name, table in TABLES.items() if table.bounded)


def add_server(parser: argparse.ArgumentParser, text: str, required: bool = False) -> None:
    """Declare ``--server`` and ``--ca``."""
    parser.add_argument("--server", metavar="URL", type=websocket_url, required=required, help=text)
    add_ca_argument(parser)


def add_invitation(parser: argparse.ArgumentParser) -> None:
    """Declare ``--invitation``."""
    parser.add_argument("--invitation", metavar="CODE", help="code of a private table")


def add_table_options(parser: argparse.ArgumentParser) -> None:
    """Declare what a new table is opened with."""
    group = parser.add_argument_group("a table that is opened")
    add_ruleset(group)
    group.add_argument("--race", type=games, metavar="N", help="games to win a set")
    group.add_argument(
        "--points", type=points, metavar="N", help="points to win a game of straight pool"
    )
    group.add_argument(
        "--bed", choices=BEDS, help="table to play on (default: the usual one of the game)"
    )
    group.add_argument("--sets", type=games, metavar="N", help="sets to win the match")
    group.add_argument(
        "--clock", type=_clock, metavar="S", help="shot clock, seconds a stroke (default: none)"
    )
    group.add_argument(
        "--extension", type=_extension, metavar="S",
        help="seconds that each may add to the shot clock once a rack (default: none)",
    )  # fmt: skip
    add_terms(group, _delay)
    group.add_argument(
        "--guide", choices=("none", "first_contact", "full"), help="how far the aiming line goes"
    )


def add_ruleset(parser: argparse._ActionsContainer) -> None:
    """Declare ``--ruleset``."""
    parser.add_argument(
        "--ruleset", type=own_rules, default="nine_ball_epbf", metavar="NAME",
        help=f"rules: {', '.join(sorted(PRESETS))}, or a JSON file of your own (docs/rules.md)",
    )  # fmt: skip


def add_level(parser: argparse.ArgumentParser, text: str) -> None:
    """Declare ``--level``."""
    parser.add_argument(
        "--level", type=int, choices=sorted(LEVELS), default=DEFAULT_LEVEL,
        help=f"{text}, 1 to 5 (default {DEFAULT_LEVEL})",
    )  # fmt: skip


def add_name(parser: argparse.ArgumentParser) -> None:
    """Declare ``--name``."""
    parser.add_argument(
        "--name", type=player_name, help="your name at the table (default: the last one)"
    )


def add_screen(parser: argparse.ArgumentParser) -> None:
    """Declare what the window is like."""
    group = parser.add_argument_group("screen")
    group.add_argument("--language", choices=("en", "cs"), help="language (default: the last one)")
    group.add_argument("--quality", choices=("low", "medium", "high"), help="how much is drawn")
    group.add_argument(
        "--size", type=_size, metavar="WxH",
        help="of the window in pixels (default: as in the settings)",
    )  # fmt: skip
    group.add_argument("--fullscreen", action="store_true", help="take the whole screen")
    group.add_argument(
        "--ui-scale", type=within(0.5, 3.0, "a factor"), metavar="F",
        help="size of everything written, 0.5 to 3 (default: the last one)",
    )  # fmt: skip


def within(low: float, high: float, what: str, kind: type = float) -> Callable[[str], Any]:
    """A reader of numbers between two bounds, whose refusal is a sentence."""

    def read(text: str) -> Any:
        try:
            number = kind(text)
        except ValueError:
            number = math.nan
        if not low <= number <= high:
            raise argparse.ArgumentTypeError(f"{what} from {low:g} to {high:g}, not {text!r}")
        return number

    return read


games = within(1, 99, "a whole number", int)
points = within(1, 1000, "a whole number of points", int)
_extension = within(1, 600, "an extension gives seconds")
_clock = within(5, 600, "a shot clock gives seconds")
_delay = within(0, 300, "a delay has seconds")


def player_name(text: str) -> str:
    text = text.strip()
    if not 1 <= len(text) <= LONGEST_NAME:
        raise argparse.ArgumentTypeError(f"a name has 1 to {LONGEST_NAME} characters")
    return text


def _size(text: str) -> tuple[int, int]:
    try:
        w, h = (int(part) for part in text.lower().split("x"))
    except ValueError as error:
        raise argparse.ArgumentTypeError("a size looks like 1280x720") from error
    if not (320 <= w <= 7680 and 240 <= h <= 4320):
        raise argparse.ArgumentTypeError("a window is between 320x240 and 7680x4320")
    return w, h


def table_options(options: argparse.Namespace) -> dict[str, Any]:
    """The fields of ``OpenTable`` that the options ask for.

    Raises:
        SystemExit: an extension without a shot clock.
    """
    if options.extension and not options.clock:
        raise SystemExit("headstring: --extension needs a shot clock: give --clock, too")
    overrides: dict[str, Any] = {}
    if options.race:
        overrides.setdefault("match", {})["games_to_win"] = options.race
    if options.points:
        overrides["target"] = options.points
    if options.sets:
        overrides.setdefault("match", {})["sets_to_win"] = options.sets
    if options.guide:
        overrides["aids"] = {"guide_line": options.guide}
    made: dict[str, Any] = {
        "ruleset": options.ruleset.preset,
        "overrides": merge(options.ruleset.overrides, overrides),
    }
    if options.bed:
        made["table"] = options.bed
    if options.clock:
        from shared_rules.state import ShotClock

        extension = options.extension or 0.0
        made["shot_clock"] = ShotClock(limit_s=options.clock, extension_s=extension)
    made |= terms_of(options)
    if getattr(options, "private", False):
        made["private"], made["watch"] = True, "invited"
    return made


def default_name() -> str:
    """The user's name on this system, made fit for a table."""
    try:
        found = getpass.getuser()
    except (KeyError, OSError):
        found = ""
    return found.strip().title()[:32] or "Player"
