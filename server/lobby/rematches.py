"""Rematches: once more at the same terms, seats changed, when both have said the word.

Words that were said are in memory, and go with the table or the server.
"""

import contextlib
from collections.abc import Awaitable, Callable

import msgspec

from server.floor import Floor
from server.lobby.seating import Asker, Seating, is_here, send
from server.memory import Lasting, Tell
from server.person import Person
from server.storage.journal import NotStored
from server.storage.records import Terms
from server.terms import new_code
from shared_rules.messages import Accepted, Rematch, RematchOffered
from shared_rules.refusal import Code, Refusal
from shared_rules.state import Phase


class Rematches:
    """All words that were said."""

    def __init__(
        self,
        floor: Floor,
        seating: Seating,
        store: Callable[[Person, Lasting, Accepted], Awaitable[None]],
    ) -> None:
        """``store``: writes down what a request is answered."""
        self._floor = floor
        self._seating = seating
        self._store = store
        self._offers: dict[str, set[str]] = {}  # by table: who has said the word

    def closed(self, table: str) -> None:
        """A table is no more."""
        self._offers.pop(table, None)

    async def take(self, person: Person, request: Rematch, tell: Tell) -> None:
        """One of both says the word; with the second they sit at a new table.

        Raises:
            Refusal, NotStored: nothing has changed.
        """
        table = self._floor.find(request.table)
        room = table.room
        seat = room.seat_of(person)
        first, second = room.seats
        if seat is None or first is None or second is None:
            raise Refusal(Code.NOT_AT_THIS_TABLE, "you haven't played at this table")
        if room.state is None or room.state.phase is not Phase.MATCH_OVER:
            raise Refusal(Code.WRONG_STATE, "the match is not over")
        terms = _renewed(room.terms)
        self._seating.check_can_play(person, terms)
        other = second if seat == 0 else first
        if not is_here(other) or other.connection not in room.members:
            raise Refusal(Code.NOT_HERE, f"{other.name} has gone")
        self._seating.check_not_blocked(person, other)
        answer = Accepted(re=request.id, table=table.id)
        pair = (second, first)
        if other.id in self._offers.get(table.id, ()):
            asker = Asker(person, request, tell, lambda _: answer)
            await self._seating.seat(pair, terms, "rematch", asker=asker)
            self._offers.pop(table.id, None)
            return
        await self._store(person, request, answer)
        tell(answer)
        if table.id not in self._floor.tables:
            return
        offered = self._offers.setdefault(table.id, set())
        offered.add(person.id)
        if other.id not in offered:
            send(other, RematchOffered(table=table.id, by=person.name))
            return
        with contextlib.suppress(Refusal, NotStored):  # both have said it in the same moment
            await self._seating.seat(pair, terms, "rematch")
            self._offers.pop(table.id, None)


def _renewed(terms: Terms) -> Terms:
    referee = new_code(8) if terms.referee_invitation is not None else None
    return msgspec.structs.replace(terms, invitation=new_code(8), referee_invitation=referee)
