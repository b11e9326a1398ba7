"""The player's hands: the cue, the ball in hand, what is open on the screen, passing messages.

Pure: no window and no network.  :mod:`client.play.controls` moves it, the HUD and the stage show
it.
"""

import math
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Literal

from msgspec.structs import replace

from client.net.view import TableView
from client.play.aim import Aim
from client.play.stroking import Push
from client.scene.cue import StrokeMotion
from physics.clearance import Clearance, clearance_at
from physics.table import TABLES
from shared_rules.balls import CUE, LAG_A, LAG_B
from shared_rules.clocks import DECISION_PHASES, SHOT_PHASES
from shared_rules.disciplines import discipline_of
from shared_rules.events import Pocket
from shared_rules.situation import situation_of
from shared_rules.state import MatchState, Phase, Seat, Stroke
from shared_rules.table import Position

CHOOSING = DECISION_PHASES | {Phase.LAG_REFEREE_DECISION, Phase.REFEREE_PENALTY}
SHOOTING = SHOT_PHASES
TOAST_S = 4.5


class Mode(StrEnum):
    """What the player's hands are for now."""

    WAIT = "wait"
    PLACE = "place"
    AIM = "aim"
    CHOOSE = "choose"
    WATCH = "watch"
    OVER = "over"


@dataclass
class Hand:
    """The state of one player's hands and screen."""

    aim: Aim = field(default_factory=Aim)
    place: Position | None = None
    moving_cue: bool = False
    calling: Literal["", "ball", "pocket"] = ""
    """What is being chosen for a call."""
    called_ball: int | None = None
    called_pocket: Pocket | None = None
    drawn_back_at: float | None = None
    rising_since: float | None = None
    """Since when the power rises with a key that is held."""
    push: Push | None = None
    """The stroke that the mouse makes."""
    struck_at: float | None = None
    struck: StrokeMotion | None = None
    sheet: str = ""
    """What is open over the table: "", menu, concede, leave, sound, foul."""
    rematch: Literal["", "asked", "offered"] = ""
    """At the end of a match: whether one has asked for another, or the opponent has."""
    help: bool = False
    help_page: int = 0
    numbers: bool = True
    """Whether balls that are seen from above wear their numbers upright."""
    again: bool = False
    """Whether the last shot is shown once more."""
    view: str = "auto"
    cleared: tuple[MatchState, tuple, Clearance] | None = None
    """What was found last of how far the butt must be raised, and for what."""
    toast: str = ""
    toast_tone: str = "plain"
    toast_until: float = 0.0

    def tell(self, text: str, now: float, tone: str = "plain") -> None:
        """Show a passing message."""
        self.toast = text[:1].upper() + text[1:]
        self.toast_tone, self.toast_until = tone, now + TOAST_S

    def put_cue_away(self) -> None:
        """Nothing is drawn back or struck any more."""
        self.take_back()
        self.struck_at = self.struck = None

    @property
    def drawn_back(self) -> bool:
        """Whether a stroke has been begun, in whichever way."""
        begun = (self.drawn_back_at, self.rising_since, self.push)
        return any(part is not None for part in begun)

    def take_back(self) -> None:
        """A stroke that was begun is not played."""
        self.drawn_back_at = self.rising_since = self.push = None


def mode_of(view: TableView | None, hand: Hand) -> Mode:
    """What the player's hands are for."""
    if view is None or view.state is None:
        return Mode.WAIT
    state, seat = view.state, view.seat
    if state.phase is Phase.MATCH_OVER:
        return Mode.OVER
    if seat is None:
        decides = view.role == "referee" and state.decider == "referee"
        return Mode.CHOOSE if decides and state.phase in CHOOSING else Mode.WATCH
    if state.phase is Phase.LAG and state.lag is not None:
        if state.lag.struck[seat]:
            return Mode.WAIT
        return Mode.PLACE if hand.moving_cue else Mode.AIM
    if state.phase in CHOOSING:
        return Mode.CHOOSE if state.decider == seat else Mode.WAIT
    if state.phase not in SHOOTING or state.shooter != seat:
        return Mode.WAIT
    if state.phase is Phase.PLACE_CUE_FOR_BREAK and not state.racked:
        return Mode.WAIT
    if state.cue_in_hand != "none" and (hand.moving_cue or not state.cue_placed):
        return Mode.PLACE
    return Mode.AIM


def ball_struck(state: MatchState, seat: Seat | None) -> int:
    """Ball that a seat strikes: the cue ball, or its own in a lag."""
    if state.phase is not Phase.LAG or seat is None:
        return CUE
    return LAG_A if seat == 0 else LAG_B


def place_of(state: MatchState, ball: int) -> Position | None:
    """Where a ball lies by the state; None if it is not on the bed."""
    if ball in (LAG_A, LAG_B):
        return state.lag.balls[ball - LAG_A] if state.lag is not None else None
    return state.balls.get(ball)


def targets_shown(state: MatchState) -> tuple[int, ...]:
    """The balls that may be hit first, as they are marked: none where almost any may."""
    if state.shooter is None or not state.balls or state.free_shot:
        return ()
    game = discipline_of(state.description.ruleset)
    if state.description.ruleset.discipline == "straight_pool":
        return ()
    targets = game.targets(situation_of(state, state.shooter))
    return tuple(sorted(targets)) if game.groups is None or state.groups is not None else ()


def clearance_of(hand: Hand, state: MatchState, seat: Seat | None) -> Clearance:
    """How far the butt must be raised now, and over what."""
    ball = ball_struck(state, seat)
    at, table = place_of(state, ball), TABLES.get(state.description.frame.preset)
    if table is None or at is None:
        return Clearance(0.0, None)
    key = (at, hand.aim.heading_deg, hand.aim.tip)
    if hand.cleared is None or hand.cleared[0] is not state or hand.cleared[1] != key:
        balls = {**state.balls, ball: at}
        found = clearance_at(table, balls, ball, hand.aim.heading_deg, hand.aim.tip)
        hand.cleared = (state, key, found)
    return hand.cleared[2]


def held_stroke(hand: Hand, state: MatchState, seat: Seat | None) -> Stroke:
    """The stroke as it would be played now, the butt raised over rails and balls behind."""
    stroke = hand.aim.stroke()
    least = clearance_of(hand, state, seat).least_deg
    return replace(stroke, elevation_deg=max(least, stroke.elevation_deg))


def first_place(state: MatchState, seat: Seat | None) -> Position:
    """Where a ball in hand is held at first."""
    lying = place_of(state, ball_struck(state, seat))
    if lying is not None:
        return lying
    frame = state.description.frame
    if state.cue_in_hand == "baulk":
        return Position(frame.baulk_line - 0.06, 0.12 if state.is_break else 0.0)
    if state.cue_in_hand == "head" or state.is_break:
        return Position(frame.head_string - 0.06, 0.18 if state.is_break else 0.0)
    return Position(frame.head_string, 0.0)


def default_heading(state: MatchState, ball: int) -> float:
    """Heading to begin with: at the lowest ball, in a lag straight up the table."""
    here = place_of(state, ball)
    numbers = [n for n in state.balls if n != CUE]
    if state.phase is Phase.LAG or here is None or not numbers:
        return 0.0
    there = state.balls[min(numbers)]
    return math.degrees(math.atan2(there[1] - here[1], there[0] - here[0]))
