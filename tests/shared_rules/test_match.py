"""A match from the lag to match point, order by order."""

import pytest

from shared_rules import announcements as an
from shared_rules import commands as c
from shared_rules import events as ev
from shared_rules.balls import CUE, LAG_A, LAG_B
from shared_rules.refusal import Code
from shared_rules.state import Option, Phase, ShotClock, Stroke
from shared_rules.table import Position
from tests.shared_rules.table import (
    REFEREE,
    SEAT,
    SERVER,
    STROKE,
    Match,
    contact,
    pocketed,
    rail,
)


class TestLag:
    def test_strokes_are_collected_and_played_together(self):
        match = Match()
        match.give(SERVER, c.StartMatch())
        match.give(SEAT[1], c.Strike(stroke=STROKE), 110.0)
        assert match.state.phase == Phase.LAG and match.heard(an.LagStroked)
        other = Stroke(speed=2.5, heading_deg=1.0)
        match.give(SEAT[0], c.Strike(stroke=other), 110.2)
        assert match.state.phase == Phase.SHOT_RUNNING
        (a, at_a, stroke_a), (b, at_b, stroke_b) = match.state.running.strokes
        assert (a, stroke_a, b, stroke_b) == (LAG_A, other, LAG_B, STROKE)
        assert (at_b, pytest.approx(at_a)) == (0.0, 0.2)
        assert match.heard(an.Struck)[0].strokes == match.state.running.strokes

    def test_a_late_commit_counts_as_together(self):
        match = Match(overrides={"lag": {"together_s": 0.5}})
        match.give(SERVER, c.StartMatch())
        match.give(SEAT[0], c.Strike(stroke=STROKE), 110.0)
        match.give(SEAT[1], c.Strike(stroke=STROKE), 150.0)
        assert [s[1] for s in match.state.running.strokes] == [0.0, 0.5]

    def test_nearer_ball_wins_and_chooses(self):
        match = Match()
        match.lag(gaps=(70.0, 60.0))
        assert (match.state.phase, match.state.decider) == (Phase.LAG_CHOICE, 1)
        match.give(SEAT[1], c.Choose(option=Option.GIVE_BREAK))
        assert (match.state.phase, match.state.shooter) == (Phase.PLACE_CUE_FOR_BREAK, 0)
        assert not match.state.racked

    def test_a_tie_is_repeated(self):
        match = Match()
        match.lag(gaps=(60.0, 60.4))
        assert match.state.phase == Phase.LAG and match.state.lag.attempt == 2
        assert match.state.lag.struck == (False, False)
        assert match.state.last_ruling.relag
        match.lag(gaps=(60.0, 60.6))
        assert match.state.decider == 0

    def test_balls_start_on_their_halves_and_may_be_placed(self):
        match = Match()
        match.give(SERVER, c.StartMatch())
        a, b = match.state.lag.balls
        assert a.y > 0 > b.y and a.x == b.x < match.description.frame.head_string
        match.give(SEAT[1], c.PlaceCue(x=-1.0, y=-0.1))
        assert match.state.lag.balls[1] == Position(-1.0, -0.1) == match.state.balls[LAG_B]
        assert match.refused(SEAT[1], c.PlaceCue(x=-1.0, y=0.1)) == Code.OUTSIDE_HEAD_AREA
        assert match.refused(SEAT[1], c.PlaceCue(x=-1.0, y=0.0)) == Code.OUTSIDE_HEAD_AREA
        head_string = match.description.frame.head_string
        assert match.refused(SEAT[0], c.PlaceCue(x=head_string, y=0.3)) == Code.OUTSIDE_HEAD_AREA
        assert match.refused(SEAT[0], c.PlaceCue(x=-1.0, y=0.0)) == Code.OUTSIDE_HEAD_AREA
        match.give(SEAT[1], c.PlaceCue(x=-1.0, y=-0.02))
        code = match.refused(SEAT[0], c.PlaceCue(x=-1.0, y=0.02))
        assert code == Code.PLACEMENT_OVERLAPS_BALL

    def test_the_server_places_them_under_wpa(self):
        match = Match("nine_ball_wpa")
        match.give(SERVER, c.StartMatch())
        assert match.refused(SEAT[0], c.PlaceCue(x=-1.0, y=0.1)) == Code.NOT_ALLOWED

    def test_late_stroke_without_a_referee_is_repeated(self):
        match = self._late(Match())
        assert match.state.phase == Phase.LAG and match.state.lag.attempt == 2

    @pytest.mark.parametrize(
        ("option", "phase"),
        [(Option.RELAG, Phase.LAG), (Option.LAG_STANDS, Phase.LAG_CHOICE)],
    )
    def test_late_stroke_with_a_referee(self, option, phase):
        match = self._late(Match(referee=True))
        assert match.state.phase == Phase.LAG_REFEREE_DECISION
        ruling = match.state.last_ruling
        assert ruling.lag_winner is None and not ruling.relag, "nobody has won it yet"
        assert match.refused(SEAT[0], c.Choose(option=option)) == Code.NOT_DECIDER
        match.give(REFEREE, c.Choose(option=option))
        assert match.state.phase == phase
        if phase == Phase.LAG_CHOICE:
            assert match.state.decider == 1

    @staticmethod
    def _late(match):
        match.give(SERVER, c.StartMatch())
        match.give(SEAT[0], c.Strike(stroke=STROKE))
        match.give(SEAT[1], c.Strike(stroke=STROKE))
        match.finish(
            [
                ev.CueStrike(ball=LAG_A),
                rail(LAG_A),
                ev.CueStrike(ball=LAG_B),
                rail(LAG_B),
                ev.Rest(ball=LAG_A, gap_to_head_cushion_mm=50.0),
                ev.Rest(ball=LAG_B, gap_to_head_cushion_mm=20.0),
            ],
            {},
        )
        return match

    def test_void_lag_is_struck_again(self):
        match = Match()
        match.give(SERVER, c.StartMatch())
        match.give(SEAT[0], c.Strike(stroke=STROKE))
        match.give(SEAT[1], c.Strike(stroke=STROKE))
        match.give(SERVER, c.VoidShot(shot=1, reason="worker died"))
        assert match.state.phase == Phase.LAG and match.state.lag.struck == (False, False)
        assert match.state.lag.attempt == 1
        match.lag()
        assert match.state.phase == Phase.LAG_CHOICE


class TestBreak:
    def test_a_ball_down_keeps_the_table_with_a_push_out(self):
        match = Match()
        match.to_break()
        match.strike(contact(1), pocketed(3))
        state = match.state
        assert (state.phase, state.shooter) == (Phase.AWAIT_SHOT, 0)
        assert state.push_out_available and not state.is_break
        assert 3 not in state.balls and CUE in state.balls

    def test_four_to_a_cushion_pass_the_table_on(self):
        match = Match()
        match.broken()
        assert (match.state.phase, match.state.shooter) == (Phase.AWAIT_SHOT, 1)
        assert match.state.push_out_available

    def test_three_to_a_cushion_are_a_foul_with_options(self):
        match = Match()
        match.to_break()
        match.strike(contact(1), rail(1), rail(2), rail(3), rail(CUE))
        state = match.state
        assert (state.phase, state.decider) == (Phase.DECIDE_AFTER_BREAK_FOUL, 1)
        assert state.options[0] == Option.ACCEPT_TABLE and len(state.options) == 4
        assert state.consecutive_fouls == (1, 0)

    @pytest.mark.parametrize(
        ("option", "phase", "shooter", "hand"),
        [
            (Option.ACCEPT_TABLE, Phase.AWAIT_SHOT, 1, "none"),
            (Option.BALL_IN_HAND_ANYWHERE, Phase.PLACE_CUE_ANYWHERE, 1, "anywhere"),
            (Option.RERACK_SELF_BREAKS, Phase.PLACE_CUE_FOR_BREAK, 1, "head"),
            (Option.RERACK_OFFENDER_BREAKS, Phase.PLACE_CUE_FOR_BREAK, 0, "head"),
        ],
    )
    def test_each_option_after_a_break_foul(self, option, phase, shooter, hand):
        match = Match()
        match.to_break()
        match.strike(contact(2), rail(1))
        match.give(SEAT[1], c.Choose(option=option))
        state = match.state
        assert (state.phase, state.shooter, state.cue_in_hand) == (phase, shooter, hand)
        assert not state.push_out_available
        assert state.consecutive_fouls == (1, 0), "a re-rack is the same game"
        assert state.rack_number == 1
        if hand == "head":
            assert state.balls == {} and not state.racked
            match.rack()
            match.strike(contact(1), pocketed(9))
            assert match.state.rack_winner == shooter

    def test_wpa_gives_ball_in_hand_at_once(self):
        match = Match("nine_ball_wpa")
        match.to_break()
        match.strike(contact(1), rail(1))
        assert (match.state.phase, match.state.shooter) == (Phase.PLACE_CUE_ANYWHERE, 1)
        assert CUE not in match.state.balls

    def test_nine_on_a_foul_break_is_spotted_before_the_choice(self):
        match = Match()
        match.to_break()
        match.strike(contact(1), pocketed(9), pocketed(CUE))
        assert match.state.balls[9] == match.description.frame.foot_spot or (
            match.state.balls[9].x > match.description.frame.foot_spot.x
        )
        assert match.heard(an.Spotted) and Option.ACCEPT_TABLE not in match.state.options

    def test_rack_is_checked(self):
        match = Match()
        match.lag()
        match.give(SEAT[0], c.Choose(option=Option.BREAK))
        assert match.refused(SERVER, c.RackBalls(seed=1, balls={})) == Code.MALFORMED
        match.rack()
        good = match.state.balls
        assert match.refused(SERVER, c.RackBalls(seed=1, balls=good)) == Code.WRONG_STATE

    def test_outside_the_head_area_where_clubs_warn(self):
        match = Match(overrides={"break": {"placement_foul": "foul_if_warned"}})
        match.to_break()
        match.give(SEAT[0], c.PlaceCue(x=0.0, y=0.0))
        assert match.heard(an.PlacementWarned)
        match.give(SEAT[0], c.Strike(stroke=STROKE))
        match.finish([ev.CueStrike(), contact(1), pocketed(9)])
        assert [f.code for f in match.state.last_ruling.fouls] == ["2b"]
        match = Match(overrides={"break": {"placement_foul": "foul_if_warned"}})
        match.to_break()
        match.give(SEAT[0], c.PlaceCue(x=0.0, y=0.0))
        match.strike(contact(1), pocketed(9))
        assert match.state.phase == Phase.GAME_OVER, "he has placed it anew, rightly"


class TestPushOut:
    def pushed(self, *events):
        match = Match()
        match.broken()
        match.give(SEAT[1], c.DeclarePushOut())
        match.strike(*events)
        return match

    def test_missing_everything_is_no_foul(self):
        match = self.pushed()
        state = match.state
        assert (state.phase, state.decider, state.shooter) == (Phase.DECIDE_AFTER_PUSH_OUT, 0, 1)
        assert state.last_ruling.push_out and state.consecutive_fouls == (0, 0)

    @pytest.mark.parametrize(
        ("option", "shooter"), [(Option.ACCEPT_TABLE, 0), (Option.PASS_BACK, 1)]
    )
    def test_whoever_plays_on_may_not_push_out_again(self, option, shooter):
        match = self.pushed()
        match.give(SEAT[0], c.Choose(option=option))
        assert (match.state.phase, match.state.shooter) == (Phase.AWAIT_SHOT, shooter)
        code = match.refused(SEAT[shooter], c.DeclarePushOut())
        assert code == Code.PUSH_OUT_NOT_AVAILABLE

    def test_taken_back_it_is_an_ordinary_stroke(self):
        match = Match()
        match.broken()
        match.give(SEAT[1], c.DeclarePushOut())
        match.give(SEAT[1], c.DeclarePushOut(on=False))
        match.strike()
        assert [f.code for f in match.state.last_ruling.fouls] == ["5a"]

    def test_it_is_over_with_its_stroke(self):
        match = self.pushed(pocketed(CUE))
        match.strike(contact(5), rail(5))
        assert [f.code for f in match.state.last_ruling.fouls] == ["5a"]

    def test_a_time_foul_ends_it_too(self):
        match = Match(shot_clock=ShotClock(limit_s=30.0))
        match.broken()
        match.give(SEAT[1], c.DeclarePushOut())
        deadline = match.state.clock.deadline
        match.give(SERVER, c.ExpireClock(deadline=deadline), deadline)
        match.strike(contact(5), rail(5))
        assert [f.code for f in match.state.last_ruling.fouls] == ["5a"]

    def test_scratch_on_it_is_a_foul(self):
        match = self.pushed(pocketed(CUE))
        assert (match.state.phase, match.state.shooter) == (Phase.PLACE_CUE_ANYWHERE, 0)

    def test_the_nine_on_it_comes_back(self):
        match = self.pushed(contact(1), pocketed(9))
        assert match.state.phase == Phase.DECIDE_AFTER_PUSH_OUT and 9 in match.state.balls

    def test_the_nine_keeps_clear_of_the_cue_ball_on_the_spot(self):
        """G.1.4c, N9.5s1: what the opponent is to accept or not is the table as it will be."""
        match = Match()
        match.broken()
        match.give(SEAT[1], c.DeclarePushOut())
        frame = match.description.frame
        lay = {b: p for b, p in match.state.balls.items() if b not in (1, 9)}
        lay = {b: Position(-0.9 + 0.1 * b, 0.4) for b in lay} | {CUE: frame.foot_spot}
        match.strike(pocketed(1), pocketed(9), balls=lay)
        apart = match.state.balls[9].x - frame.foot_spot.x
        assert apart == pytest.approx(2 * frame.ball_radius + 1e-3)

    def test_it_can_be_switched_off(self):
        match = Match(overrides={"push_out": {"enabled": False}})
        match.broken()
        assert match.refused(SEAT[1], c.DeclarePushOut()) == Code.PUSH_OUT_NOT_AVAILABLE

    def test_only_on_the_stroke_right_after_the_break(self):
        match = Match()
        match.broken()
        match.strike(contact(1), pocketed(1))
        assert match.refused(SEAT[1], c.DeclarePushOut()) == Code.PUSH_OUT_NOT_AVAILABLE


class TestUndoing:
    def test_void_shot_leaves_everything_as_before(self):
        match = Match()
        match.to_break()
        match.give(SEAT[0], c.PlaceCue(x=-0.9, y=0.2))
        before = match.state
        match.give(SEAT[0], c.Strike(stroke=STROKE))
        match.give(SERVER, c.VoidShot(shot=match.state.shot_number, reason="worker died"))
        after = match.state
        for field in ("phase", "balls", "cue_in_hand", "cue_placed", "is_break", "shooter"):
            assert getattr(after, field) == getattr(before, field), field
        match.strike(contact(1), pocketed(3))
        assert match.state.push_out_available

    def test_a_declared_push_out_outlives_a_void_shot(self):
        match = Match()
        match.broken()
        match.give(SEAT[1], c.DeclarePushOut())
        match.give(SEAT[1], c.Strike(stroke=STROKE))
        match.give(SERVER, c.VoidShot(shot=match.state.shot_number, reason="worker died"))
        match.strike()
        assert match.state.phase == Phase.DECIDE_AFTER_PUSH_OUT

    def test_a_replay_ruling_undoes_the_stroke(self):
        match = Match()
        match.broken()
        before = match.state.balls
        match.strike(contact(1), pocketed(1), ev.Interference(affects=True))
        assert match.state.balls == before and match.state.last_ruling.replay
        assert (match.state.phase, match.state.shooter) == (Phase.AWAIT_SHOT, 1)

    def test_restored_balls_lie_free(self):
        match = Match()
        match.broken()
        lay = dict(match.state.balls)
        drop = ev.SettledDrop(ball=5, pocket="foot_left", after_s=7.0)
        balls = {b: p for b, p in lay.items() if b != 5} | {8: lay[5]}
        match.strike(contact(1), rail(1), drop, balls=balls)
        assert match.state.last_ruling.restored == (5,)
        assert match.state.balls[5] != match.state.balls[8]
