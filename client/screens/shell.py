"""Which activity has the window: a stack of them, the topmost there.  Pure."""

from client.screens.activity import Activity, Back, Move, Open, Quit, Replace


class Shell:
    """The stack.  ``done``: the program is to end."""

    def __init__(self, *activities: Activity) -> None:
        """``activities``: from the lowest on; only the last is entered."""
        if not activities:
            raise ValueError("a shell needs an activity to begin with")
        self._stack = list(activities)
        self.done = False
        self.top.enter()

    @property
    def top(self) -> Activity:
        """The one that has the window."""
        return self._stack[-1]

    @property
    def depth(self) -> int:
        """How many there are."""
        return len(self._stack)

    def step(self, now: float, dt: float) -> None:
        """A frame: the topmost is stepped, the others rest, and what is to come comes."""
        if self.done:
            return
        for activity in self._stack[:-1]:
            activity.rest(now)
        move = self.top.step(now, dt)
        if move is not None:
            self._take(move)

    def _take(self, move: Move) -> None:
        if isinstance(move, Open):
            self.top.leave()
            self._stack.append(move.activity)
            self.top.enter()
        elif isinstance(move, Replace):
            self._drop()
            self._stack.append(move.activity)
            self.top.enter()
        elif isinstance(move, Quit):
            self.close()
        else:
            self._go_back(1 if isinstance(move, Back) else len(self._stack) - 1, move.notice)

    def _go_back(self, steps: int, notice: str) -> None:
        """So many activities end; from the last one there is no way back but the end."""
        if steps >= len(self._stack):
            self.close()
            return
        self.top.leave()
        for _ in range(steps):
            self._stack.pop().close()
        self.top.enter(notice)

    def _drop(self) -> None:
        self.top.leave()
        self._stack.pop().close()

    def close(self) -> None:
        """Everything ends, from the top down."""
        if self._stack and not self.done:
            self.top.leave()
        self.done = True
        while self._stack:
            self._stack.pop().close()
