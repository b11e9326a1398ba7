"""A client at a local table, without a server."""

import pytest

from tests.client.driver import Driven
from tests.client.local_table import LocalTable


@pytest.fixture
def driven():
    made = []

    def make(seat=0, started=True, **changes):
        table = LocalTable(**changes.pop("description", {}))
        driven = Driven(table, seat, **changes)
        made.append(driven)
        if started:
            table.start()
            driven.frames(2)
        return driven

    yield make
    for driven in made:
        driven.close()
