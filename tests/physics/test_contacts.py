"""What Bullet answers at a contact, and what becomes of it: closed forms, momentum, energy."""

import math
import random
from dataclasses import replace

import numpy as np
import pytest
from msgspec import structs
from panda3d.core import TransformState

from physics import layout
from physics.bed import bed_of
from physics.bullet_clusters import solve_cluster
from physics.bullet_worlds import CushionWorld, PairWorld
from physics.closed_form import answer_fine, check_answers
from physics.compiled import interpreting
from physics.cushion_law import _bounce, _bounce_off_one
from physics.geometry import build_geometry
from physics.layout import CONTACT_WIDTH, EDGE_CUSHION, EDGE_LEN, EDGE_NX, EDGE_TX, EDGE_X
from physics.material import MarlowFriction, Material
from physics.outcome import World
from physics.state import BallSpec
from physics.table import TABLES
from shared_rules.events import BallBall, Jaw, RailContact
from tests.physics.shots import NOSE, REACH, R, kinetic, of, on_bed, rolling, shoot

OPEN = World(TABLES["unbounded"])
MASS = 0.170097


def hit(world, *states):
    """The first round's contacts of balls."""
    records = of(shoot(*states, world=world), BallBall)
    return [r for r in records if r.round == records[0].round]


def test_a_frictional_hit_agrees_with_the_closed_form():
    draw = random.Random(1)
    for _ in range(100):
        v, cut = draw.uniform(0.3, 10.0), math.radians(draw.uniform(-80, 80))
        spin = [draw.uniform(-1, 1) * v / R for _ in range(3)]
        n = np.array([math.cos(cut), math.sin(cut), 0.0])
        record = hit(OPEN, on_bed(0, 0, 0, v, 0, spin), on_bed(1, *(2 * R * n[:2])))[0]
        u = np.array([v, 0, 0]) - v * n[0] * n + np.cross(spin, R * n)
        slip = np.linalg.norm(u)
        jn = 0.5 * 1.95 * MASS * v * n[0]
        mu = 9.951e-3 + 0.108 * math.exp(-1.088 * slip)
        jt = min(mu * jn, MASS * slip / 7)
        want = (jn * n + jt * u / slip) / MASS
        assert record.after[1].vel[:2] == pytest.approx(want[:2], abs=1e-5 * v)
        turned = np.cross(-R * n, jt * u / slip) / (0.4 * MASS * R * R)
        assert record.after[1].spin == pytest.approx(turned, abs=5e-5 * v / R)


def test_momentum_is_kept_to_the_last_digits():
    draw = random.Random(2)
    for _ in range(50):
        a = on_bed(0, 0, 0, 3.0, 0, [draw.uniform(-99, 99) for _ in range(3)])
        b = on_bed(1, 0.3, draw.uniform(-1.5, 1.5) * R, draw.uniform(-2, 1.0), 0.2)
        for record in of(shoot(a, b, world=OPEN), BallBall)[:1]:
            for k in (0, 1):
                before = sum(s.vel[k] for s in record.before.values())
                assert sum(s.vel[k] for s in record.after.values()) == pytest.approx(
                    before, abs=1e-14
                )


def test_unequal_balls_share_by_mass():
    spec = TABLES["uk7ft"]
    world = World(replace(TABLES["unbounded"], ball=spec.ball, cue_ball=spec.cue_ball))
    cue, ball = spec.cue_ball, spec.ball
    apart = cue.radius + ball.radius
    states = (
        structs.replace(on_bed(0, 0, 0, 2.0), pos=(0, 0, cue.radius)),
        structs.replace(
            on_bed(1, 0, 0),
            pos=(math.sqrt(apart**2 - (ball.radius - cue.radius) ** 2), 0, ball.radius),
        ),
    )
    record = hit(world, *states)[0]
    before, after = kinetic(world, record.before.values()), kinetic(world, record.after.values())
    assert 0.9 * before < after < before
    total = cue.mass * record.after[0].vel[0] + ball.mass * record.after[1].vel[0]
    assert total == pytest.approx(2.0 * cue.mass, rel=1e-12)


def test_two_balls_hit_at_once_leave_alike():
    both = hit(OPEN, on_bed(0, -0.3, 0, 2.0), on_bed(1, 0, R), on_bed(2, 0, -R))
    assert len(both) == 2
    one, two = both[0].after[1], both[1].after[2]
    assert one.vel[0] == pytest.approx(two.vel[0], abs=1e-6)
    assert one.vel[1] == pytest.approx(-two.vel[1], abs=1e-6)
    # Frictionless: each gets 2 (1 + e) v cos30 / (1 + 2 cos^2 30) / 2.
    smooth = replace(OPEN, material=Material(mu_ball=MarlowFriction.constant(0.0)))
    record = hit(smooth, on_bed(0, -0.3, 0, 2.0), on_bed(1, 0, R), on_bed(2, 0, -R))[0]
    v = math.hypot(*record.before[0].vel)
    c = math.cos(math.pi / 6)
    want = 1.95 * v * c / (1 + 2 * c * c)
    assert math.hypot(*record.after[1].vel) == pytest.approx(want, rel=1e-5)


def pair_row(n, vel, e=0.95, mu=0.05):
    row = [0.0] * CONTACT_WIDTH
    row[0:3] = [9.0, 0.0, 1.0]
    row[3:6] = n
    row[6] = sum(a * b for a, b in zip(n, vel, strict=True))
    row[7:9] = [mu, e]
    row[9:12] = vel
    return row


def test_bullet_keeps_nothing_from_contact_to_contact():
    world = PairWorld(BallSpec(), BallSpec())
    first = world.solve(pair_row([1.0, 0.0, 0.0], [2.0, 0.5, 0.0]))
    for angle in range(0, 360, 15):
        n = [math.cos(angle), math.sin(angle), 0.0]
        world.solve(pair_row(n, [5 * n[0], 5 * n[1], 1.0]))
    assert world.solve(pair_row([1.0, 0.0, 0.0], [2.0, 0.5, 0.0])) == first
    assert first[0] == pytest.approx(0.5 * 1.95 * MASS * 2.0, rel=1e-6)


def test_a_cluster_leaves_out_pairs_that_merely_touch():
    # Three balls in a triangle, 0 drives into 1 only: 2, which touches both, gets nothing.
    specs = [BallSpec()] * 3
    row = pair_row([1.0, 0.0, 0.0], [1.0, 0.0, 0.0])
    other = pair_row([0.5, math.sqrt(0.75), 0.0], [0.5, 0.8, 0.0])
    other[2] = 2.0
    answers = solve_cluster([row, other], specs)
    assert all(a[0] > 0 for a in answers) and len(answers) == 2


def test_bullet_finds_each_cushion_where_the_closed_form_says():
    table = TABLES["9ft"]
    geometry = build_geometry(table)
    tilt = (NOSE - R) / R
    for edge in geometry.edges:
        number = int(edge[EDGE_CUSHION])
        world = CushionWorld(table, BallSpec(), (number,), True)
        tangent, normal = edge[EDGE_TX : EDGE_TX + 2], edge[EDGE_NX : EDGE_NX + 2]
        for part in (0.02, 0.4, 0.98):
            foot = edge[EDGE_X : EDGE_X + 2] + part * edge[EDGE_LEN] * tangent
            centre = foot + REACH * normal
            row = [0.0] * CONTACT_WIDTH
            row[3:6] = [normal[0] * REACH / R, normal[1] * REACH / R, -tilt]
            row[6], row[8] = 2.0 * REACH / R, 0.85
            row[9:11] = list(-2.0 * normal)
            row[18] = number
            row[19:22] = [centre[0], centre[1], R]
            # Nose and bed together turn the ball round with exactly e.
            answer = world.solve([row], (number,))[0]
            assert answer == pytest.approx(1.85 * 2.0 * MASS * R / REACH, rel=2e-5)


def asked(*rows):
    """Balls, contacts and answers of a round that is posed by ``rows``; whether Bullet is asked."""
    s = np.zeros((3, layout.STATE_WIDTH))
    s[:, layout.RADIUS], s[:, layout.MASS] = R, MASS
    contacts, answers = np.array(rows), np.full((len(rows), layout.IMPULSE_WIDTH), 7.0)
    with interpreting():
        return s, contacts, answers, answer_fine(s, contacts, len(rows), answers)


def nose_row(speed=1.0, e=0.8, cushion=2):
    """Ball 0 on the bed at a nose, straight on."""
    row = pair_row([0.0, REACH / R, -(NOSE - R) / R], [0.0, -speed * R / REACH, 0.0], e)
    row[0], row[1], row[6], row[18], row[22] = layout.F_EDGE, 0.0, speed, cushion, 1.0
    return row


@pytest.mark.parametrize("e, slowly", [(1.2, False), (0.95, True)])
def test_taps_and_what_single_precision_loses_are_not_for_bullet(e, slowly):
    along = [2e-6, 1.0, 0.0] if slowly else [2e-6, 0.0, 0.0]
    _, contacts, answers, asks = asked(pair_row([1.0, 0.0, 0.0], along, e))
    assert not asks and contacts[0, layout.C_FINE] == 1.0
    assert answers[0, 1:].tolist() == [0.0, 0.0, 0.0, 0.0, 1.0]
    assert answers[0, 0] == pytest.approx((1.0 + e) * 2e-6 * 0.5 * MASS, rel=1e-15)


def test_two_cushions_are_one_problem_and_pairs_are_not():
    tap = nose_row(e=1.5)
    assert not asked(nose_row(), tap)[3]
    _, contacts, answers, asks = asked(
        pair_row([1.0, 0.0, 0.0], [1.0, 0.0, 0.0]), pair_row([0.0, 1.0, 0.0], [0.0, 1.0, 0.0], 1.2)
    )
    assert asks and contacts[:, layout.C_FINE].tolist() == [0.0, 1.0]
    assert not answers[0].any() and answers[1, layout.J_NORMAL] > 0.0


@pytest.mark.parametrize(
    "answer, kept", [(1.0 + 1e-3, False), (1.0 - 1e-3, False), (1.01, True), (0.0, False)]
)
def test_bullets_answer_at_a_nose_is_cleared_of_its_noise_and_kept_beyond(answer, kept):
    s, contacts, answers, asks = asked(nose_row())
    tilt2 = ((NOSE - R) / R) ** 2
    exact = 1.8 * MASS / (1.0 - tilt2)
    answers[0, layout.J_NORMAL] = answer * exact
    with interpreting():
        check_answers(s, contacts, 1, answers)
    # Where it saw no approach, the closed form is that of a ball that nothing else holds.
    want = answer * exact if kept else exact if answer else 1.8 * MASS
    assert asks and answers[0, layout.J_NORMAL] == pytest.approx(want, rel=1e-15)


def test_one_cushion_is_met_as_any_number_of_them_are():
    draw = random.Random(11)
    par = bed_of(TABLES["9ft"]).parameters(Material(), 0.004)
    for number in range(40):
        s, contacts, answers, _ = asked(nose_row(draw.uniform(0.1, 5.0), draw.uniform(0.0, 1.0)))
        s[0, layout.VEL : layout.VEL + 2] = draw.uniform(-3.0, 3.0), draw.uniform(-4.0, -0.1)
        s[0, layout.SPIN : layout.SPIN + 3] = [draw.uniform(-200.0, 200.0) for _ in range(3)]
        answers[0, layout.J_NORMAL] = draw.uniform(0.0, 2.0)
        both = []
        for bounce, where in ((_bounce, (0, 1)), (_bounce_off_one, (0,))):
            after = s.copy()
            with interpreting():
                bounce(after, 0, contacts, *where, answers, par, 0.99, number % 4 > 0)
            both.append(after.tobytes())
        assert both[0] == both[1] != s.tobytes()


CLOSED = World(replace(TABLES["9ft"], pockets="none"))


def bank(degrees, v, top, side=0.0, world=CLOSED):
    """State before and after a contact with the right-hand rail."""
    a = math.radians(degrees)
    spin = (top * v * math.cos(a) / R, top * v * math.sin(a) / R, side * v / R)
    ball = on_bed(0, 0.1, -0.635 + REACH, v * math.sin(a), -v * math.cos(a), spin)
    return of(shoot(ball, world=world, until=0.5), RailContact)[0]


def test_a_smooth_square_rail_gives_back_its_restitution():
    world = World(CLOSED.table, Material(e_cushion=0.8, mu_cushion=0.0, mu_slide=1e-9))
    record = bank(0.0, 2.0, 0.0, world=world)
    assert record.after[0].vel[1] == pytest.approx(1.6, rel=1e-5)
    assert record.after[0].vel[2] == 0.0


def test_no_bank_gains_energy_or_leaves_the_bed():
    draw = random.Random(10)
    for _ in range(200):
        v = draw.uniform(0.1, 8.0)
        record = bank(draw.uniform(-85, 85), v, draw.uniform(-2, 2), draw.uniform(-2, 2))
        before, after = record.before.values(), record.after.values()
        assert kinetic(CLOSED, after) <= kinetic(CLOSED, before) * (1 + 1e-12)
        assert record.after[0].vel[1] > 0.0 and record.after[0].vel[2] == 0.0


def test_a_rail_answers_alike_all_round_the_table():
    half = (1.27 - REACH, 0.635 - REACH)
    speeds = []
    for k in range(4):
        c, s = round(math.cos(k * math.pi / 2)), round(math.sin(k * math.pi / 2))
        at = (c * half[0] + s * 0.1, s * half[1] + c * 0.1)
        vel = (c * 1.5 - s * 0.8, s * 1.5 + c * 0.8)
        record = of(shoot(rolling(0, *at, *vel), world=CLOSED, until=0.5), RailContact)[0]
        x, y, _ = record.after[0].vel
        speeds.append((x * c + y * s, -x * s + y * c))
    for other in speeds[1:]:
        assert other == pytest.approx(speeds[0], abs=2e-6)
    assert speeds[2] == pytest.approx(speeds[0], abs=1e-9)


def test_jaws_are_the_rail_of_their_pocket():
    outcome = shoot(on_bed(0, 0.3, 0.3, 3.0, 0.95))
    jaws = of(outcome, Jaw)
    assert all(record.event.pocket for record in jaws)
    straight = shoot(on_bed(0, 0.0643 + 0.002, 0.3, 0.0, 2.0))
    first = next(r for r in straight.events if isinstance(r.event, Jaw | RailContact))
    assert first.event == RailContact(at=first.event.at, ball=0, rail="left")
    inside = shoot(on_bed(0, 0.0643 - 0.002, 0.3, 0.0, 2.0))
    first = next(r for r in inside.events if isinstance(r.event, Jaw | RailContact))
    assert isinstance(first.event, Jaw) and first.event.pocket == "side_left"


def test_a_pressed_ball_taps_a_bounded_number_of_times():
    # Heavy follow into two frozen balls: pressed together until the spin is gone.
    states = [on_bed(0, 0, 0, 1.0, 0, (0, 200.0, 0))]
    states += [on_bed(k, 0.2 + 2 * R * k, 0) for k in (1, 2)]
    outcome = shoot(*states, world=OPEN)
    assert len(of(outcome, BallBall)) < 150 and not outcome.cut
    for record in of(outcome, BallBall):
        mates = [r for r in outcome.events if r.round == record.round]
        if len(mates) == 1:
            before = kinetic(OPEN, record.before.values())
            assert kinetic(OPEN, record.after.values()) <= before * (1 + 1e-12)


def test_pressed_against_a_rail_too():
    ball = on_bed(0, 0.3, -0.635 + REACH + 0.01, 0.0, -0.3, (400.0, 0, 0))
    outcome = shoot(ball)
    assert len(of(outcome, RailContact)) < 150 and not outcome.cut


def test_shots_leave_nothing_behind_in_bullet():
    def balls_meet(heading):
        shoot(rolling(0, -0.3, 0.0, 3.0 * math.cos(heading), 3.0 * math.sin(heading)),
              on_bed(1, 0.3, 0.0))  # fmt: skip
        return TransformState.get_num_states()

    after = [balls_meet(0.001 * k) for k in range(40)]
    assert max(after) > 5  # the balls met
    assert max(after) < 4 * min(after)
