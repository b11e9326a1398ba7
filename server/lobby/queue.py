"""Quick match: who waits for what, and who is to play whom.

No clock and no connections here.  Whoever has waited longest is served first, with the nearest in
rating of those who want the same; how far apart two may be grows with the waiting of both, up to
what each will have.
"""

import bisect
from collections import defaultdict
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from server.person import Person
from shared_rules.messages import TableTerms

FIRST_WINDOW = 50.0
WIDENS_PER_S = 10.0


@dataclass(frozen=True)
class Waiting:
    """Somebody who waits since ``since``; ``key``: what he wants, the same for the same terms."""

    person: Person
    terms: TableTerms
    key: bytes
    rating: float
    within: float
    since: float

    def window(self, now: float) -> float:
        """How far apart in rating his opponent may be now."""
        return min(self.within, FIRST_WINDOW + WIDENS_PER_S * max(0.0, now - self.since))


class WaitingQueue:
    """Everybody who waits, in order of coming; nobody twice."""

    def __init__(self) -> None:
        self._waiting: dict[str, Waiting] = {}

    def __len__(self) -> int:
        return len(self._waiting)

    def __contains__(self, person: str) -> bool:
        return person in self._waiting

    def add(self, waiting: Waiting) -> None:
        """He waits; one who waits for the same already keeps his place."""
        known = self._waiting.get(waiting.person.id)
        if known is not None and known.key == waiting.key:
            self._waiting[waiting.person.id] = _as_before(waiting, known.since)
            return
        self.remove(waiting.person.id)
        self._waiting[waiting.person.id] = waiting

    def put_back(self, waiting: Waiting) -> None:
        """He was to be matched, and it came to nothing: he has his place again."""
        self._waiting[waiting.person.id] = waiting
        self._waiting = dict(sorted(self._waiting.items(), key=lambda item: item[1].since))

    def remove(self, person: str) -> Waiting | None:
        """He waits no more."""
        return self._waiting.pop(person, None)

    def pairs(
        self, now: float, may_meet: Callable[[Person, Person], bool]
    ) -> list[tuple[Waiting, Waiting]]:
        """Who is to play whom now; they wait on until they are removed."""
        groups: dict[bytes, list[Waiting]] = defaultdict(list)
        for waiting in self._waiting.values():
            groups[waiting.key].append(waiting)
        found: list[tuple[Waiting, Waiting]] = []
        for group in groups.values():
            found += _pairs_of(group, now, may_meet)
        return found


def _pairs_of(
    group: list[Waiting], now: float, may_meet: Callable[[Person, Person], bool]
) -> Iterator[tuple[Waiting, Waiting]]:
    by_rating = sorted(group, key=lambda w: w.rating)
    for first in sorted(group, key=lambda w: w.since):
        if first not in by_rating:
            continue
        window = first.window(now)
        low = bisect.bisect_left(by_rating, first.rating - window, key=lambda w: w.rating)
        high = bisect.bisect_right(by_rating, first.rating + window, key=lambda w: w.rating)
        near = [
            other
            for other in by_rating[low:high]
            if other is not first
            and abs(other.rating - first.rating) <= other.window(now)
            and may_meet(first.person, other.person)
        ]
        if near:
            second = min(near, key=lambda w: (abs(w.rating - first.rating), w.since))
            by_rating = [w for w in by_rating if w is not first and w is not second]
            yield first, second


def _as_before(waiting: Waiting, since: float) -> Waiting:
    return Waiting(
        waiting.person, waiting.terms, waiting.key, waiting.rating, waiting.within, since
    )
