"""Where a client keeps what it must find again: its tokens and its settings.

``HEADSTRING_DATA`` names another folder: for tests, and for two clients on one machine.
"""

import json
import os
import sys
import tempfile
from pathlib import Path
from typing import Any


def data_folder() -> Path:
    """The user's data folder for Headstring on this system; it may not exist yet."""
    if named := os.environ.get("HEADSTRING_DATA"):
        return Path(named)
    home = Path.home()
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA") or home / "AppData" / "Local") / "Headstring"
    if sys.platform == "darwin":
        return home / "Library" / "Application Support" / "Headstring"
    return Path(os.environ.get("XDG_DATA_HOME") or home / ".local" / "share") / "headstring"


_set_aside: list[Path] = []


def read_json(name: str) -> dict[str, Any]:
    """A stored map, empty if there is none; a damaged file is set aside as ``name.damaged``."""
    path = data_folder() / name
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
        if isinstance(found, dict):
            return found
    except FileNotFoundError:
        return {}
    except (ValueError, OSError) as error:
        print(f"{path} cannot be read ({error}); starting afresh", file=sys.stderr)
    if path.exists():
        damaged = path.with_name(name + ".damaged")
        path.replace(damaged)
        _set_aside.append(damaged)
    return {}


def take_set_aside() -> list[Path]:
    """Damaged files that were set aside since the last call, under the names they have now."""
    found = list(_set_aside)
    _set_aside.clear()
    return found


def write_json(name: str, content: dict[str, Any]) -> None:
    """Store a map, whole or not at all, readable by its owner only.

    Raises:
        OSError: the folder or file cannot be written.
    """
    path = data_folder() / name
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=name)  # mode 0600
    try:
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            json.dump(content, file, ensure_ascii=False, indent=1)
        os.replace(temporary, path)
    except BaseException:
        Path(temporary).unlink(missing_ok=True)
        raise


class Tokens:
    """The tokens of this user, one for each server and name."""

    FILE = "tokens.json"

    def get(self, server: str, name: str) -> str | None:
        """The token kept for a name at a server."""
        found = read_json(self.FILE).get(f"{name}@{server}")
        return found if isinstance(found, str) and 16 <= len(found) <= 128 else None

    def keep(self, server: str, name: str, token: str) -> None:
        """Keep a token."""
        kept = read_json(self.FILE)
        if kept.get(f"{name}@{server}") != token:
            kept[f"{name}@{server}"] = token
            write_json(self.FILE, kept)

    def drop(self, server: str, name: str) -> None:
        """Forget a token that is worth nothing any more."""
        kept = read_json(self.FILE)
        if kept.pop(f"{name}@{server}", None) is not None:
            write_json(self.FILE, kept)
