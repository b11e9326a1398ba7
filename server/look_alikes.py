"""Letters that look alike, and what of a letter tells one name from another.

The table of look-alikes is Unicode's (UTS 39, confusables), as ``confusable_homoglyphs`` keeps it.
UTS 39 compares what is shown, where Ν is an N and ν a v; names are the same in either case, so a
letter is folded here by its small form, or by its capital where only that looks like a Latin one.
"""

import functools
import unicodedata

from confusable_homoglyphs.confusables import confusables_data

MARKS_DROPPED = ("LATIN", "GREEK", "CYRILLIC", "ARMENIAN")
"""Alphabets whose accents don't make another name; elsewhere a mark can be a vowel."""

OTHER_LETTERS = {
    "æ": "ae", "œ": "oe", "ø": "o", "ł": "l", "đ": "d", "ð": "d", "ħ": "h", "ŧ": "t", "þ": "th",
    "ŋ": "n", "ı": "i", "ə": "e", "ß": "ss",
}  # fmt: skip
"""Latin letters that people's names have and that are no basic letter with accents."""

_BASIC = "abcdefghijklmnopqrstuvwxyz0123456789"
_BASIC_ALIKE = {"i": "l", "1": "l", "0": "o", "m": "rn"}
"""Of basic letters and digits: I, l and 1, O and 0, rn and m (UTS 39; i because of I)."""


def alphabet(c: str) -> str:
    """Of a letter: the first word of its name in Unicode, which is that of its alphabet."""
    return unicodedata.name(c, "").partition(" ")[0]


def is_basic(c: str) -> bool:
    """Whether this is a to z, in either case, or 0 to 9."""
    return c.lower() in _BASIC


def fold(text: str) -> str:
    """The same for texts that nobody can tell apart; nothing that could be shown."""
    bare = _without_marks(unicodedata.normalize("NFKC", text).casefold())
    folded = "".join(_fold_letter(c) for c in bare)
    return unicodedata.normalize("NFC", "".join(_BASIC_ALIKE.get(c, c) for c in folded))


def reads_as(text: str) -> str | None:
    """How somebody would read it who takes all of it for basic letters; None: nobody can."""
    shown = _without_marks(unicodedata.normalize("NFKC", text))
    letters = [_as_basic(c) for c in shown]
    return "".join(c for c in letters if c) if all(letters) else None


def _without_marks(text: str) -> str:
    kept, dropping = [], False
    for c in unicodedata.normalize("NFD", text):
        if unicodedata.category(c)[0] == "M":
            if dropping:
                continue
        else:
            dropping = alphabet(c) in MARKS_DROPPED
        kept.append(c)
    return unicodedata.normalize("NFC", "".join(kept))


@functools.lru_cache(maxsize=4096)  # anybody may send any letter
def _fold_letter(c: str) -> str:
    if c in OTHER_LETTERS:
        return OTHER_LETTERS[c]
    basic = _as_basic(c) or _as_basic(c.upper())
    return basic.lower() if basic else _classes().get(c, c)


def _as_basic(c: str) -> str | None:
    """The basic letter or digit that a letter looks like as it is shown."""
    if is_basic(c):
        return c
    alike = [other["c"] for other in confusables_data.get(c, ())]
    return min((a for a in alike if len(a) == 1 and is_basic(a)), default=None)


@functools.cache
def _classes() -> dict[str, str]:
    """Of all letters that look like none of ours: one for all that look alike."""
    parent: dict[str, str] = {}

    def root(c: str) -> str:
        while parent.setdefault(c, c) != c:
            c = parent[c]
        return c

    for c, others in confusables_data.items():
        for other in others:
            pair = c.casefold(), str(other["c"]).casefold()
            if all(len(x) == 1 and x.isalpha() and not is_basic(x) for x in pair):
                first, second = sorted((root(pair[0]), root(pair[1])))
                parent[second] = first
    return {c: root(c) for c in parent}
