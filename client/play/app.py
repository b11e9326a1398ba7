"""The client's program: one frame after another, from the link to the screen."""

import dataclasses
import random
import sys
import threading
import time
from collections.abc import Callable

from direct.showbase.ShowBase import ShowBase
from panda3d.core import ClockObject

from client.hud.describe import Moment, describe
from client.hud.hud import Hud
from client.hud.rulings import spoken
from client.net.session import Answer, Session
from client.play.actions import Actions
from client.play.controls import Controls
from client.play.hand import Hand, Mode, ball_struck, mode_of, place_of
from client.play.input import Input
from client.play.settings import LANGUAGES, Settings, save_settings
from client.play.stage import Stage, default_heading
from client.scene.window import draws_in_software
from physics.kernel_start import wait_until_compiled
from physics.simulation import warm_up
from shared_rules.state import Phase
from shared_rules.wording import refusal_text

LONGEST_FRAME_S = 0.1
LAG_SPEEDS = (0.9, 1.7)
MOST_FRAMES_S = 144


class TableApp:
    """The 3-D client at one table.

    Args:
        base: from :func:`client.scene.open_window`, on screen or off.
        session: the model that the network feeds.
        pump: called every frame with the local time: drains what has come, sends what is due.
        settings: the player's choices.
        clock: local seconds, monotonic.
        keep: whether changed settings are stored.
        arrive: called every frame with the answers that have come: finds the way to a table.
        warm: load the physics for the guide line in the background (otherwise it is loaded).
    """

    def __init__(
        self,
        base: ShowBase,
        session: Session,
        pump: Callable[[float], object],
        settings: Settings | None = None,
        clock: Callable[[], float] = time.monotonic,
        keep: bool = False,
        arrive: Callable[[list[Answer]], None] | None = None,
        warm: bool = True,
    ) -> None:
        self.base, self.session, self.settings = base, session, settings or Settings()
        self._pump, self._clock, self._keep, self._arrive = pump, clock, keep, arrive
        tier = self.settings.quality or ("low" if draws_in_software(base) else "high")
        size = (base.win.get_x_size(), base.win.get_y_size())
        self.hand = Hand()
        self.inputs = Input()
        self.inputs.keys = self.settings.keys
        self.stage = Stage(base, tier)
        self.hud = Hud(base.render2d, size, self.settings.ui_scale)
        self.actions = Actions(
            session, self.hand, self.hud, lambda: self.settings.language, self._act
        )
        self.controls = Controls(
            session, self.hand, self.hud, self.stage, self.inputs, self.actions
        )
        self.connecting = "banner_connecting"
        """Key of the words that are shown until the server answers."""
        self.offline = False
        """Whether the server is one's own, and ends with us."""
        self.mode = Mode.WAIT
        self.finished = False
        self._last = clock()
        self._told = 0
        self._aimed_for: tuple | None = None
        self.stage.guides = not warm
        if warm:
            threading.Thread(target=self._warm_up, name="headstring-warm", daemon=True).start()

    # --- a frame ----------

    def step(self) -> None:
        """All of a frame but the drawing: network, hands, table, HUD."""
        now = self._clock()
        dt = min(max(now - self._last, 0.0), LONGEST_FRAME_S)
        self._last = now
        size = (self.base.win.get_x_size(), self.base.win.get_y_size())
        if size != self.hud.size:
            self.hud.resize(size)
        self.inputs.watch_mouse(self.base)
        self._pump(now)
        self._hear(now)
        self.mode = mode_of(self.session.view, self.hand)
        self._aim_anew()
        self.controls.step(self.mode, now, dt)
        self._pump(now)  # what the hands have done goes out at once, not a frame later
        self.mode = mode_of(self.session.view, self.hand)
        self.stage.leave_clear(self.hud.insets, self.hud.overhead_insets)
        self.stage.show(self.session.view, self.session.clock, self.hand, self.mode, now, dt)
        moment = Moment(
            self.hand, self.mode, self.settings.language, now, self.connecting, self.offline,
            self.settings.keys,
        )  # fmt: skip
        self.hud.show(describe(self.session, moment))

    def run(self) -> None:
        """Draw frames until the player leaves."""
        self.inputs.listen(self.base)
        self.base.accept("headstring-closed", self._quit)
        self.base.win.set_close_request_event("headstring-closed")
        ticking = ClockObject.get_global_clock()
        ticking.set_mode(ClockObject.M_limited)
        ticking.set_frame_rate(MOST_FRAMES_S)
        while not self.finished:
            if not self.base.win.get_properties().get_foreground():
                self.inputs.lose_focus()
                self.hand.drawn_back_at = None
            self.step()
            self.base.taskMgr.step()
            if self.base.win.is_closed():
                self._quit()

    def destroy(self) -> None:
        """Take table and HUD down; the window stays."""
        self.stage.destroy()
        self.hud.destroy()

    # --- what has happened ----------

    def _hear(self, now: float) -> None:
        """Passing messages: refusals, and what has happened at the table."""
        language = self.settings.language
        answers = self.session.take_answers()
        if self._arrive is not None:
            self._arrive(answers)
        for answer in answers:
            if answer.code is not None:
                self.hand.put_cue_away()
                self.hand.tell(refusal_text(answer.code, language, answer.message), now, "bad")
        view = self.session.view
        if view is None:
            return
        for item in view.news:
            if item.seq <= self._told:
                continue
            line = spoken(language, view, item.announcement)
            if line is not None and item.seq > view.seq - 20:
                self.hand.tell(line[0], now, line[1])
        self._told = view.seq

    def _aim_anew(self) -> None:
        """At the beginning of a turn the cue points at the ball to be hit."""
        view = self.session.view
        if view is None or view.state is None or self.mode is not Mode.AIM:
            return
        state = view.state
        ball = ball_struck(state, view.seat)
        place = place_of(state, ball)
        key = (state.shot_number, state.rack_number, state.phase is Phase.LAG, place)
        if key == self._aimed_for or place is None:
            return
        new_turn = self._aimed_for is None or key[:3] != self._aimed_for[:3]
        self._aimed_for = key
        aim = self.hand.aim
        aim.heading_deg = default_heading(state, ball)
        if new_turn:
            aim.tip = (0.0, 0.0)
            # A lag has to be measured by eye: what the bar stands at to begin with is no help,
            # and not the same for two who just let go.
            lag = random.uniform(*LAG_SPEEDS)
            aim.speed = lag if state.phase is Phase.LAG else 7.5 if state.is_break else 2.0

    # --- actions that are not the match's ----------

    def _act(self, action: str) -> bool:
        if action == "language":
            where = (LANGUAGES.index(self.settings.language) + 1) % len(LANGUAGES)
            self.set_language(LANGUAGES[where])
        elif action == "quit":
            self._quit()
        else:
            return False
        return True

    def set_language(self, language: str) -> None:
        """Show everything in another language from the next frame on."""
        self.settings = dataclasses.replace(self.settings, language=language)
        if self._keep:
            try:
                save_settings(self.settings)
            except OSError as error:
                print(f"the settings can't be kept: {error}", file=sys.stderr)

    def _quit(self) -> None:
        self.finished = True

    def _warm_up(self) -> None:
        warm_up(wait=False)
        # Plain Python would take a frame for each line.
        wait_until_compiled()
        self.stage.guides = True
