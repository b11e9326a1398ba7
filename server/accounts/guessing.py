"""Limits on guessing: of tokens and newcomers by address, of passwords by address and by account.

Kept in memory, times in real seconds, given.  Many people may share an address (a club behind one
router), so who has been let in from there before is not held to what others do there: an address
is *known* to an account once that has signed in from it, by password or token, and an account's
tries from a known address have an allowance of their own.  Strangers share the address's and the
account's.  Right tokens are never refused.
"""

import math
from collections import OrderedDict
from collections.abc import Hashable
from typing import Generic, NamedTuple, TypeVar

from server.accounts.addresses import sender_of
from server.flood import Bucket
from shared_rules.refusal import Code, Refusal

K = TypeVar("K", bound=Hashable)
V = TypeVar("V")

_MOST = 10_000
_ACCOUNT_PLACES = 16_384
_FREE_FAILURES = 3
_LONGEST_WAIT_S = 64.0
_FORGET_S = 900.0
_LONGEST_KNOWN_WAIT_S = 5.0


class GuessLimits(NamedTuple):
    """Tries a second, and at once, of an account from everywhere; and from an address it knows.

    Somebody at a known address who guesses at this very account can't be told from its owner, so
    tries from there are slowed down as well.
    """

    account_rate: float
    account_burst: float
    known_rate: float
    known_burst: float


PASSWORDS = GuessLimits(0.1, 20.0, 0.2, 10.0)
PINS = GuessLimits(1 / 900, 10.0, 1 / 900, 10.0)
"""Who guesses day and night so tries 35,000 a year, of a million."""
_PINS_OF_ADDRESS = (1 / 30, 20.0)


class Latest(Generic[K, V]):
    """A map that forgets what was used longest ago, so that it stays bounded."""

    def __init__(self, most: int = _MOST) -> None:
        self._most = most
        self._kept: OrderedDict[K, V] = OrderedDict()

    def get(self, key: K) -> V | None:
        """What is kept under a key; it counts as used."""
        if key in self._kept:
            self._kept.move_to_end(key)
        return self._kept.get(key)

    def put(self, key: K, value: V) -> V:
        """Keep a value; returns it."""
        self._kept[key] = value
        self._kept.move_to_end(key)
        while len(self._kept) > self._most:
            self._kept.popitem(last=False)
        return value

    def drop(self, key: K) -> None:
        """Forget a key."""
        self._kept.pop(key, None)


class AddressBuckets:
    """A bucket for every address that uses one."""

    def __init__(self, rate: float, burst: float) -> None:
        self.rate = rate
        self.burst = burst
        self._buckets: Latest[str, Bucket] = Latest()

    def of(self, address: str) -> Bucket:
        """The bucket of an address."""
        sender = sender_of(address)
        return self._buckets.get(sender) or self._buckets.put(sender, Bucket(self.rate, self.burst))


class PasswordGuesses:
    """Who may try a password now; ``key`` is that of the account's name, there or not."""

    def __init__(self, rate: float, burst: float, limits: GuessLimits = PASSWORDS) -> None:
        """``rate``, ``burst``: of an address, whatever the account."""
        self._limits = limits
        self._what = "PINs" if limits is PINS else "passwords"
        self._by_address = AddressBuckets(rate, burst)
        self._by_account: dict[int, Bucket] = {}
        self._failures: Latest[tuple[str, str], tuple[int, float]] = Latest()
        self._known: Latest[tuple[str, str], Bucket] = Latest()
        self.refused = 0  # tries that were not even looked at

    def know(self, key: str, address: str) -> None:
        """An account was let in from this address: others' wrong tries there don't count for it."""
        pair = (key, sender_of(address))
        if self._known.get(pair) is None:
            self._known.put(pair, Bucket(self._limits.known_rate, self._limits.known_burst))

    def check(self, key: str, address: str, now: float) -> None:
        """Count a try; ``succeeded``, ``failed`` or ``not_tried`` is called after it.

        Raises:
            Refusal: ``flooding``: it is too early for another one.
        """
        pair = (key, sender_of(address))
        known = self._known.get(pair)
        count, at = self._failures.get(pair) or (0, now)
        longest = _LONGEST_WAIT_S if known is None else _LONGEST_KNOWN_WAIT_S
        wait = at + min(_pause(count), longest) - now if now - at < _FORGET_S else 0.0
        if count and wait > 0.0:
            self._refuse(wait)
        taken: list[Bucket] = []
        for bucket in self._buckets(key, address):
            if not bucket.take(now):
                for before in taken:
                    before.give_back()
                self._refuse(1.0 / bucket.rate)
            taken.append(bucket)

    def failed(self, key: str, address: str, now: float) -> None:
        """It was the wrong one."""
        pair = (key, sender_of(address))
        count, at = self._failures.get(pair) or (0, now)
        self._failures.put(pair, (count + 1 if now - at < _FORGET_S else 1, now))

    def succeeded(self, key: str, address: str) -> None:
        """It was the right one: this address is known to the account from now on."""
        self.not_tried(key, address)
        self._failures.drop((key, sender_of(address)))
        self.know(key, address)

    def not_tried(self, key: str, address: str) -> None:
        """It came to nothing, through no fault of who tried."""
        for bucket in self._buckets(key, address):
            bucket.give_back()

    def forget(self, key: str) -> None:
        """The account's secret is another now: what was guessed at from everywhere is over."""
        self._by_account.pop(_place(key), None)

    def _buckets(self, key: str, address: str) -> tuple[Bucket, ...]:
        """Those that a try takes from."""
        known = self._known.get((key, sender_of(address)))
        if known is not None:
            return (known,)
        return self._by_address.of(address), self._account(key)

    def _account(self, key: str) -> Bucket:
        """Names whose hashes (salted by Python, anew at each start) fall together share one: so
        their number is bounded, and no flood of made-up names pushes one out that is empty."""
        bucket = self._by_account.get(_place(key))
        if bucket is None:
            bucket = Bucket(self._limits.account_rate, self._limits.account_burst)
            self._by_account[_place(key)] = bucket
        return bucket

    def _refuse(self, wait_s: float) -> None:
        self.refused += 1
        raise Refusal(
            Code.FLOODING, f"too many wrong {self._what}; wait {max(1, math.ceil(wait_s))} seconds"
        )


def _place(key: str) -> int:
    return hash(key) % _ACCOUNT_PLACES


def pin_guesses() -> PasswordGuesses:
    """Who may try a PIN now: there are but a million."""
    return PasswordGuesses(*_PINS_OF_ADDRESS, limits=PINS)


def _pause(failures: int) -> float:
    """Seconds after so many failures in a row: 0, 0, 0, 1, 2, 4, …"""
    if failures <= _FREE_FAILURES:
        return 0.0
    return float(min(2.0 ** min(failures - _FREE_FAILURES - 1, 10), _LONGEST_WAIT_S))
