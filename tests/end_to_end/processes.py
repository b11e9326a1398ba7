"""The server as a process of its own, as a user starts it."""

import os
import re
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
START_S = 120.0


@contextmanager
def serving(database: Path, *options: str) -> Iterator[str]:
    """A running ``headstring serve``; gives its address, and stops it at the end."""
    process = subprocess.Popen(
        [
            *(sys.executable, "-m", "headstring", "serve", "--port", "0", "--workers", "1"),
            *("--database", str(database)),
            *options,
        ],
        cwd=ROOT,
        env={**os.environ, "PYTHONUNBUFFERED": "1"},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    said: list[str] = []
    reading = threading.Thread(target=lambda: said.extend(process.stderr), daemon=True)
    reading.start()
    timer = threading.Timer(START_S, process.kill)
    timer.start()
    try:
        first = process.stdout.readline()
        timer.cancel()
        found = re.search(r"ws://\S+", first)
        assert found, f"the server did not start: {first!r}\n{''.join(said)}"
        yield found.group()
    finally:
        timer.cancel()
        process.terminate()
        try:
            process.wait(20)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
        process.stdout.close()
        reading.join(5)
        process.stderr.close()
