"""A line of a scenario file as plain values; what no reader could be sure of is refused.

Besides what is no JSON that is: a key given twice (which cue ball is meant?), numbers that are not
finite, text that cannot be written out again, and nesting that no scenario needs.
"""

import json
from collections.abc import Iterator
from math import isfinite
from typing import Any

from shared_rules.refusal import Code, Refusal

_DEEPEST = 40


def read_line(line: str) -> Any:
    """The value of a line; a byte order mark in front is overlooked.

    Raises:
        Refusal: ``bad_scenario``.
    """
    try:
        return json.loads(line.removeprefix("\ufeff"), object_pairs_hook=_object)
    except (ValueError, RecursionError) as error:
        # Also a number of thousands of digits, which is a plain ValueError.
        raise Refusal(Code.BAD_SCENARIO, f"the line is no JSON: {error}") from error


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for key, value in pairs:
        if key in found:
            raise Refusal(Code.BAD_SCENARIO, f"the key {key[:60]!r} is given twice")
        found[key] = value
    return found


def name_of(scenario: Any) -> str | int | None:
    """The ``id`` of a scenario, as far as it can be given back; else None."""
    name = scenario.get("id") if isinstance(scenario, dict) else None
    if isinstance(name, str):
        return name if _writable(name) else None
    return name if isinstance(name, int) else None


def check_plain(scenario: Any) -> None:
    """Refuse values that make no sense whatever they stand for; ``expect`` is not looked at.

    Raises:
        Refusal: ``bad_scenario``.
    """
    if isinstance(scenario, dict):
        scenario = {key: value for key, value in scenario.items() if key != "expect"}
    waiting = [(scenario, 0)]
    while waiting:
        part, depth = waiting.pop()
        if depth > _DEEPEST:
            raise Refusal(Code.BAD_SCENARIO, "a scenario is not nested that deep")
        if isinstance(part, float) and not isfinite(part):
            raise Refusal(Code.BAD_SCENARIO, f"{part} is no number to judge by")
        if isinstance(part, str) and not _writable(part):
            raise Refusal(Code.BAD_SCENARIO, f"{part!r} is no text")
        waiting += [(inner, depth + 1) for inner in _parts(part)]


def _parts(value: Any) -> Iterator[Any]:
    if isinstance(value, dict):
        yield from value
        yield from value.values()
    elif isinstance(value, list | tuple):
        yield from value


def _writable(text: str) -> bool:
    """Whether there is no lone surrogate in a text."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True
