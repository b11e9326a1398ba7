"""What a player has chosen for his own client, kept between runs."""

import os
import sys
from dataclasses import asdict, dataclass, replace
from typing import Any

from client.data_folder import read_json, write_json
from client.play.keys import OWN_KEYS, KeyMap

FILE = "settings.json"
LANGUAGES = ("en", "cs")


@dataclass(frozen=True)
class Settings:
    """Language, drawing tier (None: chosen by the renderer), size of the writing, name, keys, and
    the loudness of all sounds in percent."""

    language: str = "en"
    quality: str | None = None
    ui_scale: float = 1.0
    name: str = ""
    keys: KeyMap = OWN_KEYS
    volume: int = 80
    muted: bool = False


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
    if found.get("language") in LANGUAGES:
        settings = replace(settings, language=found["language"])
    if found.get("quality") in ("low", "medium", "high"):
        settings = replace(settings, quality=found["quality"])
    scale = found.get("ui_scale")
    if isinstance(scale, int | float) and 0.5 <= scale <= 3.0:
        settings = replace(settings, ui_scale=float(scale))
    if isinstance(found.get("name"), str) and 1 <= len(found["name"]) <= 32:
        settings = replace(settings, name=found["name"])
    if isinstance(found.get("keys"), dict):
        settings = replace(settings, keys=KeyMap.read(found["keys"]))
    volume = found.get("volume")
    if isinstance(volume, int) and not isinstance(volume, bool) and 0 <= volume <= 100:
        settings = replace(settings, volume=volume)
    if isinstance(found.get("muted"), bool):
        settings = replace(settings, muted=found["muted"])
    return settings


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
