"""Stalemates, giving up, losses and penalties in a match."""

import pytest

from shared_rules import commands as c
from shared_rules import events as ev
from shared_rules.balls import CUE
from shared_rules.commands import Actor
from shared_rules.refusal import Code, Refusal
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


class TestStalemateAndGivingUp:
    def test_both_must_agree_before_the_next_stroke(self):
        match = Match()
        match.broken()
        match.give(SEAT[0], c.AgreeStalemate())
        assert match.refused(SEAT[0], c.AgreeStalemate()) == Code.WRONG_STATE
        match.strike(contact(1), rail(1))
        match.give(SEAT[1], c.AgreeStalemate())
        assert match.state.phase == Phase.AWAIT_SHOT, "the first agreement has lapsed"
        match.give(SEAT[0], c.AgreeStalemate())
        assert (match.state.phase, match.state.breaker) == (Phase.PLACE_CUE_FOR_BREAK, 0)
        assert match.state.games == (0, 0) and match.state.rack_number == 2

    def test_three_visits_before_the_referee_declares_it(self):
        match = Match(referee=True)
        match.broken()
        code = match.refused(REFEREE, c.DeclareStalemate())
        assert code == Code.THREE_VISITS_NOT_PLAYED
        match.give(REFEREE, c.AnnounceNoProgress())
        for _ in range(5):
            match.strike(contact(1), rail(1))
            code = match.refused(REFEREE, c.DeclareStalemate())
            assert code == Code.THREE_VISITS_NOT_PLAYED
        match.strike(contact(1), rail(1))
        match.give(REFEREE, c.DeclareStalemate())
        assert match.state.breaker == 0 and match.state.games == (0, 0)

    def test_a_visit_ends_with_the_turn_not_with_the_stroke(self):
        match = Match(referee=True)
        match.broken()
        match.give(REFEREE, c.AnnounceNoProgress())
        match.strike(contact(1), pocketed(1))
        assert match.state.stalemate_visits_left == (3, 3)
        match.strike(contact(2), rail(2))
        assert match.state.stalemate_visits_left == (3, 2)

    def test_giving_up_costs_the_game_or_the_match(self):
        match = Match()
        match.broken()
        match.give(SEAT[0], c.Concede())
        assert match.state.phase == Phase.GAME_OVER and match.state.games == (0, 1)
        match = Match("nine_ball_wpa")
        match.broken()
        match.give(SEAT[0], c.Concede())
        assert match.state.phase == Phase.MATCH_OVER and match.state.winner == 1

    def test_a_game_is_given_up_only_while_one_is_played(self):
        match = Match(overrides={"match": {"games_to_win": 1, "sets_to_win": 2}})
        match.give(SERVER, c.StartMatch())
        assert match.refused(SEAT[0], c.Concede()) == Code.WRONG_STATE
        match.broken()
        match.strike(contact(1), pocketed(9))
        match.give(SEAT[0], c.RequestTimeOut())  # between sets
        assert match.refused(SEAT[0], c.Concede()) == Code.WRONG_STATE

    def test_it_can_be_given_up_while_play_stands_still(self):
        match = Match()
        match.broken()
        match.give(SEAT[1], c.RequestTimeOut())
        match.give(SEAT[0], c.Concede())
        assert (match.state.phase, match.state.games) == (Phase.GAME_OVER, (0, 1))
        assert match.state.resumes_to is None and match.state.time_out_by is None

    @pytest.mark.parametrize("seat", [0, 1])
    def test_a_match_is_given_up_at_any_time(self, seat):
        match = Match("nine_ball_wpa")
        match.give(SERVER, c.StartMatch())
        match.give(SEAT[seat], c.Concede())
        assert (match.state.phase, match.state.winner) == (Phase.MATCH_OVER, 1 - seat)

    @pytest.mark.parametrize(
        ("scope", "phase"),
        [("game", "GAME_OVER"), ("set", "SET_OVER"), ("match", "MATCH_OVER")],
    )
    def test_awarded_losses(self, scope, phase):
        match = Match(overrides={"match": {"sets_to_win": 2}})
        match.broken()
        match.give(SERVER, c.AwardLoss(seat=0, scope=scope, reason="gone"))
        assert match.state.phase == phase and match.state.rack_winner == 1

    @pytest.mark.parametrize("stop", [(SEAT[0], c.RequestTimeOut()), (SERVER, c.Suspend())])
    @pytest.mark.parametrize("scope", ["game", "set"])
    def test_nothing_is_lost_twice_in_a_pause_between_sets(self, stop, scope):
        match = Match(overrides={"match": {"games_to_win": 1, "sets_to_win": 2}})
        match.broken()
        match.give(SEAT[0], c.Concede())
        assert (match.state.phase, match.state.games) == (Phase.SET_OVER, (0, 1))
        match.give(*stop)
        with pytest.raises(Refusal) as refused:
            match.give(SERVER, c.AwardLoss(seat=0, scope=scope, reason="gone"))
        assert refused.value.code == Code.WRONG_STATE
        assert (match.state.games, match.state.sets) == ((0, 1), (0, 1))

    def test_a_loss_in_the_lag_leaves_an_order_of_play(self):
        match = Match()
        match.give(SERVER, c.StartMatch())
        match.give(SERVER, c.AwardLoss(seat=0, scope="game", reason="gone"))
        match.give(SERVER, c.NextGame())
        assert match.state.breaker == 1
        match.rack()
        match.strike(contact(1), pocketed(9))
        assert match.state.games == (0, 2)

    def test_a_set_lost_in_the_lag_counts_as_opened_by_its_winner(self):
        match = Match(overrides={"match": {"sets_to_win": 2}})
        match.give(SERVER, c.StartMatch())
        match.give(SERVER, c.AwardLoss(seat=0, scope="set", reason="gone"))
        match.give(SERVER, c.NextGame())
        assert match.state.breaker == 0

    def test_late_arrival(self):
        match = Match()
        match.give(Actor.CLOCK, c.LateArrival(seat=1, late_s=899.0))
        assert match.state.phase == Phase.WAITING_FOR_PLAYERS
        match.give(Actor.CLOCK, c.LateArrival(seat=1, late_s=900.0))
        assert match.state.phase == Phase.MATCH_OVER and match.state.winner == 0

    def test_nobody_escapes_his_clock_by_a_stalemate(self):
        match = Match(shot_clock=ShotClock(limit_s=30.0))
        match.broken()
        match.give(SEAT[0], c.AgreeStalemate())
        deadline = match.state.clock.deadline
        assert match.refused(SEAT[1], c.AgreeStalemate(), deadline) == Code.TIME_IS_UP
        match.give(CLOCK, c.ExpireClock(deadline=deadline), deadline)
        assert [f.code for f in match.state.last_ruling.fouls] == ["9g"]

    def test_giving_up_waits_until_the_balls_have_stopped(self):
        match = Match()
        match.broken()
        match.give(SEAT[1], c.Strike(stroke=STROKE))
        assert match.refused(SEAT[0], c.Concede()) == Code.BALLS_MOVING
        match.finish([ev.CueStrike(), contact(1), rail(1)])
        match.give(SEAT[0], c.Concede())
        assert match.state.games == (0, 1)


class TestPenalties:
    @pytest.mark.parametrize(
        ("option", "phase"),
        [
            (Option.WARNING, Phase.AWAIT_SHOT),
            (Option.STANDARD_FOUL, Phase.PLACE_CUE_ANYWHERE),
            (Option.SERIOUS_FOUL, Phase.GAME_OVER),
            (Option.LOSS_OF_RACK, Phase.GAME_OVER),
            (Option.LOSS_OF_SET, Phase.SET_OVER),
            (Option.LOSS_OF_MATCH, Phase.MATCH_OVER),
            (Option.EJECTION, Phase.MATCH_OVER),
        ],
    )
    def test_each(self, option, phase):
        match = Match(overrides={"match": {"sets_to_win": 2}}, referee=True)
        match.broken()
        before = match.state
        match.give(REFEREE, c.CallUnsportsmanlike(seat=1))
        assert match.state.phase == Phase.REFEREE_PENALTY
        match.give(REFEREE, c.Choose(option=option))
        assert match.state.phase == phase
        if option == Option.WARNING:
            assert (match.state.shooter, match.state.balls) == (1, before.balls)
        elif option != Option.STANDARD_FOUL:
            assert match.state.rack_winner == 0
        else:
            assert match.state.shooter == 0 and match.state.consecutive_fouls == (0, 1)

    @pytest.mark.parametrize(
        ("gone", "phase"), [((), "AWAIT_SHOT"), ((CUE,), "PLACE_CUE_ANYWHERE")]
    )
    def test_a_warning_for_a_stroke_leaves_a_table_to_play_on(self, gone, phase):
        """F6.6b, F6.16p: with the cue ball gone somebody must have it in hand."""
        match = Match("nine_ball_wpa", referee=True)
        match.to_break()
        touched = ev.EquipmentContact(by="hand", ball=5, intentional=True)
        match.strike(contact(1), rail(1), touched, *map(pocketed, gone))
        match.give(REFEREE, c.Choose(option=Option.WARNING))
        assert match.state.phase == phase and not match.state.is_break
        match.strike(contact(1), rail(1))
        assert not match.state.last_ruling.fouls


class TestTheTable:
    def test_balls_go_back_where_they_lay_before_the_stroke(self):
        """G.1.8."""
        match = Match("nine_ball_wpa", referee=True)
        match.broken()
        before = match.state.balls
        moved = {**before, 5: Position(0.1, 0.4)}
        match.strike(contact(1), rail(1), balls=moved)
        match.give(REFEREE, c.RestoreBalls(balls=(5,)))
        assert match.state.balls == before

    def test_a_cue_ball_in_hand_is_placed_by_its_player_not_restored(self):
        match = Match("nine_ball_wpa", referee=True)
        match.broken()
        match.strike(contact(5), rail(5))
        assert match.state.phase == Phase.PLACE_CUE_ANYWHERE and CUE not in match.state.balls
        order = (REFEREE, c.RestoreBalls(balls=(CUE,)))
        assert match.refused(*order) == Code.WRONG_STATE
        match.give(SEAT[match.state.shooter], c.PlaceCue(x=-0.9, y=0.3))
        assert match.refused(*order) == Code.WRONG_STATE
        assert match.state.balls[CUE] == Position(-0.9, 0.3)

    def test_a_wedged_ball_may_be_what_makes_a_stroke_legal(self):
        """N9.9m, N9.5b: no ball had touched a cushion, but one was pocketed after all."""
        match = Match(referee=True)
        match.broken()
        match.strike(contact(1))
        assert match.state.consecutive_fouls == (0, 1)
        match.give(REFEREE, c.ResolveWedged(over_opening=(1,)))
        ruling = match.state.last_ruling
        assert (ruling.fouls, ruling.pocketed) == ((), (1,))
        assert match.state.consecutive_fouls == (0, 0) and CUE in match.state.balls
        assert (match.state.phase, match.state.shooter) == (Phase.AWAIT_SHOT, 1)

    def test_wedged_balls_are_resolved_where_a_choice_waits(self):
        """N9.9m, N9.3.2: on the break too, on which too few had touched a cushion."""
        match = Match(referee=True)
        match.to_break()
        match.strike(contact(1), rail(1))
        assert match.state.phase == Phase.DECIDE_AFTER_BREAK_FOUL
        match.give(REFEREE, c.ResolveWedged(over_opening=(4,)))
        assert (match.state.phase, match.state.shooter) == (Phase.AWAIT_SHOT, 0)
        assert match.state.push_out_available and match.state.consecutive_fouls == (0, 0)

    def test_a_wedged_ball_brings_back_a_game_lost_by_a_third_foul(self):
        match = Match(referee=True)
        match.broken()
        for _ in range(2):
            match.strike(contact(5), rail(5))
            match.strike(contact(1), rail(1))
        match.strike(contact(1))
        assert match.state.games == (1, 0)
        match.give(REFEREE, c.ResolveWedged(over_opening=(1,)))
        assert (match.state.games, match.state.shooter) == ((0, 0), 1)

    def test_a_wedged_nine_wins_on_a_legal_stroke_alone(self):
        """N9.7.1, N9.5p, N9.5s1."""
        match = Match(referee=True)
        match.broken()
        match.strike(contact(1), rail(1))
        match.give(REFEREE, c.ResolveWedged(over_opening=(9,)))
        assert match.state.games == (0, 1)
        match = Match(referee=True)
        match.broken()
        match.strike(contact(5), rail(5))
        match.give(REFEREE, c.ResolveWedged(over_opening=(9,)))
        assert [foul.code for foul in match.state.last_ruling.fouls] == ["5a", "5p"]
        assert match.state.balls[9].y == 0.0 and match.state.games == (0, 0)

    def test_a_foul_called_after_it_leaves_a_wedged_ball_down(self):
        match = Match(referee=True)
        match.broken()
        match.strike(contact(1), rail(1))
        match.give(REFEREE, c.ResolveWedged(over_opening=(6,)))
        assert match.state.shooter == 1
        match.give(REFEREE, c.CallFoul(seat=1, foul="5f"))
        assert (match.state.shooter, 6 in match.state.balls) == (0, False)

    def test_what_wedged_on_a_closed_stroke_is_cleared_away_where_a_stroke_is_due(self):
        """A foul of its own has closed the stroke: nobody goes on for its balls."""
        match = Match(referee=True)
        match.broken()
        match.strike(contact(1), rail(1))
        match.give(REFEREE, c.CallFoul(seat=0, foul="9h"))
        shooter = match.state.shooter
        match.give(REFEREE, c.ResolveWedged(over_opening=(6,)))
        assert (match.state.shooter, 6 in match.state.balls) == (shooter, False)

    @pytest.mark.parametrize(("hit", "shooter"), [(1, 1), (5, 0)])
    def test_a_wedged_ball_counts_for_a_legal_stroke_only(self, hit, shooter):
        """N9.9m: over the opening it is down either way, but after a foul nobody goes on for it."""
        match = Match(referee=True)
        match.broken()
        match.strike(contact(hit), rail(hit))
        match.give(REFEREE, c.ResolveWedged(over_opening=(6,), outside=(7,)))
        assert match.state.shooter == shooter
        assert 6 not in match.state.balls and 7 in match.state.balls

    def test_a_watcher_is_for_one_stroke(self):
        """N9.9b."""
        match = Match()
        match.broken()
        match.give(SEAT[0], c.RequestWatcher())
        assert match.state.watcher_asked_by == 0
        match.strike(contact(1), rail(1))
        assert match.state.watcher_asked_by is None


class TestConductWithAPenaltyOfItsOwn:
    """N9.9f, h, i against F6.16d, e: ``advice``, ``practice``, ``play_suspended``."""

    @pytest.mark.parametrize("kind", ["advice", "play_suspended"])
    def test_it_loses_the_game_in_epbf_and_is_the_referees_to_weigh_in_wpa(self, kind):
        match = Match(referee=True)
        match.broken()
        match.give(REFEREE, c.CallUnsportsmanlike(seat=1, kind=kind, reason="seen by all"))
        assert (match.state.phase, match.state.games) == (Phase.GAME_OVER, (1, 0))
        match = Match("nine_ball_wpa", referee=True)
        match.broken()
        match.give(REFEREE, c.CallUnsportsmanlike(seat=1, kind=kind))
        assert match.state.phase == Phase.REFEREE_PENALTY

    def test_practising_is_a_foul_in_epbf_and_the_referees_to_weigh_in_wpa(self):
        match = Match(referee=True)
        match.broken()
        match.give(REFEREE, c.CallUnsportsmanlike(seat=0, kind="practice"))
        assert [f.code for f in match.state.last_ruling.fouls] == ["9h"]
        assert match.state.consecutive_fouls == (1, 0) and match.state.shooter == 1
        match = Match("nine_ball_wpa", referee=True)
        match.broken()
        match.give(REFEREE, c.CallUnsportsmanlike(seat=0, kind="practice"))
        assert match.state.phase == Phase.REFEREE_PENALTY

    def test_between_games_it_costs_the_coming_one(self):
        """Nothing is lost twice: the game that is over has been lost already."""
        match = Match(referee=True)
        match.broken()
        match.strike(contact(1), pocketed(9))
        match.give(REFEREE, c.CallUnsportsmanlike(seat=0, kind="advice"))
        assert (match.state.games, match.state.rack_number) == ((0, 2), 2)

    @pytest.mark.parametrize(
        ("option", "games", "sets", "rack"),
        [
            (Option.WARNING, (0, 1), (0, 1), 1),
            (Option.STANDARD_FOUL, (0, 0), (0, 1), 2),
            (Option.LOSS_OF_SET, (0, 0), (1, 1), 2),
        ],
    )
    def test_each_penalty_between_sets(self, option, games, sets, rack):
        match = Match(overrides={"match": {"games_to_win": 1, "sets_to_win": 3}}, referee=True)
        match.broken()
        match.strike(contact(1), pocketed(9))
        match.give(REFEREE, c.CallUnsportsmanlike(seat=1))
        match.give(REFEREE, c.Choose(option=option))
        assert (match.state.games, match.state.sets) == (games, sets)
        assert match.state.rack_number == rack

    def test_a_warning_in_a_choice_leaves_the_choice(self):
        match = Match(referee=True)
        match.to_break()
        match.strike(contact(1), rail(1))
        options = match.state.options
        match.give(REFEREE, c.CallUnsportsmanlike(seat=1))
        match.give(REFEREE, c.Choose(option=Option.WARNING))
        assert (match.state.phase, match.state.decider) == (Phase.DECIDE_AFTER_BREAK_FOUL, 1)
        assert match.state.options == options

    def test_a_referee_who_says_nothing_lets_the_mildest_stand(self):
        """No match hangs on an official who is not there."""
        match = Match(referee=True)
        match.broken()
        match.give(REFEREE, c.CallUnsportsmanlike(seat=1))
        deadline = match.state.clock.deadline
        assert deadline == match.now + match.description.referee_s
        match.give(CLOCK, c.ExpireClock(deadline=deadline), deadline)
        assert (match.state.phase, match.state.shooter) == (Phase.AWAIT_SHOT, 1)

    def test_every_act_says_what_and_why(self):
        match = Match(referee=True)
        match.broken()
        match.give(REFEREE, c.WarnSlowPlay(reason="two minutes for a safety"))
        said = match.said[0]
        assert (said.by, said.act, said.reason) == (
            "referee", "warn_slow_play", "two minutes for a safety",
        )  # fmt: skip
