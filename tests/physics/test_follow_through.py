"""The tip as a body after the blow: second contacts, pushes, what stands in its way."""

import math

import pytest

from physics.outcome import World
from physics.simulation import simulate
from physics.state import BallState
from physics.strike import CueSpec, Stroke, StrokeError, check_stroke, impulse_of
from physics.table import TABLES
from shared_rules.events import (
    BallBall,
    CueRecontact,
    EquipmentContact,
    LongTipContact,
    TipOnCueAtContact,
)
from shared_rules.facts import facts_of
from shared_rules.nine_ball import Situation, judge_shot
from shared_rules.ruleset import make_ruleset
from tests.physics.shots import R, kinetic, of, on_bed

BED = World(TABLES["unbounded"])
CUE = CueSpec()


def play(stroke, *balls, world=BED, cue=CUE):
    return simulate(world, balls, (impulse_of(stroke, cue, world.spec(0)),))


def pair(gap, aside=0.0):
    """The cue ball at the middle, a ball ahead of it, ``aside`` off the line."""
    reach = 2 * R + gap
    return on_bed(0, 0.0, 0.0), on_bed(1, math.sqrt(reach**2 - aside**2), aside)


def fouls(outcome, codes="nine_ball_wpa", touching=()):
    """Codes that the rules find in a shot at the 1."""
    events = [record.event for record in outcome.events]
    facts = facts_of(events, frozen_to_cue=frozenset(touching))
    ruleset = make_ruleset(codes)
    situation = Situation(ruleset=ruleset, on_table=frozenset({1, 9}))
    return {foul.code for foul in judge_shot(facts, situation).fouls}


def test_a_firm_stroke_at_a_ball_five_millimetres_away_is_a_double_hit():
    outcome = play(Stroke(2.0, 0.0), *pair(0.005))
    (again,) = of(outcome, CueRecontact)
    # The tip has 2 - 2.66 m/M = 1.16 m/s left and 5 mm to go.
    assert again.event.at == pytest.approx(again.before[0].pos[0] / 1.16, rel=0.03)
    assert again.after[0].vel[0] > 20 * again.before[0].vel[0]
    assert "6.7" in fouls(outcome)
    assert not of(outcome, TipOnCueAtContact)


def test_a_draw_that_comes_back_into_the_tip_is_a_double_hit():
    outcome = play(Stroke(1.5, 0.0, tip=(0.0, -0.4), follow_through=0.1), *pair(0.098))
    (again,) = of(outcome, CueRecontact)
    assert again.before[0].vel[0] < 0.0  # on its way back
    assert "6.7" in fouls(outcome)


@pytest.mark.parametrize(
    "stroke",
    [
        Stroke(0.15, 0.0),  # soft: the cue stops before it
        Stroke(2.0, 0.0, follow_through=0.004),  # held short
        Stroke(2.0, 0.0, elevation_deg=40.0),  # steep: the bed throws the cue back
    ],
)
def test_a_cue_that_does_not_come_so_far_hits_once(stroke):
    outcome = play(stroke, *pair(0.005))
    assert of(outcome, BallBall) and not of(outcome, CueRecontact)
    assert "6.7" not in fouls(outcome)


def test_a_ball_that_comes_back_from_a_near_cushion_meets_the_tip():
    world = World(TABLES["9ft"])
    near = 0.5 * world.table.width - 0.05
    outcome = play(Stroke(2.0, 90.0), on_bed(0, 0.3, near), world=world)
    (again,) = of(outcome, CueRecontact)
    assert again.before[0].vel[1] < 0.0 < again.after[0].vel[1]


@pytest.mark.parametrize("gap", [0.0, 5e-5])
def test_a_frozen_ball_may_be_played_into(gap):
    outcome = play(Stroke(2.0, 0.0), *pair(gap))
    for kind in (CueRecontact, TipOnCueAtContact, LongTipContact):
        assert not of(outcome, kind)
    assert of(outcome, BallBall)[0].event.frozen_start
    # The tip goes on pushing: the cue ball does not stop dead as it would on its own.
    pushed = outcome.pieces[0][-2].vel[0] if gap else outcome.pieces[0][3].vel[0]
    assert pushed > 0.5
    assert not {"6.7", "6.8"} & fouls(outcome, touching=(1,))
    assert not {"5g", "5h"} & fouls(outcome, "nine_ball_epbf", touching=(1,))


@pytest.mark.parametrize("gap, pushed", [(2e-4, True), (1.9e-3, True), (2.1e-3, False)])
def test_the_tip_is_still_on_the_cue_ball_when_a_very_near_one_is_met(gap, pushed):
    # v T / 2 = 2.66 m/s x 0.75 ms = 2.0 mm (REFERENCES 5: contacts of 1 to 2 ms).
    outcome = play(Stroke(2.0, 0.0), *pair(gap))
    told = of(outcome, TipOnCueAtContact)
    assert [record.event.b for record in told] == ([1] if pushed else [])
    assert "6.7" in fouls(outcome)  # the further one is met by the tip a second time
    if pushed:
        kinds = [type(record.event) for record in outcome.events]
        assert kinds.index(TipOnCueAtContact) < kinds.index(BallBall)


def test_a_very_near_ball_that_is_only_grazed_is_fair():
    outcome = play(Stroke(2.0, 0.0), *pair(2e-4, aside=2 * R * math.sin(math.radians(80.0))))
    (told,) = of(outcome, TipOnCueAtContact)
    assert told.event.graze
    assert not of(outcome, CueRecontact)
    assert "6.7" not in fouls(outcome)


def test_a_dead_tip_far_off_centre_pushes():
    # The centre leaves the tip behind only if rho² < 2/5 e (1 + m/M): 0.16 against 0.105.
    pushed = play(Stroke(1.0, 0.0, tip=(0.0, 0.4)), on_bed(0, 0.0, 0.0), cue=CueSpec(e_tip=0.2))
    assert of(pushed, LongTipContact) and "6.8" in fouls(pushed)
    sound = play(Stroke(1.0, 0.0, tip=(0.0, 0.5)), on_bed(0, 0.0, 0.0))
    assert not of(sound, LongTipContact)


def test_a_contact_longer_than_the_ruleset_allows_is_told():
    impulses = (impulse_of(Stroke(2.0, 0.0), CUE, BED.spec(0)),)
    # A second push at once: the contact of 1.5 ms begins anew.
    for limit, told in ((0.001, 1), (0.004, 0)):
        outcome = simulate(BED, pair(0.0), impulses, long_contact=limit)
        assert len(of(outcome, LongTipContact)) == told


def test_a_tip_met_later_by_another_ball_is_told_and_hits_it():
    # Ball 1 rolls across the line just behind the cue ball that has left.
    crossing = BallState(1, (-0.02, -0.075, R), (0.0, 2.0, 0.0), (-2.0 / R, 0.0, 0.0))
    outcome = play(Stroke(2.0, 0.0), on_bed(0, 0.0, 0.0), crossing)
    (met,) = of(outcome, EquipmentContact)
    assert (met.event.by, met.event.ball) == ("tip", 1)
    assert met.after[1].vel != met.before[1].vel


def test_the_cue_is_held_back_from_a_ball_in_its_way():
    # Without the cue ball's line being free the tip would come to this ball within 0.25 m.
    balls = (on_bed(0, 0.0, 0.0), on_bed(1, 0.06, 0.06), on_bed(2, 0.12, 0.03))
    outcome = play(Stroke(8.0, 0.0, follow_through=0.5), *balls)
    assert not of(outcome, EquipmentContact)


def test_what_the_second_contact_gives_comes_from_the_cue():
    impulse = impulse_of(Stroke(2.0, 0.0), CUE, BED.spec(0))
    outcome = simulate(BED, pair(0.005), (impulse,))
    (again,) = of(outcome, CueRecontact)
    gained = kinetic(BED, again.after.values()) - kinetic(BED, again.before.values())
    follow = impulse.follow
    slows = 0.5 * follow.speed**2 / follow.length
    before = follow.speed - slows * again.event.at
    given = BED.spec(0).mass * (again.after[0].vel[0] - again.before[0].vel[0])
    after = before - given / CUE.mass
    lost = 0.5 * CUE.mass * (before**2 - after**2)
    assert 0.0 < gained < lost
    # Restitution of the tip, between bodies that both move.
    parting = again.after[0].vel[0] - after
    assert parting == pytest.approx(CUE.e_tip * (before - again.before[0].vel[0]), rel=1e-9)


@pytest.mark.parametrize("speed", [1e-6, 1e-4, 1e-2, 1.0])
def test_a_slow_cue_gives_a_ball_no_more_than_it_has(speed):
    impulse = impulse_of(Stroke(speed, 0.0), CUE, BED.spec(0))
    blow = kinetic(BED, [BallState(0, (0.0, 0.0, R), impulse.vel, impulse.spin)])
    outcome = simulate(BED, [on_bed(0, 0.0, 0.0)], (impulse,))
    most = max(kinetic(BED, [BallState(0, p.pos, p.vel, p.spin)]) for p in outcome.pieces[0])
    assert most <= blow + 0.5 * CUE.mass * impulse.follow.speed**2
    assert all(math.hypot(*p.vel) < 1.5 * speed for p in outcome.pieces[0])


@pytest.mark.parametrize("heading", [33.0, 90.0, 180.0, 251.0])
def test_a_double_hit_is_the_same_in_every_direction_and_in_the_mirror(heading):
    plain = play(Stroke(2.0, 0.0, tip=(0.3, -0.2)), *pair(0.008, aside=0.01))
    c, s = math.cos(math.radians(heading)), math.sin(math.radians(heading))
    _, other = pair(0.008, aside=0.01)
    x, y = other.pos[0], other.pos[1]
    turned = play(
        Stroke(2.0, heading, tip=(0.3, -0.2)),
        on_bed(0, 0.0, 0.0),
        on_bed(1, c * x - s * y, s * x + c * y),
    )
    mirrored = play(Stroke(2.0, 0.0, tip=(-0.3, -0.2)), on_bed(0, 0.0, 0.0), on_bed(1, x, -y))
    for outcome, turn in ((turned, (c, s, 1.0)), (mirrored, (1.0, 0.0, -1.0))):
        (a,), (b,) = of(plain, CueRecontact), of(outcome, CueRecontact)
        assert b.event.at == pytest.approx(a.event.at, rel=1e-6)
        u, v = a.after[0].vel, b.after[0].vel
        cos, sin, side = turn
        wanted = (cos * u[0] - sin * u[1], (sin * u[0] + cos * u[1]) * side, u[2])
        assert v == pytest.approx(wanted, abs=1e-6)


def test_a_level_cue_keeps_what_momentum_leaves_it():
    for tip in ((0.0, 0.0), (0.3, 0.2), (0.0, -0.5)):
        stroke = Stroke(3.0, 0.0, tip=tip)
        impulse = impulse_of(stroke, CueSpec(end_mass_ratio=0.0), BED.spec(0))
        left = 3.0 - impulse.vel[0] * BED.spec(0).mass / CUE.mass
        assert impulse.follow.speed == pytest.approx(left, rel=1e-12)


def test_a_follow_through_out_of_range_is_refused():
    for length in (-0.01, 0.51, math.nan):
        with pytest.raises(StrokeError) as refusal:
            check_stroke(Stroke(1.0, 0.0, follow_through=length))
        assert refusal.value.key == "follow_through"
