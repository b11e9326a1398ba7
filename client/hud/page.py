"""What a screen without a table shows: plain immutable data, for a test as for the eye."""

from collections.abc import Iterator
from dataclasses import dataclass, field

from client.hud.model import Tone


@dataclass(frozen=True)
class Heading:
    """The name of what follows."""

    text: str


@dataclass(frozen=True)
class Paragraph:
    """Sentences; as long as they need be."""

    text: str
    tone: Tone = "plain"
    small: bool = False


@dataclass(frozen=True)
class Press:
    """Something to press.  ``note``: a second line; ``why_not``: why it can't be, then it is grey.

    ``on``: it is what is chosen now; ``value``: what belongs to it, at the right; ``bold``: it is
    a name among others.
    """

    action: str
    label: str
    note: str = ""
    why_not: str = ""
    strong: bool = False
    on: bool = False
    value: str = ""
    bold: bool = False


@dataclass(frozen=True)
class Pick:
    """One of several values: the arrows, or its two ends, go to the one before and after."""

    action: str
    label: str
    value: str
    why_not: str = ""


@dataclass(frozen=True)
class Field:
    """A line to write.  ``secret``: shown as dots; ``hint``: in its place while it is empty."""

    action: str
    label: str
    text: str = ""
    caret: int = 0
    hint: str = ""
    secret: bool = False


@dataclass(frozen=True)
class Beside:
    """Things to press beside each other, as many in a line as have room."""

    presses: tuple[Press, ...]


Widget = Heading | Paragraph | Press | Pick | Field | Beside
Active = Press | Pick | Field


@dataclass(frozen=True)
class Page:
    """A screen: columns of widgets that stand side by side, or in one where there is no room."""

    title: str
    columns: tuple[tuple[Widget, ...], ...]
    footer: tuple[Press, ...] = ()
    notice: str = ""
    tone: Tone = "plain"
    overlay: bool = field(default=False)  # what lies behind shines through
    rack: bool = field(default=False)  # a rack on the cloth at its foot, where there is room

    def active(self) -> Iterator[Active]:
        """All that can have the focus, in the order of the tabulator."""
        for column in self.columns:
            for widget in column:
                if isinstance(widget, Beside):
                    yield from widget.presses
                elif isinstance(widget, Press | Pick | Field):
                    yield widget
        yield from self.footer

    def find(self, action: str) -> Active | None:
        """What has an action, if it is there."""
        return next((widget for widget in self.active() if widget.action == action), None)

    def texts(self) -> str:
        """Everything that is written, for tests."""
        lines = [self.title, self.notice]
        for column in self.columns:
            for widget in column:
                inner = widget.presses if isinstance(widget, Beside) else (widget,)
                for one in inner:
                    lines += [str(v) for v in vars(one).values() if isinstance(v, str)]
        return "\n".join(lines)
