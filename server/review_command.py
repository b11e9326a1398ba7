"""``headstring review``: how often each player pots, by difficulty, as CSV for a spreadsheet."""

import argparse
import asyncio
import csv
import sys
import time
from collections.abc import Iterable

from server.config.sources import ConfigUnusable, add_database, url_of
from server.review import SLACK_DEG, Attempt, Record, Review, attempts_of, reviews_of
from server.storage.database import DatabaseUnusable
from server.storage.told import told_matches

_EPILOG = """\
examples:
  headstring review --config server.toml > review.csv
  headstring review --database club.sqlite3 --since 2026-09-01
  headstring review --database club.sqlite3 --shots Bob      each shot, to be looked at in replays

A line a player, the one who pots most beyond the others first; `look` is for a referee, who looks
at the shots before he thinks anything.  Nothing is done to anybody.  docs/server.md says what the
columns mean.  A server may run on the database meanwhile.
"""
Names = dict[str, tuple[str, bool]]


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options of ``review``."""
    parser.epilog = _EPILOG
    add_database(parser)
    parser.add_argument(
        "--since", metavar="YYYY-MM-DD", type=_day, default=0.0, help="only matches opened since"
    )
    parser.add_argument("--shots", metavar="WHO", help="the attempts of one player, by id or name")


def _day(text: str) -> float:
    try:
        return time.mktime(time.strptime(text, "%Y-%m-%d"))
    except (ValueError, OverflowError) as error:
        raise argparse.ArgumentTypeError("a day looks like 2026-09-01") from error


def run(options: argparse.Namespace) -> int:
    """Print the review; the exit status."""
    try:
        attempts, names = asyncio.run(_read(url_of(options), options.since))
    except (ConfigUnusable, DatabaseUnusable, OSError) as error:
        print(f"headstring review: {error}", file=sys.stderr)
        return 1
    if options.shots is None:
        _print(_summary_lines(reviews_of(attempts), names))
        return 0
    whose = {p for p, (name, _) in names.items() if options.shots in (p, name)}
    if not whose:
        print(f"headstring review: nobody is known as {options.shots}", file=sys.stderr)
        return 1
    _print(_shot_lines(a for a in attempts if a.person in whose))
    return 0


async def _read(url: str, since: float) -> tuple[list[Attempt], Names]:
    attempts: list[Attempt] = []
    async with told_matches(url) as stored:
        async for match in stored.since(since):
            records = (Record(at, told) for at, told in match.told)
            attempts += attempts_of(match.match, match.preset, match.seats, records)
        return attempts, await stored.names()


def _print(lines: Iterable[list[object]]) -> None:
    csv.writer(sys.stdout, lineterminator="\n").writerows(lines)


def _summary_lines(reviews: Iterable[Review], names: Names) -> Iterable[list[object]]:
    bounds = (f"under_{SLACK_DEG[0]:g}", *(f"from_{bound:g}" for bound in SLACK_DEG))
    kinds = [f"{what}_{bound}_deg" for bound in bounds for what in ("attempts", "made")]
    yield ["person", "name", "account", "look", "attempts", "made", "expected", "sigmas",
           "heading_error_deg", "aim_s", "hard_aim_s", *kinds]  # fmt: skip
    for one in reviews:
        name, account = names.get(one.person, ("", False))
        hard = "" if one.hard_aim_s is None else f"{one.hard_aim_s:.1f}"
        yield [one.person, name, _yes(account), _yes(one.look), one.attempts, one.made,
               f"{one.expected:.1f}", f"{one.sigmas:.2f}", f"{one.error_deg:.3f}",
               f"{one.aim_s:.1f}", hard, *(n for kind in one.classes for n in kind)]  # fmt: skip


def _shot_lines(attempts: Iterable[Attempt]) -> Iterable[list[object]]:
    yield ["match", "shot", "ball", "pocket", "slack_deg", "cut_deg", "aim_s", "made"]
    for one in attempts:
        yield [one.match, one.shot, one.ball, one.pocket, f"{one.slack_deg:.3f}",
               f"{one.cut_deg:.1f}", f"{one.aim_s:.1f}", _yes(one.made)]  # fmt: skip


def _yes(value: bool) -> str:
    return "yes" if value else "no"
