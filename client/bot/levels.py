"""How well a bot plays: it chooses as well as it can and misses as people do, by hand and speed."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Level:
    """Strength of a bot.

    Attributes:
        name: for people.
        aim_deg: standard deviation of the heading, degrees.
        speed: standard deviation of the speed, as a part of it.
        lag_speed: the same in the lag, which people play with more care.
        break_speed: speed of the cue in the break, m/s.
        thought: how many strokes it tries in its head before it chooses one.
    """

    name: str
    aim_deg: float
    speed: float
    lag_speed: float
    break_speed: float
    thought: int


LEVELS: dict[int, Level] = {
    1: Level("beginner", 1.20, 0.15, 0.060, 5.5, 60),
    2: Level("pub player", 0.60, 0.10, 0.035, 6.5, 90),
    3: Level("league player", 0.28, 0.07, 0.020, 7.0, 140),
    4: Level("champion", 0.10, 0.04, 0.010, 7.5, 200),
    5: Level("machine", 0.01, 0.01, 0.002, 8.0, 260),
}
DEFAULT_LEVEL = 3
