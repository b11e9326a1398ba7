"""What a replay is made of: what everybody was told, order by order, and how it is put together.

The record of an order holds what spectators were told of it: the announcements, and those fields of
the public state that it changed.  Nothing in it has to be judged or simulated again, so a build
with other rules, or with more fields, shows the match as it was.  Values are plain (maps, lists,
numbers), as they were at the time.
"""

from collections.abc import Sequence
from typing import Any

import msgspec

from shared_rules.announcements import Announcement
from shared_rules.changes import changes_of
from shared_rules.state import MatchState, Seat
from shared_rules.view import public_state


class MatchResult(msgspec.Struct, frozen=True, kw_only=True):
    """How a match ended; ``scores``: the points of straight pool."""

    winner: Seat | None
    games: tuple[int, int]
    sets: tuple[int, int]
    scores: tuple[int, int] = (0, 0)


class Told(msgspec.Struct, frozen=True, kw_only=True):
    """What spectators were told of an order, in plain values."""

    by: str
    announcements: tuple[dict[str, Any], ...]
    changes: dict[str, Any]  # fields of the public state, as they are after it

    @property
    def begins_shot(self) -> bool:
        """Whether the trajectory of a shot belongs to it."""
        return any(said.get("a") == "struck" for said in self.announcements)


def result_of(state: MatchState) -> MatchResult:
    """The result as it stands."""
    return MatchResult(winner=state.winner, games=state.games, sets=state.sets, scores=state.scores)


def told(before: MatchState, after: MatchState, by: str, said: Sequence[Announcement]) -> bytes:
    """The record of an order, as it is stored; the first of a match holds the state whole."""
    earlier = public_state(before, None) if before.version > 0 else None
    changes = changes_of(earlier, public_state(after, None))
    return msgspec.msgpack.encode({"by": by, "announcements": said, "changes": changes})


_decoder = msgspec.msgpack.Decoder(Told)


def read_told(data: bytes) -> Told:
    """A stored record.

    Raises:
        msgspec.DecodeError: it is none.
    """
    return _decoder.decode(data)
