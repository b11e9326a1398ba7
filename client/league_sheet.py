"""What ``headstring league`` prints: rows for the terminal, and a sheet for the wall."""

import html
import time
from itertools import groupby
from typing import Any

from shared_rules import messages as m

Row = tuple[str, ...]

_STAGES = {
    "round": "Round {n}", "winners": "Winners' side, round {n}",
    "losers": "Losers' side, round {n}", "third_place": "Match for the third place",
    "challenge": "Challenges",
}  # fmt: skip

# Black on white, for any printer: lines and weight tell things apart, never colour.
_STYLE = """
@page { size: A4; margin: 14mm 12mm }
body { font: 11pt/1.35 "Liberation Sans", Arial, sans-serif; margin: 0 }
body { color: #000; background: #fff }
h1 { font-size: 20pt; margin: 0 0 1mm } h2 { font-size: 14pt; margin: 6mm 0 2mm }
h3 { font-size: 11pt; margin: 4mm 0 1mm; break-after: avoid }
p { margin: 0 0 2mm }
table { border-collapse: collapse; width: 100% } thead { display: table-header-group }
tr { break-inside: avoid } section { break-inside: avoid-page }
th, td { border: .3mm solid #000; padding: .8mm 2mm; text-align: left; vertical-align: top }
th { border-bottom-width: .7mm } td.n, th.n { text-align: right }
td.result { width: 22mm; height: 6mm; font-weight: bold; text-align: center }
td.won { font-weight: bold }
table.matches { table-layout: fixed } table.matches td { overflow-wrap: anywhere }
"""


_COLUMNS = (
    ("match", 20), ("", None), ("", None), ("race", 16), ("about", 18), ("table", 28),
    ("result", 22),
)  # fmt: skip
"""Of the table of a round: heading and width, mm; names share the rest, as in all rounds."""


def names_of(shown: m.CompetitionShown) -> dict[str, str]:
    """The entrants' names by their ids."""
    return {one["id"]: one["name"] for one in shown.entrants}


def act_of(shown: m.CompetitionShown, number: int) -> dict[str, Any] | None:
    """What a line says as it counts now; None: it was taken back."""
    act: dict[str, Any] | None = next(
        (line["act"] for line in shown.log if line["number"] == number), None
    )
    for line in shown.log:
        if line["act"]["act"] == "corrected" and line["act"]["entry"] == number:
            act = line["act"]["new"]
    return act


def standings_rows(shown: m.CompetitionShown) -> list[Row]:
    """The standings, or the places of a bracket, with a line of headings."""
    names = names_of(shown)
    if shown.settings["format"]["format"] in ("single", "double"):
        rows: list[Row] = [("place", "name")]
        for one in shown.placings:
            first, last = one["first"], one["last"]
            place = "-" if first is None else str(first) if first == last else f"{first}-{last}"
            rows.append((place, names[one["entrant"]]))
        return rows
    table: list[Row] = [("place", "name", "played", "won", "lost", "games", "points")]
    for row in shown.standings:
        table.append(
            (
                str(row["place"] or "-"), names[row["entrant"]], str(row["played"]),
                str(row["won"]), str(row["lost"]), "{}:{}".format(*row["games"]),
                str(row["points"]),
            )
        )  # fmt: skip
    return table


def fixtures_rows(shown: m.CompetitionShown) -> list[Row]:
    """Every match that somebody plays, with a line of headings."""
    names, where = names_of(shown), {one["match"]: one["station"] for one in shown.calls}
    rows: list[Row] = [("match", "stage", "round", "players", "races", "result", "station")]
    for match in shown.fixtures:
        if not match["empty"]:
            sides = " - ".join(_side(names, match, seat) for seat in (0, 1))
            place = where.get(match["id"], "")
            rows.append(
                (
                    match["id"], match["stage"], str(match["round"]), sides, races_of(match),
                    result_of(match), place,
                )
            )  # fmt: skip
    return rows


def races_of(match: dict[str, Any]) -> str:
    """What is played to, of each where they differ; nothing while the sides aren't known."""
    first, second = match["reason"]["races"] if match["reason"] else (0, 0)
    return f"{first}-{second}" if first != second else str(first or "")


def result_of(match: dict[str, Any]) -> str:
    """The score, or how it was settled without one; nothing while it is open."""
    out = match["outcome"]
    if out is None:
        return "struck" if match["struck"] else ""
    return "{}:{}".format(*out["score"]) if out["score"] else out["kind"].replace("_", "-")


def up_rows(shown: m.CompetitionShown, who: str) -> list[Row]:
    """When and where somebody is up: his matches that are open, the next first.

    Against whom, at which station once he is called, and about when it starts.
    """
    names = names_of(shown)
    expected = {one["match"]: one for one in shown.estimates}
    rows: list[Row] = []
    mine = [f for f in shown.fixtures if who in f["sides"] and not (f["outcome"] or f["struck"])]
    mine.sort(key=lambda f: expected.get(f["id"], {}).get("starts_at", float("inf")))
    for match in mine:
        other = match["sides"][1 - match["sides"].index(who)]
        when = expected.get(match["id"])
        station = when["station"] if when is not None else None
        starts = time.strftime("%H:%M", time.localtime(when["starts_at"])) if when else "?"
        against = names[other] if other else "whoever wins " + ", ".join(match["feeders"])
        rows.append((match["id"], against, station or "-", "now" if station else starts))
    return [("match", "against", "station", "from"), *rows]


def chart_rows(shown: m.CompetitionShown) -> list[Row]:
    """The chart of a handicap, with a line of headings; that alone where there is none."""
    head: Row = ("rating difference from", "stronger needs", "weaker needs")
    return [
        head, *((f"{s.from_difference:g}", str(s.races[0]), str(s.races[1])) for s in shown.chart)
    ]  # fmt: skip


def _side(names: dict[str, str], match: dict[str, Any], seat: int) -> str:
    side = match["sides"][seat]
    return names.get(side, "?") if side else "?"


# --- the sheet -----------------------------------------------------------------------------------


def sheet(shown: m.CompetitionShown) -> str:
    """Standings and fixtures as pages of A4, for the wall; results can be written in by hand."""
    title = html.escape(shown.settings["name"])
    parts = [
        f'<!doctype html><html lang="en"><head><meta charset="utf-8"><title>{title}</title>',
        f"<style>{_STYLE}</style></head><body>",
        f"<h1>{title}</h1>",
        f"<p>{html.escape(_about(shown))}</p>",
        "<section><h2>Standings</h2>", _table(standings_rows(shown)), "</section>",
        "<h2>Matches</h2>",
    ]  # fmt: skip
    playing = [match for match in shown.fixtures if not match["empty"]]
    for heading, matches in groupby(playing, key=_heading):
        parts += [f"<section><h3>{html.escape(heading)}</h3>", _matches(shown, list(matches)),
                  "</section>"]  # fmt: skip
    if shown.chart:
        parts += ["<section><h2>Handicap</h2>", _table(chart_rows(shown)), "</section>"]
    return "\n".join([*parts, "</body></html>"])


def _about(shown: m.CompetitionShown) -> str:
    form = shown.settings["format"]["format"].replace("_", " ")
    form = form if form not in ("single", "double") else f"{form} elimination"
    rules = shown.settings.get("ruleset", {}).get("id", "")
    race = f"race to {shown.settings.get('race_to', 5)}"
    return " · ".join(word for word in (form.capitalize(), rules.replace("_", " "), race) if word)


def _heading(match: dict[str, Any]) -> str:
    if match["stage"] == "final":
        return "Final" if match["round"] == 1 else "Second final, if it is needed"
    return _STAGES.get(match["stage"], match["stage"]).format(n=match["round"])


def _matches(shown: m.CompetitionShown, matches: list[dict[str, Any]]) -> str:
    names = names_of(shown)
    expected = {one["match"]: one for one in shown.estimates}
    rows = []
    for match in matches:
        out, when = match["outcome"], expected.get(match["id"])
        cells = [f"<td>{html.escape(match['id'])}</td>"]
        for seat in (0, 1):
            won = out is not None and out["winner"] is not None
            won = won and out["winner"] == match["sides"][seat]
            name = html.escape(_side(names, match, seat).replace("?", ""))
            cells.append(f'<td class="won">{name}</td>' if won else f"<td>{name}</td>")
        starts = time.strftime("%H:%M", time.localtime(when["starts_at"])) if when else ""
        place = (when["station"] or "") if when else ""
        for word in (races_of(match), starts, place):
            cells.append(f"<td>{html.escape(word)}</td>")
        cells.append(f'<td class="result">{html.escape(result_of(match))}</td>')
        rows.append("<tr>" + "".join(cells) + "</tr>")
    head = "".join(f"<th{_wide(width)}>{word}</th>" for word, width in _COLUMNS)
    inner = f"<thead><tr>{head}</tr></thead><tbody>{''.join(rows)}</tbody>"
    return f'<table class="matches">{inner}</table>'


def _wide(width_mm: int | None) -> str:
    return "" if width_mm is None else f' style="width: {width_mm}mm"'


def _table(rows: list[Row]) -> str:
    head, *body = rows
    cells = "".join(f"<th>{html.escape(word)}</th>" for word in head)
    lines = ("".join(f"<td>{html.escape(word)}</td>" for word in row) for row in body)
    inner = "".join(f"<tr>{line}</tr>" for line in lines)
    return f"<table><thead><tr>{cells}</tr></thead><tbody>{inner}</tbody></table>"
