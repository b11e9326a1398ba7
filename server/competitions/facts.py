"""What a log says, gathered: who is in, what was drawn, how matches were settled, who is where.

``gather`` folds a log into facts; ``Facts.take`` adds one more line to a copy.  A correction puts
its new act in the place of the old one, so facts after a correction are those of a history in
which the corrected thing was entered in the first place.
"""

from collections.abc import Iterable, Iterator
from copy import copy
from dataclasses import dataclass, field, fields, replace

import msgspec

from server.competitions import acts as a
from server.competitions.setup import Settings

PairKey = tuple[str, frozenset[str]]


@dataclass(frozen=True, slots=True)
class Left:
    """That an entrant has left: by which line of the log, and whether he was put out (N9.9j)."""

    entry: int
    disqualified: bool


@dataclass(frozen=True, slots=True)
class Settled:
    """A line of the log that settles a match."""

    entry: int
    at: float
    act: a.Settling


@dataclass(frozen=True, slots=True)
class Call:
    """A call to a station: of whom, since when, from when on lateness counts, who is there."""

    entry: int
    sides: tuple[str, str]
    station: str
    at: float
    due: float
    arrived: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class ChallengeMade:
    """A challenge in a ladder, and when it was made."""

    entry: int
    at: float
    act: a.Challenged


@dataclass(slots=True)
class Facts:
    """What a log says.  Never changed once ``gather`` or ``after`` has handed it out.

    ``settled`` is kept by match and by who played it, so that a result falls away while a
    correction has others meet there, and counts again when that is corrected back.  ``timed``:
    seconds and games of the matches that were called and played, for the running average.
    ``calls``: also those that have lapsed; ``Competition.calls`` has those that hold.
    ``adjourned``: of a match that the server has kept back, the version with which it was adjourned
    last.  ``paused_at``: since when it stands; ``resumed_at``: when it went on last.
    """

    settings: Settings
    entrants: dict[str, a.Entrant] = field(default_factory=dict)
    entered: dict[str, int] = field(default_factory=dict)
    left: dict[str, Left] = field(default_factory=dict)
    seeds: tuple[str, ...] = ()
    draws: dict[int, a.Places] = field(default_factory=dict)
    draw_entries: dict[int, int] = field(default_factory=dict)
    settled: dict[PairKey, Settled] = field(default_factory=dict)
    challenges: dict[str, ChallengeMade] = field(default_factory=dict)
    line_ups: dict[tuple[str, str], a.LineUp] = field(default_factory=dict)
    boards: dict[tuple[str, frozenset[str], int], a.BoardResult] = field(default_factory=dict)
    lag_offs: dict[int, tuple[str, ...]] = field(default_factory=dict)
    stations: tuple[str, ...] = ()
    calls: dict[str, Call] = field(default_factory=dict)
    held: dict[str, bool] = field(default_factory=dict)
    adjourned: dict[str, int] = field(default_factory=dict)
    paused_at: float | None = None
    resumed_at: float = 0.0
    timed: tuple[float, int] = (0.0, 0)

    @property
    def started(self) -> bool:
        """Whether anything was drawn."""
        return bool(self.draws)

    @property
    def present(self) -> tuple[str, ...]:
        """Who is in and has not left, in the order of entry."""
        return tuple(entrant for entrant in self.entrants if entrant not in self.left)

    def after(self, entry: a.Entry) -> "Facts":
        """The facts with one more line, which is no correction."""
        copied = copy(self)
        for part in fields(self):
            if isinstance(value := getattr(self, part.name), dict):
                setattr(copied, part.name, value.copy())
        copied.take(entry)
        return copied

    def take(self, entry: a.Entry) -> None:
        """Adds a line of the log to these facts."""
        match act := entry.act:
            case a.SettingsChanged():
                self.settings = act.settings
            case a.Entered():
                self._enter(entry.number, act)
            case a.Withdrawn():
                self.left[act.entrant] = Left(entry.number, act.disqualified)
            case a.Seeded():
                self.seeds = act.order
            case a.Drawn():
                self.draws[act.round] = act.places
                self.draw_entries[act.round] = entry.number
            case a.Challenged():
                self.challenges[act.match] = ChallengeMade(entry.number, entry.at, act)
            case a.LineUp():
                self.line_ups[act.match, act.entrant] = act
            case a.BoardResult():
                self.boards[act.match, frozenset(act.sides), act.board] = act
            case a.LagOff():
                self.lag_offs[entry.number] = act.order
            case a.Result() | a.Forfeit() | a.WalkOver():
                self._settle(entry, act)
            case a.StationsSet() | a.Called() | a.CalledOff() | a.Arrived() | a.Held():
                self._on_the_floor(entry, act)
            case a.Paused():
                self.paused_at = entry.at
            case a.Resumed():
                self._resume(entry.at, act)
            case a.Corrected():
                raise AssertionError("a correction rewrites history: gather the log anew")

    def _enter(self, number: int, act: a.Entered) -> None:
        who = act.entrant.id
        self.entrants[who] = act.entrant
        self.entered.setdefault(who, number)
        self.left.pop(who, None)  # who left before the draw may come back
        if act.slot is not None:
            places = list(self.draws[1])
            places[act.slot] = who
            self.draws[1] = tuple(places)

    def _settle(self, entry: a.Entry, act: a.Settling) -> None:
        self.settled[act.match, frozenset(act.sides)] = Settled(entry.number, entry.at, act)
        call = self.calls.pop(act.match, None)
        if call is not None and isinstance(act, a.Result) and entry.at > call.at:
            seconds, games = self.timed
            played = sum(sum(score) for score in act.boards or (act.score,))
            self.timed = seconds + entry.at - max(call.at, min(call.due, entry.at)), games + played

    def _on_the_floor(
        self, entry: a.Entry, act: a.StationsSet | a.Called | a.CalledOff | a.Arrived | a.Held
    ) -> None:
        match act:
            case a.StationsSet():
                self.stations = act.stations
            case a.Called():
                before = self.calls.get(act.match)
                moved = before is not None and before.sides == act.sides
                since, arrived = entry.at, frozenset[str]()
                if before is not None and moved:
                    since, arrived = before.at, before.arrived
                self.calls[act.match] = Call(
                    entry.number, act.sides, act.station, since, act.due, arrived
                )
            case a.CalledOff():
                self.calls.pop(act.match, None)
            case a.Arrived():
                call = self.calls.get(act.match)
                if call is not None:
                    self.calls[act.match] = replace(call, arrived=call.arrived | {act.entrant})
            case a.Held():
                self.held[act.match] = act.held
                if act.adjourned is not None:
                    self.adjourned[act.match] = act.adjourned

    def _resume(self, at: float, act: a.Resumed) -> None:
        """The clocks of those who are called go on: what has stood counts for nothing."""
        stood = self.paused_at if self.paused_at is not None else act.since
        self.paused_at, self.resumed_at = None, at
        if stood is None:
            return
        for name, call in self.calls.items():
            at_, due = _later(call.at, stood, at), _later(call.due, stood, at)
            self.calls[name] = replace(call, at=at_, due=due)


def _later(instant: float, stood: float, at: float) -> float:
    """An instant, later by as much of the time from ``stood`` to ``at`` as came after it."""
    return instant + max(0.0, at - max(stood, instant))


def effective(log: Iterable[a.Entry]) -> Iterator[a.Entry]:
    """The history that counts: each corrected line says what its last correction says."""
    lines = tuple(log)
    new = {e.act.entry: e.act.new for e in lines if isinstance(e.act, a.Corrected)}
    for entry in lines:
        if isinstance(entry.act, a.Corrected):
            continue
        if entry.number not in new:
            yield entry
        elif (act := new[entry.number]) is not None:
            yield msgspec.structs.replace(entry, act=act)


def gather(settings: Settings, log: Iterable[a.Entry]) -> Facts:
    """The facts of a log from its beginning."""
    facts = Facts(settings)
    for entry in effective(log):
        facts.take(entry)
    return facts
