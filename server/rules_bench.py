"""How fast the rules are: ``headstring bench rules``.

A match of safeties in each game, with as many events a shot as real ones have, judged shot by shot
and then rebuilt from its log: no physics, no database.
"""

import statistics
import time
from dataclasses import dataclass

import msgspec

from shared_rules import commands as c
from shared_rules import events as ev
from shared_rules.balls import CUE, LAG_A, LAG_B
from shared_rules.calls import call_is_due
from shared_rules.commands import Actor, Order
from shared_rules.disciplines import discipline_of
from shared_rules.match import apply, new_match, replay
from shared_rules.presets import PRESETS
from shared_rules.ruleset import make_ruleset
from shared_rules.situation import situation_of
from shared_rules.state import MatchDescription, MatchState, Option, Phase, Stroke
from shared_rules.table import Position

SHOTS = 200
_STROKE = Stroke(speed=2.0, heading_deg=10.0)
_RAILS: tuple[ev.Rail, ...] = ("foot", "left", "head", "right")
_ENCODE, _DECODE = msgspec.msgpack.encode, msgspec.msgpack.decode


@dataclass(frozen=True)
class RulesReport:
    """Of one game: milliseconds a shot judged, sorted; seconds to rebuild the match; log bytes."""

    preset: str
    judged_ms: tuple[float, ...]
    rebuilt_s: float
    log_bytes: int

    def __str__(self) -> str:
        median, slowest = statistics.median(self.judged_ms), self.judged_ms[-1]
        return (
            f"{self.preset:15} judging a shot: median {median:6.3f} ms, slowest {slowest:6.3f} ms; "
            f"{len(self.judged_ms)} shots rebuilt from {self.log_bytes / 1024:.0f} KiB of log "
            f"in {self.rebuilt_s:.3f} s"
        )


def bench_rules() -> str:
    """The report of every game that can be played."""
    return "\n".join(str(measured(preset)) for preset in PRESETS)


def measured(preset: str, shots: int = SHOTS) -> RulesReport:
    """A match of ``shots`` shots played, judged and rebuilt."""
    ruleset = make_ruleset(preset, {"three_foul": {"limit": None}})
    described = MatchDescription(match_id="bench", players=("A", "B"), ruleset=ruleset)
    match = _Played(described)
    match.play(shots)
    log = [_ENCODE(order) for order in match.log]
    started = time.perf_counter()
    state = replay(described, (_DECODE(order, type=Order) for order in log))
    rebuilt_s = time.perf_counter() - started
    if state != match.state:
        raise AssertionError("the log does not lead to the match")
    return RulesReport(preset, tuple(sorted(match.judged_ms)), rebuilt_s, sum(map(len, log)))


class _Played:
    """A match that is played without physics: safeties, a rail or two for every ball."""

    def __init__(self, described: MatchDescription) -> None:
        self.state: MatchState = new_match(described)
        self.log: list[Order] = []
        self.judged_ms: list[float] = []
        self._now = 0.0

    def play(self, shots: int) -> None:
        """Play so many shots, the lag aside."""
        self._give(Actor.SERVER, c.StartMatch())
        for seat in (Actor.SEAT_0, Actor.SEAT_1):
            self._give(seat, c.Strike(stroke=_STROKE))
        self._finish(tuple(_lag_events()))
        self.judged_ms.clear()
        while len(self.judged_ms) < shots:
            self._step()

    def _step(self) -> None:
        state = self.state
        if state.options and state.decider in (0, 1):
            # the table as it lies, where it is offered: racks are not what is measured
            best = Option.ACCEPT_TABLE if Option.ACCEPT_TABLE in state.options else state.options[0]
            self._give(Actor.of(state.decider), c.Choose(option=best))
        elif state.phase is Phase.PLACE_CUE_FOR_BREAK and not state.racked:
            self._give(Actor.SERVER, c.RackBalls(seed=1, balls=self._rack()))
        elif state.shooter is not None:
            self._shoot(Actor.of(state.shooter))

    def _shoot(self, by: Actor) -> None:
        if self.state.cue_in_hand != "none" and not self.state.cue_placed:
            self._give(by, c.PlaceCue(x=-1.1, y=0.3))
        if call_is_due(self.state):
            self._give(by, c.CallSafety())
        self._give(by, c.Strike(stroke=_STROKE))
        self._finish(tuple(self._shot_events()))

    def _shot_events(self) -> list[ev.Event]:
        running = self.state.running
        assert running is not None and running.shooter is not None
        balls = [ball for ball in running.balls_before if ball != CUE]
        situation = situation_of(self.state, running.shooter, before=running.balls_before)
        first = min(discipline_of(self.state.description.ruleset).targets(situation) or balls)
        events: list[ev.Event] = [ev.CueStrike(), ev.BallBall(a=CUE, b=first, at=0.3)]
        for number, ball in enumerate((CUE, *balls)):
            rail, at = _RAILS[number % 4], 0.4 + 0.05 * number
            events.append(ev.RailContact(ball=ball, rail=rail, at=at))
            events.append(ev.CrossesCenterString(ball=ball, dir="in", at=at + 0.01))
            events.append(ev.BallBall(a=first, b=ball, at=at + 0.02) if ball not in (CUE, first)
                          else ev.RollOnset(ball=ball, at=at + 0.02))  # fmt: skip
            events.append(ev.Stop(ball=ball, at=3.0 + at))
        return [*events, ev.Rest(at=5.0)]

    def _rack(self) -> dict[int, Position]:
        from server.shots import rack

        rules = self.state.description.ruleset
        return rack(rules.discipline, 1, rules.rack.gap_mm, self.state.description.frame.preset)

    def _finish(self, events: tuple[ev.Event, ...]) -> None:
        running = self.state.running
        assert running is not None
        order = c.FinishShot(shot=running.number, events=events, balls=running.balls_before)
        started = time.perf_counter()
        self._give(Actor.SERVER, order)
        self.judged_ms.append((time.perf_counter() - started) * 1e3)

    def _give(self, by: Actor, command: c.Command) -> None:
        self._now += 1.0
        order = Order(by=by, at=self._now, command=command)
        self.state = apply(self.state, order).state
        self.log.append(order)


def _lag_events() -> list[ev.Event]:
    balls = (LAG_A, LAG_B)
    events: list[ev.Event] = [ev.CueStrike(ball=ball) for ball in balls]
    events += [ev.RailContact(ball=ball, rail="foot", at=1.0) for ball in balls]
    gaps = zip(balls, (20.0, 60.0), strict=True)
    return [*events, *(ev.Rest(ball=ball, gap_to_head_cushion_mm=gap) for ball, gap in gaps)]
