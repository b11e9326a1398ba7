"""Flight: hops on the bed, balls over balls, and what the cue ball jumps over."""

import math
import random

import pytest

from physics.outcome import World
from physics.state import BallState, Motion
from shared_rules.events import BallBall, BedBounce, JumpOver, OffTable, RailContact
from tests.physics.shots import R, of, on_bed, piece_at, position, shoot
from tests.physics.solidity import ends, moments, place
from tests.physics.test_rails import kept

G = 9.81
OPEN = World(table=World().table.__class__(name="open", bounded=False, pockets="none"))


def lowest(outcome, ball):
    """Least height of a ball's centre at any time (m)."""
    return min(
        place(piece, s)[2] for piece, lasts in ends(outcome, ball) for s in moments(piece, lasts)
    )


def test_a_thrown_ball_lands_where_ballistics_say():
    # S04: v^2 / 2g, 2v / g.
    outcome = shoot(BallState(0, (0.0, 0.0, R), (1.0, 0.0, 1.0)), world=OPEN)
    landing = of(outcome, BedBounce)[0]
    assert landing.event.at == pytest.approx(2.0 / G, rel=1e-12)
    assert landing.after[0].pos[0] == pytest.approx(2.0 / G, rel=1e-12)
    assert position(outcome.pieces[0], 1.0 / G)[2] - R == pytest.approx(0.5 / G, rel=1e-12)


def test_the_first_hop_of_tp_b10():
    # 10.855 mph, launched at 3.091 degrees: 0.848 ft (REFERENCES 5).
    speed, tilt = 10.855 * 0.44704, math.radians(3.091)
    vel = (speed * math.cos(tilt), 0.0, speed * math.sin(tilt))
    outcome = shoot(BallState(0, (0.0, 0.0, R), vel), world=OPEN)
    hop = of(outcome, BedBounce)[0].after[0].pos[0]
    assert hop / 0.3048 == pytest.approx(0.848, abs=5e-4)


def test_hops_lose_half_their_speed_each_and_end():
    outcome = kept(BallState(0, (0.0, 0.0, R), (0.2, 0.0, 1.6)), world=OPEN)
    ups = [r.after[0].vel[2] for r in of(outcome, BedBounce)]
    assert ups == pytest.approx([0.8, 0.4, 0.2, 0.1, 0.0], rel=1e-6)


def test_a_bounce_gives_friction_to_spin():
    # Stun: mu J against the slip, J = (1 + e) m vz, and the spin answers at 5/2 of it.
    outcome = shoot(BallState(0, (0.0, 0.0, R), (3.0, 0.0, 1.0)), world=OPEN)
    after = of(outcome, BedBounce)[0].after[0]
    lost = 0.2 * 1.5 * 1.0
    assert after.vel[0] == pytest.approx(3.0 - lost, rel=1e-5)
    assert R * after.spin[1] == pytest.approx(2.5 * lost, rel=1e-5)


def test_a_jump_with_draw_comes_back():
    outcome = kept(BallState(0, (0.0, 0.0, R), (1.0, 0.0, 1.0), (0.0, -150.0, 0.0)))
    assert outcome.final[0].pos[0] < 0.2


def test_a_ball_dropped_on_a_ball_drives_it_into_the_bed_and_not_through():
    # Straight down at v: the pair, then the lower ball at the bed, in rounds at one instant.
    height = 0.2
    outcome = kept(on_bed(1, 0.0, 0.0), BallState(0, (0.0, 0.0, 3 * R + height)), world=OPEN)
    hit = of_pair(outcome)[0]
    v = math.sqrt(2 * G * height)
    assert hit.before[0].vel[2] == pytest.approx(-v, rel=1e-9)
    # Equal masses, e = 0.95: they go on with 1 -+ e halves of it.
    assert hit.after[0].vel[2] == pytest.approx(-0.025 * v, rel=2e-3)
    assert hit.after[1].vel[2] == pytest.approx(-0.975 * v, rel=1e-4)
    assert lowest(outcome, 1) >= R - 1e-12


def of_pair(outcome):
    """Records of balls that touch."""
    return [r for r in outcome.events if isinstance(r.event, BallBall)]


def test_a_ball_dropped_aslant_leaves_along_the_line_of_centres():
    away = 2 * R * math.sin(math.radians(40))
    z = R + 2 * R * math.cos(math.radians(40)) + 0.1
    outcome = kept(on_bed(1, 0.0, 0.0), BallState(0, (away, 0.0, z)), world=OPEN)
    hit = of_pair(outcome)[0]
    v = math.sqrt(2 * G * 0.1)
    along = v * math.cos(math.radians(40))
    line = (math.sin(math.radians(40)), math.cos(math.radians(40)))
    struck = hit.after[1].vel
    assert -(struck[0] * line[0] + struck[2] * line[1]) == pytest.approx(0.975 * along, rel=1e-4)
    assert hit.after[0].vel[0] > 0.0
    assert lowest(outcome, 1) >= R - 1e-12


@pytest.mark.parametrize("apart", [2 * R, 2.2 * R, 3 * R])
def test_a_ball_lands_on_two_and_goes_through_neither(apart):
    states = [
        on_bed(1, 0.0, -0.5 * apart),
        on_bed(2, 0.0, 0.5 * apart),
        BallState(0, (0.0, 0.0, 0.15), (0.0, 0.0, -0.5)),
    ]
    outcome = kept(*states, world=OPEN)
    hits = of_pair(outcome)
    pushed = {r.event.b: r.after[r.event.b].vel[1] for r in hits[:2]}
    assert hits[0].round == hits[1].round and set(pushed) == {1, 2}
    assert pushed[1] == pytest.approx(-pushed[2], rel=1e-5)
    assert min(lowest(outcome, b) for b in range(3)) >= R - 1e-12
    assert all(s.motion is Motion.REST for s in outcome.final.values())


def test_a_ball_comes_down_between_another_and_a_rail():
    states = [on_bed(1, 0.3, 0.55), BallState(0, (0.3, 0.59, 0.14), (0.0, 0.1, -1.0))]
    outcome = kept(*states)
    assert of_pair(outcome)
    assert min(lowest(outcome, b) for b in range(2)) >= R - 1e-12


@pytest.mark.parametrize("z", [0.0325, 0.0362, 0.045, 0.06])
def test_a_flying_ball_meets_the_nose_from_below_and_above(z):
    outcome = kept(BallState(0, (0.3, 0.60, z), (0.0, 4.0, 0.0)))
    contact = of(outcome, RailContact)[0]
    rise = contact.after[0].vel[2] - contact.before[0].vel[2]
    at = contact.before[0].pos[2] - World().table.nose_height
    assert rise * at > 0.0 or abs(at) < 1e-3
    assert lowest(outcome, 0) >= R - 1e-12 or of(outcome, OffTable)


def jumps(outcome):
    """Which balls were jumped over."""
    return [r.event.over for r in of(outcome, JumpOver)]


def test_a_ball_that_clears_another_jumps_over_it():
    outcome = kept(BallState(0, (-0.3, 0.0, R), (2.0, 0.0, 1.6)), on_bed(1, 0.0, 0.01))
    (jump,) = of(outcome, JumpOver)
    assert (jump.event.ball, jump.event.over) == (0, 1)
    assert jump.event.at == pytest.approx(0.15, abs=1e-6)
    assert jump.before[0].pos[2] > 3 * R
    assert all(r.event.at > 1.0 for r in of_pair(outcome))
    assert of(outcome, BedBounce)


def test_a_ball_that_flies_beside_another_jumps_over_nothing():
    outcome = shoot(BallState(0, (-0.3, 0.0, R), (2.0, 0.0, 1.6)), on_bed(1, 0.0, 2.05 * R))
    assert jumps(outcome) == []


def test_a_ball_that_lands_on_the_near_side_has_jumped_over_nothing():
    outcome = shoot(BallState(0, (-0.11, 0.0, R), (1.0, 0.0, 0.9)), on_bed(1, 0.0, 0.0))
    hit = of_pair(outcome)[0]
    assert hit.before[0].pos[0] < 0.0
    assert all(r.event.at > hit.event.at for r in of(outcome, JumpOver))


def test_a_ball_that_touches_the_far_side_has_jumped_over():
    outcome = shoot(BallState(0, (-0.30, 0.0, R), (1.6, 0.0, 1.39)), on_bed(1, 0.0, 0.0))
    hit = of_pair(outcome)[0]
    assert hit.before[0].pos[0] > 0.0 and jumps(outcome) == [1]
    assert of(outcome, JumpOver)[0].event.at < hit.event.at


def test_only_the_cue_ball_is_told_of_and_only_in_flight():
    flying = BallState(1, (-0.3, 0.0, R), (2.0, 0.0, 1.6))
    assert jumps(shoot(flying, on_bed(0, 0.0, 0.01))) == []
    assert jumps(shoot(on_bed(0, -0.3, 0.0, 2.0), on_bed(1, 0.0, 0.0))) == []


def test_a_jump_over_a_rolling_ball_is_told():
    outcome = shoot(
        BallState(0, (-0.3, 0.0, R), (2.0, 0.0, 1.6)), on_bed(1, 0.0, -0.1, 0.0, 0.7),
        on_bed(2, 0.0, 0.4),
    )  # fmt: skip
    assert jumps(outcome) == [1]


def test_piles_that_fall_on_each_other_come_to_rest():
    draw = random.Random(5)
    for _ in range(12):
        states = []
        for ball in range(6):
            at = (draw.uniform(-0.06, 0.06), draw.uniform(-0.06, 0.06), R + 2.1 * R * ball)
            states.append(BallState(ball, at, (0.0, 0.0, -draw.random())))
        outcome = kept(*states, world=OPEN)
        assert all(s.motion is Motion.REST for s in outcome.final.values())
        assert min(lowest(outcome, b) for b in range(6)) >= R - 1e-12
        assert piece_at(outcome.pieces[0], 0.0).ball == 0
