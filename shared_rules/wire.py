"""Messages to bytes and back: msgpack with strict limits, then the schema.

Nothing here touches a socket.  Reading refuses what is too large, no msgpack, no known message,
out of bounds, NaN or infinite, each with its own code; and a map that has a key twice, of which one
reader takes the first and another the last.
"""

from collections.abc import Callable
from typing import Any, TypeVar

import msgpack
import msgspec

from shared_rules.messages import ClientMessage, ServerMessage
from shared_rules.refusal import Code, Refusal

MAX_CLIENT_BYTES = 16 * 1024
MAX_SERVER_BYTES = 4 * 1024 * 1024

T = TypeVar("T")
_encode = msgspec.msgpack.Encoder().encode


def _limits(size: int) -> dict[str, Any]:
    return {
        "raw": False,
        "strict_map_key": False,
        "max_str_len": min(size, 64 * 1024),
        "max_bin_len": size,
        "max_array_len": min(size, 16_384),
        "max_map_len": min(size, 1_024),
        "max_ext_len": 0,
    }


class _KeyTwice(Exception):
    """A map has this key twice."""


def _map(pairs: list[tuple[Any, Any]]) -> dict[Any, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        keys = [key for key, _ in pairs]
        raise _KeyTwice(next(key for key in keys if keys.count(key) > 1))
    return found


def _holds_nul(value: Any) -> bool:
    """Whether a text anywhere in it has the character NUL, which no column of PostgreSQL can hold.

    Lone surrogates are no UTF-8, and so no msgpack.
    """
    if isinstance(value, str):
        return "\0" in value
    if isinstance(value, dict):
        return any(_holds_nul(key) or _holds_nul(part) for key, part in value.items())
    return isinstance(value, list) and any(map(_holds_nul, value))


def _read(
    data: bytes, kind: Any, limit: int, is_wrong: Callable[[Any], bool] = lambda _: False
) -> Any:
    """``is_wrong``: of what was sent, before it is held against the schema."""
    if len(data) > limit:
        raise Refusal(Code.TOO_LARGE, f"a message has at most {limit} bytes; this has {len(data)}")
    try:
        raw = msgpack.unpackb(data, object_pairs_hook=_map, **_limits(limit))
    except _KeyTwice as error:
        why = f"a map has the key {error.args[0]!r:.40} twice"
        raise Refusal(Code.MALFORMED, why) from error
    except Exception as error:  # msgpack raises many kinds on bad bytes; all mean the same
        raise Refusal(Code.NOT_MSGPACK, "the message is not valid msgpack") from error
    if not isinstance(raw, dict) or not isinstance(raw.get("m"), str):
        raise Refusal(Code.MALFORMED, "a message is a map whose key 'm' names it")
    try:
        if is_wrong(raw):
            raise Refusal(Code.MALFORMED, "a text holds the character NUL")
        return msgspec.convert(raw, kind)
    except msgspec.ValidationError as error:
        text = str(error)
        if text.startswith("Invalid value") and text.endswith("`$.m`"):
            raise Refusal(Code.UNKNOWN_MESSAGE, f"there is no message {raw['m']!r}") from error
        code = Code.OUT_OF_RANGE if "Expected `float` " in text or "`int` " in text else None
        raise Refusal(code or Code.MALFORMED, f"{raw['m']}: {text}") from error
    except RecursionError as error:
        raise Refusal(Code.MALFORMED, "the message is nested too deeply") from error


def read_client_message(data: bytes) -> ClientMessage:
    """Message of a client.

    Raises:
        Refusal: it can't be taken; the code says why.
    """
    return _read(data, ClientMessage, MAX_CLIENT_BYTES, _holds_nul)  # type: ignore[no-any-return]


def read_server_message(data: bytes) -> ServerMessage:
    """Message of a server.

    Raises:
        Refusal: it can't be taken; the code says why.
    """
    return _read(data, ServerMessage, MAX_SERVER_BYTES)  # type: ignore[no-any-return]


def write_message(message: ClientMessage | ServerMessage) -> bytes:
    """Bytes of a message."""
    return _encode(message)


def request_id(data: bytes) -> int | None:
    """The id of a request that could not be read, if it can be made out: for its refusal."""
    try:
        raw = msgpack.unpackb(data[:MAX_CLIENT_BYTES], **_limits(MAX_CLIENT_BYTES))
    except Exception:  # bytes that are no msgpack have no id
        return None
    found = raw.get("id") if isinstance(raw, dict) else None
    if not isinstance(found, int) or isinstance(found, bool):
        return None
    return found if abs(found) <= 2**53 else None  # others are not the same to every reader
