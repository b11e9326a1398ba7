"""``headstring replays``: the matches of a server, one match as a file or as a score sheet."""

import argparse
import asyncio
import sys
from datetime import datetime
from pathlib import Path
from typing import Any

from client.address import websocket_url
from client.options import default_name, within
from client.replay.sources import NotToBeHad, Reader, fetch
from client.trust import add_ca_argument
from shared_rules import messages as m
from shared_rules.replay_file import ReplayFileError, read_replay, write_replay
from shared_rules.score_sheet import score_sheet


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options of ``replays``."""
    parser.epilog = """\
examples:
  headstring replays --server pool.example.org                     the latest matches
  headstring replays --server URL --name Ann --mine                one's own
  headstring replays --server URL --match K7Q2MX                   its score sheet
  headstring replays --server URL --match K7Q2MX --save final.headstring
  headstring replays final.headstring                              the score sheet of a file
"""
    parser.add_argument("file", nargs="?", metavar="FILE", help="a saved match")
    parser.add_argument("--server", metavar="URL", type=websocket_url, help="server to ask")
    add_ca_argument(parser)
    parser.add_argument("--name", default=default_name(), help="name to sign in with there")
    parser.add_argument("--match", metavar="ID", help="one match: print its score sheet")
    parser.add_argument("--invitation", metavar="CODE", help="of a match that needs one")
    parser.add_argument("--save", metavar="FILE", help="write the match into a new file")
    parser.add_argument("--player", metavar="NAME", help="list only matches of this player")
    parser.add_argument("--mine", action="store_true", help="list only one's own matches")
    parser.add_argument(
        "--status", choices=("running", "adjourned", "over"), help="list only such matches"
    )
    parser.add_argument(
        "--most",
        type=within(1, 100_000, "a whole number", int),
        default=20,
        metavar="N",
        help="list at most so many (default 20)",
    )


def run(options: argparse.Namespace) -> int:
    """List, print or save; the exit status."""
    try:
        if (options.file is None) == (options.server is None):
            print("headstring replays: name a FILE or a --server", file=sys.stderr)
            return 2
        if options.save is not None and options.match is None:
            print("headstring replays: --save needs --match and --server", file=sys.stderr)
            return 2
        if options.file is not None:
            replay = read_replay(Path(options.file).read_bytes())
            print(_sheet(replay.summary, replay.events), end="")
        elif options.match is None:
            asyncio.run(_list(options))
        else:
            summary, events = asyncio.run(
                fetch(options.server, options.name, options.match, options.invitation, options.ca)
            )
            _keep(options.save, summary, events)
    except OSError as error:
        print(f"headstring replays: {error.filename}: {error.strerror}", file=sys.stderr)
        return 1
    except (NotToBeHad, ReplayFileError, ValueError) as error:
        print(f"headstring replays: {error}", file=sys.stderr)
        return 1
    return 0


def _keep(path: str | None, summary: m.ReplaySummary, events: list[m.ReplayEvent]) -> None:
    if path is None:
        print(_sheet(summary, events), end="")
        return
    data = write_replay(summary, events)
    with open(path, "xb") as file:
        file.write(data)
    print(f"{path}: {len(events)} events, {len(data) / 1000:.0f} KB")


def _sheet(summary: m.ReplaySummary, events: Any) -> str:
    return score_sheet(summary, events, _date(summary.opened_at))


def _date(unix: float) -> str:
    return datetime.fromtimestamp(unix).strftime("%Y-%m-%d %H:%M")


async def _list(options: argparse.Namespace) -> None:
    async with Reader(options.server, options.name, options.ca) as reader:
        left, page = options.most, None
        while left > 0:
            answer = await reader.ask(
                m.ListReplays, player=options.player, mine=options.mine, status=options.status,
                page=page, most=min(left, 50),
            )  # fmt: skip
            for match in answer.matches:
                print(_line(match))
            left, page = left - len(answer.matches), answer.next
            if page is None:
                return


def _line(match: m.ReplaySummary) -> str:
    score = match.status
    if match.result is not None:
        pair = match.result.sets if max(match.result.sets) > 1 else match.result.games
        score = f"{pair[0]}:{pair[1]}"
    players = " - ".join(match.players)
    return f"{match.match}  {_date(match.opened_at)}  {players:<40} {score:<10} {match.ruleset}"
