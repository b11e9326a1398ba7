"""Which stroke to play: pots corrected for throw and tried out, kicks when no pot is on."""

import math
import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from client.bot.goal import Goal, apex, goes_on
from client.bot.imagine import PLAIN, Imagination, Imagined, Manner
from client.bot.levels import Level
from client.bot.straight import SAFETY, opening, worth_of_rack
from physics.pots import Pot, angle_between, ghost_for, heading, pots_on
from shared_rules.balls import CUE
from shared_rules.state import Call
from shared_rules.table import Position
from shared_rules.verdict import Reracks, Wins

TIPS = ((0.0, 0.0), (0.0, 0.3), (0.0, -0.3))
POT_SPEEDS = (1.0, 1.7, 2.8)
KICK_SPEEDS = (2.2, 3.6)
NEAR_M = 0.08
"""A ball with a smaller gap to the cue ball is within reach of a firm follow-through."""
JACKED_UP = Manner(raised_deg=40.0)
"""Raised so far, the cue is thrown back by the blow and doesn't meet the cue ball again."""
HELD_BACK = Manner(held_back=True)
"""Stopped as soon as an arm can, the cue may not come so far."""
NEAR_KICKS = ((0.8, PLAIN), (1.4, HELD_BACK), (1.4, JACKED_UP), (2.6, JACKED_UP))
"""Speeds and manners that are tried too where a ball is near."""
KICKS_SHAKEN = 6
SHAKES = ((-1.0, 1.0), (1.0, -1.0))
"""Errors of heading and speed, in standard deviations, with which a stroke is tried again."""
POTS_TRIED = 5
SAFE_BELOW = 0.4
"""In a game of points a pot that is made less often is weighed against a safety."""


@dataclass(frozen=True)
class Planned:
    """A stroke as it is meant, before the hand shakes, and how often it should come off (0-1).

    ``call``: what has to be called for it.
    """

    speed: float
    heading_deg: float
    tip: tuple[float, float]
    chance: float
    value: float
    call: Call | None = None
    manner: Manner = PLAIN


class Strokes:
    """Chooses strokes for one bot on one table."""

    def __init__(self, imagination: Imagination, level: Level, dice: random.Random) -> None:
        self.imagination = imagination
        self.level = level
        self.dice = dice
        self.spec = imagination.world.table

    # --- for each kind of moment ----------

    def best(self, balls: Mapping[int, Position], goal: Goal) -> Planned:
        """The stroke to play."""
        if goal.calls and goal.situation.is_break:
            return opening(self, balls, goal)
        left = self.level.thought
        best: Planned | None = None
        for pot in self._pots(balls, goal)[:POTS_TRIED]:
            for speed in POT_SPEEDS:
                if left <= 0:
                    break
                planned, used = self._try_pot(balls, goal, pot, speed)
                left -= used
                if planned is not None and (best is None or planned.value > best.value):
                    best = planned
        if best is None or best.chance < (SAFE_BELOW if goal.scores else 0.15):
            kick = self._kick(balls, goal, max(left, self.level.thought // 2))
            if best is None or kick.value > best.value:
                best = kick
        return best

    def best_chance(self, balls: Mapping[int, Position], goal: Goal) -> float:
        """How often the best pot should come off."""
        pots = self._pots(balls, goal)
        return max((self.geometric_chance(p) for p in pots), default=0.0)

    def best_place(
        self, balls: Mapping[int, Position], places: Sequence[Position], goal: Goal
    ) -> tuple[Position, Planned]:
        """Of some places for the cue ball the one to shoot from, and the stroke from there."""

        def ease(at: Position) -> float:
            pots = self._pots({**balls, CUE: at}, goal)
            return max((p.slack_deg for p in pots), default=0.0)

        ranked = sorted(places, key=ease, reverse=True)[:2]
        tried = [(at, self.best({**balls, CUE: at}, goal)) for at in ranked]
        return max(tried, key=lambda t: t[1].value)

    def break_stroke(self, balls: Mapping[int, Position]) -> Planned:
        """Full into the head ball, a little above centre."""
        aim = heading(balls[CUE], balls[apex(balls)])
        return Planned(self.level.break_speed, aim, (0.0, 0.05), 1.0, 1.0)

    def push_out(self, balls: Mapping[int, Position], goal: Goal) -> Planned:
        """A soft stroke that keeps the cue ball on the table and shows the lowest ball little."""
        best: Planned | None = None
        for _ in range(24):
            aim = self.dice.uniform(-180.0, 180.0)
            speed = self.dice.uniform(0.5, 1.6)
            seen = self.imagination.try_stroke(balls, speed, aim)
            if seen.pocketed or goal.judge(seen, None).fouls:
                continue
            shaken = self.shaken(balls, speed, aim, (0.0, 0.0))
            if any(goal.judge(s, None).fouls for s in shaken):
                continue
            # A hard pot is meant: one that the opponent does not like and we can still play.
            value = -abs(self.best_chance(seen.balls, goal) - 0.3)
            if best is None or value > best.value:
                best = Planned(speed, aim, (0.0, 0.0), 1.0, value)
        return best or Planned(0.3, self.dice.uniform(-180.0, 180.0), (0.0, 0.0), 1.0, -1.0)

    def lag_speed(self, at: Position, ball: int) -> float:
        """Cue speed that sends the ball to the foot cushion and back to the head cushion, m/s."""
        low, high = 0.8, 4.5
        for _ in range(14):
            middle = (low + high) / 2
            seen = self.imagination.try_stroke({ball: at}, middle, 0.0, ball=ball)
            # One rail: it has come back part of the way; two: it reached the head cushion.
            if seen.rails >= 2 or seen.scratch or ball in seen.pocketed:
                high = middle
            else:
                low = middle
        return low

    # --- pots ----------

    def _pots(self, balls: Mapping[int, Position], goal: Goal) -> list[Pot]:
        """Direct pots of the balls that keep one at the table, the easiest first."""
        found = [pot for ball in goal.wanted for pot in pots_on(balls, ball, self.spec)]
        return sorted(found, key=lambda pot: -pot.slack_deg)

    def _try_pot(
        self, balls: Mapping[int, Position], goal: Goal, pot: Pot, speed: float
    ) -> tuple[Planned | None, int]:
        """The best of the tips at a pot and speed, and how many strokes were tried."""
        best: Planned | None = None
        used, call = 0, goal.call_of(pot.ball, pot.pocket)
        near = (HELD_BACK, JACKED_UP) if self._is_near(balls, pot.ball) else ()
        ways = [*((tip, PLAIN) for tip in TIPS), *(((0.0, 0.0), manner) for manner in near)]
        for tip, manner in ways:
            aim = self._corrected(balls, pot, speed, tip, manner)
            used += 2
            if aim is None:
                continue
            seen = self.imagination.try_stroke(balls, speed, aim, tip, manner=manner)
            used += 1
            if not goes_on(goal.judge(seen, call)):
                continue
            made = [seen, *self.shaken(balls, speed, aim, tip, manner)]
            used += len(SHAKES)
            good = [s for s in made if goes_on(goal.judge(s, call))]
            chance = len(good) / len(made) * 0.5 + 0.5 * self.geometric_chance(pot)
            value = sum(self.worth(s, goal, call) for s in made) / len(made) + chance
            if best is None or value > best.value:
                best = Planned(speed, aim, tip, chance, value, call, manner)
        return best, used

    def _is_near(self, balls: Mapping[int, Position], ball: int) -> bool:
        """Whether the cue, played at this ball, might meet the cue ball again."""
        reach = self.spec.ball.radius + self.spec.cue_ball.radius + NEAR_M
        return math.dist(balls[CUE], balls[ball]) < reach

    def _corrected(
        self, balls: Mapping[int, Position], pot: Pot, speed: float, tip: tuple[float, float],
        manner: Manner,
    ) -> float | None:  # fmt: skip
        """Heading that drives the ball at the pocket, throw and swerve taken into account."""
        reach = self.spec.ball.radius + self.spec.cue_ball.radius
        meant, aim = pot.drive_deg, pot.heading_deg
        for _ in range(2):
            seen = self.imagination.try_stroke(balls, speed, aim, tip, manner=manner)
            if seen.first != pot.ball or seen.departure_deg is None:
                return None
            if pot.ball in seen.pocketed and not seen.scratch:
                return aim
            meant += angle_between(pot.drive_deg, seen.departure_deg)
            aim = heading(balls[CUE], ghost_for(balls[pot.ball], meant, reach))
        return aim

    def shaken(
        self, balls: Mapping[int, Position], speed: float, aim: float, tip: tuple[float, float],
        manner: Manner = PLAIN,
    ) -> list[Imagined]:  # fmt: skip
        """What comes of a stroke when the hand errs by its usual measure."""
        return [
            self.imagination.try_stroke(
                balls,
                speed * (1.0 + faster * self.level.speed),
                aim + off * self.level.aim_deg,
                tip,
                manner=manner,
            )
            for off, faster in SHAKES
        ]

    def geometric_chance(self, pot: Pot) -> float:
        """Chance that a normal aiming error stays within the slack of a pot."""
        sigma = max(self.level.aim_deg, 0.02)
        return math.erf(pot.slack_deg / (sigma * math.sqrt(2)))

    def worth(self, seen: Imagined, goal: Goal, call: Call | None) -> float:
        """What the table is worth after a stroke, from the shooter's side."""
        verdict = goal.judge(seen, call)
        if isinstance(verdict.next, Wins):
            return 5.0 if verdict.next.who == "shooter" else -5.0
        if verdict.fouls:
            return -1.0
        if isinstance(verdict.next, Reracks):
            return 1.0 + worth_of_rack(self, seen.balls, goal)
        if CUE not in seen.balls or len(seen.balls) < 2:
            return 0.0
        chance = self.best_chance(seen.balls, goal.after(seen, verdict))
        return 1.0 + chance if goes_on(verdict) else -chance

    # --- kicks ----------

    def _kick(self, balls: Mapping[int, Position], goal: Goal, tries: int) -> Planned:
        """The best of strokes all round, straight ones at the balls first; called as a safety.

        At a ball that is near, soft strokes, ones held back or with the butt up are tried too.

        The most promising are tried with a shaking hand too, so that one is chosen that stays
        legal and keeps the cue ball, not one that does so by a hair.
        """
        direct = [self._bearing(balls, ball) for ball in goal.targets]
        call = SAFETY if goal.calls else None
        plain = [(speed, PLAIN) for speed in KICK_SPEEDS]
        seen: list[tuple[float, float, float, Manner]] = []
        for k in range(max(tries - KICKS_SHAKEN * len(SHAKES), 8)):
            if k < tries // 4:
                turn, which = divmod(k, len(direct))
                middle, half = direct[which]
                aim = middle + half * self.dice.uniform(-1.0, 1.0)
                near = self._is_near(balls, goal.targets[which])
                ways = [*plain, *NEAR_KICKS] if near else plain
                speed, manner = ways[turn % len(ways)]
            else:
                aim = direct[0][0] + 360.0 * self.dice.random()
                speed, manner = plain[k % len(plain)]
            came = self.imagination.try_stroke(balls, speed, aim, manner=manner)
            seen.append((self.worth(came, goal, call), speed, aim, manner))
        seen.sort(key=lambda tried: tried[:3], reverse=True)
        best: Planned | None = None
        for value, speed, aim, manner in seen[:KICKS_SHAKEN]:
            shaken = self.shaken(balls, speed, aim, (0.0, 0.0), manner)
            mean = (value + sum(self.worth(s, goal, call) for s in shaken)) / (1 + len(shaken))
            if best is None or mean > best.value:
                best = Planned(speed, aim, (0.0, 0.0), 0.1, mean, call, manner)
        assert best is not None
        return replace(best, value=best.value - 0.3)

    def _bearing(self, balls: Mapping[int, Position], ball: int) -> tuple[float, float]:
        """Direction of a ball from the cue ball, and how far off it a stroke still hits (deg)."""
        reach = self.spec.ball.radius + self.spec.cue_ball.radius
        way = math.dist(balls[CUE], balls[ball])
        return heading(balls[CUE], balls[ball]), math.degrees(math.asin(min(1.0, reach / way)))
