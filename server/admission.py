"""Who may sit down at a table or watch it: pure checks, each a refusal or nothing."""

import hmac

from server.storage.records import Terms
from server.terms import code_key
from shared_rules.refusal import Code, Refusal


def _same(invitation: str | None, wanted: str) -> bool:
    return invitation is not None and hmac.compare_digest(
        code_key(invitation).encode(), wanted.encode()
    )


def _knows(terms: Terms, invitation: str | None) -> bool:
    return _same(invitation, terms.invitation)


def check_seat(terms: Terms, invitation: str | None) -> None:
    """May somebody with this invitation take the free seat?

    Raises:
        Refusal: ``wrong_invitation``.
    """
    if terms.private and not _knows(terms, invitation):
        raise Refusal(Code.WRONG_INVITATION, "this table is private: its invitation is needed")


def check_rated(terms: Terms, account: bool) -> None:
    """May somebody with or without an account play at such a table?

    Raises:
        Refusal: ``account_needed``.
    """
    if terms.rated and not account:
        raise Refusal(Code.ACCOUNT_NEEDED, "rated matches are for accounts: register first")


def check_watching(terms: Terms, invitation: str | None) -> None:
    """May somebody with this invitation watch?

    Raises:
        Refusal: ``watching_not_allowed``, ``wrong_invitation``.
    """
    if terms.watch == "nobody":
        raise Refusal(Code.WATCHING_NOT_ALLOWED, "nobody may watch this table")
    if terms.watch == "invited" and not _knows(terms, invitation):
        raise Refusal(Code.WRONG_INVITATION, "only those with the table's invitation may watch")


def check_officiating(terms: Terms, invitation: str | None, by_role: bool) -> None:
    """May somebody with this invitation, or by the role of his account, be the referee?

    In a rated match by his role alone: the invitation is one side's to hand on.

    Raises:
        Refusal: ``no_referee``, ``wrong_invitation``, ``not_allowed``.
    """
    if terms.referee_invitation is None:
        raise Refusal(Code.NO_REFEREE, "no referee sits at this table")
    if terms.rated and not by_role:
        raise Refusal(
            Code.NOT_ALLOWED, "the referee of a rated match is an account of the role referee"
        )
    if not (by_role and invitation is None) and not _same(invitation, terms.referee_invitation):
        raise Refusal(Code.WRONG_INVITATION, "the referee's invitation is needed")
