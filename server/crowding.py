"""What each address holds, so that none takes the whole server.

A club behind one router is one address, and so is an IPv6 network of 64 bits: the defaults leave
room for forty people.  Sockets count from when they are accepted, before anything is known of who
is behind them; those of a trusted proxy count for whom it speaks, once it has said so.
"""

import time
from collections import Counter
from collections.abc import Hashable
from typing import Generic, TypeVar

from server.accounts.addresses import sender_of
from server.accounts.guessing import AddressBuckets
from server.config import ServerConfig
from server.web.peer import TrustedProxies
from shared_rules.refusal import Code, Refusal

K = TypeVar("K", bound=Hashable)

_ON_THEIR_WAY_OUT = 32
"""Sockets of an address beyond its limit that are told so; beyond these they are cut at once."""


class Shares(Generic[K]):
    """Which things are held from which address, and how many of them."""

    def __init__(self) -> None:
        self._holder: dict[K, str] = {}
        self._counts: Counter[str] = Counter()

    def __contains__(self, thing: K) -> bool:
        return thing in self._holder

    def of(self, address: str) -> int:
        """How many things an address holds."""
        return self._counts[sender_of(address)]

    def hold(self, thing: K, address: str) -> None:
        """From now on it is held from this address, and from no other."""
        self.drop(thing)
        sender = sender_of(address)
        self._holder[thing] = sender
        self._counts[sender] += 1

    def drop(self, thing: K) -> None:
        """It is held no more."""
        sender = self._holder.pop(thing, None)
        if sender is not None:
            self._counts[sender] -= 1
            if not self._counts[sender]:
                del self._counts[sender]


class TableShares(Shares[str]):
    """The open tables, by the addresses of who opened them, and how quickly new ones come."""

    def __init__(self, config: ServerConfig) -> None:
        super().__init__()
        self._most = config.tables_per_address
        self._openings = AddressBuckets(config.new_tables_per_s, config.new_tables_burst)

    def check_room(self, address: str) -> None:
        """May one more table be held from there?

        Raises:
            Refusal: ``too_many_tables``.
        """
        if address and self.of(address) >= self._most:
            raise Refusal(
                Code.TOO_MANY_TABLES, "too many tables are open from your address already"
            )

    def count_opening(self, address: str) -> None:
        """A table is being opened from there: each is a row that stays for a day at least.

        Raises:
            Refusal: ``too_many_tables``.
        """
        if not self._openings.of(address).take(time.monotonic()):
            raise Refusal(
                Code.TOO_MANY_TABLES,
                "too many tables were opened from your address; try again in a minute",
            )


class Gate:
    """Every socket of the server's port; ``cut``: how many were cut off at once."""

    def __init__(self, config: ServerConfig) -> None:
        self.cut = 0
        self._most = config.connections_per_address
        self._most_half_open = config.max_handshakes
        self._proxies = TrustedProxies(config.trusted_proxies)
        self._half_open: set[Hashable] = set()
        self._shares: Shares[Hashable] = Shares()
        self._leaving: Shares[Hashable] = Shares()

    @property
    def half_open(self) -> int:
        """Sockets that have not finished their handshake."""
        return len(self._half_open)

    def accept(self, socket: Hashable, remote: str) -> bool:
        """A socket was accepted; False: cut it, nothing is remembered of it."""
        direct = not self._proxies.trusts(remote)
        held = self._shares.of(remote) + self._leaving.of(remote)
        crowded = direct and held >= self._most + _ON_THEIR_WAY_OUT
        if crowded or len(self._half_open) >= self._most_half_open:
            self.cut += 1
            return False
        self._half_open.add(socket)
        if direct:
            self._shares.hold(socket, remote)
        return True

    def is_of(self, socket: Hashable, address: str) -> None:
        """The address that a socket speaks for has turned out."""
        self._shares.hold(socket, address)

    def is_crowded(self, address: str) -> bool:
        """Whether an address has more sockets than it may."""
        return self._shares.of(address) > self._most

    def turned_away(self, socket: Hashable, address: str) -> None:
        """It will be gone once it has heard why, and takes the place of no other till then."""
        self._shares.drop(socket)
        self._leaving.hold(socket, address)

    def opened(self, socket: Hashable) -> None:
        """The handshake is done."""
        self._half_open.discard(socket)

    def closed(self, socket: Hashable) -> None:
        """The socket is gone."""
        self._half_open.discard(socket)
        self._shares.drop(socket)
        self._leaving.drop(socket)
