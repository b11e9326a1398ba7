"""What a ruleset says of the limits of a report, as server and bots are told it."""

import inspect

from client.bot.brain import Brain
from client.bot.levels import LEVELS
from physics.simulation import simulate
from server.shots import job_of
from shared_rules.limits import Limits, limits_of
from shared_rules.ruleset import make_ruleset
from shared_rules.state import Phase, RunningShot
from tests.client.builders import description, state

LOOSE = make_ruleset(
    "nine_ball_epbf",
    {
        "tolerance": {
            "tie_ms": 2.0, "frozen_mm": 0.3, "leaves_rail_mm": 1.0, "push_ms": 6.0,
            "graze_deg": 60.0,
        },
        "jump": {"tip_rule": "none"},
    },
)  # fmt: skip
MEANT = Limits(0.002, 3e-4, 0.001, 0.006, 60.0, False)


def test_physics_takes_them_by_their_names_and_has_the_same_defaults():
    taken = inspect.signature(simulate).parameters
    assert {k: taken[k].default for k in Limits().arguments()} == Limits().arguments()
    assert limits_of(make_ruleset("nine_ball_epbf")) == Limits()


def test_server_and_bot_are_told_the_same():
    assert limits_of(LOOSE) == MEANT
    match = description(ruleset=LOOSE)
    running = RunningShot(
        number=1, shooter=0, strokes=(), started_at=0.0, balls_before={},
        phase_before=Phase.AWAIT_SHOT, hand_before="none",
    )  # fmt: skip
    shot = state(Phase.SHOT_RUNNING, description=match, running=running)
    assert job_of(shot).limits == MEANT
    brain = Brain(LEVELS[1], seed=1)
    brain.decide(state(description=match), 0)
    assert brain.strokes.imagination.limits == MEANT
