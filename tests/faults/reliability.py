"""Runs the catalogue of faults and writes ``docs/reliability.md``.

python -m tests.faults.reliability                     (make reliability)
python -m tests.faults.reliability --only "flood"      runs one, writes nothing
"""

import argparse
import asyncio
import logging
import subprocess
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

from tests.faults.catalogue import FAULTS, HELD, Fault, Held
from tests.faults.scene import Evidence, play

_ROOT = Path(__file__).parents[2]
PAGE = _ROOT / "docs" / "reliability.md"

_HEAD = """\
# Faults, and what comes of them

`make reliability` tries every fault of `tests/faults/catalogue.py` and writes this page from what \
came of it. `make test` tries the same, shorter.

In each row of the first table two people play a match over real sockets while the fault happens, \
and a third watches. Afterwards everything that anybody was told is held against the log: \
what was acknowledged is in it once, every state and trajectory that was shown is in it, and \
nothing else. The match must come out, event by event, as it does without the fault. *Noticed*: \
what others were told besides the match. *Silence*: the longest time without an event for those \
who watch, {clean:.1f} s without a fault. *Back*: the longest until he who was hit was at the \
table again, from the moment when he tried. A stroke that is cut behind each of its bytes comes \
through after the last cut only: that is the silence of those rows.

{table}
The rest is held by tests of their own:

{held}
A token is the person: whoever has stolen a live one takes over, and the owner hears `goodbye` \
("you have come back elsewhere"). He ends it with `end_session`, or a new password does.

Figures are of a machine with two cores that did other things as well; what counts is that *lost* \
is 0 and nothing is noticed but what the table says.
"""


def row(fault: Fault, evidence: Evidence) -> str:
    """A line of the table."""
    counts = Counter(evidence.noticed)
    noticed = ", ".join(f"{count} × {line}" for line, count in counts.items()) or "nothing"
    codes = ", ".join(_code(code) for code in evidence.codes) or "–"
    back = "–" if evidence.back_s is None else f"{evidence.back_s:.1f} s"
    return (
        f"| **{fault.name}**: {fault.what} | {evidence.times} | {evidence.lost} of "
        f"{evidence.commands} | {noticed} | {evidence.silence_s:.1f} s | {back} | {codes} |"
    )


def _code(code: str) -> str:
    kind, _, rest = code.partition(" ")
    return f"`{code}`" if not rest else f"{kind} {rest}"


def held_row(held: Held) -> str:
    """A line of the second table."""
    tests = ", ".join(f"`{test}`" for test in held.tests)
    return f"| **{held.name}**: {held.what} | 0 | {held.noticed} | {held.codes} | {tests} |"


def page(rows: list[str], clean: Evidence) -> str:
    """The whole page."""
    table = [
        "| fault | times | lost | noticed | silence | back | who did it gets |",
        "|---|---|---|---|---|---|---|",
        *rows,
        "",
    ]
    held = [
        "| fault | lost | noticed | who did it gets | tests |",
        "|---|---|---|---|---|",
        *(held_row(entry) for entry in HELD),
        "",
    ]
    return _HEAD.format(clean=clean.silence_s, table="\n".join(table), held="\n".join(held))


def check(fault: Fault, evidence: Evidence) -> None:
    """What came of a fault is what the catalogue says.

    Raises:
        AssertionError: it isn't.
    """
    assert evidence.lost == 0, f"{evidence.lost} of {evidence.commands} lost"
    assert evidence.times > 0, "the fault did not happen"
    assert set(evidence.noticed) <= fault.noticed, evidence.noticed
    assert fault.codes <= set(evidence.codes) <= fault.codes | fault.at_times, evidence.codes


def try_fault(fault: Fault, long: bool = True) -> Evidence:
    """One scenario in a folder of its own."""
    with tempfile.TemporaryDirectory() as folder:
        evidence = asyncio.run(play(Path(folder), fault.play, long, **fault.settings))
    check(fault, evidence)
    return evidence


def _run_tests() -> bool:
    files = sorted({test for held in HELD for test in held.tests})
    done = subprocess.run([sys.executable, "-m", "pytest", *files], cwd=_ROOT, check=False)
    return done.returncode == 0


def main(arguments: list[str] | None = None) -> int:
    """Run, and write the page unless only one is asked for."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--only", default="", help="the name of one fault")
    parser.add_argument("--short", action="store_true", help="as in the tests")
    options = parser.parse_args(arguments)
    logging.getLogger("headstring").addHandler(logging.NullHandler())
    rows = []
    for fault in FAULTS:
        if options.only in ("", fault.name):
            began = time.monotonic()
            evidence = try_fault(fault, not options.short)
            rows.append(row(fault, evidence))
            print(f"{time.monotonic() - began:.1f} s {rows[-1]}", flush=True)
    if options.only:
        return 0
    with tempfile.TemporaryDirectory() as folder:
        clean = asyncio.run(play(Path(folder), None))
    if not _run_tests():
        return 1
    PAGE.write_text(page(rows, clean), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
