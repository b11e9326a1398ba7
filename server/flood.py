"""Token buckets: how much a sender may send before it counts as a flood."""

from server.config import ServerConfig

_FRAME_BYTES = 8  # of a frame beside its content, about


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


class Traffic:
    """What one connection sends, whatever it is: messages, and frames that make none."""

    def __init__(self, config: ServerConfig) -> None:
        self._messages = Bucket(config.messages_per_s, config.messages_burst)
        self._bytes = Bucket(config.bytes_per_s, config.bytes_burst)

    def message(self, now: float, size: int) -> bool:
        """A message of ``size`` bytes; False: that is a flood."""
        return self._messages.take(now) and self._bytes.take(now, size)

    def frame(self, now: float, size: int) -> bool:
        """A ping, a pong, or a part of a message that is not its last; False: that is a flood."""
        return self.message(now, _FRAME_BYTES + size)

    def penalise(self, now: float, cost: float) -> None:
        """What has come costs as much as ``cost`` messages more."""
        self._messages.take(now, cost)
