"""Servers that a player can go to: those he was at, kept in a file.  Others come from elsewhere."""

from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from client.data_folder import read_json, write_json

FILE = "servers.json"
MOST = 8


@dataclass(frozen=True)
class Place:
    """A server, and as whom one was there: ``account`` or guest.

    ``pin``: the account is come to by a PIN; ``ca``: file of a certificate to trust there.
    """

    url: str
    name: str = ""
    account: bool = False
    pin: bool = False
    ca: str = ""


Source = Callable[[], Sequence[Place]]
"""Where places come from: those that were used last, say."""


def used_places() -> tuple[Place, ...]:
    """Servers that were used, the latest first; entries that make no sense are left out."""
    found = read_json(FILE).get("servers")
    places = [_read(entry) for entry in found] if isinstance(found, list) else []
    return tuple(place for place in places if place is not None)[:MOST]


def _read(entry: Any) -> Place | None:
    match entry:
        case {"url": str(url), "name": str(name), "account": bool(account)} if (
            0 < len(url) <= 300 and len(name) <= 32
        ):
            pin, ca = entry.get("pin", False), entry.get("ca", "")
            return Place(url, name, account, pin is True, ca if isinstance(ca, str) else "")
    return None


def keep_place(place: Place) -> None:
    """Put a server in front of the others.

    Raises:
        OSError: it can't be written.
    """
    others = [asdict(other) for other in used_places() if other.url != place.url]
    write_json(FILE, {"servers": [asdict(place), *others][:MOST]})


def drop_place(url: str) -> None:
    """Forget a server.

    Raises:
        OSError: it can't be written.
    """
    write_json(FILE, {"servers": [asdict(p) for p in used_places() if p.url != url]})
