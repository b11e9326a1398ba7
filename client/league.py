"""``headstring league``: run a club's competitions over the wire, and print them."""

import argparse
import asyncio
import csv
import json
import sys
from typing import Any

import msgspec

from client.address import websocket_url
from client.league_files import chart_step, entrants_of, settings_of
from client.league_sheet import (
    Row,
    act_of,
    chart_rows,
    fixtures_rows,
    names_of,
    sheet,
    standings_rows,
    up_rows,
)
from client.net.errand import Errand, ErrandFailed
from client.net.session import first_id
from client.own_rules import own_rules
from client.sign_in import PASSWORD, enter
from client.trust import add_ca_argument
from shared_rules import messages as m
from shared_rules.messages.oversight import AdjournTable
from shared_rules.plain_text import plain

_FORMATS = ("round_robin", "swiss", "single", "double", "ladder")
_CORRECTED = ("result", "forfeit", "walk_over", "withdrawn", "lag_off")
_EPILOG = f"""\
examples:
  headstring league --server URL --account Adam create "Club night" --format double --race 5
  headstring league --server URL --account Adam enter H4T8QZ entries.csv
  headstring league --server URL --account Adam stations H4T8QZ 1 2 3 4
  headstring league --server URL --account Adam draw H4T8QZ
  headstring league --server URL --account Adam result H4T8QZ R1-1 5 3
  headstring league --server URL --account Adam correct H4T8QZ 17 3 5 --yes
  headstring league --server URL --account Adam print H4T8QZ > sheet.html
  headstring league --server URL --account Adam up H4T8QZ Ann
  headstring league --server URL --account Adam call H4T8QZ W2.1 3

entries.csv has a line with the columns' names: name, and rating if it is known; of teams
players as well, with + between them.
The password of --account is asked for, or is a line of the input; {PASSWORD} goes before both.
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options of ``league``."""
    parser.epilog = _EPILOG
    parser.add_argument("--server", metavar="URL", type=websocket_url, required=True)
    add_ca_argument(parser)
    parser.add_argument("--account", metavar="NAME", required=True, help="whose rights to use")
    what = parser.add_subparsers(dest="what", metavar="WHAT", required=True)
    what.add_parser("list", help="every competition")
    create = what.add_parser("create", help="open a competition")
    create.add_argument("name")
    create.add_argument("--format", choices=_FORMATS, default="round_robin")
    create.add_argument("--rounds", type=int, default=5, help="of a Swiss (default 5)")
    create.add_argument("--legs", type=int, default=1, help="of a round robin (default 1)")
    create.add_argument("--race", type=int, default=5, help="games to win (default 5)")
    create.add_argument(
        "--ruleset", type=own_rules, metavar="NAME", help="rules: a preset, or a JSON file"
    )
    create.add_argument(
        "--chart",
        nargs="+",
        type=chart_step,
        metavar="D:A-B",
        help="a handicap: from a rating difference D on the races of the stronger and the weaker",
    )
    create.add_argument(
        "--odds",
        type=float,
        metavar="D",
        help="a handicap by odds: D points of rating double them",
    )
    create.add_argument(
        "--seeding",
        choices=("rating", "hand", "draw"),
        default="rating",
        help="who is seeded how (default rating)",
    )
    create.add_argument("--settings", metavar="FILE", help="more settings, as JSON")

    def command(name: str, text: str) -> Any:
        sub = what.add_parser(name, help=text)
        sub.add_argument("competition")
        return sub

    command("enter", "enter people").add_argument("who", nargs="+", help="names, or files .csv")
    command("withdraw", "somebody leaves").add_argument("who")
    command("seed", "the seeds by hand, strongest first").add_argument("who", nargs="+")
    command("format", "another format, before the draw").add_argument("format", choices=_FORMATS)
    command("stations", "the tables it may use").add_argument("stations", nargs="+")
    command("draw", "draw it, or the next Swiss round").add_argument("--seed", type=int)
    _add_floor(command)
    _add_results(command)
    for name in ("standings", "fixtures", "bracket", "log"):
        command(name, f"show the {name}")
    command("chart", "the chart of its handicap")
    command("up", "when and where somebody is up").add_argument("who")
    export = command("export", "everything, to the output")
    export.add_argument("--as", dest="kind", choices=("json", "csv"), default="json")
    export.add_argument(
        "--what", dest="table", choices=("fixtures", "standings"), default="fixtures",
        help="as csv (default fixtures)",
    )  # fmt: skip
    command("print", "a sheet for the wall, as HTML: print it from a browser, or as PDF")


def _add_floor(command: Any) -> None:
    """Matches at stations."""
    for name, text in (("hold", "keep a match back"), ("release", "let it go on")):
        command(name, text).add_argument("match")
    call = command("call", "call a match to a station now, or move it there")
    call.add_argument("match")
    call.add_argument("station")
    command("call-off", "a called match goes back to those that wait").add_argument("match")
    arrived = command("arrived", "somebody who isn't signed in is at his station")
    arrived.add_argument("match")
    arrived.add_argument("who")
    command("pause", "call nothing, and let nobody become late").add_argument(
        "--reason", default=""
    )
    command("resume", "go on after a pause")
    adjourn = command("adjourn", "stop a match at its table; its station is free")
    adjourn.add_argument("match")
    adjourn.add_argument("--reason", default="adjourned")


def _add_results(command: Any) -> None:
    """How matches ended, entered by hand."""
    result = command("result", "enter a result, of a match on a real table for example")
    result.add_argument("match")
    result.add_argument("score", type=int, nargs=2)
    result.add_argument("--short", action="store_true", help="it was ended before the race was won")
    board = command("board", "enter the score of a board of a team match")
    board.add_argument("match")
    board.add_argument("board", type=int, help="its number, from 1")
    board.add_argument("score", type=int, nargs=2)
    line_up = command("line-up", "who plays for a team in a match, board by board")
    line_up.add_argument("match")
    line_up.add_argument("team")
    line_up.add_argument("players", nargs="+", help="a name a board; two with + between them")
    for name, who, text in (
        ("walk-over", "winner", "a match is won without an opponent"),
        ("forfeit", "loser", "a match is lost by not playing it, or not to its end"),
    ):
        given = command(name, text)
        given.add_argument("match")
        given.add_argument("who", metavar=who.upper())
        given.add_argument("--reason", default="")
    challenge = command("challenge", "in a ladder: who challenges whom")
    challenge.add_argument("who")
    challenge.add_argument("challenged")
    correct = command("correct", "correct the result in a line of the log")
    correct.add_argument("line", type=int)
    correct.add_argument("score", type=int, nargs=2)
    back = command("take-back", "what a line says (a result, a withdrawal) shall count no more")
    back.add_argument("line", type=int)
    for sub in (correct, back):
        sub.add_argument("--reason", default="")
        sub.add_argument("--yes", action="store_true", help="apply it; else only say what follows")


def run(options: argparse.Namespace) -> int:
    """Carry out what the options ask for; the exit status."""
    try:
        asyncio.run(_visit(options))
    except (ErrandFailed, OSError, ValueError, KeyError) as error:
        print(f"headstring league: {error}", file=sys.stderr)
        return 1
    return 0


async def _visit(options: argparse.Namespace) -> None:
    async with Errand(options.server, options.ca) as errand:
        await enter(errand, options.server, options.account, "headstring league")
        desk = _Desk(errand, getattr(options, "competition", ""))
        match options.what:
            case "list":
                listed = await errand.ask(m.ListCompetitions(id=first_id()))
                for one in listed.competitions:
                    words = (one.competition, one.format, one.status, str(one.entrants), one.name)
                    print(plain("  ".join(words)))
            case "create":
                request = m.OpenCompetition(id=first_id(), settings=settings_of(options))
                print((await errand.ask(request)).competition)
            case "draw":
                await errand.ask(
                    m.DrawCompetition(
                        id=first_id(), competition=options.competition, seed=options.seed
                    )
                )
            case "standings" | "fixtures" | "bracket" | "log" | "chart" | "up" | "export" | "print":
                _show(options, await desk.shown())
            case _:
                await _change(desk, options)


class _Desk:
    """One competition of a server."""

    def __init__(self, errand: Errand, competition: str) -> None:
        self._errand = errand
        self._competition = competition

    async def act(self, kind: str, preview: bool = False, **fields: Any) -> Any:
        return await self._errand.ask(
            m.EnterAct(
                id=first_id(), competition=self._competition, act={"act": kind, **fields},
                preview=preview,
            )
        )  # fmt: skip

    async def about(self, kind: str, match: str, **fields: Any) -> Any:
        """An act about a match as it stands, with the two who play it."""
        shown = await self.shown()
        sides = next((f["sides"] for f in shown.fixtures if f["id"] == match), None)
        if sides is None or None in sides:
            raise ErrandFailed(f"there is no match {match} that can be played now")
        return await self.act(kind, match=match, sides=sides, **fields)

    async def adjourn(self, match: str, reason: str) -> None:
        """Stop a match at its table."""
        calls = (await self.shown()).calls
        table = next((call["table"] for call in calls if call["match"] == match), None)
        if table is None:
            raise ErrandFailed(f"match {match} is at no table")
        act = AdjournTable(table=table)
        await self._errand.ask(m.Oversee(id=first_id(), act=act, reason=reason))

    async def shown(self) -> m.CompetitionShown:
        shown = await self._errand.ask(
            m.GetCompetition(id=first_id(), competition=self._competition, log=True)
        )
        assert isinstance(shown, m.CompetitionShown)
        return shown


async def _change(desk: _Desk, options: argparse.Namespace) -> None:
    match options.what:
        case "enter":
            await _enter(desk, options.who)
        case "withdraw":
            await desk.act("withdrawn", entrant=_id_of(await desk.shown(), options.who))
        case "seed":
            shown = await desk.shown()
            await desk.act("seeded", order=[_id_of(shown, who) for who in options.who])
        case "format":
            settings = (await desk.shown()).settings
            form = {"format": options.format}
            form |= {"rounds": 5} if options.format == "swiss" else {}
            await desk.act("settings_changed", settings=settings | {"format": form})
        case "stations":
            await desk.act("stations_set", stations=options.stations)
        case "hold" | "release":
            await desk.act("held", match=options.match, held=options.what == "hold")
        case "call":
            await desk.about("called", options.match, station=options.station)
        case "call-off":
            await desk.act("called_off", match=options.match)
        case "arrived":
            who = _id_of(await desk.shown(), options.who)
            await desk.act("arrived", match=options.match, entrant=who)
        case "pause":
            await desk.act("paused", reason=options.reason)
        case "resume":
            await desk.act("resumed")
        case "adjourn":
            await desk.adjourn(options.match, options.reason)
        case "result":
            await desk.about("result", options.match, score=options.score, short=options.short)
        case "board":
            await desk.about(
                "board_result", options.match, board=options.board, score=options.score
            )
        case "line-up":
            boards = [players.split("+") for players in options.players]
            team = _id_of(await desk.shown(), options.team)
            await desk.act("line_up", match=options.match, entrant=team, boards=boards)
        case "walk-over" | "forfeit":
            field = "winner" if options.what == "walk-over" else "loser"
            who = _id_of(await desk.shown(), options.who)
            kind = options.what.replace("-", "_")
            await desk.about(kind, options.match, reason=options.reason, **{field: who})
        case "challenge":
            shown = await desk.shown()
            pair = {"challenger": _id_of(shown, options.who)}
            pair["challenged"] = _id_of(shown, options.challenged)
            made = sum(line["act"]["act"] == "challenged" for line in shown.log)
            await desk.act("challenged", match=f"C{made + 1}", **pair)
        case "correct" | "take-back":
            await _correct(desk, options)


async def _enter(desk: _Desk, words: list[str]) -> None:
    """Enter everybody who can be entered; in the end say whom the server refused.

    Raises:
        ErrandFailed: somebody was refused; the others are entered.
    """
    refused = []
    for entrant in entrants_of(words):
        try:
            await desk.act("entered", entrant=entrant)
        except ErrandFailed as error:
            if not error.code:
                raise
            refused.append(f"{entrant['name']}: {error}")
    if refused:
        raise ErrandFailed("not entered: " + "; ".join(refused))


async def _correct(desk: _Desk, options: argparse.Namespace) -> None:
    shown = await desk.shown()
    old, new = _line(shown, options.line), None
    if options.what == "correct":
        if "match" not in old:
            raise ErrandFailed(f"line {options.line} is no result: take it back")
        new = {"act": "result", "match": old["match"], "sides": old["sides"],
               "score": options.score}  # fmt: skip
    change = {"entry": options.line, "old": old, "new": new, "reason": options.reason}
    follows = await desk.act("corrected", preview=True, **change)
    print(
        {
            "none": "No other match depends on it.",
            "waiting": "Matches that wait get other players.",
            "settled": "Matches that were played lose their results.",
        }[follows.weight]
    )
    names = names_of(shown)
    for touched in follows.touched:
        sides = " - ".join(names.get(side, "?") for side in touched["after"])
        print(plain(f"  {touched['match']} ({touched['state']}): now {sides}"))
    if not options.yes:
        print("Nothing is changed; --yes applies it.")
        return
    await desk.act("corrected", **change)


def _line(shown: m.CompetitionShown, number: int) -> dict[str, Any]:
    """What a line says, as it counts now."""
    first = next((e["act"]["act"] for e in shown.log if e["number"] == number), "")
    if first not in _CORRECTED:
        raise ErrandFailed(f"line {number} is nothing that can be corrected")
    act = act_of(shown, number)
    if act is None:
        raise ErrandFailed(f"line {number} was taken back")
    return act


def _id_of(shown: m.CompetitionShown, name: str) -> str:
    for entrant in shown.entrants:
        if name in (entrant["id"], entrant["name"]):
            return str(entrant["id"])
    raise ErrandFailed(f"{name} isn't entered")


def _show(options: argparse.Namespace, shown: m.CompetitionShown) -> None:
    match options.what:
        case "export" if options.kind == "json":
            fields = {f: getattr(shown, f) for f in shown.__struct_fields__ if f != "re"}
            print(json.dumps(msgspec.to_builtins(fields), ensure_ascii=False, indent=1))
        case "export":
            rows = standings_rows if options.table == "standings" else fixtures_rows
            csv.writer(sys.stdout).writerows(rows(shown))
        case "print":
            print(sheet(shown))
        case "log":
            for line in shown.log:
                print(plain(f"{line['number']}  {line['by']}  {json.dumps(line['act'])}"))
        case "up":
            _print(up_rows(shown, _id_of(shown, options.who)))
        case "chart":
            _print(chart_rows(shown))
        case what:
            _print(standings_rows(shown) if what == "standings" else fixtures_rows(shown))


def _print(rows: list[Row]) -> None:
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for row in rows:
        print(plain("  ".join(w.ljust(n) for w, n in zip(row, widths, strict=True)).rstrip()))
