"""Cutting a failing case down: whatever can be left out or rounded, and it still fails alike."""

import copy
import time
from collections.abc import Callable, Iterator

Case = dict
LONGEST_S = 8.0  # of processor time


def smaller(case: Case) -> Iterator[Case]:
    """Cases a little simpler than this one."""
    for key in ("material", "cue_ball", "cue", "until"):
        if key in case:
            yield {k: v for k, v in case.items() if k != key}
    for key in ("material", "table"):
        for inner in list(case.get(key, {})) if isinstance(case.get(key), dict) else []:
            if inner != "preset":
                yield {**case, key: {k: v for k, v in case[key].items() if k != inner}}
    balls = case.get("balls", {})
    for name in balls:
        yield {**case, "balls": {k: v for k, v in balls.items() if k != name}}
    for name, state in balls.items():
        for key in ("vel", "spin"):
            if key in state:
                without = {k: v for k, v in state.items() if k != key}
                yield {**case, "balls": {**balls, name: without}}
        for key in ("vel", "spin", "pos"):
            for digits in (1, 3, 6):
                rounded = [round(v, digits) for v in state.get(key, [])]
                if key in state and rounded != state[key]:
                    yield {**case, "balls": {**balls, name: {**state, key: rounded}}}


def shrink(case: Case, fails: Callable[[Case], bool]) -> Case:
    """The simplest case found on the way down that ``fails``, before the time is up."""
    best = copy.deepcopy(case)
    end = time.process_time() + LONGEST_S
    found = True
    while found:
        found = False
        for candidate in smaller(best):
            if time.process_time() > end:
                return best
            if fails(candidate):
                best, found = candidate, True
                break
    return best
