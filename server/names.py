"""Names that people sign in with: what a name may be, and when two are the same."""

import unicodedata

from shared_rules.refusal import Code, Refusal

LONGEST = 32
_MARKS_ALLOWED = set(" -_.'’")


def clean_name(name: str) -> str:
    """The name as it is shown: composed letters, single spaces.

    Raises:
        Refusal: ``bad_name``.
    """
    shown = " ".join(unicodedata.normalize("NFC", name).split())
    if not 1 <= len(shown) <= LONGEST:
        raise Refusal(Code.BAD_NAME, f"a name has 1 to {LONGEST} characters")
    if not any(unicodedata.category(c)[0] in "LN" for c in shown):
        raise Refusal(Code.BAD_NAME, "a name needs a letter or a digit")
    for c in shown:
        if unicodedata.category(c)[0] not in "LNM" and c not in _MARKS_ALLOWED:
            raise Refusal(Code.BAD_NAME, "a name has letters, digits, spaces and - _ . ' only")
    return shown


def name_key(name: str) -> str:
    """Names with the same key are the same name: case and compatible forms don't matter."""
    return unicodedata.normalize("NFKC", name).casefold()
