"""What a server says of itself on standard error: an event a line, as text or as JSON.

A line says what happened, and which table, person and connection it was about: those are bound to
the task that logs (``about``), so that no caller has to think of them.  What only its owner may
know (tokens, passwords, invitations, whole messages) is never given to a logger.  Keeping and
rotating the lines is the business of whoever reads standard error (journald, a container engine).
"""

import json
import logging
import re
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from datetime import UTC, datetime
from typing import IO

_ABOUT: ContextVar[Mapping[str, object]] = ContextVar("about", default={})  # noqa: B039 - never changed
_ATTRIBUTE = "headstring_fields"
_PLAIN = re.compile(r"[\w.:/@+-]+")
# Drivers log statements with their values, and strangers' requests are no news.
_FLOOR = logging.WARNING
_NO_NEWS = "opening handshake failed"


def fields(**given: object) -> dict[str, dict[str, object]]:
    """``extra`` of a line: what it says besides its event."""
    return {_ATTRIBUTE: given}


def about(**given: object) -> None:
    """From now on every line that this task logs says so."""
    _ABOUT.set({**_ABOUT.get(), **given})


def current() -> Mapping[str, object]:
    """What lines logged here and now are about."""
    return _ABOUT.get()


@contextmanager
def lines_about(given: Mapping[str, object]) -> Iterator[None]:
    """Lines logged within are about this too."""
    token = _ABOUT.set({**_ABOUT.get(), **given})
    try:
        yield
    finally:
        _ABOUT.reset(token)


class TextFormatter(logging.Formatter):
    """For people: time, level, event, and the rest as ``name=value``; one line but for errors."""

    def __init__(self) -> None:
        super().__init__("%(asctime)s %(levelname)-7s %(message)s")

    def formatMessage(self, record: logging.LogRecord) -> str:
        record.message = _on_one_line(record.message)
        said = "".join(f" {name}={_word(value)}" for name, value in _fields_of(record).items())
        return super().formatMessage(record) + said


class JsonFormatter(logging.Formatter):
    """For programs: an object a line, with ``time`` (UTC), ``level``, ``logger``, ``event``."""

    def format(self, record: logging.LogRecord) -> str:
        line: dict[str, object] = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "logger": record.name,
            "event": record.getMessage(),
        }
        line |= {name: value for name, value in _fields_of(record).items() if name not in line}
        if record.exc_info:
            line["error"] = self.formatException(record.exc_info)
        return json.dumps(line, ensure_ascii=False, default=str)


def set_up(level: str, form: str, stream: IO[str] | None = None) -> None:
    """Log to ``stream`` (standard error) from ``level`` on, as ``text`` or ``json``.

    The level is that of our own lines; of libraries only warnings are told.
    """
    handler = logging.StreamHandler(stream or sys.stderr)
    handler.setFormatter(JsonFormatter() if form == "json" else TextFormatter())
    handler.addFilter(_is_news)
    logging.basicConfig(level=_FLOOR, handlers=[handler], force=True)
    logging.getLogger("headstring").setLevel(level.upper())
    # migrations set a level of their own
    logging.getLogger("alembic").setLevel(_FLOOR)


def _is_news(record: logging.LogRecord) -> bool:
    return not (record.name.startswith("websockets") and record.msg == _NO_NEWS)


def _fields_of(record: logging.LogRecord) -> dict[str, object]:
    return {**_ABOUT.get(), **getattr(record, _ATTRIBUTE, {})}


def _on_one_line(text: str) -> str:
    return text if text.isprintable() else text.encode("unicode_escape").decode("ascii")


def _word(value: object) -> str:
    text = str(value)
    return text if _PLAIN.fullmatch(text) else json.dumps(text, ensure_ascii=False)
