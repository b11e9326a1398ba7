"""``headstring simulate``: one case in, one result out; the same code path as a match.

``run_case`` takes a case as parsed JSON, ``run_lines`` lines of text.  A case that can't be run
comes back as ``{"id", "status": "error", "code", "message"}``; nothing is raised for it.
"""

import json
import time
from collections.abc import Iterable, Iterator
from typing import NoReturn

from physics.case_fields import CaseError, Fields
from physics.case_input import read_case, read_id
from physics.case_output import Json, result
from physics.simulation import get_ready, simulate

__all__ = ["CaseError", "run_case", "run_lines"]

#: Longest line that is read, in characters.
MAX_LINE = 1_000_000
#: Digits of an integer that are read: far more than any limit allows.
MOST_DIGITS = 4000


def run_case(case: object) -> Json:
    """The result of a case; see ``docs/simulate.md``.

    Everything but ``wall_ms`` depends on the case alone.
    """
    get_ready()
    start = time.perf_counter()
    try:
        posed = read_case(case)
    except CaseError as error:
        return _refused(case, error)
    out = result(posed, simulate(posed.world, posed.states, posed.impulses, posed.until))
    out["wall_ms"] = (time.perf_counter() - start) * 1000.0
    return out


def run_lines(lines: Iterable[str]) -> Iterator[Json]:
    """One result for every line that is not blank, in the same order."""
    for line in lines:
        if not line.strip():
            continue
        try:
            case = read_line(line)
        except CaseError as error:
            yield _refused(None, error)
        else:
            yield run_case(case)


def read_line(line: str) -> object:
    """A line as JSON, strictly: no NaN, no infinity, no key twice, no half characters.

    A byte order mark in front is overlooked.

    Raises:
        CaseError: ``bad_json``, or ``not_finite``.
    """
    if len(line) > MAX_LINE:
        raise CaseError("bad_json", f"the line has over {MAX_LINE} characters, which is the limit")
    try:
        return json.loads(
            line.removeprefix("\ufeff"),
            parse_constant=_no_constant,
            parse_int=_integer,
            object_pairs_hook=_object,
        )
    except CaseError:
        raise
    except RecursionError as error:
        raise CaseError("bad_json", "the line is nested too deeply") from error
    except ValueError as error:
        raise CaseError("bad_json", f"the line is no JSON: {error}") from error


def _no_constant(name: str) -> NoReturn:
    raise CaseError("not_finite", f"the line holds {name}, which is no JSON number")


def _integer(digits: str) -> int:
    """An integer; of one too long to be read, what is larger than any limit all the same."""
    if len(digits) > MOST_DIGITS:
        digits = digits[:MOST_DIGITS]
    return int(digits)


def _object(pairs: list[tuple[str, object]]) -> dict[str, object]:
    """An object whose keys come once each, and whose texts can be written out again."""
    values: dict[str, object] = {}
    for key, value in pairs:
        if key in values:
            raise CaseError("bad_json", f"the key {key[:60]!r} comes twice in one object")
        for text in (key, value):
            if isinstance(text, str) and not _writable(text):
                raise CaseError(
                    "bad_json", f"the key {key[:60]!r} or its value holds half a character"
                )
        values[key] = value
    return values


def _writable(text: str) -> bool:
    """Whether there is no lone surrogate in a text: it stands for no character."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def _refused(case: object, error: CaseError) -> Json:
    """The result of a case that is refused, under its id where it has one."""
    name: str | None = None
    if isinstance(case, dict):
        try:
            name = read_id(Fields(case, ""))
            name = name if _writable(name) else None
        except CaseError:
            name = None  # the id itself may be what is refused
    return {"id": name, "status": "error", "code": error.code, "message": str(error)}
