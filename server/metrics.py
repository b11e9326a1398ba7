"""What a running server counts about itself; read by the bench, the log and ``/healthz``."""

from collections import Counter, deque
from dataclasses import dataclass, field

_LATENCIES_KEPT = 4096


@dataclass
class Metrics:
    """Counts since the start.

    ``stroke_s``: real seconds from a stroke's arrival at its table to its trajectory in the
    outboxes, the latest ones.
    """

    connections: int = 0
    shots: int = 0
    void_shots: int = 0
    refused: Counter[str] = field(default_factory=Counter)
    stroke_s: deque[float] = field(default_factory=lambda: deque(maxlen=_LATENCIES_KEPT))
