"""Token buckets: how much a sender may send before it counts as a flood."""


class Bucket:
    """``rate`` tokens a second flow in, up to ``burst``; times are given, never read."""

    def __init__(self, rate: float, burst: float) -> None:
        self.rate = rate
        self.burst = burst
        self.level = burst
        self._at: float | None = None

    def take(self, now: float, cost: float = 1.0) -> bool:
        """Take ``cost`` tokens; False, and nothing taken, when there are not enough."""
        if self._at is not None:
            self.level = min(self.burst, self.level + (now - self._at) * self.rate)
        self._at = now
        if cost > self.level:
            return False
        self.level -= cost
        return True

    def give_back(self, tokens: float = 1.0) -> None:
        """Return tokens that turned out not to count."""
        self.level = min(self.burst, self.level + tokens)
