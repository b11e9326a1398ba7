"""Laying balls out by hand: which is chosen, which is held, and where it would come.  Pure."""

import math

from client.practice.layout import BALLS, TableLayout, free_place, nearest_place
from shared_rules.balls import CUE
from shared_rules.table import Position

REACH_BALLS = 1.6
"""A point so many radii from a ball's centre still means the ball."""


class Arranger:
    """The hand that lays out.

    Attributes:
        on: whether balls are laid out, not struck.
        chosen: the ball that keys move.
        held: the ball that the mouse drags; ``pointer``: where the mouse is on the bed, m.
    """

    def __init__(self) -> None:
        self.on = False
        self.chosen = CUE
        self.held: int | None = None
        self.pointer: Position | None = None

    def ball_at(self, layout: TableLayout, point: Position) -> int | None:
        """The ball that a point on the bed means."""
        found = [(math.dist(at, point), ball) for ball, at in layout.balls.items()]
        distance, ball = min(found, default=(math.inf, CUE))
        return ball if distance <= REACH_BALLS * layout.radius(ball) else None

    def grab(self, ball: int) -> None:
        """The mouse takes a ball, of the table or of the tray."""
        self.held = self.chosen = ball
        self.pointer = None

    def drag(self, layout: TableLayout, point: Position) -> TableLayout:
        """The layout while the held ball is over a point; without it where it can't lie."""
        if self.held is None:
            return layout
        self.pointer = point
        at = nearest_place(layout.without(self.held), self.held, point)
        return layout.without(self.held) if at is None else layout.with_ball(self.held, at)

    def drop(self) -> None:
        """The held ball is let go."""
        self.held = self.pointer = None

    def step(self, way: int) -> None:
        """The next ball, or the one before, is chosen."""
        self.chosen = (self.chosen + way) % len(BALLS)

    def nudge(self, layout: TableLayout, dx: float, dy: float) -> TableLayout:
        """The chosen ball a little farther; where something is in its way it stays beside it."""
        at = layout.balls.get(self.chosen)
        if at is None:
            return layout
        moved = nearest_place(
            layout.without(self.chosen), self.chosen, Position(at.x + dx, at.y + dy)
        )
        return layout if moved is None else layout.with_ball(self.chosen, moved)

    def toggle(self, layout: TableLayout) -> TableLayout:
        """The chosen ball comes to the table, or off it."""
        if self.chosen in layout.balls:
            return layout.without(self.chosen)
        return layout.with_ball(self.chosen, free_place(layout, self.chosen))
