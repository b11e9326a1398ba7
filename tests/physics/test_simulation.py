"""The event loop: what pieces and events promise, whatever the shot."""

import math
import random
import subprocess
import sys
from pathlib import Path

import pytest

from physics.case_input import read_case
from physics.material import Material
from physics.outcome import TimedImpulse, World
from physics.simulation import simulate
from physics.state import BallState, Motion
from physics.table import TABLES
from shared_rules.balls import LAG_A, LAG_B
from shared_rules.events import (
    BallBall,
    CrossesCenterString,
    CrossesHeadString,
    CrossesLongString,
    CueStrike,
    LeavesRail,
    PlaysAway,
    Pocketed,
    RailContact,
    Rest,
    Travel,
)
from tests.physics.shots import (
    REACH,
    R,
    deepest_overlap,
    kinetic,
    largest_jump,
    of,
    on_bed,
    rolling,
    shoot,
)

ROOT = Path(__file__).resolve().parents[2]


def random_shot(draw, spec, most=16):
    """Balls anywhere on a table, the cue ball moving anyhow."""
    states = []
    for ball in range(draw.randint(2, most)):
        radius = spec.cue_ball.radius if ball == 0 else spec.ball.radius
        while True:
            x = draw.uniform(-1, 1) * (spec.length / 2 - radius)
            y = draw.uniform(-1, 1) * (spec.width / 2 - radius)
            apart = radius + spec.ball.radius
            if all(math.dist((x, y), s.pos[:2]) > apart for s in states):
                break
        states.append(BallState(ball, (x, y, radius)))
    v, heading = draw.uniform(0.2, 13.0), draw.uniform(0, 2 * math.pi)
    spin = tuple(draw.uniform(-1, 1) * v / radius for _ in range(3))
    velocity = (v * math.cos(heading), v * math.sin(heading), 0.0)
    states[0] = BallState(0, states[0].pos, velocity, spin)
    return states


@pytest.mark.parametrize("name", ["9ft", "8ft", "7ft", "uk7ft"])
def test_any_shot_ends_sanely(name):
    spec = TABLES[name]
    world, draw = World(spec), random.Random(name)
    for _ in range(25):
        states = random_shot(draw, spec)
        outcome = simulate(world, states)
        assert not outcome.cut
        ends = {s.motion for s in outcome.final.values()}
        assert ends <= {Motion.REST, Motion.POCKETED, Motion.OFF_TABLE}
        assert largest_jump(outcome) < 1e-12
        assert deepest_overlap(outcome, spec.ball.radius, 60) < 1e-9 or name == "uk7ft"
        at = [record.event.at for record in outcome.events]
        assert at == sorted(at)
        for record in outcome.events:
            if record.round is None:
                continue
            mates = [
                r
                for r in outcome.events
                if (r.event.at, r.round) == (record.event.at, record.round)
            ]
            if len(mates) == 1:
                before = kinetic(world, record.before.values())
                assert kinetic(world, record.after.values()) <= before * (1 + 1e-12)


def test_pieces_end_where_events_say():
    outcome = shoot(on_bed(0, -0.6, 0.1, 3.0, 0.4), on_bed(1, 0.4, 0.22))
    for record in outcome.events:
        for ball, state in record.after.items():
            starts = [p for p in outcome.pieces[ball] if p.start == record.event.at]
            if starts and record.round is not None:
                assert starts[-1].pos == state.pos and starts[-1].vel == state.vel
    assert outcome.pieces[1][-1].motion is Motion.REST
    assert outcome.duration == max(pieces[-1].start for pieces in outcome.pieces.values())


def test_order_of_the_balls_and_history_change_nothing():
    draw = random.Random(11)
    states = random_shot(draw, TABLES["9ft"])
    want = repr(shoot(*states))
    for _ in range(3):
        shoot(*random_shot(draw, TABLES["9ft"]))
        draw.shuffle(states)
        assert repr(shoot(*states)) == want


def test_another_process_gives_the_same_bytes():
    code = (
        "import random\n"
        "from physics.table import TABLES\n"
        "from tests.physics.test_simulation import random_shot, shoot\n"
        "print(repr(shoot(*random_shot(random.Random(3), TABLES['9ft']))))\n"
    )
    there = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True
    ).stdout.strip()
    assert there == repr(shoot(*random_shot(random.Random(3), TABLES["9ft"])))


def test_a_cut_run_says_so_and_keeps_the_present():
    outcome = shoot(rolling(0, 0.0, 0.0, 1.0), until=0.5)
    assert outcome.cut and outcome.duration == 0.5
    assert outcome.final[0].pos[0] == pytest.approx(0.5 - 0.5 * 0.0981 * 0.25)
    assert outcome.final[0].motion is Motion.ROLL
    assert not of(outcome, Rest)


def test_events_are_bounded():
    outcome = shoot(on_bed(0, -0.6, 0.1, 3.0, 0.4), on_bed(1, 0.4, 0.22), max_events=3)
    assert outcome.cut


def test_events_are_bounded_where_no_round_goes_to_bullet():
    # Balls without restitution in a bed as wide as they are: every round of theirs is settled.
    case = {
        "id": "wedge",
        "table": {"length": 4, "width": 0.5, "nose_height": 1 / 7, "pockets": "none"},
        "ball": {"radius": 0.25 / 2.8},
        "material": {"e_ball": 0, "e_cushion": 0.9},
        "balls": {str(k): {"pos": [0, (k - 1) * 0.5 / 2.8]} for k in range(3)},
        "strike": {"speed": 8, "heading_deg": -90, "tip": [0.2, 0.3]},
    }  # fmt: skip
    posed = read_case(case)
    outcome = simulate(posed.world, posed.states, posed.impulses, max_events=200)
    assert outcome.cut and 200 < len(outcome.events) <= 250


def test_what_still_moves_when_nothing_comes_for_hours_is_cut():
    world = World(TABLES["unbounded"], Material(mu_roll=1e-300))
    outcome = shoot(rolling(0, 0.0, 0.0, 1.0), world=world, until=5.0)
    assert outcome.cut and outcome.duration == 5.0
    assert outcome.final[0].motion is Motion.ROLL
    assert outcome.final[0].pos[0] == pytest.approx(5.0)


def test_a_stroke_after_the_end_is_refused():
    with pytest.raises(ValueError, match=r"until, 0\.3 s"):
        shoot(on_bed(0, 0, 0), impulses=[strike(0, 0.4, 1.0)], until=0.3)


def test_strings_are_crossed_by_the_centre_strictly_beyond():
    outcome = shoot(rolling(0, -0.635, 0.0, 2.0, 0.1))
    heads = of(outcome, CrossesHeadString)
    assert heads[0].event == CrossesHeadString(at=0.0, ball=0, dir="out")
    assert [h.event.dir for h in heads[:2]] in (["out"], ["out", "in"])
    assert of(outcome, CrossesLongString)[0].event.at == 0.0
    crossing = of(outcome, CrossesCenterString)[0]
    assert crossing.event.dir == "out"
    assert crossing.before[0].pos[0] == pytest.approx(0.0, abs=1e-12)
    # Exactly up to the string and back is no crossing.
    radius_run = shoot(rolling(0, 0.1, 0.3, -math.sqrt(2 * 0.0981 * 0.1)))
    assert not of(radius_run, CrossesCenterString)


def test_a_ball_frozen_to_a_rail():
    into = shoot(on_bed(0, 0.3, -0.635 + REACH, 0.0, -2.0))
    assert of(into, RailContact)[0].event.still_frozen
    assert of(into, LeavesRail)[0].event.rail == "right"
    assert not of(into, RailContact)[1].event.still_frozen
    along = shoot(rolling(0, 0.3, -0.635 + REACH, -0.2))
    assert not of(along, RailContact) and not of(along, LeavesRail)


def strike(ball, at, vx, vy=0.0):
    return TimedImpulse(ball, at, (vx, vy, 0.0), (0.0, 0.0, 0.0), (CueStrike(at=at, ball=ball),))


def test_a_touching_pair_struck_into_and_away():
    balls = on_bed(0, 0, 0), on_bed(1, 2 * R, 0), on_bed(2, -2 * R, 0)
    outcome = shoot(*balls, impulses=[strike(0, 0.5, 1.0, 0.1)])
    assert isinstance(outcome.events[0].event, CueStrike)
    assert outcome.events[1].event == PlaysAway(at=0.5, b=2)
    hits = of(outcome, BallBall)
    assert hits[0].event == BallBall(at=0.5, a=0, b=1, frozen_start=True)
    travel = {r.event.ball: r.event.mm for r in of(outcome, Travel)}
    assert 0 < travel[0] < 0.5 * travel[1]
    near = shoot(on_bed(0, 0, 0), on_bed(1, 2 * R + 0.02, 0), impulses=[strike(0, 0.0, 1.0)])
    assert not of(near, Travel) and not of(near, BallBall)[0].event.frozen_start


def test_ties_of_the_cue_ball():
    both = shoot(on_bed(0, -0.3, 0, 2.0), on_bed(1, 0, R), on_bed(2, 0, -R))
    assert [r.event.tie for r in of(both, BallBall)[:2]] == [1, 1]
    later = shoot(on_bed(0, -0.3, 0, 2.0), on_bed(1, 0, R), on_bed(2, 0.01, -R))
    assert of(later, BallBall)[0].event.tie is None
    # A ball that another drove into the cue ball is in no tie.
    driven = shoot(on_bed(0, -0.3, 0, 2.0), on_bed(1, 0, 0), on_bed(2, 2 * R, 0))
    assert all(r.event.tie is None for r in of(driven, BallBall))


def test_a_lag_has_two_strokes_and_two_rests():
    balls = BallState(LAG_A, (-0.635, 0.3, R)), BallState(LAG_B, (-0.635, -0.3, R))
    outcome = shoot(*balls, impulses=[strike(LAG_B, 0.4, 2.3), strike(LAG_A, 0.0, 2.2)])
    assert [r.event.at for r in of(outcome, CueStrike)] == [0.0, 0.4]
    rests = of(outcome, Rest)
    assert [r.event.ball for r in rests] == [LAG_A, LAG_B]
    for record in rests:
        x = outcome.final[record.event.ball].pos[0]
        assert record.event.gap_to_head_cushion_mm == pytest.approx(1000 * (x + 1.27 - REACH))
        assert record.event.at == outcome.duration


def test_pocketed_balls_fall_and_are_gone():
    outcome = shoot(rolling(3, 1.0, 0.375, 1.0, 1.0))
    assert outcome.pockets == {3: "foot_left"}
    last, falling = outcome.pieces[3][-1], outcome.pieces[3][-2]
    assert (last.motion, last.pocket) == (Motion.POCKETED, "foot_left")
    assert falling.motion is Motion.AIR and falling.acc[2] == -9.81
    assert of(outcome, Pocketed)[0].event.pocket == "foot_left"
    assert outcome.final[3].pos[2] < 0.0


def test_a_rack_at_rest_stays_there():
    states = [
        on_bed(1 + row * (row + 1) // 2 + k, 0.635 + row * R * math.sqrt(3), (2 * k - row) * R)
        for row in range(5)
        for k in range(row + 1)
    ]
    outcome = shoot(*states, on_bed(0, -0.635, 0.0))
    assert outcome.duration == 0.0
    assert [type(record.event) for record in outcome.events] == [Rest]
    assert all(outcome.final[s.ball].pos == s.pos for s in states)
