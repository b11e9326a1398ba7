"""Keeps a guest who was suspended or muted from coming in as somebody new.

A guest is only a name and a token, and both are had anew in a second.  So for as long as he is
suspended nobody new gets his name, nor one that looks alike, and for some days nobody new comes in
from the address where he was last; whoever has come from there since he was muted is muted too.
Behind one router that meets others as well: those who have been here before, and accounts, come in
as ever, and an official opens the address.  Whoever goes to another one and takes another name gets
past it.
"""

import time

from server.accounts.addresses import sender_of
from server.accounts.guessing import Latest
from server.storage.actions import ActionRecord
from server.storage.comebacks import ComebackStore
from shared_rules.refusal import Code, Refusal

_DAY_S = 86_400.0


class Comebacks:
    """Asks the database; of guests without a sanction it remembers where they were last."""

    def __init__(self, store: ComebackStore, address_days: float) -> None:
        """``address_days``: how long an address counts."""
        self._store = store
        self._address_s = address_days * _DAY_S
        self._last: Latest[str, str] = Latest()

    def came(self, person: str, address: str) -> None:
        """A guest is here, from an address."""
        self._last.put(person, sender_of(address))

    def address_of(self, person: str) -> str | None:
        """Where a guest was last, to be kept with a sanction; None: not known, or not wanted."""
        return self._last.get(person) if self._address_s > 0 else None

    async def check_new(self, key: str, address: str, now: float) -> dict[str, ActionRecord]:
        """May somebody new with a name of this key come in from there at a Unix time?

        Returns the mutes that hold for him.

        Raises:
            Refusal: ``suspended``.
        """
        from_there = sender_of(address)
        found = await self._store.of_newcomer(key, from_there, now, now - self._address_s)
        for sanction in found:
            if sanction.act == "suspend" and sanction.address == from_there:
                over = sanction.at + self._address_s
                ends = min(over, sanction.until or over)
                raise Refusal(
                    Code.SUSPENDED,
                    f"a guest from your address is suspended: nobody new comes in from there "
                    f"{until(ends)}, unless an official opens it; accounts do as ever",
                )
            if sanction.act == "suspend":
                raise Refusal(
                    Code.SUSPENDED,
                    f"a guest of this name is suspended {until(sanction.until)}; take another name",
                )
        return {mute.action: mute for mute in found}

    async def mutes_since(
        self, person: str, key: str, address: str, now: float
    ) -> dict[str, ActionRecord]:
        """The mutes that hold for somebody who has been here before, but came after them."""
        found = await self._store.of_newcomer(
            key, sender_of(address), now, now - self._address_s, person
        )
        return {mute.action: mute for mute in found if mute.act == "mute"}

    async def forget(self, now: float) -> None:
        """Delete addresses that count no more."""
        await self._store.forget_addresses(now - self._address_s)


def until(unix_time: float | None) -> str:
    """Until when something holds, for a sentence."""
    if unix_time is None:
        return "until further notice"
    return time.strftime("until %Y-%m-%d %H:%M UTC", time.gmtime(unix_time))
