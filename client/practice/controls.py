"""Keys and mouse at a table of one's own: those of a match, and balls that are laid out."""

from client.hud.practice_parts import BALL
from client.play.controls import (
    HOLD_AFTER_S,
    KEYS,
    MOVE_FINE_M_S,
    MOVE_M_S,
    MOVES,
    STEP_FINE_M,
    STEP_M,
    STROKES,
    Controls,
)
from client.play.input import Press
from client.practice.arrange import Arranger
from client.practice.practising import Practising
from shared_rules.table import Position

OWN_KEYS = {"g": "repeat", "z": "undo", "y": "redo"}
OFF_KEYS = ("delete", "backspace", "enter")


class PracticeControls(Controls):
    """See the module."""

    def __init__(self, practising: Practising, arranger: Arranger, made: Controls) -> None:
        """``made``: the controls of a match, in whose place these come."""
        super().__init__(made.session, made.hand, made.hud, made.stage, made.inputs, made.actions)
        self.practising, self.arranger = practising, arranger

    # --- keys ----------

    def _key(self, name: str) -> None:
        asked = self.hud.model.dialog is not None or self.hand.help
        if name in OWN_KEYS and not asked:
            self.actions.act(OWN_KEYS[name])
        elif self.practising.waits and not asked and (name in STROKES or name == "enter"):
            self.actions.act("next")
        elif self.arranger.on and not asked and self._arranging_key(name):
            self._held_since[name] = self._now
        else:
            super()._key(name)

    def _arranging_key(self, name: str) -> bool:
        """A key while balls are laid out; whether it was about them."""
        arranger, layout = self.arranger, self.practising.layout
        if name == "tab":
            arranger.step(-1 if "shift" in self.inputs.held else 1)
        elif name in MOVES:
            step = STEP_FINE_M if "shift" in self.inputs.held else STEP_M
            self._nudge_chosen(name, step)
        elif name in OFF_KEYS:
            self.practising.put(arranger.toggle(layout), anew=True)
        elif name == "escape":
            if arranger.held is not None:
                arranger.drop()
                self.practising.show(self.practising.history.now)
            else:
                self.actions.act("move_cue")
        else:
            return KEYS.get(name) in ("call", "safety", "spot", "snooker", "push_out", "time_out")
        return True

    def _nudge_chosen(self, name: str, metres: float) -> None:
        way = MOVES[name]
        moved = self.arranger.nudge(self.practising.layout, way[0] * metres, way[1] * metres)
        self.practising.put(moved, anew=True)

    def _hold(self, now: float, dt: float) -> None:
        super()._hold(now, dt)
        if not self.arranger.on or self.hud.model.dialog is not None:
            return
        fine = "shift" in self.inputs.held
        for name in self.inputs.held & MOVES.keys():
            since = self._held_since.get(name)
            if since is not None and now - since >= HOLD_AFTER_S:
                self._nudge_chosen(name, (MOVE_FINE_M_S if fine else MOVE_M_S) * dt)

    # --- the mouse ----------

    def _mouse_down(self, press: Press) -> None:
        hit = self.hud.at(press.x, press.y)
        open_ = self.hud.model.dialog is not None or self.hand.help
        if not self.arranger.on or open_:
            super()._mouse_down(press)
        elif hit is not None and hit.action.startswith(BALL):
            self.arranger.grab(int(hit.action.removeprefix(BALL)))
        elif hit is not None or not self._grab_from_bed(press):
            super()._mouse_down(press)

    def _grab_from_bed(self, press: Press) -> bool:
        """Take the ball that a click means: to drag it, or with the right button off the table."""
        point = self._bed_point(press.x, press.y)
        layout = self.practising.layout
        ball = self.arranger.ball_at(layout, Position(*point)) if point is not None else None
        if ball is None or press.name not in ("mouse1", "mouse3"):
            return False
        self.arranger.grab(ball)
        if press.name == "mouse3":
            self.arranger.drop()
            self.practising.put(layout.without(ball), anew=True)
        return True

    def _drag(self, moved: tuple[float, float]) -> None:
        if self.arranger.held is None:
            super()._drag(moved)
            return
        assert self.inputs.mouse is not None
        point = self._bed_point(*self.inputs.mouse)
        tray = self.hud.at(*self.inputs.mouse) is not None
        if point is not None and moved != (0.0, 0.0) and not tray:
            self.practising.show(self.arranger.drag(self.practising.layout, Position(*point)))

    def _mouse_up(self, press: Press) -> None:
        ball = self.arranger.held
        if ball is None or press.name != "mouse1":
            super()._mouse_up(press)
            return
        hit = self.hud.at(press.x, press.y)
        onto_tray = hit is not None and hit.action.startswith(BALL)
        layout = self.practising.layout
        if onto_tray:
            clicked = self.arranger.pointer is None
            layout = self.arranger.toggle(layout) if clicked else layout.without(ball)
        else:
            point = self._bed_point(press.x, press.y)
            if point is not None and self.arranger.pointer is not None:
                layout = self.arranger.drag(layout, Position(*point))
        self.arranger.drop()
        self.practising.put(layout, anew=True)
