"""Messages made wrong: by structure, by bytes, by what was sent before.  Seeded, so repeatable."""

import copy
import random
from collections import deque
from collections.abc import Sequence
from typing import Any

import msgpack

_DEEP: Any = 1
for _ in range(300):
    _DEEP = [_DEEP]

_JUNK: tuple[Any, ...] = (
    None, True, False, 0, -1, 1, 2**31, 2**53, 2**53 + 1, 2**63, 2**64 - 1, -(2**63),
    0.0, -0.0, 1e-320, 1e308, -1e9, 0.5, float("nan"), float("inf"), float("-inf"),
    "", " ", "0", "x" * 40, "x" * 5000, "\x00", "\u202e", "é\u0301", "🎱" * 9, "null", "__class__",
    "nine_ball_epbf", "hello", "strike", "anywhere", "PLAYER_1", "server",
    b"", b"\xff" * 9, b"x" * 3000, [], [[]], [None] * 9, list(range(2000)), {}, {"": {}},
    {"c": "strike"}, {1: 2}, {None: 1}, {"c": "finish_shot", "shot": 1, "events": [], "balls": {}},
    {"seat": 0}, [0.0, 0.0], [1e9, 0.0], [0.0], _DEEP,
)  # fmt: skip
_CHARACTERS = ("\0", "\x7f", "\u202e", "\ufeff", "\ufffe", "\U0010ffff", "\u0301", " ", "/", "%")
_HEADS = (
    b"\xdf\xff\xff\xff\xff", b"\xdd\xff\xff\xff\xff", b"\xdb\xff\xff\xff\xff",
    b"\xc6\xff\xff\xff\xff",
    b"\xc1", b"\xc9\xff\xff\xff\xff\x01", b"\xd4\x01\x00", b"\x81" * 600, b"\x91" * 9000,
    b"\xd7\xff" + bytes(8), b"\xca\x7f\xc0\x00\x00", b"\xcb\x7f\xf0" + bytes(6),
    b"\xa4\xff\xfe\xed\xa0",
)  # fmt: skip


class Mutator:
    """Makes wrong messages of right ones."""

    def __init__(self, luck: random.Random) -> None:
        self.luck = luck
        self._had: deque[Any] = deque([0], maxlen=200)  # values, to be put where they don't belong

    def structure(self, message: bytes) -> bytes:
        """One to three values of a message changed, moved, left out, doubled or added."""
        tree = msgpack.unpackb(message, strict_map_key=False)
        for _ in range(self.luck.choice((1, 1, 1, 2, 3))):
            self._change(tree)
        try:
            return bytes(msgpack.packb(tree))
        except (ValueError, OverflowError):  # nested too deeply, by us
            return b"\x91" * 700

    def bytes(self, message: bytes, others: Sequence[bytes]) -> bytes:
        """Some bytes changed, left out, put in, cut off, or two messages made one."""
        luck, data = self.luck, bytearray(message)
        place = luck.randrange(len(data) + 1)
        match luck.randrange(8):
            case 0:
                for _ in range(luck.choice((1, 1, 2, 8))):
                    data[luck.randrange(len(data))] ^= 1 << luck.randrange(8)
            case 1:
                del data[place:]
            case 2:
                del data[place : place + luck.randrange(1, 9)]
            case 3:
                data[place:place] = luck.randbytes(luck.randrange(1, 9))
            case 4:
                data[place:place] = luck.choice(_HEADS)
            case 5:
                other = luck.choice(others) if others else message
                data[place:] = other[luck.randrange(len(other) + 1) :]
            case 6:
                data += luck.choice((message, luck.randbytes(4), b"\xc0"))
            case _:
                data = bytearray(luck.randbytes(luck.choice((0, 1, 7, 60, 300, 20_000))))
        return bytes(data)

    def _change(self, tree: dict[Any, Any]) -> None:
        luck = self.luck
        holder, key = self._place(tree)
        if key is None:
            return
        match luck.randrange(7):
            case 0 | 1 | 2:
                holder[key] = self._junk()
            case 3:
                self._had.append(copy.deepcopy(holder[key]))
                holder[key] = copy.deepcopy(luck.choice(self._had))
            case 4:
                del holder[key]
            case 5 if isinstance(holder, dict):
                name = luck.choice(("id", "seat", "by", "at", "state", 7, "", "c", "m"))
                holder[name] = self._junk()
            case 6 if isinstance(holder[key], str):
                text = holder[key]
                place = luck.randrange(len(text) + 1)
                holder[key] = text[:place] + luck.choice(_CHARACTERS) + text[place:]
            case _ if isinstance(holder[key], int | float) and not isinstance(holder[key], bool):
                holder[key] += luck.choice((-1, 1, 0.5, -1e-9, 1e6))
            case _:
                holder[key] = [holder[key]]

    def _junk(self) -> Any:
        return copy.deepcopy(self.luck.choice(_JUNK))

    def _place(self, tree: Any) -> tuple[Any, Any]:
        """Somewhere in a message: what holds the value, and under which key or number."""
        holder, key = tree, None
        while isinstance(holder, dict | list) and holder:
            keys = list(holder) if isinstance(holder, dict) else range(len(holder))
            key = self.luck.choice(keys)
            inner = holder[key]
            if not (isinstance(inner, dict | list) and inner) or self.luck.random() < 0.3:
                return holder, key
            holder = inner
        return holder, None
