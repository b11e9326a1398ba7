"""What a ball does at a pocket, each behaviour as a posed shot with a known end."""

import math
import random
from dataclasses import replace
from itertools import pairwise

import pytest
from msgspec import structs

from physics.brink import BRINK, CREEPING
from physics.case import run_case
from physics.case_placing import check_placing
from physics.geometry import build_geometry
from physics.layout import CORNER_RADIUS, EDGE_ROUND
from physics.outcome import World
from physics.state import BallState, Motion
from physics.table import TABLES
from shared_rules.events import (
    POCKETS,
    BallBall,
    Jaw,
    Pocketed,
    Rest,
    SettledDrop,
    SupportedOverPocket,
)
from tests.physics.shots import R, of, on_bed, rolling, shoot
from tests.physics.solidity import deepest_pair, intrusions, most_gained

NINE_FOOT = TABLES["9ft"]
#: Two balls side by side jam between facings like these with their centres over the hole.
WEDGE = replace(NINE_FOOT, corner_mouth=0.12, corner_shelf=0.018)


def towards(ball, pocket, back, aside, speed, table=NINE_FOOT):
    """A ball that rolls along a pocket's axis, ``back`` before the edge and ``aside`` of it (m)."""
    hole = build_geometry(table).holes[POCKETS.index(pocket)].tolist()
    ax, ay, far = hole[5], hole[6], hole[2] + back
    x, y = hole[0] - far * ax - aside * ay, hole[1] - far * ay + aside * ax
    return rolling(ball, x, y, speed * ax, speed * ay)


def kept(*states, table=NINE_FOOT, gain=1e-6):
    """The outcome of a shot, once nothing was found in anything and no energy to come of it."""
    world = World(table)
    outcome = shoot(*states, world=world)
    assert not outcome.cut
    assert intrusions(world, outcome) == []
    assert deepest_pair(world, outcome) < 1e-4
    assert most_gained(world, outcome) < gain
    return outcome


@pytest.mark.parametrize(("aside", "falls"), [(0.03, True), (0.037, False)])
def test_a_ball_rattles_between_the_facings_and_drops_or_does_not(aside, falls):
    outcome = kept(towards(0, "foot_left", 0.4, aside, 3.0))
    assert len(of(outcome, Jaw)) >= 3
    assert (outcome.final[0].motion is Motion.POCKETED) == falls


@pytest.mark.parametrize(("aside", "speed"), [(0.0, 13.0), (0.004, 10.0)])
def test_a_ball_hit_too_hard_comes_out_again(aside, speed):
    outcome = kept(towards(0, "foot_left", 0.4, aside, speed))
    assert of(outcome, Jaw) and not of(outcome, Pocketed)
    assert outcome.final[0].motion is Motion.REST and outcome.final[0].pos[2] == R


def test_no_ball_under_seven_metres_a_second_comes_out_of_the_middle():
    for pocket in ("foot_left", "side_left"):
        for speed in (1.0, 3.0, 5.0, 7.0):
            for aside in (0.0, 0.004, 0.01):
                outcome = shoot(towards(0, pocket, 0.4, aside, speed))
                assert outcome.pockets == {0: pocket}


def test_a_ball_that_grazes_the_edge_rides_on_it_and_back_onto_the_bed():
    outcome = kept(rolling(0, -0.03, 0.6355, 0.4, 0.0))
    riding = [p for p in outcome.pieces[0] if p.motion is Motion.AIR]
    lowest = min(p.pos[2] for p in riding)
    assert R - 0.002 < lowest < R - 1e-6 and not of(outcome, Pocketed)
    assert outcome.final[0].pos[2] == R


def test_a_hanging_ball_is_knocked_in():
    hanging = structs.replace(towards(1, "foot_left", 0.0005, 0.0, 0.0), spin=(0.0, 0.0, 0.0))
    outcome = kept(hanging, towards(0, "foot_left", 0.3, 0.005, 0.8))
    assert outcome.pockets[1] == "foot_left"


def test_a_ball_is_hit_while_it_tips_over_the_edge():
    tipping, hard = (
        towards(1, "foot_left", 0.001, 0.0, 0.1),
        towards(0, "foot_left", 0.3, 0.01, 1.5),
    )
    outcome = kept(tipping, hard)
    (hit,) = of(outcome, BallBall)[:1]
    before, after = hit.before[1], hit.after[1]
    assert before.motion is Motion.AIR and before.pos[2] < R - 1e-4
    assert math.hypot(*after.vel) > 1.5 * math.hypot(*before.vel)
    assert outcome.pockets[1] == "foot_left"


def wedged(speed=0.3):
    """Two balls that come to the wedge side by side."""
    return [
        towards(b, "foot_left", 0.1, s * (R + 1e-6), speed, WEDGE) for b, s in ((1, 1), (2, -1))
    ]


def test_two_balls_jam_in_the_mouth_and_are_told_as_held_over_the_hole():
    # Pieces on the edge that are cut short err by up to a ten-thousandth of m g R.
    outcome = kept(*wedged(), table=WEDGE, gain=5e-6)
    assert [s.motion for s in outcome.final.values()] == [Motion.REST, Motion.REST]
    told = [r.event for r in of(outcome, SupportedOverPocket)]
    assert [(e.ball, e.pocket, e.by) for e in told] == [
        (1, "foot_left", 2),
        (2, "foot_left", 1),
    ]
    assert isinstance(outcome.events[-1].event, Rest)
    assert all(s.pos[2] < R for s in outcome.final.values())


def test_jammed_balls_fall_when_one_of_them_is_hit_away():
    third = towards(3, "foot_left", 0.9, 0.01, 1.5, WEDGE)
    outcome = shoot(*wedged(), third, world=World(WEDGE))
    rested = [p.start for p in outcome.pieces[1] if p.motion is Motion.REST]
    hit = of(outcome, BallBall)[-1].event.at
    assert not outcome.cut and rested and rested[0] < hit
    assert {1, 2} <= set(outcome.pockets) or of(outcome, SupportedOverPocket)


@pytest.mark.parametrize("gap", [0.0001, 0.00025])
def test_a_ball_that_stops_at_the_brink_falls_some_seconds_later(gap):
    speed = math.sqrt(2 * 0.01 * 9.81 * 0.2)
    outcome = shoot(towards(0, "foot_left", 0.2 + gap, 0.0, speed))
    rest, (drop,) = of(outcome, Rest)[0].event, of(outcome, SettledDrop)
    assert not of(outcome, Pocketed) and outcome.events[-1] is drop
    assert drop.event.after_s == pytest.approx(gap / CREEPING, abs=1.2)
    assert drop.event.at == pytest.approx(rest.at + drop.event.after_s)
    assert outcome.duration == drop.event.at and outcome.pockets == {0: "foot_left"}
    lay = outcome.lay[0]
    assert drop.before[0] == lay and lay.pos[2] == R
    for a, b in pairwise(outcome.pieces[0]):
        s = b.start - a.start
        end = [a.pos[x] + (a.vel[x] + 0.5 * a.acc[x] * s) * s for x in range(3)]
        assert math.dist(end, b.pos) < 1e-9


def test_two_balls_that_creep_over_edges_almost_together_fall_in_order_of_time():
    # The later one was played first, to its end, and the clock was then set back for the other.
    x, y, v, w = 0.8363293453398272, 0.3788293453398272, 0.09904544411531507, 3.899426933673822
    case = {
        "id": "late",
        "table": "uk7ft",
        "balls": {
            "1": {"pos": [-x, y], "vel": [-v, v, 0], "spin": [-w, -w, 0]},
            "0": {
                "pos": [0, 0.37073498996800003],
                "vel": [0, 0.14007141035914503, 0],
                "spin": [-5.88226395209008, 0, 0],
            },
        },
        "sample_at": [4.15, 5],
    }
    result = run_case(case)
    drops = [e for e in result["events"] if e["t"] == "settled_drop"]
    assert [e["ball"] for e in drops] == ["0", "1"]
    assert [e["at"] for e in drops] == pytest.approx([4.1402682, 4.1589065], abs=1e-6)
    assert result["duration"] == drops[1]["at"] == max(e["at"] for e in result["events"])
    between, after = (sample["balls"] for sample in result["samples"])
    assert (between["0"]["state"], between["1"]["state"]) == ("pocketed", "air")
    for ball, final in result["final"].items():
        assert (after[ball]["state"], after[ball]["pos"]) == ("pocketed", final["pos"])


def test_what_lay_at_the_brink_before_the_shot_or_further_away_stays():
    lying = structs.replace(towards(1, "foot_left", 0.5 * BRINK, 0.0, 0.0), spin=(0.0, 0.0, 0.0))
    outcome = shoot(lying, rolling(0, 0.0, 0.0, 0.3))
    assert outcome.final[1].pos == lying.pos and not outcome.lay
    speed = math.sqrt(2 * 0.01 * 9.81 * 0.2)
    assert not shoot(towards(0, "foot_left", 0.2 + 1.5 * BRINK, 0.0, speed)).lay


def test_pockets_are_alike():
    # Last digits of the contacts differ with the heading, and rattles magnify them: few contacts.
    for aside, speed in ((0.0, 0.3), (0.012, 2.0), (0.0, 5.0)):
        for names in (POCKETS[:2] + POCKETS[4:], POCKETS[2:4]):
            ends = []
            for name in names:
                flip = 1.0 if POCKETS.index(name) in (0, 2, 5) else -1.0
                outcome = shoot(towards(0, name, 0.3, flip * aside, speed))
                assert outcome.pockets == {0: name}
                ends.append((of(outcome, Pocketed)[0].event.at, len(of(outcome, Jaw))))
            assert all(at == pytest.approx(ends[0][0], abs=1e-5) for at, _ in ends)
            assert len({jaws for _, jaws in ends}) == 1


def test_a_rounded_jaw_is_an_arc():
    table = TABLES["uk7ft"]
    world, radius = World(table), table.ball.radius
    reach = math.sqrt(radius**2 - (table.nose_height - radius) ** 2)
    arcs = [c for c in build_geometry(table).corners.tolist() if c[CORNER_RADIUS] > 0.0]
    assert len(arcs) == 12
    for cx, cy, _, pocket, ring, dx, dy, _ in arcs:
        for height, away in ((radius, reach), (table.nose_height, radius)):
            x, y = cx + (ring + 0.2) * dx, cy + (ring + 0.2) * dy
            if max(abs(x) - 0.5 * table.length, abs(y) - 0.5 * table.width) > -0.03:
                continue
            ball = BallState(1, (x, y, height), (-3.0 * dx, -3.0 * dy, 0.28))
            if height == radius:
                ball = on_bed(1, x, y, -3.0 * dx, -3.0 * dy)
                ball = structs.replace(ball, pos=(x, y, radius))
            outcome = shoot(ball, world=world)
            hit = of(outcome, Jaw)[0]
            at = hit.before[1].pos
            off = math.hypot(at[0] - cx, at[1] - cy) - ring
            assert hit.event.pocket == POCKETS[int(pocket)]
            off = math.hypot(off, at[2] - table.nose_height) if height != radius else off
            assert off == pytest.approx(away, abs=2e-9)


@pytest.mark.parametrize("speed", [0.3, 1.0, 4.0, 9.0])
def test_no_energy_comes_of_a_pocket(speed):
    draw = random.Random(int(10 * speed))
    for pocket in ("foot_left", "side_left"):
        for _ in range(12):
            spin = tuple(draw.uniform(-60.0, 60.0) for _ in range(3))
            ball = towards(0, pocket, 0.25, draw.uniform(-0.05, 0.05), speed)
            kept(structs.replace(ball, spin=spin))


@pytest.mark.parametrize("angle", [136.5, 142.0, 165.0, 169.5])
def test_where_balls_come_to_rest_they_can_be_posed_again(angle):
    draw = random.Random(int(angle))
    table = replace(NINE_FOOT, corner_angle_deg=angle, side_angle_deg=draw.uniform(92.0, 148.0))
    world = World(table)
    for _ in range(40):
        pocket = draw.choice(POCKETS)
        ball = towards(0, pocket, 0.25, draw.uniform(-0.06, 0.06), draw.uniform(0.2, 3.0), table)
        outcome = shoot(ball, world=world)
        resting = [
            BallState(s.ball, s.pos)
            for s in outcome.final.values()
            if s.motion is Motion.REST and not of(outcome, SupportedOverPocket)
        ]
        check_placing(world, resting)


def test_the_edge_begins_where_the_shelf_ends():
    for name, hole in zip(POCKETS, build_geometry(NINE_FOOT).holes.tolist(), strict=True):
        shelf = NINE_FOOT.side_shelf if name.startswith("side") else NINE_FOOT.corner_shelf
        deep = (hole[0] - hole[3]) * hole[5] + (hole[1] - hole[4]) * hole[6]
        assert deep - hole[2] + EDGE_ROUND == pytest.approx(shelf, abs=1e-12)
