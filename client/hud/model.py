"""What one frame of the HUD shows: plain immutable data, the same for a test and for the screen."""

from dataclasses import dataclass, field
from typing import Literal

Tone = Literal["plain", "good", "bad", "note"]


@dataclass(frozen=True)
class Button:
    """Something to press.  ``why_not``: the reason while it can't be pressed; then it is grey."""

    action: str
    label: str
    key: str = ""
    why_not: str = ""
    on: bool = False
    strong: bool = False

    @property
    def enabled(self) -> bool:
        """Whether it can be pressed."""
        return not self.why_not


@dataclass(frozen=True)
class Player:
    """One side of the scoreboard.  ``note``: absent, on two fouls, and the like."""

    name: str
    games: int = 0
    points: str = ""  # shown in place of games where they count
    fouls: int = 0
    warned: bool = False
    at_table: bool = False
    present: bool = True
    note: str = ""
    group: str = ""  # whose balls and how many are left, in words
    group_ball: int = 0  # one of them, to draw


@dataclass(frozen=True)
class ClockFace:
    """The running clock: whole seconds left, what for, and whether it is nearly out."""

    seconds: int
    purpose: str
    urgent: bool
    share: float


@dataclass(frozen=True)
class Dialog:
    """A choice in plain sentences; ``docked`` below the table, which one must see to choose."""

    title: str
    body: str
    buttons: tuple[Button, ...]
    notes: tuple[str, ...] = ()
    docked: bool = False


@dataclass(frozen=True)
class TipBall:
    """The magnified cue ball: where the tip will meet it, in ball radii."""

    tip: tuple[float, float]
    limit: float
    miscue: bool


@dataclass(frozen=True)
class Power:
    """The power bar: cue speed in m/s and its share of the range."""

    speed: float
    share: float


@dataclass(frozen=True)
class Raised:
    """The cue from the side: its elevation, the least there can be, and what stands in the way.

    ``obstacle``: a ball's number or "rail"; ``words`` and ``over`` say it; ``tip_up``: the tip's
    height on the ball in radii; ``reds``: of the set of black ball.
    """

    elevation_deg: float
    least_deg: float
    obstacle: int | Literal["rail"] | None
    words: str
    over: str
    tip_up: float = 0.0
    reds: bool = False


@dataclass(frozen=True)
class Minimap:
    """The plan of a table: its measures (m) and the line across it."""

    length: float
    width: float
    line: float
    reds: bool = False


@dataclass(frozen=True)
class Scrub:
    """A stored match as a bar: ``share`` of it is over; ``marks``: place (0 to 1) and kind.

    ``where``: the moment, ``length`` the whole, in words.
    """

    share: float
    marks: tuple[tuple[float, str], ...]
    where: str
    length: str


@dataclass(frozen=True)
class HudModel:
    """Everything written on the screen."""

    players: tuple[Player, Player] = (Player(""), Player(""))
    race: str = ""
    title: str = ""
    balls: tuple[tuple[int, bool], ...] = ()  # number, still on the table: `game.strip`
    reds: bool = False  # the balls of black ball, to draw
    on: tuple[int, ...] = ()  # balls that may be hit first, where not almost any may
    clock: ClockFace | None = None
    prompt: str = ""
    hint: str = ""
    warns: bool = False  # the hint is a warning
    ruling: tuple[tuple[str, Tone], ...] = ()
    again: Button | None = None  # shows the last shot once more
    toast: str = ""
    toast_tone: Tone = "plain"
    banner: str = ""
    link: str = ""
    link_level: int | None = 3  # bars, 0 to 3; None: there is no link
    buttons: tuple[Button, ...] = ()
    scrub: Scrub | None = None  # with the buttons below it
    corner: tuple[Button, ...] = ()
    dialog: Dialog | None = None
    tip: TipBall | None = None
    power: Power | None = None
    raised: Raised | None = None
    minimap: Minimap | None = None
    aim: str = ""
    help: tuple[tuple[str, str], ...] = field(default=())
    help_page: int = 0
    fouls_limit: int = 3
    headline: tuple[str, str] | None = None  # what is practised, and how it stands
    tray: tuple[tuple[int, bool], ...] = ()  # number, on the table: balls to be laid out
    chosen: int | None = None  # of them the one that keys move
    words: tuple[tuple[str, str], ...] = ()  # small captions by key, in the language shown

    def caption(self, key: str) -> str:
        """A caption in the language shown."""
        return dict(self.words).get(key, key)
