"""The client's program: one frame after another, from the link to the screen."""

import random
import threading
import time
from collections.abc import Callable

from direct.showbase.ShowBase import ShowBase

from client.hud.describe import Moment, describe
from client.hud.hud import Hud
from client.hud.model import HudModel
from client.hud.news import news_line
from client.hud.rulings import spoken
from client.hud.theme import LOOK
from client.net.session import Answer, Session
from client.play.actions import Actions
from client.play.controls import Controls
from client.play.hand import Hand, Mode, ball_struck, default_heading, mode_of, place_of
from client.play.input import Input
from client.play.settings import LANGUAGES, Preferences, Settings
from client.play.stage import Stage
from client.scene.window import draws_in_software
from client.sound.alerts import Alerts, sound_of_news
from client.sound.desk import SoundDesk
from client.sound.mixer import Mixer
from client.words import say
from physics.kernel_start import wait_until_compiled
from physics.simulation import spare_the_collector, warm_up
from shared_rules import messages as m
from shared_rules.state import Phase
from shared_rules.wording import refusal_text

LONGEST_FRAME_S = 0.1
SHOT_S = 0.015
"""A server in the same building answers a stroke within this; a frame is not missed for it."""
VOLUME_STEP = 10
LAG_SPEEDS = (0.9, 1.7)
SCREENS = ("rules", "settings", "talk", "ruling", "officiate")
"""Screens that are opened over the table."""


class TableApp:
    """The 3-D client at one table.

    Args:
        base: from :func:`client.scene.open_window`, on screen or off.
        session: the model that the network feeds.
        pump: called every frame with the local time: drains what has come, sends what is due.
        settings: the player's choices; changed ones come to the screen at the next frame.
        clock: local seconds, monotonic.
        inputs: keys and mouse, if the window has them already.
        await_shot: called when a stroke has gone out, with the longest time in s for which its
            answer is worth waiting for: a picture drawn meanwhile would only keep it waiting.
        arrive: called every frame with the answers that have come: finds the way to a table.
        mixer: what plays the sounds; None for a client that is silent.
        warm: load the physics for the guide line in the background (otherwise it is loaded).
    """

    def __init__(
        self,
        base: ShowBase,
        session: Session,
        pump: Callable[[float], object],
        settings: Settings | Preferences | None = None,
        clock: Callable[[], float] = time.monotonic,
        inputs: Input | None = None,
        arrive: Callable[[list[Answer]], None] | None = None,
        warm: bool = True,
        mixer: Mixer | None = None,
        await_shot: Callable[[float], object] | None = None,
    ) -> None:
        if not isinstance(settings, Preferences):
            settings = Preferences(settings or Settings())
        self.base, self.session, self.preferences = base, session, settings
        self._pump, self._clock, self._arrive = pump, clock, arrive
        self._await_shot = await_shot
        self._struck_at: float | None = None
        tier = self._tier()
        size = (base.win.get_x_size(), base.win.get_y_size())
        self.hand = Hand()
        self.inputs = inputs or Input()
        self.stage = Stage(base, tier)
        self.hud = Hud(base.render2d, size, self.settings.ui_scale)
        self.actions = Actions(
            session, self.hand, self.hud, lambda: self.settings.language, self._act
        )
        self.controls = Controls(
            session, self.hand, self.hud, self.stage, self.inputs, self.actions
        )
        self.sound = SoundDesk(mixer or Mixer(None))
        self.alerts = Alerts()
        self._signals: list[str] = []
        self._tell_of_sound = self.sound.mixer.problem
        self.connecting = "banner_connecting"
        """Key of the words that are shown until the server answers."""
        self.offline = False
        """Whether the server is one's own, and ends with us."""
        self.mode = Mode.WAIT
        self.finished = False
        self.asked_for = ""
        """A screen that is to be opened over the table."""
        self._applied: Settings | None = None
        self._last = clock()
        self._table, self._told = "", 0
        self._aimed_for: tuple | None = None
        self.stage.guides = not warm
        self._to_warm = warm

    @property
    def settings(self) -> Settings:
        """The player's choices as they are now."""
        return self.preferences.now

    def _tier(self) -> str:
        return self.settings.quality or ("low" if draws_in_software(self.base) else "high")

    def _apply(self) -> None:
        """Bring changed settings to the screen."""
        settings = self._applied = self.settings
        self.inputs.keys = settings.keys
        self.inputs.sensitivity = settings.mouse
        if (settings.ui_scale, settings.contrast) != (self.hud.ui_scale, LOOK.contrast):
            self.hud.ui_scale, LOOK.contrast = settings.ui_scale, settings.contrast
            self.hud.resize(self.hud.size)
        self.stage.set_tier(self._tier(), settings.contrast)

    # --- a frame ----------

    def step(self) -> None:
        """All of a frame but the drawing: network, hands, table, HUD."""
        now = self._clock()
        dt = min(max(now - self._last, 0.0), LONGEST_FRAME_S)
        self._last = now
        if self.settings is not self._applied:
            self._apply()
        if not self.inputs.focused:
            self.hand.take_back()
        size = (self.base.win.get_x_size(), self.base.win.get_y_size())
        if size != self.hud.size:
            self.hud.resize(size)
        self.inputs.watch_mouse(self.base)
        self._pump(now)
        self._hear(now)
        if self.inputs.events or self.inputs.moved != (0.0, 0.0):
            self.session.wake()
        self._warm_once()
        self.mode = self.mode_now()
        self._aim_anew()
        self.controls.step(self.mode, now, dt)
        self.hand.again = self.stage.again is not None
        self._pump(now)  # what the hands have done goes out at once, not a frame later
        if self.hand.struck_at != self._struck_at:
            self._struck_at = self.hand.struck_at
            if self._await_shot is not None and self._struck_at is not None:
                self._await_shot(SHOT_S)
        self.mode = self.mode_now()
        self.stage.leave_clear(self.hud.insets)
        self.stage.show(self.session.view, self.session.clock, self.hand, self.mode, now, dt)
        self.hud.show(self.described(self._moment(now)))
        self.hud.show_balls(self.stage.places)
        self.hud.show_numbers(self.stage.numbers(self.hud.size) if self.hand.numbers else ())
        self._sound(now)

    def _moment(self, now: float) -> Moment:
        return Moment(
            self.hand, self.mode, self.settings.language, now, self.connecting, self.offline,
            self.settings.keys, self._sound_words(), self.stage.shows_all,
        )  # fmt: skip

    def in_a_line(self) -> str:
        """How the match stands, for a screen that lies over the table: that the line is lost, or
        who is to do what, and how long he has."""
        self.mode = self.mode_now()
        model = self.described(self._moment(self._clock()))
        if model.banner:
            return model.banner
        clock = model.clock
        left = f"{clock.seconds // 60}:{clock.seconds % 60:02d}" if clock is not None else ""
        return " · ".join(part for part in (model.prompt, left) if part)

    def mode_now(self) -> Mode:
        """What the hands are for."""
        return mode_of(self.session.view, self.hand)

    def described(self, moment: Moment) -> HudModel:
        """What is written on the screen."""
        return describe(self.session, moment)

    def pump(self, now: float) -> None:
        """A frame that is not seen: the network goes on."""
        self._pump(now)
        self._hear(now)

    def hide(self) -> None:
        """Take everything from the window until the next :meth:`show`."""
        self.sound.close()
        self.stage.hide()
        self.hud.root.hide()

    def show(self) -> None:
        """Be on the window again."""
        self._applied = None
        self.inputs.begin(self.settings.keys)
        self.stage.appear()
        self.hud.root.show()

    def destroy(self) -> None:
        """Take table and HUD down; the window stays."""
        self.sound.close()
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
                if isinstance(answer.request, m.Rematch):
                    self.hand.rematch = ""
                self.hand.put_cue_away()
                self.hand.tell(refusal_text(answer.code, language, answer.message), now, "bad")
        view = self.session.view
        for news in self.session.company.take():
            line = news_line(language, news)
            if line is not None:
                self.hand.tell(line[0], now, line[1])
            if isinstance(news, m.RematchOffered) and view is not None and view.table == news.table:
                self.hand.rematch = self.hand.rematch or "offered"
            if signal := sound_of_news(news, self.session.name):
                self._signals.append(signal)
        if view is None:
            return
        if view.table != self._table:  # another one, as for a rematch
            self._table, self._told, self.hand.rematch = view.table, 0, ""
        for item in view.news:
            if item.seq <= self._told:
                continue
            line = spoken(language, view, item.announcement)
            if line is not None and item.seq > view.seq - 20:
                self.hand.tell(line[0], now, line[1])
        self._told = view.seq

    # --- what is heard ----------

    def _sound(self, now: float) -> None:
        """Sound the frame that is shown."""
        view = self.session.view
        if self._tell_of_sound and not self.hand.toast:
            self.hand.tell(say(self.settings.language, self._tell_of_sound), now, "note")
            self._tell_of_sound = ""
        self.sound.set_volume(self.settings.volume, self.settings.muted)
        signals, self._signals = self._signals, []
        signals += self.alerts.heard(view, self.mode, self.hud.model.clock)
        running = view.state.running if view is not None and view.state is not None else None
        self.sound.step(self.stage.shown, running, self.stage.side_of, signals)

    def _sound_words(self) -> str:
        """How loud it is, or why nothing is heard."""
        language, problem = self.settings.language, self.sound.mixer.problem
        if problem:
            return say(language, problem)
        if self.settings.muted:
            return say(language, "sound_muted")
        return say(language, "sound_level", n=self.settings.volume)

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
            aim.tip, aim.elevation_deg = (0.0, 0.0), 0.0
            # A lag has to be measured by eye: what the bar stands at to begin with is no help,
            # and not the same for two who just let go.
            lag = random.uniform(*LAG_SPEEDS)
            aim.speed = lag if state.phase is Phase.LAG else 7.5 if state.is_break else 2.0

    # --- actions that are not the match's ----------

    def _act(self, action: str) -> bool:
        if action == "language":
            where = (LANGUAGES.index(self.settings.language) + 1) % len(LANGUAGES)
            self.set_language(LANGUAGES[where])
        elif action in ("mute", "louder", "quieter"):
            self._set_sound(action)
        elif action == "quit":
            self._quit()
        elif action in SCREENS and self._may_open(action):
            self.asked_for, self.hand.sheet = action, ""
        elif action == "again":
            self._show_again()
        elif action == "skip":
            self.stage.end_again()
            if not self.stage.playback.skip():
                self.actions.refuse("why_nothing_to_skip")
        else:
            return False
        return True

    def _may_open(self, action: str) -> bool:
        """Whether a screen is there for who sits here; it is told why not."""
        view = self.session.view
        if action in ("rules", "settings"):
            return True
        if action == "talk":
            return view is not None
        return view is not None and action == ("officiate" if view.role == "referee" else "ruling")

    def _show_again(self) -> None:
        """The last shot once more, or back from it."""
        view = self.session.view
        if self.stage.again is not None:
            self.stage.end_again()
        elif view is None or not self.stage.begin_again(view, self._last):
            self.actions.refuse("why_no_shot")

    def set_language(self, language: str) -> None:
        """Show everything in another language from the next frame on."""
        self.preferences.change(language=language)

    def _set_sound(self, action: str) -> None:
        """Louder, quieter, or off and on again; what it is now is said."""
        if action == "mute":
            self.preferences.change(muted=not self.settings.muted)
        else:
            step = VOLUME_STEP if action == "louder" else -VOLUME_STEP
            volume = min(max(self.settings.volume + step, 0), 100)
            self.preferences.change(volume=volume, muted=False)
        self.hand.tell(self._sound_words(), self._last)

    def _quit(self) -> None:
        self.finished = True

    def _warm_once(self) -> None:
        """Load the physics once there is a table: until then it would only hold up the programs
        that are waited for."""
        if self._to_warm and self.session.view is not None:
            self._to_warm = False
            threading.Thread(target=self._warm_up, name="headstring-warm", daemon=True).start()

    def _warm_up(self) -> None:
        load_physics_once()
        self.stage.guides = True


_loading = threading.Lock()
_loaded = threading.Event()


def load_physics_once() -> None:
    """Load the physics and wait until it is compiled: plain Python would take a frame for a line.

    Once a process: what is alive by then is never looked at again by the collector of cycles, and
    of the tables that come and go nothing may be kept.
    """
    with _loading:
        if not _loaded.is_set():
            warm_up(wait=False)
            spare_the_collector()
            wait_until_compiled()
            _loaded.set()
