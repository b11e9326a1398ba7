"""Limits on guessing: of tokens and newcomers by address, of passwords by address and by account.

Kept in memory, times in real seconds, given.  A stranger can't lock anybody out: what he does
wrong slows down his own address first; an account that is guessed at from many addresses takes
passwords slowly from addresses that it doesn't know, and tokens always.
"""

from collections import OrderedDict
from collections.abc import Hashable
from typing import Generic, TypeVar

from server.accounts.addresses import sender_of
from server.flood import Bucket
from shared_rules.refusal import Code, Refusal

K = TypeVar("K", bound=Hashable)
V = TypeVar("V")

_MOST = 10_000
_FREE_FAILURES = 3
_LONGEST_WAIT_S = 64.0
_FORGET_S = 900.0
_ACCOUNT_RATE = 0.1
_ACCOUNT_BURST = 20.0


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

    def __init__(self, rate: float, burst: float) -> None:
        self._by_address = AddressBuckets(rate, burst)
        self._by_account: Latest[str, Bucket] = Latest()
        self._failures: Latest[tuple[str, str], tuple[int, float]] = Latest()
        self._known: Latest[tuple[str, str], bool] = Latest()
        self.refused = 0  # tries that were not even looked at

    def check(self, key: str, address: str, now: float) -> None:
        """Count a try; ``succeeded`` or ``failed`` is called after it.

        Raises:
            Refusal: ``flooding``: it is too early for another one.
        """
        pair = (key, sender_of(address))
        count, at = self._failures.get(pair) or (0, now)
        wait = at + _pause(count) - now if count and now - at < _FORGET_S else 0.0
        account = self._account(key)
        known = self._known.get(pair) is not None
        if wait > 0.0:
            self._refuse(wait)
        if not self._by_address.of(address).take(now):
            self._refuse(1.0 / self._by_address.rate)
        if not known and not account.take(now):
            self._by_address.of(address).give_back()
            self._refuse(1.0 / account.rate)

    def failed(self, key: str, address: str, now: float) -> None:
        """It was the wrong one."""
        pair = (key, sender_of(address))
        count, at = self._failures.get(pair) or (0, now)
        self._failures.put(pair, (count + 1 if now - at < _FORGET_S else 1, now))

    def succeeded(self, key: str, address: str) -> None:
        """It was the right one: this address is known to the account from now on."""
        pair = (key, sender_of(address))
        self._failures.drop(pair)
        self._known.put(pair, True)
        self.not_tried(key, address)

    def not_tried(self, key: str, address: str) -> None:
        """It came to nothing, through no fault of who tried."""
        self._by_address.of(address).give_back()
        self._account(key).give_back()

    def _account(self, key: str) -> Bucket:
        return self._by_account.get(key) or self._by_account.put(
            key, Bucket(_ACCOUNT_RATE, _ACCOUNT_BURST)
        )

    def _refuse(self, wait_s: float) -> None:
        self.refused += 1
        raise Refusal(
            Code.FLOODING, f"too many wrong passwords; wait {max(1, round(wait_s))} seconds"
        )


def _pause(failures: int) -> float:
    """Seconds after so many failures in a row: 0, 0, 0, 1, 2, 4, …"""
    if failures <= _FREE_FAILURES:
        return 0.0
    return float(min(2.0 ** min(failures - _FREE_FAILURES - 1, 10), _LONGEST_WAIT_S))
