"""Cushions, jaws and slate cuts against the published measures (REFERENCES 1.1, 1.2)."""

import math
from dataclasses import replace

import numpy as np
import pytest

from physics.geometry import build_geometry
from physics.layout import (
    EDGE_LEN,
    EDGE_NX,
    EDGE_NY,
    EDGE_POCKET,
    EDGE_RAIL,
    EDGE_ROUND,
    EDGE_X,
    EDGE_Y,
    HOLE_AX,
    HOLE_AY,
    HOLE_MX,
    HOLE_MY,
    HOLE_RADIUS,
    HOLE_X,
    HOLE_Y,
)
from physics.table import TABLES
from shared_rules.events import POCKETS, RAILS

TIGHT = replace(TABLES["9ft"], corner_mouth=0.1143, side_mouth=0.127)


def points(spec):
    return {p for c in build_geometry(spec).cushions for p in c.outline}


def test_presets_have_the_published_measures():
    inch = 0.0254
    assert (TABLES["7ft"].length, TABLES["7ft"].width) == pytest.approx((80 * inch, 40 * inch))
    assert (TABLES["8ft"].length, TABLES["8ft"].width) == pytest.approx((92 * inch, 46 * inch))
    assert TABLES["tight"].corner_mouth == pytest.approx(4.25 * inch)
    assert TABLES["tight"].length == TABLES["9ft"].length


def near(spec, wanted):
    return min(math.dist(p, wanted) for p in points(spec))


def test_jaw_points_of_a_nine_foot_table():
    for wanted in ((1.189178, 0.635), (1.27, 0.554178), (0.0635, 0.635), (-0.0635, 0.635)):
        assert near(TIGHT, wanted) < 1e-6


def throat(spec, pocket):
    """Distance between the two throat ends at a pocket."""
    number = POCKETS.index(pocket)
    ends = []
    for cushion in build_geometry(spec).cushions:
        for side, end in ((0, cushion.outline[0]), (1, cushion.outline[-1])):
            if cushion.pockets[side] == number:
                ends.append(end)
    assert len(ends) == 2
    return math.dist(*ends)


def test_throats_two_inches_behind_the_nose_line():
    assert throat(TIGHT, "foot_left") == pytest.approx(0.09419, abs=2e-5)
    assert throat(TIGHT, "side_right") == pytest.approx(0.10167, abs=2e-5)


def test_mouths_and_shelves_are_those_asked_for():
    for spec in (TIGHT, TABLES["9ft"], TABLES["7ft"]):
        holes = build_geometry(spec).holes
        for name, hole in zip(POCKETS, holes, strict=True):
            corner = not name.startswith("side")
            number = POCKETS.index(name)
            jaws = []
            for cushion in build_geometry(spec).cushions:
                for side, k in ((0, cushion.nose), (1, cushion.nose + 1)):
                    if cushion.pockets[side] == number:
                        jaws.append(cushion.outline[k])
            mouth = spec.corner_mouth if corner else spec.side_mouth
            assert math.dist(*jaws) == pytest.approx(mouth, rel=1e-12)
            middle = np.mean(jaws, axis=0)
            assert (hole[HOLE_MX], hole[HOLE_MY]) == pytest.approx(tuple(middle), abs=1e-12)
            depth = (hole[HOLE_X] - hole[HOLE_MX]) * hole[HOLE_AX]
            depth += (hole[HOLE_Y] - hole[HOLE_MY]) * hole[HOLE_AY]
            shelf = spec.corner_shelf if corner else spec.side_shelf
            # The rounding of the edge is part of the shelf.
            flat = shelf - EDGE_ROUND
            assert depth - hole[HOLE_RADIUS] == pytest.approx(flat, abs=1e-12)


def test_noses_lie_on_the_bed_and_face_it():
    for edge in build_geometry(TABLES["9ft"]).edges:
        if edge[EDGE_RAIL] < 0:
            assert edge[EDGE_POCKET] >= 0
            continue
        rail = RAILS[int(edge[EDGE_RAIL])]
        wanted = {"head": (1, 0), "foot": (-1, 0), "left": (0, -1), "right": (0, 1)}[rail]
        assert (edge[EDGE_NX], edge[EDGE_NY]) == wanted
        line = edge[EDGE_X] * wanted[0] + edge[EDGE_Y] * wanted[1]
        assert line == pytest.approx(-(1.27 if wanted[0] else 0.635), abs=1e-15)


def test_the_table_is_its_own_half_turn_and_mirror():
    for name in ("9ft", "uk7ft"):
        have = points(TABLES[name])
        for turn in (lambda p: (-p[0], -p[1]), lambda p: (p[0], -p[1])):
            for p in have:
                assert min(math.dist(turn(p), q) for q in have) < 1e-12


def test_rounded_jaws_leave_the_mouth_asked_for():
    spec = TABLES["uk7ft"]
    for pocket, mouth in (("foot_left", spec.corner_mouth), ("side_left", spec.side_mouth)):
        assert throat(spec, pocket) == pytest.approx(mouth, rel=1e-6)


def test_without_pockets_four_rails_meet_in_the_corners():
    geometry = build_geometry(replace(TABLES["9ft"], pockets="none"))
    assert len(geometry.edges) == 4 and not len(geometry.corners) and not len(geometry.holes)
    assert sorted(geometry.edges[:, EDGE_LEN]) == pytest.approx([1.27, 1.27, 2.54, 2.54])
