"""A whole rack of each discipline, played through the interface: mouse and keys alone."""

import pytest

from shared_rules.presets import PRESETS
from shared_rules.ruleset import make_ruleset
from shared_rules.state import Phase
from tests.client.rack_player import RackPlayer

SHORT = {"straight_pool": {"target": 15}}
MOST_RACKS = 6
"""Who never has the cue ball in hand in one plays another."""


@pytest.mark.parametrize("preset", PRESETS)
def test_a_rack_from_the_lag_to_its_end(driven, preset):
    rules = make_ruleset(preset, SHORT.get(preset, {}))
    d = driven(description={"ruleset": rules}, size=(1280, 720))
    player = RackPlayer(d)
    for _ in range(MOST_RACKS):
        player.rack()
        done = {"strike", "place_cue", "choose"} <= set(player.done)
        if done or d.state.phase is Phase.MATCH_OVER:
            break
    assert {"strike", "place_cue"} <= set(player.done), player.done
    assert not d.table.refusals, d.table.refusals[-1]
