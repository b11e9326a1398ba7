"""Which PINs may be given, and to whom."""

from server.accounts import roles
from server.accounts.roles import Right
from shared_rules.messages import AccountRole
from shared_rules.pins import is_easy, is_pin
from shared_rules.refusal import Code, Refusal


def check_pin(pin: str) -> None:
    """May this be a PIN?

    Raises:
        Refusal: ``weak_password``.
    """
    if not is_pin(pin):
        raise Refusal(Code.WEAK_PASSWORD, "a PIN is six digits")
    if is_easy(pin):
        raise Refusal(Code.WEAK_PASSWORD, "this PIN is among the first that anyone tries")


def check_may_have(account: bool, role: AccountRole) -> None:
    """May somebody have a PIN?  Whoever may do something to others has a password instead.

    Raises:
        Refusal: ``not_allowed``.
    """
    if not account:
        raise Refusal(Code.NOT_ALLOWED, "a guest has no PIN; an account is needed")
    if not may_have(role):
        raise Refusal(Code.NOT_ALLOWED, f"an account of the role {role} has no PIN, but a password")


def may_have(role: AccountRole) -> bool:
    """Whether an account of this role may have a PIN."""
    return not roles.may(role, Right.SANCTION)
