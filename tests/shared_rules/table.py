"""A match to play with in tests: gives orders, keeps the log, jumps to a wanted situation."""

from shared_rules import commands as c
from shared_rules import events as ev
from shared_rules.balls import CUE, LAG_A, LAG_B
from shared_rules.commands import Actor, Order
from shared_rules.disciplines import discipline_of
from shared_rules.match import apply, new_match
from shared_rules.refusal import Code, Refusal
from shared_rules.ruleset import make_ruleset
from shared_rules.state import MatchDescription, MatchState, Option, Stroke
from shared_rules.table import Position

STROKE = Stroke(speed=3.0, heading_deg=0.0)
SERVER, CLOCK, REFEREE = Actor.SERVER, Actor.CLOCK, Actor.REFEREE
SEAT = (Actor.SEAT_0, Actor.SEAT_1)
RACK_ORDER = (1, 2, 3, 4, 9, 5, 6, 7, 8)
TRIANGLE_ORDER = (1, 9, 2, 3, 8, 10, 11, 4, 5, 12, 6, 13, 14, 7, 15)


def description(preset="nine_ball_epbf", overrides=None, **more) -> MatchDescription:
    ruleset = make_ruleset(preset, overrides)
    return MatchDescription(match_id="m", players=("Ann", "Ben"), ruleset=ruleset, **more)


def contact(ball):
    return ev.BallBall(a=CUE, b=ball)


def rail(ball, name="foot", **more):
    return ev.RailContact(ball=ball, rail=name, **more)


def pocketed(ball):
    return ev.Pocketed(ball=ball, pocket="foot_left")


def racked(described: MatchDescription) -> dict[int, Position]:
    """A perfect rack of the match's game."""
    pattern = discipline_of(described.ruleset).rack
    order = RACK_ORDER if len(pattern.balls) == 9 else TRIANGLE_ORDER
    return dict(zip(order, pattern.slots(described.frame), strict=True))


def reracked(state: MatchState) -> dict[int, Position]:
    """The perfect continuation rack that a state waits for."""
    pattern = discipline_of(state.description.ruleset).rack
    balls = state.rerack.balls
    slots = pattern.slots(state.description.frame)[-len(balls) :]
    return dict(zip(balls, slots, strict=True))


class Match:
    """A match and its orders; time goes on by a second an order unless told otherwise."""

    def __init__(self, preset="nine_ball_epbf", overrides=None, **more):
        self._begin(description(preset, overrides, **more))

    @classmethod
    def of(cls, described: MatchDescription) -> "Match":
        """A match of a description made elsewhere."""
        match = cls.__new__(cls)
        match._begin(described)
        return match

    def _begin(self, described: MatchDescription) -> None:
        self.description = described
        self.state: MatchState = new_match(self.description)
        self.log: list[Order] = []
        self.said: tuple = ()
        self.now = 100.0

    def give(self, by, command, at=None):
        self.now = self.now + 1.0 if at is None else at
        order = Order(by=by, at=self.now, command=command)
        applied = apply(self.state, order)
        self.log.append(order)
        self.state, self.said = applied.state, applied.announcements
        return self.state

    def refused(self, by, command, at=None) -> Code:
        """The code with which an order is refused; it must be refused and change nothing."""
        before = self.state
        try:
            self.give(by, command, at)
        except Refusal as refusal:
            assert self.state is before
            assert refusal.message
            return refusal.code
        raise AssertionError(f"{command} was taken")

    def heard(self, kind):
        return [said for said in self.said if isinstance(said, kind)]

    # --- shortcuts ----------------------------------------------------------------------------

    def lag(self, gaps=(20.0, 60.0), later_s=1.0):
        """A whole fair lag."""
        if self.state.phase == "WAITING_FOR_PLAYERS":
            self.give(SERVER, c.StartMatch())
        self.give(SEAT[0], c.Strike(stroke=STROKE))
        self.give(SEAT[1], c.Strike(stroke=STROKE), self.now + later_s)
        events = [ev.CueStrike(ball=b) for b in (LAG_A, LAG_B)]
        events += [rail(b) for b in (LAG_A, LAG_B)]
        events += [
            ev.Rest(ball=b, gap_to_head_cushion_mm=g)
            for b, g in zip((LAG_A, LAG_B), gaps, strict=True)
        ]
        balls = {LAG_A: Position(-1.2, 0.3), LAG_B: Position(-1.1, -0.3)}
        return self.finish(events, balls)

    def finish(self, events, balls=None):
        running = self.state.running
        gone = {e.ball for e in events if isinstance(e, ev.Pocketed | ev.OffTable)}
        if balls is None:
            balls = {b: p for b, p in running.balls_before.items() if b not in gone}
        return self.give(
            SERVER, c.FinishShot(shot=running.number, events=tuple(events), balls=balls)
        )

    def rack(self):
        on = self.state.rerack is not None
        balls = reracked(self.state) if on else racked(self.description)
        return self.give(SERVER, c.RackBalls(seed=1, balls=balls))

    def to_break(self):
        """Seat 0 has won the lag and stands before the rack."""
        self.lag()
        self.give(SEAT[0], c.Choose(option=Option.BREAK))
        return self.rack()

    def strike(self, *events, struck=True, **more):
        """The player at the table places the cue ball if he has to, strikes, and it is judged."""
        state = self.state
        seat = SEAT[state.shooter]
        if state.cue_in_hand != "none":
            self.give(seat, c.PlaceCue(x=-0.9, y=0.2))
        self.give(seat, c.Strike(stroke=STROKE))
        first = [ev.CueStrike()] if struck else []
        return self.finish([*first, *events], **more)

    def broken(self, *more):
        """After a good break of seat 0 on which nothing fell: seat 1 is at the table."""
        self.to_break()
        return self.strike(contact(1), rail(1), rail(2), rail(3), rail(4), *more)
