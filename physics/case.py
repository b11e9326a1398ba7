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
from physics.simulation import simulate

__all__ = ["CaseError", "run_case", "run_lines"]

#: Longest line that is read, in characters.
MAX_LINE = 1_000_000


def run_case(case: object) -> Json:
    """The result of a case; see ``docs/simulate.md``.

    Everything but ``wall_ms`` depends on the case alone.
    """
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
    """A line as JSON, strictly: no NaN, no infinity, no key twice.

    Raises:
        CaseError: ``bad_json``.
    """
    if len(line) > MAX_LINE:
        raise CaseError("bad_json", f"the line has {len(line)} characters; the limit is {MAX_LINE}")
    try:
        return json.loads(line, parse_constant=_no_constant, object_pairs_hook=_no_key_twice)
    except CaseError:
        raise
    except (ValueError, RecursionError) as error:
        raise CaseError("bad_json", f"the line is no JSON: {error}") from error


def _no_constant(name: str) -> NoReturn:
    raise CaseError("not_finite", f"the line holds {name}, which is no JSON number")


def _no_key_twice(pairs: list[tuple[str, object]]) -> dict[str, object]:
    values = dict(pairs)
    if len(values) != len(pairs):
        keys = [key for key, _ in pairs]
        twice = next(key for key in keys if keys.count(key) > 1)
        raise CaseError("bad_json", f"the key {twice[:60]!r} comes twice in one object")
    return values


def _refused(case: object, error: CaseError) -> Json:
    """The result of a case that is refused, under its id where it has one."""
    name: str | None = None
    if isinstance(case, dict):
        try:
            name = read_id(Fields(case, ""))
        except CaseError:
            name = None  # the id itself may be what is refused
    return {"id": name, "status": "error", "code": error.code, "message": str(error)}
