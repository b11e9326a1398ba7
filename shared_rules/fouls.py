"""Foul codes and the rules that they break.

WPA disciplines use the bare WPA number, EPBF nine-ball the source's own letters.  Each kind of
fault has one name here; a ruleset's ``codes`` says under which code it is reported.
"""

from enum import StrEnum
from typing import Literal

from shared_rules.state import Foul

Codes = Literal["epbf", "wpa"]


class Fault(StrEnum):
    """What went wrong, whatever the rulebook calls it."""

    OUTSIDE_AREA = "outside_area"
    TOO_FEW_RAILED = "too_few_railed"
    WRONG_BALL_FIRST = "wrong_ball_first"
    BREAKING_FOUL = "breaking_foul"
    NO_CONTACT = "no_contact"
    NO_RAIL = "no_rail"
    NO_RAIL_OFF_FROZEN = "no_rail_off_frozen"
    SCRATCH = "scratch"
    CUE_OFF_TABLE = "cue_off_table"
    BALL_OFF_TABLE = "ball_off_table"
    CUE_ON_BALL = "cue_on_ball"
    BALL_TOUCHED = "ball_touched"
    HAND_BALL_TOUCHED = "hand_ball_touched"
    PUSH_THROUGH = "push_through"
    LONG_CONTACT = "long_contact"
    FULL_POCKET = "full_pocket"
    SCOOP = "scoop"
    NINE_ON_FOUL = "nine_on_foul"
    FIRST_BALL_BEHIND = "first_ball_behind"
    NEVER_OUT = "never_out"
    BAD_BREAK = "bad_break"
    OPPONENTS_BALL = "opponents_ball"
    JUMP = "jump"
    INTO_TOUCHING = "into_touching"
    TIME = "time"
    UNSPORTSMANLIKE = "unsportsmanlike"


_CODES: dict[Fault, tuple[str, str]] = {
    Fault.OUTSIDE_AREA: ("2b", "6.10"),
    Fault.TOO_FEW_RAILED: ("5b", "2.3b"),
    Fault.WRONG_BALL_FIRST: ("5a", "6.2"),
    Fault.BREAKING_FOUL: ("", "4.3b"),
    Fault.NO_CONTACT: ("5a", "6.3"),
    Fault.NO_RAIL: ("5b", "6.3"),
    Fault.NO_RAIL_OFF_FROZEN: ("5k", "6.3"),
    Fault.SCRATCH: ("5c", "6.1"),
    Fault.CUE_OFF_TABLE: ("5d", "6.1"),
    Fault.BALL_OFF_TABLE: ("5d", "6.5"),
    Fault.CUE_ON_BALL: ("5e", "6.6"),
    Fault.BALL_TOUCHED: ("5f", "6.6"),
    Fault.HAND_BALL_TOUCHED: ("5n", "6.6"),
    Fault.PUSH_THROUGH: ("5g", "6.7"),
    Fault.LONG_CONTACT: ("5h", "6.8"),
    Fault.FULL_POCKET: ("5m", "6.1"),
    Fault.SCOOP: ("5o", "6.16"),
    Fault.NINE_ON_FOUL: ("5p", ""),
    Fault.FIRST_BALL_BEHIND: ("", "6.11"),
    Fault.NEVER_OUT: ("", "6.11"),
    Fault.BAD_BREAK: ("", "5.5b"),
    Fault.OPPONENTS_BALL: ("", "5.13a"),
    Fault.JUMP: ("", "5.13c"),
    Fault.INTO_TOUCHING: ("", "5.9"),
    Fault.TIME: ("9g", "6.15"),
    Fault.UNSPORTSMANLIKE: ("6.16", "6.16"),
}

RULE_IDS: dict[str, str] = (
    {f"5{letter}": f"N9.5{letter}" for letter in "abcdefghijklmnop"}
    | {"2b": "N9.2b", "9g": "N9.9g", "9h": "N9.9h", "2.3b": "W9.3b", "4.3b": "S14.3b"}
    | {"5.5b": "BB.5b", "5.9": "BB.9", "5.13a": "BB.13a", "5.13c": "BB.13c"}
    | {f"6.{n}": f"F6.{n}" for n in range(1, 17)}
)
"""Rule id of RULES.md of every foul code."""


def foul_of(fault: Fault, codes: Codes) -> Foul | None:
    """The foul under which a rulebook reports a fault; None where it has no such foul."""
    code = _CODES[fault][0 if codes == "epbf" else 1]
    return Foul(code=code, rule_id=RULE_IDS[code]) if code else None


def named_foul(code: str) -> Foul | None:
    """The foul of a code, as an official calls it; None if there is no such code."""
    rule_id = RULE_IDS.get(code)
    return Foul(code=code, rule_id=rule_id) if rule_id else None


# Chapters of RULES.md that a game's fouls are from, besides F6, and fouls of F6 that it has not
# (RULES 8 "which foul applies where").
_CHAPTERS = {"nine_ball": "W9.", "eight_ball": "E8.", "straight_pool": "S14.", "black_ball": "BB."}
_NOT_THERE = {"nine_ball": ("6.11",), "straight_pool": ("6.2",), "black_ball": ("6.11",)}
# What follows from other fouls is nobody's to call.
_FOLLOWING = ("5p", "6.14")


def called_foul(code: str, discipline: str, codes: Codes) -> Foul | None:
    """The foul that an official calls in a game; None if that game has none of that code.

    The WPA's chapter on fouls fills what the EPBF's rules leave open (DIFFERENCES.md).
    """
    foul = named_foul(code)
    if foul is None or code in _FOLLOWING or code in _NOT_THERE.get(discipline, ()):
        return None
    chapter = "N9." if codes == "epbf" else _CHAPTERS[discipline]
    return foul if foul.rule_id.startswith((chapter, "F6.")) else None
