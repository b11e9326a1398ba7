"""What each role of an account may do on the server: the one place where that is decided.

What a player or a referee may do in a match is the rules' affair (``shared_rules``); here is what
an account allows beyond a guest's rights.  A guest is a player.
"""

from enum import Enum, auto

from shared_rules.messages import AccountRole
from shared_rules.refusal import Code, Refusal


class Right(Enum):
    """Something that not everybody may do."""

    PLAY = auto()  # open tables and take seats
    OFFICIATE = auto()  # be the referee of any table that wants one, without an invitation
    WATCH_ANY = auto()  # also tables that only the invited, or nobody, may watch
    SEE_INVITATIONS = auto()  # of a table that one watches
    SEE_PEOPLE = auto()  # list people, and what officials have done
    RUN_TABLES = auto()  # adjourn, close, reopen, award
    RUN_COMPETITIONS = auto()  # open, enter, draw, correct
    GIVE_PINS = auto()  # to members, and take them
    SANCTION = auto()  # kick, mute and suspend those below, and lift it
    ADMINISTER = auto()  # accounts, roles, passwords and sessions of others


RANKS: tuple[AccountRole, ...] = (
    "spectator", "player", "referee", "official", "administrator",
)  # fmt: skip
"""From the least to the highest: nobody acts against his own rank or a higher one."""

_OFFICIAL = {
    Right.PLAY, Right.OFFICIATE, Right.WATCH_ANY, Right.SEE_INVITATIONS, Right.SEE_PEOPLE,
    Right.RUN_TABLES, Right.RUN_COMPETITIONS, Right.GIVE_PINS,
    Right.SANCTION,
}  # fmt: skip
RIGHTS: dict[AccountRole, frozenset[Right]] = {
    "spectator": frozenset(),
    "player": frozenset({Right.PLAY}),
    "referee": frozenset({Right.PLAY, Right.OFFICIATE, Right.WATCH_ANY}),
    "official": frozenset(_OFFICIAL),
    "administrator": frozenset(Right),
}


def may(role: AccountRole, right: Right) -> bool:
    """Whether a role has a right."""
    return right in RIGHTS[role]


def check(role: AccountRole, right: Right) -> None:
    """Nothing, if a role has a right.

    Raises:
        Refusal: ``not_allowed``.
    """
    if not may(role, right):
        raise Refusal(Code.NOT_ALLOWED, f"your role, {role}, does not allow that")


def check_above(role: AccountRole, other: AccountRole) -> None:
    """Nothing, if somebody of ``role`` may act against somebody of ``other``.

    Administrators may act against one another, or none could be called to account.

    Raises:
        Refusal: ``not_allowed``.
    """
    if role != "administrator" and RANKS.index(role) <= RANKS.index(other):
        raise Refusal(Code.NOT_ALLOWED, f"an account of the role {other} is not below yours")
