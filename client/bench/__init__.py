"""How fast the client is and what it holds: ``headstring bench client``.

``frames``: the whole client, off-screen, while a break runs; ``memory``: many racks and tables one
after another; ``start``: a game against the house bot, from the command to the table, and from a
stroke let go to the first motion.  Each part has a process of its own, so that none sees another's
caches.
"""

import json
import subprocess
import sys
from collections.abc import Iterator

PARTS = ("frames", "memory", "start")


def bench_client(
    parts: tuple[str, ...] = PARTS, racks: int = 500, tables: int = 100, strokes: int = 3
) -> Iterator[str]:
    """The figures, line by line.

    Args:
        parts: which of :data:`PARTS`.
        racks: racks played one after another, for memory.
        tables: tables built and taken down, for memory.
        strokes: strokes against the house bot, for the time to the first motion.
    """
    sizes = {"racks": racks, "tables": tables, "strokes": strokes}
    for part in parts:
        if part not in PARTS:
            raise ValueError(f"there is no part {part!r}: {', '.join(PARTS)}")
        call = f"from client.bench.{part} import main; main({json.dumps(sizes)})"
        process = subprocess.Popen([sys.executable, "-c", call], stdout=subprocess.PIPE, text=True)
        assert process.stdout is not None
        with process.stdout as lines:
            for line in lines:
                yield line.rstrip("\n")
        if process.wait() != 0:
            yield f"{part}: ended with status {process.returncode}"
        yield ""
