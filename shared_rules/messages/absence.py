"""What the player who is there may do about an opponent who is not."""

from typing import Literal

from shared_rules.messages.base import Message, RequestId, TableId


class ClaimAbsence(Message, frozen=True, kw_only=True, tag="claim_absence"):
    """The opponent's grace is over.  ``ask``: what the ruleset gives for it, or to adjourn."""

    id: RequestId
    table: TableId
    ask: Literal["win", "adjourn"] = "win"
