"""What officials and administrators do: to people, to tables, and what is on record.

Each act is stored with who gave it, when and why.  ``who`` is a person's id, the name of an
account, or that of a guest: who is here, else the only one of that name who may come back.
"""

from typing import Annotated, Literal

import msgspec

from shared_rules.messages.accounts import AccountRole, Password, Pin
from shared_rules.messages.base import Message, OrderNumber, RequestId, ShortText, TableId
from shared_rules.state import Name, Seat

Who = Annotated[str, msgspec.Meta(min_length=1, max_length=64)]
Why = Annotated[str, msgspec.Meta(min_length=1, max_length=200)]
UnixTime = Annotated[float, msgspec.Meta(ge=0.0, le=1e11)]
Limit = Annotated[int, msgspec.Meta(ge=1, le=100)]
Shots = Annotated[tuple[OrderNumber, ...], msgspec.Meta(max_length=256)]


class OfficialAct(
    msgspec.Struct, frozen=True, kw_only=True, tag_field="act", forbid_unknown_fields=True
):
    """Base of the acts; the tag names the act."""


class CreateAccount(OfficialAct, frozen=True, kw_only=True, tag="create_account"):
    """An account for somebody who isn't here, with a password, a PIN, or both."""

    name: Name
    password: Password | None = None
    pin: Pin | None = None
    role: AccountRole = "player"


class SetRole(OfficialAct, frozen=True, kw_only=True, tag="set_role"):
    who: Who
    role: AccountRole


class ResetPassword(OfficialAct, frozen=True, kw_only=True, tag="reset_password"):
    """A new password for somebody who has lost his; all his sessions end."""

    who: Who
    password: Password


class GivePin(OfficialAct, frozen=True, kw_only=True, tag="give_pin"):
    """A PIN in the place of any that he had."""

    who: Who
    pin: Pin


class TakePin(OfficialAct, frozen=True, kw_only=True, tag="take_pin"):
    """He has no PIN any more; all his sessions end."""

    who: Who


class EndSessions(OfficialAct, frozen=True, kw_only=True, tag="end_sessions"):
    """Revoke every token of a person."""

    who: Who


class SuspendPerson(OfficialAct, frozen=True, kw_only=True, tag="suspend"):
    """Keep somebody out.  ``table`` and ``shots``: the evidence."""

    who: Who
    until: UnixTime | None = None
    table: TableId | None = None
    shots: Shots = ()


class MutePerson(OfficialAct, frozen=True, kw_only=True, tag="mute"):
    """Let somebody say nothing.  ``table`` and ``shots``: the evidence."""

    who: Who
    until: UnixTime | None = None
    table: TableId | None = None
    shots: Shots = ()


class KickPerson(OfficialAct, frozen=True, kw_only=True, tag="kick"):
    """Hang up on somebody; he may come back."""

    who: Who


class LiftSanction(OfficialAct, frozen=True, kw_only=True, tag="lift"):
    """Take a suspension, a mute or a discount back, by the id of the action."""

    action: ShortText


class OpenAddress(OfficialAct, frozen=True, kw_only=True, tag="open_address"):
    """A guest's suspension or mute stays, but newcomers from his address are let in again."""

    action: ShortText


class CloseTable(OfficialAct, frozen=True, kw_only=True, tag="close_table"):
    """Put a table away; its match is kept as it stands."""

    table: TableId


class ReopenTable(OfficialAct, frozen=True, kw_only=True, tag="reopen_table"):
    """Bring a table back that was closed."""

    table: TableId


class AdjournTable(OfficialAct, frozen=True, kw_only=True, tag="adjourn_table"):
    """Suspend a match until both players have come back."""

    table: TableId


class AwardTable(OfficialAct, frozen=True, kw_only=True, tag="award"):
    """Give a game, a set or the match to the player of a seat."""

    table: TableId
    seat: Seat
    scope: Literal["game", "set", "match"] = "match"


class DiscountMatch(OfficialAct, frozen=True, kw_only=True, tag="discount"):
    """Let a rated match that is over count for no rating; ``lift`` lets it count again."""

    table: TableId


AnyAct = (
    CreateAccount | SetRole | ResetPassword | GivePin | TakePin | EndSessions | SuspendPerson
    | MutePerson | KickPerson | LiftSanction | OpenAddress | CloseTable | ReopenTable | AdjournTable
    | AwardTable | DiscountMatch
)  # fmt: skip


class Oversee(Message, frozen=True, kw_only=True, tag="oversee"):
    """An official's act and why.  Remembered by person and id, like ``play``."""

    id: RequestId
    act: AnyAct
    reason: Why


class ListPeople(Message, frozen=True, kw_only=True, tag="list_people"):
    """Answered by ``people``.  ``starts``: of the name; ``after``: ``more`` of the page before."""

    id: RequestId
    starts: Annotated[str, msgspec.Meta(max_length=32)] = ""
    after: Annotated[str, msgspec.Meta(max_length=160)] | None = None
    limit: Limit = 50


class PersonSummary(msgspec.Struct, frozen=True, kw_only=True):
    """A person as officials see him.  Times are Unix times.

    ``used_at``: when he last came or went; None: all his sessions have ended.  ``sanctions``: the
    ids of the actions in force against him.  ``pin``: whether he has one.
    """

    person: str
    name: str
    account: bool
    role: AccountRole
    present: bool
    tables: tuple[str, ...]
    created_at: float
    used_at: float | None
    pin: bool = False
    sanctions: tuple[str, ...]


class PeopleListed(Message, frozen=True, kw_only=True, tag="people"):
    """``more``: ask for the next page with it as ``after``; None: this is the last."""

    re: int
    people: tuple[PersonSummary, ...]
    more: str | None = None


class ListActions(Message, frozen=True, kw_only=True, tag="list_actions"):
    """Answered by ``actions``, the latest first; ``before``: done before that Unix time."""

    id: RequestId
    who: Who | None = None
    table: TableId | None = None
    before: UnixTime | None = None
    limit: Limit = 50


class ActionSummary(msgspec.Struct, frozen=True, kw_only=True):
    """What an official did.  ``by`` is None for the command line on the server's own machine."""

    action: str
    at: float
    by: str | None
    act: str
    who: str | None
    person: str | None
    table: str | None
    reason: str
    until: float | None
    shots: tuple[int, ...]
    in_force: bool
    undone_at: float | None
    undone_by: str | None
    undone_reason: str | None


class ActionsListed(Message, frozen=True, kw_only=True, tag="actions"):
    re: int
    actions: tuple[ActionSummary, ...]
