"""What a running server counts about itself; read by the bench, the log and ``/healthz``."""

import statistics
from collections import Counter, deque
from dataclasses import dataclass, field

from server.loop_lag import LoopLag

_LATENCIES_KEPT = 4096


@dataclass
class Metrics:
    """Counts since the start.

    ``stroke_s``: real seconds from a stroke's arrival at its table to its trajectory in the
    outboxes, the latest ones.  ``events_encoded``: events of tables made into bytes;
    ``events_handed``: handed to connections; ``snapshots_encoded``: snapshots made.
    """

    connections: int = 0
    shots: int = 0
    void_shots: int = 0
    events_encoded: int = 0
    events_handed: int = 0
    snapshots_encoded: int = 0
    refused: Counter[str] = field(default_factory=Counter)
    stroke_s: deque[float] = field(default_factory=lambda: deque(maxlen=_LATENCIES_KEPT))
    lag: LoopLag = field(default_factory=LoopLag)

    def strokes(self) -> str:
        """The strokes' times in words."""
        if not self.stroke_s:
            return "none"
        times = sorted(1000 * s for s in self.stroke_s)
        p99 = times[min(len(times) - 1, int(0.99 * len(times)))]
        median = statistics.median(times)
        return f"{len(times)}, to trajectory median {median:.2f} ms, p99 {p99:.2f} ms"
