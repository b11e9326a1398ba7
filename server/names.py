"""Names that people sign in with: what a name may be, and when two are the same.

A name is read by people who must be able to tell two of them apart: nothing invisible, no stacks of
marks, no mixture of alphabets that look alike, and names that look alike count as the same.
"""

import unicodedata
from itertools import groupby

from shared_rules.refusal import Code, Refusal

LONGEST = 32
LONGEST_KEY = 64
_SIGNS_ALLOWED = set(" -_.'’")
_MOST_MARKS = 3  # on one letter: Hebrew and Vietnamese need that many

# Letters and marks that show nothing (Unicode's Default_Ignorable_Code_Point, categories L and M).
_INVISIBLE = {0x034F, 0x115F, 0x1160, 0x17B4, 0x17B5, 0x3164, 0xFFA0} | {
    *range(0x180B, 0x1810), *range(0xFE00, 0xFE10), *range(0xE0100, 0xE01F0),
}  # fmt: skip

_ALIKE = ("LATIN", "CYRILLIC", "GREEK", "ARMENIAN", "CHEROKEE", "COPTIC")
"""Alphabets that share letter shapes; a name is written in one of them."""

_SAME_SHAPE = str.maketrans(
    "авекмнорстухіјѕԁһӏ" + "αβεζηικμνορτυχ" + "’",
    "abekmhopctyxijsdhl" + "abezhikmnoptyx" + "'",
)
"""Folded letters whose capital or small form looks like a Latin one."""


def clean_name(name: str) -> str:
    """The name as it is shown: composed letters, single spaces.

    Raises:
        Refusal: ``bad_name``.
    """
    shown = " ".join(unicodedata.normalize("NFC", name).split())
    if not 1 <= len(shown) <= LONGEST or len(name_key(shown)) > LONGEST_KEY:
        raise Refusal(Code.BAD_NAME, f"a name has 1 to {LONGEST} characters")
    if not any(unicodedata.category(c)[0] in "LN" for c in shown):
        raise Refusal(Code.BAD_NAME, "a name needs a letter or a digit")
    if not all(_may_be_shown(c) for c in shown):
        raise Refusal(Code.BAD_NAME, "a name has letters, digits, spaces and - _ . ' only")
    marks = (unicodedata.category(c)[0] == "M" for c in unicodedata.normalize("NFD", shown))
    if any(is_mark and len(list(run)) > _MOST_MARKS for is_mark, run in groupby(marks)):
        raise Refusal(Code.BAD_NAME, f"a letter of a name has at most {_MOST_MARKS} marks")
    if len(_alphabets(shown)) > 1:
        raise Refusal(Code.BAD_NAME, "the letters of a name come from one alphabet")
    return shown


def name_key(name: str) -> str:
    """Names with the same key are the same name.

    Case, compatible forms and letters that look like others don't matter.
    """
    compatible = unicodedata.normalize("NFKC", name).casefold()
    return unicodedata.normalize("NFKC", compatible).translate(_SAME_SHAPE)


def _may_be_shown(c: str) -> bool:
    category = unicodedata.category(c)
    if category == "Me" or ord(c) in _INVISIBLE:
        return False
    return category[0] in "LNM" or c in _SIGNS_ALLOWED


def _alphabets(name: str) -> set[str]:
    letters = unicodedata.normalize("NFKC", name)
    first_words = {unicodedata.name(c, "").partition(" ")[0] for c in letters}
    return first_words.intersection(_ALIKE)
