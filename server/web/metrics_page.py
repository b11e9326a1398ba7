"""``/metrics``: what the server counts, in Prometheus' text format.

Counts are plain numbers where they are counted (``server.metrics``); they are read when asked for.
Nobody but this machine sees them, or who has the token, or who reaches the address of their own.
"""

import hmac
from collections import Counter
from collections.abc import Iterator, Mapping
from http import HTTPStatus
from itertools import accumulate

from prometheus_client.core import (
    CounterMetricFamily,
    GaugeMetricFamily,
    HistogramMetricFamily,
    Metric,
)
from prometheus_client.exposition import choose_encoder
from prometheus_client.process_collector import ProcessCollector
from prometheus_client.registry import Collector

from server.connection import Connection
from server.house import House
from server.loop_lag import BOUNDS_MS
from server.pool import Pool
from server.storage.store import Store
from server.table import Table
from server.web.asked import Asked, HttpError
from server.web.reply import Reply
from shared_rules.state import Phase


class ServerCollector(Collector):
    """Reads a running server."""

    def __init__(self, house: House, store: Store, pool: Pool) -> None:
        self._house = house
        self._store = store
        self._pool = pool

    def collect(self) -> Iterator[Metric]:
        """Every family."""
        yield from self._counts()
        yield from self._lag()
        yield from self._floor()
        yield from self._queues()

    def _counts(self) -> Iterator[Metric]:
        metrics = self._house.metrics
        for name, what, value in (
            ("connections", "Connections that were opened.", metrics.connections),
            ("cut", "Sockets that were cut at once, as too many.", self._house.gate.cut),
            ("shots", "Shots that were simulated.", metrics.shots),
            ("void_shots", "Shots that failed and were made void.", metrics.void_shots),
            ("sent_bytes", "Bytes of messages given to sockets.", metrics.sent_bytes),
            ("sent_messages", "Messages given to sockets.", metrics.sent_messages),
            ("snapshots", "Snapshots of tables that were made.", metrics.snapshots_encoded),
            ("worker_restarts", "Physics workers that were replaced.", self._pool.restarts),
            ("commits", "Commits of the database.", self._store.journal.commits),
        ):
            yield CounterMetricFamily(f"headstring_{name}", what, value=value)
        refused = CounterMetricFamily("headstring_refused", "Refusals by code.", labels=["code"])
        for code, count in sorted(metrics.refused.items()):
            refused.add_metric([code], count)
        yield refused
        entries = CounterMetricFamily(
            "headstring_sign_ins", "Sign-ins by result: ok, or a refusal's code.", labels=["result"]
        )
        for result, count in sorted(metrics.sign_ins.items()):
            entries.add_metric([result], count)
        yield entries

    def _lag(self) -> Iterator[Metric]:
        lag = self._house.metrics.lag
        bounds = [*(str(bound / 1000) for bound in BOUNDS_MS), "+Inf"]
        for name, what, delays in (
            ("loop_lag", "How late the event loop is.", lag.late),
            ("loop_work", "How much of that its own thread was at work.", lag.own),
        ):
            yield HistogramMetricFamily(
                f"headstring_{name}_seconds",
                what,
                buckets=list(zip(bounds, accumulate(delays.counts), strict=True)),
                sum_value=delays.total_ms / 1000,
            )

    def _floor(self) -> Iterator[Metric]:
        phases: Counter[str] = Counter()
        for table in self._house.floor.tables.values():
            phases[_phase_of(table)] += 1
        tables = GaugeMetricFamily(
            "headstring_tables", "Tables by the phase of their match.", labels=["phase"]
        )
        for phase, count in sorted(phases.items()):
            tables.add_metric([phase], count)
        yield tables
        roles = Counter(self._role(connection) for connection in self._house.connections)
        connected = GaugeMetricFamily(
            "headstring_connected", "Connections by role.", labels=["role"]
        )
        for role in ("player", "referee", "spectator", "elsewhere", "not_signed_in"):
            connected.add_metric([role], roles[role])
        yield connected

    def _role(self, connection: Connection) -> str:
        if not connection.session.signed_in:
            return "not_signed_in"
        role = "elsewhere"
        for name in connection.tables:
            table = self._house.floor.tables.get(name)
            if table is None:
                continue
            role = table.room.role_of(connection)
            if role == "player":
                break
        return role

    def _queues(self) -> Iterator[Metric]:
        days = self._house.metrics.certificate_days
        if days is not None:
            yield GaugeMetricFamily(
                "headstring_certificate_days", "Until the TLS certificate runs out.", value=days()
            )
        boxes = [connection.outbox for connection in self._house.connections]
        for name, what, value in (
            ("outbox_messages", "Messages that wait for their readers.", sum(map(len, boxes))),
            ("outbox_bytes", "Bytes that wait for their readers.", sum(b.bytes for b in boxes)),
            (
                "outbox_longest_messages",
                "Messages that wait for the slowest reader.",
                max(map(len, boxes), default=0),
            ),
            ("half_open", "Sockets whose handshake isn't done.", self._house.gate.half_open),
            ("workers_living", "Physics workers that are warm.", self._pool.living),
            ("shots_waiting", "Shots that wait for a worker.", self._pool.waiting),
            ("writes_waiting", "Writes that wait for a commit.", self._store.journal.waiting),
        ):
            yield GaugeMetricFamily(f"headstring_{name}", what, value=value)


def _phase_of(table: Table) -> str:
    """As those who watch know it: a table that is shown late tells nothing here, either."""
    state = table.room.public
    if state is None:
        return "waiting_for_players"
    over = state.phase is Phase.MATCH_OVER
    return "adjourned" if table.room.seen_to_end and not over else state.phase.value


class MetricsPage:
    """Answers ``/metrics``."""

    def __init__(self, collector: ServerCollector, house: House, token: str, hidden: bool) -> None:
        """``token``: who has it may see; without one only this machine, unless not ``hidden``."""
        self._registry = house.metrics.registry
        self._registry.register(collector)
        ProcessCollector(registry=self._registry)
        self._token = token
        self._hidden = hidden

    async def metrics(self, asked: Asked, _named: Mapping[str, str]) -> Reply:
        """The page.

        Raises:
            HttpError: 401 without the token; 404 for who is not of this machine.
        """
        if self._token:
            said = asked.headers.get("Authorization", "")
            if not hmac.compare_digest(said.encode(), f"Bearer {self._token}".encode()):
                raise HttpError(HTTPStatus.UNAUTHORIZED, "a bearer token is needed")
        elif self._hidden and not asked.peer.is_local:
            raise HttpError(HTTPStatus.NOT_FOUND, "there is nothing here")
        encode, content_type = choose_encoder(asked.headers.get("Accept", ""))
        return Reply(encode(self._registry), content_type=content_type)
