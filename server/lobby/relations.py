"""Whom those who are here follow, have muted for themselves, or have blocked."""

from server.person import Person
from server.storage.records import PersonRecord
from server.storage.relations import RelationStore
from shared_rules.messages import Relations
from shared_rules.messages.lobby import Relation
from shared_rules.refusal import Code, Refusal

MOST_RELATIONS = 200
"""Of a kind, a person."""
_KINDS: tuple[Relation, ...] = ("follow", "mute", "block")


class RelationBook:
    """The relations of everybody who is here; the store has everybody's."""

    def __init__(self, store: RelationStore) -> None:
        self._store = store
        self._of: dict[str, dict[Relation, dict[str, str]]] = {}
        self._followers: dict[str, set[str]] = {}

    async def open_for(self, person: str) -> None:
        """Somebody is here: have his relations at hand."""
        rows = await self._store.of(person)
        self.close_for(person)
        mine: dict[Relation, dict[str, str]] = {kind: {} for kind in _KINDS}
        for kind, other, name in rows:
            mine[kind][other] = name
        self._of[person] = mine
        for other in mine["follow"]:
            self._followers.setdefault(other, set()).add(person)

    def close_for(self, person: str) -> None:
        """He has gone."""
        for other in self._of.pop(person, {}).get("follow", {}):
            self._unfollowed(person, other)

    def followers(self, person: str) -> list[str]:
        """Those who are here and follow him, but whom he has blocked."""
        return [p for p in self._followers.get(person, ()) if not self.blocks(person, p)]

    def blocks(self, person: str, other: str) -> bool:
        """Whether somebody who is here wants nothing of another."""
        return other in self._of.get(person, {}).get("block", {})

    def hears(self, person: str, speaker: str) -> bool:
        """Whether somebody who is here wants to read what another writes."""
        mine = self._of.get(person, {})
        return speaker not in mine.get("mute", {}) and speaker not in mine.get("block", {})

    def listed(self, person: Person, re: int) -> Relations:
        """All of a person's, by name."""
        mine = self._of.get(person.id, {})
        follow, mute, block = (tuple(sorted(mine.get(kind, {}).values())) for kind in _KINDS)
        return Relations(re=re, follow=follow, mute=mute, block=block)

    async def relate(
        self, person: Person, other: PersonRecord, kind: Relation, on: bool, now: float
    ) -> None:
        """Begin or end a relation; twice is once.  ``now``: Unix time.

        Raises:
            Refusal: ``not_allowed``: to oneself; ``too_many``.
        """
        if other.person == person.id:
            raise Refusal(Code.NOT_ALLOWED, "that is not for yourself")
        if person.id not in self._of:
            await self.open_for(person.id)
        mine = self._of[person.id][kind]
        if on == (other.person in mine):
            return
        if on and len(mine) >= MOST_RELATIONS:
            raise Refusal(Code.TOO_MANY, f"at most {MOST_RELATIONS} people")
        if on:
            await self._store.add(person.id, kind, other.person, now)
            mine[other.person] = other.name
            if kind == "follow":
                self._followers.setdefault(other.person, set()).add(person.id)
        else:
            await self._store.remove(person.id, kind, other.person)
            mine.pop(other.person, None)
            if kind == "follow":
                self._unfollowed(person.id, other.person)

    def _unfollowed(self, person: str, other: str) -> None:
        followers = self._followers.get(other, set())
        followers.discard(person)
        if not followers:
            self._followers.pop(other, None)
