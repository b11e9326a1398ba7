"""Rules that no scenario is about, each as the rulebooks have it."""

import pytest

from shared_rules import announcements as an
from shared_rules import commands as c
from shared_rules import events as ev
from shared_rules.balls import CUE
from shared_rules.disciplines import discipline_of
from shared_rules.facts import facts_of
from shared_rules.placement import check_area
from shared_rules.rack import check_rack
from shared_rules.refusal import Code, Refusal
from shared_rules.state import Option, Phase
from shared_rules.table import Position
from tests.shared_rules.table import (
    REFEREE,
    SEAT,
    SERVER,
    STROKE,
    Match,
    contact,
    description,
    pocketed,
    racked,
    rail,
)

SOFT = (contact(1), rail(1))


def codes(match):
    return [foul.code for foul in match.state.last_ruling.fouls]


class TestWhatIsWhat:
    def test_a_shot_lasts_until_all_is_still(self):
        """D8.2, N9.5j, F6.9: until then nobody plays."""
        match = Match()
        match.broken()
        match.give(SEAT[1], c.Strike(stroke=STROKE))
        assert match.state.phase == Phase.SHOT_RUNNING
        for seat in SEAT:
            assert match.refused(seat, c.Strike(stroke=STROKE)) == Code.BALLS_MOVING
        match.finish([ev.CueStrike(), *SOFT])
        assert match.state.running is None and match.state.phase == Phase.AWAIT_SHOT

    def test_a_scratch_is_the_cue_ball_in_a_pocket(self):
        """D8.6."""
        assert facts_of([ev.CueStrike(), pocketed(CUE)]).cue_pocketed
        assert not facts_of([ev.CueStrike(), ev.OffTable(ball=CUE)]).cue_pocketed

    def test_a_ball_lies_where_its_centre_is(self):
        """D8.pos, G.1.5d: half of it may lie over the string."""
        frame = description().frame
        check_area(Position(frame.head_string - 1e-4, 0.0), "head", frame)
        for x in (frame.head_string, frame.head_string + 1e-4):
            with pytest.raises(Refusal) as refused:
                check_area(Position(x, 0.0), "head", frame)
            assert refused.value.code == Code.OUTSIDE_HEAD_AREA

    @pytest.mark.parametrize("preset", ["nine_ball_epbf", "eight_ball"])
    def test_a_rack_with_a_gap_is_none(self, preset):
        """N9.2a2, W9.2."""
        described = description(preset)
        balls = racked(described)
        pattern = discipline_of(described.ruleset).rack
        check_rack(pattern, balls, described.frame, 0.03)
        at = balls[2]
        with pytest.raises(Refusal):
            loose = balls | {2: Position(at.x + 2e-4, at.y)}
            check_rack(pattern, loose, described.frame, 0.03)


class TestNineBall:
    def test_each_places_his_lag_ball_in_his_own_half(self):
        """N9.1.1: seat 0 on the left, seat 1 on the right, behind the head string."""
        match = Match()
        match.give(SERVER, c.StartMatch())
        match.give(SEAT[0], c.PlaceCue(x=-1.0, y=0.2))
        match.give(SEAT[1], c.PlaceCue(x=-1.0, y=-0.2))
        for seat, y in ((0, -0.2), (1, 0.2)):
            with pytest.raises(Refusal):
                match.give(SEAT[seat], c.PlaceCue(x=-1.0, y=y))

    def test_a_foul_is_followed_by_what_six_says(self):
        """N9.4.4, N9.6.1, W9.7p."""
        for preset in ("nine_ball_epbf", "nine_ball_wpa"):
            match = Match(preset)
            match.broken()
            match.strike(contact(5), rail(5))
            assert (match.state.phase, match.state.shooter) == (Phase.PLACE_CUE_ANYWHERE, 0)

    def test_a_game_lasts_from_the_break_to_the_nine(self):
        """N9.8.2, N9.4.1, N9.7.1, W9.0: whatever else falls, the 9 on a legal stroke ends it."""
        match = Match("nine_ball_wpa")
        match.to_break()
        assert not match.state.game_begun
        match.strike(contact(1), pocketed(2), rail(1))
        assert match.state.game_begun and match.state.phase == Phase.AWAIT_SHOT
        match.strike(contact(1), *map(pocketed, (1, 3, 4, 5, 6, 7, 8)))
        assert match.state.games == (0, 0)
        match.strike(contact(9), pocketed(9))
        assert match.state.games == (1, 0)

    @pytest.mark.parametrize(
        ("events", "code"),
        [
            ((*SOFT, pocketed(CUE)), "6.1"),
            ((*SOFT, ev.OffTable(ball=CUE)), "6.1"),
            ((contact(2), rail(2)), "6.2"),
            ((contact(1),), "6.3"),
            ((), "6.3"),
            ((*SOFT, ev.OffTable(ball=4)), "6.5"),
            ((*SOFT, ev.EquipmentContact(by="hand", ball=4)), "6.6"),
            ((ev.CueRecontact(), *SOFT), "6.7"),
            ((ev.LongTipContact(), *SOFT), "6.8"),
        ],
    )
    def test_the_standard_fouls(self, events, code):
        """W9.7, F6.6c, F6.8: the shooter answers for what he wears and holds, too."""
        match = Match("nine_ball_wpa")
        match.broken()
        match.strike(*events)
        assert codes(match) == [code]
        assert (match.state.phase, match.state.shooter) == (Phase.PLACE_CUE_ANYWHERE, 0)

    def test_of_balls_off_the_table_only_the_nine_returns(self):
        """W9.6, N9.5s1, s2, F6.5b."""
        match = Match("nine_ball_wpa")
        match.broken()
        match.strike(*SOFT, ev.OffTable(ball=4), ev.OffTable(ball=9))
        assert 9 in match.state.balls and 4 not in match.state.balls

    def test_three_fouls_in_a_row_lose_the_rack(self):
        """W9.8a, F6.14a: a legal shot in between begins the count again."""
        match = Match("nine_ball_wpa")
        match.broken()
        for legal in (False, True, False, False):
            match.strike(*(SOFT if legal else (contact(5), rail(5))))
            match.strike(*SOFT)
        assert match.state.consecutive_fouls == (0, 2)
        match.strike(contact(5), rail(5))
        assert match.heard(an.GameWon)[0] == an.GameWon(seat=0, reason="three_fouls")


class TestCalledShots:
    def turn(self):
        match = Match("eight_ball")
        match.broken()
        return match

    def test_every_shot_but_the_break_is_called(self):
        """G.1.6a, E8.0, E8.6a, E8.4a."""
        match = self.turn()
        assert match.refused(SEAT[1], c.Strike(stroke=STROKE)) == Code.CALL_REQUIRED

    def test_how_the_ball_falls_does_not_matter_but_where_does(self):
        """G.1.6b, G.1.6e: by two cushions and a kiss it is made, in another pocket it is not."""
        roundabout = (contact(1), rail(1), rail(1, "left"), ev.BallBall(a=1, b=9), pocketed(1))
        for pocket, goes_on in (("foot_left", 1), ("side_left", 0)):
            match = self.turn()
            match.give(SEAT[1], c.CallShot(ball=1, pocket=pocket))
            match.strike(*roundabout)
            assert match.state.shooter == goes_on and not codes(match)

    def test_a_safety_passes_the_turn_and_what_fell_stays_down(self):
        """G.1.6d, E8.6c."""
        match = self.turn()
        match.give(SEAT[1], c.CallSafety())
        match.strike(contact(1), pocketed(1))
        assert match.state.shooter == 0 and 1 not in match.state.balls
        assert match.state.groups is None and not codes(match)

    def test_a_stalemate_is_broken_by_the_same_player(self):
        """E8.11."""
        match = self.turn()
        for seat in SEAT:
            match.give(seat, c.AgreeStalemate())
        assert (match.state.phase, match.state.breaker) == (Phase.PLACE_CUE_FOR_BREAK, 0)
        assert match.state.games == (0, 0)


class TestStraightPool:
    def match(self, **over):
        match = Match("straight_pool", over or None, referee=True)
        match.to_break()
        return match

    def made(self, match, ball, *more):
        match.give(SEAT[match.state.shooter], c.CallShot(ball=ball, pocket="foot_left"))
        return match.strike(contact(ball), pocketed(ball), *more)

    def rack_again(self, match):
        """The fourteen that fell stand again, the apex empty."""
        described = match.description
        slots = discipline_of(described.ruleset).rack.slots(described.frame)
        balls = dict(zip(range(1, 15), slots[1:], strict=True))
        match.give(SERVER, c.RackBalls(seed=1, balls=balls))

    def test_fifteen_stand_for_the_opening_and_any_ball_may_be_hit_first(self):
        """S14.2a, S14.9."""
        match = self.match()
        assert set(match.state.balls) == set(range(1, 16))
        self.made(match, 7)
        assert match.state.scores == (1, 0) and match.state.shooter == 0

    def test_a_point_for_each_ball_of_the_shot_and_the_target_wins(self):
        """S14.0, S14.4a, S14.4c, S14.7a, S14.7b."""
        match = self.match(target=5)
        self.made(match, 7, pocketed(3))
        assert match.state.scores == (2, 0)
        self.made(match, 8, pocketed(9), pocketed(10))
        assert (match.state.phase, match.state.winner) == (Phase.MATCH_OVER, 0)
        assert match.state.scores == (5, 0)

    def test_fourteen_are_racked_and_the_shooter_goes_on(self):
        """S14.2b, S14.4b, S14.8e, S14.8n: the apex stays empty, and any ball may be hit first."""
        match = self.match()
        self.made(match, 1, *map(pocketed, range(2, 14)))
        lay = {**match.state.balls, 15: Position(-0.3, 0.4), CUE: Position(-0.5, -0.2)}
        match.give(SEAT[0], c.CallShot(ball=14, pocket="foot_left"))
        balls = {b: p for b, p in lay.items() if b != 14}
        match.strike(contact(14), pocketed(14), balls=balls)
        assert match.state.scores == (14, 0) and match.state.shooter == 0
        assert match.state.balls[15] == Position(-0.3, 0.4)

    def test_all_fifteen_are_racked_when_the_last_fell_too(self):
        """S14.8a."""
        match = self.match()
        self.made(match, 1, *map(pocketed, range(2, 14)))
        match.give(SEAT[0], c.CallShot(ball=14, pocket="foot_left"))
        balls = {CUE: Position(-0.5, -0.2)}
        match.strike(contact(14), pocketed(14), pocketed(15), balls=balls)
        assert match.state.scores == (15, 0) and match.state.shooter == 0

    @pytest.mark.parametrize("racked_again", [False, True])
    def test_a_foul_called_on_the_fourteenth_undoes_the_new_rack(self, racked_again):
        """F6.0b, S14.4b, S14.6: the 14th was not earned, so it is spotted beside the 15th."""
        match = self.match()
        self.made(match, 1, *map(pocketed, range(2, 14)))
        match.give(SEAT[0], c.CallShot(ball=14, pocket="foot_left"))
        balls = {CUE: Position(-0.5, -0.2), 15: Position(-0.3, 0.4)}
        match.strike(contact(14), pocketed(14), balls=balls)
        if racked_again:
            self.rack_again(match)
        match.give(REFEREE, c.CallFoul(seat=0, foul="6.4"))
        assert set(match.state.balls) == {CUE, 14, 15} and match.state.shooter == 1
        assert match.state.scores == (12, 0) and match.state.rerack is None

    def test_unsportsmanlike_conduct_is_the_referees_to_weigh(self):
        """S14.11d."""
        match = self.match()
        self.made(match, 7)
        match.give(REFEREE, c.CallUnsportsmanlike(seat=0))
        assert match.state.phase == Phase.REFEREE_PENALTY
        match.give(REFEREE, c.Choose(option=Option.LOSS_OF_MATCH))
        assert match.state.winner == 1

    def test_a_stalemate_is_opened_by_a_lag_and_points_stay(self):
        """S14.12."""
        match = self.match()
        self.made(match, 7)
        for seat in SEAT:
            match.give(seat, c.AgreeStalemate())
        assert match.state.phase == Phase.LAG and match.state.scores == (1, 0)

    def test_points_go_with_a_foul_that_is_called_late(self):
        """F6.0b, S14.7c, S14.9p: the called ball comes back and costs a point instead."""
        match = self.match()
        self.made(match, 7)
        match.give(REFEREE, c.CallFoul(seat=0, foul="6.4"))
        assert match.state.scores == (-1, 0) and 7 in match.state.balls
        assert match.state.shooter == 1

    def test_a_fifteenth_that_fell_unearned_goes_to_the_empty_apex(self):
        """S14.6b: with the fourteen untouched, the foot spot is free."""
        match = self.match()
        self.made(match, 1, *map(pocketed, range(2, 14)))
        match.give(SEAT[0], c.CallShot(ball=14, pocket="foot_left"))
        balls = {CUE: Position(-0.5, -0.2), 15: Position(-0.3, 0.4)}
        match.strike(contact(14), pocketed(14), balls=balls)
        self.rack_again(match)
        match.give(SEAT[0], c.CallSafety())
        match.strike(contact(15), pocketed(15))
        assert match.state.balls[15] == match.description.frame.foot_spot


class TestBlackBall:
    def test_the_break_is_played_from_baulk_at_a_rack_with_the_black_on_the_spot(self):
        """BB.4, BB.5a."""
        match = Match("black_ball")
        match.to_break()
        frame = match.description.frame
        assert match.state.balls[8] == frame.foot_spot
        inside = -frame.length / 2 + 0.2 * frame.length - 0.01
        assert match.refused(SEAT[0], c.PlaceCue(x=inside + 0.02, y=0.1))
        match.give(SEAT[0], c.PlaceCue(x=inside, y=0.1))

    def test_nothing_is_called_and_who_clears_his_group_plays_the_black(self):
        """BB.0."""
        match = Match("black_ball")
        match.to_break()
        reds = tuple(range(1, 8))
        call = c.CallShot(ball=1, pocket="foot_left")
        assert match.refused(SEAT[0], call) == Code.WRONG_STATE
        self.strike(match, contact(1), pocketed(1))
        self.strike(match, contact(2), *map(pocketed, reds[1:]))
        assert match.state.groups is not None
        self.strike(match, contact(8), pocketed(8))
        assert match.state.games == (1, 0)

    def test_a_foul_gives_the_opponent_a_free_shot(self):
        """BB.12p."""
        match = Match("black_ball")
        match.to_break()
        self.strike(match, contact(1), pocketed(1))
        self.strike(match)
        assert (match.state.phase, match.state.decider) == (Phase.FREE_SHOT, 1)
        assert match.state.free_shot

    def test_a_wrong_ball_on_purpose_is_the_referees_to_see(self):
        """BB.14c, BB.14d."""
        match = Match("black_ball", referee=True)
        match.to_break()
        self.strike(match, contact(1), pocketed(1))
        match.give(REFEREE, c.AwardLoss(seat=0, scope="game", reason="he aimed at the black"))
        assert match.state.games == (0, 1)

    def strike(self, match, *events):
        state = match.state
        if state.cue_in_hand != "none":
            match.give(SEAT[state.shooter], c.PlaceCue(x=-1.1, y=0.2))
        match.give(SEAT[state.shooter], c.Strike(stroke=STROKE))
        match.finish([ev.CueStrike(), *events])


class TestTheReferee:
    @pytest.mark.parametrize("kind", ["a", "b", "c", "d", "e", "f", "g", "h"])
    def test_conduct_of_each_kind_is_his_to_weigh(self, kind):
        """F6.16a, F6.16b, F6.16c, F6.16d, F6.16e, F6.16f, F6.16g, F6.16h."""
        match = Match("eight_ball", referee=True)
        match.broken()
        match.give(REFEREE, c.CallUnsportsmanlike(seat=1, kind=kind))
        assert match.state.phase == Phase.REFEREE_PENALTY
        match.give(REFEREE, c.Choose(option=Option.SERIOUS_FOUL))
        assert match.state.games == (1, 0)

    def test_a_cue_laid_down_to_aim(self):
        """F6.12."""
        match = Match("eight_ball", referee=True)
        match.broken()
        match.give(REFEREE, c.CallFoul(seat=1, foul="6.12", between_strokes=True))
        assert (match.state.phase, match.state.shooter) == (Phase.PLACE_CUE_ANYWHERE, 0)

    def test_playing_behind_the_string_on_purpose(self):
        """F6.11c: the foul stands, and the penalty is his to choose."""
        match = Match("eight_ball", referee=True)
        match.to_break()
        match.strike(contact(1), rail(1), rail(2), rail(3), rail(4), pocketed(CUE))
        assert match.state.phase == Phase.PLACE_CUE_HEAD
        match.give(SEAT[1], c.PlaceCue(x=-0.9, y=0.2))
        match.give(SEAT[1], c.CallSafety())
        match.give(SEAT[1], c.Strike(stroke=STROKE))
        match.finish([ev.CueStrike(), rail(CUE, "head")])
        assert "6.11" in codes(match)
        match.give(REFEREE, c.CallUnsportsmanlike(seat=1, reason="he meant to"))
        match.give(REFEREE, c.Choose(option=Option.LOSS_OF_RACK))
        assert match.state.games == (1, 0)
