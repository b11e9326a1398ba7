"""What the player does to the match: given where the rules allow it, else the reason is said."""

from collections.abc import Callable

from client.hud.hud import Hud
from client.hud.model import Button
from client.hud.referee import claims_foul, foul_order
from client.net.session import Session
from client.net.view import TableView
from client.play.calling import why_not_called
from client.play.hand import Hand, Mode, held_stroke
from client.play.permits import Permits
from client.play.stage import VIEWS
from client.play.stroking import Push, rising_share
from client.play.swing import motion_of
from client.words import say
from shared_rules import commands as c
from shared_rules import messages as m
from shared_rules.calls import spottable
from shared_rules.events import Pocket
from shared_rules.state import MatchState, Option, Phase, Seat


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
        elif action.startswith("sheet:"):
            self.hand.sheet = action.removeprefix("sheet:")
        elif action in ("menu", "concede", "leave", "sound"):
            self.hand.sheet = "" if self.hand.sheet == action else action
        elif action == "back":
            self.hand.sheet = ""
        elif action == "help":
            self.hand.help, self.hand.help_page = not self.hand.help, 0
            self.hand.sheet = ""
        elif action == "numbers":
            self.hand.numbers = not self.hand.numbers
        elif action == "help_next":
            self.hand.help_page += 1
        elif view is not None and state is not None:
            self._command(action, view, state)

    def _button(self, action: str) -> Button | None:
        model = self.hud.model
        dialog = model.dialog.buttons if model.dialog is not None else ()
        more = (model.again,) if model.again is not None else ()
        for button in (*dialog, *model.buttons, *model.corner, *more):
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
        if action in ("draw_back", "rise", "push"):
            self._draw_back(action)
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
            self._ask_for_a_spot(view.seat, state)
        elif action == "snooker":
            self._give(c.DeclareSnooker())
        elif action == "push_out":
            self._give(c.DeclarePushOut(on=not state.push_out_declared))
        elif action == "time_out":
            self._give(c.RequestTimeOut())
        elif action == "extend":
            self._give(c.ExtendShot())
        elif action == "end_time_out":
            self._give(c.EndTimeOut())
        elif action == "stalemate":
            self._give(c.AgreeStalemate())
        elif action in ("claim:win", "claim:adjourn"):
            self.session.claim_absence("win" if action == "claim:win" else "adjourn")
            self.hand.sheet = ""
        elif action == "concede_yes":
            self._give(c.Concede())
        elif action == "call_foul":
            self._call_foul(view)
        elif action == "halt" and state.phase is Phase.SUSPENDED:
            self._give(c.Resume())
        elif action == "halt":
            self._give(c.Suspend(reason=say(self._language(), "suspend_reason")))
        elif action == "officiate":  # by a referee it leads to a screen
            self.hand.tell(self.permits().why_not(c.Suspend), self._now, "bad")
        elif action == "rematch":
            self.session.look_up(m.Rematch, table=view.table)
            self.hand.rematch = "asked"
        elif action.startswith("foul:"):
            called = foul_order(action)
            claims = view.seat is not None and claims_foul(self.permits())[0] is c.Claim
            self._give(c.Claim(act=called) if claims else called)

    def _call_foul(self, view: TableView) -> None:
        """The list of fouls, for a referee, or for a player where none sits."""
        permits = self.permits()
        claims = view.seat is not None
        why = claims_foul(permits)[1] if claims else permits.why_not(c.CallFoul)
        if why:
            self.hand.tell(why, self._now, "bad")
        else:
            self.hand.sheet = "foul"

    def _ask_for_a_spot(self, seat: Seat, state: MatchState) -> None:
        """Have the ball spotted that may be; where none may, the reason is said."""
        why = self.permits().why_not(c.RequestSpot)
        if why:
            self.hand.tell(why, self._now, "bad")
        else:
            self._give(c.RequestSpot(ball=spottable(state, seat)[0]))

    def _give(self, command: c.PlayerCommand | c.RefereeCommand) -> bool:
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

    def _draw_back(self, way: str) -> None:
        """A stroke is begun, in one of the three ways (:mod:`client.play.stroking`)."""
        hand = self.hand
        if hand.sheet or hand.help or hand.drawn_back:
            return
        if hand.again:  # nobody strikes at what was: first back to what is
            self._on_action("again")
        elif self.mode is Mode.PLACE:
            self.refuse("why_place_first")
        elif self.mode is Mode.AIM and hand.struck_at is None:
            why = self.permits().why_not(c.Strike)
            if why:
                hand.tell(why, self._now, "bad")
            elif way == "push":
                hand.push = Push()
            elif way == "rise":
                hand.rising_since = self._now
            else:
                hand.drawn_back_at = self._now

    def let_go(self, way: str = "draw_back") -> None:
        """The cue that was drawn back goes forward; a push let go of before the ball does not."""
        if self.mode is not Mode.AIM:
            return
        if way == "push":
            if self.hand.push is not None:
                self.hand.take_back()
                self.refuse("cancelled")
            return
        begun = self.hand.rising_since if way == "rise" else self.hand.drawn_back_at
        if begun is None:
            return
        if way == "rise":
            self.hand.aim.set_share(rising_share(self._now - begun))
        self._strike()

    def push(self, down: float) -> None:
        """The mouse that strokes has gone ``down`` heights of the window."""
        if self.hand.push is None or self.mode is not Mode.AIM:
            return
        share = self.hand.push.move(down, self._now)
        if share is not None:
            self.hand.aim.set_share(share)
            self._strike(at_the_ball=True)

    def _strike(self, at_the_ball: bool = False) -> None:
        self.hand.take_back()
        view = self.session.view
        if view is None or view.state is None:
            return
        stroke = held_stroke(self.hand, view.state, view.seat)
        if self._give(c.Strike(stroke=stroke)):
            motion = motion_of(stroke)
            # The way to the ball is seen from where the cue was drawn back to; a push is there.
            seen = motion.contact_at if at_the_ball else 0.0
            self.hand.struck_at, self.hand.struck = self._now - seen, motion

    def _move_cue(self, state: MatchState) -> None:
        why = self.permits().why_not(c.PlaceCue)
        if why:
            self.hand.tell(why, self._now, "bad")
        else:
            self.hand.moving_cue = not self.hand.moving_cue

    def _put_down(self, view: TableView, state: MatchState) -> None:
        place = self.hand.place
        if self.hand.again:  # nor puts a ball down there
            self._on_action("again")
            return
        if self.mode is not Mode.PLACE or place is None or view.seat is None:
            return
        why = self.permits().why_not_there(state, view.seat, place)
        if why:
            self.hand.tell(why, self._now, "bad")
        elif self._give(c.PlaceCue(x=place.x, y=place.y)):
            self.hand.moving_cue = False
