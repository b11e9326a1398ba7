"""What a club's competitions look like to who plays in them, from what the server told.  Pure."""

import time
from itertools import groupby
from typing import Any

from client.hud.page import Heading, Page, Paragraph, Press, Widget
from client.league_sheet import names_of, races_of
from client.words import say
from shared_rules import messages as m

MOST_MATCHES = 80
"""So many at most: a page of hundreds can't be read, and the board shows them all."""


def describe(
    competitions: tuple[m.CompetitionSummary, ...] | None,
    shown: m.CompetitionShown | None,
    me: str,
    language: str,
    runs: bool = False,
) -> Page:
    """The page.

    Args:
        competitions: None as long as they are not known.
        shown: the one that is looked at.
        me: the name that one is signed in with.
        runs: whether he may run competitions.
    """
    console = (Press("console", say(language, "console_open")),) if runs else ()
    footer = (Press("back", say(language, "back_button")), *console)
    title = say(language, "club_title")
    if competitions is None:
        return Page(title, ((Paragraph(say(language, "club_asking"), "note"),),), footer)
    if not competitions:
        return Page(title, ((Paragraph(say(language, "club_none"), "note"),),), footer)
    chosen = shown.competition if shown is not None else ""
    listed = tuple(_entry(one, one.competition == chosen, language) for one in competitions)
    columns: tuple[tuple[Widget, ...], ...] = (listed,)
    if shown is not None:
        mine, all_of_it = _mine(shown, me, language), _standings(shown, me, language)
        columns += ((*mine, *all_of_it), _matches(shown, me, language))
    return Page(title, columns, footer)


def _entry(one: m.CompetitionSummary, on: bool, language: str) -> Press:
    about = " · ".join(
        (
            say(language, f"format_{one.format}"),
            say(language, f"competition_{one.status}"),
            say(language, "club_entrants", n=one.entrants),
        )
    )
    return Press(f"competition:{one.competition}", one.name, about, on=on)


# --- who is up --------------------------------------------------------------------------------


def up(shown: m.CompetitionShown, me: str) -> list[dict[str, Any]]:
    """The open matches of somebody (by name), the next first."""
    mine = {one["id"] for one in shown.entrants if one["name"] == me}
    expected = {one["match"]: one["starts_at"] for one in shown.estimates}
    matches = [f for f in shown.fixtures if mine & set(f["sides"]) and not settled(f)]
    return sorted(matches, key=lambda f: expected.get(f["id"], float("inf")))


def settled(match: dict[str, Any]) -> bool:
    """Whether nothing is to be played any more."""
    return bool(match["outcome"] or match["struck"] or match["empty"])


def _mine(shown: m.CompetitionShown, me: str, language: str) -> list[Widget]:
    rows: list[Widget] = [Heading(say(language, "club_yours"))]
    if shown.paused:
        rows.append(Paragraph(say(language, "club_paused"), "note"))
    names = names_of(shown)
    if me not in names.values():
        rows.append(Paragraph(say(language, "club_not_in"), "note"))
        return rows
    matches = up(shown, me)
    if not matches:
        rows.append(Paragraph(say(language, "club_no_more"), "note"))
    for match in matches:
        other = next((side for side in match["sides"] if side and names[side] != me), None)
        name = names[other] if other else _coming(match, language)
        words = [say(language, "club_against", name=name), *_where(shown, match, language)]
        if races_of(match):
            words.append(say(language, "race_to", n=races_of(match)))
        rows.append(Paragraph(" · ".join((match["id"], *words))))
    return rows


def _coming(match: dict[str, Any], language: str) -> str:
    return say(language, "club_winner_of", matches=", ".join(match["feeders"]))


def _where(shown: m.CompetitionShown, match: dict[str, Any], language: str) -> list[str]:
    """At which table and about when a match that is open starts, if that is known."""
    for call in shown.calls:
        if call["match"] == match["id"]:
            return [say(language, "club_now", station=call["station"])]
    for one in shown.estimates:
        if one["match"] == match["id"]:
            starts = time.strftime("%H:%M", time.localtime(one["starts_at"]))
            return [say(language, "club_about", time=starts)]
    return []


# --- how it stands ----------------------------------------------------------------------------


def _standings(shown: m.CompetitionShown, me: str, language: str) -> list[Widget]:
    rows: list[Widget] = [Heading(say(language, "club_standings"))]
    names = names_of(shown)
    if shown.settings["format"]["format"] in ("single", "double"):
        for one in shown.placings:
            first, last = one["first"], one["last"]
            place = "–" if first is None else f"{first}." if first == last else f"{first}.–{last}."
            name = names[one["entrant"]]
            rows.append(_line(f"{place} {name}", name == me))
        return rows
    for row in shown.standings:
        name = names[row["entrant"]]
        text = say(
            language, "club_row", place=row["place"] or "–", name=name, won=row["won"],
            lost=row["lost"], games="{}:{}".format(*row["games"]), points=row["points"],
        )  # fmt: skip
        rows.append(_line(text, name == me))
    return rows


def _line(text: str, mine: bool, small: bool = False) -> Paragraph:
    """A line of a list; what is one's own has a point and another colour."""
    return Paragraph(f"• {text}" if mine else text, "good" if mine else "plain", small)


def _matches(shown: m.CompetitionShown, me: str, language: str) -> tuple[Widget, ...]:
    rows: list[Widget] = [Heading(say(language, "club_matches"))]
    names = names_of(shown)
    played = [match for match in shown.fixtures if not match["empty"]]
    for stage, matches in groupby(played[:MOST_MATCHES], key=lambda f: _stage(f, language)):
        rows.append(Paragraph(stage, "note"))
        for match in matches:
            sides = " – ".join(
                names[side] if side else _coming(match, language) for side in match["sides"]
            )
            how = [result(match, language)] if settled(match) else _where(shown, match, language)
            mine = me in (names.get(side) for side in match["sides"])
            rows.append(_line(" · ".join((f"{match['id']}  {sides}", *how)), mine, small=True))
    return tuple(rows)


def _stage(match: dict[str, Any], language: str) -> str:
    if match["stage"] == "final" and match["round"] > 1:
        return say(language, "stage_final_again")
    return say(language, f"stage_{match['stage']}", n=match["round"])


def result(match: dict[str, Any], language: str) -> str:
    """The score, or how it was settled without one; nothing while it is open."""
    out = match["outcome"]
    if out is None:
        return say(language, "club_struck") if match["struck"] else ""
    return "{} : {}".format(*out["score"]) if out["score"] else say(language, f"club_{out['kind']}")
