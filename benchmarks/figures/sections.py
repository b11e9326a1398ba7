"""The tables of docs/physics.md, each a function that measures and gives Markdown."""

import json
import math

from benchmarks.figures import balls, rails, tables
from benchmarks.figures.markdown import comparison, number, table
from benchmarks.figures.measures import MEASURES
from benchmarks.figures.posing import (
    R,
    cut_shot,
    first,
    heading,
    judge,
    published,
    rolling,
    speed,
    targets,
)
from physics.breaks import HEADS, PUBLISHED, play_breaks
from physics.rack import DISCIPLINES

INCH = 0.0254


# --- targets ------------------------------------------------------------------------------------


def target_row(name):
    """One target: asked, ours, the largest difference, the bounds, the source."""
    target, figures = targets()[name], judge(name, MEASURES[name]())
    kind, tolerance = target["kind"], target["tolerance"]
    shown = ", ".join(number(f.value) for f in figures)
    asked = ", ".join(number(f.expected) for f in figures)
    apart = max(figures, key=lambda f: abs(f.value - f.expected))
    return [
        name,
        _what(target),
        kind,
        asked,
        f"**{shown}**",
        number(apart.value - apart.expected),
        _tolerance(tolerance, kind),
        "yes" if all(f.met for f in figures) else "**no**",
        target["source"].replace("|", "¦"),
    ]


#: What many set-ups begin with; the page says it once.
COMMON = (
    "unbounded level bed (no rails), one ball at rest height, ",
    "cue ball (CB) along +x hits object ball (OB) at rest; OB centre at CB centre + 2R(cos phi, "
    "sin phi) at contact; state given AT contact (place CB 1 mm short, or set it at contact); ",
    "9-ft, ball meets a straight rail far from pockets; angle from the rail NORMAL; ",
    "9-ft, regulation rack, CB square on the apex ball from the head string centre, ",
)


def _what(target):
    setup = target["setup"]
    for words in COMMON:
        setup = setup.removeprefix(words)
    return f"{setup}: {target['quantity']}".replace("|", "¦")


def _tolerance(tolerance, kind):
    text = ", ".join(f"{word} {json.dumps(value)}" for word, value in tolerance.items()).replace(
        '"', ""
    )
    return text + (" (a tenth)" if kind in ("exact", "invariant") and "equal" not in text else "")


TARGET_HEADS = (
    "target", "what", "kind", "asked", "ours", "apart", "tolerance", "met", "source",
)  # fmt: skip


def target_table(names=tuple(MEASURES)):
    """Every target beside what comes out of the engine."""
    return table(TARGET_HEADS, [target_row(name) for name in names])


def missed():
    """A sentence on what misses."""
    names = [n for n in MEASURES if not all(f.met for f in judge(n, MEASURES[n]()))]
    return f"Missed: {', '.join(names)}." if names else f"All {len(MEASURES)} targets are met."


# --- balls --------------------------------------------------------------------------------------


def throw_table():
    """REFERENCES 3.1."""
    rows = []
    for cut, *values in published()["throw"]:
        stun = [balls.throw(cut, v) for v in balls.SPEEDS]
        roll = []
        for v in balls.SPEEDS:
            result = cut_shot(cut, v, rolling(v), material={"e_ball": 1.0}, until=1e-6)
            roll.append(cut - heading(balls.after_hit(result)[1]))
        rows.append((f"{cut:g}", list(zip(values, stun + roll, strict=True))))
    heads = ["cut, deg", *(f"stun {v} m/s" for v in balls.SPEEDS)]
    return comparison([*heads, *(f"roll {v}" for v in balls.SPEEDS)], rows, unit=" deg")


def side_table():
    """REFERENCES 3.2."""
    rows = []
    for side, *values in published()["side"]:
        ours = []
        for v in balls.SPEEDS:
            thrown, given = balls.side_given(side, v)
            ours += [abs(thrown), abs(given)]
        rows.append((f"{side:g}", list(zip(values, ours, strict=True))))
    heads = ["R wz / v"]
    for v in balls.SPEEDS:
        heads += [f"{v} m/s: throw, deg", "side given"]
    return comparison(heads, rows, 3)


def separation_table():
    """REFERENCES 3.3."""
    rows = []
    for cut, *values in published()["separation"]:
        ours = [balls.separation(cut, 1.0, material={"mu_ball": 0})]
        ours += [balls.separation(cut, v) for v in (0.5, 1.0, 2.0, 4.0)]
        rows.append((f"{cut:g}", list(zip(values, ours, strict=True))))
    heads = ("cut, deg", "smooth", "0.5 m/s", "1 m/s", "2 m/s", "4 m/s")
    return comparison(heads, rows, unit=" deg")


def deflection_table():
    """REFERENCES 3.4."""
    rows = []
    for fraction, cut, *values in published()["deflection"]:
        phi = math.degrees(math.asin(1.0 - fraction))
        ours = [
            balls.deflection(phi, 1.5, material=balls.SMOOTH),
            balls.deflection(phi, 1.5, material={"mu_ball": 0}),
            *(balls.deflection(phi, v) for v in (0.8, 1.5, 3.0)),
        ]
        rows.append((f"{fraction:g} ({cut:g})", list(zip(values, ours, strict=True))))
    heads = ("hit fraction (cut, deg)", "ideal", "smooth", "0.8 m/s", "1.5 m/s", "3 m/s")
    return comparison(heads, rows, unit=" deg")


def trisect_table():
    """REFERENCES 3.5: the turn of a drawn ball from the line back to the player."""
    rows = []
    for cut, law, rule in published()["trisect"]:
        spin = (0.0, -0.625 * 2.0 / R, 0.0)
        turns = []
        for material in (balls.SMOOTH, {}):
            result = cut_shot(cut, 2.0, spin, material=material)
            turns.append(180.0 - abs(heading(balls.rolled_out(result, "0"))))
        rows.append((f"{cut:g}", [(law, turns[0]), (rule, turns[1])]))
    heads = ("cut, deg", "closed form, ideal balls", "3 times the cut / real balls, 2 m/s")
    return comparison(heads, rows, 1, " deg (the rule of thumb included)")


def full_hit_table():
    """REFERENCES 3.6."""
    rows = []
    for v, cue, hit, ratio in published()["full_hit"]:
        result = cut_shot(0.0, v, rolling(v))
        ends = [balls.rolled_out(result, b)["vel"][0] / v for b in ("0", "1")]
        pairs = list(zip((cue, hit, ratio), (*ends, (ends[1] / ends[0]) ** 2), strict=True))
        rows.append((f"{v:g}", pairs))
    heads = ("m/s", "cue ball / v", "object ball / v", "ratio of the ways rolled")
    return comparison(heads, rows, 3)


def frozen_table():
    """REFERENCES 3.7."""
    rows = []
    for name, models in published()["frozen"].items():
        n, elastic = int(name[0]), name.endswith("elastic")
        ours = balls.frozen_line(n, e_ball=1.0 if elastic else 0.95)
        texts = [", ".join(f"{v:.3f}" for v in models.get(m, ())) or "-"
                 for m in ("hertz", "pairs", "at_once")]  # fmt: skip
        rows.append([f"{n} balls, e = {1 if elastic else 0.95}", *texts,
                     "**" + ", ".join(f"{v:.3f}" for v in ours) + "**"])  # fmt: skip
    heads = ("line", "Hertz contact", "successive pairs", "solved at once (stock Bullet)", "ours")
    return table(heads, rows)


def laboratory_table():
    """REFERENCES 7: Mathavan 2009."""
    rows = []
    for (v, cut, *values), ours in zip(published()["mathavan"], balls.b19(), strict=True):
        rows.append((f"{v:g}", [(cut, cut), *zip(values, ours, strict=True)]))
    heads = ("cue ball, m/s", "cut, deg", "cue ball after", "object ball after", "cue ball, deg")
    return comparison(heads, rows)


# --- stroke -------------------------------------------------------------------------------------


def stroke_table():
    """REFERENCES 5: ball speed over cue speed at a centre hit."""
    cues = (
        ("leather, 19 oz, e 0.71", 0.5386, 0.71, 1.315),
        ("leather, 19 oz, e 0.75", 0.5386, 0.75, 1.33),
        ("phenolic, 21 oz, e 0.84", 0.5953, 0.84, 1.44),
        ("elastic, three balls heavy", 3 * 0.170097, 1.0, 1.5),
    )
    rows = []
    for name, mass, e, ratio in cues:
        state = first(rails.struck([0.0, 0.0], mass=mass, e_tip=e), "cue_strike")["after"]["0"]
        rows.append((name, [(ratio, speed(state) / 2.0)]))
    return comparison(("cue", "ball / cue speed"), rows)


def squirt_table():
    """REFERENCES 5: squirt."""
    rows = []
    for ratio, *values in published()["squirt"]:
        ours = [rails.squirt(a, ratio) for a in (0.15, 0.25, 0.3, 0.4, 0.5)]
        rows.append((f"{ratio:g}", list(zip(values, ours, strict=True))))
    heads = ("ball / end mass", "0.15 R", "0.25 R", "0.3 R", "0.4 R", "0.5 R")
    return comparison(heads, rows, unit=" deg")


def masse_table():
    """REFERENCES 5: final direction of an elevated stroke."""
    rows = []
    for a, b, elevation, wanted in published()["masse"]:
        result = rails.struck([a, b], 1.5, elevation, end_mass_ratio=None)
        rows.append(
            (f"{a:g}, {b:g}, {elevation:g}", [(wanted, heading(rails.rolled_last(result)))])
        )
    return comparison(("tip a, b, elevation", "final direction, deg"), rows, unit=" deg")


# --- pockets and breaks -------------------------------------------------------------------------


def pocket_table():
    """REFERENCES 8: slow windows."""
    rows = []
    for degrees, corner, _, side, _ in published()["pockets"]:
        ours = [
            None if corner is None else tables.corner_window(degrees) / INCH,
            tables.side_window(degrees) / INCH,
        ]
        rows.append((f"{degrees:g}", list(zip((corner, side), ours, strict=True))))
    heads = ("approach, deg off axis", "corner, in", "side, in")
    return comparison(heads, rows, unit=" in")


#: Degrees and window in inches, of fast shots (TP 3.7, 3.8); the side's mouth is 5.125 in.
FAST_CORNER = ((0.0, 2.347), (5.1, 2.339), (45.0, 1.418))
FAST_SIDE = ((0.0, 2.873), (45.0, 0.906), (49.7, 0.158))


def fast_pocket_table():
    """REFERENCES 8: windows of fast shots, ours at 4 m/s."""
    wide = {"preset": "9ft", "side_mouth": 5.125 * INCH}
    rows = [(f"corner, {a:g}", [(w, tables.corner_window(a, 4.0) / INCH)]) for a, w in FAST_CORNER]
    for a, w in FAST_SIDE:
        ours = len(tables.offsets_that_drop("side_left", a, wide, 4.0)) * 1e-3 / INCH
        rows.append((f"side, {a:g}", [(w, ours)]))
    return comparison(("pocket, deg off axis", "window, in"), rows, unit=" in")


def break_table(n=300):
    """REFERENCES 6: what breaks do."""
    rows = []
    for discipline in DISCIPLINES:
        rows.append([*play_breaks(discipline, n).row(), PUBLISHED[discipline]])
        rows.append([*play_breaks(discipline, n, raised=True).row(), "as above"])
    return table([*HEADS, "published"], rows)
