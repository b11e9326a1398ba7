"""Adjourned matches whose guest doesn't come back: they end, and his name is free again.

An account keeps its name whatever becomes of its matches.  A guest's name would be his for ever,
though his token may be lost.  So who has not been here for ``people.guest_match_days`` is taken to
have gone for good.  By the ruleset (``disconnect.effect``) he loses the match to an opponent who
has been here meanwhile; else, or if neither has, it is closed without a result, as an official may
do.
"""

import logging

from server.course import Course
from server.floor import Floor
from server.logs import fields
from server.people import People
from server.person import Person
from server.storage.guests import Left
from server.storage.journal import NotStored
from server.storage.store import Store
from shared_rules.commands import Actor, AwardLoss
from shared_rules.refusal import Refusal
from shared_rules.state import Seat

log = logging.getLogger("headstring.server.abandoned")

_DAY_S = 86_400.0
_REASON = "a guest has not come back to his adjourned match"


class Abandoned:
    """Ends such matches."""

    def __init__(self, store: Store, floor: Floor, people: People, days: float) -> None:
        """``days``: so long a guest may be away."""
        self._store = store
        self._floor = floor
        self._people = people
        self._days = days

    async def end(self) -> int:
        """End all that there are by now; returns how many."""
        try:
            found = await self._store.guests.left(self._people.wall() - self._days * _DAY_S)
        except (NotStored, TimeoutError) as error:
            log.warning("matches that guests have left could not be looked for: %s", error)
            return 0
        count = 0
        for left in found:
            try:
                count += await self._end(left)
            except (Refusal, NotStored) as error:
                log.warning("%s; trying again tomorrow", error, extra=fields(table=left.match))
            except Exception:  # a log that can't be read
                log.exception("a match can't be ended", extra=fields(table=left.match))
        return count

    async def _end(self, left: Left) -> bool:
        """False: he is here just now."""

        async def job(course: Course) -> bool:
            # who has stayed connected all the time has not come anew
            gone = {seat: who for seat in left.gone if not (who := _at(course, seat)).connection}
            if not course.attendance.adjourned or all(who.account for who in gone.values()):
                return False
            effect = course.room.terms.ruleset.disconnect.effect
            if len(gone) == 1 and effect != "adjourn":
                loss = AwardLoss(seat=next(iter(gone)), scope="match", reason="absent")
                await course.carry(Actor.SERVER, loss)
            else:
                await course.put_away(_REASON, "closed")
            return True

        await self._floor.bring_back(left.match)
        ended = await self._floor.find(left.match).oversee(job)
        if ended:
            log.info(_REASON, extra=fields(table=left.match))
        return ended


def _at(course: Course, seat: Seat) -> Person:
    person = course.room.seats[seat]
    if person is None:
        raise LookupError(f"nobody has seat {seat} of an adjourned match")
    return person
