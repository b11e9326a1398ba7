"""How the widgets of a page are drawn, one below the other: each says how high it was."""

from dataclasses import dataclass

from client.hud.canvas import Canvas
from client.hud.page import Beside, Field, Heading, Paragraph, Pick, Press, Widget
from client.hud.parts import TONES, Hit
from client.hud.theme import EDGE, FAINT, GOLD, HOVER, MUTED, ON_GOLD, RAISED, TEXT, Colour

GAP = 8.0
LABEL, NOTE, BODY = 15.5, 12.5, 14.5
LEAST_HIGH = 38.0
PAD = 14.0
LEAD = 2.5
"""Between a label and its note."""
DOT = "•"
_GREY: Colour = (0.10, 0.11, 0.12, 0.85)
_WELL: Colour = (0.03, 0.035, 0.04, 1.0)


@dataclass(frozen=True)
class Light:
    """What the mouse is over and what has the focus, by action."""

    hover: str = ""
    focus: str = ""


def draw_widget(
    canvas: Canvas, widget: Widget, x: float, y: float, w: float, light: Light
) -> tuple[float, list[Hit]]:
    """Draw a widget with its top at ``y``: the height that it takes, and what can be pressed."""
    match widget:
        case Heading():
            _, h = canvas.text(x, y + 6, widget.text, 17, GOLD, "bold", wrap=w)
            return h + 8, []
        case Paragraph():
            size = NOTE if widget.small else BODY
            _, h = canvas.text(x, y, widget.text, size, TONES[widget.tone], wrap=w)
            return h + 2, []
        case Press():
            h = press_height(canvas, widget, w)
            return h, [draw_press(canvas, widget, x, y, w, h, light)]
        case Pick():
            return _pick(canvas, widget, x, y, w, light)
        case Field():
            return _field(canvas, widget, x, y, w, light)
        case Beside():
            return draw_beside(canvas, widget.presses, x, y, w, light)


def _frame(
    canvas: Canvas, x: float, y: float, w: float, h: float, fill: Colour, focused: bool
) -> None:
    if focused:  # a thick ring, and a mark before it: not by colour alone
        canvas.box(x - 3, y - 3, w + 6, h + 6, GOLD, 10)
        canvas.box(x - 1, y - 1, w + 2, h + 2, _WELL, 8)
    canvas.box(x, y, w, h, fill, 7, EDGE)


def press_height(canvas: Canvas, press: Press, w: float) -> float:
    """Height of a button of width ``w``."""
    room = w - 2 * PAD - _value(canvas, press)
    _, label_h = canvas.measure(press.label, LABEL, _weight(press), room)
    note = press.why_not or press.note
    note_h = canvas.measure(note, NOTE, wrap=w - 2 * PAD)[1] + LEAD if note else 0.0
    return max(LEAST_HIGH, label_h + note_h + 16)


def _weight(press: Press) -> str:
    return "bold" if press.bold else "semibold"


def _value(canvas: Canvas, press: Press) -> float:
    """Width that a button's value takes of it."""
    return canvas.measure(press.value, LABEL, "bold")[0] + PAD if press.value else 0.0


def draw_press(
    canvas: Canvas, press: Press, x: float, y: float, w: float, h: float, light: Light,
    centred: bool = False,
) -> Hit:  # fmt: skip
    """A button with its label, and its note or why it can't be pressed."""
    over = light.hover == press.action and not press.why_not
    fill: Colour = HOVER if over else RAISED
    ink, faint = TEXT, MUTED
    if press.why_not:
        fill, ink, faint = _GREY, FAINT, FAINT
    elif press.strong:
        fill = (1.0, 0.83, 0.45, 1.0) if over else GOLD
        ink, faint = ON_GOLD, (0.22, 0.18, 0.08, 1.0)
    _frame(canvas, x, y, w, h, fill, light.focus == press.action)
    if press.on:
        canvas.box(x + 4, y + 7, 4, h - 14, GOLD, 2)
    room = w - 2 * PAD
    note = press.why_not or press.note
    narrow = room - _value(canvas, press)
    _, label_h = canvas.measure(press.label, LABEL, _weight(press), narrow)
    note_h = canvas.measure(note, NOTE, wrap=room)[1] + LEAD if note else 0.0
    at = y + (h - label_h - note_h) / 2
    align, left = ("center", x + w / 2) if centred else ("left", x + PAD)
    canvas.text(left, at, press.label, LABEL, ink, _weight(press), align, wrap=narrow)
    if press.value:
        canvas.text(x + w - PAD, at, press.value, LABEL, GOLD, "bold", "right")
    if note:
        canvas.text(left, at + label_h + LEAD, note, NOTE, faint, "medium", align, wrap=room)
    return Hit(x, y, w, h, press.action, press.why_not)


def draw_beside(
    canvas: Canvas, presses: tuple[Press, ...], x: float, y: float, w: float, light: Light
) -> tuple[float, list[Hit]]:
    """Buttons in lines: each as wide as its words, the height of a line that of its highest."""
    hits, top = [], y
    for line in _lines(canvas, presses, w):
        high = max((press_height(canvas, press, wide) for press, wide in line), default=0.0)
        left = x
        for press, wide in line:
            hits.append(draw_press(canvas, press, left, top, wide, high, light, centred=True))
            left += wide + GAP
        top += high + GAP
    return max(top - y - GAP, 0.0), hits


def beside_height(canvas: Canvas, presses: tuple[Press, ...], w: float) -> float:
    """Height of buttons beside each other in a width."""
    lines = _lines(canvas, presses, w)
    highs = [max((press_height(canvas, p, wide) for p, wide in line), default=0) for line in lines]
    return sum(highs) + GAP * (len(highs) - 1)


def _lines(canvas: Canvas, presses: tuple[Press, ...], w: float) -> list[list[tuple[Press, float]]]:
    """The lines of buttons that have room in a width, each button with its own."""
    lines: list[list[tuple[Press, float]]] = [[]]
    used = 0.0
    for press in presses:
        wide = min(max(canvas.measure(press.label, LABEL, "semibold")[0] + 2 * PAD + 4, 84.0), w)
        if lines[-1] and used + GAP + wide > w:
            lines.append([])
            used = 0.0
        used += (GAP if lines[-1] else 0.0) + wide
        lines[-1].append((press, wide))
    return lines


def _pick(
    canvas: Canvas, pick: Pick, x: float, y: float, w: float, light: Light
) -> tuple[float, list[Hit]]:
    arrow = 30.0
    label_w, label_h = canvas.measure(pick.label, BODY, "medium", w - 2 * PAD)
    value_w, _ = canvas.measure(pick.value, LABEL, "semibold")
    beside = label_w + value_w + 2 * PAD + 2 * arrow + 12 <= w
    # values stand below each other where names and values leave room for that
    wide = max(w * 0.55, value_w + 2 * arrow) if label_w + 2 * PAD <= w * 0.45 else 0.0
    room = min(max(wide, value_w + 2 * arrow), w - label_w - PAD - 12) if beside else w
    room -= 2 * arrow
    _, value_h = canvas.measure(pick.value, LABEL, "semibold", room)
    h = max(LEAST_HIGH, value_h + 14) if beside else label_h + value_h + 16
    over = light.hover.rsplit(":", 1)[0] == pick.action and not pick.why_not
    fill = _GREY if pick.why_not else HOVER if over else RAISED
    ink = FAINT if pick.why_not else TEXT
    _frame(canvas, x, y, w, h, fill, light.focus == pick.action)
    label_y = y + (h - label_h) / 2 if beside else y + 6
    canvas.text(x + PAD, label_y, pick.label, BODY, MUTED, wrap=w - 2 * PAD)
    left = x + w - room - 2 * arrow
    top = y if beside else y + label_h + 4
    high = h if beside else value_h + 10
    middle = top + high / 2
    canvas.text(
        left + arrow + room / 2, middle - value_h / 2, pick.value, LABEL, ink, "semibold",
        "center", wrap=room,
    )  # fmt: skip
    for at, way in ((left + arrow / 2, -1), (x + w - arrow / 2, 1)):
        points = [(at - 4 * way, middle - 6), (at + 4 * way, middle), (at - 4 * way, middle + 6)]
        canvas.line(points, GOLD if not pick.why_not else FAINT, 2.2)
    half = (w - (left - x)) / 2
    hits = [
        Hit(left, top, half, high, f"{pick.action}:-", pick.why_not),
        Hit(left + half, top, half, high, f"{pick.action}:+", pick.why_not),
        Hit(x, y, w, h, f"{pick.action}:+", pick.why_not),
    ]
    return h, hits


def field_shown(canvas: Canvas, field: Field, room: float) -> tuple[str, int]:
    """The part of a line that is seen, and how many characters are hidden before it."""
    text = DOT * len(field.text) if field.secret else field.text
    first = 0
    while first < field.caret and canvas.measure(text[first : field.caret], LABEL)[0] > room:
        first += 1
    last = len(text)
    while last > field.caret and canvas.measure(text[first:last], LABEL)[0] > room:
        last -= 1
    return text[first:last], first


def _field(
    canvas: Canvas, field: Field, x: float, y: float, w: float, light: Light
) -> tuple[float, list[Hit]]:
    _, label_h = canvas.text(x, y, field.label, NOTE, MUTED, wrap=w)
    top, h = y + label_h + 4, 36.0
    focused = light.focus == field.action
    _frame(canvas, x, top, w, h, _WELL, focused)
    seen, first = field_shown(canvas, field, w - 2 * PAD)
    if field.text:
        canvas.text(x + PAD, top + 8, seen, LABEL, TEXT)
    elif field.hint:
        canvas.text(x + PAD, top + 8, field.hint, LABEL, FAINT, fit=w - 2 * PAD)
    if focused:
        before = canvas.measure(seen[: field.caret - first], LABEL)[0] if seen else 0.0
        canvas.box(x + PAD + before, top + 8, 1.6, h - 16, GOLD, 0)
    return label_h + 4 + h, [Hit(x, top, w, h, field.action)]
