"""What the garbage collector is left to do while a server runs."""

import gc
import weakref

from server.speed import Departures


class _Cycle:
    def __init__(self) -> None:
        self.itself = self


def test_everything_is_looked_through_after_many_have_gone() -> None:
    gc.disable()
    try:
        gone = weakref.ref(_Cycle())
        departures = Departures(most=3)
        for _ in range(2):
            departures.one_more()
        assert gone() is not None
        departures.one_more()
        assert gone() is None
        later = weakref.ref(_Cycle())
        departures.one_more()
        assert later() is not None, "the count begins anew"
    finally:
        gc.enable()
