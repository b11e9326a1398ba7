"""What goes with a person who is here, ratings and relations, and what he asks about both."""

from collections.abc import Callable

from server.accounts.oversight import Oversight
from server.connection import Connection
from server.lobby.relations import RelationBook
from server.person import Person
from server.rating.book import RatingBook
from server.rating.desk import RatingDesk
from server.storage.ratings import RatingStore
from shared_rules.messages import Accepted, GetRating, ListRelations, Relate


class Company:
    """Has both at hand for everybody who is here."""

    def __init__(
        self,
        ratings: RatingBook,
        relations: RelationBook,
        oversight: Oversight,
        store: RatingStore,
        clock: Callable[[], float],
    ) -> None:
        self._ratings = ratings
        self._relations = relations
        self._oversight = oversight
        self._rating_desk = RatingDesk(store, oversight, clock)

    async def open_for(self, person: Person) -> None:
        """Somebody is here."""
        await self._ratings.open_for(person.id)
        await self._relations.open_for(person.id)

    def close_for(self, person: Person) -> None:
        """He has gone."""
        self._ratings.close_for(person.id)
        self._relations.close_for(person.id)

    async def take(
        self, connection: Connection, request: Relate | ListRelations | GetRating, now: float
    ) -> None:
        """Carry out a request and answer it; ``now`` is a Unix time.

        Raises:
            Refusal, NotStored: nothing has changed.
        """
        person = connection.speaker
        if person is None:
            return
        match request:
            case GetRating():
                await self._rating_desk.take(connection, request, now)
            case ListRelations():
                connection.send(self._relations.listed(person, request.id))
            case Relate():
                other = await self._oversight.find(request.who)
                await self._relations.relate(person, other, request.relation, request.on, now)
                connection.send(Accepted(re=request.id))
