"""A match as a file (``.headstring``): one msgpack map, laid out in ``docs/replay-file.md``.

It holds everything that is needed to show the match: no server, no rules and no simulator.
"""

from collections.abc import Iterable
from typing import Any, Literal

import msgspec

from shared_rules.messages import ReplayEvent, ReplaySummary

VERSION = 1
_FORMAT = "headstring replay"
_MOST_BYTES = 512 * 1024 * 1024


class ReplayFileError(ValueError):
    """The bytes are no replay that this build reads; the message tells a person why."""


class ReplayFile(msgspec.Struct, frozen=True, kw_only=True):
    """The map.  Fields that a later version adds are passed over."""

    summary: ReplaySummary
    events: tuple[ReplayEvent, ...]
    format: Literal["headstring replay"] = "headstring replay"
    version: int = VERSION


def write_replay(summary: ReplaySummary, events: Iterable[ReplayEvent]) -> bytes:
    """Bytes of a match's file."""
    return msgspec.msgpack.encode(ReplayFile(summary=summary, events=tuple(events)))


def read_replay(data: bytes) -> ReplayFile:
    """The match in a file.

    Raises:
        ReplayFileError: it isn't one, it is damaged, or of a later version.
    """
    if len(data) > _MOST_BYTES:
        raise ReplayFileError(f"a replay has at most {_MOST_BYTES} bytes; this has {len(data)}")
    try:
        head = msgspec.msgpack.decode(data, type=dict[str, Any])
        if head.get("format") != _FORMAT:
            raise ReplayFileError("this is no replay of Headstring")
        version = head.get("version")
        if not isinstance(version, int) or version > VERSION:
            raise ReplayFileError(f"this replay is of version {version}, made by a later build")
        replay = msgspec.convert(head, ReplayFile)
    except (msgspec.MsgspecError, RecursionError, UnicodeDecodeError) as error:
        raise ReplayFileError(f"this is no replay, or it is damaged: {error}") from error
    if not replay.events or replay.events[0].number != 1:
        raise ReplayFileError("this replay lacks its beginning")
    return replay
