"""The benchmark of the rules plays whole matches and rebuilds them; its times are no test."""

import pytest

from server.rules_bench import measured
from shared_rules.presets import PRESETS


@pytest.mark.parametrize("preset", PRESETS)
def test_it_measures_every_game(preset):
    report = measured(preset, shots=12)
    assert len(report.judged_ms) == 12 and "12 shots rebuilt" in str(report)
