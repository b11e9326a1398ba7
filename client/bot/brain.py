"""What a bot does next: one command for the phase that the match is in.

It decides from the public state alone, as a person does, and its hand shakes by its level.
"""

import random
from collections.abc import Mapping

from client.bot.cue_ball import area_end, places_for, places_to_break
from client.bot.goal import Goal, goal_of
from client.bot.imagine import PLAIN, Imagination, Manner
from client.bot.levels import Level
from client.bot.strokes import Planned, Strokes
from shared_rules.allowed import allowed
from shared_rules.balls import CUE, LAG_A, LAG_B
from shared_rules.calls import spottable
from shared_rules.clocks import DECISION_PHASES, SHOT_PHASES
from shared_rules.commands import (
    Actor,
    CallSafety,
    CallShot,
    Choose,
    DeclarePushOut,
    DeclareSnooker,
    PlaceCue,
    PlayerCommand,
    RequestSpot,
    Strike,
)
from shared_rules.limits import limits_of
from shared_rules.state import MatchState, Option, Phase, Seat, Stroke
from shared_rules.table import Position

LIKED = (
    Option.BREAK,
    Option.BALL_IN_HAND_ANYWHERE,
    Option.BALL_IN_HAND_HEAD,
    Option.ACCEPT_TABLE,
    Option.SPOT_8_AND_CONTINUE,
    Option.SPOT_8_BALL_IN_HAND_HEAD,
    Option.CUE_IN_POSITION,
    Option.CUE_IN_HAND_BAULK,
    Option.RERACK_SELF_BREAKS,
)
DECLINING = {
    Phase.DECIDE_AFTER_PUSH_OUT: Option.PASS_BACK,
    Phase.DECIDE_REBREAK: Option.REQUIRE_REBREAK,
}
"""What one chooses who does not like the table that he could accept."""
WORTH_PLAYING = 0.35
"""A pot that is made less often than this is worth a push-out, and passing back."""


def has_to_act(state: MatchState, seat: Seat) -> bool:
    """Whether the match waits for a player."""
    if state.phase is Phase.LAG:
        return state.lag is not None and not state.lag.struck[seat]
    if state.phase in DECISION_PHASES:
        return state.decider == seat
    if state.phase is Phase.PLACE_CUE_FOR_BREAK:
        return state.shooter == seat and state.racked
    return state.phase in SHOT_PHASES and state.shooter == seat


class Brain:
    """Decides for one player at one table.  The same seed and states give the same decisions."""

    def __init__(
        self,
        level: Level,
        seed: int | None,
        preset: str = "9ft",
        worth_playing: float = WORTH_PLAYING,
    ) -> None:
        """Raises:
        ValueError: this build does not know the table.
        """
        self.level = level
        self.worth_playing = worth_playing
        self.hand = random.Random(seed)
        self.strokes = Strokes(Imagination(preset), level, random.Random(self.hand.random()))
        self._planned: tuple[dict[int, Position], Planned] | None = None

    def decide(self, state: MatchState, seat: Seat, refused: int = 0) -> PlayerCommand | None:
        """The next command, or None if nothing is to be done.

        ``refused``: how many of this bot's commands were refused in this state; it then tries
        something else.
        """
        if not has_to_act(state, seat):
            return None
        self.strokes.imagination.limits = limits_of(state.description.ruleset)
        if state.phase is Phase.LAG:
            return self._lag(state, seat)
        if state.phase in DECISION_PHASES:
            return self._choose(state, seat, refused)
        goal = goal_of(state, seat)
        if state.cue_in_hand != "none" and not state.cue_placed:
            return self._place(state, seat, goal, refused)
        return self._shoot(state, seat, goal)

    def _lag(self, state: MatchState, seat: Seat) -> Strike:
        assert state.lag is not None
        ball = LAG_A if seat == 0 else LAG_B
        speed = self.strokes.lag_speed(state.lag.balls[seat], ball)
        speed *= 1.0 + self.hand.gauss(0.0, self.level.lag_speed)
        off = self.hand.gauss(0.0, min(self.level.aim_deg, 0.3))
        at = {ball: state.lag.balls[seat]}
        return Strike(stroke=self._stroke(at, speed, off, (0.0, 0.0), ball=ball))

    def _choose(self, state: MatchState, seat: Seat, refused: int) -> Choose:
        options = list(state.options)
        liked = [o for o in LIKED if o in options] + [o for o in options if o not in LIKED]
        first = self._first_choice(state, seat)
        if first in options:
            liked = [first, *(o for o in liked if o is not first)]
        return Choose(option=liked[refused % len(liked)])

    def _first_choice(self, state: MatchState, seat: Seat) -> Option | None:
        """What the balls themselves advise; None where habit decides."""
        decline = DECLINING.get(state.phase)
        if decline is not None and CUE in state.balls:
            chance = self.strokes.best_chance(state.balls, goal_of(state, seat))
            return Option.ACCEPT_TABLE if chance >= self.worth_playing else decline
        if Option.CUE_IN_HAND_BAULK in state.options and self._better_in_baulk(state, seat):
            return Option.CUE_IN_HAND_BAULK
        return None

    def _better_in_baulk(self, state: MatchState, seat: Seat) -> bool:
        """Whether a pot is easier from some place in baulk than from where the cue ball lies."""
        goal, spec = goal_of(state, seat), self.strokes.spec
        end = state.description.frame.baulk_line
        places = places_for(state, spec, self.hand, goal.wanted, end)
        here = self.strokes.best_chance(state.balls, goal) if CUE in state.balls else 0.0
        return here < max(self.strokes.best_chance({**state.balls, CUE: at}, goal) for at in places)

    def _place(
        self, state: MatchState, seat: Seat, goal: Goal, refused: int
    ) -> PlaceCue | RequestSpot:
        if not refused and RequestSpot in allowed(state, Actor.of(seat)):
            return RequestSpot(ball=spottable(state, seat)[0])
        if state.is_break:
            places = places_to_break(state, self.hand)
            at = places[refused % len(places)]
        else:
            places = places_for(state, self.strokes.spec, self.hand, goal.wanted, area_end(state))
            if refused:
                at = self.hand.choice(places)
            else:
                at, planned = self.strokes.best_place(state.balls, places, goal)
                self._planned = ({**state.balls, CUE: at}, planned)
        return PlaceCue(x=at[0], y=at[1])

    def _shoot(self, state: MatchState, seat: Seat, goal: Goal) -> PlayerCommand:
        if state.is_break and not goal.calls:
            return self._strike(state, self.strokes.break_stroke(state.balls))
        if state.push_out_declared:
            return self._strike(state, self.strokes.push_out(state.balls, goal))
        if DeclareSnooker in allowed(state, Actor.of(seat)):
            return DeclareSnooker()
        planned = self._plan(state, goal)
        if state.push_out_available and planned.chance < self.worth_playing:
            self._planned = None
            return DeclarePushOut(on=True)
        if goal.calls and state.call != planned.call:
            self._planned = (state.balls, planned)  # played once the call has been taken
            return _called(planned)
        return self._strike(state, planned)

    def _plan(self, state: MatchState, goal: Goal) -> Planned:
        if self._planned is not None and self._planned[0] == state.balls:
            return self._planned[1]
        return self.strokes.best(state.balls, goal)

    def _strike(self, state: MatchState, planned: Planned) -> Strike:
        self._planned = None
        heading = planned.heading_deg + self.hand.gauss(0.0, self.level.aim_deg)
        speed = planned.speed * (1.0 + self.hand.gauss(0.0, self.level.speed))
        heading = (heading + 180.0) % 360.0 - 180.0
        return Strike(stroke=self._stroke(state.balls, speed, heading, planned.tip, planned.manner))

    def _stroke(
        self, balls: Mapping[int, Position], speed: float, heading_deg: float,
        tip: tuple[float, float], manner: Manner = PLAIN, ball: int = CUE,
    ) -> Stroke:  # fmt: skip
        """A stroke as the server takes it: the butt over what lies behind, the arm an arm's."""
        imagined = self.strokes.imagination.stroke(
            balls, _bounded(speed), heading_deg, tip, ball, manner
        )
        return Stroke(
            speed=imagined.speed,
            heading_deg=heading_deg,
            elevation_deg=imagined.elevation_deg,
            tip=tip,
            follow_through=imagined.follow_through,
        )


def _called(planned: Planned) -> CallShot | CallSafety:
    call = planned.call
    if call is None or call.ball is None or call.pocket is None:
        return CallSafety()
    return CallShot(ball=call.ball, pocket=call.pocket)


def _bounded(speed: float) -> float:
    return min(max(speed, 0.1), 12.0)
