"""What is kept of people's PINs: a hash with the account, or nothing."""

from sqlalchemy import Executable, select, update

from server.storage import schema
from server.storage.part import StorePart

_accounts = schema.accounts.c


class PinStore(StorePart):
    """The part of the store that is about PINs."""

    async def pin_hash(self, person: str) -> str:
        """The hash of a person's PIN; empty if he has none."""
        rows = await self._read(select(_accounts.pin_hash).where(_accounts.person == person))
        return (rows[0].pin_hash or "") if rows else ""

    async def set_pin(self, person: str, pin_hash: str | None) -> None:
        """Another PIN, or none."""
        await self._write(new_pin(person, pin_hash))


def new_pin(person: str, pin_hash: str | None) -> Executable:
    """Another PIN for an account, or none."""
    return update(schema.accounts).where(_accounts.person == person).values(pin_hash=pin_hash)
