"""Shots that are hard on the engine: pressing clusters, very slow and very long runs, threads."""

import math
import os
import random
import sys
import threading
from dataclasses import replace

import pytest

from physics.layout import LONGEST_RUN
from physics.material import MarlowFriction, Material
from physics.outcome import World
from physics.simulation import simulate
from physics.table import TABLES
from shared_rules.events import (
    BallBall,
    CrossesCenterString,
    CrossesLongString,
    Pocketed,
    RailContact,
    RailTop,
)
from tests.physics.shots import REACH, R, deepest_overlap, kinetic, of, on_bed, rolling, shoot
from tests.physics.test_simulation import random_shot

SOAK = os.environ.get("HEADSTRING_SOAK") == "1"
NINE_FOOT = TABLES["9ft"]


def most_gained(world, outcome):
    """Greatest energy that a round of contacts gave to the balls that it involved (J)."""
    rounds = {}
    for record in outcome.events:
        if record.round is not None:
            before, after = rounds.setdefault(record.round, ({}, {}))
            before.update(record.before)
            after.update(record.after)
    return max(
        (kinetic(world, a.values()) - kinetic(world, b.values()) for b, a in rounds.values()),
        default=0.0,
    )


def cluster(draw):
    """Touching balls, in places against a rail; one of them moves, from hardly to very fast."""
    along = draw.random() < 0.4
    spots = [(draw.uniform(-0.6, 0.6), -0.635 + REACH if along else draw.uniform(-0.3, 0.3))]
    for _ in range(draw.randint(1, 14)):
        for _ in range(60):
            x, y = draw.choice(spots)
            turn = draw.choice([draw.randrange(6) * math.pi / 3, draw.uniform(0, 2 * math.pi)])
            apart = 2 * R + draw.choice([0.0, 0.0, 1e-9, 1e-7])
            x, y = x + apart * math.cos(turn), y + apart * math.sin(turn)
            clear = all(math.dist((x, y), s) >= 2 * R - 1e-15 for s in spots)
            if abs(x) < 1.27 - REACH and abs(y) <= 0.635 - REACH and clear:
                spots.append((x, y))
                break
    states = [on_bed(i, x, y) for i, (x, y) in enumerate(spots)]
    k, v, turn = draw.randrange(len(states)), 10.0 ** draw.uniform(-8, 1.5), draw.uniform(0, 7)
    spin = tuple(draw.uniform(-1, 1) * draw.choice([0.0, v / R, 100.0]) for _ in range(3))
    states[k] = on_bed(k, *spots[k], v * math.cos(turn), v * math.sin(turn), spin)
    return states


MATERIALS = (
    Material(),
    Material(e_ball=1.0, e_cushion=1.0, mu_ball=MarlowFriction.constant(0.0), mu_cushion=0.0),
    Material(e_ball=0.0, e_cushion=0.0),
    Material(mu_slide=5.0, mu_ball=MarlowFriction.constant(2.0), mu_cushion=2.0),
    Material(mu_slide=1e-3, mu_roll=1e-4, g=0.5),
)


@pytest.mark.parametrize("number", range(len(MATERIALS)))
def test_clusters_end_and_make_no_energy(number):
    draw, world = random.Random(number), World(NINE_FOOT, MATERIALS[number])
    for _ in range(400 if SOAK else 60):
        states = cluster(draw)
        outcome = simulate(world, states, max_events=8000)
        assert not outcome.cut or outcome.duration == 120.0
        energy = kinetic(world, states)
        assert most_gained(world, outcome) <= 1e-12 + 1e-12 * energy
        assert deepest_overlap(outcome, R, 40, math.inf, level=True) < 1e-8
        # Much friction lifts balls onto each other: docs/engine.md says how far they are let in.
        assert deepest_overlap(outcome, R, 40, math.inf) < 2.5e-5


def test_a_tap_on_a_ball_that_climbs_the_edge_of_a_pocket_makes_no_energy():
    # The edge bore it up at the speed it climbed with, 0.9 uJ a tap.
    draw, world = random.Random(3), World(NINE_FOOT, MATERIALS[3])
    states = [cluster(draw) for _ in range(73)][-1]
    outcome = simulate(world, states, max_events=8000)
    assert most_gained(world, outcome) <= 1e-12 + 1e-12 * kinetic(world, states)


def test_a_ball_that_hardly_moves_taps_nobody_for_long():
    # Too slow to have the energy of a tap: it used to be given it.
    world = World()
    for speed in (1e-8, 1e-6, 1e-4, 3e-3):
        states = [on_bed(0, 0, 0, speed, 0.3 * speed), on_bed(1, 2 * R, 0), on_bed(2, 0, 2 * R)]
        outcome = simulate(world, states)
        assert len(outcome.events) < 100
        assert most_gained(world, outcome) <= 1e-13


def test_pressing_along_a_dead_cushion_comes_to_an_end():
    world = World(material=Material(e_cushion=0.0))
    outcome = shoot(on_bed(0, 0.2, -0.635 + REACH, 2.0, 0.0, (0.01, 6.0, 4.0)), world=world)
    assert not outcome.cut and len(of(outcome, RailContact)) < 200


def test_a_ball_that_hardly_leans_on_a_dead_cushion_comes_away():
    # Its approach, 3e-9 m/s, has less energy than the last digit of its own: the contact changed
    # nothing and came again at the same instant, 20,000 times.
    world = World(material=Material(e_cushion=0.0, mu_cushion=2.0, mu_roll=0.1))
    ball = on_bed(0, 0.909589744129646, 0.635 - REACH, 0.1975342014125051, 3.186437968569124e-09,
                  (-1.1151138997617231e-07, 6.912832945319514, 9.117935047532931))  # fmt: skip
    outcome = shoot(ball, world=world)
    assert not outcome.cut and len(outcome.events) < 50
    assert outcome.final[0].pos[1] <= 0.635 - REACH + 1e-9


def test_what_comes_after_half_a_minute_is_met():
    world = World(material=Material(mu_roll=1e-5))
    outcome = shoot(rolling(0, -0.5, 0.2, 0.02), on_bed(1, 0.5, 0.2), world=world, until=200.0)
    assert of(outcome, BallBall)[0].event.at > 40.0
    railed = shoot(rolling(0, 0.0, 0.2, 0.03), world=world, until=200.0)
    assert of(railed, RailContact)[0].event.at > 40.0
    assert abs(railed.final[0].pos[0]) <= 1.27 - REACH + 1e-9


def test_how_long_a_run_may_last_is_said():
    for until in (-1.0, 2.0 * LONGEST_RUN, math.nan):
        with pytest.raises(ValueError, match="until"):
            shoot(on_bed(0, 0.0, 0.0), until=until)


@pytest.mark.parametrize(
    ("sizes", "start", "way"),
    [({"corner_shelf": 0.15}, (1.0, 0.365), (0.7, 0.7)), ({"side_shelf": 0.14}, (0, 0.2), (0, 1))],
)
def test_nothing_rolls_out_behind_the_cushions(sizes, start, way):
    world = World(replace(NINE_FOOT, **sizes))
    for speed in (0.5, 2.0, 9.0):
        ball = rolling(0, *start, speed * way[0], speed * way[1])
        outcome = shoot(ball, world=world)
        # A hard one may come off the liner, up the slate's edge and over the wood.
        assert of(outcome, Pocketed) or (speed == 9.0 and of(outcome, RailTop))


def test_a_hole_wider_than_its_mouth_is_met_on_the_bed():
    table = replace(NINE_FOOT, corner_mouth=0.3, corner_shelf=0.0)
    outcome = shoot(rolling(0, 0.6, 0.0, 0.77, 0.69), world=World(table))
    assert outcome.pockets == {0: "foot_left"}


def test_rounding_crosses_no_string():
    # A cue ball, a line of three and the far rail, all on the long string.
    line = [on_bed(k, 0.3 + 2 * R * k, 0.0) for k in (1, 2, 3)]
    outcome = shoot(on_bed(0, -0.6, 0.0, 4.0), *line)
    assert of(outcome, BallBall) and of(outcome, RailContact)
    early = [r for r in of(outcome, CrossesLongString) if abs(r.before[r.event.ball].pos[1]) > 1e-6]
    assert not early
    wandering = {
        ball
        for ball, pieces in outcome.pieces.items()
        if max(abs(piece.pos[1]) for piece in pieces) <= 1e-6
    }
    assert wandering and not {r.event.ball for r in of(outcome, CrossesLongString)} & wandering


@pytest.mark.parametrize(("past", "counts"), [(5e-7, False), (2e-6, True), (1e-3, True)])
def test_a_string_is_crossed_by_more_than_a_micrometre(past, counts):
    run = 0.1 + past
    outcome = shoot(rolling(0, 0.1, 0.3, -math.sqrt(2 * 0.0981 * run)))
    crossings = of(outcome, CrossesCenterString)
    assert len(crossings) == counts
    if counts:
        # At the instant at which it passes the line itself.
        assert crossings[0].before[0].pos[0] == pytest.approx(0.0, abs=1e-12)


def test_a_crossing_may_be_spread_over_pieces():
    # Past the line by half a micrometre it is hit from behind: the crossing is the first passing.
    stop = 0.1 + 5e-7
    states = [
        rolling(0, 0.1, 0.3, -math.sqrt(2 * 0.0981 * stop)),
        rolling(1, 1.1, 0.3, -0.7),
    ]
    outcome = shoot(*states)
    hit = of(outcome, BallBall)[0].event.at
    (crossing,) = of(outcome, CrossesCenterString, 0)[:1]
    assert crossing.event.at < hit and crossing.event.dir == "in"
    assert crossing.before[0].pos[0] == pytest.approx(0.0, abs=1e-12)


def test_threads_disturb_nobody():
    def shots(seed):
        draw = random.Random(seed)
        return [random_shot(draw, NINE_FOOT) for _ in range(8)]

    want = {seed: [repr(shoot(*states)) for states in shots(seed)] for seed in range(4)}
    got: dict[int, list[str]] = {}
    errors = []

    def work(seed):
        try:
            got[seed] = [repr(shoot(*states)) for states in shots(seed)]
        except Exception as error:
            errors.append(error)

    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    try:
        threads = [threading.Thread(target=work, args=(seed,)) for seed in want]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    finally:
        sys.setswitchinterval(interval)
    assert not errors and got == want
