"""The pictures of docs/physics.md: ours as dots over the published curve."""

import math

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt

from benchmarks.figures import balls, rails, tables
from benchmarks.figures.posing import published
from benchmarks.figures.sections import INCH

plt.rcParams.update({
    "figure.figsize": (6.4, 3.8),
    "figure.dpi": 110,
    "axes.grid": True,
    "grid.alpha": 0.3,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "legend.frameon": False,
    "font.size": 9.5,
})  # fmt: skip
COLOURS = ("#1f6f8b", "#c8553d", "#5a7d2a")


def _save(folder, name, x, y):
    plt.xlabel(x)
    plt.ylabel(y)
    plt.legend()
    plt.tight_layout()
    # Without the version of the library in it, the file changes only when the picture does.
    plt.savefig(folder / f"{name}.png", metadata={"Software": None})
    plt.close()


def thirty_degrees(folder):
    """Final deflection of a rolling cue ball by hit fraction."""
    fractions = [0.01 * i for i in range(2, 99)]
    ideal = []
    for f in fractions:
        s = 1.0 - f
        ideal.append(math.degrees(math.atan(s * math.sqrt(1 - s * s) / (s * s + 0.4))))
    plt.plot(fractions, ideal, color="#777", label="ideal balls, closed form (TP 3.3)")
    marks = [0.05 * i for i in range(1, 20)]
    for v, colour in zip((0.8, 3.0), COLOURS, strict=False):
        ours = [balls.deflection(math.degrees(math.asin(1 - f)), v) for f in marks]
        plt.plot(marks, ours, "o", ms=4, color=colour, label=f"ours, {v:g} m/s")
    rows = published()["deflection"]
    plt.plot([r[0] for r in rows], [r[4] for r in rows], "--", color=COLOURS[0],
             label="published, e 0.95 and mu(s), 0.8 m/s")  # fmt: skip
    _save(folder, "thirty_degrees", "hit fraction", "final deflection, degrees")


def throw(folder):
    """Throw of a stun shot by cut angle."""
    cuts = list(range(3, 88, 3))
    for k, (v, colour) in enumerate(zip(balls.SPEEDS, COLOURS, strict=True)):
        fine = [0.5 * i for i in range(1, 178)]
        plt.plot(fine, [_throw(c, v) for c in fine], color=colour, label=f"TP A.14, {v} m/s")
        ours = [balls.throw(c, v) for c in cuts]
        plt.plot(cuts, ours, "o", ms=4, color=colour, label="ours" if k == 0 else None)
    _save(folder, "throw", "cut angle, degrees", "throw of a stun shot, degrees")


def _throw(cut, v):
    """TP A.14 with e = 0.95."""
    c, s = math.cos(math.radians(cut)), math.sin(math.radians(cut))
    mu = 9.951e-3 + 0.108 * math.exp(-1.088 * v * s)
    normal = 1.95 * c / 2.0
    return math.degrees(math.atan2(min(mu * normal, s / 7.0), normal))


def rebound(folder):
    """Speed after a square hit over that before, by speed."""
    rows = published()["rebound"]
    plt.plot([r[0] for r in rows], [r[1] for r in rows], "-", color="#777",
             label="measured on a snooker table (Mathavan 2009)")  # fmt: skip
    speeds = [0.3, 0.5, *(0.5 * i for i in range(2, 19))]
    for top, colour, name in ((1.0, COLOURS[0], "rolling"), (0.0, COLOURS[1], "stun")):
        ours = [rails.rebound(v, top) for v in speeds]
        plt.plot(speeds, ours, "o", ms=4, color=colour, label=f"ours, {name}")
    plt.ylim(0.4, 1.0)
    _save(folder, "rebound", "speed, m/s", "speed after / before, square on")


def pockets(folder):
    """Windows of slow shots by angle."""
    rows = published()["pockets"]
    for k, name, column, window, angles in (
        (0, "corner", 1, tables.corner_window, range(0, 45, 4)),
        (1, "side", 3, tables.side_window, range(0, 65, 5)),
    ):
        curve = [(r[0], r[column]) for r in rows if r[column] is not None]
        plt.plot(*zip(*curve, strict=True), color=COLOURS[k], label=f"{name}: TP 3.5, 3.6")
        ours = [window(float(a)) / INCH for a in angles]
        plt.plot(list(angles), ours, "o", ms=4, color=COLOURS[k], label=f"{name}: ours")
    plt.ylim(0.0, 4.2)
    _save(folder, "pockets", "approach off the pocket's axis, degrees", "window at 0.5 m/s, inches")


ALL = (thirty_degrees, throw, rebound, pockets)
