"""The tables of docs/physics.md on rails: rebound, lengths, banks, and the laws compared."""

import math
from functools import partial

from benchmarks.figures import rails
from benchmarks.figures.cushion_laws import LAWS, roll_onset, travel
from benchmarks.figures.markdown import comparison, table
from benchmarks.figures.posing import R, first, published, targets
from physics.cushion_contact import E_LEAST, E_SLOPE, E_SLOW


def rebound_table():
    """REFERENCES 4.1, rolling, square on."""
    rows = [(f"{v:g}", [(e, rails.rebound(v))]) for v, e in published()["rebound"]]
    return comparison(("m/s", "speed after / before, measured / ours"), rows, 3)


def lengths_table():
    """REFERENCES 4.3."""
    rows = []
    for (mph, *models), v in zip(published()["lengths"], rails.LENGTH_SPEEDS, strict=True):
        rows.append([f"roll, {mph:g} mph", *(f"{m:.2f}" for m in models),
                     f"**{rails.travel(v):.2f}**"])  # fmt: skip
    for v, han, mathavan, gentle, steep in published()["wpa_lengths"]:
        values = (None, han, mathavan, gentle, steep)
        ours = rails.travel(v, start=-0.635, top=0.0)
        rows.append([f"stun from the head spot, {v:g} m/s",
                     *("-" if x is None else f"{x:.2f}" for x in values),
                     f"**{ours:.2f}**"])  # fmt: skip
    heads = ("start", "TP B.6", "Han .85", "Mathavan .98", "slope .035", "slope .07", "ours")
    return table(heads, rows)


def drift_table():
    """REFERENCES 9, last lines: speed shortens a rolling bank at 45 degrees."""
    rows = [
        [f"{v:g}", f"{h:.3f}", f"{m:.3f}", f"**{rails.drift(45.0, v):.3f}**"]
        for v, h, m in published()["drift"]
    ]
    return table(("m/s", "Han, m", "Mathavan, m", "ours, m"), rows)


def bank_figures(bounce, top, side, degrees):
    """The five numbers of REFERENCES 9: speed and direction after, once rolling, side gained."""
    c, s = math.cos(math.radians(degrees)), math.sin(math.radians(degrees))
    vel, spin = bounce((s, c, 0.0), (-top * c / R, top * s / R, side / R))
    end = roll_onset(vel, spin)
    return [
        math.hypot(vel[0], vel[1]),
        math.degrees(math.atan2(vel[0], -vel[1])),
        math.hypot(*end),
        math.degrees(math.atan2(end[0], -end[1])),
        R * spin[2],
    ]


def engine_bounce(vel, spin, **keys):
    """A bounce at the engine's cushion."""
    degrees, v = math.degrees(math.atan2(vel[0], vel[1])), math.hypot(*vel)
    result = rails.bank(degrees, v, spin=spin, status=("ok", "cut"), until=1e-6, **keys)
    state = first(result, "rail")["after"]["0"]
    return state["vel"], state["spin"]


def within(figures, han, mathavan):
    """Which of the five lie between the two models, or within 1 degree and 0.01 of them."""
    slack = (0.01, 1.0, 0.01, 1.0, 0.01)
    return [
        min(h, m) - d <= f <= max(h, m) + d
        for f, h, m, d in zip(figures, han, mathavan, slack, strict=True)
    ]


_TOPS = {0: "stun", 1: "roll", -0.5: "draw 0.5"}


def bank_table():
    """REFERENCES 9: ours with the published models at 1 m/s."""
    rows, inside = [], 0
    for top, side, degrees, han, mathavan in published()["banks"]:
        ours = bank_figures(engine_bounce, top, side, degrees)
        inside += sum(within(ours, han, mathavan))
        cells = [
            f"**{f:.{d}f}** ({h:.{d}f}, {m:.{d}f})"
            for f, h, m, d in zip(ours, han, mathavan, (2, 1, 2, 1, 2), strict=True)
        ]
        rows.append([f"{_TOPS[top]}, side {side:g}", f"{degrees:g}", *cells])
    heads = ("ball", "in, deg", "v'/v", "out, deg", "rolling v/v", "rolling, deg", "side gained")
    total = 5 * len(rows)
    return (
        f"{table(heads, rows)}\n\n{inside} of {total} lie between the two models or within "
        "1 degree and 0.01 of them."
    )


def engine_restitution(speed_):
    """The engine's own restitution at a normal speed, m/s."""
    return max(E_LEAST, min(E_SLOW, E_SLOW - E_SLOPE * (speed_ - 1.0)))


def _earlier_restitution(speed_):
    return max(0.5, min(0.92, 0.92 - 0.025 * (speed_ - 1.0)))


#: Name, law, restitution by speed, friction of the cushion.
LAWS_COMPARED = (
    ("plain Bullet, e 0.85, mu 0.2", "bullet", lambda v: 0.85, 0.2),
    ("plain Bullet, e 0.95 - 0.05 (v - 1)", "bullet",
     lambda v: max(0.6, min(0.95, 1.0 - 0.05 * v)), 0.14),
    ("built up, e 0.92 - 0.025 (v - 1)", "built_up", _earlier_restitution, 0.14),
    ("built up, e 0.95 - 0.065 (v - 1)", "built_up",
     lambda v: max(0.6, min(0.95, 0.95 - 0.065 * (v - 1.0))), 0.14),
    ("energetic, e 0.98 (Mathavan 2010)", "energetic", lambda v: 0.98, 0.14),
    ("**energetic, e 0.97 - 0.065 (v - 1): ours**", "energetic", engine_restitution, 0.14),
)  # fmt: skip


def law_table():
    """Three laws of the cushion, each with constants published and fitted."""
    tilt = rails.TOUCH / R
    rows = []
    for name, law, e_of, mu in LAWS_COMPARED:

        def bounce(vel, spin, v=1.0, law=law, e_of=e_of, mu=mu):
            return LAWS[law](vel, spin, e_of(v * vel[1] * tilt), mu)

        rebound = [bank_figures(partial(bounce, v=v), 1.0, 0.0, 0.0)[0] for v in (1.0, 2.0, 3.0)]
        at_speed = partial(bounce, v=1.5)
        stun = [bank_figures(at_speed, 0.0, 0.0, a)[3] for a in rails.ANGLES]
        roll = [bank_figures(at_speed, 1.0, 0.0, a)[3] for a in rails.ANGLES]
        ways = [travel(LAWS[law], e_of, mu, v) for v in rails.LENGTH_SPEEDS]
        inside = sum(
            sum(within(bank_figures(bounce, top, side, degrees), han, mathavan))
            for top, side, degrees, han, mathavan in published()["banks"]
        )
        rows.append([
            name,
            ", ".join(f"{x:.3f}" for x in rebound),
            ", ".join(f"{x:.1f}" for x in stun),
            ", ".join(f"{x:.1f}" for x in roll),
            ", ".join(f"{x:.2f}" for x in ways),
            f"{inside}",
        ])  # fmt: skip
    wanted = targets()
    rows.insert(0, [
        "asked",
        ", ".join(f"{x:.3f}" for x in wanted["K01"]["expected"]),
        ", ".join(f"{x:.1f}" for x in wanted["K03"]["expected"]) + " (4)",
        ", ".join(f"{x:.1f}" for x in wanted["K04"]["expected"]) + " (6)",
        ", ".join(f"{x:.2f}" for x in wanted["K12"]["expected"]) + " (22 %)",
        "270",
    ])  # fmt: skip
    heads = ("law", "K01 rebound", "K03 stun, deg", "K04 roll, deg", "K12 lengths", "within 9")
    return table(heads, rows)
