"""What may have the window for a while, and how it says what comes next.  Pure."""

from dataclasses import dataclass
from typing import Protocol


@dataclass(frozen=True)
class Open:
    """Another activity comes on top; this one waits below until it goes back."""

    activity: "Activity"


@dataclass(frozen=True)
class Replace:
    """Another activity takes this one's place, which ends."""

    activity: "Activity"


@dataclass(frozen=True)
class Back:
    """This one ends and the one below comes back; ``notice`` is a sentence to show there."""

    notice: str = ""


@dataclass(frozen=True)
class Home:
    """Everything ends but the first activity; ``notice`` is a sentence to show there."""

    notice: str = ""


@dataclass(frozen=True)
class Quit:
    """The program ends."""


Move = Open | Replace | Back | Home | Quit


class Activity(Protocol):
    """Something that has the window for a while.

    It is entered when it comes to the window, also when it comes back there; stepped once a frame
    while it is there; left when something else comes; closed once, at the very end.  Between
    ``leave`` and the next ``enter`` it ``rest``s: once a frame too, for what must go on unseen.

    It may have a ``pace`` (:mod:`client.screens.pace`); one without always draws every frame.
    """

    def enter(self, notice: str = "") -> None:
        """It comes to the window; ``notice`` is a sentence from the one that was there."""

    def step(self, now: float, dt: float) -> Move | None:
        """A frame at local time ``now``, ``dt`` seconds after the last; what comes next."""

    def rest(self, now: float) -> None:
        """A frame in which another has the window."""

    def leave(self) -> None:
        """Another comes to the window: nothing of this one is left on it."""

    def close(self) -> None:
        """It ends, after it was left; links and programs of its own end too."""
