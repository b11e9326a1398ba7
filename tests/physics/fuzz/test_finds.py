"""What the fuzz once found about balls: one case of each kind of fault, cut down."""

import math

import pytest
from msgspec.structs import replace

from physics.contact_times import meets_now
from physics.material import MarlowFriction, Material
from physics.outcome import World
from physics.simulation import simulate
from physics.state import BallState, Motion
from physics.table import TABLES
from shared_rules.events import BallBall
from tests.physics.fuzz import exact
from tests.physics.fuzz.found import played, told
from tests.physics.shots import kinetic, on_bed

R = 0.028575


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


def deepest(outcome):
    """How far any two balls come to overlap (m)."""
    rows = {ball: exact.rows_of(outcome, ball) for ball in outcome.pieces}
    gone = float(Motion.POCKETED)
    return max(
        exact.deepest_overlap(rows[a], rows[b], 2 * R, gone)[0] for a in rows for b in rows if a < b
    )


@pytest.mark.parametrize("g", [9.81, 100.0])
@pytest.mark.parametrize("aside", [(0.0, 0.0), (-5.2153e-5, 2.3193e-5)])
def test_a_tower_of_balls_that_give_nothing_back_topples_before_it_sinks(g, aside):
    """The uppermost came down as the middle one came up, at twice the speed, and took all of it."""
    x, y = -0.083744, 0.190458
    tower = {"10": {"pos": [x, y, R]}, "15": {"pos": [x, y, 3 * R]},
             "12": {"pos": [x + aside[0], y + aside[1], 5 * R + 1e-5]}}  # fmt: skip
    outcome = played(tower, "7ft", material={"e_ball": 0.0, "e_cushion": 0.0, "g": g})
    assert deepest(outcome) < 1e-5
    assert all(state.pos[2] == R for state in outcome.final.values())


def test_what_taps_part_with_is_no_more_than_friction_leaves_to_pay_with():
    """A ball on three: its last tap took all the spin, and 6e-8 J more."""
    places = {7: (0.8192200938747952, 0.10328547176182577),
              4: (0.7862097402746451, 0.056631925742331626),
              13: (0.7566351712296536, 0.10553455722370525),
              8: (0.7371362590971382, 0.027341723538849325),
              9: (0.8593303330935984, 0.14399532748265198),
              6: (0.854189394297546, 0.0580829217458875)}  # fmt: skip
    balls = {str(b): {"pos": [*at, R]} for b, at in places.items()}
    balls["1"] = {"pos": [*places[6], 0.0857250009], "vel": [0.0, 0.0, 2.0]}
    material = {"e_ball": 1.0, "e_cushion": 0.0, "mu_slide": 1.0, "mu_roll": 1.0,
                "spin_decel": 0.001}  # fmt: skip
    played(balls, "8ft", material=material)


@pytest.mark.parametrize("slip", [9e-10, -9e-10])
def test_what_slip_counts_as_none_gives_no_energy_as_it_becomes_a_roll(slip):
    speed, spec = 3.0, World().spec(0)
    ball = BallState(0, (0.0, 0.0, R), (speed + slip, 0.0, 0.0), (0.0, speed / R, 0.0))
    first = simulate(World(), [ball], until=0.1).pieces[0][0]
    assert first.motion is Motion.ROLL
    lost = kinetic(World(), [ball]) - kinetic(
        World(), [replace(ball, vel=first.vel, spin=first.spin)]
    )
    # Friction that stops the slip u takes m u^2 / 7; the last digits of the energy are 1e-16.
    assert lost == pytest.approx(spec.mass * slip * slip / 7.0, abs=4e-16)
