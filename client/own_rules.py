"""A club's own rules from a file: a preset, a name and the keys that differ.

The file is JSON, ``{"preset": "nine_ball_wpa", "match": {"games_to_win": 5}}``: the keys are those
of the ruleset (``shared_rules/ruleset.py``), ``id`` is by default the file's name without its
ending.
"""

import argparse
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import msgspec

from shared_rules.presets import PRESETS
from shared_rules.refusal import Refusal
from shared_rules.ruleset import make_ruleset

LARGEST_FILE = 65_536  # bytes


@dataclass(frozen=True, slots=True)
class OwnRules:
    """A preset and what is changed of it."""

    preset: str
    overrides: dict[str, Any] = field(default_factory=dict)

    @property
    def discipline(self) -> str:
        """The game that is played by these rules."""
        return make_ruleset(self.preset, self.overrides).discipline


def own_rules(text: str) -> OwnRules:
    """The rules of a preset's name or of a file.

    Raises:
        argparse.ArgumentTypeError: neither a preset nor a readable file, or rules that contradict
            each other; the sentence names the key.
    """
    if text in PRESETS:
        return OwnRules(text)
    path = Path(text)
    if not path.is_file():
        raise argparse.ArgumentTypeError(
            f"{text} is no file, and no rules of that name are known; known are "
            + ", ".join(sorted(PRESETS))
        )
    try:
        with path.open("rb") as file:
            raw = file.read(LARGEST_FILE + 1)
    except OSError as error:
        raise argparse.ArgumentTypeError(f"{text} can't be read: {error.strerror}") from error
    if len(raw) > LARGEST_FILE:
        raise argparse.ArgumentTypeError(f"{text} is larger than {LARGEST_FILE} bytes")
    try:
        keys = msgspec.json.decode(raw, type=dict[str, Any])
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise argparse.ArgumentTypeError(f"{text} is no JSON object: {error}") from error
    preset = keys.pop("preset", None)
    if not isinstance(preset, str):
        known = ", ".join(sorted(PRESETS))
        raise argparse.ArgumentTypeError(f"{text} must name its preset, one of {known}")
    rules = OwnRules(preset, {"id": path.stem, **keys})
    try:
        make_ruleset(rules.preset, rules.overrides)
    except Refusal as refusal:
        raise argparse.ArgumentTypeError(f"{text}: {refusal}") from refusal
    return rules
