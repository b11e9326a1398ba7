"""``headstring club``: a club night of bots, to look at the board and to try an official's hand."""

import argparse
import asyncio
import os
import random
import secrets
import subprocess
import sys
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path

from client.bot.levels import LEVELS
from client.bot.player import BotPlayer, Seating
from client.club.evening import Evening, Plan
from client.club.official import Official
from client.net.errand import ErrandFailed
from client.net.session import Session
from client.offline import ROOT, NotStarted, PrivateServer, surroundings
from client.sign_in import NEW_PASSWORD, PASSWORD
from physics.simulation import spare_the_collector, warm_up

OFFICIAL = "Director"
NAMES = (
    "Ada", "Bert", "Cora", "Dino", "Ema", "Filip", "Greta", "Hugo", "Ivana", "Jan", "Klara", "Leo",
    "Mila", "Nils", "Olga", "Petr", "Quido", "Rosa", "Sven", "Tina", "Uwe", "Vera", "Wanda",
    "Xaver", "Yara", "Zeno", "Anton", "Berta", "Cyril", "Dora", "Erik", "Fanny",
)  # fmt: skip


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options of ``club``."""
    parser.epilog = """\
examples:
  headstring club
  headstring club --people 8 --stations 2 --speed 1 --port 4747 --host 0.0.0.0

A server, an official and so many bots: groups, then a double elimination of the first two of each.
It prints the address of the board, and how to run the club beside it.  Ctrl-C ends it.
"""
    parser.add_argument("--people", type=_within(4, len(NAMES)), default=16, metavar="N",
                        help="bots (default 16)")  # fmt: skip
    parser.add_argument("--stations", type=_within(1, 16), default=4, metavar="N",
                        help="tables of the club (default 4)")  # fmt: skip
    parser.add_argument("--groups", type=_within(1, 8), default=4, metavar="N",
                        help="groups (default 4)")  # fmt: skip
    parser.add_argument("--race", type=_within(1, 9), default=1, metavar="N",
                        help="games to win a match (default 1)")  # fmt: skip
    parser.add_argument("--speed", type=float, default=4.0, metavar="F",
                        help="how much faster than real time (default 4)")  # fmt: skip
    parser.add_argument("--host", default="127.0.0.1", help="address to listen on")
    parser.add_argument("--port", type=int, default=0, help="port to listen on (default: any)")
    parser.add_argument("--folder", help="keep the club in this folder (default: a temporary one)")
    parser.add_argument("--seed", type=int, default=1, help="seed of the bots (default 1)")
    parser.add_argument("--end", action="store_true", help="end when the night is over")


def _within(low: int, high: int) -> Callable[[str], int]:
    def read(text: str) -> int:
        if not text.isdigit() or not low <= int(text) <= high:
            raise argparse.ArgumentTypeError(f"{low} to {high}, not {text!r}")
        return int(text)

    return read


def run(options: argparse.Namespace) -> int:
    """Hold the night; the exit status."""
    if options.people < 2 * options.groups:
        print("headstring club: a group needs two people", file=sys.stderr)
        return 2
    print("loading the physics …", flush=True)
    warm_up(wait=False)
    spare_the_collector()
    with tempfile.TemporaryDirectory(prefix="headstring-", ignore_cleanup_errors=True) as temporary:
        folder = Path(options.folder or temporary)
        folder.mkdir(parents=True, exist_ok=True)
        password = secrets.token_urlsafe(9)
        database = folder / "club.sqlite3"
        server = PrivateServer(
            database, options.speed, more=("--host", options.host, "--port", str(options.port))
        )
        try:
            make_official(database, OFFICIAL, password)
            url = server.start()
            _welcome(url, password)
            asyncio.run(_hold(url, password, options))
        except (NotStarted, ErrandFailed, subprocess.CalledProcessError) as error:
            print(f"headstring club: {error}", file=sys.stderr)
            return 1
        finally:
            server.stop()
    return 0


def make_official(database: Path, name: str, password: str) -> None:
    """An account that may run competitions, in the database of a server that does not run.

    Raises:
        CalledProcessError: it could not be made.
    """
    command = ["admin", "--database", str(database), "--new"] if not database.exists() else [
        "admin", "--database", str(database)
    ]  # fmt: skip
    exists = database.exists()
    what = ["password", name] if exists else ["create", name, "--role", "administrator"]
    subprocess.run(
        [sys.executable, "-m", "headstring", *command, *what],
        cwd=ROOT, check=True, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
        env=surroundings(os.environ) | {NEW_PASSWORD: password},
    )  # fmt: skip


def _welcome(url: str, password: str) -> None:
    page = url.replace("ws://", "http://")
    print(f"""
the club's server    {url}
its board            {page}/board
to watch a table     headstring watch --server {url}
to play along        headstring lobby --server {url} --name You
to be its official   {PASSWORD}={password} \\
                     headstring league --server {url} --account {OFFICIAL} list
""", flush=True)  # fmt: skip


async def _hold(url: str, password: str, options: argparse.Namespace) -> None:
    dice = random.Random(options.seed)
    people = NAMES[: options.people]
    bots = [bot_of(url, name, dice) for name in people]
    playing = [asyncio.create_task(bot.run()) for bot in bots]
    official = Official(url, OFFICIAL, password)
    stations = tuple(f"table {n}" for n in range(1, options.stations + 1))
    plan = Plan(people, stations, options.groups, options.race, options.race)
    evening = Evening(official, plan, lambda text: print(text, flush=True))
    try:
        await all_here(bots)
        groups = await evening.open_groups()
        await evening.until_over(groups)
        final = await evening.open_final(groups)
        (shown,) = await evening.until_over([final])
        names = {one["id"]: one["name"] for one in shown.entrants}
        for one in shown.placings[:3]:
            print(f"{one['first']}. {names[one['entrant']]}", flush=True)
        if not options.end:
            print("the night is over; Ctrl-C ends the server", flush=True)
            await asyncio.gather(*playing)
    finally:
        await official.close()
        for task in playing:
            task.cancel()
        await asyncio.gather(*playing, return_exceptions=True)


def bot_of(url: str, name: str, dice: random.Random) -> BotPlayer:
    """A member who plays whatever he is called to, at a level of his own."""
    level = LEVELS[dice.choice((2, 3, 4))]
    session = Session(name, program="headstring club")
    seating = Seating(accepts=True)
    return BotPlayer(url, session, level, seating, dice.randrange(1 << 30), lambda text: None)


async def all_here(bots: Sequence[BotPlayer]) -> None:
    """Wait until every bot is signed in."""
    for bot in bots:
        while bot.session.phase != "ready":  # noqa: ASYNC110  (a session has no event for it)
            await asyncio.sleep(0.05)
