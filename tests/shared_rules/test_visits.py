"""Whose visit it is, and what waits for a rack: what officials call meanwhile touches neither."""

import pytest

from shared_rules import commands as c
from shared_rules import events as ev
from shared_rules.balls import CUE
from shared_rules.refusal import Code
from shared_rules.state import Option, Phase
from tests.shared_rules.table import REFEREE, SEAT, Match, contact, pocketed, rail


class TestOfficialsWhileBallsAreRacked:
    def awaiting(self, **more):
        match = Match("straight_pool", referee=True, **more)
        match.to_break()
        match.give(SEAT[0], c.CallSafety())
        match.strike(contact(1), rail(CUE), rail(1), rail(2))
        for ball in range(1, 15):
            match.give(SEAT[1], c.CallShot(ball=ball, pocket="foot_left"))
            match.strike(contact(ball), pocketed(ball))
        assert match.state.phase == Phase.RERACK
        return match

    @pytest.mark.parametrize("seat", [0, 1])
    def test_a_foul_of_its_own_waits_for_the_rack(self, seat):
        """S14.4b: play has stopped; nobody is to shoot at two balls."""
        match = self.awaiting()
        order = c.CallFoul(seat=seat, foul="6.6", between_strokes=True)
        assert match.refused(REFEREE, order) == Code.WRONG_STATE
        match.rack()
        match.give(REFEREE, order)
        assert match.state.consecutive_fouls[seat] == 1

    def test_a_foul_on_the_stroke_takes_the_rack_back(self):
        match = self.awaiting()
        match.give(REFEREE, c.CallFoul(seat=1, foul="6.6"))
        assert (match.state.phase, match.state.scores) == (Phase.AWAIT_SHOT, (0, 12))
        assert match.state.rerack is None and set(match.state.balls) == {CUE, 14, 15}

    @pytest.mark.parametrize("breaker", ["lag", "same"])
    def test_nothing_of_it_is_left_after_a_stalemate(self, breaker):
        """G.1.9c: the table could not be restored."""
        match = self.awaiting(overrides={"stalemate": {"breaker": breaker}})
        match.give(REFEREE, c.OutsideInterference(affected=False, restorable=False))
        assert match.state.rerack is None and match.state.scores == (0, 14)


class TestVisits:
    """A run and a visit are of who is at the table (S14.7, G.1.12a)."""

    def at_table(self):
        match = Match("straight_pool", referee=True)
        match.to_break()
        match.give(SEAT[0], c.CallSafety())
        return match.strike(contact(1), rail(CUE), rail(1), rail(2)) and match

    @pytest.mark.parametrize("penalty", [False, True])
    def test_a_foul_of_the_other_ends_no_run_and_lends_none(self, penalty):
        match = self.at_table()
        for ball in (1, 2, 3):
            match.give(SEAT[1], c.CallShot(ball=ball, pocket="foot_left"))
            match.strike(contact(ball), pocketed(ball))
        if penalty:
            match.give(REFEREE, c.CallUnsportsmanlike(seat=0))
            match.give(REFEREE, c.Choose(option=Option.STANDARD_FOUL))
        else:
            match.give(REFEREE, c.CallFoul(seat=0, foul="6.6", between_strokes=True))
        assert (match.state.scores, match.state.shooter) == ((-1, 3), 1)
        assert (match.state.run, match.state.high_runs) == (3, (0, 3))

    def test_a_foul_of_the_other_uses_up_no_last_visit(self):
        match = self.at_table()
        match.give(REFEREE, c.AnnounceNoProgress())
        match.give(REFEREE, c.CallFoul(seat=0, foul="6.6", between_strokes=True))
        assert match.state.stalemate_visits_left == (3, 3)
        match.give(REFEREE, c.CallFoul(seat=1, foul="6.6", between_strokes=True))
        assert match.state.stalemate_visits_left == (3, 2)

    def test_a_serious_foul_of_the_other_ends_the_visit(self):
        """S14.11c: he breaks."""
        match = self.at_table()
        match.give(SEAT[1], c.CallShot(ball=1, pocket="foot_left"))
        match.strike(contact(1), pocketed(1))
        match.give(REFEREE, c.CallUnsportsmanlike(seat=0))
        match.give(REFEREE, c.Choose(option=Option.SERIOUS_FOUL))
        assert (match.state.scores, match.state.breaker) == ((-16, 1), 0)
        assert (match.state.run, match.state.high_runs) == (0, (0, 1))


class TestPenaltyOnTheBreak:
    """F6.16p after a stroke that was a break: what fell on it is there to play on with."""

    def fouled(self, game):
        match = Match(game, referee=True)
        match.to_break()
        touch = ev.EquipmentContact(by="hand", ball=4, intentional=True)
        match.strike(contact(1), *map(rail, range(1, 5)), touch, pocketed(8), pocketed(CUE))
        assert match.state.phase == Phase.REFEREE_PENALTY
        return match

    @pytest.mark.parametrize("option", [Option.WARNING, Option.STANDARD_FOUL])
    @pytest.mark.parametrize(
        ("game", "phase"),
        [("eight_ball", Phase.PLACE_CUE_HEAD), ("black_ball", Phase.PLACE_CUE_BAULK)],
    )
    def test_the_ball_that_decides_is_on_the_table(self, game, phase, option):
        """E8.7, BB.5c; E8.3h: after a scratch on the break, from behind the head string alone."""
        match = self.fouled(game)
        match.give(REFEREE, c.Choose(option=option))
        assert (match.state.phase, match.state.shooter) == (phase, 1)
        assert set(match.state.balls) == set(range(1, 16))

    def test_in_nine_ball_the_cue_ball_is_in_hand_anywhere(self):
        match = Match("nine_ball_wpa", referee=True)
        match.to_break()
        touch = ev.EquipmentContact(by="hand", ball=4, intentional=True)
        match.strike(contact(1), pocketed(2), touch, pocketed(CUE))
        match.give(REFEREE, c.Choose(option=Option.WARNING))
        assert (match.state.phase, match.state.shooter) == (Phase.PLACE_CUE_ANYWHERE, 1)


class TestFoulsBetweenGames:
    def test_a_standard_foul_costs_its_point_in_the_coming_game(self):
        """S14.9p, F6.16p: as a serious one costs its sixteen."""
        rules = {"target": 1, "match": {"games_to_win": 2}}
        match = Match("straight_pool", rules, referee=True)
        match.to_break()
        match.give(SEAT[0], c.CallShot(ball=1, pocket="foot_left"))
        match.strike(contact(1), pocketed(1))
        assert match.state.phase == Phase.GAME_OVER
        match.give(REFEREE, c.CallUnsportsmanlike(seat=0))
        match.give(REFEREE, c.Choose(option=Option.STANDARD_FOUL))
        assert (match.state.phase, match.state.breaker) == (Phase.PLACE_CUE_FOR_BREAK, 1)
        assert (match.state.scores, match.state.consecutive_fouls) == ((-1, 0), (1, 0))
        assert match.state.games == (1, 0)
