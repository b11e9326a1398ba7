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
from itertools import pairwise
from typing import NamedTuple, TypeVar

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerifyMismatchError

from server.names import name_key
from shared_rules.refusal import Code, Refusal

T = TypeVar("T")
SHORTEST, LONGEST = 8, 128
_FIRST_GUESSES = frozenset(
    """
    password password1 password12 password123 passw0rd p@ssw0rd p@ssword qwertyui qwertyuiop
    qwerty123 qwerty12 1q2w3e4r 1qaz2wsx 1q2w3e4r5t zaq12wsx asdfghjk asdfghjkl iloveyou sunshine
    princess football baseball basketball superman batman123 trustno1 whatever starwars dragon123
    monkey123 letmein1 letmein123 welcome1 welcome123 admin123 administrator changeme computer
    internet michelle jennifer liverpool chocolate abc12345 abcd1234 a1b2c3d4 11223344 12341234
    88888888 billiard billiards eightball nineball headstring poolhall poolclub heslo123 heslo1234
    """.split()  # noqa: SIM905
)


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
    folded = chosen.casefold()
    if folded in _FIRST_GUESSES or len(set(folded)) < 4 or _is_run(folded):
        raise Refusal(Code.WEAK_PASSWORD, "this password is among the first that anyone tries")
    if name_key(name) in name_key(chosen) and len(chosen) < 2 * len(name) + SHORTEST:
        raise Refusal(Code.WEAK_PASSWORD, "a password is not made of the name")


def prepared(password: str) -> str:
    """The form that is hashed, the same however a keyboard composes its letters."""
    return unicodedata.normalize("NFKC", password)


def _is_run(text: str) -> bool:
    """Whether each character is the one after, or before, the last: 12345678, hgfedcba."""
    steps = {(ord(b) - ord(a)) for a, b in pairwise(text)}
    return steps in ({1}, {-1})


class Verdict(NamedTuple):
    """``right``: it is the password.  ``outdated``: its hash is of another profile."""

    right: bool
    outdated: bool


class Passwords:
    """Hashes and verifies in a thread of its own, with a bounded queue."""

    def __init__(self, memory_kib: int, passes: int, lanes: int, queue: int) -> None:
        self._hasher = PasswordHasher(time_cost=passes, memory_cost=memory_kib, parallelism=lanes)
        # Nobody's: as much work to refuse as a real one, and no password fits it.
        profile = f"m={memory_kib},t={passes},p={lanes}"
        self._nobodys = f"$argon2id$v=19${profile}${_random_text(16)}${_random_text(32)}"
        self._queue = queue
        self._waiting = 0
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="passwords")

    @property
    def waiting(self) -> int:
        """How many are being hashed or wait for it."""
        return self._waiting

    async def hash(self, password: str) -> str:
        """The hash to be stored.

        Raises:
            Refusal: ``overloaded``.
        """
        return await self._away(lambda: self._hasher.hash(prepared(password)))

    async def verify(self, stored: str | None, password: str) -> Verdict:
        """Whether a password fits a stored hash; None, for nobody, takes as long as any.

        Raises:
            Refusal: ``overloaded``.
        """
        return await self._away(lambda: self._verify(stored or self._nobodys, password))

    def close(self) -> None:
        """End the thread; what waits is not done."""
        self._thread.shutdown(wait=True, cancel_futures=True)

    def _verify(self, stored: str, password: str) -> Verdict:
        try:
            self._hasher.verify(stored, prepared(password))
        except (VerifyMismatchError, InvalidHashError):
            return Verdict(right=False, outdated=False)
        return Verdict(right=True, outdated=self._hasher.check_needs_rehash(stored))

    async def _away(self, job: Callable[[], T]) -> T:
        if self._waiting >= self._queue:
            raise Refusal(Code.OVERLOADED, "too many are signing in just now; try again")
        self._waiting += 1
        try:
            return await asyncio.get_running_loop().run_in_executor(self._thread, job)
        finally:
            self._waiting -= 1


def _random_text(size: int) -> str:
    return base64.b64encode(secrets.token_bytes(size)).decode().rstrip("=")
