"""What a part of the HUD is.

It says what of the model it depends on, draws itself on its canvas when that has changed, and
returns the regions that react to the mouse.
"""

from collections.abc import Callable, Hashable
from dataclasses import dataclass, replace
from functools import cached_property

from client.hud.canvas import Canvas
from client.hud.layout import Layout, layout_for
from client.hud.model import HudModel


@dataclass(frozen=True)
class Hit:
    """A region of the screen that reacts: ``action`` is what pressing it means."""

    x: float
    y: float
    w: float
    h: float
    action: str
    why_not: str = ""
    drags: bool = False

    def covers(self, x: float, y: float) -> bool:
        """Whether a point (design units) lies in it."""
        return self.x <= x <= self.x + self.w and self.y <= y <= self.y + self.h


@dataclass(frozen=True)
class Sheet:
    """Where to draw: width and height in design units, what the mouse is over, and the places."""

    width: float
    height: float
    hover: str = ""

    def under(self, hover: str) -> "Sheet":
        """The same with the mouse over an action."""
        return self if hover == self.hover else replace(self, hover=hover)

    @cached_property
    def layout(self) -> Layout:
        """Where the panels lie."""
        return layout_for(self.width, self.height)


Draw = Callable[[Canvas, HudModel, Sheet], list[Hit]]
Key = Callable[[HudModel], Hashable]


@dataclass(frozen=True)
class Part:
    """A part: its name, what it depends on, and how it is drawn."""

    name: str
    key: Key
    draw: Draw
    hovers: bool = False
