"""A foul called after a stroke was judged takes back what it gave (F6.0b, N9.6.3, G.1.10c)."""

import pytest

from shared_rules import announcements as an
from shared_rules import commands as c
from shared_rules.balls import CUE
from shared_rules.events import CueStrike
from shared_rules.match import replay
from shared_rules.refusal import Code
from shared_rules.state import Option, Phase, ShotClock
from shared_rules.table import Position
from tests.shared_rules.table import (
    CLOCK,
    REFEREE,
    SEAT,
    SERVER,
    STROKE,
    Match,
    contact,
    pocketed,
    rail,
)


def codes(match):
    return [foul.code for foul in match.state.last_ruling.fouls]


def judged_at_once(match, *events):
    """The same stroke with the foul called while its balls rolled: what must come out later too."""
    twin = Match.of(match.description)
    twin.state, twin.now = match.state, match.now
    seat = twin.state.shooter
    twin.give(SEAT[seat], c.Strike(stroke=STROKE))
    twin.give(REFEREE, c.CallFoul(seat=seat, foul="5i"))
    twin.finish([CueStrike(), *events])
    return twin.state


class TestWhatTheStrokeGaveIsTakenBack:
    def test_a_cleared_counter_comes_back_and_rises(self):
        match = Match(referee=True)
        match.broken()
        match.strike(contact(5), rail(5))
        match.strike(contact(1), rail(1))
        assert match.state.consecutive_fouls == (0, 1)
        match.strike(contact(1), rail(1))
        assert match.state.consecutive_fouls == (0, 0)
        match.give(REFEREE, c.CallFoul(seat=1, foul="5i"))
        assert match.state.consecutive_fouls == (0, 2)
        assert (match.state.phase, match.state.shooter) == (Phase.PLACE_CUE_ANYWHERE, 0)

    def test_the_third_in_a_row_costs_the_game_when_it_is_called_late_too(self):
        match = Match(referee=True)
        match.broken()
        for _ in range(2):
            match.strike(contact(5), rail(5))
            match.strike(contact(1), rail(1))
        match.strike(contact(1), rail(1))
        match.give(REFEREE, c.CallFoul(seat=1, foul="5i"))
        assert (match.state.phase, match.state.games) == (Phase.GAME_OVER, (1, 0))

    def test_a_game_that_it_won(self):
        match = Match(referee=True)
        match.broken()
        before = match.state
        match.strike(contact(1), pocketed(9))
        assert (match.state.phase, match.state.games) == (Phase.GAME_OVER, (0, 1))
        match.give(REFEREE, c.CallFoul(seat=1, foul="5i"))
        assert (match.state.phase, match.state.games) == (Phase.PLACE_CUE_ANYWHERE, (0, 0))
        assert codes(match) == ["5i", "5p"] and 9 in match.state.balls
        assert match.heard(an.RulingRevised) and match.heard(an.Judged)
        assert match.state.rack_number == before.rack_number
        assert match.state.rack_winner is None

    @pytest.mark.parametrize("set_up", [False, True])
    def test_across_the_end_of_the_rack_until_the_next_break(self, set_up):
        match = Match(referee=True, overrides={"match": {"games_to_win": 1, "sets_to_win": 2}})
        match.broken()
        match.strike(contact(1), pocketed(9))
        assert (match.state.phase, match.state.sets) == (Phase.SET_OVER, (0, 1))
        match.give(SERVER, c.NextGame())
        if set_up:
            match.rack()
            match.give(SEAT[match.state.shooter], c.PlaceCue(x=-0.9, y=0.1))
        match.give(REFEREE, c.CallFoul(seat=1, foul="5f"))
        assert (match.state.phase, match.state.shooter) == (Phase.PLACE_CUE_ANYWHERE, 0)
        assert (match.state.sets, match.state.games, match.state.rack_number) == ((0, 0), (0, 0), 1)
        assert 9 in match.state.balls and match.state.last_ruling.spotted == (9,)

    def test_not_after_the_next_break(self):
        match = Match(referee=True)
        match.broken()
        match.strike(contact(1), pocketed(9))
        shot = match.state.shot_number
        match.give(SERVER, c.NextGame())
        match.rack()
        match.strike(contact(1), rail(1), rail(2), rail(3), rail(4))
        order = (REFEREE, c.CallFoul(seat=1, foul="5i", shot=shot))
        assert match.refused(*order) == Code.NEXT_SHOT_ALREADY_BEGUN
        assert match.state.games == (0, 1)

    def test_a_match_that_it_won(self):
        match = Match(referee=True, overrides={"match": {"games_to_win": 1}})
        match.broken()
        match.strike(contact(1), pocketed(9))
        assert (match.state.phase, match.state.winner) == (Phase.MATCH_OVER, 1)
        match.give(REFEREE, c.CallFoul(seat=1, foul="5i"))
        assert (match.state.phase, match.state.winner) == (Phase.PLACE_CUE_ANYWHERE, None)

    @pytest.mark.parametrize("called", [True, False])
    def test_a_match_that_was_given_up_or_awarded_stays_so(self, called):
        match = Match("nine_ball_wpa", referee=True)
        match.broken()
        match.strike(contact(1), rail(1))
        if called:
            match.give(SEAT[0], c.Concede())
        else:
            match.give(REFEREE, c.AwardLoss(seat=0, scope="match", reason="left"))
        assert match.refused(REFEREE, c.CallFoul(seat=1, foul="6.4")) == Code.MATCH_OVER

    def test_a_group_and_the_ball_that_gave_it(self):
        """E8.4b: a foul makes no called ball, so the table is open again; the ball stays down."""
        match = Match("eight_ball", referee=True)
        match.broken()
        match.give(SEAT[1], c.CallShot(ball=9, pocket="foot_left"))
        match.strike(contact(9), pocketed(9))
        assert match.state.groups is not None and match.state.shooter == 1
        match.give(REFEREE, c.CallFoul(seat=1, foul="6.4"))
        assert match.state.groups is None and 9 not in match.state.balls
        assert (match.state.phase, match.state.shooter) == (Phase.PLACE_CUE_ANYWHERE, 0)

    def test_the_eight_on_a_foul_loses_the_rack_that_it_had_won(self):
        """E8.8a."""
        match = Match("eight_ball", referee=True)
        match.broken()
        solids = range(1, 8)
        match.give(SEAT[1], c.CallShot(ball=1, pocket="foot_left"))
        match.strike(contact(1), *map(pocketed, solids))
        match.give(SEAT[1], c.CallShot(ball=8, pocket="foot_left"))
        match.strike(contact(8), pocketed(8))
        assert match.state.games == (0, 1)
        match.give(REFEREE, c.CallFoul(seat=1, foul="6.4"))
        assert match.state.games == (1, 0)
        assert match.heard(an.GameWon)[0].reason == "eight_on_foul"

    def test_a_push_out_and_what_was_chosen_after_it(self):
        match = Match(referee=True)
        match.broken()
        match.give(SEAT[1], c.DeclarePushOut())
        match.strike()
        match.give(SEAT[0], c.Choose(option=Option.PASS_BACK))
        match.give(REFEREE, c.CallFoul(seat=1, foul="5i"))
        assert (match.state.phase, match.state.shooter) == (Phase.PLACE_CUE_ANYWHERE, 0)

    @pytest.mark.parametrize(
        "events",
        [(contact(1), rail(1)), (contact(1), pocketed(1)), (contact(1), pocketed(9)), ()],
    )
    def test_it_is_as_if_it_had_been_called_in_time(self, events):
        match = Match(referee=True)
        match.broken()
        twin = judged_at_once(match, *events)
        match.strike(*events)
        match.give(REFEREE, c.CallFoul(seat=1, foul="5i"))
        for field in ("phase", "shooter", "balls", "games", "consecutive_fouls", "cue_in_hand"):
            assert getattr(match.state, field) == getattr(twin, field), field
        assert match.state.last_ruling == twin.last_ruling
        assert replay(match.description, match.log) == match.state


class TestWhatIsNotOfTheStrokeStays:
    def test_a_void_stroke_is_none_so_the_one_before_it_may_still_be_called(self):
        match = Match(referee=True)
        match.broken()
        match.strike(contact(1), rail(1))
        match.give(SEAT[0], c.Strike(stroke=STROKE))
        match.give(SERVER, c.VoidShot(shot=match.state.shot_number, reason="worker died"))
        number = match.state.shot_number
        match.give(REFEREE, c.CallFoul(seat=1, foul="5i", shot=number - 1))
        assert (match.state.phase, match.state.shooter) == (Phase.PLACE_CUE_ANYWHERE, 0)
        assert match.state.consecutive_fouls == (0, 1)
        assert (match.state.shot_number, match.state.last_ruling.shot) == (number, number - 1)

    def test_clocks_time_outs_and_cues(self):
        match = Match(referee=True)
        match.broken()
        match.strike(contact(1), rail(1))
        match.give(SEAT[0], c.RequestTimeOut())
        match.give(SEAT[0], c.EndTimeOut())
        match.give(SEAT[0], c.ChangeCue(cue="jump"))
        match.give(REFEREE, c.WarnSlowPlay())
        match.give(REFEREE, c.ImposeShotClock(limit_s=40.0))
        match.give(REFEREE, c.AnnounceNoProgress())
        match.give(REFEREE, c.CallFoul(seat=1, foul="5i"))
        assert match.state.time_outs_used_in_last_set == (1, 0) and match.state.cues == (
            "jump",
            "playing",
        )
        assert match.state.clock.shot_clock.limit_s == 40.0
        assert match.state.stalemate_visits_left == (3, 3)
        assert match.state.clock.deadline == match.now + 40.0

    def test_a_foul_more_on_a_stroke_that_was_one_leaves_the_ball_where_it_was_placed(self):
        """N9.6.3: it counts once, so nothing that followed is undone."""
        match = Match(referee=True)
        match.broken()
        match.strike(contact(5), rail(5))
        match.give(SEAT[0], c.PlaceCue(x=0.1, y=0.2))
        match.give(REFEREE, c.CallFoul(seat=1, foul="5i"))
        assert codes(match) == ["5a", "5i"] and match.state.balls[CUE] == Position(0.1, 0.2)
        assert match.heard(an.RulingRevised) == []

    def test_a_foul_between_strokes_is_one_of_its_own(self):
        match = Match(referee=True)
        match.broken()
        match.strike(contact(1), pocketed(1))
        match.give(REFEREE, c.CallFoul(seat=1, foul="5f", between_strokes=True))
        assert match.state.last_ruling.pocketed == ()
        assert (match.state.consecutive_fouls, match.state.shooter) == ((0, 1), 0)

    def test_what_was_judged_since_closes_the_matter(self):
        match = Match(referee=True, shot_clock=ShotClock(limit_s=30.0))
        match.broken()
        deadline = match.state.clock.deadline
        match.give(CLOCK, c.ExpireClock(deadline=deadline), deadline)
        assert codes(match) == ["9g"] and match.state.last_shot is None
        match.give(REFEREE, c.CallFoul(seat=0, foul="5i"))
        assert match.state.consecutive_fouls == (1, 1)


class TestOutsideInterference:
    """G.1.9."""

    @pytest.mark.parametrize("late", [False, True])
    def test_a_stroke_that_was_disturbed_is_played_again(self, late):
        match = Match("nine_ball_wpa", referee=True, overrides={"match": {"games_to_win": 1}})
        match.broken()
        before = match.state
        order = (REFEREE, c.OutsideInterference(affected=True, reason="the lights went out"))
        match.give(SEAT[1], c.Strike(stroke=STROKE))
        if not late:
            match.give(*order)
        match.finish([CueStrike(), contact(1), rail(1)])
        if late:
            match.give(*order)
            assert match.said[0].reason == "the lights went out"
        assert (match.state.phase, match.state.shooter) == (Phase.AWAIT_SHOT, 1)
        assert match.state.balls == before.balls and match.state.last_ruling.replay

    @pytest.mark.parametrize("late", [False, True])
    def test_no_foul_can_be_called_on_it_any_more(self, late):
        """It counts as not played (G.1.9a); a foul of its own is still one."""
        match = Match(referee=True)
        match.broken()
        match.give(SEAT[1], c.Strike(stroke=STROKE))
        if not late:
            match.give(REFEREE, c.OutsideInterference(affected=True))
        match.finish([CueStrike(), contact(1), rail(1)])
        if late:
            match.give(REFEREE, c.OutsideInterference(affected=True))
        number = match.state.last_ruling.shot
        for foul in (c.CallFoul(seat=1, foul="5i"), c.CallFoul(seat=1, foul="5i", shot=number)):
            assert match.refused(REFEREE, foul) == Code.WRONG_STATE
        assert match.refused(REFEREE, c.ResolveWedged(over_opening=(1,))) == Code.WRONG_STATE
        assert match.state.consecutive_fouls == (0, 0) and match.state.shooter == 1
        match.give(REFEREE, c.CallFoul(seat=1, foul="5f", between_strokes=True))
        assert match.state.consecutive_fouls == (0, 1) and match.state.shooter == 0

    def test_without_effect_the_balls_go_back_and_play_goes_on(self):
        match = Match("nine_ball_wpa", referee=True)
        match.broken()
        match.strike(contact(1), rail(1))
        match.give(REFEREE, c.OutsideInterference(affected=False, balls=(7,)))
        assert (match.state.phase, match.state.shooter) == (Phase.AWAIT_SHOT, 0)
        assert match.state.last_ruling.restored == (7,)

    def test_what_cannot_be_put_back_ends_as_a_stalemate(self):
        match = Match("nine_ball_wpa", referee=True)
        match.broken()
        match.give(REFEREE, c.OutsideInterference(affected=True, restorable=False))
        assert (match.state.phase, match.state.breaker) == (Phase.PLACE_CUE_FOR_BREAK, 0)
        assert match.state.games == (0, 0)

    def test_without_a_stroke_there_is_nothing_to_disturb(self):
        match = Match("nine_ball_wpa", referee=True)
        match.to_break()
        order = (REFEREE, c.OutsideInterference(affected=True))
        assert match.refused(*order) == Code.WRONG_STATE
        match.strike(contact(1), rail(1), rail(2), rail(3), rail(4))
        order = (REFEREE, c.OutsideInterference(affected=False, balls=(12,)))
        assert match.refused(*order) == Code.MALFORMED


class TestWhileSuspended:
    def test_the_referee_settles_it_and_play_is_still_suspended(self):
        """N9.9c, G.1.10."""
        match = Match(referee=True)
        match.broken()
        match.strike(contact(1), rail(1))
        match.give(SEAT[0], c.RequestRuling(reason="he had no foot on the floor"))
        assert match.heard(an.Suspended)[0].reason == "he had no foot on the floor"
        match.give(REFEREE, c.CallFoul(seat=1, foul="5i"))
        assert (match.state.phase, match.state.resumes_to) == ("SUSPENDED", "PLACE_CUE_ANYWHERE")
        assert match.refused(SEAT[0], c.PlaceCue(x=0.0, y=0.2)) == Code.PLAY_SUSPENDED
        match.give(REFEREE, c.Resume())
        match.give(SEAT[0], c.PlaceCue(x=0.0, y=0.2))

    def test_a_penalty_may_be_chosen_then(self):
        match = Match(referee=True)
        match.broken()
        before = match.state
        match.give(REFEREE, c.CallUnsportsmanlike(seat=0))
        match.give(REFEREE, c.Suspend())
        assert match.refused(SEAT[0], c.Choose(option=Option.WARNING)) == Code.PLAY_SUSPENDED
        match.give(REFEREE, c.Choose(option=Option.WARNING, reason="do it no more"))
        match.give(REFEREE, c.Resume())
        assert (match.state.phase, match.state.shooter) == (Phase.AWAIT_SHOT, 1)
        assert match.state.balls == before.balls

    def test_a_penalty_that_is_due_outlives_a_suspension(self):
        match = Match(referee=True)
        match.broken()
        match.give(REFEREE, c.CallUnsportsmanlike(seat=1))
        match.give(SERVER, c.Suspend())
        match.give(SERVER, c.Resume())
        match.give(REFEREE, c.Choose(option=Option.LOSS_OF_RACK))
        assert match.state.games == (1, 0)

    def test_the_clock_goes_on_with_what_was_left(self):
        match = Match(referee=True, shot_clock=ShotClock(limit_s=30.0))
        match.broken()
        left = match.state.clock.deadline - (match.now + 1.0)
        match.give(REFEREE, c.Suspend())
        match.give(REFEREE, c.WarnSlowPlay())
        match.give(REFEREE, c.UpholdJudgement())
        match.give(REFEREE, c.Resume())
        assert match.state.clock.deadline == pytest.approx(match.now + left)

    def test_not_by_players(self):
        match = Match()
        match.broken()
        match.give(SERVER, c.Suspend())
        claim = c.Claim(act=c.CallFoul(seat=1, foul="5i"))
        assert match.refused(SEAT[0], claim) == Code.PLAY_SUSPENDED


class TestInterferenceAfterTheEnd:
    def test_a_stroke_that_was_disturbed_is_played_again_after_the_match_too(self):
        """G.1.9a: it goes the way of a foul called late."""
        match = Match(overrides={"match": {"games_to_win": 1}}, referee=True)
        match.broken()
        match.strike(contact(1), pocketed(9))
        assert match.state.phase == Phase.MATCH_OVER
        match.give(REFEREE, c.OutsideInterference(affected=True))
        assert (match.state.phase, match.state.shooter) == (Phase.AWAIT_SHOT, 1)
        assert match.state.games == (0, 0) and match.state.winner is None
        assert 9 in match.state.balls

    def test_a_match_that_is_over_is_no_stalemate(self):
        match = Match(overrides={"match": {"games_to_win": 1}}, referee=True)
        match.broken()
        match.strike(contact(1), pocketed(9))
        order = c.OutsideInterference(affected=False, restorable=False)
        assert match.refused(REFEREE, order) == Code.WRONG_STATE


class TestWhatWasRestored:
    def test_it_stays_where_it_was_put_when_a_foul_is_called_on_the_stroke(self):
        """G.1.8 and F6.6a: balls that were touched go back, and the touch is a foul."""
        match = Match("eight_ball", referee=True)
        match.to_break()
        match.strike(contact(1), *map(rail, range(1, 5)))
        lay = match.state.balls[5]
        moved = {**match.state.balls, 5: Position(0.3, 0.3)}
        match.give(SEAT[1], c.CallShot(ball=3, pocket="foot_left"))
        match.strike(contact(3), rail(3), balls=moved)
        match.give(REFEREE, c.RestoreBalls(balls=(5,)))
        match.give(REFEREE, c.CallFoul(seat=1, foul="6.6"))
        assert (match.state.phase, match.state.shooter) == (Phase.PLACE_CUE_ANYWHERE, 0)
        assert match.state.balls[5] == lay
