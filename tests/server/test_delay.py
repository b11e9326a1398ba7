"""How long a line is and what it is credited: honest lines get their time, kept pongs little."""

import random
from dataclasses import dataclass

import pytest

from server.delay import CreditLimits, DelayCredit, LineDelay

LIMITS = CreditLimits()


@dataclass(frozen=True)
class Line:
    """Delays up and down with jitter, milliseconds."""

    up: float
    down: float
    jitter: float

    def way(self, chance: random.Random, mean: float) -> float:
        return (mean + chance.uniform(0, self.jitter)) / 1000


LINES = [
    Line(up, down, jitter)
    for up, down, jitter in (
        (10, 10, 5), (20, 20, 20), (50, 50, 20), (100, 100, 40), (150, 150, 30),
        (20, 200, 20), (200, 20, 20), (30, 260, 30), (150, 50, 50),
    )
]  # fmt: skip


def _measured(line: Line, chance: random.Random, pings: int) -> LineDelay:
    delay = LineDelay()
    for _ in range(pings):
        delay.measured(line.way(chance, line.up) + line.way(chance, line.down))
    return delay


@pytest.mark.parametrize("line", LINES, ids=str)
@pytest.mark.parametrize("pings", [1, 5, 60])
def test_what_is_sent_in_time_counts_whatever_the_line(line: Line, pings: int) -> None:
    """Sent at the last instant by the server's clock: it comes one way late, within the credit."""
    chance = random.Random(f"{line}{pings}")
    for _ in range(300):
        delay = _measured(line, chance, pings)
        credit = DelayCredit(LIMITS).available(0, delay)
        assert line.way(chance, line.up) <= credit


def test_a_whole_match_at_the_last_instant_on_a_line_of_300_ms() -> None:
    """A quarter of the turns are struck at the last instant, and all of them count."""
    chance = random.Random(7)
    line = Line(150, 150, 30)
    credit, delay = DelayCredit(LIMITS), _measured(line, chance, 5)
    for turn in range(400):
        if turn % 4 == 0:
            late = line.way(chance, line.up)
            assert late <= credit.available(0, delay), turn
            credit.spend(0, late)
        credit.refill(0)


@pytest.mark.parametrize("turns", [1, 10, 200])
def test_a_client_that_keeps_its_pongs_back_gains_at_most_the_quota(turns: int) -> None:
    credit, delay = DelayCredit(LIMITS), LineDelay()
    for _ in range(50):
        delay.measured(10.0)
    gained = 0.0
    for _ in range(turns):
        late = credit.available(1, delay)
        assert late <= LIMITS.most_s
        credit.spend(1, late)
        credit.refill(1)
        gained += late
    assert gained <= LIMITS.quota_s + turns * LIMITS.gain_s + 1e-9
    assert credit.available(0, delay) == LIMITS.most_s  # the other's is untouched


def test_only_what_was_needed_is_spent_and_a_turn_gives_back_no_more_than_the_quota() -> None:
    credit, delay = DelayCredit(CreditLimits(most_s=0.5, quota_s=0.6, gain_s=0.2)), LineDelay()
    delay.measured(1.0)
    credit.spend(0, 0.25)
    assert credit.available(0, delay) == pytest.approx(0.35)
    for _ in range(9):
        credit.refill(0)
    assert credit.available(0, delay) == 0.5


def test_no_credit_before_the_line_is_measured_or_without_one_or_where_there_is_none() -> None:
    delay = LineDelay()
    assert DelayCredit(LIMITS).available(0, delay) == 0.0
    assert DelayCredit(LIMITS).available(0, None) == 0.0
    delay.measured(0.2)
    assert DelayCredit(CreditLimits(most_s=0.0)).available(0, delay) == 0.0


def test_one_ping_that_was_stuck_is_soon_forgotten() -> None:
    delay = LineDelay()
    for trip in [0.04] * 20 + [30.0] + [0.04] * 25:
        delay.measured(trip)
    assert delay.round_trip_s is not None and delay.round_trip_s < 0.06
    assert delay.allowance_s < 0.15


def test_the_quality_changes_only_for_a_clear_change() -> None:
    delay = LineDelay()
    told = [delay.measured(trip) for trip in [0.02] * 5 + [0.095, 0.105] * 40]
    assert not any(told) and delay.quality == 0
    told = [delay.measured(0.2) for _ in range(60)]
    assert told.count(True) == 1 and delay.quality == 1
    told = [delay.measured(0.9) for _ in range(60)]
    assert told.count(True) == 2 and delay.quality == 3
    told = [delay.measured(0.01) for _ in range(60)]
    assert told[-1] is False and delay.quality == 0
