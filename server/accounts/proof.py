"""Whether a password is the right one, told so that nothing else can be learnt by it."""

import logging

from server.accounts.guessing import PasswordGuesses
from server.accounts.passwords import Passwords
from server.storage.journal import NotStored
from server.storage.people import PeopleStore
from shared_rules.refusal import Code, Refusal

log = logging.getLogger("headstring.server.accounts")


class PasswordProof:
    """Looks passwords up.  ``guesses``: who may try one now."""

    def __init__(self, store: PeopleStore, passwords: Passwords, guesses: PasswordGuesses) -> None:
        self.guesses = guesses
        self._store = store
        self._passwords = passwords

    async def check(self, key: str, password: str, address: str, now: float) -> str:
        """Nothing tells whether the account or the password was wrong; returns the stored hash.

        Raises:
            Refusal: ``bad_password``, ``flooding``, ``overloaded``.
        """
        self.guesses.check(key, address, now)
        try:
            found = await self._store.account(key)
            hashed = found[1] if found is not None else None
            verdict = await self._passwords.verify(hashed, password)
        except BaseException:
            self.guesses.not_tried(key, address)
            raise
        if found is None or hashed is None or not verdict.right:
            self.guesses.failed(key, address, now)
            raise wrong_password()
        self.guesses.succeeded(key, address)
        if not verdict.outdated:
            return hashed
        return await self._rehashed(found[0].person, hashed, password)

    async def check_own(self, key: str, password: str, session: str, now: float) -> str:
        """The same for who is signed in to the account already, by this session.

        His session stands for an address: nobody else's guesses count for it.
        """
        place = f"session {session}"
        self.guesses.know(key, place)
        return await self.check(key, password, place, now)

    async def _rehashed(self, person: str, old: str, password: str) -> str:
        """Store a password under the profile of today; what fails is done the next time."""
        try:
            new = await self._passwords.hash(password)
            await self._store.rehash(person, old, new)
        except (Refusal, NotStored) as error:
            log.warning("a password keeps its old profile: %s", error)
            return old
        return new


def wrong_password() -> Refusal:
    """What is said to a wrong password, and of an account that there isn't."""
    return Refusal(Code.BAD_PASSWORD, "there is no account of that name and password")
