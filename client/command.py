"""The commands ``play``, ``watch``, ``bot`` and ``demo`` of ``headstring``."""

import argparse
import asyncio
import logging
import sys

from client.bot.levels import LEVELS
from client.data_folder import Tokens
from client.net.errand import ErrandFailed
from client.net.session import Session
from client.options import (
    add_invitation,
    add_level,
    add_name,
    add_ruleset,
    add_screen,
    add_server,
    add_table_options,
    games,
    player_name,
    points,
    table_options,
    within,
)
from client.sign_in import add_account_argument, sign_in

BOT_NAME = "House bot"


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
    add_level(parser, "strength of the house bot")
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
    add_level(parser, "strength")
    parser.add_argument(
        "--name", type=player_name, default=BOT_NAME, help=f"name (default {BOT_NAME})"
    )
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
        "--race", type=games, metavar="N", help="games to win (default 3; of straight pool 1)"
    )
    parser.add_argument(
        "--points", type=points, metavar="N", help="points to win a game of straight pool"
    )
    add_ruleset(parser)
    add_level(parser, "strength of both bots")
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


# --- running --------------------------------------------------------------------------------------


def run_bot(options: argparse.Namespace) -> int:
    """Play one match as a bot; the exit status."""
    from client.bot.player import BotPlayer, Seating
    from client.bot.readiness import load_physics_beside

    logging.basicConfig(stream=sys.stderr, level=logging.WARNING)
    if not signed_in(options, "headstring bot"):
        return 1
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
    bot.on_seat = load_physics_beside
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
    if not signed_in(options, "headstring play"):
        return 1
    company = None
    if options.server is None:
        from client.offline import Company

        company = Company()
        company.prepare()  # beside all that is imported here
    from client.play.arrival import Plan
    from client.play.program import play

    plan = Plan(
        table=options.table,
        invitation=options.invitation,
        opens=options.open,
        open_options=table_options(options),
    )
    return play(options, plan, company)


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
