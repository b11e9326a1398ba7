"""What keys and mouse do: they move the hands, and lead to the player's actions."""

import math

from client.hud.hud import Hud
from client.net.session import Session
from client.play import aim as a
from client.play.actions import Actions
from client.play.calling import ball_at, pocket_at, step_ball, step_pocket
from client.play.hand import (
    Hand,
    Mode,
    ball_struck,
    clearance_of,
    first_place,
    held_stroke,
    place_of,
)
from client.play.input import Input, Press
from client.play.stage import VIEWS, Stage
from client.play.stroking import rising_share
from client.scene import CameraMode
from shared_rules.table import Position

HOLD_AFTER_S = 0.30
TURN_DEG_S, TURN_FINE_DEG_S, TURN_COARSE_DEG_S = 9.0, 0.5, 60.0
SHARE_S, TIP_S, MOVE_M_S, MOVE_FINE_M_S = 0.35, 0.35, 0.25, 0.03
RAISE_DEG_S, RAISE_FINE_DEG_S = 25.0, 2.5
STEP_M, STEP_FINE_M = 0.005, 0.0005
KEYS = {
    "p": "push_out", "n": "snooker", "b": "move_cue", "t": "time_out", "home": "extend",
    "c": "view", "l": "language",
    "k": "call", "j": "safety", "o": "spot", "f1": "help", "r": "reset_tip", "i": "again",
    "m": "mute", ".": "louder", ",": "quieter", "end": "skip", "u": "numbers", "f": "call_foul",
    "h": "halt", "f2": "officiate", "f3": "talk", "enter": "enter",
    "escape": "escape",
}  # fmt: skip
TURNS = {"arrow_left": 1.0, "arrow_right": -1.0}
POWERS = {"arrow_up": 1.0, "arrow_down": -1.0}
CALL_STEPS = {"arrow_left": -1, "arrow_right": 1}
RAISES = {"e": 1.0, "q": -1.0}
STROKES = {"space": "draw_back", "v": "rise", "x": "push", "mouse2": "push"}
"""Held to stroke; see :mod:`client.play.stroking`."""
TIPS = {"w": (0, 1), "s": (0, -1), "d": (1, 0), "a": (-1, 0)}
MOVES = {"arrow_left": (0, 1), "arrow_right": (0, -1), "arrow_up": (1, 0), "arrow_down": (-1, 0)}


class Controls:
    """One player's keys and mouse."""

    def __init__(
        self,
        session: Session,
        hand: Hand,
        hud: Hud,
        stage: Stage,
        inputs: Input,
        actions: Actions,
    ) -> None:
        self.session, self.hand, self.hud = session, hand, hud
        self.stage, self.inputs, self.actions = stage, inputs, actions
        self.mode = Mode.WAIT
        self._now = 0.0
        self._dragging = ""
        self._held_since: dict[str, float] = {}

    # --- a frame ----------

    def step(self, mode: Mode, now: float, dt: float) -> None:
        """Take the input of a frame."""
        self.mode, self._now = mode, now
        self.actions.step(mode, now)
        self._keep_up()
        self.inputs.choosing = self.hud.model.dialog is not None
        moved = self.inputs.take_move()
        if self.inputs.mouse is not None:
            self.hud.hover(*self.inputs.mouse)
        # A button that goes down or up ends the move: where within the frame it did so nobody
        # knows, so what was on the screen counts, not a flick of the mouse that came with it.
        if any(press.name.startswith("mouse") for press in self.inputs.events):
            moved = (0.0, 0.0)
        while self.inputs.events:
            self._take(self.inputs.events.popleft())
        if self.inputs.mouse is not None:
            self._drag(moved)
        self._hold(now, dt)
        if mode is Mode.PLACE:
            self._show_held()

    def _keep_up(self) -> None:
        """Hands follow the match: nothing is held that has become senseless."""
        hand, state = self.hand, self.actions.state
        if self.mode is not Mode.AIM and hand.struck_at is None:
            hand.take_back()
        if hand.struck_at is not None and (
            self.mode is not Mode.AIM or (not self.session.busy and self._now > hand.struck_at + 1)
        ):
            hand.put_cue_away()
        if self.mode is not Mode.PLACE:
            hand.place = None
        elif hand.place is None and state is not None and self.session.view is not None:
            hand.place = first_place(state, self.session.view.seat)
        if self.mode not in (Mode.PLACE, Mode.AIM):
            hand.moving_cue = False
            hand.calling = ""

    # --- keys and buttons ----------

    def _take(self, press: Press) -> None:
        if press.name == "mouse2" and self.mode is Mode.AIM:
            if press.kind == "down":
                self.actions.act("push")
            else:
                self.actions.let_go("push")
        elif press.name.startswith("mouse"):
            if press.kind == "down":
                self._mouse_down(press)
            else:
                self._mouse_up(press)
        elif press.kind == "up":
            self._held_since.pop(press.name, None)
            if press.name in STROKES:
                self.actions.let_go(STROKES[press.name])
        else:
            self._key(press.name)

    def _key(self, name: str) -> None:
        self._held_since[name] = self._now
        dialog = self.hud.model.dialog
        keyed = [b for b in dialog.buttons if b.key == name] if dialog is not None else []
        if keyed:
            self.actions.act(keyed[0].action)
        elif self.hand.calling and self._calling_key(name):
            return
        elif name.isdigit() and int(name) < len(VIEWS):
            self.actions.act(f"view:{VIEWS[int(name)]}")
        elif name in STROKES:
            self.actions.act(STROKES[name])
        elif name in ("wheel_up", "wheel_down"):
            self.inputs.held.discard(name)
            self._wheel(1 if name == "wheel_up" else -1)
        elif name in KEYS:
            self._named_key(KEYS[name])
        else:
            self._nudge(name)

    def _calling_key(self, name: str) -> bool:
        """A key while a call is being made; whether it was about the call."""
        view, state, hand = self.session.view, self.actions.state, self.hand
        if view is None or view.seat is None or state is None:
            return False
        if name in CALL_STEPS and hand.calling == "ball":
            step_ball(state, view.seat, hand, CALL_STEPS[name])
        elif name in CALL_STEPS:
            step_pocket(hand, CALL_STEPS[name])
        elif name == "enter" and hand.calling == "ball":
            self.actions.pick_ball(hand.called_ball)
        elif name == "enter":
            self.actions.pick_pocket(hand.called_pocket)
        elif name == "escape":
            hand.calling = ""
        else:
            return False
        return True

    def _call_at(self, press: Press) -> None:
        """A click on the table while a call is being made."""
        point, state = self._bed_point(press.x, press.y), self.actions.state
        if point is None or state is None:
            return
        if self.hand.calling == "ball":
            self.actions.pick_ball(ball_at(state, point))
        else:
            self.actions.pick_pocket(pocket_at(state, point))

    def _named_key(self, action: str) -> None:
        dialog = self.hud.model.dialog
        if action == "enter":
            strong = [b for b in dialog.buttons if b.strong] if dialog is not None else []
            if strong:
                self.actions.act(strong[0].action)
            elif self.mode is Mode.PLACE:
                self.actions.act("place")
        elif action == "escape":
            if self.hand.drawn_back:
                self.hand.take_back()
                self.actions.refuse("cancelled")
            elif self.stage.again is not None:
                self.actions.act("again")
            elif self.hand.help:
                self.hand.help = False
            elif self.hand.moving_cue:
                self.hand.moving_cue = False
            elif self.session.phase == "over":
                self.actions.act("quit")
            else:
                self.actions.act("back" if self.hand.sheet else "menu")
        elif (
            action == "time_out"
            and self.actions.state is not None
            and self.actions.state.time_out_by is not None
        ):
            self.actions.act("end_time_out")
        else:
            self.actions.act(action)

    def _nudge(self, name: str) -> None:
        """One step of a key that also works while it is held."""
        fine, coarse = "shift" in self.inputs.held, "control" in self.inputs.held
        if self.mode is Mode.PLACE and name in MOVES:
            step = STEP_FINE_M if fine else STEP_M
            self._move_held(MOVES[name][0] * step, MOVES[name][1] * step)
        elif self.mode is Mode.AIM and name in TURNS:
            step = a.KEY_FINE_DEG if fine else 1.0 if coarse else a.KEY_DEG
            self._turn(TURNS[name] * step)
        elif self.mode is Mode.AIM and name in POWERS:
            self.hand.aim.set_share(self.hand.aim.share + POWERS[name] * a.KEY_SHARE)
        elif self.mode is Mode.AIM and name in TIPS:
            self._tip(TIPS[name], a.KEY_TIP)
        elif self.mode is Mode.AIM and name in RAISES:
            self._raise(RAISES[name] * (a.KEY_RAISE_FINE_DEG if fine else a.KEY_RAISE_DEG))
        elif name in ("+", "=", "-", "page_up", "page_down"):
            self._zoom(1.12 if name in ("+", "=", "page_up") else 1 / 1.12)

    def _hold(self, now: float, dt: float) -> None:
        """Keys that are held go on, at the same speed whatever the frame rate."""
        fine, coarse = "shift" in self.inputs.held, "control" in self.inputs.held
        for name in self.inputs.held:
            since = self._held_since.get(name)
            if since is None or now - since < HOLD_AFTER_S:
                continue
            if self.mode is Mode.PLACE and name in MOVES:
                step = (MOVE_FINE_M_S if fine else MOVE_M_S) * dt
                self._move_held(MOVES[name][0] * step, MOVES[name][1] * step)
            elif self.mode is Mode.AIM and name in TURNS:
                rate = TURN_FINE_DEG_S if fine else TURN_COARSE_DEG_S if coarse else TURN_DEG_S
                self._turn(TURNS[name] * rate * dt)
            elif self.mode is Mode.AIM and name in POWERS:
                self.hand.aim.set_share(self.hand.aim.share + POWERS[name] * SHARE_S * dt)
            elif self.mode is Mode.AIM and name in TIPS:
                self._tip(TIPS[name], TIP_S * dt)
            elif self.mode is Mode.AIM and name in RAISES:
                self._raise(RAISES[name] * (RAISE_FINE_DEG_S if fine else RAISE_DEG_S) * dt)
        if self.hand.rising_since is not None and self.mode is Mode.AIM:
            self.hand.aim.set_share(rising_share(now - self.hand.rising_since))

    # --- the mouse ----------

    def _mouse_down(self, press: Press) -> None:
        hit = self.hud.at(press.x, press.y)
        if hit is not None and press.name == "mouse1":
            if hit.drags:
                self._dragging = hit.action
                self._drag((0.0, 0.0))
            elif hit.action == "strike":
                self._dragging = "strike"
                self.actions.act("draw_back")
            elif hit.action != "nothing":
                self.actions.act(hit.action)
            return
        if self.hud.model.dialog is not None or self.hand.help:
            return
        if press.name == "mouse1" and self.hand.calling:
            self._call_at(press)
        elif press.name == "mouse1" and self.mode is Mode.PLACE:
            self._point_held(press.x, press.y)
            self.actions.act("place")
        elif self.mode is Mode.AIM and press.name in ("mouse1", "mouse3"):
            self._dragging = "aim" if press.name == "mouse1" else "fine"
            self._drag((0.0, 0.0))
        else:
            self._dragging = "look"

    def _mouse_up(self, press: Press) -> None:
        dragging, self._dragging = self._dragging, ""
        if dragging == "strike":
            hit = self.hud.at(press.x, press.y)
            if hit is not None and hit.action == "strike":
                self.actions.let_go()
            else:
                self.hand.take_back()

    def _drag(self, moved: tuple[float, float]) -> None:
        assert self.inputs.mouse is not None
        x, y = self.inputs.mouse
        if self.hand.push is not None:
            self.actions.push(moved[1] / max(self.hud.size[1], 1))
        elif self._dragging == "power":
            self.hand.aim.set_share(self.hud.power_at(y))
        elif self._dragging == "tip":
            self.hand.aim.set_tip(*self.hud.tip_at(x, y))
            self.actions.tell_aim()
        elif self._dragging == "elevation":
            self._raise_to(self.hud.elevation_at(x, y))
        elif self._dragging == "aim" and self.mode is Mode.AIM:
            self._drag_aim(x, y, moved)
        elif self._dragging == "fine" and self.mode is Mode.AIM:
            self._turn(-moved[0] * a.FINE_DEG_PER_PIXEL)
        elif self._dragging == "look" and self.stage.scene is not None:
            self.stage.scene.cameras.orbit(turn_deg=-moved[0] * 0.3, rise_deg=moved[1] * 0.2)
        elif self.mode is Mode.PLACE and moved != (0.0, 0.0) and self.hud.at(x, y) is None:
            self._point_held(x, y)

    def _drag_aim(self, x: float, y: float, moved: tuple[float, float]) -> None:
        if "shift" in self.inputs.held:
            self._turn(-moved[0] * a.FINE_DEG_PER_PIXEL)
        elif self.stage.camera is CameraMode.CUE:
            self._turn(-moved[0] * a.COARSE_DEG_PER_PIXEL)
            if self.stage.scene is not None:
                self.stage.scene.cameras.orbit(rise_deg=moved[1] * 0.1)
        else:
            point, ball = self._bed_point(x, y), self._ball_place()
            if point is not None and ball is not None:
                self.hand.aim.point_at(ball, point)
                self.actions.tell_aim()

    def _wheel(self, steps: int) -> None:
        if self.mode is Mode.AIM and "control" not in self.inputs.held:
            self.hand.aim.set_share(self.hand.aim.share + steps * a.KEY_SHARE)
        else:
            self._zoom(1.12**steps)

    def _zoom(self, factor: float) -> None:
        if self.stage.scene is not None:
            self.stage.scene.cameras.orbit(zoom=factor)

    # --- aim and place ----------

    def _turn(self, degrees: float) -> None:
        if degrees:
            self.hand.aim.turn(degrees)
            self.actions.tell_aim()

    def _tip(self, way: tuple[int, int], step: float) -> None:
        a_, b_ = self.hand.aim.tip
        self.hand.aim.set_tip(a_ + way[0] * step, b_ + way[1] * step)
        self.actions.tell_aim()

    def _raise(self, degrees: float) -> None:
        """Raise the butt from where it is held, which may be higher than was asked for."""
        if (state := self.actions.state) is not None and self.session.view is not None:
            held = held_stroke(self.hand, state, self.session.view.seat).elevation_deg
            self._raise_to(held + degrees)

    def _raise_to(self, degrees: float) -> None:
        if (state := self.actions.state) is not None and self.session.view is not None:
            least = clearance_of(self.hand, state, self.session.view.seat).least_deg
            self.hand.aim.raise_to(degrees, least)
            self.actions.tell_aim()

    def _ball_place(self) -> Position | None:
        view, state = self.session.view, self.actions.state
        if view is None or state is None:
            return None
        return place_of(state, ball_struck(state, view.seat))

    def _bed_point(self, x: float, y: float) -> tuple[float, float] | None:
        if self.stage.scene is None:
            return None
        w, h = self.hud.size
        return self.stage.scene.pick_bed_point(2 * x / w - 1, 1 - 2 * y / h)

    def _point_held(self, x: float, y: float) -> None:
        point = self._bed_point(x, y)
        if point is not None:
            self.hand.place = Position(*point)
            self._keep_near_bed()

    def _move_held(self, dx: float, dy: float) -> None:
        if self.hand.place is not None:
            self.hand.place = Position(self.hand.place.x + dx, self.hand.place.y + dy)
            self._keep_near_bed()

    def _keep_near_bed(self) -> None:
        """The held ball goes no farther than the cushions, where it slides along them."""
        state, place = self.actions.state, self.hand.place
        if state is None or place is None:
            return
        frame = state.description.frame
        x_max = frame.length / 2 - frame.cue_ball_radius
        y_max = frame.width / 2 - frame.cue_ball_radius
        self.hand.place = Position(
            math.copysign(min(abs(place.x), x_max), place.x),
            math.copysign(min(abs(place.y), y_max), place.y),
        )

    def _show_held(self) -> None:
        view, state, place = self.session.view, self.actions.state, self.hand.place
        if view is None or view.seat is None or state is None or place is None:
            return
        why = self.actions.permits().why_not_there(state, view.seat, place)
        self.stage.show_held(place, legal=not why)
