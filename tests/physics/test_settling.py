"""Touching balls that push each other about: settled as one problem, soon, and without energy."""

import math
import os
import random
from dataclasses import replace

import numpy as np
import pytest
from msgspec import structs

from physics import layout
from physics.ball_contact import apply_pairs
from physics.case_input import CaseError
from physics.case_placing import check_placing
from physics.material import MarlowFriction, Material
from physics.outcome import World
from physics.plastic_impact import least_impulses, parting, put_impulse, velocities
from physics.simulation import simulate
from physics.table import TABLES
from shared_rules.events import BallBall
from tests.physics.shots import REACH, R, deepest_overlap, kinetic, of, on_bed, shoot
from tests.physics.test_hard_cases import most_gained

SOAK = os.environ.get("HEADSTRING_SOAK") == "1"
FOOT, LEFT = 1.27 - REACH, 0.635 - REACH
SMOOTH = MarlowFriction.constant(0.0)


def line(count, first=-0.3, way=2 * R):
    """Frozen balls on the long string, the first at ``first``."""
    return [on_bed(1 + k, first + way * k, 0.0) for k in range(count)]


def rounds_at_once(outcome):
    """Most rounds of contacts at one instant."""
    instants = {}
    for record in outcome.events:
        if record.round is not None:
            instants.setdefault(record.event.at, set()).add(record.round)
    return max((len(rounds) for rounds in instants.values()), default=0)


@pytest.mark.parametrize("count", [3, 7, 14])
def test_a_line_that_gives_nothing_back_moves_on_as_one(count):
    # Momentum alone says how fast: the last ball would be reached by ever smaller steps.
    material = Material(e_ball=0.0, mu_ball=SMOOTH, mu_slide=1e-6, mu_roll=1e-6)
    world = World(TABLES["9ft"], material)
    outcome = shoot(on_bed(0, -0.5, 0.0, 3.0), *line(count), world=world, until=0.2)
    hit = of(outcome, BallBall)[0]
    fast = hit.before[0].vel[0] / (count + 1)
    after = {}
    for record in outcome.events:
        if record.event.at == hit.event.at:
            after |= record.after
    assert len(after) == count + 1
    assert [s.vel[0] for s in after.values()] == pytest.approx([fast] * (count + 1), rel=1e-8)
    assert rounds_at_once(outcome) < 40


@pytest.mark.parametrize("count", [1, 7, 12])
def test_a_line_at_a_dead_rail_stops_at_once(count):
    material = Material(e_ball=0.0, e_cushion=0.0, mu_ball=SMOOTH, mu_cushion=0.0)
    world = World(TABLES["9ft"], material)
    frozen = line(count, FOOT, -2 * R)
    outcome = shoot(on_bed(0, 0.2, 0.0, 1.0), *frozen, world=world, until=1.5)
    for ball, state in outcome.final.items():
        if ball:
            assert state.pos == pytest.approx(frozen[ball - 1].pos, abs=1e-6)
    assert rounds_at_once(outcome) < 40 and len(outcome.events) < 600


@pytest.mark.parametrize("e", [0.0, 0.3, 0.7, 0.95])
@pytest.mark.parametrize("topspin", [-3.0, 0.0, 3.0])
def test_what_presses_on_a_line_at_a_rail_comes_to_an_end(e, topspin):
    world = World(TABLES["9ft"], Material(e_ball=e))
    states = [on_bed(0, 0.4, 0.0, 3.0, 0.0, (0.0, topspin * 3.0 / R, 0.0)), *line(7, FOOT, -2 * R)]
    outcome = shoot(*states, world=world)
    assert not outcome.cut and len(outcome.events) < 4000
    assert most_gained(world, outcome) <= 1e-12 * (1.0 + kinetic(world, states))
    assert deepest_overlap(outcome, R, 60, math.inf) < 1e-8


def test_a_blow_runs_through_a_line_before_anything_is_settled():
    # Balls as they are: the line hands the blow on, whatever the rounds it takes.
    outcome = shoot(on_bed(0, -0.5, 0.0, 3.0), *line(9))
    hit = of(outcome, BallBall)[0]
    last = [r for r in of(outcome, BallBall) if r.event.at == hit.event.at and 9 in r.after][-1]
    want = (0.5 * (1.0 + Material().e_ball)) ** 9 * hit.before[0].vel[0]
    assert last.after[9].vel[0] == pytest.approx(want, rel=1e-3)


@pytest.mark.parametrize("parting", [1e-9, 1e-3, 1.0])
def test_impulses_on_what_parts_already_make_no_energy(parting):
    # Bullet's single precision can give a pair that hardly parts a push of 1e-9 and more.
    rows = np.zeros((2, layout.STATE_WIDTH))
    rows[:, layout.MASS], rows[:, layout.RADIUS] = 0.17, R
    rows[1, layout.POS], rows[1, layout.VEL] = 2 * R, parting
    contacts, answers = np.zeros((1, layout.CONTACT_WIDTH)), np.zeros((1, layout.IMPULSE_WIDTH))
    contacts[0, layout.C_KIND], contacts[0, layout.C_B] = layout.F_PAIR, 1
    contacts[0, layout.C_N] = 1.0
    answers[0, layout.J_NORMAL] = 1e-6
    apply_pairs(rows, contacts, 1, answers)
    assert rows[1, layout.VEL] == parting and rows[0, layout.VEL] == 0.0


SLIPPED = [
    # A frozen line, a ball that is sent at it with thrice the roll, and the most events.
    (9, 10.0, 3.0, {"e_ball": 0.5, "e_cushion": 1.0}, 4500),
    (6, 10.0, 1.0, {"e_ball": 0.3, "mu_cushion": 0.2}, 2000),
]


@pytest.mark.parametrize(("count", "speed", "roll", "material", "most"), SLIPPED)
def test_a_slip_that_the_cloth_takes_is_no_chain_of_contacts(count, speed, roll, material, most):
    """As each slip ended its ball met the next, with 2/7 of it: 100 rounds at one instant."""
    world = World(TABLES["9ft"], Material(mu_ball=SMOOTH, mu_slide=1.0, **material))
    cue_ball = on_bed(0, -0.45, 0.0, speed, 0.0, (0.0, roll * speed / R, 0.0))
    states = [cue_ball, *line(count)]
    outcome = simulate(world, states)
    assert not outcome.cut and len(outcome.events) < most
    assert rounds_at_once(outcome) < 40
    assert most_gained(world, outcome) <= 1e-12 * (1.0 + kinetic(world, states))


def heap(draw, count):
    """Touching balls in a triangle, moving anyhow, as rows of the engine's arrays."""
    rows = [(row, k) for row in range(6) for k in range(row + 1)][:count]
    s = np.zeros((count, layout.STATE_WIDTH))
    for i, (row, k) in enumerate(rows):
        s[i, layout.POS : layout.POS + 2] = row * R * math.sqrt(3), (2 * k - row) * R
        s[i, layout.VEL : layout.VEL + 2] = draw.uniform(-9.0, 9.0), draw.uniform(-9.0, 9.0)
    s[:, layout.RADIUS] = R
    s[:, layout.MASS] = [draw.choice([0.17, 0.17, 0.1, 1.0]) for _ in rows]
    contacts = np.zeros((3 * layout.ROUND_ROWS, layout.CONTACT_WIDTH))
    number = 0
    for i in range(count):
        for j in range(i + 1, count):
            apart = s[j, layout.POS : layout.POS + 3] - s[i, layout.POS : layout.POS + 3]
            if np.linalg.norm(apart) < 2 * R + 1e-9:
                contacts[number, : layout.C_N + 3] = (layout.F_PAIR, i, j, *(apart / (2 * R)))
                number += 1
    for i in range(count - 3, count):  # the last ones stand at a cushion
        contacts[number, : layout.C_N + 3] = (layout.F_EDGE, i, 0, -1.0, 0.0, 0.0)
        number += 1
    return s, contacts, number


def test_impulses_hold_apart_what_approaches_and_pull_nothing():
    """Moreau's law to the last digits, in heaps where more contacts push than must."""
    draw = random.Random(8)
    for count in (5, 9, 14, 21) * 10:
        s, contacts, number = heap(draw, count)
        vel, normal = velocities(s), np.zeros(number)
        wanted = np.array([draw.choice([0.0, 0.0, 0.01]) for _ in range(number)])
        least_impulses(s, vel, contacts, number, wanted, normal)
        spare = np.array([parting(vel, contacts, k) for k in range(number)]) - wanted
        assert spare.min() > -1e-8 and normal.min() >= 0.0
        assert np.abs(spare * normal).max() < 1e-8
        again = velocities(s)
        for k in range(number):
            put_impulse(s, again, contacts, k, normal[k])
        assert again == pytest.approx(vel, abs=1e-11)


def draw_pose(draw):
    """Two to fifteen touching balls somewhere, of any material; one moves, or comes from outside.

    Returns the world and the states of a pose that a case may have.
    """
    while True:
        spots = _spots(draw)
        states = [on_bed(i, x, y) for i, (x, y) in enumerate(spots)]
        if draw.random() < 0.15:
            x, y = spots[0]
            above = draw.uniform(-0.02, 0.02), draw.uniform(-0.02, 0.02), 3 * R
            spin = tuple(draw.uniform(-100, 100) for _ in range(3))
            top = on_bed(len(states), x + above[0], y + above[1], 0.0, 0.0, spin)
            states.append(structs.replace(top, pos=(top.pos[0], top.pos[1], above[2])))
        speed, turn = draw.choice([0.0, 1e-3, 0.1, 1.0, 3.0, 6.0, 10.0]), draw.uniform(0, 7)
        if draw.random() < 0.7:
            x, y = min(spots)
            states.append(on_bed(len(states), x - 0.15, y))
            turn = draw.choice([0.0, 0.0, draw.uniform(-0.3, 0.3)])
        mover = states.pop()
        roll = draw.choice([0.0, 1.0, 3.0, -1.0, -3.0]) * max(speed, 1.0) / R
        spin = (-roll * math.sin(turn), roll * math.cos(turn), draw.choice([0.0, 150.0, -150.0]))
        vel = (speed * math.cos(turn), speed * math.sin(turn), 0.0)
        states.append(structs.replace(mover, vel=vel, spin=spin))
        world = World(TABLES["9ft"], _material(draw))
        try:
            check_placing(world, states)
        except CaseError:
            continue
        return world, states


def _material(draw):
    material = Material(
        e_ball=draw.choice([0.0, 0.1, 0.3, 0.5, 0.7, 0.9, 0.95, 1.0]),
        e_cushion=draw.choice([None, 0.0, 0.5, 1.0]),
        mu_cushion=draw.choice([0.0, 0.14, 0.2, 1.0]),
        mu_slide=draw.choice([0.2, 0.2, 0.05, 1.0]),
    )
    mu = draw.choice([None, 0.0, 0.05, 0.3, 1.0])
    return material if mu is None else replace(material, mu_ball=MarlowFriction.constant(mu))


def _spots(draw):
    """Places of touching balls: lines, lines from a rail, racks, heaps in corners and mouths."""
    count = draw.randint(2, 15)
    kind = draw.choice(["line", "line at a rail", "rack", "open", "rail", "corner", "side"])
    if kind == "line":
        turn = draw.choice([0.0, math.pi / 4, draw.uniform(0, 7)])
        step = 2 * R * math.cos(turn), 2 * R * math.sin(turn)
        return [(-0.3 + step[0] * k, -0.2 + step[1] * k) for k in range(count)]
    if kind == "line at a rail":
        if draw.random() < 0.5:
            return [(FOOT - 2 * R * k, 0.1) for k in range(count)]
        return [(0.3, LEFT - 2 * R * k) for k in range(count)]
    if kind == "rack":
        rows = ((row, k) for row in range(5) for k in range(row + 1))
        spots = [(-0.2 + row * R * math.sqrt(3), (2 * k - row) * R) for row, k in rows]
        return spots[:count]
    start = {"open": (0, 0), "rail": (0.4, -LEFT), "corner": (1.21, 0.575), "side": (0, 0.615)}
    spots = [start[kind]]
    for _ in range(200):
        x, y = draw.choice(spots)
        turn = draw.choice([draw.randrange(6) * math.pi / 3, draw.uniform(0, 7)])
        x, y = x + 2 * R * math.cos(turn), y + 2 * R * math.sin(turn)
        inside = abs(x) <= FOOT and abs(y) <= LEFT
        if inside and all(math.dist((x, y), s) >= 2 * R - 1e-14 for s in spots):
            spots.append((x, y))
        if len(spots) == count:
            break
    return spots


def test_hardly_any_pose_takes_thousands_of_events():
    draw, most = random.Random(11), []
    for _ in range(3000 if SOAK else 60):
        world, states = draw_pose(draw)
        outcome = simulate(world, states)
        assert most_gained(world, outcome) <= 1e-12 * (1.0 + kinetic(world, states))
        most.append(len(outcome.events))
    # A nine-ball break has 130; 3000 take a tenth of a second.  What is cut has 20,000.
    assert sum(events > 5_000 for events in most) <= len(most) // 100
    assert sum(events > 10_000 for events in most) <= len(most) // 500


@pytest.mark.parametrize(("number", "most"), [(78, 1000), (111, 500), (363, 1500)])
def test_poses_that_tapped_without_end_or_gained_by_a_roll(number, most):
    """111: driven by friction into a ball beside it, one on a pocket's edge met both by turns."""
    draw = random.Random(11)
    *_, (world, states) = (draw_pose(draw) for _ in range(number + 1))
    outcome = simulate(world, states)
    assert not outcome.cut and len(outcome.events) < most
    assert most_gained(world, outcome) <= 1e-12 * (1.0 + kinetic(world, states))


def test_what_jams_for_long_is_held_by_the_cloth():
    # Fifteen balls, mu_ball 0.3: after a millisecond this pose had 2000 rounds at one instant.
    draw = random.Random(3)
    *_, (world, states) = (draw_pose(draw) for _ in range(745))
    outcome = simulate(world, states)
    assert not outcome.cut and len(outcome.events) < 10_000
    assert most_gained(world, outcome) <= 1e-12 * (1.0 + kinetic(world, states))
