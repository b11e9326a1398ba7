"""The client at a table of one's own: that of a match, with what practice has besides."""

import math
from collections.abc import Callable

from direct.showbase.ShowBase import ShowBase

from client.hud.describe import Moment
from client.hud.model import HudModel
from client.play.app import TableApp
from client.play.calling import pocket_places
from client.play.hand import Mode, default_heading
from client.play.input import Input
from client.play.settings import Preferences
from client.practice.arrange import Arranger
from client.practice.controls import PracticeControls
from client.practice.describe import describe_practice
from client.practice.goals import Disc, Field, fields, pockets
from client.practice.practising import Practising
from client.sound.mixer import Mixer
from client.words import say
from physics.pots import pots_on
from shared_rules.balls import CUE

Outline = tuple[tuple[float, float], ...]
CORNERS = 48

OF_MATCHES = ("call_foul", "halt", "officiate", "talk", "ruling", "rematch")
"""What nobody is there for at a table of one's own."""


class PracticeApp(TableApp):
    """See the module; arguments as of :class:`~client.play.app.TableApp`."""

    def __init__(
        self,
        base: ShowBase,
        practising: Practising,
        preferences: Preferences,
        clock: Callable[[], float],
        inputs: Input | None = None,
        mixer: Mixer | None = None,
        warm: bool = True,
    ) -> None:
        super().__init__(
            base, practising.table.session, practising.table.pump, preferences, clock, inputs,
            warm=warm, mixer=mixer,
        )  # fmt: skip
        self.practising = practising
        self.arranger = Arranger()
        self.controls = PracticeControls(practising, self.arranger, self.controls)
        self._guide = preferences.now.guide

    # --- a frame ----------

    def step(self) -> None:
        """See the base class."""
        if self.settings.guide != self._guide:
            self._guide = self.settings.guide
            self.practising.set_guide()
        super().step()
        self._mark()
        for key in self.practising.news:
            tone = "bad" if key in ("practice_failed", "practice_unkept") else "note"
            self.hand.tell(say(self.settings.language, key), self._last, tone)
        self.practising.news.clear()

    def mode_now(self) -> Mode:
        """See the base class: where balls are laid out or looked at nothing is struck."""
        mode = super().mode_now()
        idle = self.arranger.on or self.practising.waits or CUE not in self.practising.layout.balls
        if mode is Mode.PLACE and not self.practising.waits:
            return mode
        return Mode.WATCH if idle and mode is Mode.AIM else mode

    def described(self, moment: Moment) -> HudModel:
        """See the base class."""
        folded = self.hud.layout.folded
        return describe_practice(self.practising, self.arranger, moment, folded)

    def _aim_anew(self) -> None:
        """The cue points anew where the table is another; else the strike stays as it is set."""
        practising = self.practising
        if not practising.aims_anew or self.mode is not Mode.AIM:
            return
        practising.aims_anew = False
        aim, layout = self.hand.aim, practising.layout
        aim.heading_deg = default_heading(practising.table.state, CUE)
        run = practising.run
        if run is None:
            return
        stage = run.stage
        if stage.off_deg:
            pots = pots_on(layout.balls, 1, layout.spec)
            easiest = max(pots, key=lambda pot: pot.slack_deg, default=None)
            if easiest is not None:
                aim.heading_deg = easiest.heading_deg + stage.off_deg
        if run.judged is None:
            aim.tip, aim.elevation_deg, aim.speed = (0.0, 0.0), 0.0, stage.speed

    # --- marks ----------

    def _mark(self) -> None:
        """What the stroke is to reach, and while balls are laid out the one that is held."""
        scene, practising = self.stage.scene, self.practising
        if scene is None or self.stage.again is not None:
            return
        run = practising.run
        if run is None:
            scene.show_targets((self.arranger.chosen,) if self.arranger.on else ())
            held, at = self.arranger.held, self.arranger.pointer
            if held is not None and at is not None and held not in practising.layout.balls:
                scene.show_placement(at, legal=False)
            return
        parts = run.stage.parts if not run.over else ()
        places = pocket_places(practising.table.state.description.frame)
        scene.show_fields(
            (outline(field) for field in fields(parts)),
            (tuple(places[name]) for name in pockets(parts)),
        )

    # --- actions ----------

    def _act(self, action: str) -> bool:
        practising = self.practising
        if action == "move_cue":
            return self._arrange()
        if action == "repeat":
            self._step_back(practising.repeat, "why_practice_first_shot")
        elif action == "undo":
            self._step_back(practising.undo, "why_practice_undo")
        elif action == "redo":
            self._step_back(practising.redo, "why_practice_redo")
        elif action == "skip" and practising.table.busy:
            self.stage.playback.skip()
            practising.table.finish()
        elif action in ("next", "skip_stage", "restart"):
            self.hand.sheet = ""
            {
                "next": practising.go_on, "skip_stage": practising.skip,
                "restart": practising.restart,
            }[action]()  # fmt: skip
        elif action in OF_MATCHES:
            pass
        elif action == "layouts":
            self.asked_for, self.hand.sheet = action, ""
        else:
            return super()._act(action)
        return True

    def _arrange(self) -> bool:
        """Lay balls out, or strike again; with the ball in hand it is taken up again."""
        practising = self.practising
        if not practising.free:
            if practising.table.state.cue_in_hand != "none":
                return False
            self.actions.refuse("why_practice_fixed")
        elif practising.table.busy:
            self.actions.refuse("why_busy_shot")
        else:
            self.arranger.drop()
            self.arranger.on = not self.arranger.on
            self.hand.put_cue_away()
        return True

    def _step_back(self, step: Callable[[], bool], why: str) -> None:
        self.hand.sheet = ""
        if self.arranger.held is not None:
            return
        if not step():
            counts = self.practising.run is not None and self.practising.run.course.kind == "drill"
            self.actions.refuse("why_practice_counts" if counts else why)
            return
        self.stage.end_again()
        self.hand.put_cue_away()


def outline(field: Field) -> Outline:
    """The corners of a field as it is marked."""
    if isinstance(field, Disc):
        turns = (2 * math.pi * k / CORNERS for k in range(CORNERS))
        return tuple(
            (field.x + field.radius * math.cos(t), field.y + field.radius * math.sin(t))
            for t in turns
        )
    return (
        (field.x_min, field.y_min), (field.x_max, field.y_min), (field.x_max, field.y_max),
        (field.x_min, field.y_max),
    )  # fmt: skip
