"""What the table was like before, step by step, back and forth.  Pure."""

from client.practice.layout import TableLayout

MOST = 200


class History:
    """Layouts in order, and which of them is now."""

    def __init__(self, first: TableLayout) -> None:
        self._steps = [first]
        self._at = 0

    @property
    def now(self) -> TableLayout:
        """The layout that is now."""
        return self._steps[self._at]

    @property
    def can_undo(self) -> bool:
        """Whether there is one before it."""
        return self._at > 0

    @property
    def can_redo(self) -> bool:
        """Whether one was taken back."""
        return self._at + 1 < len(self._steps)

    def do(self, layout: TableLayout) -> None:
        """Another layout from now on; what was taken back before is gone."""
        if layout == self.now:
            return
        self._steps = [*self._steps[: self._at + 1], layout][-MOST:]
        self._at = len(self._steps) - 1

    def undo(self) -> bool:
        """One step back; whether there was one."""
        if not self.can_undo:
            return False
        self._at -= 1
        return True

    def redo(self) -> bool:
        """One step forth again; whether there was one."""
        if not self.can_redo:
            return False
        self._at += 1
        return True
