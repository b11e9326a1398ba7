"""What is printed on a terminal, of which much was written by others: nothing in it steers one."""

import contextlib
import sys
from collections.abc import Iterator
from typing import Any

from shared_rules.plain_text import plain


class _PlainStream:
    """A text stream that leaves escapes and other tricks out."""

    def __init__(self, stream: Any) -> None:
        self._stream = stream

    def write(self, text: str) -> int:
        self._stream.write(plain(text))
        return len(text)

    def writelines(self, lines: Any) -> None:
        for line in lines:
            self.write(line)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)


@contextlib.contextmanager
def plain_output() -> Iterator[None]:
    """Within it all that is printed, and every error, is plain text."""
    out, err = sys.stdout, sys.stderr
    sys.stdout, sys.stderr = _PlainStream(out), _PlainStream(err)
    try:
        yield
    finally:
        sys.stdout, sys.stderr = out, err
