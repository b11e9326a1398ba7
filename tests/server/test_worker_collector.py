"""A worker plays shots for good, so no full collection may hold one up."""

import gc

from server import shots


def test_a_worker_that_is_warm_spares_the_collector():
    gc.unfreeze()
    try:
        shots.warm_up()
        assert gc.get_freeze_count() > 0
    finally:
        gc.unfreeze()
