"""A worker plays for months: a shot leaves nothing behind, in Bullet neither."""

import ctypes
import gc

import pytest

from server.shots import ShotJob, play, warm_up
from shared_rules.state import Stroke
from shared_rules.table import Position

_FIELDS = ("arena", "ordblks", "smblks", "hblks", "hblkhd", "usmblks", "fsmblks", "uordblks",
           "fordblks", "keepcost")  # fmt: skip


class _Mallinfo(ctypes.Structure):
    _fields_ = [(name, ctypes.c_size_t) for name in _FIELDS]


def _in_use() -> int:
    """Bytes that malloc has given out and not got back.

    Raises:
        OSError, AttributeError: it can't be said here.
    """
    ask = ctypes.CDLL("libc.so.6").mallinfo2
    ask.restype = _Mallinfo
    return int(ask().uordblks)


@pytest.mark.parametrize(
    ("balls", "heading_deg", "elevation_deg"),
    [
        ({0: Position(-0.5, 0.0)}, 90.0, 0.5),  # cushions
        ({0: Position(-0.5, 0.0), 1: Position(0.0, 0.01)}, 0.0, 0.5),  # a lone pair
        ({0: Position(-0.5, 0.0)}, 0.0, 45.0),  # off the bed
        ({0: Position(0.9, 0.3), 1: Position(1.1, 0.5)}, 45.0, 0.5),  # a pocket
    ],
    ids=["cushions", "pair", "jump", "pocket"],
)
def test_a_shot_leaves_nothing_behind(
    balls: dict[int, Position], heading_deg: float, elevation_deg: float
) -> None:
    try:
        _in_use()
    except (OSError, AttributeError):
        pytest.skip("needs mallinfo2 of glibc")
    stroke = Stroke(speed=2.0, heading_deg=heading_deg, elevation_deg=elevation_deg)
    job = ShotJob(preset="9ft", balls=balls, strokes=((0, 0.0, stroke),))
    warm_up()
    for _ in range(100):
        play(job)
    gc.collect()
    before = _in_use()
    for _ in range(300):
        play(job)
    gc.collect()
    assert _in_use() - before < 300 * 8  # bytes; a leak would be 32 a contact at least
