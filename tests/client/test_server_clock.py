"""The remaining time that is shown, on long and uneven lines, whatever one's own clock says."""

import random

import pytest

from client.net.server_clock import ServerClock
from client.net.session import FIRST_PINGS_S, PING_EVERY_S

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
    pings = [start + 0.3 + s for s in FIRST_PINGS_S]
    while pings[-1] < start + seconds:
        pings.append(pings[-1] + PING_EVERY_S)
    worst = 0.0
    answered = received
    for sent in pings:
        arrived = sent + way(up)
        answered = max(answered, arrived + way(down))
        clock.pong(local(sent), local(answered), arrived)
        for later in (answered, answered + 0.5, answered + PING_EVERY_S):
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
