"""``headstring simulate``: shots as JSON, one a line (docs/simulate.md).

``judge`` reads and writes its lines by the same two functions.
"""

import argparse
import contextlib
import json
import sys
from collections.abc import Iterable, Iterator, Mapping

#: Bytes of a line of a file that are kept: four for each character that any reader takes, and more.
LONGEST_LINE = 8_000_000


def lines_of(path: str) -> Iterator[str]:
    """Lines of a file, or of the input for ``-``; ends the program if they can't be read.

    Bytes that are no UTF-8 become lone surrogates, which the readers refuse line by line.  Of a
    line beyond all limits only so much is kept as to be refused.
    """
    try:
        with contextlib.ExitStack() as files:
            file = sys.stdin.buffer if path == "-" else files.enter_context(open(path, "rb"))
            while line := file.readline(LONGEST_LINE):
                rest = line
                while len(rest) == LONGEST_LINE and not rest.endswith(b"\n"):
                    rest = file.readline(LONGEST_LINE)
                yield line.decode("utf-8", "surrogateescape")
    except OSError as error:
        # 2, as for what makes no sense: 1 is a difference found by `judge --check`
        print(f"headstring: can't read {path}: {error.strerror}", file=sys.stderr)
        raise SystemExit(2) from error


def print_results(results: Iterable[Mapping[str, object]]) -> int:
    """Print each as a line of JSON; the exit status: 2 if one was refused."""
    status = 0
    for result in results:
        if result.get("status") == "error":
            status = 2
        print(json.dumps(result, ensure_ascii=False), flush=True)
    return status


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options of ``simulate``."""
    parser.epilog = """\
example:
  echo '{"id": "stun", "table": "unbounded",
         "balls": {"0": {"pos": [0, 0], "vel": [2, 0, 0]}}}' | tr -d '\\n' | headstring simulate -

exit status: 0, or 2 when a case was refused (the others still ran)
"""
    parser.add_argument("cases", metavar="CASES.jsonl", help="one case a line; - reads the input")


def run(options: argparse.Namespace) -> int:
    """Simulate the cases; the exit status."""
    from physics.case import run_lines

    return print_results(run_lines(lines_of(options.cases)))
