"""Challenges that stand: of whom, to whom, until when.  They die with the server."""

from collections.abc import Callable
from dataclasses import dataclass

from server.person import Person
from shared_rules.messages import ChallengeOver, ChallengeSummary, TableTerms
from shared_rules.refusal import Code, Refusal

MOST_OF_A_PERSON = 5
MOST_OPEN = 100


@dataclass(frozen=True)
class Standing:
    """A challenge; ``to``: None is anybody."""

    id: str
    by: Person
    to: Person | None
    terms: TableTerms
    rating: int | None
    expires_at: float

    @property
    def summary(self) -> ChallengeSummary:
        return ChallengeSummary(
            challenge=self.id,
            by=self.by.name,
            to=self.to.name if self.to is not None else None,
            terms=self.terms,
            rating=self.rating,
            expires_at=self.expires_at,
        )

    def over(self, outcome: str, reason: str = "") -> ChallengeOver:
        """The message that tells of its end."""
        return ChallengeOver(challenge=self.id, outcome=outcome, reason=reason)  # type: ignore[arg-type]


class Challenges:
    """All that stand."""

    def __init__(self) -> None:
        self._standing: dict[str, Standing] = {}

    def __len__(self) -> int:
        return len(self._standing)

    def open_to_all(self) -> list[ChallengeSummary]:
        """Those that anybody may accept."""
        return [c.summary for c in self._standing.values() if c.to is None]

    def to(self, person: Person) -> list[Standing]:
        """Those made to a person."""
        return [c for c in self._standing.values() if c.to is person]

    def find(self, challenge: str) -> Standing:
        """The challenge of an id.

        Raises:
            Refusal: ``unknown_challenge``.
        """
        found = self._standing.get(challenge)
        if found is None:
            raise Refusal(Code.UNKNOWN_CHALLENGE, "that challenge does not stand any more")
        return found

    def stands(self, challenge: str) -> bool:
        """Whether it does."""
        return challenge in self._standing

    def check_room(self, by: Person, to_all: bool) -> None:
        """May somebody make another?

        Raises:
            Refusal: ``too_many``.
        """
        if sum(c.by is by for c in self._standing.values()) >= MOST_OF_A_PERSON:
            raise Refusal(Code.TOO_MANY, f"at most {MOST_OF_A_PERSON} challenges at a time")
        if to_all and len(self.open_to_all()) >= MOST_OPEN:
            raise Refusal(Code.TOO_MANY, "there are very many open challenges; accept one of them")

    def put(self, standing: Standing) -> None:
        """It stands; perhaps again, since it was accepted and that came to nothing."""
        self._standing[standing.id] = standing

    def remove(self, standing: Standing) -> None:
        """It stands no more."""
        self._standing.pop(standing.id, None)

    def take(self, which: Callable[[Standing], bool]) -> list[Standing]:
        """Those of a kind, which stand no more."""
        taken = [c for c in self._standing.values() if which(c)]
        for challenge in taken:
            self.remove(challenge)
        return taken
