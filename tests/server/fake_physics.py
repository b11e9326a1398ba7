"""Physics for tests of the server: what a stroke does is read off its speed.

Fast and the same every time; runs inline or in a worker (``tests.server.fake_physics:play``).
"""

import hashlib
import os
import time
from pathlib import Path

from server.pool import ShotFailed
from server.shots import ShotJob, ShotResult
from shared_rules.balls import CUE, LAG_A, LAG_B
from shared_rules.events import (
    BallBall,
    CrossesHeadString,
    CueStrike,
    Event,
    Pocketed,
    RailContact,
    Rest,
)
from shared_rules.table import Position

MISS = 1.0  # touches nothing: a foul
SAFE = 2.0  # first contact and a rail: the turn passes
POT = 3.0  # pots the lowest ball
HIGH = 3.5  # pots the highest ball but the nine, on the lowest
NINE = 4.0  # pots the nine on the lowest ball: the game is won
BREAK = 8.0  # a fair break, nothing falls
VANISH = 1.5  # a ball is gone without having fallen: the rules can't make sense of it
DIES = 0.25  # the process that simulates it dies
HANGS = 0.5  # it never ends
DIES_ONCE = 0.75  # dies, but only while the file HEADSTRING_TEST_FLAG names exists

DURATION = 0.3
SLOW_DEG = 90.0  # a stroke in this direction takes ten times as long
ENDLESS_DEG = -90.0  # and in this one a hundred times


def play(job: ShotJob) -> ShotResult:
    """See the module's names for speeds."""
    if LAG_A in job.balls:
        return _lag(job)
    _, _, stroke = job.strokes[0]
    _faults(stroke.speed)
    balls = dict(job.balls)
    lowest = min(ball for ball in balls if ball != CUE)
    events: list[Event] = [CueStrike(at=0.0)]
    if stroke.speed != MISS:
        events.append(BallBall(at=0.05, a=CUE, b=lowest))
    if stroke.speed in (SAFE, POT, HIGH, NINE):
        events.append(RailContact(at=0.1, ball=lowest, rail="foot"))
    if stroke.speed == BREAK:
        events.append(CrossesHeadString(at=0.04, ball=CUE, dir="out"))
        events += [RailContact(at=0.1, ball=ball, rail="foot") for ball in (1, 2, 3, 4, 5)]
        balls[CUE] = Position(-0.3, 0.4)
    highest = max(ball for ball in balls if ball != 9)
    for speed, ball in ((POT, lowest), (HIGH, highest), (NINE, 9)):
        if stroke.speed == speed:
            events.append(Pocketed(at=0.2, ball=ball, pocket="foot_left"))
            balls.pop(ball, None)
    if stroke.speed == VANISH:
        del balls[lowest]
    duration = _duration(stroke.heading_deg)
    events.append(Rest(at=duration))
    return _result(job, events, balls, duration)


def _faults(speed: float) -> None:
    if speed == HANGS:
        time.sleep(60)
    flag = os.environ.get("HEADSTRING_TEST_FLAG", "")
    if speed == DIES or (speed == DIES_ONCE and flag and Path(flag).exists()):
        os._exit(3)


def _lag(job: ShotJob) -> ShotResult:
    """The faster stroke comes to rest nearer: its gap is 100 mm less 10 mm a m/s."""
    events: list[Event] = []
    for ball, at, _ in job.strokes:
        events.append(CueStrike(at=at, ball=ball))
    for ball, _, _ in job.strokes:
        events.append(RailContact(at=0.1, ball=ball, rail="foot"))
    balls = dict(job.balls)
    for ball, _, stroke in job.strokes:
        gap = 100.0 - 10.0 * stroke.speed
        events.append(Rest(at=DURATION, ball=ball, gap_to_head_cushion_mm=gap))
        y = 0.3 if ball == LAG_A else -0.3
        balls[ball] = Position(-1.27 + 0.028575 + gap / 1000, y)
    assert set(balls) == {LAG_A, LAG_B}
    heading = job.strokes[0][2].heading_deg
    return _result(job, events, balls, _duration(heading))


def _duration(heading_deg: float) -> float:
    return DURATION * {SLOW_DEG: 10, ENDLESS_DEG: 100}.get(heading_deg, 1)


def _result(
    job: ShotJob, events: list[Event], balls: dict[int, Position], duration: float = DURATION
) -> ShotResult:
    digest = hashlib.sha256(repr(job).encode()).digest()
    return ShotResult(b"fake" + digest, tuple(events), balls, duration)


class InlinePool:
    """Plays shots at once in the server's own process."""

    def __init__(self) -> None:
        self.jobs: list[ShotJob] = []

    @property
    def living(self) -> int:
        return 1

    @property
    def waiting(self) -> int:
        return 0

    @property
    def restarts(self) -> int:
        return 0

    async def start(self) -> None:
        pass

    async def run(self, job: object) -> ShotResult:
        assert isinstance(job, ShotJob)
        self.jobs.append(job)
        if job.strokes[0][2].speed in (DIES, HANGS):
            raise ShotFailed("the physics worker died")
        return play(job)

    async def close(self) -> None:
        pass
