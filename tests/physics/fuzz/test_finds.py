"""What the fuzz once found: of each kind of fault one case, cut down, with the right value."""

import math
from dataclasses import replace

import numpy as np
import pytest

from physics.case_input import read_case
from physics.contact_times import meets_now
from physics.geometry import build_geometry
from physics.layout import CUSHION_DEPTH, EDGE_LEN, EDGE_RAIL, EDGE_TY, EDGE_X, EDGE_Y
from physics.material import MarlowFriction, Material
from physics.outcome import World
from physics.rail_tops import nearest_top
from physics.simulation import simulate
from physics.state import BallState, Motion
from physics.table import TABLES
from shared_rules.events import BallBall, Jaw, Pocketed, RailTop
from tests.physics.fuzz import exact
from tests.physics.fuzz.promises import broken, mirrored, run, solid
from tests.physics.shots import on_bed

R = 0.028575


def played(balls, table="9ft", **case):
    """The outcome of a case that keeps what a run promises."""
    table = table if isinstance(table, dict) else {"preset": table}
    posed = read_case({"id": "found", "table": table, "balls": balls, **case})
    outcome = run(posed)
    assert not [*broken(posed, outcome), *solid(posed, outcome), *mirrored(posed, outcome)]
    return outcome


def told(outcome, kind):
    return [r for r in outcome.events if isinstance(r.event, kind)]


# --- rails and pockets ------------------------------------------------------------------------
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


# --- contacts ---------------------------------------------------------------------------------
def test_an_approach_is_none_that_parts_by_itself_before_it_overlaps():
    # At 10 m/s past something 57 mm off, an approach of c is over within c / (u^2 / d).
    least = math.sqrt(2.0 * 1e-10 * 100.0 / 0.057)
    assert meets_now(1.01 * least, 0.0, 100.0, 0.057, 1.0)
    assert not meets_now(0.99 * least, 0.0, 100.0, 0.057, 1.0)
    # What is pressed together meets, however it slides along.
    assert meets_now(0.99 * least, -3e3, 100.0, 0.057, 1.0)
    # The measure is a direction, not a speed.
    assert meets_now(1e-6, 0.0, 1e-12, 0.057, 1.0)


@pytest.mark.parametrize(("ahead", "met"), [(1e-6, 0), (4e-6, 2)])
def test_a_ball_shoots_through_between_two_that_touch_it(ahead, met):
    """They lie a micrometre ahead of square to its way: it would overlap them by 1e-11 m."""
    gap = math.sqrt((2 * R) ** 2 - ahead**2) - 1e-10 * met
    states = [on_bed(0, -ahead, 0.0, 39.0, 0.0), on_bed(1, 0.0, gap), on_bed(2, 0.0, -gap)]
    outcome = simulate(World(), states, until=1e-3)
    assert len(told(outcome, BallBall)) == met
    moved = [math.dist(outcome.final[b].vel, (0.0, 0.0, 0.0)) for b in (1, 2)]
    assert all((v > 0.0) == (met > 0) for v in moved)
    assert outcome.final[0].vel[0] == pytest.approx(39.0 - 0.2 * 9.81e-3, abs=1e-3)


def test_a_ball_that_presses_on_a_rail_alone_is_settled_without_gain():
    ball = {"pos": [1.2424862662941305, -0.6074862661941305, R],
            "vel": [0.2252147013897737, -4.99492525852769, 0.0],
            "spin": [174.80053398172146, 7.881529357472395, 0.0]}  # fmt: skip
    outcome = played(
        {"5": ball}, {"preset": "9ft", "pockets": "none"},
        material={"e_cushion": 0.0, "spin_decel": 500.0},
    )  # fmt: skip
    assert outcome.final[5].motion is Motion.REST


def test_friction_brakes_the_slip_of_a_fast_pair_that_hardly_slips():
    """Full at 24 m/s, with a little roll: both turn as they do when the slip is stopped."""
    w = 0.2946
    states = [
        BallState(0, (0.0, -2 * R - 1e-7, R), (0.0, 24.26, 0.0), (w, 0.0, 0.0)),
        on_bed(1, 0.0, 0.0),
    ]
    outcome = simulate(World(material=Material(e_ball=1.0)), states, until=1e-6)
    after = told(outcome, BallBall)[0].after
    # u = R w; each takes u / 7 of it by its speed and 5/2 of that by its spin.
    assert after[0].spin[0] == pytest.approx(w - 2.5 * w / 7.0, abs=2e-3)
    assert after[1].spin[0] == pytest.approx(-2.5 * w / 7.0, abs=2e-3)


def test_a_fast_ball_leaves_opposite_rails_alike():
    world = World(TABLES["uk7ft"])
    radius = world.spec(0).radius
    left, right = (
        simulate(world, [BallState(0, (-0.166, 0.0, radius), (0.0, 22.6 * side, 0.0))], until=0.05)
        .events[0]
        .after[0]
        for side in (1.0, -1.0)
    )
    assert left.vel[1] == pytest.approx(-right.vel[1], abs=1e-9)
    assert left.spin[0] == pytest.approx(-right.spin[0], abs=1e-7)


def lying(table, places, vel, spin, **case):
    """A case of balls that lie at ``places`` on the bed; the last one moves."""
    balls = {str(k): {"pos": [x, y, R]} for k, (x, y) in enumerate(places)}
    balls[str(len(places) - 1)] |= {"vel": vel, "spin": spin}
    return {"balls": balls, "table": table, **case}


@pytest.mark.parametrize(
    "case",
    [lying("9ft", [(0.31289845786491316, 0.2271947780047672),
                   (0.2557484578649132, 0.2271947780047672),
                   (0.37004845786491314, 0.2271947780047672),
                   (0.37004845786491314, 0.1700447780047672),
                   (0.37004845786491314, 0.2843447780047672),
                   (0.37004845786491314, 0.3414947780047672),
                   (-0.31776069438954546, 0.2271947780619172)],
           [4.769, 0.0, 0.0], [0.0, 166.8994813116882, 0.0]),
     lying("8ft", [(1.1408862653941305, 0.0), (1.140886, -0.05715), (1.1408862653941305, 0.05715),
                   (1.0837362653941305, 0.05715), (1.140886, -0.1143), (1.0837362653941305, 0.0),
                   (1.140886, 0.1143), (1.1408862653941305, -0.17145),
                   (1.0265862653941304, 0.05715), (0.616341748464359, -5.714873019257993e-14)],
           [5.643798892424036, 0.0, 0.0], [0.0, 197.50827270075368, 0.0]),
     lying("unbounded", [(-0.788874, 0.089582), (-0.788874, 0.032432),
                         (-0.8460244322489415, 0.08958206536782262),
                         (-0.8460244322489415, 0.14673206536782263),
                         (-0.7888744322489415, 0.14673206536782263),
                         (-0.8460244322489415, 0.03243206536782262),
                         (-0.7317244322489415, 0.1467320653678226),
                         (-0.8460244322489415, 0.20388206536782263),
                         (-0.7888744322489415, 0.20388206536782263)],
           [-0.5, -1.2, 0.0], [42.09484656522775, -16.349073043765717, 0.0],
           material={"e_ball": 1.0, "mu_ball": 2.0})],
)  # fmt: skip
def test_what_is_pushed_aside_by_a_hair_is_not_stopped_for_it_to_be_pushed_again(case):
    """The cloth held balls that another moved on, which met them anew at once, 20,000 times."""
    assert len(played(**case).events) < 1000


def test_a_ball_thrown_up_beside_another_meets_it_as_it_comes_down():
    """It set out touching it, towards it by 1e-4 m/s: in 1.6 s that is more than it rises by."""
    x, y = 0.0495, -0.0286
    size = math.hypot(x, y)
    toward = [1.6e-4 * x / size, 1.6e-4 * y / size, 8.0]
    balls = {"9": {"pos": [0.0, 0.0, R], "vel": toward},
             "10": {"pos": [2 * R * x / size, 2 * R * y / size, R]}}  # fmt: skip
    outcome = played(balls, "unbounded")
    hit = told(outcome, BallBall)[0]
    assert hit.before[9].pos[2] > R + 1e-3
    assert math.dist(hit.before[9].pos, hit.before[10].pos) == pytest.approx(2 * R, abs=1e-9)


# --- balls on balls ---------------------------------------------------------------------------
def test_a_tower_of_three_does_not_sink_into_itself():
    """Taps from above came at balls that were being let in, and let them in deeper each time."""
    x, y = 1.0879500471180572, -0.49842692812427525
    tower = {"0": {"pos": [x, y, R]}, "6": {"pos": [x, y, 3 * R + 1e-4]},
             "14": {"pos": [x, y, 5 * R + 1e-4], "vel": [0.0, 0.0, -1.0]}}  # fmt: skip
    outcome = played(tower, material={"e_ball": 0.5, "mu_roll": 1.0})
    rows = {ball: exact.rows_of(outcome, ball) for ball in outcome.pieces}
    for a, b in ((0, 6), (6, 14), (0, 14)):
        assert exact.deepest_overlap(rows[a], rows[b], 2 * R, float(Motion.POCKETED))[0] < 5e-5
    assert all(state.pos[2] == R for state in outcome.final.values())


def test_a_ball_that_bears_another_is_braked_by_what_it_bears():
    """The cloth holds it against a lean of less than mu_roll; what touches it lies still, too."""
    states = [on_bed(0, 0.0, 0.0), on_bed(1, 2 * R, 0.0), BallState(2, (1e-5, 0.0, 3 * R))]
    world = World(material=Material(mu_roll=0.1))
    outcome = simulate(world, states, until=0.1)
    assert len(told(outcome, BallBall)) > 50
    assert outcome.final[0].pos == states[0].pos and outcome.final[1].pos == states[1].pos


def test_what_a_tip_gets_from_a_ball_at_the_instant_of_a_stroke_it_may_give_again():
    balls = {"LA": {"pos": [-0.508, 0.028575, R]}, "LB": {"pos": [-0.508, -0.028575, R]}}
    strikes = [
        {"speed": 2.6823536205506935, "heading_deg": 212.7505017245312, "tip": [0.613, 0.0],
         "ball": "LA"},
        {"speed": 1e-6, "heading_deg": 295.94267805571036, "tip": [0.0, 0.1346], "ball": "LB"},
    ]  # fmt: skip
    played(balls, {"preset": "7ft", "pockets": "none"}, strike=strikes)


@pytest.mark.parametrize("spin", [100.0, 209.0, 400.0])
def test_a_ball_that_stands_on_another_like_a_top_hops_off_by_its_spin(spin):
    """Mechanics let it stand while ``w^2 > 70 g / R``: no friction takes that off in minutes."""
    states = [on_bed(1, 0.0, 0.0), BallState(2, (0.0, 0.0, 3 * R), spin=(0.0, 0.0, spin))]
    outcome = simulate(World(), states)
    assert not outcome.cut and len(outcome.events) < 10_000
    assert told(outcome, BallBall)[-1].event.at < 8.0
    assert all(s.pos[2] == R and s.motion is Motion.REST for s in outcome.final.values())
    rows = {ball: exact.rows_of(outcome, ball) for ball in outcome.pieces}
    assert exact.deepest_overlap(rows[1], rows[2], 2 * R, float(Motion.POCKETED))[0] < 1e-5


def pile(apart, high):
    """Three balls round the origin, and one on top of them."""
    turns = [2.0 * math.pi * k / 3.0 for k in range(3)]
    below = [on_bed(k, apart * math.cos(turns[k]), apart * math.sin(turns[k])) for k in range(3)]
    return [*below, BallState(3, (0.0, 0.0, R + high))]


@pytest.mark.parametrize("g", [1.6, 9.81])
def test_a_pile_that_friction_holds_together_lies_still(g):
    """Where nothing rolls, and balls grip: taps that lose a little let the uppermost sink in."""
    material = Material(mu_ball=MarlowFriction(2.0, 0.0, 0.0), mu_roll=1.0, g=g)
    apart = 2 * R / math.sqrt(3.0) * 1.0001
    states = pile(apart, math.sqrt(4 * R * R - apart * apart) + 1e-9)
    outcome = simulate(World(TABLES["unbounded"], material), states)
    assert not outcome.cut and len(outcome.events) < 1000
    assert all(s.motion is Motion.REST for s in outcome.final.values())
    for ball in range(3):
        assert math.dist(outcome.final[ball].pos, states[ball].pos) < 5e-5
    assert math.dist(outcome.final[3].pos, states[3].pos) < 1e-4
    # One that is hit is free, and the pile falls.
    hit = BallState(4, (-0.3, 0.0, R), (3.0, 0.0, 0.0))
    assert simulate(World(TABLES["unbounded"], material), [*outcome.final.values(), hit]).final[
        3
    ].pos[2] == pytest.approx(R)


def test_a_pile_of_balls_as_they_are_falls_apart():
    apart = 2 * R / math.sqrt(3.0) * 1.0001
    states = pile(apart, math.sqrt(4 * R * R - apart * apart) + 1e-9)
    outcome = simulate(World(TABLES["unbounded"]), states)
    assert all(s.pos[2] == R for s in outcome.final.values())


def test_a_light_ball_under_a_heavy_one_is_let_in_no_further():
    """Tapped by turns by what lies on it and beside it, it was let in by a rung each time."""
    balls = {"0": {"pos": [-0.6464832982086189, -0.28736724924998513, 0.026203410433757766]},
             "14": {"pos": [-0.6585150291225366, -0.23397916748308445, R]},
             "11": {"pos": [-0.670306497148416, -0.33663696616578365, R]},
             "4": {"pos": [-0.5919490817492552, -0.2919573525006021, R]},
             "15": {"pos": [-0.592, -0.292, 0.086], "vel": [0.0, 0.0, 2.0]}}  # fmt: skip
    cue_ball = {"radius": 0.026203410433757766, "mass": 0.0170097}
    material = {"mu_ball": 0.5, "mu_slide": 10.0}
    outcome = played(balls, cue_ball=cue_ball, material=material)
    rows = {ball: exact.rows_of(outcome, ball) for ball in outcome.pieces}
    reach = R + cue_ball["radius"]
    assert exact.deepest_overlap(rows[0], rows[15], reach, float(Motion.POCKETED))[0] < 5e-5
    assert all(s.motion is Motion.REST for s in outcome.final.values())


def test_a_ball_on_a_rail_and_on_a_line_that_it_cannot_push_away_lies_still():
    """It sank between them by millimetres: what its taps gave the line the cloth took."""
    balls = {str(k): {"pos": [0.789717306422626, y, R]} for k, y in enumerate(
        [-0.1212997857423362, 0.0501505142576638, 0.10730061425766381, 0.16445071425766383,
         0.22160081425766381, 0.2787509142576638, 0.3359010142576638, 0.39305111425766376,
         0.45020121425766374])}  # fmt: skip
    balls["0"]["vel"] = [0.0, 50.0, 0.0]
    outcome = played(balls, "8ft")
    assert len(outcome.events) < 6000
    rows = {ball: exact.rows_of(outcome, ball) for ball in outcome.pieces}
    deep = [exact.deepest_overlap(rows[a], rows[b], 2 * R, float(Motion.POCKETED))[0]
            for a in rows for b in rows if a < b]  # fmt: skip
    assert max(deep) < 1e-4


def test_what_is_settled_on_a_rail_gains_nothing_from_the_path_that_it_cuts_short():
    """A ball that slid over a rail's edge onto another kept what the parabola was off by."""
    places = {10: 0.06387875137601288, 1: 0.11468, 2: 0.16548075137601287, 0: 0.21466864039353423,
              11: 0.2638565294110556, 8: 0.31465752941105557, 13: 0.36545852941105555,
              6: 0.41625952941105554}  # fmt: skip
    balls = {str(b): {"pos": [0.6479822682890594, y, 0.0254]} for b, y in places.items()}
    balls["0"]["pos"][2], balls["1"]["pos"][0] = 0.0238125, 0.647982
    balls["4"] = {"pos": [0.647982, -0.037723, 0.0254], "vel": [0.0, 50.0, 0.0],
                  "spin": [-0.3, 0.0, -0.7]}  # fmt: skip
    played(balls, "uk7ft", material={"e_ball": 0.0, "mu_ball": 0.0})
