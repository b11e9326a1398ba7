"""Plays a rack as a person does: by what is on the screen, with mouse and keys, never by a command.

What to play is a bot's to say; how it gets onto the screen is here.  The opponent is a bot, too.
"""

import math

from client.bot.brain import Brain
from client.bot.levels import LEVELS
from client.play.aim import COARSE_DEG_PER_PIXEL, FINE_DEG_PER_PIXEL, LEAST_SPEED, MOST_SPEED
from client.play.calling import pocket_places
from client.play.hand import Mode
from shared_rules import commands as c
from shared_rules.commands import Actor
from shared_rules.refusal import Refusal
from shared_rules.state import Phase
from tests.client.driver import Driven

MOST_DONE = 6000
BEHIND_THE_CUE, OVERHEAD = "1", "2"


class RackPlayer:
    """Seat 0 of a table through the client, seat 1 by orders."""

    def __init__(self, driven: Driven, seed: int = 3) -> None:
        self.d = driven
        preset = driven.state.description.frame.preset
        self.mine = Brain(LEVELS[5], seed, preset)
        self.other = Brain(LEVELS[1], seed + 1, preset)  # who fouls now and then
        self.done: list[str] = []
        """The kinds of commands that were given by hand."""
        self._refused = (-1, 0)

    def rack(self) -> None:
        """Play until a game is over."""
        before = sum(self.d.state.games)
        for _ in range(MOST_DONE):
            state = self.d.state
            if sum(state.games) > before or state.phase is Phase.MATCH_OVER:
                return
            if self.other_s_turn():
                continue
            refused = self._refused[1] if self._refused[0] == state.version else 0
            wanted = self.mine.decide(state, 0, refused)
            if wanted is None or self.d.app.mode is Mode.WAIT:
                self.d.frames(1, 0.2)
                continue
            self.do(wanted)
            if self.d.state.version == state.version:
                self._refused = (state.version, refused + 1)
            self.d.frames(2)
        raise AssertionError(f"the rack doesn't end: {self.d.state.phase}, {self.done[-20:]}")

    def other_s_turn(self) -> bool:
        """Whether the opponent had to do something, and has."""
        state = self.d.state
        for refused in range(12):
            command = self.other.decide(state, 1, refused)
            if command is None:
                return False
            try:
                self.d.table.order(Actor.SEAT_1, command)
            except Refusal:
                continue
            self.d.frames(2)
            return True
        return False

    # --- what a person does ----------

    def do(self, wanted) -> None:
        """Get a command onto the screen and give it."""
        self.done.append(wanted.__struct_config__.tag)
        match wanted:
            case c.Strike(stroke=stroke):
                self.strike(stroke)
            case c.PlaceCue(x=x, y=y):
                self.place(x, y)
            case c.Choose(option=option):
                self.d.push(f"choose:{option.value}")
            case c.CallShot(ball=ball, pocket=pocket):
                self.call(ball, pocket)
            case c.CallSafety():
                self.d.key("j")
            case c.DeclarePushOut():
                self.d.key("p")
            case c.DeclareSnooker():
                self.d.key("n")
            case c.RequestSpot():
                self.d.key("o")
            case other:
                raise AssertionError(f"there are no hands for {other}")

    def strike(self, stroke) -> None:
        """Aim coarsely, then finely, set tip and power, draw back and let go."""
        self.d.key(BEHIND_THE_CUE)
        self.turn(stroke.heading_deg, "mouse1", COARSE_DEG_PER_PIXEL)
        self.turn(stroke.heading_deg, "mouse3", FINE_DEG_PER_PIXEL)
        off = (stroke.heading_deg - self.d.hand.aim.heading_deg + 180.0) % 360.0 - 180.0
        assert abs(off) <= 2 * FINE_DEG_PER_PIXEL, "aimed to a fiftieth of a degree"
        self.tip(stroke.tip)
        self.power(stroke.speed)
        self.d.key("space", frames=4)

    def turn(self, heading_deg: float, button: str, deg_per_pixel: float) -> None:
        """Drag the cue round."""
        left = (heading_deg - self.d.hand.aim.heading_deg + 180.0) % 360.0 - 180.0
        pixels = round(left / deg_per_pixel)
        if pixels:
            w, h = self.d.app.hud.size
            start = (w / 2, h / 2)
            self.d.drag(start, (start[0] - pixels, start[1]), button, steps=2)

    def tip(self, tip: tuple[float, float]) -> None:
        """Point at the magnified ball."""
        hud = self.d.app.hud
        if tip == (0.0, 0.0):
            self.d.key("r")
            return
        x, y = hud.centre_of("tip")
        reach = hud.layout.tip_radius * hud.scale
        self.d.drag((x, y), (x + tip[0] * reach, y - tip[1] * reach), steps=2)

    def power(self, speed: float) -> None:
        """Draw the bar to a speed."""
        share = math.sqrt(min(max((speed - LEAST_SPEED) / (MOST_SPEED - LEAST_SPEED), 0.0), 1.0))
        hud = self.d.app.hud
        x, y = hud.centre_of("power")
        low, high = hud.power_at(y + 10), hud.power_at(y - 10)
        target = y + 10 - 20 * (share - low) / (high - low)
        self.d.drag((x, y), (x, target), steps=2)

    def place(self, x: float, y: float) -> None:
        """Point at the place, seen from above, and put the cue ball down there."""
        self.d.key(OVERHEAD)
        self.d.settle()
        self.d.click(*self.d.pixel_of(x, y))
        if self.d.app.mode is Mode.PLACE:  # not allowed there: where it is held
            self.d.key("enter")

    def call(self, ball: int, pocket: str) -> None:
        """Point at the ball and at the pocket, seen from above."""
        self.d.key(OVERHEAD)
        self.d.settle()
        self.d.key("k")
        self.d.click(*self.d.pixel_of(*self.d.state.balls[ball]))
        self.d.click(*self.d.pixel_of(*pocket_places(self.d.state.description.frame)[pocket]))
