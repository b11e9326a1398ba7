"""What becomes of a line that somebody has written, before anybody reads it."""

import unicodedata

from shared_rules.messages.chat import MAX_LINE
from shared_rules.refusal import Code, Refusal

_MOST_MARKS = 3  # on one letter
_JOINERS = "\u200c\u200d"  # some scripts and many pictures need them
_DROPPED = ("Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp")


def clean_line(text: str) -> str:
    """One line, of characters that can be seen and change nothing around them.

    Control characters, overrides of the direction of writing and everything else that formats are
    dropped, whitespace is one space, and a letter carries at most three marks.

    Raises:
        Refusal: ``out_of_range``: nothing is left, or it is too long.
    """
    spaced = "".join(" " if c.isspace() else c for c in unicodedata.normalize("NFC", text))
    kept, marks = [], 0
    for c in spaced:
        kind = unicodedata.category(c)
        if kind in _DROPPED and c not in _JOINERS:
            continue
        marks = marks + 1 if kind in ("Mn", "Me") else 0
        if marks <= _MOST_MARKS:
            kept.append(c)
    line = " ".join("".join(kept).split())
    if not line.strip(_JOINERS + " "):
        raise Refusal(Code.OUT_OF_RANGE, "nothing is left of that line")
    if len(line) > MAX_LINE:
        raise Refusal(Code.OUT_OF_RANGE, f"a line has at most {MAX_LINE} characters")
    return line
