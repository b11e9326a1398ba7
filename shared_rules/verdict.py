"""What a shot means, seen from its shooter: the answer of every discipline.

A verdict names the fouls and what comes next; ``rulings`` carries it out.  What comes next is said
in the same words after a shot and after a decision (``follow``).
"""

from dataclasses import dataclass
from typing import Literal

from shared_rules.groups import Group
from shared_rules.state import Foul, Hand, Option, Phase

Side = Literal["shooter", "other"]
"""The player of the shot (after a decision, the decider), or his opponent."""


@dataclass(frozen=True, slots=True)
class Shoots:
    """A stroke is next: from where the cue ball lies, or with it in hand."""

    who: Side
    hand: Hand = "none"


@dataclass(frozen=True, slots=True)
class Decides:
    """A choice is next.  ``hand``: what taking the table as it is would mean."""

    who: Side
    phase: Phase
    options: tuple[Option, ...]
    hand: Hand = "none"


@dataclass(frozen=True, slots=True)
class Breaks:
    """A break is next: of a new rack, or, if it was not played, of the one that stands."""

    who: Side
    new_rack: bool = True


@dataclass(frozen=True, slots=True)
class Reracks:
    """The shooter goes on once the balls have been racked anew (S14.4b)."""


@dataclass(frozen=True, slots=True)
class Wins:
    """The rack is over."""

    who: Side
    reason: str


@dataclass(frozen=True, slots=True)
class Penalty:
    """The referee chooses a penalty (F6.16p)."""


@dataclass(frozen=True, slots=True)
class Unplayed:
    """Nothing has happened: the same stroke is awaited as before."""


@dataclass(frozen=True, slots=True)
class Undone:
    """The stroke is played again from the table before it (G.1.7c, G.1.9a)."""


Next = Shoots | Decides | Breaks | Reracks | Wins | Penalty | Unplayed | Undone

PENALTIES = (
    Option.WARNING, Option.STANDARD_FOUL, Option.SERIOUS_FOUL, Option.LOSS_OF_RACK,
    Option.LOSS_OF_SET, Option.LOSS_OF_MATCH, Option.EJECTION,
)  # fmt: skip
"""What a referee may choose for unsportsmanlike conduct (F6.16p)."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """What a shot means.

    ``fouls_after``: the shooter's fouls in a row.  ``counted``: False for an unwarned third foul.
    ``points``: that the shooter wins or loses.  ``group``: the group that he has from now on.
    ``free_shot``: whether the other player's stroke is one (BB.12p).  ``safeties``: his
    near-cushion counters that go on; all his others end.
    """

    fouls: tuple[Foul, ...]
    next: Next
    fouls_after: int = 0
    counted: bool = True
    spotted: tuple[int, ...] = ()
    push_out_available: bool = False
    push_out: bool = False
    illegal_break: bool = False
    points: int = 0
    group: Group | None = None
    free_shot: bool = False
    safeties: tuple[tuple[str, int], ...] = ()
