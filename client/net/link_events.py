"""What a link reports of itself: opened, a message received, lost, bytes that make no sense."""

from dataclasses import dataclass

from shared_rules import messages as m


@dataclass(frozen=True)
class Opened:
    """The link is up."""

    at: float


@dataclass(frozen=True)
class Received:
    """A message came; ``at`` is stamped where it was read from the socket."""

    message: m.ServerMessage
    at: float


@dataclass(frozen=True)
class Lost:
    """The link is down, or could not be opened; it is being tried again."""

    reason: str
    at: float


@dataclass(frozen=True)
class Garbled:
    """The server sent bytes that this build cannot read."""

    reason: str
    at: float


LinkEvent = Opened | Received | Lost | Garbled
