"""``headstring simulate``: one case in, one result out; the same code path as a match.

``run_case`` takes a case as parsed JSON, ``run_lines`` lines of text.  A case that can't be run
comes back as ``{"id", "status": "error", "code", "message"}``; nothing is raised for it.
"""

import json
import math
import time
from collections.abc import Iterable, Iterator

from physics.case_fields import CaseError, Fields, plain
from physics.case_input import read_case, read_id
from physics.case_output import Json, result
from physics.outcome import Outcome
from physics.simulation import get_ready, simulate
from physics.state import Motion
from shared_rules.balls import ball_name
from shared_rules.events import CueStrike

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
    outcome = simulate(posed.world, posed.states, posed.impulses, posed.until)
    try:
        check_strikes(Fields(case, ""), outcome)
    except CaseError as error:
        return _refused(case, error)
    out = result(posed, outcome)
    out["wall_ms"] = (time.perf_counter() - start) * 1000.0
    return out


def check_strikes(fields: Fields, outcome: Outcome) -> None:
    """Refuse a strike at a ball that is gone, or moves, when its time has come.

    Raises:
        CaseError: ``unknown_name`` or ``conflict``, as for a ball that is so from the start.
    """
    for recorded in outcome.events:
        event = recorded.event
        if not isinstance(event, CueStrike):
            continue
        motion = recorded.before[event.ball].motion
        if motion is Motion.REST:
            continue
        key, ball = "strike", ball_name(event.ball)
        strikes = fields.get("strike")
        if isinstance(strikes, list):
            key += f".{[strike['ball'] for strike in strikes].index(ball)}"
        when = f"at {key}.at, {event.at:g} s"
        if motion >= Motion.POCKETED:
            raise CaseError("unknown_name", f"{key}.ball: ball {ball} is gone {when}")
        raise CaseError("conflict", f"{key}.ball: ball {ball} moves already {when}")


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
    constants: list[str] = []

    def constant(name: str) -> float:
        constants.append(name)
        return float(name)

    try:
        case = json.loads(
            line.removeprefix("\ufeff"),
            parse_constant=constant,
            parse_int=_integer,
            object_pairs_hook=_object,
        )
        if constants:
            where = _not_finite(case) or "the line"
            raise CaseError("not_finite", f"{where} is {constants[0]}, which is no JSON number")
        return case
    except CaseError:
        raise
    except RecursionError as error:
        raise CaseError("bad_json", "the line is nested too deeply") from error
    except ValueError as error:
        raise CaseError("bad_json", f"the line is no JSON: {error}") from error


def _not_finite(value: object, path: str = "") -> str | None:
    """The path of the first number that is not finite, or None; items go by their list's name."""
    if isinstance(value, float):
        return None if math.isfinite(value) else path
    if isinstance(value, list):
        inner = [(path, item) for item in value]
    elif isinstance(value, dict):
        inner = [(f"{path}.{plain(key)}".removeprefix("."), item) for key, item in value.items()]
    else:
        return None
    for where, item in inner:
        found = _not_finite(item, where)
        if found is not None:
            return found
    return None


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
