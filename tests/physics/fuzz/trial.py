"""One posed case, run and judged: what came of it, and whether a smaller one still fails."""

import signal
import time
from typing import NamedTuple

from physics.case import check_strikes
from physics.case_fields import CaseError, Fields
from physics.case_input import read_case
from tests.physics.fuzz.poses import pose
from tests.physics.fuzz.promises import broken, mirrored, run, same_again, solid

EVERY_SAME, EVERY_MIRROR, EVERY_SOLID = 10, 13, 10
ALLOWED = ("overlap", "out_of_range")  # codes with which a pose may be refused


class Tried(NamedTuple):
    """What came of a case: its kind, the code of a refusal, promises broken, seconds, events."""

    number: int
    kind: str
    refused: str | None
    faults: list[tuple[str, str]]
    seconds: float
    events: int


def try_case(
    case: dict, *, same: bool = False, mirror: bool = False, rails: bool = False
) -> tuple[str | None, list, float, int]:
    """Run a case and hold it to its promises."""
    try:
        posed = read_case(case)
    except CaseError as error:
        bad = [] if error.code in ALLOWED else [("refused", f"{error.code}: {error}")]
        return error.code, bad, 0.0, 0
    start = time.process_time()
    outcome = run(posed)
    seconds = time.process_time() - start
    try:
        check_strikes(Fields(case, ""), outcome)
    except CaseError as error:  # a ball that is gone, or moves, when it is struck
        return error.code, [], seconds, len(outcome.events)
    faults = list(broken(posed, outcome))
    if same:
        faults += same_again(posed, outcome)
    if mirror:
        faults += mirrored(posed, outcome)
    if rails:
        faults += solid(posed, outcome)
    return None, faults, seconds, len(outcome.events)


def leave_interrupts() -> None:
    """In a worker: an interrupt is for the process that counts."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)


def try_number(job: tuple[int, int]) -> Tried:
    seed, number = job
    case = pose(seed, number)
    kind = case["id"].split()[1]
    try:
        refused, faults, seconds, events = try_case(
            case,
            same=number % EVERY_SAME == 0,
            mirror=number % EVERY_MIRROR == 0,
            rails=number % EVERY_SOLID == 5,
        )
    except Exception as error:  # any exception at all is what a fuzz is after
        return Tried(number, kind, None, [("raised", repr(error))], 0.0, 0)
    return Tried(number, kind, refused, faults, seconds, events)


def still(case: dict, name: str) -> bool:
    """Whether a case still breaks this promise."""
    try:
        refused, faults, _, _ = try_case(
            case, same=name == "same", mirror=name == "mirror", rails=name == "solid"
        )
    except Exception:  # cut down to what raises is as good
        return name == "raised"
    return refused is None and any(n == name for n, _ in faults)
