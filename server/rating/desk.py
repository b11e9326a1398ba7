"""Answers about ratings: how somebody is rated, and what each match did to it."""

from collections.abc import Callable

from server.accounts.oversight import Oversight
from server.connection import Connection
from server.rating.book import PROVISIONAL_DEVIATION
from server.rating.fold import PERIOD_S
from server.rating.glicko import Rating, aged
from server.storage.ratings import Eyes, RatingRow, RatingStore
from shared_rules.messages import GetRating, RatingChange, RatingListed, RatingNow


class RatingDesk:
    """Reads only; anybody may ask about anybody."""

    def __init__(
        self, store: RatingStore, oversight: Oversight, clock: Callable[[], float]
    ) -> None:
        """``clock``: the server's."""
        self._clock = clock
        self._store = store
        self._oversight = oversight

    async def take(self, connection: Connection, request: GetRating, now: float) -> None:
        """Answer; ``now`` is a Unix time.

        Raises:
            Refusal: ``unknown_person``.
        """
        person = connection.speaker
        if person is None:
            return
        who, name = person.id, person.name
        if request.who is not None:
            found = await self._oversight.find(request.who)
            who, name = found.person, found.name
        eyes = Eyes(person.id, self._clock())
        counts = await self._store.counts(who, eyes)
        rows = await self._store.current(who, eyes)
        history = await self._store.history(
            who, request.discipline, request.before, request.most, eyes
        )
        connection.send(
            RatingListed(
                re=request.id,
                name=name,
                ratings=tuple(_now(row, counts[row.discipline], now) for row in rows),
                changes=tuple(_change(row, opponent) for row, opponent in history),
            )
        )


def _now(row: RatingRow, matches: int, now: float) -> RatingNow:
    after = Rating(row.after_rating, row.after_deviation, row.after_volatility)
    rating = aged(after, (now - row.at) / PERIOD_S)
    return RatingNow(
        discipline=row.discipline,
        rating=rating.value,
        deviation=rating.deviation,
        volatility=rating.volatility,
        provisional=rating.deviation > PROVISIONAL_DEVIATION,
        matches=matches,
    )


def _change(row: RatingRow, opponent: str) -> RatingChange:
    shared = [f for f in RatingChange.__struct_fields__ if f not in ("opponent", "weight")]
    values = {field: getattr(row, field) for field in shared}
    return RatingChange(opponent=opponent, weight=row.share, **values)
