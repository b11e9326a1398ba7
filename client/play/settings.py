"""What a player has chosen for his own client, kept between runs."""

import os
import sys
from dataclasses import asdict, dataclass, fields, replace
from typing import Any

from client.data_folder import read_json, write_json
from client.play.keys import OWN_KEYS, KeyMap
from shared_rules.presets import PRESETS

FILE = "settings.json"
LANGUAGES = ("en", "cs")
QUALITIES = ("low", "medium", "high")
GUIDES = ("none", "first_contact", "full")
LONGEST_NAME = 32
BETWEEN: dict[str, tuple[float, float]] = {
    "ui_scale": (0.5, 3.0), "mouse": (0.25, 4.0), "volume": (0, 100), "level": (1, 5),
    "race": (1, 99), "points": (1, 1000), "width": (320, 7680), "height": (240, 4320),
}  # fmt: skip
"""Least and greatest of what is a number."""
AMONG: dict[str, tuple[Any, ...]] = {
    "ruleset": tuple(PRESETS), "language": LANGUAGES, "quality": (None, *QUALITIES),
    "guide": (None, *GUIDES),
}  # fmt: skip


@dataclass(frozen=True)
class Settings:
    """Of the program, and of the game that was played last.

    ``quality``: the tier of drawing; None: chosen by the renderer.  ``ui_scale``: size of the
    writing.  ``mouse``: how far its moves count.  ``volume``: in hundredths, of all
    sounds, unless ``muted``.  ``guide``: how far the aiming line goes at tables of one's own; None:
    as the rules have it.  ``level``, ``ruleset``, ``race``, ``points``: the last game against the
    house bot.
    """

    language: str = "en"
    quality: str | None = None
    ui_scale: float = 1.0
    name: str = ""
    keys: KeyMap = OWN_KEYS
    contrast: bool = False
    volume: int = 80
    muted: bool = False
    mouse: float = 1.0
    fullscreen: bool = False
    width: int = 1280
    height: int = 720
    guide: str | None = None
    level: int = 2
    ruleset: str = "nine_ball_epbf"
    race: int = 3
    points: int = 50


def default_language() -> str:
    """The system's language, if the client speaks it."""
    for key in ("LC_ALL", "LC_MESSAGES", "LANG"):
        spoken = os.environ.get(key, "")[:2].lower()
        if spoken in LANGUAGES:
            return spoken
    return "en"


def load_settings() -> Settings:
    """Stored settings; a value that makes no sense gives way to the default."""
    found: dict[str, Any] = read_json(FILE)
    settings = Settings(language=default_language())
    for field in fields(Settings):
        if field.name in found:
            value = _sensible(field.name, found[field.name], getattr(settings, field.name))
            settings = replace(settings, **{field.name: value})
    return settings


def _sensible(name: str, value: Any, default: Any) -> Any:
    """A stored value as the setting has it; the default if it can't be that."""
    if name == "keys":
        return KeyMap.read(value) if isinstance(value, dict) else default
    if name in AMONG:
        return value if isinstance(value, str | None) and value in AMONG[name] else default
    if name in BETWEEN:
        low, high = BETWEEN[name]
        number = isinstance(value, int | float) and not isinstance(value, bool)
        return type(default)(value) if number and low <= value <= high else default
    if isinstance(default, bool):
        return value if isinstance(value, bool) else default
    return value if isinstance(value, str) and 1 <= len(value) <= LONGEST_NAME else default


def save_settings(settings: Settings) -> None:
    """Store settings.

    Raises:
        OSError: they can't be written.
    """
    write_json(FILE, {**asdict(settings), "keys": dict(settings.keys.changed)})


class Preferences:
    """The settings as they are now; who shows something looks here every frame."""

    def __init__(self, now: Settings, keep: bool = False) -> None:
        """``keep``: whether changes are stored."""
        self.now = now
        self._keep = keep
        self.problem = ""
        """Why the last change could not be stored; empty if it was."""

    def change(self, **changes: Any) -> None:
        """Other settings from now on."""
        self.now = replace(self.now, **changes)
        self.problem = ""
        if not self._keep:
            return
        try:
            save_settings(self.now)
        except OSError as error:
            self.problem = str(error)
            print(f"the settings can't be kept: {error}", file=sys.stderr)
