"""What officials do at a table (RULES 9): acts of a referee, some of them also of the server.

They are commands like any other (``commands``); where no referee sits the players may agree on
most of them (N9.9a).
"""

from typing import Annotated, Literal, Union

import msgspec

from shared_rules.seat import Seat

Reason = Annotated[str, msgspec.Meta(max_length=200)]
"""Why an official does something, in his words; it is announced and stays in the record."""


class CommandBase(
    msgspec.Struct, frozen=True, kw_only=True, tag_field="c", forbid_unknown_fields=True
):
    """Base of all commands; the tag names the command."""


class Act(CommandBase, frozen=True, kw_only=True):
    """Base of what an official does."""

    reason: Reason = ""


class WarnSlowPlay(Act, frozen=True, kw_only=True, tag="warn_slow_play"):
    """N9.9g, F6.15a."""


class ImposeShotClock(Act, frozen=True, kw_only=True, tag="impose_shot_clock"):
    """N9.9g, F6.15b: binds both players from the next turn."""

    limit_s: Annotated[float, msgspec.Meta(ge=5, le=600)]


class Suspend(Act, frozen=True, kw_only=True, tag="suspend"):
    """Play stops, clocks stand (G.1.10b)."""


class Resume(Act, frozen=True, kw_only=True, tag="resume"):
    """Play goes on where it stopped."""


class CallFoul(Act, frozen=True, kw_only=True, tag="call_foul"):
    """A foul that only a person can see (RULES 9), by its code; until the next stroke (F6.0b).

    The stroke is judged with it: while its balls roll, when they have stopped, and afterwards
    again, whatever it had won.  ``shot``: the stroke that it was seen on, the last one if not
    given; a later one closes the matter.  ``between_strokes``: it belongs to no stroke.
    """

    seat: Seat
    shot: int | None = None
    foul: Annotated[str, msgspec.Meta(min_length=1, max_length=8)]
    between_strokes: bool = False


class CallUnsportsmanlike(Act, frozen=True, kw_only=True, tag="unsportsmanlike"):
    """F6.16: the referee then chooses the penalty.

    Of three kinds the ruleset may fix it: ``advice`` (N9.9i), ``practice`` (N9.9h) and
    ``play_suspended`` (N9.9f).
    """

    seat: Seat
    kind: Annotated[str, msgspec.Meta(max_length=64)] = ""


class OutsideInterference(Act, frozen=True, kw_only=True, tag="outside_interference"):
    """G.1.9: somebody or something else has disturbed the running or the last stroke.

    ``affected``: the stroke itself, which is then played again from the table before it; else
    ``balls`` were disturbed and are put back.  ``restorable``: False where the table can't be put
    back, which ends the rack as a stalemate does.
    """

    affected: bool
    balls: Annotated[tuple[int, ...], msgspec.Meta(max_length=16)] = ()
    restorable: bool = True


class AnnounceNoProgress(Act, frozen=True, kw_only=True, tag="announce_no_progress"):
    """G.1.12a: from now each player has three more visits."""


class DeclareStalemate(Act, frozen=True, kw_only=True, tag="declare_stalemate"):
    """G.1.12b: nobody scores, the rack's breaker breaks again.

    ``no_legal_shot``: because none is possible, which needs no last visits where the ruleset says
    so (BB.15).
    """

    no_legal_shot: bool = False


class UpholdJudgement(Act, frozen=True, kw_only=True, tag="uphold_judgement"):
    """G.1.10a: asked to reconsider, the referee stays with his judgement, which is final."""


class ResolveWedged(Act, frozen=True, kw_only=True, tag="resolve_wedged"):
    """N9.9m: balls jammed in a pocket mouth, by their centres: over the opening or outside it."""

    over_opening: Annotated[tuple[int, ...], msgspec.Meta(max_length=16)] = ()
    outside: Annotated[tuple[int, ...], msgspec.Meta(max_length=16)] = ()


class RestoreBalls(Act, frozen=True, kw_only=True, tag="restore_balls"):
    """G.1.8: put these balls back where they lay before the last shot."""

    balls: Annotated[tuple[int, ...], msgspec.Meta(min_length=1, max_length=16)]


class AwardLoss(CommandBase, frozen=True, kw_only=True, tag="award_loss"):
    """A player loses by ruling (N9.9i; BB.14c, d), absence or disconnection."""

    seat: Seat
    scope: Literal["game", "set", "match"]
    reason: Reason


Claimable = Union[  # noqa: UP007
    CallFoul, AwardLoss, OutsideInterference, RestoreBalls, ResolveWedged, AnnounceNoProgress,
    DeclareStalemate, WarnSlowPlay, ImposeShotClock,
]  # fmt: skip
"""What players may settle between them where no referee sits (N9.9a)."""
