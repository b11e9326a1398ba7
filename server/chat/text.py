"""What becomes of a text that somebody has written, before anybody reads it."""

import unicodedata

from shared_rules.plain_text import JOINERS, is_trick
from shared_rules.refusal import Code, Refusal

_MOST_MARKS = 3  # on one letter


def cleaned(text: str) -> str:
    """One line, of characters that can be seen and change nothing around them; perhaps empty.

    Control characters, overrides of the direction of writing and everything else that formats are
    dropped, whitespace is one space, and a letter carries at most three marks.
    """
    spaced = "".join(" " if c.isspace() else c for c in unicodedata.normalize("NFC", text))
    kept, marks = [], 0
    for c in spaced:
        if is_trick(c):
            continue
        marks = marks + 1 if unicodedata.category(c) in ("Mn", "Me") else 0
        if marks <= _MOST_MARKS:
            kept.append(c)
    line = " ".join("".join(kept).split())
    return line if line.strip(JOINERS + " ") else ""


def check_line(line: str, most: int) -> None:
    """Nothing, if this is a line to be read.

    Raises:
        Refusal: ``out_of_range``: nothing is left of it, or it is too long.
    """
    if not line:
        raise Refusal(Code.OUT_OF_RANGE, "nothing is left of that text")
    if len(line) > most:
        raise Refusal(Code.OUT_OF_RANGE, f"a line has at most {most} characters")
