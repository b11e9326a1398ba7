"""``headstring league``: run a club's competitions over the wire, and print them."""

import argparse
import asyncio
import csv
import html
import json
import sys
from pathlib import Path
from typing import Any

from client.command import websocket_url
from client.net.errand import Errand, ErrandFailed
from client.net.session import first_id
from client.sign_in import PASSWORD, enter
from client.trust import add_ca_argument
from shared_rules import messages as m
from shared_rules.plain_text import plain

_FORMATS = ("round_robin", "swiss", "single", "double", "ladder")
_EPILOG = f"""\
examples:
  headstring league --server URL --account Adam create "Club night" --format double --race 5
  headstring league --server URL --account Adam enter H4T8QZ entries.csv
  headstring league --server URL --account Adam stations H4T8QZ 1 2 3 4
  headstring league --server URL --account Adam draw H4T8QZ
  headstring league --server URL --account Adam result H4T8QZ R1-1 5 3
  headstring league --server URL --account Adam correct H4T8QZ 17 3 5 --yes
  headstring league --server URL --account Adam print H4T8QZ > sheet.html

entries.csv has a line with the columns' names: name, and rating if it is known.
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
    create.add_argument("--settings", metavar="FILE", help="more settings, as JSON")

    def command(name: str, text: str) -> Any:
        sub = what.add_parser(name, help=text)
        sub.add_argument("competition")
        return sub

    command("enter", "enter people").add_argument("who", nargs="+", help="names, or files .csv")
    command("withdraw", "somebody leaves").add_argument("who")
    command("stations", "the tables it may use").add_argument("stations", nargs="+")
    command("draw", "draw it, or the next Swiss round").add_argument("--seed", type=int)
    for name, text in (("hold", "keep a match back"), ("release", "let it go")):
        command(name, text).add_argument("match")
    result = command("result", "enter a result")
    result.add_argument("match")
    result.add_argument("score", type=int, nargs=2)
    correct = command("correct", "correct the result in a line of the log")
    correct.add_argument("line", type=int)
    correct.add_argument("score", type=int, nargs=2)
    correct.add_argument("--reason", default="")
    correct.add_argument("--yes", action="store_true", help="apply it; else only say what follows")
    for name in ("standings", "fixtures", "bracket", "log"):
        command(name, f"show the {name}")
    command("export", "everything, to the output").add_argument(
        "--as", dest="kind", choices=("json", "csv"), default="json"
    )
    command("print", "a sheet for the wall, as HTML")


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
                request = m.OpenCompetition(id=first_id(), settings=_settings(options))
                print((await errand.ask(request)).competition)
            case "draw":
                await errand.ask(
                    m.DrawCompetition(
                        id=first_id(), competition=options.competition, seed=options.seed
                    )
                )
            case "standings" | "fixtures" | "bracket" | "log" | "export" | "print":
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

    async def shown(self) -> m.CompetitionShown:
        shown = await self._errand.ask(
            m.GetCompetition(id=first_id(), competition=self._competition, log=True)
        )
        assert isinstance(shown, m.CompetitionShown)
        return shown


async def _change(desk: _Desk, options: argparse.Namespace) -> None:
    match options.what:
        case "enter":
            for entrant in _entrants(options.who):
                await desk.act("entered", entrant=entrant)
        case "withdraw":
            await desk.act("withdrawn", entrant=_id_of(await desk.shown(), options.who))
        case "stations":
            await desk.act("stations_set", stations=options.stations)
        case "hold" | "release":
            await desk.act("held", match=options.match, held=options.what == "hold")
        case "result":
            shown = await desk.shown()
            sides = next((f["sides"] for f in shown.fixtures if f["id"] == options.match), None)
            if sides is None:
                raise ErrandFailed(f"there is no match {options.match}")
            await desk.act("result", match=options.match, sides=sides, score=options.score)
        case "correct":
            await _correct(desk, options)


async def _correct(desk: _Desk, options: argparse.Namespace) -> None:
    shown = await desk.shown()
    old = _line(shown, options.line)
    new = {"act": "result", "match": old["match"], "sides": old["sides"], "score": options.score}
    change = {"entry": options.line, "old": old, "new": new, "reason": options.reason}
    follows = await desk.act("corrected", preview=True, **change)
    print(
        {
            "none": "No other match depends on it.",
            "waiting": "Matches that wait get other players.",
            "settled": "Matches that were played lose their results.",
        }[follows.weight]
    )
    names = _names(shown)
    for touched in follows.touched:
        sides = " - ".join(names.get(side, "?") for side in touched["after"])
        print(plain(f"  {touched['match']} ({touched['state']}): now {sides}"))
    if not options.yes:
        print("Nothing is changed; --yes applies it.")
        return
    await desk.act("corrected", **change)


def _line(shown: m.CompetitionShown, number: int) -> dict[str, Any]:
    """What a line says, as it counts now."""
    act: dict[str, Any] | None = next((e["act"] for e in shown.log if e["number"] == number), None)
    if act is None or "match" not in act:
        raise ErrandFailed(f"line {number} is no result")
    for entry in shown.log:
        if entry["act"]["act"] == "corrected" and entry["act"]["entry"] == number:
            act = entry["act"]["new"]
    if act is None:
        raise ErrandFailed(f"line {number} was taken back")
    return act


def _settings(options: argparse.Namespace) -> dict[str, Any]:
    form: dict[str, Any] = {"format": options.format}
    form |= {"rounds": options.rounds} if options.format == "swiss" else {}
    form |= {"legs": options.legs} if options.format == "round_robin" else {}
    settings = {"name": options.name, "format": form, "race_to": options.race}
    if options.settings is not None:
        settings |= json.loads(Path(options.settings).read_text(encoding="utf-8"))
    return settings


def _entrants(words: list[str]) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = []
    for word in words:
        if not word.lower().endswith(".csv"):
            found.append({"id": word, "name": word})
            continue
        with Path(word).open(encoding="utf-8-sig", newline="") as file:
            for row in csv.DictReader(file):
                rating = (row.get("rating") or "").strip()
                name = row["name"].strip()
                found.append(
                    {"id": name, "name": name, "rating": float(rating) if rating else None}
                )
    return found


def _id_of(shown: m.CompetitionShown, name: str) -> str:
    for entrant in shown.entrants:
        if name in (entrant["id"], entrant["name"]):
            return str(entrant["id"])
    raise ErrandFailed(f"{name} isn't entered")


def _names(shown: m.CompetitionShown) -> dict[str, str]:
    return {one["id"]: one["name"] for one in shown.entrants}


# --- what is printed -----------------------------------------------------------------------------


def standings_rows(shown: m.CompetitionShown) -> list[tuple[str, ...]]:
    """The standings, or the places of a bracket, with a line of headings."""
    names = _names(shown)
    if shown.settings["format"]["format"] in ("single", "double"):
        rows = [("place", "name")]
        for one in shown.placings:
            first, last = one["first"], one["last"]
            place = "-" if first is None else str(first) if first == last else f"{first}-{last}"
            rows.append((place, names[one["entrant"]]))
        return list(rows)
    table = [("place", "name", "played", "won", "lost", "games", "points")]
    for row in shown.standings:
        table.append(
            (
                str(row["place"] or "-"), names[row["entrant"]], str(row["played"]),
                str(row["won"]), str(row["lost"]), "{}:{}".format(*row["games"]),
                str(row["points"]),
            )
        )  # fmt: skip
    return list(table)


def fixtures_rows(shown: m.CompetitionShown) -> list[tuple[str, ...]]:
    """Every match that somebody plays, with a line of headings."""
    names, where = _names(shown), {one["match"]: one["station"] for one in shown.calls}
    rows = [("match", "stage", "round", "players", "result", "station")]
    for match in shown.fixtures:
        if match["empty"]:
            continue
        sides = " - ".join(names.get(side, "?") for side in match["sides"])
        out, result = match["outcome"], ""
        if out is not None:
            result = "{}:{}".format(*out["score"]) if out["score"] else out["kind"]
        place = where.get(match["id"], "")
        rows.append((match["id"], match["stage"], str(match["round"]), sides, result, place))
    return list(rows)


def sheet(shown: m.CompetitionShown) -> str:
    """Standings and fixtures as one page of HTML, for the wall."""
    title = html.escape(shown.settings["name"])
    parts = [
        f'<!doctype html><html lang="en"><meta charset="utf-8"><title>{title}</title>',
        "<style>body{font:12pt sans-serif}table{border-collapse:collapse;margin:1em 0}"
        "td,th{border:1px solid #888;padding:.2em .6em;text-align:left}</style>",
        f"<h1>{title}</h1>",
    ]
    for heading, rows in (("Standings", standings_rows(shown)), ("Matches", fixtures_rows(shown))):
        parts.append(f"<h2>{heading}</h2><table>")
        for number, row in enumerate(rows):
            cell = "td" if number else "th"
            cells = "".join(f"<{cell}>{html.escape(word)}</{cell}>" for word in row)
            parts.append(f"<tr>{cells}</tr>")
        parts.append("</table>")
    return "\n".join([*parts, "</html>"])


def _show(options: argparse.Namespace, shown: m.CompetitionShown) -> None:
    match options.what:
        case "export" if options.kind == "json":
            fields = {f: getattr(shown, f) for f in shown.__struct_fields__ if f != "re"}
            print(json.dumps(fields, ensure_ascii=False, indent=1))
        case "export":
            csv.writer(sys.stdout).writerows(fixtures_rows(shown))
        case "print":
            print(sheet(shown))
        case "log":
            for line in shown.log:
                print(plain(f"{line['number']}  {line['by']}  {json.dumps(line['act'])}"))
        case what:
            rows = standings_rows(shown) if what == "standings" else fixtures_rows(shown)
            widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
            for row in rows:
                print(plain("  ".join(w.ljust(n) for w, n in zip(row, widths, strict=True))))
