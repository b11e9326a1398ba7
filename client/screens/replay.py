"""A stored match on the screen: the table, what was ruled, and the bar to go through it with."""

from datetime import datetime

from client.hud.hud import Hud
from client.hud.theme import LOOK
from client.net.server_clock import ServerClock
from client.net.view import TableView
from client.play import input as hands
from client.play.hand import Hand, Mode
from client.play.keys import OWN_KEYS
from client.play.playback import Shown
from client.play.settings import LANGUAGES, Settings
from client.play.stage import VIEWS, Stage
from client.replay.describe import STEPS, bar_marks, describe
from client.replay.rerun import Rerun
from client.replay.timeline import MarkKind, Timeline
from client.scene.window import draws_in_software
from client.screens.activity import Back, Move
from client.screens.clipboard import NoClipboard, copy
from client.screens.pace import Pace
from client.screens.window import Window
from client.sound.desk import SoundDesk
from client.words import say
from shared_rules.messages import ReplaySummary

VOLUME_STEP = 10
ZOOM = 1.12
KEYS = {
    "space": "replay_play", "arrow_left": "replay_step_back", "arrow_right": "replay_step_on",
    "page_up": "replay_last_shot", "page_down": "replay_next_shot", "arrow_up": "replay_faster",
    "arrow_down": "replay_slower", "f": "replay_foul", "home": "replay_begin", "end": "replay_end",
    "c": "view", "u": "numbers", "l": "language", "m": "mute", ",": "quieter", ".": "louder",
    "f1": "help", "s": "replay_share", "escape": "menu", "+": "zoom_in", "=": "zoom_in",
    "wheel_up": "zoom_in", "-": "zoom_out", "wheel_down": "zoom_out",
}  # fmt: skip
JUMPS: dict[str, tuple[int, tuple[MarkKind, ...]]] = {
    "replay_step_back": (-1, STEPS), "replay_step_on": (1, STEPS),
    "replay_last_shot": (-1, ("shot",)), "replay_next_shot": (1, ("shot",)),
    "replay_last_rack": (-1, ("rack",)), "replay_next_rack": (1, ("rack",)),
    "replay_last_foul": (-1, ("foul",)), "replay_next_foul": (1, ("foul",)),
}  # fmt: skip
SHIFTED = {
    "replay_last_shot": "replay_last_rack", "replay_next_shot": "replay_next_rack",
    "replay_foul": "replay_last_foul",
}  # fmt: skip
REFUSALS = {
    "replay_last_rack": "why_replay_rack", "replay_next_rack": "why_replay_rack",
    "replay_last_foul": "why_replay_foul", "replay_next_foul": "why_replay_foul",
}  # fmt: skip


class ReplayViewer:
    """See the module.  It needs no server."""

    pace: Pace = "full"

    def __init__(
        self,
        window: Window,
        timeline: Timeline,
        summary: ReplaySummary,
        at: float = 0.0,
        source: str = "",
    ) -> None:
        """``at``: seconds from the beginning; ``source``: what `headstring replay` opens it by."""
        self._source = source
        self.window = window
        self.rerun = Rerun(timeline, at)
        self.hand = Hand()
        self.stage: Stage | None = None
        self.hud: Hud | None = None
        self._sound = SoundDesk(window.mixer)
        self._heard = False
        day = datetime.fromtimestamp(summary.opened_at).strftime("%Y-%m-%d")
        self._about = f"{summary.match} · {day}"
        self._marks = bar_marks(timeline)
        self._view = TableView(
            summary.match, known=True, preset=timeline.state(0).description.frame.preset
        )
        self._clock = ServerClock()
        self._applied: Settings | None = None
        self._dragged = ""
        self._now = 0.0

    # --- as an activity ----------

    def enter(self, notice: str = "") -> None:
        """See the protocol."""
        window, settings = self.window, self.window.preferences.now
        window.inputs.begin(OWN_KEYS)
        self.stage = Stage(window.base, self._tier(), self.rerun)
        self.hud = Hud(window.base.render2d, window.size, settings.ui_scale)
        self._applied = None
        self._dragged = ""

    def leave(self) -> None:
        """See the protocol."""
        self._sound.close()
        if self.stage is not None and self.hud is not None:
            self.stage.destroy()
            self.hud.destroy()
        self.stage = self.hud = None

    def rest(self, now: float) -> None:
        """See the protocol."""

    def close(self) -> None:
        """See the protocol."""

    def step(self, now: float, dt: float) -> Move | None:
        """A frame: what was done, then what is to be seen."""
        stage, hud, inputs = self.stage, self.hud, self.window.inputs
        assert stage is not None and hud is not None
        self._now = now
        self._apply(stage, hud)
        if inputs.mouse is not None:
            hud.hover(*inputs.mouse)
        while inputs.events:
            if self._take(inputs.events.popleft(), stage, hud):
                return Back()
        self._drag(stage, hud)
        if self._dragged != "scrub":
            self.rerun.advance(dt)
        self.pace = "full" if self.rerun.playing else "calm"
        self._show(stage, hud, dt)
        return None

    def _apply(self, stage: Stage, hud: Hud) -> None:
        """Changed settings, and another size of the window."""
        settings, size = self.window.preferences.now, self.window.size
        if settings is not self._applied:
            self._applied = settings
            hud.ui_scale, LOOK.contrast = settings.ui_scale, settings.contrast
            hud.resize(size)
            stage.set_tier(self._tier(), settings.contrast)
            self._sound.set_volume(settings.volume, settings.muted)
        elif size != hud.size:
            hud.resize(size)

    def _tier(self) -> str:
        quality = self.window.preferences.now.quality
        return quality or ("low" if draws_in_software(self.window.base) else "high")

    def _show(self, stage: Stage, hud: Hud, dt: float) -> None:
        view, language = self._view, self.window.language
        view.state, view.shot = self.rerun.now.state, self.rerun.now.shot
        stage.leave_clear(hud.insets)
        stage.show(view, self._clock, self.hand, Mode.WATCH, self._now, dt)
        hud.show(
            describe(
                self.rerun, view, self.hand, language, self._now, stage.shows_all, self._marks,
                self._about,
            )
        )  # fmt: skip
        hud.show_balls(stage.places)
        hud.show_numbers(stage.numbers(hud.size) if self.hand.numbers else ())
        self._hear(stage.shown, stage)

    def _hear(self, shown: Shown, stage: Stage) -> None:
        """Sounds as they were, at the speed at which they were."""
        heard = self.rerun.playing and self.rerun.speed == 1.0 and self._dragged != "scrub"
        if heard:
            self._sound.step(shown, self.rerun.now.state.running, stage.side_of, ())
        elif self._heard:
            self._sound.close()
        self._heard = heard

    # --- keys and mouse ----------

    def _take(self, press: hands.Press, stage: Stage, hud: Hud) -> bool:
        """An event; whether it leads back."""
        if press.name == "mouse1":
            if press.kind == "up":
                self._dragged = ""
                return False
            hit = hud.at(press.x, press.y)
            if hit is None:
                self._dragged = "look"
            elif hit.action == "scrub":
                self._dragged = "scrub"
                self._go_to(hud, press.x)
            elif hit.why_not:
                self._tell(hit.why_not, "bad")
            else:
                return self._act(hit.action, stage)
            return False
        if press.name.startswith("wheel"):
            self.window.inputs.held.discard(press.name)
        action = KEYS.get(press.name, "")
        if press.kind == "up" or not action:
            return False
        if "shift" in self.window.inputs.held:
            action = SHIFTED.get(action, action)
        return self._act("replay_next_foul" if action == "replay_foul" else action, stage)

    def _drag(self, stage: Stage, hud: Hud) -> None:
        dx, dy = self.window.inputs.take_move()
        if self._dragged == "scrub" and self.window.inputs.mouse is not None:
            self._go_to(hud, self.window.inputs.mouse[0])
        elif self._dragged == "look" and stage.scene is not None:
            stage.scene.cameras.orbit(turn_deg=-dx * 0.3, rise_deg=dy * 0.2)

    def _go_to(self, hud: Hud, px: float) -> None:
        self.rerun.go_to(hud.scrub_at(px) * self.rerun.timeline.duration)

    def _act(self, action: str, stage: Stage) -> bool:
        """Do it; whether it leads back."""
        rerun, hand = self.rerun, self.hand
        if action in JUMPS:
            way, kinds = JUMPS[action]
            if not rerun.step(way, *kinds):
                why = REFUSALS.get(action, f"why_{action}")
                self._tell(say(self.window.language, why), "bad")
        elif action == "replay_play":
            rerun.play_or_pause()
        elif action in ("replay_faster", "replay_slower"):
            rerun.faster(1 if action == "replay_faster" else -1)
        elif action in ("replay_begin", "replay_end"):
            rerun.go_to(0.0 if action == "replay_begin" else rerun.timeline.duration)
        elif action == "view":
            hand.view = VIEWS[(VIEWS.index(hand.view) + 1) % len(VIEWS)]
        elif action in ("zoom_in", "zoom_out"):
            if stage.scene is not None:
                stage.scene.cameras.orbit(zoom=ZOOM if action == "zoom_in" else 1 / ZOOM)
        elif action == "replay_share":
            self._share()
        elif action == "numbers":
            hand.numbers = not hand.numbers
        elif action == "help":
            hand.help, hand.help_page = not hand.help, 0
        elif action == "help_next":
            hand.help_page += 1
        elif action == "language":
            here = LANGUAGES.index(self.window.language)
            self.window.preferences.change(language=LANGUAGES[(here + 1) % len(LANGUAGES)])
        elif action in ("mute", "louder", "quieter"):
            self._set_sound(action)
        elif action == "menu":
            if not hand.help:
                return True
            hand.help = False
        return False

    def _share(self) -> None:
        """Show the command that opens this moment; put it into the clipboard if one is there."""
        shot, seconds = self.rerun.timeline.nearest_shot(self.rerun.at)
        command = f"headstring replay {self._source}"
        if shot:
            command += f" --shot {shot} --seconds {seconds:.2f}"
        try:
            copy(command)
        except NoClipboard:
            self._tell(command)
        else:
            self._tell(say(self.window.language, "replay_shared", command=command), "good")

    def _set_sound(self, action: str) -> None:
        preferences, language = self.window.preferences, self.window.language
        now = preferences.now
        if action == "mute":
            preferences.change(muted=not now.muted)
        else:
            step = VOLUME_STEP if action == "louder" else -VOLUME_STEP
            preferences.change(volume=min(max(now.volume + step, 0), 100), muted=False)
        now = preferences.now
        problem = self._sound.mixer.problem
        self._tell(
            say(language, problem)
            if problem
            else say(language, "sound_muted")
            if now.muted
            else say(language, "sound_level", n=now.volume)
        )

    def _tell(self, sentence: str, tone: str = "plain") -> None:
        self.hand.tell(sentence, self._now, tone)
