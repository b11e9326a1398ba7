"""A match that was played, as it is shown again: pure, without a window."""
