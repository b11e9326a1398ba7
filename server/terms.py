"""From what somebody asks for to the terms of a table, and from these to what the rules get."""

import secrets

from server.shots import frame_of, usual_table
from server.storage.records import Terms
from shared_rules.messages import OpenTable, TableTerms
from shared_rules.refusal import Code, Refusal
from shared_rules.ruleset import make_ruleset
from shared_rules.state import MatchDescription

_LETTERS = "ABCDEFGHJKMNPQRSTUVWXYZ23456789"  # none that are taken for another


def new_code(length: int) -> str:
    """A code that people can read to one another."""
    return "".join(secrets.choice(_LETTERS) for _ in range(length))


def code_key(code: str) -> str:
    """A code as it is kept, however somebody has typed it: case and blanks round it don't count."""
    return code.strip().upper()


def terms_of(asked: OpenTable | TableTerms) -> Terms:
    """The terms of a new table, with invitations of its own.

    Raises:
        Refusal: ``bad_ruleset``: there are no such rules, or no such table, or they can't be rated.
    """
    ruleset = make_ruleset(asked.ruleset, asked.overrides)
    if asked.rated and ruleset.match.races is not None:
        raise Refusal(Code.BAD_RULESET, "rated matches are played level: without match.races")
    preset = asked.table or usual_table(ruleset.discipline)
    frame_of(preset)
    return Terms(
        ruleset=ruleset,
        preset=preset,
        invitation=new_code(8),
        shot_clock=asked.shot_clock,
        watch=asked.watch,
        private=isinstance(asked, OpenTable) and asked.private,
        delay_s=asked.delay_s,
        referee_invitation=new_code(8) if asked.referee else None,
        rated=asked.rated,
        chat=asked.chat,
    )


def describe(match: str, terms: Terms, names: tuple[str, str]) -> MatchDescription:
    """What the rules get of a match."""
    return MatchDescription(
        match_id=match,
        players=names,
        ruleset=terms.ruleset,
        frame=frame_of(terms.preset),
        shot_clock=terms.shot_clock,
        referee=terms.referee_invitation is not None,
    )
