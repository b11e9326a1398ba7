"""Compression of what is stored and seldom read: events of shots, and what was told of orders.

It saves a half of the first and a third of the second; trajectories (an eighth) aren't worth it.

What is packed is a msgpack map or array, so its first byte tells whether it is compressed: a zlib
stream begins with 0x78, which as msgpack would be a number.  Short ones stay as they are.
"""

import zlib

_ZLIB = 0x78
_LEVEL = 6
_SHORT = 200
"""Bytes below which nothing is gained."""


def packed(data: bytes) -> bytes:
    """Data, compressed if that makes it shorter."""
    if len(data) < _SHORT:
        return data
    smaller = zlib.compress(data, _LEVEL)
    return smaller if len(smaller) < len(data) else data


def unpacked(data: bytes) -> bytes:
    """What was packed, or was stored before anything was.

    Raises:
        zlib.error: it is damaged.
    """
    return zlib.decompress(data) if data[:1] == bytes((_ZLIB,)) else data
