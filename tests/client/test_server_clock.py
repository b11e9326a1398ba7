"""The remaining time that is shown, on long and uneven lines, whatever one's own clock says."""

import random

import pytest
from msgspec.structs import replace

from client.hud.describe import _clock as hud_clock
from client.net.pings import EVERY_S, FIRST_S
from client.net.server_clock import ServerClock
from client.words import say
from shared_rules.state import ShotClock
from tests.client import builders

DEADLINE = 1000.0


def _worst_error_s(up: float, down: float, jitter: float, off: float, seconds: float) -> float:
    """Play with a client whose local clock is ``off`` by so much; the greatest error it shows."""
    chance = random.Random(f"{up}{down}{jitter}{off}")
    clock = ServerClock()

    def way(mean: float) -> float:
        return mean + chance.uniform(0.0, jitter)

    def local(server: float) -> float:
        return server + off

    start = 500.0
    received = start + way(down)
    clock.begin(local(received), start)
    pings = [start + 0.3 + s for s in FIRST_S]
    while pings[-1] < start + seconds:
        pings.append(pings[-1] + EVERY_S)
    worst = 0.0
    answered = received
    for sent in pings:
        arrived = sent + way(up)
        answered = max(answered, arrived + way(down))
        clock.pong(local(sent), local(answered), arrived)
        for later in (answered, answered + 0.5, answered + EVERY_S):
            shown = DEADLINE - clock.now(local(later))
            worst = max(worst, abs(shown - (DEADLINE - later)))
    return worst


@pytest.mark.parametrize("off", [-90.0, 0.0, 90.0, 1e6])
@pytest.mark.parametrize(
    ("up", "down"), [(0.15, 0.15), (0.02, 0.28), (0.28, 0.02), (0.3, 0.0), (0.01, 0.01)]
)
def test_br_076_the_time_shown_is_the_servers_within_250_ms(
    up: float, down: float, off: float
) -> None:
    """300 ms to and fro, uneven and with jitter; the client's own clock is off by 90 s."""
    assert _worst_error_s(up, down, 0.04, off, seconds=120.0) <= 0.25


@pytest.mark.parametrize(
    ("purpose", "left", "urgent"),
    [("shot", 11.0, False), ("shot", 10.0, True), ("shot", 1.0, True), ("time_out", 5.0, False)],
)
def test_br_078_the_hud_warns_ten_seconds_before_the_shot_clock_ends(
    purpose: str, left: float, urgent: bool
) -> None:
    """And names the clock that runs; a time-out that ends costs nothing."""
    there = builders.state()
    clock = replace(
        there.clock,
        purpose=purpose,
        deadline=100.0 + left,
        shot_clock=ShotClock(limit_s=35.0),
    )
    face = hud_clock(replace(there, clock=clock), 100.0, "en")
    assert face is not None
    assert (face.seconds, face.urgent) == (left, urgent)
    assert face.purpose == say("en", f"clock_{purpose}")


def test_br_078_the_hud_shows_the_extension_beside_the_shot_clock_until_it_is_used() -> None:
    there = replace(builders.state(), shooter=1)
    limit = ShotClock(limit_s=30.0, extension_s=25.0)
    clock = replace(there.clock, purpose="shot", deadline=130.0, shot_clock=limit)
    face = hud_clock(replace(there, clock=clock), 100.0, "en")
    assert face is not None and face.seconds == 30 and "+25 s" in face.purpose
    used = replace(clock, deadline=155.0, extended=(False, True))
    face = hud_clock(replace(there, clock=used), 100.0, "en")
    assert face is not None and face.seconds == 55 and "+" not in face.purpose
    assert face.share == 1.0
