"""What the fuzz once found about rails and pockets: one case of each kind, cut down."""

import math
from dataclasses import replace

import numpy as np
import pytest

from physics.geometry import build_geometry
from physics.layout import CUSHION_DEPTH, EDGE_LEN, EDGE_RAIL, EDGE_TY, EDGE_X, EDGE_Y
from physics.material import Material
from physics.outcome import World
from physics.rail_tops import nearest_top
from physics.simulation import simulate
from physics.state import BallState, Motion
from physics.table import TABLES
from shared_rules.events import Jaw, Pocketed, RailTop
from tests.physics.fuzz import exact
from tests.physics.fuzz.found import played, told

R = 0.028575


@pytest.mark.parametrize(
    ("pos", "vel", "spin"),
    [([-1.248318881889102, 0.5699854700071182, R], [-7.857897, -1.456754, 0.0],
      [50.98001493368578, -274.9920151527982, 0.0]),
     ([-1.242386, -0.552288, R], [0.0, -18.3, 0.0], [642.0, 0.0, 0.0])],
)  # fmt: skip
def test_a_ball_that_comes_out_of_a_pocket_onto_the_rail_slides_and_rolls_there(pos, vel, spin):
    outcome = played({"5": {"pos": pos, "vel": vel, "spin": spin}})
    assert len(told(outcome, RailTop)) < 20
    assert outcome.final[5].motion in (Motion.POCKETED, Motion.OFF_TABLE, Motion.REST)


def test_a_ball_drawn_away_from_the_edge_that_it_lies_on_rolls_off_over_the_bed():
    spin = [-3.695, -6.212, 0.0]
    start = [1.012185276542884, 0.48400563471063307, R]
    outcome = played({"4": {"pos": start, "spin": spin}}, "7ft")
    final = outcome.final[4]
    # Backspin R w becomes a roll of 2/7 R w: v^2 / (2 mu g) for the slide, and for the roll.
    v = R * math.hypot(*spin) * 2.0 / 7.0
    m = Material()
    slid = v * v / (2.0 * m.mu_slide * m.g)
    assert final.motion is Motion.REST and final.pos[2] == R
    assert math.dist(final.pos, start) == pytest.approx(
        slid + v * v / (2.0 * m.mu_roll * m.g), 1e-3
    )
    assert len(outcome.pieces[4]) < 40


def test_a_contact_that_cuts_a_path_about_an_edge_short_gives_no_energy():
    table = {"preset": "7ft", "width": 2.0059312741722284, "nose_height": 0.03452041027603081,
             "side_mouth": 0.075522264890902, "side_shelf": 0.0,
             "side_angle_deg": 122.51626510334779}  # fmt: skip
    ball = {"pos": [-0.09, 0.521, 0.029], "vel": [0.053, 0.304, 0.0], "spin": [-10.6, 1.9, 30.0]}
    outcome = played({"1": ball}, table)
    spec, g = World().spec(1), Material().g
    rows = exact.rows_of(outcome, 1)
    starts = [exact.energy_at(rows, k, 0.0, spec.mass, R, g) for k in range(len(rows))]
    assert np.diff(starts).max() < 1e-6 * spec.mass * g * R


def test_a_ball_that_circles_in_a_pocket_is_stopped_where_the_slate_begins():
    ball = {"pos": [0.172078, -0.252032, 0.0254], "vel": [-4.3, -5.8, 0.0],
            "spin": [228.0, -168.1, 0.0]}  # fmt: skip
    outcome = played({"2": ball}, "uk7ft")
    holes = build_geometry(TABLES["uk7ft"]).holes
    hole = min(holes, key=lambda h: math.dist(h[:2], (0.0, -0.5)))
    low = [p.pos for p in outcome.pieces[2] if p.pos[2] < 0.0 and p.motion is Motion.AIR]
    assert told(outcome, Pocketed) and low
    assert all(math.dist(pos[:2], hole[:2]) < hole[2] for pos in low)


def test_a_facing_has_an_edge_where_the_wood_of_a_pocket_begins_behind_it():
    flies = BallState(5, (0.0, -0.5319, 0.0447), (-2.1, 0.57, 0.0))
    world = World(TABLES["uk7ft"], Material(g=0.1))
    outcome = simulate(world, [flies], until=0.02)
    tops, near = build_geometry(world.table).tops, np.empty(4)
    first, second = outcome.pieces[5][:2]
    for k in range(101):
        t = (second.start - first.start) * k / 100.0
        at = np.array(
            [first.pos[x] + (first.vel[x] + 0.5 * first.acc[x] * t) * t for x in range(3)]
        )
        assert nearest_top(tops, at, 0.0254, near) < 0 or near[3] > 0.0254 - 1e-9
    assert second.vel[0] > 0.0


def test_a_ball_that_goes_over_the_outer_edge_of_the_wood_is_not_turned_back_into_it():
    """0.4 um beyond the edge it lay on a ridge by one measure, on the plane by another."""
    half = 0.5 * TABLES["8ft"].width
    edge = -(half + TABLES["8ft"].rail_width)
    ball = BallState(1, (-0.187, edge - 4.3e-7, TABLES["8ft"].rail_top + R),
                     (0.738, -0.363, 0.0), (2740.0, 714.0, -2200.0))  # fmt: skip
    outcome = simulate(World(TABLES["8ft"], Material(g=1.6)), [ball])
    assert outcome.final[1].motion is Motion.OFF_TABLE and not outcome.cut
    assert len(told(outcome, RailTop)) < 5


def test_a_ball_at_the_edge_that_goes_outwards_by_a_hair_and_is_pulled_in_falls():
    """It was on the bed for the edge, and over it for the bed, and changed sides without end."""
    table = {"preset": "9ft", "length": 3.8421040466509946, "width": 1.643909524511269,
             "nose_height": 0.042678274546325445, "corner_mouth": 0.08803796846414615,
             "side_mouth": 0.09409498863597962, "corner_shelf": 0.0, "side_shelf": 0.0,
             "corner_angle_deg": 141.43816299515188,
             "side_angle_deg": 97.7486394997445}  # fmt: skip
    ball = {"pos": [0.017846083029226918, 0.820438544589147, R],
            "vel": [1.5029154870298366e-11, -4.1970652224105135e-11, 0.0],
            "spin": [-0.8443434428002685, -0.17786009193380892, 0.6925691630567812]}  # fmt: skip
    material = {"e_ball": 1.0, "e_bed": 0.0, "spin_decel": 0.001, "g": 30.0}
    outcome = played({"0": ball}, table, material=material)
    assert outcome.final[0].motion is Motion.POCKETED


def test_behind_a_rounded_jaw_the_cushion_goes_on_to_the_wood():
    """A ball under nose height, in the air, went into that end of it by 0.7 mm."""
    spec = TABLES["uk7ft"]
    r = spec.ball.radius
    wall = build_geometry(spec).edges
    wall = wall[(wall[:, EDGE_RAIL] < 0.0) & (abs(wall[:, EDGE_X] - 0.0419) < 1e-6)][0]
    y = wall[EDGE_Y] + 0.5 * wall[EDGE_LEN] * wall[EDGE_TY]
    z = spec.nose_height - 0.002
    outcome = simulate(World(spec), [BallState(1, (0.0, y, z), (3.0, 0.0, 0.0))], until=0.1)
    met = told(outcome, Jaw)[0].before[1]
    rise = met.pos[2] - spec.nose_height
    assert math.hypot(0.0419 - met.pos[0], rise) == pytest.approx(r, abs=1e-6)


FELL = [
    # Behind a side pocket that reaches far back it fell past the pocket's bottom, to the floor.
    ("side_left", "2", {"preset": "uk7ft", "length": 4.172499427947166, "width": 1.212997820397083,
                        "nose_height": 0.028567725086414027, "side_mouth": 0.11498062894326137},
     {"2": {"pos": [-1.368552, -0.429467, 0.0254], "vel": [1.2, 14.1, 0.0],
            "spin": [14.2, -220.4, 35.1]},
      "11": {"pos": [-1.337556, -0.469715, 0.0254]}, "10": {"pos": [-1.391438, -0.384103, 0.0254]}},
     {}),
    # Under the edge of the slate nothing kept it from going back under the bed.
    ("foot_left", "1", {"preset": "uk7ft", "length": 3.2178039029118817,
                        "width": 1.5550568337395974, "corner_mouth": 0.10827332623666407,
                        "corner_shelf": 0.06515415413661634},
     {"1": {"pos": [1.513478, 0.750727, 0.0254], "vel": [7.6, 0.3, 0.0]}},
     {"material": {"g": 1.6}}),
    ("side_left", "0", {"preset": "9ft", "length": 3.783905917453708, "width": 2.1252703272549454,
                        "nose_height": 0.03461845272701162, "side_mouth": 0.13444010129330436,
                        "side_shelf": 0.010764934174294184},
     {"3": {"pos": [-0.9567978592341099, 1.0347065526752235, R]},
      "12": {"pos": [-1.0139478592341098, 1.0347065526752235, R]},
      "10": {"pos": [-0.8996478592341098, 1.0347065526752235, R]},
      "0": {"pos": [-0.8996478592341098, 0.9791911701050968, 0.026963759421763177]},
      "9": {"pos": [-0.8424978592341098, 1.0347065526752235, R], "vel": [-24.867, -6.663, 0.0],
            "spin": [233.2, -870.2, -166.8]}},
     {"cue_ball": {"radius": 0.026963759421763177, "mass": 0.0850485},
      "material": {"e_ball": 0.5, "e_cushion": 0.99, "g": 0.1}}),
]  # fmt: skip


@pytest.mark.parametrize(("pocket", "name", "table", "balls", "case"), FELL)
def test_a_ball_that_falls_in_a_wide_pocket_comes_nowhere_else(pocket, name, table, balls, case):
    outcome = played(balls, table, **case)
    assert outcome.pockets[int(name)] == pocket


def test_the_end_of_a_cushion_behind_a_jaw_has_a_point_at_nose_height():
    """A ball that came round to it a little under nose height went 0.4 mm into it."""
    balls = {"0": {"pos": [-0.5376904651243174, -0.0923902087141041, 0.022464352696407258]},
             "11": {"pos": [0.029136, 0.108486, 0.0254]},
             "5": {"pos": [-0.052769, 0.342372, 0.0254]},
             "9": {"pos": [-0.021485, 0.104224, 0.0254]}}  # fmt: skip
    strike = {"speed": 20.0, "heading_deg": 158.51960293464955, "elevation_deg": 0.0,
              "tip": [0.08242703732822898, 0.0]}  # fmt: skip
    outcome = played(balls, "uk7ft", cue_ball={"radius": 0.022464352696407258, "mass": 0.232},
                     material={"mu_cushion": 0.0}, strike=strike)  # fmt: skip
    assert outcome.pockets[9] == "side_right"


def test_a_ball_that_rises_past_the_end_of_a_rail_meets_it_as_it_comes_down():
    """Out of a pocket it passes the ridge's line beside its end, and later the ridge itself."""
    spec = replace(TABLES["7ft"], length=1.9681463568215585, width=1.1935534973639461,
                   nose_height=0.03502570390470651)  # fmt: skip
    ball = BallState(0, (-0.02020372550991057, -0.6272511307230372, 0.0178207966737546),
                     (-0.14248048072322428, -0.03217672824970208, 2.871625785520994))  # fmt: skip
    outcome = simulate(World(spec), [ball])
    met = told(outcome, RailTop)[0]
    ridge = (-0.5 * spec.width - CUSHION_DEPTH, spec.rail_top)
    assert math.dist(met.before[0].pos[1:], ridge) == pytest.approx(R, abs=1e-9)


TIPS = [  # strokes of a cue ball alone, or at ball 8, that ended on a rail
    ("off the end of the ridge before the wood", [0.4322772770885881, -0.5636070101092223],
     (2.2332283892183415, 200.00966151083037, 45.0), None),
    ("along that ridge, over cushion and wood by turns", [0.3680113556187168, -0.1760615169989091],
     (3.928317182350929, 38.561661844928764, 45.0), None),
    ("the same, an object ball", [1.2276394977747394, -0.554873602365234],
     (4.183011545518521, 178.02436983680767, 18.765602111816406),
     [0.8247808950431694, -0.5641397184660616]),
    ("over the outer corner", [-0.03921739241148359, -0.5867138862604151],
     (3.4908483294426715, 351.5647677262525, 45.0), None),
    ("over the outer corner", [-0.9802716948231458, 0.25100249633448934],
     (4.25837297027428, 14.287107586892866, 45.0), None),
]  # fmt: skip


@pytest.mark.parametrize(("where", "cue_ball", "stroke", "other"), TIPS)
def test_a_ball_that_tips_over_a_rail_leaves_what_it_tips_over(where, cue_ball, stroke, other):
    """What bears it there and what it meets next said different things, 20,000 times."""
    speed, heading, elevation = stroke
    balls = {"0": {"pos": [*cue_ball, R]}}
    if other is not None:
        balls["8"] = {"pos": [*other, R]}
    strike = {"speed": speed, "heading_deg": heading, "elevation_deg": elevation}
    assert len(told(played(balls, strike=strike), RailTop)) < 20


def test_a_ball_over_a_ridge_lies_on_the_face_over_which_it_is_whatever_their_order():
    """Square to cushion or wood, a micrometre on this side of the ridge between them or beyond."""
    table = TABLES["9ft"]
    tops = build_geometry(table).tops
    ridge = np.array([0.7, -0.5 * table.width - CUSHION_DEPTH, table.rail_top])
    rise = math.atan2(table.rail_top - table.nose_height, CUSHION_DEPTH)
    sine, cosine = math.sin(rise), math.cos(rise)
    cushion, wood = ((0.0, sine, cosine), (0.0, -cosine, sine)), ((0.0, 0.0, 1.0), (0.0, 1.0, 0.0))
    out = np.empty(4)
    for up, across in (cushion, wood):
        for beyond in (-1e-6, 1e-6):
            at = ridge + R * np.array(up) + beyond * np.array(across)
            for rows in (tops, tops[::-1].copy()):
                assert nearest_top(rows, at, R + 1e-5, out) >= 0
                assert out == pytest.approx([*up, R], abs=1e-12)


BETWEEN_ENDS = [
    (replace(TABLES["9ft"], length=2.8229694517606045, width=1.5463448776318838,
             corner_mouth=0.0689627584918929, corner_shelf=0.0, corner_angle_deg=139.6687171063329),
     (1.4311252255226738, 0.7928129388304062, 0.0035390678359770306),
     (0.13725698561290817, -1.1496557201986384, 0.1865618796981458)),
    (replace(TABLES["7ft"], length=3.895050971289053, width=2.271428359189644,
             nose_height=0.03479890315460992, corner_mouth=0.09612142144435687,
             corner_shelf=0.0038899683018959854, corner_angle_deg=145.24457899994016),
     (-1.9712400722346886, 1.1604597150178464, -0.042541972401071604),
     (-25.424915501996047, -36.72401828854906, 3.034325267063761)),
]  # fmt: skip


@pytest.mark.parametrize(("table", "pos", "vel"), BETWEEN_ENDS)
def test_a_ball_between_the_ends_of_a_slates_edge_meets_the_one_that_it_goes_to(table, pos, vel):
    """It touched one and was pushed away from the other, which it left already, 20,000 times."""
    outcome = simulate(World(table, Material(e_bed=0.0)), [BallState(0, pos, vel)])
    assert outcome.final[0].motion in (Motion.POCKETED, Motion.OFF_TABLE)
    assert len(outcome.pieces[0]) < 5000
