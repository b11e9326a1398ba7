"""Two people who have found each other: may they play, and the table that is opened for them."""

import logging
from collections.abc import Callable
from dataclasses import dataclass

from server import admission
from server.accounts.roles import Right, check
from server.clock import ServerClock
from server.floor import Floor
from server.lobby.relations import RelationBook
from server.logs import fields
from server.memory import Tell, remember
from server.person import Person
from server.storage.records import Statements, Terms
from server.storage.requests import remembering
from server.table import Table
from shared_rules.messages import Accepted, AnswerChallenge, MatchFound, Rematch, ServerMessage
from shared_rules.messages.lobby import Found
from shared_rules.refusal import Code, Refusal

log = logging.getLogger("headstring.server.lobby")


@dataclass(frozen=True)
class Asker:
    """Whose request seats two, and from the table's name to what it is answered."""

    person: Person
    request: AnswerChallenge | Rematch
    tell: Tell
    answer: Callable[[str], Accepted]


class Seating:
    """Checks, and opens tables with both seats taken."""

    def __init__(self, floor: Floor, relations: RelationBook, clock: ServerClock) -> None:
        self._floor = floor
        self._clock = clock
        self._relations = relations

    def is_free(self, person: Person) -> bool:
        """Whether he plays at no table that binds him."""
        return self._floor.is_free(person, "")

    def check_can_play(self, person: Person, terms: Terms) -> None:
        """May somebody look for such a match?

        Raises:
            Refusal: ``not_allowed``, ``account_needed``, ``already_playing``.
        """
        check(person.role, Right.PLAY)
        admission.check_rated(terms, person.account)
        if not self.is_free(person):
            raise Refusal(Code.ALREADY_PLAYING, "you play at a table already")

    def check_may_ask(self, person: Person, target: Person, terms: Terms) -> None:
        """May somebody challenge another?

        Raises:
            Refusal: ``not_allowed``, ``blocked``, ``account_needed``, ``already_playing``.
        """
        if target is person:
            raise Refusal(Code.NOT_ALLOWED, "that is not for yourself")
        self.check_not_blocked(person, target)
        if not target.may(Right.PLAY):
            raise Refusal(Code.NOT_ALLOWED, f"{target.name} only watches")
        if terms.rated and not target.account:
            raise Refusal(Code.ACCOUNT_NEEDED, f"{target.name} is a guest and can't be rated")
        if not self._floor.seems_free(target, to=person):
            raise Refusal(Code.ALREADY_PLAYING, f"{target.name} plays at a table")

    def check_not_blocked(self, person: Person, other: Person) -> None:
        """Nothing, if neither has blocked the other.

        Raises:
            Refusal: ``blocked``.
        """
        if self._relations.blocks(other.id, person.id):
            raise Refusal(Code.BLOCKED, f"{other.name} does not want to hear of you")
        if self._relations.blocks(person.id, other.id):
            raise Refusal(Code.BLOCKED, f"you have blocked {other.name}")

    def may_meet(self, one: Person, other: Person) -> bool:
        """Whether two who wait are both here and neither has blocked the other."""
        blocked = self._relations.blocks(one.id, other.id) or self._relations.blocks(
            other.id, one.id
        )
        return is_here(one) and is_here(other) and not blocked

    async def seat(
        self,
        pair: tuple[Person, Person],
        terms: Terms,
        how: Found,
        challenge: str | None = None,
        asker: Asker | None = None,
    ) -> str:
        """Open a table with both seated; returns its name.

        Raises:
            Refusal, NotStored: there is no table, and both are as before.
        """
        for person in pair:
            if not is_here(person):
                raise Refusal(Code.NOT_HERE, f"{person.name} has gone")
            admission.check_rated(terms, person.account)

        def announce(table: Table) -> None:
            if asker is not None:
                asker.tell(asker.answer(table.id))
            tell_found(pair, table, terms, how, challenge)

        def also(name: str) -> Statements:
            if asker is None:
                return ()
            row = remember(asker.request, asker.answer(name))
            return remembering(asker.person.id, row, self._clock.now())

        name = await self._floor.open_match(pair, terms, also, announce)
        ids = [person.id for person in pair]
        log.info("match found", extra=fields(table=name, how=how, people=ids))
        return name


def is_here(person: Person) -> bool:
    """Whether he has a connection that lives."""
    return person.connection is not None and not person.connection.closed


def send(person: Person, message: ServerMessage) -> None:
    """Tell somebody, if he is here."""
    if person.connection is not None:
        person.connection.send(message)


def tell_found(
    pair: tuple[Person, Person],
    table: Table,
    terms: Terms,
    how: Found,
    challenge: str | None = None,
) -> None:
    """Tell both who is their opponent, and at which table."""
    for seat, person in enumerate(pair):
        send(
            person,
            MatchFound(
                table=table.id,
                seat=1 if seat else 0,
                opponent=pair[1 - seat].name,
                how=how,
                invitation=terms.invitation,
                referee_invitation=terms.referee_invitation,
                challenge=challenge,
            ),
        )
