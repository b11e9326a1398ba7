"""Names that people sign in with: what a name may be, and when two are the same.

A name is read by people who must be able to tell two of them apart: nothing invisible, no stacks of
marks, letters that living languages are written in, of one alphabet, and names that look alike
count as the same (``server.look_alikes``).
"""

import unicodedata
from itertools import groupby

from server.look_alikes import OTHER_LETTERS, alphabet, fold, is_basic, reads_as
from shared_rules.refusal import Code, Refusal

LONGEST = 32
LONGEST_KEY = 64
_SIGNS_ALLOWED = set(" -_.'’")
_MOST_MARKS = 3  # on one letter: Hebrew and Vietnamese need that many

# Letters and marks that show nothing (Unicode's Default_Ignorable_Code_Point, categories L and M).
_INVISIBLE = {0x034F, 0x115F, 0x1160, 0x17B4, 0x17B5, 0x3164, 0xFFA0} | {
    *range(0x180B, 0x1810), *range(0xFE00, 0xFE10), *range(0xE0100, 0xE01F0),
}  # fmt: skip

# Alphabets in general use (UAX 31, table 5); those of Chinese, Japanese and Korean go with Latin
# letters and with one another as UTS 39 lets them (5.2, highly restrictive).
_EASTERN = {"CJK", "IDEOGRAPHIC"}
_TOGETHER = (
    {"LATIN", *_EASTERN, "HIRAGANA", "KATAKANA", "KATAKANA-HIRAGANA"},
    {"LATIN", *_EASTERN, "BOPOMOFO"},
    {"LATIN", *_EASTERN, "HANGUL"},
)
_ALPHABETS = set().union(*_TOGETHER) | {
    "CYRILLIC", "GREEK", "ARMENIAN", "HEBREW", "ARABIC", "GEORGIAN", "ETHIOPIC", "THAANA",
    "DEVANAGARI", "BENGALI", "GURMUKHI", "GUJARATI", "ORIYA", "TAMIL", "TELUGU", "KANNADA",
    "MALAYALAM", "SINHALA", "THAI", "LAO", "TIBETAN", "MYANMAR", "KHMER",
}  # fmt: skip


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
    _check_letters(_without_signs(unicodedata.normalize("NFKC", shown)))
    # what is shown as AB must be the same name as AB
    latin = reads_as(_without_signs(shown))
    if latin is not None and name_key(latin) != name_key(shown):
        raise Refusal(Code.BAD_NAME, f"this name reads as {latin} in Latin letters")
    return shown


def name_key(name: str) -> str:
    """Names with the same key are the same name.

    Case, accents, compatible forms, spaces and signs don't matter, nor which of the letters it is
    that look alike.
    """
    return fold(_without_signs(unicodedata.normalize("NFKC", name)))


def _without_signs(name: str) -> str:
    return "".join(c for c in name if c not in _SIGNS_ALLOWED and not c.isspace())


def _may_be_shown(c: str) -> bool:
    category = unicodedata.category(c)
    if category == "Me" or ord(c) in _INVISIBLE:
        return False
    return category[0] in "LNM" or c in _SIGNS_ALLOWED


def _check_letters(letters: str) -> None:
    """Nothing, if a name may have these letters, digits and marks.

    Raises:
        Refusal: ``bad_name``: few people can read one of them, or they are of several alphabets.
    """
    used = set()
    for c in letters:
        if unicodedata.category(c)[0] == "N":
            if not is_basic(c):
                raise Refusal(Code.BAD_NAME, "the digits of a name are 0 to 9")
            continue
        if alphabet(c) == "COMBINING":  # a mark of any alphabet
            continue
        base = unicodedata.normalize("NFD", c)[0]
        used.add(alphabet(c))
        known = is_basic(base) or base.lower() in OTHER_LETTERS
        if alphabet(c) not in _ALPHABETS or (alphabet(c) == "LATIN" and not known):
            raise Refusal(Code.BAD_NAME, f"{c} is no letter that a name may have")
    if len(used) > 1 and not any(used <= together for together in _TOGETHER):
        raise Refusal(Code.BAD_NAME, "the letters of a name come from one alphabet")
