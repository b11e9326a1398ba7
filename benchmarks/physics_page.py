"""Write docs/physics.md and its pictures from a run of this build.

    python -m benchmarks.physics_page

Everything in the page but its prose is measured here.  Takes less than a minute.
"""

import platform
from importlib.metadata import version
from pathlib import Path

from benchmarks.figures import rail_sections, sections

DOCS = Path(__file__).parents[1] / "docs"

#: Title, what it shows, its function, its picture.
SECTIONS = (
    ("Throw of a cut shot",
     "How far the object ball leaves the line of centres, degrees; published / **ours**. Stun with "
     "e = 0.95, roll with e = 1 (TP A.14, REFERENCES 3.1). Real balls differ from this fit by a "
     "factor of 1.5 to 2, more at speed.", sections.throw_table, "throw"),
    ("Spin-induced throw and transfer of side",
     "A straight stun shot with side (REFERENCES 3.2).", sections.side_table, None),
    ("The 90-degree rule",
     "Angle between the balls after a stun shot, e = 0.95 (REFERENCES 3.3).",
     sections.separation_table, None),
    ("The 30-degree rule",
     "Final deflection of a rolling cue ball (REFERENCES 3.4).", sections.deflection_table,
     "thirty_degrees"),
    ("Draw: the trisect system",
     "Turn of a drawn ball (R w / v = -0.625) from the line back to the player. The second pair is "
     "a rule of thumb (REFERENCES 3.5), good to 9 degrees up to a cut of 30.",
     sections.trisect_table, None),
    ("Full hit, rolling", "REFERENCES 3.6.", sections.full_hit_table, None),
    ("Frozen lines",
     "Final speeds along the line, the first ball at 1 m/s (REFERENCES 3.7). Ours is that of "
     "successive pairs, inside the tolerance of B20.", sections.frozen_table, None),
    ("Five shots in the laboratory",
     "Snooker balls, Mathavan 2009; measured / **ours**. The first shot loses 12 % of its momentum "
     "and the last 8 %, more than friction explains, so those readings are the doubtful ones "
     "(REFERENCES 7).", sections.laboratory_table, None),
    ("Rebound by speed",
     "Square on, rolling; measured on a snooker table by Mathavan 2009 (REFERENCES 4.1). Under "
     "1 m/s ours is constant: nothing tells whether the measured fall there is the rail's.",
     rail_sections.rebound_table, "rebound"),
    ("How many lengths",
     "Table lengths that a ball runs (REFERENCES 4.3). TP B.6 is the published figure, the others "
     "are models recomputed.", rail_sections.lengths_table, None),
    ("Three laws of the cushion",
     "All by themselves, outside the engine (`benchmarks/figures/cushion_laws.py`), with constants "
     "published and fitted. The last column counts figures of REFERENCES 9 that lie between the "
     "two published models, or within 1 degree and 0.01 of them.", rail_sections.law_table, None),
    ("Speed shortens a bank",
     "Way along the rail, a metre off it again, rolling in at 45 degrees (REFERENCES 9).",
     rail_sections.drift_table, None),
    ("Banks beside two models",
     "The engine at 1 m/s: **ours** (Han 2005, Mathavan 2010), side running positive "
     "(REFERENCES 9).", rail_sections.bank_table, None),
    ("Ball speed from cue speed", "Centre hits (REFERENCES 5).", sections.stroke_table, None),
    ("Squirt", "TP A.31 (REFERENCES 5).", sections.squirt_table, None),
    ("Elevated strokes",
     "Final direction, left positive, squirt off (TP A.19, REFERENCES 5); the ball hops on its "
     "way and still ends there.", sections.masse_table, None),
    ("Slow windows of the pockets",
     "Balls at 0.5 m/s, mouths of 4.5875 and 5.0625 in, lines a millimetre apart (REFERENCES 8). "
     "A ball that meets the near rail first counts from 38.6 degrees on, as there: that is the "
     "critical angle of TP 3.6, where its curve jumps too (2.32 in at 30 degrees, 2.94 at 40). "
     "Without such balls ours fall evenly, 2.68, 2.32, 1.93 and 1.77 in at 20, 30, 40 and 43 "
     "degrees; with every one that drops at last, of lines within 70 mm of the axis, they are "
     "3.70, 4.17, 3.50 and 2.40.",
     sections.pocket_table, "pockets"),
    ("Fast windows of the pockets",
     "Ours at 4 m/s, a rolling ball; the speed of the published ones is not stated "
     "(REFERENCES 8).", sections.fast_pocket_table, None),
    ("Breaks",
     "Square on from the head string's centre at 9 to 11 m/s, gaps of the rack up to 0.1 mm "
     "(`headstring bench breaks`); 300 each. R04 asks for 200 breaks, of which 50 % may be dry: "
     "over 2000 a nine-ball break makes 0.66 balls and is dry 49 % of the time (a standard error "
     "is 1.1 %), at the edge of that range: other 200 breaks may well fall outside it.",
     sections.break_table, None),
)  # fmt: skip

HEAD = """\
# Figures of the physics

Written by `python -m benchmarks.physics_page`; a test holds its tables to the code. How the engine
works is in [engine.md](engine.md). REFERENCES is the digest of published values by section
([references.md](references.md)); TP are Alciatore's technical proofs.

Run with Headstring {headstring}, Python {python}, panda3d {panda3d}, numpy {numpy}, numba {numba}.

## Targets

Each is posed through the code of `headstring simulate` (`benchmarks/figures`). Those of the kinds
exact and invariant are held to a tenth of their tolerance. "Apart" is the largest difference.
A: one ball on a level bed without rails. B: the cue ball (CB) along +x meets a resting object ball
(OB), given at contact, cut angle phi. K: a 9-ft table, far from pockets, angles from the rail's
normal. R: 9-ft, the cue ball square on the apex ball from the head string's centre.

{targets}

{missed}
"""


def page():
    """The whole page."""
    parts = [
        HEAD.format(
            headstring=version("headstring"),
            python=".".join(platform.python_version_tuple()[:2]),
            panda3d=version("panda3d"),
            numpy=version("numpy"),
            numba=version("numba"),
            targets=sections.target_table(),
            missed=sections.missed(),
        )
    ]
    for title, text, measure, picture in SECTIONS:
        shown = f"\n![{title}: ours over the published curve](figures/{picture}.png)\n"
        parts.append(f"## {title}\n\n{text}\n\n{measure()}\n{shown if picture else ''}")
    return "\n".join(parts)


def main():
    """Write page and pictures."""
    from benchmarks.figures import plots  # needs matplotlib, which only the pictures do

    folder = DOCS / "figures"
    folder.mkdir(exist_ok=True)
    for draw in plots.ALL:
        draw(folder)
    (DOCS / "physics.md").write_text(page(), encoding="utf-8")


if __name__ == "__main__":
    main()
