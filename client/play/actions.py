"""What the player does to the match: given where the rules allow it, else the reason is said."""

from collections.abc import Callable

from client.hud.hud import Hud
from client.hud.model import Button
from client.net.session import Session
from client.net.view import TableView
from client.play.calling import why_not_called
from client.play.hand import Hand, Mode, held_stroke
from client.play.permits import Permits
from client.play.stage import VIEWS, motion_of
from client.words import say
from shared_rules import commands as c
from shared_rules.calls import spottable
from shared_rules.events import Pocket
from shared_rules.state import MatchState, Option, Phase


class Actions:
    """One player's actions.  ``language`` is read anew each time, since it can change."""

    def __init__(
        self,
        session: Session,
        hand: Hand,
        hud: Hud,
        language: Callable[[], str],
        on_action: Callable[[str], bool],
    ) -> None:
        """``on_action`` takes the actions that are not about the match; whether it knew it."""
        self.session, self.hand, self.hud = session, hand, hud
        self._language, self._on_action = language, on_action
        self.mode = Mode.WAIT
        self._now = 0.0

    def step(self, mode: Mode, now: float) -> None:
        """A new frame: what the hands are for, and the local time."""
        self.mode, self._now = mode, now

    @property
    def state(self) -> MatchState | None:
        """The match, if there is one."""
        view = self.session.view
        return view.state if view is not None else None

    def permits(self) -> Permits:
        """What the rules allow now."""
        known = self.session.clock.known
        now = self.session.clock.now(self._now) if known else None
        return Permits(self.session, self._language(), now)

    def refuse(self, key: str) -> None:
        """Say in passing why something is not done."""
        self.hand.tell(say(self._language(), key), self._now, "bad")

    def tell_aim(self) -> None:
        """Let those who watch see how the cue is held; a lag stroke stays unseen (N9.1.1)."""
        if self.state is None or self.state.phase is Phase.LAG:
            return
        view = self.session.view
        stroke = held_stroke(self.hand, self.state, view.seat if view is not None else None)
        self.session.aim(self.hand.aim.heading_deg, stroke.elevation_deg, self.hand.aim.tip)

    def act(self, action: str) -> None:
        """Do what an action means; one that is not allowed says why instead."""
        button = self._button(action)
        if button is not None and button.why_not:
            self.hand.tell(button.why_not, self._now, "bad")
            return
        view, state = self.session.view, self.state
        if self._on_action(action):
            return
        if action.startswith("view"):
            self._choose_view(action)
        elif action == "reset_tip":
            self.hand.aim.tip = (0.0, 0.0)
            self.tell_aim()
        elif action in ("menu", "concede", "leave", "sound"):
            self.hand.sheet = "" if self.hand.sheet == action else action
        elif action == "back":
            self.hand.sheet = ""
        elif action == "help":
            self.hand.help = not self.hand.help
        elif view is not None and state is not None:
            self._command(action, view, state)

    def _button(self, action: str) -> Button | None:
        model = self.hud.model
        dialog = model.dialog.buttons if model.dialog is not None else ()
        for button in (*dialog, *model.buttons, *model.corner):
            if button.action == action:
                return button
        return None

    def _choose_view(self, action: str) -> None:
        if ":" in action:
            self.hand.view = action.split(":")[1]
        else:
            self.hand.view = VIEWS[(VIEWS.index(self.hand.view) + 1) % len(VIEWS)]

    def _command(self, action: str, view: TableView, state: MatchState) -> None:
        """An action of the match: sent if the rules allow it, with the reason said if not."""
        if action == "draw_back":
            self._draw_back()
        elif action == "move_cue":
            self._move_cue(state)
        elif action == "place":
            self._put_down(view, state)
        elif action.startswith("choose:"):
            self._give(c.Choose(option=Option(action.split(":")[1])))
        elif action == "call":
            self.hand.calling = "" if self.hand.calling else "ball"
            self.hand.called_ball = self.hand.called_pocket = None
        elif action == "safety":
            self.hand.calling = ""
            self._give(c.CallSafety())
        elif action == "spot" and view.seat is not None:
            self._give(c.RequestSpot(ball=spottable(state, view.seat)[0]))
        elif action == "snooker":
            self._give(c.DeclareSnooker())
        elif action == "push_out":
            self._give(c.DeclarePushOut(on=not state.push_out_declared))
        elif action == "time_out":
            self._give(c.RequestTimeOut())
        elif action == "end_time_out":
            self._give(c.EndTimeOut())
        elif action == "ruling":
            self._give(c.RequestRuling())
        elif action == "stalemate":
            self._give(c.AgreeStalemate())
        elif action in ("claim:win", "claim:adjourn"):
            self.session.claim_absence("win" if action == "claim:win" else "adjourn")
            self.hand.sheet = ""
        elif action == "concede_yes":
            self._give(c.Concede())

    def _give(self, command: c.PlayerCommand) -> bool:
        why = self.permits().why_not(type(command))
        if why:
            self.hand.tell(why, self._now, "bad")
            return False
        self.session.play(command)
        self.hand.sheet = ""
        self.hand.toast_until = 0.0  # what was wrong before is not any more
        return True

    def pick_ball(self, ball: int | None) -> None:
        """The ball that is to be called; one that may not be says why."""
        view, state = self.session.view, self.state
        if ball is None or view is None or view.seat is None or state is None:
            return
        why = why_not_called(state, view.seat, ball, self._language())
        if why:
            self.hand.tell(why, self._now, "bad")
        else:
            self.hand.called_ball, self.hand.calling = ball, "pocket"

    def pick_pocket(self, pocket: Pocket | None) -> None:
        """The pocket for the ball: with it the call is given."""
        ball = self.hand.called_ball
        if ball is None or pocket is None:
            return
        self.hand.calling = ""
        self._give(c.CallShot(ball=ball, pocket=pocket))

    def _draw_back(self) -> None:
        if self.hand.sheet or self.hand.help:
            return
        if self.mode is Mode.PLACE:
            self.refuse("why_place_first")
        elif self.mode is Mode.AIM and self.hand.struck_at is None:
            why = self.permits().why_not(c.Strike)
            if why:
                self.hand.tell(why, self._now, "bad")
            else:
                self.hand.drawn_back_at = self._now

    def let_go(self) -> None:
        """The cue that was drawn back goes forward."""
        if self.hand.drawn_back_at is None or self.mode is not Mode.AIM:
            return
        self.hand.drawn_back_at = None
        view = self.session.view
        if view is None or view.state is None:
            return
        stroke = held_stroke(self.hand, view.state, view.seat)
        if self._give(c.Strike(stroke=stroke)):
            self.hand.struck_at, self.hand.struck = self._now, motion_of(stroke)

    def _move_cue(self, state: MatchState) -> None:
        why = self.permits().why_not(c.PlaceCue)
        if why:
            self.hand.tell(why, self._now, "bad")
        else:
            self.hand.moving_cue = not self.hand.moving_cue

    def _put_down(self, view: TableView, state: MatchState) -> None:
        place = self.hand.place
        if self.mode is not Mode.PLACE or place is None or view.seat is None:
            return
        why = self.permits().why_not_there(state, view.seat, place)
        if why:
            self.hand.tell(why, self._now, "bad")
        elif self._give(c.PlaceCue(x=place.x, y=place.y)):
            self.hand.moving_cue = False
