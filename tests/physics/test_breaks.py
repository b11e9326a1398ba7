"""Break statistics: what is counted, and that the command prints it."""

import math
import random

import pytest

from physics.breaks import (
    HEADS,
    BreakStatistics,
    Broken,
    bench_breaks,
    play_break,
    play_breaks,
    pose_break,
)
from physics.rack import DISCIPLINES


def test_what_is_counted():
    dry = Broken((), False, False, 3, 4.0)
    assert not dry.legal
    assert Broken((), False, False, 4, 4.0).legal and Broken((5,), True, False, 0, 4.0).legal
    three = BreakStatistics(
        "nine_ball", (dry, Broken((9,), True, False, 2, 6.0), Broken((1, 2), False, True, 5, 8.0))
    )
    assert three.mean == 1.0 and three.dry == pytest.approx(1 / 3)
    row = dict(zip(HEADS, three.row(), strict=True))
    assert row == {
        "rack": "nine ball",
        "breaks": "3",
        "balls": "1.00",
        "dry": "33 %",
        "scratch": "33.3 %",
        "wing ball": "33.3 %",
        "8 or 9": "33.3 %",
        "to a rail": "3.3",
        "legal": "66.7 %",
        "settle": "6.0 s",
        "cue off": "0.0 %",
        "hop": "0.0 mm",
    }


@pytest.mark.parametrize("discipline", DISCIPLINES)
def test_a_break_is_what_its_seed_says(discipline):
    one, two, other = (play_break(*pose_break(discipline, random.Random(s))) for s in (1, 1, 2))
    assert one == two != other
    assert one.railed > 0 and one.settle_s > 1.0


def test_the_command_prints_every_discipline():
    text = str(bench_breaks(2))
    assert all(d.replace("_", " ") in text for d in DISCIPLINES)
    assert "published" in text


@pytest.mark.parametrize("discipline", DISCIPLINES)
def test_a_raised_cue_breaks_at_the_same_speed_and_the_cue_ball_stays_low(discipline):
    level, raised = (pose_break(discipline, random.Random(3), raised=r)[0] for r in (False, True))
    speed = math.hypot(*next(s for s in level.states if s.ball == 0).vel)
    (blow,) = raised.impulses
    assert math.hypot(*blow.vel) == pytest.approx(speed, rel=1e-9)
    assert 1.0 < math.degrees(math.atan2(-blow.vel[2], math.hypot(*blow.vel[:2]))) < 5.0
    broken = play_breaks(discipline, 10, raised=True).breaks
    assert max(b.hop_mm for b in broken) < 5.0 and not any(b.cue_off for b in broken)
