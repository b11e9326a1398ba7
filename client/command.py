"""The commands ``play``, ``watch``, ``bot`` and ``demo`` of ``headstring``."""

import argparse
import asyncio
import getpass
import logging
import math
import sys
from collections.abc import Callable
from typing import Any

from client.address import websocket_url
from client.bot.levels import DEFAULT_LEVEL, LEVELS
from client.data_folder import Tokens
from client.net.errand import ErrandFailed
from client.net.session import Session
from client.own_rules import own_rules
from client.sign_in import add_account_argument, sign_in
from client.terms import add_terms, terms_of
from client.trust import add_ca_argument
from physics.table import TABLES
from shared_rules.presets import PRESETS, merge

BOT_NAME = "House bot"
LONGEST_NAME = 32
BEDS = tuple(name for name, table in TABLES.items() if table.bounded)


# --- options --------------------------------------------------------------------------------------


def add_start_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options of ``start``."""
    parser.epilog = """\
The start screen leads to everything: a game against the house bot, servers, settings, rules.
`headstring` alone is the same.
"""
    add_name(parser)
    add_screen(parser)


def add_play_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options of ``play``."""
    parser.epilog = """\
examples:
  headstring play                                   a race of nine-ball against the house bot
  headstring play --level 5 --race 3                a short one against the strongest
  headstring play --server pool.example.org:4747    a free seat on a server, or a table of your own
  headstring play --server URL --open --private     a table for a friend; the screen shows its code
  headstring play --server URL --table ID --invitation CODE

Without --server a private server runs on this machine while you play; an unfinished match goes on
next time.
"""
    add_server(parser, "server to play on (default: a private one on this machine)")
    parser.add_argument("--table", metavar="ID", help="sit down at this table")
    parser.add_argument("--open", action="store_true", help="open a table")
    add_invitation(parser)
    add_table_options(parser)
    parser.add_argument("--private", action="store_true", help="the table needs an invitation")
    _add_level(parser, "strength of the house bot")
    add_name(parser)
    add_account_argument(parser)
    add_screen(parser)


def add_watch_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options of ``watch``."""
    parser.epilog = """\
examples:
  headstring watch --server pool.example.org:4747              the first table that may be watched
  headstring watch --server ws://127.0.0.1:4747 --table ID
  headstring watch --server pool.example.org --table ID --referee --invitation CODE
"""
    add_server(parser, "server to watch on", required=True)
    parser.add_argument("--table", metavar="ID", help="table to watch (default: the first)")
    parser.add_argument(
        "--referee",
        action="store_true",
        help="be the referee of the table, which was opened with one",
    )
    add_invitation(parser)
    add_name(parser)
    add_account_argument(parser)
    add_screen(parser)


def add_bot_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options of ``bot``."""
    levels = ", ".join(f"{n} {level.name}" for n, level in LEVELS.items())
    parser.epilog = f"""\
examples:
  headstring bot --server ws://127.0.0.1:4747                 the first free seat
  headstring bot --server ws://127.0.0.1:4747 --open --race 5 --level 4
  headstring bot --server ws://127.0.0.1:4747 --open --ruleset straight_pool --points 50
  headstring bot --server ws://127.0.0.1:4747 --table ID --seed 7

  headstring bot --server ws://127.0.0.1:4747 --accept-challenges

levels: {levels}
The bot plays one match and ends; with --accept-challenges it goes on until it is stopped.
"""
    add_server(parser, "server to play on", required=True)
    parser.add_argument("--table", metavar="ID", help="sit down at this table")
    parser.add_argument("--open", action="store_true", help="open a table and wait for an opponent")
    parser.add_argument(
        "--accept-challenges", action="store_true",
        help="wait in the lobby and play whoever challenges it, one after the other",
    )  # fmt: skip
    add_invitation(parser)
    add_table_options(parser)
    _add_level(parser, "strength")
    parser.add_argument("--name", type=_name, default=BOT_NAME, help=f"name (default {BOT_NAME})")
    add_account_argument(parser)
    parser.add_argument("--seed", type=int, help="seed of its hand and its choices")
    parser.add_argument(
        "--pace",
        type=within(0, 60, "seconds"),
        default=0.0,
        metavar="S",
        help="least seconds before each answer",
    )
    parser.add_argument("--keep-as", metavar="WORD", help=argparse.SUPPRESS)


def add_demo_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options of ``demo``."""
    parser.epilog = """\
example:
  headstring demo --race 3 --folder pictures
  headstring demo --ruleset straight_pool --points 50 --no-pictures --speed 40
"""
    parser.add_argument(
        "--race", type=_race, metavar="N", help="games to win (default 3; of straight pool 1)"
    )
    parser.add_argument(
        "--points", type=_points, metavar="N", help="points to win a game of straight pool"
    )
    _add_ruleset(parser)
    _add_level(parser, "strength of both bots")
    parser.add_argument("--seed", type=int, default=1, help="seed of the bots (default 1)")
    parser.add_argument(
        "--speed", type=within(1, 200, "a factor"), default=12.0, metavar="F",
        help="how much faster than real time (default 12)",
    )  # fmt: skip
    parser.add_argument(
        "--folder", default="pictures", help="folder for the pictures (default pictures)"
    )
    parser.add_argument("--no-pictures", action="store_true", help="only the score")
    parser.add_argument("--language", choices=("en", "cs"), default="en")


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
    _add_ruleset(group)
    group.add_argument("--race", type=_race, metavar="N", help="games to win a set")
    group.add_argument(
        "--points", type=_points, metavar="N", help="points to win a game of straight pool"
    )
    group.add_argument(
        "--bed", choices=BEDS, help="table to play on (default: the usual one of the game)"
    )
    group.add_argument("--sets", type=_race, metavar="N", help="sets to win the match")
    group.add_argument(
        "--clock", type=_clock, metavar="S", help="shot clock, seconds a stroke (default: none)"
    )
    add_terms(group, _delay)
    group.add_argument(
        "--guide", choices=("none", "first_contact", "full"), help="how far the aiming line goes"
    )


def _add_ruleset(parser: argparse._ActionsContainer) -> None:
    parser.add_argument(
        "--ruleset", type=own_rules, default="nine_ball_epbf", metavar="NAME",
        help=f"rules: {', '.join(sorted(PRESETS))}, or a JSON file of your own (docs/rules.md)",
    )  # fmt: skip


def _add_level(parser: argparse.ArgumentParser, text: str) -> None:
    parser.add_argument(
        "--level", type=int, choices=sorted(LEVELS), default=DEFAULT_LEVEL,
        help=f"{text}, 1 to 5 (default {DEFAULT_LEVEL})",
    )  # fmt: skip


def add_name(parser: argparse.ArgumentParser) -> None:
    """Declare ``--name``."""
    parser.add_argument("--name", type=_name, help="your name at the table (default: the last one)")


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


_race = within(1, 99, "a whole number", int)
_points = within(1, 1000, "a whole number of points", int)
_clock = within(5, 600, "a shot clock gives seconds")
_delay = within(0, 300, "a delay has seconds")


def _name(text: str) -> str:
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
    """The fields of ``OpenTable`` that the options ask for."""
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

        made["shot_clock"] = ShotClock(limit_s=options.clock)
    made |= terms_of(options)
    if getattr(options, "private", False):
        made["private"], made["watch"] = True, "invited"
    return made


# --- running --------------------------------------------------------------------------------------


def run_bot(options: argparse.Namespace) -> int:
    """Play one match as a bot; the exit status."""
    from client.bot.player import BotPlayer, Seating
    from physics.simulation import spare_the_collector, warm_up

    logging.basicConfig(stream=sys.stderr, level=logging.WARNING)
    if not signed_in(options, "headstring bot"):
        return 1
    print("loading the physics …", flush=True)
    warm_up(wait=False)
    spare_the_collector()
    tokens, keep = Tokens(), options.keep_as or options.server
    known = options.table or options.keep_as or options.account
    token = tokens.get(keep, options.name) if known else None
    session = Session(options.name, token, program="headstring bot")
    session.account = options.account is not None
    session.renames = not session.account
    opens = table_options(options) if options.open else None
    accepts = options.accept_challenges
    seating = Seating(options.table, options.invitation, opens, accepts)
    bot = BotPlayer(
        options.server, session, LEVELS[options.level], seating, options.seed, _say, options.ca
    )
    bot.think_s = options.pace

    def keep_token(token: str) -> None:
        try:
            tokens.keep(keep, options.name, token)
        except OSError as error:
            print(f"headstring bot: the sign-in can't be kept: {error}", file=sys.stderr)

    bot.on_token = keep_token
    try:
        state = asyncio.run(bot.run())
    except (ConnectionError, ValueError) as error:
        print(f"headstring bot: {error}", file=sys.stderr)
        return 1
    if state is not None and state.winner is not None:
        return 0
    print("headstring bot: the match did not come to its end", file=sys.stderr)
    return 1


def _say(text: str) -> None:
    print(text, flush=True)


def signed_in(options: argparse.Namespace, program: str) -> bool:
    """Sign in to the account that is asked for, if one is; its name is the one to play under."""
    if options.account is None:
        return True
    try:
        if not options.server:
            raise ErrandFailed("--account needs --server")
        asyncio.run(sign_in(options.server, options.account, program, options.register, options.ca))
    except (ErrandFailed, OSError) as error:
        print(f"{program}: {error}", file=sys.stderr)
        return False
    options.name = options.account
    return True


def run_start(options: argparse.Namespace) -> int:
    """Open the start screen; the exit status."""
    from client.play.program import start

    return start(options)


def run_play(options: argparse.Namespace) -> int:
    """Open the table; the exit status."""
    from client.play.arrival import Plan
    from client.play.program import play

    if not signed_in(options, "headstring play"):
        return 1
    plan = Plan(
        table=options.table,
        invitation=options.invitation,
        opens=options.open,
        open_options=table_options(options),
    )
    return play(options, plan)


def run_watch(options: argparse.Namespace) -> int:
    """Watch a table; the exit status."""
    from client.play.arrival import Plan
    from client.play.program import play

    if not signed_in(options, "headstring watch"):
        return 1
    if options.referee and options.table is None:
        print("headstring watch: --referee needs --table", file=sys.stderr)
        return 1
    plan = Plan(options.table, options.invitation, watching=True, refereeing=options.referee)
    return play(options, plan)


def run_demo(options: argparse.Namespace) -> int:
    """Let two bots play and take pictures; the exit status."""
    from client.demo import run

    return run(options)


def default_name() -> str:
    """The user's name on this system, made fit for a table."""
    try:
        found = getpass.getuser()
    except (KeyError, OSError):
        found = ""
    return found.strip().title()[:32] or "Player"
