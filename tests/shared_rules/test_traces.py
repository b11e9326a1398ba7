"""Golden traces: every order of whole matches leads to what it led to when they were played."""

import pytest

from shared_rules.match import apply, new_match, replay
from shared_rules.state import Phase
from tests.traces import FOLDER, MATCHES, after, read

PATHS = sorted(FOLDER.glob("*.jsonl.gz"))


def test_every_recorded_game_is_there():
    assert {path.name.split(".")[0] for path in PATHS} == set(MATCHES)


@pytest.mark.parametrize("path", PATHS, ids=lambda path: path.name.split(".")[0])
def test_a_match_is_judged_as_it_was(path):
    description, steps = read(path)
    state, orders = new_match(description), []
    for order, kept in steps:
        applied = apply(state, order)
        assert after(applied) == kept, (len(orders), order.command)
        state = applied.state
        orders.append(order)
    assert state.phase is Phase.MATCH_OVER
    assert replay(description, orders) == state
