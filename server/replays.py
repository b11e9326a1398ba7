"""Replays for who asks: the list of matches that he may see, and one match in pieces."""

import asyncio

from server import admission
from server.accounts.roles import Right
from server.clock import ServerClock
from server.connection import Connection
from server.names import name_key
from server.person import Person
from server.storage.archive import Archive, Entry, Place, Wanted
from server.terms import code_key
from shared_rules.messages import GetReplay, ListReplays, Replay, ReplayList
from shared_rules.refusal import Code, Refusal

_PIECE_BYTES = 128 * 1024
_AT_A_TIME = 4  # reads for all who ask together


class Replays:
    """Answers requests for replays.  Nothing is kept of anybody."""

    def __init__(self, archive: Archive, clock: ServerClock) -> None:
        self._archive = archive
        self._clock = clock
        self._turns = asyncio.Semaphore(_AT_A_TIME)

    async def list(self, connection: Connection, person: Person, request: ListReplays) -> None:
        """Answer with a page of matches.

        Raises:
            Refusal: ``out_of_range``: there is no such page.
        """
        wanted = Wanted(
            player=None if request.player is None else name_key(request.player),
            mine=request.mine,
            status=request.status,
            every=person.may(Right.RUN_TABLES),
            before=request.before,
            after=request.after,
            place=None if request.page is None else _place(request.page),
            most=request.most,
            now=self._clock.now(),
        )
        async with self._turns:
            found, more = await self._archive.find(wanted, person.id)
        following = None if more is None else f"{more[0]!r}:{more[1]}"
        connection.send(ReplayList(re=request.id, matches=tuple(found), next=following))

    async def get(self, connection: Connection, person: Person, request: GetReplay) -> None:
        """Answer with a piece of a match, once its receiver has taken what he had before.

        Raises:
            Refusal: there is no such match, or he may not see it.
        """
        await connection.read_up(0)
        async with self._turns:
            match = code_key(request.match)
            entry = await self._archive.entry(match, self._clock.now())
            if entry is None:
                raise Refusal(Code.UNKNOWN_MATCH, f"there is no match {request.match!r}")
            took_part = await self._took_part(entry, person, request.invitation)
            # who watches is not to learn more from a replay than at the table
            late_s = 0.0 if took_part else entry.terms.delay_s
            events, more = await self._archive.events(
                match, request.start, self._clock.now() - late_s, _PIECE_BYTES
            )
        summary = entry.summary if took_part else entry.shown
        connection.send(Replay(re=request.id, summary=summary, events=tuple(events), next=more))

    async def _took_part(self, entry: Entry, person: Person, invitation: str | None) -> bool:
        """Whether he played or officiated; whoever might watch the table may see it as well.

        Raises:
            Refusal: ``watching_not_allowed``, ``wrong_invitation``.
        """
        match = entry.summary.match
        if person.id in entry.seats or await self._archive.took_part(match, person.id):
            return True
        if not person.may(Right.WATCH_ANY):
            admission.check_watching(entry.terms, invitation)
        return False


def _place(page: str) -> Place:
    at, colon, match = page.partition(":")
    try:
        if colon:
            return float(at), match
    except ValueError:
        pass
    raise Refusal(Code.OUT_OF_RANGE, f"there is no page {page!r}")
