"""What lies over the table and asks: choices, the menu and its sheets, the keys."""

import math
from dataclasses import dataclass

from client.hud.buttons import button_height, draw_button
from client.hud.canvas import Canvas
from client.hud.model import Dialog, HudModel
from client.hud.part import Hit, Part, Sheet
from client.hud.theme import GOLD, INK_SOLID, MUTED, TEXT

RIM = (1, 1, 1, 0.20)


def draw_dialog(canvas: Canvas, model: HudModel, sheet: Sheet) -> list[Hit]:
    """A choice: sentences to press."""
    dialog = model.dialog
    if dialog is None:
        return []
    return (_draw_docked if dialog.docked else _draw_centred)(canvas, dialog, sheet)


@dataclass(frozen=True)
class Grid:
    """Buttons in columns, each with the sentence of what follows below it.

    ``rows``: the height of every row's buttons and of its sentences.
    """

    columns: int
    card: float
    rows: tuple[tuple[float, float], ...]
    gap: float
    note_size: float

    @property
    def height(self) -> float:
        """Height of all of it."""
        return sum(b + n for b, n in self.rows) + self.gap * (len(self.rows) - 1)


def _grid(
    canvas: Canvas, dialog: Dialog, w: float, columns: int, button: float, notes: bool, k: float
) -> Grid:
    gap, size = 10.0 * k, 13.0 * k
    card = (w - gap * (columns - 1)) / columns
    rows = []
    for start in range(0, len(dialog.buttons), columns):
        row = dialog.buttons[start : start + columns]
        said = [n for n in dialog.notes[start : start + columns] if n] if notes else []
        note = max((canvas.measure(n, size, "medium", card - 12)[1] + 5 for n in said), default=0.0)
        rows.append((max(button_height(canvas, b, card, button) for b in row), note))
    return Grid(columns, card, tuple(rows), gap, size)


def _draw_grid(
    canvas: Canvas, dialog: Dialog, grid: Grid, x: float, y: float, sheet: Sheet
) -> list[Hit]:
    hits = []
    notes = [*dialog.notes, *[""] * len(dialog.buttons)]
    for k, button in enumerate(dialog.buttons):
        row, column = divmod(k, grid.columns)
        left = x + column * (grid.card + grid.gap)
        top = y + sum(b + n + grid.gap for b, n in grid.rows[:row])
        high, room = grid.rows[row]
        hits.append(draw_button(canvas, button, left, top, grid.card, high, sheet.hover))
        if notes[k] and room:
            canvas.text(
                left + grid.card / 2, top + high + 3, notes[k], grid.note_size, MUTED, "medium",
                "center", wrap=grid.card - 12,
            )  # fmt: skip
    return hits


def _draw_centred(canvas: Canvas, dialog: Dialog, sheet: Sheet) -> list[Hit]:
    """In the middle of the screen: in one column if that has room, else in more."""
    k, many = sheet.layout.type, len(dialog.buttons)
    most = sheet.height - 16
    grid, w, head = None, 0.0, 0.0
    for columns, button, notes in (
        (1, 44.0, True), (2, 44.0, True), (2, 30.0, True), (2, 30.0, False), (3, 26.0, False),
        (4, 26.0, False),
    ):  # fmt: skip
        w = min((560.0, 820.0, 940.0, 1100.0)[columns - 1] * k, sheet.width - 16)
        inner = w - 48 * k
        body_h = canvas.measure(dialog.body, 16 * k, "medium", inner)[1] if dialog.body else 0.0
        head = 56 * k + body_h + (10 * k if body_h else 0)
        grid = _grid(canvas, dialog, inner, min(columns, many), button, notes, k)
        if head + grid.height + 20 * k <= most:
            break
    assert grid is not None
    h = head + grid.height + 20 * k
    x, y = (sheet.width - w) / 2, max(8.0, (sheet.height - h) / 2)
    canvas.box(x, y, w, h, INK_SOLID, 14, RIM)
    inner = w - 48 * k
    canvas.text(x + w / 2, y + 16 * k, dialog.title, 23 * k, TEXT, "bold", "center", fit=inner)
    if dialog.body:
        canvas.text(
            x + w / 2, y + 54 * k, dialog.body, 16 * k, MUTED, "medium", "center", wrap=inner
        )
    hits = _draw_grid(canvas, dialog, grid, x + 24 * k, y + head, sheet)
    hits.append(Hit(x, y, w, h, "nothing"))
    return hits


def _draw_docked(canvas: Canvas, dialog: Dialog, sheet: Sheet) -> list[Hit]:
    """At the bottom, so that the balls stay in sight: beside each other, or two by two."""
    layout, k, many = sheet.layout, sheet.layout.type, len(dialog.buttons)
    left, right = layout.choice
    gap = 10.0 * k
    pad = 2 * gap
    most = sheet.height * (0.62 if layout.folded else 0.30)
    grid, w, title_h = None, 0.0, 0.0
    for columns in dict.fromkeys((many, min(many, (many + 1) // 2), min(many, 2))):
        w = min(max(270.0 * k * columns, 380.0 * k) + gap * (columns + 1), right - left)
        title_h = _title_height(canvas, dialog, w - pad, k)
        grid = _grid(canvas, dialog, w - pad, columns, layout.button, True, k)
        tall = (
            max(b for b, _ in grid.rows) > 1.5 * layout.button
            or max(n for _, n in grid.rows) > 60 * k
        )
        if not tall and title_h + grid.height + 22 * k <= most:
            break
    assert grid is not None
    h = title_h + grid.height + 22 * k
    x, y = (left + right - w) / 2, sheet.height - layout.margin - h
    canvas.box(x, y, w, h, INK_SOLID, 12, RIM)
    _draw_title(canvas, dialog, x + gap + 4, y + 7 * k, w - pad - 8, k)
    hits = _draw_grid(canvas, dialog, grid, x + gap, y + title_h + 11 * k, sheet)
    hits.append(Hit(x, y, w, h, "nothing"))
    return hits


def _title_height(canvas: Canvas, dialog: Dialog, w: float, k: float) -> float:
    h = canvas.measure(dialog.title, 18 * k, "bold", w)[1]
    if dialog.body and not _beside(canvas, dialog, w, k):
        h += canvas.measure(dialog.body, 14 * k, "medium", w)[1]
    return h


def _beside(canvas: Canvas, dialog: Dialog, w: float, k: float) -> bool:
    """Whether the body has room beside the title."""
    title = canvas.measure(dialog.title, 18 * k, "bold")[0]
    return title + canvas.measure(dialog.body, 14 * k, "medium")[0] + 14 <= w


def _draw_title(canvas: Canvas, dialog: Dialog, x: float, y: float, w: float, k: float) -> None:
    title_w, title_h = canvas.text(x, y, dialog.title, 18 * k, TEXT, "bold", wrap=w)
    if not dialog.body:
        return
    if _beside(canvas, dialog, w, k):
        canvas.text(x + title_w + 14, y + 3.5 * k, dialog.body, 14 * k, MUTED)
    else:
        canvas.text(x, y + title_h, dialog.body, 14 * k, MUTED, wrap=w)


def draw_help(canvas: Canvas, model: HudModel, sheet: Sheet) -> list[Hit]:
    """Every key and what it does, on as many pages as they need; a click turns the page."""
    if not model.help:
        return []
    k = sheet.layout.type
    w = min(940.0, sheet.width - 16)
    column = (w - 48 * k) / 2
    size, key_w, said_w = 13.5 * k, column * 0.27, column * 0.69
    row = 9 * k + max(
        canvas.measure(text, size, weight, room)[1]
        for pair in model.help
        for text, weight, room in zip(pair, ("semibold", "medium"), (key_w, said_w), strict=True)
    )
    most = 2 * max(1, int((sheet.height - 16 - 92 * k) / row))
    pages = math.ceil(len(model.help) / most)
    page = model.help_page % pages
    shown = model.help[page * most : (page + 1) * most]
    rows = math.ceil(min(len(model.help), most) / 2)
    h = rows * row + 92 * k
    x, y = (sheet.width - w) / 2, max(8.0, (sheet.height - h) / 2)
    canvas.box(x, y, w, h, INK_SOLID, 14, RIM)
    title = model.caption("help") + (f"  {page + 1}/{pages}" if pages > 1 else "")
    canvas.text(x + w / 2, y + 16 * k, title, 21 * k, TEXT, "bold", "center")
    for n, (key, meaning) in enumerate(shown):
        cx = x + 24 * k + (n // rows) * column
        cy = y + 54 * k + (n % rows) * row
        canvas.text(cx, cy, key, size, GOLD, "semibold", wrap=key_w)
        canvas.text(cx + column * 0.29, cy, meaning, size, TEXT, wrap=said_w)
    turns = page + 1 < pages
    foot = model.caption("help_next" if turns else "help_close")
    canvas.text(x + w / 2, y + h - 28 * k, foot, 12.5 * k, MUTED, align="center", wrap=w - 20)
    return [Hit(x, y, w, h, "help_next" if turns else "help")]


DIALOGS = (
    Part("dialog", lambda m: m.dialog, draw_dialog, hovers=True),
    Part("help_sheet", lambda m: (m.help, m.help_page, m.words), draw_help),
)
