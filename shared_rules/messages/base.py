"""What all messages share: their base, and the bounded types of their fields."""

from typing import Annotated, Literal

import msgspec

RequestId = Annotated[int, msgspec.Meta(ge=1, le=2**53)]
TableId = Annotated[str, msgspec.Meta(min_length=1, max_length=32)]
Token = Annotated[str, msgspec.Meta(min_length=16, max_length=128)]
ShortText = Annotated[str, msgspec.Meta(max_length=64)]
Sequence = Annotated[int, msgspec.Meta(ge=0, le=2**53)]
OrderNumber = Annotated[int, msgspec.Meta(ge=0, le=2**31 - 1)]
"""Of a match's orders, and so of its shots: what an integer of every database holds."""
Degrees = Annotated[float, msgspec.Meta(ge=-360.0, le=360.0)]
Offset = Annotated[float, msgspec.Meta(ge=-1.0, le=1.0)]
Role = Literal["player", "spectator", "referee"]


class Message(msgspec.Struct, frozen=True, kw_only=True, tag_field="m", forbid_unknown_fields=True):
    """Base of all messages; the tag names the message."""
