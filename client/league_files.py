"""What ``headstring league`` makes of arguments and files: settings, charts, entries."""

import argparse
import csv
import json
from pathlib import Path
from typing import Any

import msgspec

from shared_rules.ruleset import make_ruleset


def settings_of(options: argparse.Namespace) -> dict[str, Any]:
    """The settings of a new competition.

    Raises:
        OSError, ValueError: the file of --settings can't be read.
    """
    form: dict[str, Any] = {"format": options.format}
    form |= {"rounds": options.rounds} if options.format == "swiss" else {}
    form |= {"legs": options.legs} if options.format == "round_robin" else {}
    settings = {"name": options.name, "format": form, "race_to": options.race}
    settings["seeding"] = options.seeding
    if options.ruleset is not None:
        rules = make_ruleset(options.ruleset.preset, options.ruleset.overrides)
        settings["ruleset"] = msgspec.to_builtins(rules)
    if options.chart:
        settings["handicap"] = {"handicap": "chart", "steps": options.chart}
    elif options.odds is not None:
        settings["handicap"] = {"handicap": "odds", "points_per_doubling": options.odds}
    if options.settings is not None:
        settings |= json.loads(Path(options.settings).read_text(encoding="utf-8"))
    return settings


def chart_step(text: str) -> dict[str, Any]:
    """A line of a chart as it is typed: ``50:7-5``."""
    try:
        difference, races = text.split(":")
        strong, weak = races.split("-")
        return {"from_difference": float(difference), "races": [int(strong), int(weak)]}
    except ValueError as error:
        raise argparse.ArgumentTypeError(
            f"a line of a chart looks like 50:7-5, not {text!r}"
        ) from error


def entrants_of(words: list[str]) -> list[dict[str, Any]]:
    """Entrants by names, and of files ``.csv``: columns ``name``, and ``rating`` if it is known;
    of teams ``players``, with + between them.

    Raises:
        OSError, ValueError: a file can't be read, or has no such column.
    """
    found: list[dict[str, Any]] = []
    for word in words:
        if not word.lower().endswith(".csv"):
            found.append({"id": word, "name": word})
            continue
        with Path(word).open(encoding="utf-8-sig", newline="") as file:
            reader = csv.DictReader(file)
            if "name" not in (reader.fieldnames or ()):
                raise ValueError(f"{word} has no column called name")
            for row in reader:
                rating, name = (row.get("rating") or "").strip(), (row["name"] or "").strip()
                if not name:
                    continue
                players = [one.strip() for one in (row.get("players") or "").split("+")]
                found.append(
                    {"id": name, "name": name, "rating": float(rating) if rating else None,
                     "players": [one for one in players if one]}
                )  # fmt: skip
    return found
