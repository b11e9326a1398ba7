"""Tables of a page: published beside ours, and how far apart they are."""

import math


def number(value, digits=4):
    """A number as it is printed: ``digits`` significant ones, nothing under 1e-6."""
    if value is None:
        return "-"
    if abs(value) < 1e-6:
        return "0"
    decimals = max(0, digits - 1 - math.floor(math.log10(abs(value))))
    text = f"{value:.{min(decimals, 6)}f}"
    return text.rstrip("0").rstrip(".") if "." in text else text


def table(heads, rows):
    """A table of Markdown; cells are text already."""
    lines = ["| " + " | ".join(heads) + " |", "|" + "---|" * len(heads)]
    lines += ["| " + " | ".join(row) + " |" for row in rows]
    return "\n".join(lines)


def beside(published, ours, decimals=2):
    """One cell: what is published, and ours."""
    if published is None or ours is None:
        return "-"
    return f"{published:.{decimals}f} / **{_round(ours, decimals)}**"


def _round(value, decimals):
    text = f"{value:.{decimals}f}"
    return text[1:] if float(text) == 0.0 and text[0] == "-" else text


def comparison(heads, rows, decimals=2, unit=""):
    """A table of pairs (published, ours) below its heads, and their largest difference.

    Each row is its label and the pairs.
    """
    cells = [[label, *(beside(*pair, decimals) for pair in pairs)] for label, pairs in rows]
    apart = [abs(a - b) for _, pairs in rows for a, b in pairs if a is not None and b is not None]
    worst = f"Largest difference {_round(max(apart), max(decimals, 2))}{unit}."
    return f"{table(heads, cells)}\n\n{worst}"
