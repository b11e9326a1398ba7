"""A stored match as one stretch of time: what is on the table at a moment, and where to go next.

Only trajectories have a length of their own.  Between two events the match waited; here that takes
as long as it did, ``LONGEST_WAIT_S`` at most.  What comes after a shot comes when it has ended.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Literal

import msgspec

from client.net.view import Shot
from physics.trajectory import Trajectory, TrajectoryError
from shared_rules.changes import StateChanges, changed
from shared_rules.messages import ReplayEvent
from shared_rules.state import MatchState

LONGEST_WAIT_S = 2.0
SAME_S = 1e-6
"""Moments so near to each other are one: a step from a moment leads past it."""

MarkKind = Literal["rack", "shot", "foul", "contact", "end"]


class NotShown(ValueError):
    """This build can't show the match; the message tells a person why."""


@dataclass(frozen=True)
class Mark:
    """Something to go to, ``at`` seconds from the beginning; ``shot``: its number, 0 before any."""

    at: float
    kind: MarkKind
    shot: int


@dataclass(frozen=True)
class Now:
    """The table at a moment: the state that is known then, the shot that runs and how long (s).

    ``index`` and ``number`` of the last event, from 0 and as the server counts.
    """

    index: int
    number: int
    state: MatchState
    shot: Shot | None
    shot_time: float | None


class Timeline:
    """See the module.  ``duration`` in seconds; ``marks`` in order of time."""

    def __init__(self, events: Iterable[ReplayEvent]) -> None:
        """Raises NotShown: states or trajectories in it are none that this build reads."""
        self._numbers: list[int] = []
        self._starts: list[float] = []
        self._states: list[MatchState] = []
        self._shots: list[Shot | None] = []
        marks: list[Mark] = []
        end = 0.0
        at_before: float | None = None
        state: MatchState | None = None
        last: Shot | None = None
        for event in events:
            if at_before is not None:
                end += min(max(event.at - at_before, 0.0), LONGEST_WAIT_S)
            state = _state(state, event)
            shot = _shot(event, end)
            marks += _marks(event, end, last)
            self._numbers.append(event.number)
            self._starts.append(end)
            self._states.append(state)
            self._shots.append(shot)
            at_before = event.at
            if shot is not None:
                end += shot.trajectory.duration
                at_before += shot.trajectory.duration
                marks += _marks_of_shot(shot)
                last = shot
        if not self._states:
            raise NotShown("there is nothing in this match yet")
        self.duration = end
        self._places: dict[tuple[MarkKind, ...], list[float]] = {}
        self.marks: tuple[Mark, ...] = tuple(sorted(marks, key=lambda mark: mark.at))

    def now(self, at: float) -> Now:
        """The table at ``at`` seconds; before the beginning and past the end what is nearest."""
        here = max(bisect_right(self._starts, at + SAME_S) - 1, 0)
        shot = self._shots[here]
        since = max(at - self._starts[here], 0.0)
        if shot is not None and since >= shot.trajectory.duration - SAME_S:
            shot = None
        return Now(
            here, self._numbers[here], self._states[here], shot, since if shot is not None else None
        )

    def state(self, index: int) -> MatchState:
        """The state after an event."""
        return self._states[index]

    def shot(self, index: int) -> Shot | None:
        """The shot that began with an event."""
        return self._shots[index]

    def of_shot(self, number: int, seconds: float = 0.0) -> float | None:
        """The moment so many seconds into a shot; None: there is no such shot."""
        for start, shot in zip(self._starts, self._shots, strict=True):
            if shot is not None and shot.number == number:
                return start + min(max(seconds, 0.0), shot.trajectory.duration)
        return None

    def nearest_shot(self, at: float) -> tuple[int, float]:
        """The last shot that has begun by a moment and how far in it that is; (0, 0) before any.

        :meth:`of_shot` leads back there, from after a shot to its end.
        """
        here = bisect_right(self._starts, at + SAME_S)
        for start, shot in zip(self._starts[:here][::-1], self._shots[:here][::-1], strict=True):
            if shot is not None:
                return shot.number, min(max(at - start, 0.0), shot.trajectory.duration)
        return 0, 0.0

    def step(self, at: float, way: int, *kinds: MarkKind) -> float | None:
        """The next (``way`` 1) or the last (-1) mark of these kinds; None: there is none."""
        places = self._places.get(kinds)
        if places is None:  # the buttons ask every frame
            places = [mark.at for mark in self.marks if mark.kind in kinds]
            self._places[kinds] = places
        if way > 0:
            here = bisect_right(places, at + SAME_S)
            return places[here] if here < len(places) else None
        here = bisect_left(places, at - SAME_S)
        return places[here - 1] if here else None


def _state(before: MatchState | None, event: ReplayEvent) -> MatchState:
    try:
        return changed(before, msgspec.convert(event.changes, StateChanges))
    except (ValueError, TypeError) as error:
        raise NotShown(f"event {event.number} can't be read: {error}") from error


def _shot(event: ReplayEvent, start: float) -> Shot | None:
    if event.shot is None:
        return None
    try:
        return Shot(event.shot.shot, start, Trajectory.decode(event.shot.trajectory))
    except TrajectoryError as error:
        raise NotShown(f"shot {event.shot.shot} can't be read: {error}") from error


def _marks(event: ReplayEvent, at: float, last: Shot | None) -> Iterable[Mark]:
    """Of an event; ``last``: the shot before it, which a ruling in it is about."""
    for said in event.announcements:
        if said.get("a") == "racked":
            yield Mark(at, "rack", last.number if last is not None else 0)
        ruling = said.get("ruling")
        if said.get("a") == "judged" and isinstance(ruling, dict) and ruling.get("fouls"):
            yield _foul(ruling, at, last)


def _foul(ruling: dict[str, Any], at: float, last: Shot | None) -> Mark:
    """At the first moment that decided it; where none did, when it was ruled."""
    moments = ruling.get("moments")
    if last is None or last.number != ruling.get("shot") or not isinstance(moments, dict):
        return Mark(at, "foul", last.number if last is not None else 0)
    seen = [t for t in moments.values() if isinstance(t, int | float)]
    return Mark(last.started_at + min(seen) if seen else at, "foul", last.number)


def _marks_of_shot(shot: Shot) -> Iterable[Mark]:
    """Its beginning, its contacts and its end."""
    begins, ends = shot.started_at, shot.started_at + shot.trajectory.duration
    yield Mark(begins, "shot", shot.number)
    for contact in shot.trajectory.contacts:
        yield Mark(begins + contact.at, "contact", shot.number)
    yield Mark(ends, "end", shot.number)
