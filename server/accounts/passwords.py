"""Passwords: which may be chosen, and hashing them away from the event loop.

Argon2id (RFC 9106) with OWASP's least profile by default: 19 MiB, 2 passes, 1 lane.  The rules
are those of NIST SP 800-63B: length counts, any character may be used, nothing has to be mixed,
what everybody tries first is refused, and what is hashed is the NFKC form.
"""

import asyncio
import base64
import secrets
import unicodedata
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import NamedTuple, TypeVar

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerifyMismatchError

from server.accounts.guessable import guesses_log10
from server.names import name_key
from shared_rules.refusal import Code, Refusal

T = TypeVar("T")
SHORTEST, LONGEST = 8, 128
LEAST_GUESSES_LOG10 = 7.7
"""Eight characters of which nothing is known have 8.  Who guesses at one account from everywhere
has a guess in ten seconds (``guessing``): these take him fifteen years."""


def check_password(password: str, name: str) -> None:
    """May this password be chosen by the account of that name?

    Raises:
        Refusal: ``weak_password``.
    """
    chosen = prepared(password)
    if not SHORTEST <= len(chosen) <= LONGEST:
        raise Refusal(
            Code.WEAK_PASSWORD, f"a password has {SHORTEST} to {LONGEST} characters, of any kind"
        )
    if name_key(name) in name_key(chosen) and len(chosen) < 2 * len(name) + SHORTEST:
        raise Refusal(Code.WEAK_PASSWORD, "a password is not made of the name")
    if guesses_log10(chosen, name) < LEAST_GUESSES_LOG10:
        raise Refusal(
            Code.WEAK_PASSWORD,
            "this password is among the first that are tried: take one that is longer or odder",
        )


def prepared(password: str) -> str:
    """The form that is hashed, the same however a keyboard composes its letters."""
    return unicodedata.normalize("NFKC", password)


class Verdict(NamedTuple):
    """``right``: it is the password.  ``outdated``: its hash is of another profile."""

    right: bool
    outdated: bool


class Passwords:
    """Verifies in a thread of its own, and judges and hashes new ones in another.

    Each has a bounded queue: newcomers who choose passwords never keep a member from signing in.
    """

    def __init__(self, memory_kib: int, passes: int, lanes: int, queue: int) -> None:
        """``queue``: the most that each of the two does and keeps waiting."""
        self._hasher = PasswordHasher(time_cost=passes, memory_cost=memory_kib, parallelism=lanes)
        # Nobody's: as much work to refuse as a real one, and no password fits it.
        profile = f"m={memory_kib},t={passes},p={lanes}"
        self._nobodys = f"$argon2id$v=19${profile}${_random_text(16)}${_random_text(32)}"
        self._verifying = _Queue("verifying", queue, "too many are signing in just now; try again")
        self._choosing = _Queue(
            "choosing", queue, "too many are choosing passwords just now; try again"
        )

    @property
    def waiting(self) -> int:
        """How many are being hashed or wait for it."""
        return self._verifying.waiting + self._choosing.waiting

    async def check(self, password: str, name: str) -> None:
        """See ``check_password``, which takes some milliseconds.

        Raises:
            Refusal: ``weak_password``; ``overloaded``.
        """
        await self._choosing.do(lambda: check_password(password, name))

    async def hash(self, password: str) -> str:
        """The hash to be stored.

        Raises:
            Refusal: ``overloaded``.
        """
        return await self._choosing.do(lambda: self._hasher.hash(prepared(password)))

    async def verify(self, stored: str | None, password: str) -> Verdict:
        """Whether a password fits a stored hash; None, for nobody, takes as long as any.

        Raises:
            Refusal: ``overloaded``.
        """
        stored = stored or self._nobodys
        return await self._verifying.do(lambda: self._verify(stored, password))

    def close(self) -> None:
        """End the threads; what waits is not done."""
        self._verifying.close()
        self._choosing.close()

    def _verify(self, stored: str, password: str) -> Verdict:
        try:
            self._hasher.verify(stored, prepared(password))
        except (VerifyMismatchError, InvalidHashError):
            return Verdict(right=False, outdated=False)
        return Verdict(right=True, outdated=self._hasher.check_needs_rehash(stored))


class _Queue:
    """Jobs away from the event loop, one after the other; ``waiting``: with that in work."""

    def __init__(self, name: str, most: int, full: str) -> None:
        """``full``: what is said to who finds ``most`` before him."""
        self._most, self._full = most, full
        self.waiting = 0
        self._thread = ThreadPoolExecutor(1, thread_name_prefix=name)

    async def do(self, job: Callable[[], T]) -> T:
        """The job's result.

        Raises:
            Refusal: ``overloaded``, or what the job raises.
        """
        if self.waiting >= self._most:
            raise Refusal(Code.OVERLOADED, self._full)
        self.waiting += 1
        try:
            return await asyncio.get_running_loop().run_in_executor(self._thread, job)
        finally:
            self.waiting -= 1

    def close(self) -> None:
        """End the thread; what waits is not done."""
        self._thread.shutdown(wait=True, cancel_futures=True)


def _random_text(size: int) -> str:
    return base64.b64encode(secrets.token_bytes(size)).decode().rstrip("=")
