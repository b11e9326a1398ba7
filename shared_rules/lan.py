"""What a server says of itself on its local network (DNS-SD, RFC 6763), for server and client.

The records are found by :data:`SERVICE`; the name of a club and the rest stand in the TXT record,
since the names of services must differ from each other and those of clubs need not.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from shared_rules.messages import PROTOCOL
from shared_rules.plain_text import plain

SERVICE = "_headstring._tcp.local."
"""Type of the service, with its domain."""
GUESTS = ("yes", "lan", "no")
_MOST_BYTES = 200  # of a value; a whole string of a TXT record has 255
_MOST_LABEL_BYTES = 50  # of an instance's name without its mark; a label has 63
_VERSION = "1"


@dataclass(frozen=True)
class Announced:
    """A server as it tells its network.

    ``name``: what it calls itself; ``machine``: the computer; ``version``, ``protocol``: of the
    program; ``tls``: reached by ``wss://``; ``guests``: one of :data:`GUESTS`; ``pins``: members
    come in by a PIN; ``host``: a name to reach it by instead of its addresses; may be empty.
    """

    name: str
    machine: str
    version: str
    protocol: int = PROTOCOL
    tls: bool = False
    guests: str = "yes"
    pins: bool = False
    host: str = ""

    def properties(self) -> dict[str, str]:
        """The strings of the TXT record."""
        return {
            "txtvers": _VERSION,
            "name": _cut(self.name, _MOST_BYTES),
            "machine": _cut(self.machine, _MOST_BYTES),
            "version": _cut(self.version, _MOST_BYTES),
            "protocol": str(self.protocol),
            "tls": _flag(self.tls),
            "guests": self.guests,
            "pins": _flag(self.pins),
            "host": _cut(self.host, _MOST_BYTES),
        }

    def instance(self, mark: str) -> str:
        """A name of the service, told from others of the same club's name by a mark."""
        label = _cut(_on_one_line(self.name).replace(".", " "), _MOST_LABEL_BYTES).strip()
        return f"{label or 'Headstring'} ({mark}).{SERVICE}"


def announced(properties: Mapping[str, str | None]) -> Announced | None:
    """What the strings of a TXT record say; None: it is no server of ours that we know how to read.

    Anybody on the network may have written them: texts are cut and hold no control characters.
    """
    given = {key.lower(): value or "" for key, value in properties.items()}
    protocol = given.get("protocol", "")
    if not (protocol.isascii() and protocol.isdigit() and len(protocol) <= 5):
        return None
    guests = given.get("guests", "")
    return Announced(
        name=_read(given.get("name", "")) or "Headstring",
        machine=_read(given.get("machine", "")),
        version=_read(given.get("version", "")),
        protocol=int(protocol),
        tls=given.get("tls") == _flag(True),
        guests=guests if guests in GUESTS else "yes",
        pins=given.get("pins") == _flag(True),
        host=_read(given.get("host", "")),
    )


def _flag(value: bool) -> str:
    return "1" if value else "0"


def _read(text: str) -> str:
    return _cut(_on_one_line(text), _MOST_BYTES).strip()


def _on_one_line(text: str) -> str:
    return " ".join(plain(text).split())


def _cut(text: str, most: int) -> str:
    """The beginning of a text that has at most so many bytes of UTF-8."""
    return text.encode("utf-8", "replace")[:most].decode("utf-8", "ignore")
