"""The client's own words in English and Czech; what the rules say comes from shared_rules.wording.

One table for both, so that no language can lack an entry; a module for each subject.
"""

from client.words import (
    aiming,
    buttons,
    choices,
    club,
    console,
    keys,
    link,
    lobby,
    officials,
    practice,
    prompts,
    replays,
    rule_cards,
    rulings,
    scoreboard,
    screens,
    sound,
)
from client.words.phrase import Words

_SUBJECTS = (
    scoreboard,
    link,
    prompts,
    replays,
    buttons,
    choices,
    rulings,
    aiming,
    keys,
    screens,
    rule_cards,
    lobby,
    club,
    console,
    officials,
    practice,
    sound,
)


def _together() -> Words:
    words: Words = {}
    for subject in _SUBJECTS:
        twice = words.keys() & subject.WORDS.keys()
        if twice:
            raise ValueError(f"{subject.__name__} says again what is said already: {twice}")
        words |= subject.WORDS
    return words


WORDS = _together()


def say(language: str, key: str, **values: object) -> str:
    """The words of a key in ``en`` or ``cs``.

    Raises:
        KeyError: there is no such key, or a value for a place is missing.
    """
    return WORDS[key][1 if language == "cs" else 0].format(**values)


def decimal(language: str, value: float, digits: int = 2) -> str:
    """A number as the language writes it: Czech has a decimal comma."""
    text = f"{value:.{digits}f}"
    return text.replace(".", ",") if language == "cs" else text
