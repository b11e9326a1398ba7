"""What a running server counts about itself; read by the bench, the log and ``/metrics``."""

import statistics
from collections import Counter, deque
from collections.abc import Callable
from dataclasses import dataclass, field

from prometheus_client import CollectorRegistry, Histogram

from server.loop_lag import LoopLag

_LATENCIES_KEPT = 4096
_BOUNDS_S = (0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 5.0)


@dataclass
class Metrics:
    """Counts since the start.

    ``stroke_s``: real seconds from a stroke's arrival at its table to its trajectory in the
    outboxes, the latest ones.  ``events_encoded``: events of tables made into bytes;
    ``events_handed``: handed to connections; ``snapshots_encoded``: snapshots made.
    ``certificate_days``: how long the certificate for TLS holds yet.
    """

    connections: int = 0
    shots: int = 0
    void_shots: int = 0
    events_encoded: int = 0
    events_handed: int = 0
    snapshots_encoded: int = 0
    sent_messages: int = 0
    sent_bytes: int = 0
    sign_ins: Counter[str] = field(default_factory=Counter)
    refused: Counter[str] = field(default_factory=Counter)
    stroke_s: deque[float] = field(default_factory=lambda: deque(maxlen=_LATENCIES_KEPT))
    lag: LoopLag = field(default_factory=LoopLag)
    certificate_days: Callable[[], float] | None = None

    def __post_init__(self) -> None:
        """The histograms live in a registry of this server's own."""
        self.registry = CollectorRegistry()
        self.stroke_seconds = self._histogram("stroke", "From a stroke to its trajectory.")
        self.commit_seconds = self._histogram("commit", "A commit of the database.")

    def _histogram(self, name: str, what: str) -> Histogram:
        return Histogram(
            f"headstring_{name}_seconds", what, registry=self.registry, buckets=_BOUNDS_S
        )

    def stroke(self, took_s: float) -> None:
        """A stroke's trajectory is in the outboxes."""
        self.stroke_s.append(took_s)
        self.stroke_seconds.observe(took_s)

    def sent(self, data: bytes) -> None:
        """A message was given to a socket."""
        self.sent_messages += 1
        self.sent_bytes += len(data)

    def strokes(self) -> str:
        """The strokes' times in words."""
        if not self.stroke_s:
            return "none"
        times = sorted(1000 * s for s in self.stroke_s)
        p99 = times[min(len(times) - 1, int(0.99 * len(times)))]
        median = statistics.median(times)
        return f"{len(times)}, to trajectory median {median:.2f} ms, p99 {p99:.2f} ms"
