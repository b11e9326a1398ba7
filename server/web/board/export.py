"""Tables of figures as CSV, for spreadsheets: UTF-8 with a mark, commas, a row of heads."""

import csv
import io
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime

_FORMULA = ("=", "+", "-", "@", "\t", "\r")

Cell = str | int | float | bool | None


def csv_of(heads: Sequence[str], rows: Iterable[Sequence[Cell]]) -> bytes:
    """The file; text that a spreadsheet would take for a formula gets an apostrophe before it."""
    out = io.StringIO()
    writer = csv.writer(out)
    writer.writerow(heads)
    writer.writerows([_safe(cell) for cell in row] for row in rows)
    return out.getvalue().encode("utf-8-sig")


def _safe(cell: Cell) -> Cell:
    return f"'{cell}" if isinstance(cell, str) and cell.startswith(_FORMULA) else cell


def moment(at: float | None) -> str:
    """A Unix time in UTC, as ISO 8601 writes it."""
    return "" if not at else datetime.fromtimestamp(at, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
