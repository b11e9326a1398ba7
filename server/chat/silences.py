"""Who may write nothing at which table, by word of its referee or an official; it is kept."""

from server.person import Person
from server.storage.silences import SilenceStore
from shared_rules.refusal import Code, Refusal

_MOST = 256


class Silences:
    """Those of tables that somebody has written at; the store has all."""

    def __init__(self, store: SilenceStore) -> None:
        self._store = store
        self._at: dict[str, set[str]] = {}

    async def at(self, table: str) -> set[str]:
        """The ids of those who may write nothing at a table."""
        if table not in self._at:
            found = set(await self._store.of(table))
            self._at.setdefault(table, found)
        return self._at[table]

    async def check(self, person: Person, table: str) -> None:
        """Nothing, if somebody may write at a table.

        Raises:
            Refusal: ``muted``.
        """
        if person.id in await self.at(table):
            raise Refusal(Code.MUTED, "the referee lets you write nothing at this table")

    async def silence(
        self, table: str, target: str, on: bool, by: Person, reason: str, now: float
    ) -> None:
        """Let somebody write nothing, or again; twice is once.  ``now``: Unix time.

        Raises:
            Refusal: ``too_many``; NotStored: nothing has changed.
        """
        silent = await self.at(table)
        if on == (target in silent):
            return
        if on and len(silent) >= _MOST:
            raise Refusal(Code.TOO_MANY, "very many are silenced here; close the chat instead")
        if on:
            silent.add(target)
            try:
                await self._store.add(table, target, by.id, reason, now)
            except BaseException:
                silent.discard(target)
                raise
        else:
            await self._store.remove(table, target)
            silent.discard(target)

    def forget(self, table: str) -> None:
        """The table is no more, or put away: what is stored is enough."""
        self._at.pop(table, None)
