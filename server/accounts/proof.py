"""Whether a password or a PIN is the right one, told so that nothing else can be learnt by it."""

import logging

from server.accounts.guessing import PasswordGuesses, pin_guesses
from server.accounts.passwords import Passwords
from server.storage.journal import NotStored
from server.storage.people import PeopleStore
from server.storage.records import PersonRecord
from shared_rules.pins import is_pin
from shared_rules.refusal import Code, Refusal

log = logging.getLogger("headstring.server.accounts")


class PasswordProof:
    """Looks passwords up.  ``guesses``: who may try one now."""

    def __init__(self, store: PeopleStore, passwords: Passwords, guesses: PasswordGuesses) -> None:
        self.guesses = guesses
        self.pins = pin_guesses()
        self._store = store
        self._passwords = passwords

    async def check(self, key: str, password: str, address: str, now: float) -> str:
        """Nothing tells whether the account or the password was wrong; returns the stored hash.

        Six digits are a PIN, which counts in the place of the password.

        Raises:
            Refusal: ``bad_password``, ``flooding``, ``overloaded``.
        """
        guesses = self._of(password)
        guesses.check(key, address, now)
        try:
            found = await self.stored(key, password)
            hashed = found[1] if found is not None else None
            verdict = await self._passwords.verify(hashed, password)
        except BaseException:
            guesses.not_tried(key, address)
            raise
        if found is None or not hashed or not verdict.right:
            guesses.failed(key, address, now)
            raise wrong_password()
        guesses.succeeded(key, address)
        if not verdict.outdated:
            return hashed
        return await self._rehashed(found[0].person, hashed, password)

    async def check_own(self, key: str, password: str, session: str, now: float) -> str:
        """The same for who is signed in to the account already, by this session.

        His session stands for an address: nobody else's guesses count for it.
        """
        place = f"session {session}"
        self.know(key, place)
        return await self.check(key, password, place, now)

    def know(self, key: str, address: str) -> None:
        """An account was let in from this address."""
        self.guesses.know(key, address)
        self.pins.know(key, address)

    async def stored(self, key: str, secret: str) -> tuple[PersonRecord, str] | None:
        """The account of a name, and the hash of its password, or of its PIN if that is given."""
        found = await self._store.account(key)
        if found is None or not is_pin(secret):
            return found
        return found[0], await self._store.pin_hash(found[0].person)

    def _of(self, secret: str) -> PasswordGuesses:
        return self.pins if is_pin(secret) else self.guesses

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
