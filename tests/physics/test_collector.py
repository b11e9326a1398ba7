"""Who loads the physics decides himself what the garbage collector may look at."""

import gc

import pytest

from physics.simulation import spare_the_collector, warm_up


@pytest.fixture
def unfrozen():
    gc.unfreeze()
    yield
    gc.unfreeze()


def test_loading_the_physics_hides_nothing_from_the_collector(unfrozen):
    warm_up()
    assert gc.get_freeze_count() == 0
    spare_the_collector()
    assert gc.get_freeze_count() > 0
