"""What an official sees of a competition that he runs: entries, tables, matches, the log.  Pure.

What may be pressed follows from what is chosen: an entry, a match, a line of the log.
"""

from dataclasses import dataclass, field, replace
from typing import Any

from client.hud.page import Beside, Field, Heading, Paragraph, Pick, Press, Widget
from client.league_sheet import act_of, names_of
from client.screens.club_page import result as result_of
from client.screens.club_page import settled
from client.words import say
from shared_rules import messages as m

FORMATS = ("round_robin", "swiss", "single", "double", "ladder")
RACES = (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 13, 15)
ROUNDS = tuple(range(2, 16))
SEEDINGS = ("rating", "draw", "hand")
CORRECTABLE = ("result", "forfeit", "walk_over", "withdrawn")
MOST_LINES = 40
MOST_SETTLED = 60


@dataclass(frozen=True)
class Plan:
    """A competition that is being made."""

    format: str = "round_robin"
    race: int = 5
    ruleset: str = "nine_ball_epbf"
    seeding: str = "rating"
    rounds: int = 5


@dataclass(frozen=True)
class Chosen:
    """What is looked at: one of these at most.  ``sure``: what was pressed once and needs a
    second press; ``preview``: what a correction would bring, and the fields of it."""

    match: str = ""
    entrant: str = ""
    line: int = 0
    sure: str = ""
    preview: m.CorrectionFollows | None = None
    change: dict[str, Any] = field(default_factory=dict)


class View:
    """A competition with the words for it."""

    def __init__(self, shown: m.CompetitionShown, chosen: Chosen, language: str) -> None:
        self.shown, self.chosen, self.language = shown, chosen, language
        self.names = names_of(shown)
        self.calls = {call["match"]: call for call in shown.calls}
        self.stations = _latest(shown, "stations_set", "stations") or []
        self.drawn = any(line["act"]["act"] == "drawn" for line in shown.log)
        self.present = [one for one in shown.entrants if not one["left"]]

    def say(self, key: str, **values: object) -> str:
        """Words in the language of the screen."""
        return say(self.language, key, **values)

    def sides(self, match: dict[str, Any]) -> str:
        """Who plays a match."""
        return " – ".join(self.names.get(side, "?") if side else "?" for side in match["sides"])

    def fixture(self, name: str) -> dict[str, Any] | None:
        """The match of that id."""
        return next((f for f in self.shown.fixtures if f["id"] == name), None)

    def is_held(self, match: str) -> bool:
        """Whether an official, or the server, keeps a match back."""
        held = False
        for line in self.shown.log:
            act = line["act"]
            if act["act"] == "held" and act["match"] == match:
                held = act.get("held", True)
        return held


def _latest(shown: m.CompetitionShown, kind: str, name: str) -> Any:
    found = [line["act"][name] for line in shown.log if line["act"]["act"] == kind]
    return found[-1] if found else None


def making(plan: Plan, name: Field, language: str) -> list[Widget]:
    """A new competition."""
    picks: tuple[Widget, ...] = (
        Pick("format", say(language, "console_format"), say(language, f"format_{plan.format}")),
        Pick("ruleset", say(language, "console_rules"), say(language, f"game_{plan.ruleset}")),
        Pick("race", say(language, "console_race"), str(plan.race)),
        Pick("seeding", say(language, "console_seeding"),
             say(language, f"console_seeding_{plan.seeding}")),
    )  # fmt: skip
    if plan.format == "swiss":
        rounds = Pick("rounds", say(language, "console_rounds"), str(plan.rounds))
        picks = (picks[0], rounds, *picks[1:])
    create = Press("create", say(language, "console_create"))
    return [Heading(say(language, "console_new")), name, *picks, create]


def entries(view: View, who: Field, stations: Field) -> list[Widget]:
    """Who is in, the tables, the draw, the pause."""
    shown, words = view.shown, view.say
    open_ones = any(not settled(f) for f in shown.fixtures)
    swiss = shown.settings["format"]["format"] == "swiss"
    draws: list[Widget] = []
    if not view.drawn:
        few = words("console_few") if len(view.present) < 2 else ""
        draws = [Press("draw", words("console_draw"), "", few, strong=True)]
    elif swiss:
        why = words("console_open_matches") if open_ones else ""
        draws = [Press("draw", words("console_draw_next"), "", why, strong=True)]
    pause = (
        Press("resume", words("console_resume"))
        if shown.paused
        else Press("pause", words("console_pause"))
    )
    rows: list[Widget] = [
        Heading(words("console_entries", n=len(view.present))),
        who, Press("enter", words("console_enter")),
        stations, Press("stations", words("console_stations_set")),
        *draws, pause, Press("sheet", words("console_sheet")),
    ]  # fmt: skip
    for one in shown.entrants:
        rating = f"{one['rating']:g}" if one.get("rating") is not None else ""
        note = words("console_left") if one["left"] else ""
        on = view.chosen.entrant == one["id"]
        rows.append(
            Press(f"entrant:{one['id']}", one["name"], note, on=on, value=rating, bold=True)
        )
    return rows


def floor(view: View) -> list[Widget]:
    """Stations and what is on them, matches that wait, and those that are settled."""
    words = view.say
    rows: list[Widget] = [Heading(words("console_floor"))]
    at = {call["station"]: call for call in view.shown.calls}
    for station in view.stations:
        call = at.get(station)
        if call is None:
            rows.append(Paragraph(words("console_free", station=station), "note"))
        else:
            rows.append(_match(view, call["match"], station))
    open_ones = [f for f in view.shown.fixtures if not settled(f) and f["id"] not in view.calls]
    done = [f for f in view.shown.fixtures if f["outcome"] and f["outcome"]["kind"] != "bye"]
    for heading, matches in (
        ("console_waiting", open_ones),
        ("console_settled", done[-MOST_SETTLED:]),
    ):
        if matches:
            rows.append(Heading(words(heading)))
            rows += [_match(view, match["id"], "") for match in matches]
    return rows


def _match(view: View, name: str, station: str) -> Press:
    match = view.fixture(name)
    assert match is not None
    value = result_of(match, view.language) if match["outcome"] else station
    note = view.say("console_held") if view.is_held(name) and not settled(match) else ""
    call = view.calls.get(name)
    if call is not None and not call.get("table"):
        here = [view.names[side] for side in call["arrived"]]
        note = ", ".join(f"{one} {view.say('console_is_there')}" for one in here)
    on = view.chosen.match == name
    return Press(f"match:{name}", f"{name}  {view.sides(match)}", note, on=on, value=value)


def chosen_match(view: View, fields: dict[str, Field]) -> list[Widget]:
    """What may be done about the match that is chosen."""
    words, name = view.say, view.chosen.match
    match = view.fixture(name)
    if match is None:
        return []
    rows: list[Widget] = [Heading(f"{name}  {view.sides(match)}")]
    if settled(match) or None in match["sides"]:
        return rows
    call, (first, second) = view.calls.get(name), (view.names[s] for s in match["sides"])
    not_called = "" if call is not None else words("console_not_called")
    held = view.is_held(name)
    rows += [
        Press("release" if held else "hold", words("console_release" if held else "console_hold")),
        fields["station"],
        Press("call", words("console_call"), "",
              "" if fields["station"].text.strip() else words("console_no_station")),
        Press("call_off", words("console_call_off"), "", not_called),
        Press("adjourn", words("console_adjourn"), "",
              "" if call is not None and call.get("table") else words("console_no_table")),
        Beside(tuple(
            Press(f"arrived:{side}", words("console_arrived", name=view.names[side]), "",
                  not_called)
            for side in match["sides"]
        )),
    ]  # fmt: skip
    scores = [fields["score_0"].text.strip(), fields["score_1"].text.strip()]
    none = "" if all(score.isdigit() for score in scores) else words("console_no_score")
    rows += [
        replace(fields["score_0"], label=words("console_score", name=first)),
        replace(fields["score_1"], label=words("console_score", name=second)),
    ]
    if view.shown.settings.get("teams"):
        board = "" if fields["board"].text.strip().isdigit() else words("console_no_score")
        rows += [
            fields["board"],
            Press("board_result", words("console_board_result"), "", none or board),
        ]
    else:
        rows.append(Beside((
            Press("result", words("console_result"), "", none),
            Press("short", words("console_short"), "", none),
        )))  # fmt: skip
    rows.append(fields["reason"])
    for kind in ("walk_over", "forfeit"):
        rows.append(Beside(tuple(
            Press(f"{kind}:{side}", words(f"console_{kind}", name=view.names[side]))
            for side in match["sides"]
        )))  # fmt: skip
    return rows


def chosen_entrant(view: View) -> list[Widget]:
    """What may be done about the entry that is chosen."""
    who = view.chosen.entrant
    if who not in view.names:
        return []
    name = view.names[who]
    left = any(one["left"] for one in view.shown.entrants if one["id"] == who)
    why = view.say("console_left") if left else ""
    return [
        Heading(name),
        Press(f"withdraw:{who}", view.say("console_withdraw", name=name), "", why),
    ]


def log(view: View, fields: dict[str, Field]) -> list[Widget]:
    """What was entered, the latest first; of the line that is chosen, how to correct it."""
    words = view.say
    rows: list[Widget] = []
    if view.chosen.line:
        rows += _chosen_line(view, fields)
    rows.append(Heading(words("console_log")))
    for line in reversed(view.shown.log[-MOST_LINES:]):
        text = words("console_line", n=line["number"], what=what_of(view, line["act"]))
        by = words("console_server") if line["by"] == "server" else ""
        if line["act"]["act"] in CORRECTABLE:
            on = view.chosen.line == line["number"]
            rows.append(Press(f"line:{line['number']}", text, by, on=on))
        else:
            rows.append(Paragraph(f"{text} {by}".strip(), "note", small=True))
    return rows


def _chosen_line(view: View, fields: dict[str, Field]) -> list[Widget]:
    words = view.say
    act = act_of(view.shown, view.chosen.line)
    number = view.chosen.line
    rows: list[Widget] = [
        Heading(words("console_line", n=number, what=what_of(view, act) if act else "–"))
    ]
    if act is None:
        return rows
    if "sides" in act:
        names = [view.names.get(side, "?") for side in act["sides"]]
        scores = [fields[f"score_{seat}"].text.strip() for seat in (0, 1)]
        none = "" if all(score.isdigit() for score in scores) else words("console_no_score")
        rows += [
            replace(fields["score_0"], label=words("console_score", name=names[0])),
            replace(fields["score_1"], label=words("console_score", name=names[1])),
        ]
        if not view.shown.settings.get("teams"):
            rows.append(Press("correct", words("console_correct"), "", none))
    rows += [fields["reason"], Press("take_back", words("console_take_back"))]
    preview = view.chosen.preview
    if preview is not None:
        matches = ", ".join(touched["match"] for touched in preview.touched)
        rows += [
            Paragraph(words(f"console_follows_{preview.weight}", matches=matches), "note"),
            Press("apply", words("console_apply"), strong=True),
        ]
    return rows


def what_of(view: View, act: dict[str, Any]) -> str:
    """A line of the log in short: which act, about what."""
    parts = [act["act"].replace("_", " ")]
    for key in ("match", "station", "entry", "round", "board"):
        if act.get(key):
            parts.append(str(act[key]))
    who = act.get("entrant") or act.get("loser") or act.get("winner")
    if isinstance(who, dict):
        parts.append(who["name"])
    elif who:
        parts.append(view.names.get(who, who))
    if act.get("sides") and act.get("score"):
        first, second = (view.names.get(side, side) for side in act["sides"])
        parts.append("{} {} : {} {}".format(first, *act["score"], second))
    if act.get("reason"):
        parts.append(f"({act['reason']})")
    return " ".join(parts)
