"""Fouls in a match: three in a row, called ones, touches while placing, safeties near a cushion."""

import pytest

from shared_rules import announcements as an
from shared_rules import commands as c
from shared_rules import events as ev
from shared_rules.balls import CUE
from shared_rules.refusal import Code
from shared_rules.state import Option, Phase
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


class TestThreeFouls:
    def test_warning_and_loss(self):
        match = Match()
        match.broken()
        for _ in range(2):
            match.strike(contact(5), rail(5))  # seat 1 fouls
            match.strike(contact(1), rail(1))  # seat 0 does not
        assert match.state.consecutive_fouls == (0, 2)
        assert match.heard(an.TwoFoulWarning)[0].seat == 1
        assert match.state.warned == (False, True)
        match.strike(contact(5), rail(5))
        assert match.state.phase == Phase.GAME_OVER and match.state.rack_winner == 0
        assert match.heard(an.GameWon)[0].reason == "three_fouls"

    def test_a_legal_stroke_clears_count_and_warning(self):
        match = Match()
        match.broken()
        for _ in range(2):
            match.strike(contact(5), rail(5))
            match.strike(contact(1), rail(1))
        match.strike(contact(1), rail(1))
        assert match.state.consecutive_fouls == (0, 0) and match.state.warned == (False, False)

    def test_three_on_breaks_that_are_racked_again(self):
        """The same game: break fouls go on counting (ambiguities 5 and 6), warning included."""
        match = Match()
        match.to_break()
        for count in (1, 2):
            match.strike(contact(1), rail(1))
            assert match.state.consecutive_fouls == (count, 0)
            match.give(SEAT[1], c.Choose(option=Option.RERACK_OFFENDER_BREAKS))
            assert match.state.consecutive_fouls == (count, 0)
            match.rack()
        assert match.state.warned == (True, False)
        match.strike(contact(1), rail(1), pocketed(CUE))
        assert (match.state.phase, match.state.games) == (Phase.GAME_OVER, (0, 1))

    def test_the_count_and_the_warning_end_with_the_game(self):
        match = Match()
        match.broken()
        for _ in range(2):
            match.strike(contact(5), rail(5))
            match.strike(contact(1), rail(1))
        match.strike(contact(1), pocketed(9))  # seat 1, warned, wins
        match.give(SERVER, c.NextGame())
        assert (match.state.consecutive_fouls, match.state.warned) == ((0, 0), (False, False))

    def test_the_opponent_on_two_is_warned_when_his_turn_comes(self):
        match = Match()
        match.broken()
        match.strike(contact(5), rail(5))
        match.strike(contact(1), rail(1))
        match.strike(contact(5), rail(5))
        assert match.heard(an.TwoFoulWarning) == [] and match.state.warned == (False, False)
        match.strike(contact(1), rail(1))
        assert [said.seat for said in match.heard(an.TwoFoulWarning)] == [1]

    def test_a_declined_push_out_brings_the_pusher_back_warned(self):
        match = Match()
        match.broken()
        match.give(SEAT[1], c.DeclarePushOut())
        match.strike()
        match.give(SEAT[0], c.Choose(option=Option.PASS_BACK))
        for _ in range(2):
            match.strike(contact(5), rail(5))
            match.strike(contact(1), rail(1))
        assert match.state.warned == (False, True)

    def test_misconduct_on_the_third_loses_the_game_without_asking(self):
        """RULES 11.4: the loss of the rack comes before the referee's choice."""
        match = Match("nine_ball_wpa", referee=True)
        match.broken()
        for _ in range(2):
            match.strike(contact(5), rail(5))
            match.strike(contact(1), rail(1))
        touched = ev.EquipmentContact(by="hand", ball=5, intentional=True)
        match.strike(contact(1), rail(1), touched)
        assert match.state.phase == Phase.GAME_OVER and match.state.rack_winner == 0


class TestFoulsThatAreNoStroke:
    def test_strict_placement(self):
        match = Match(overrides={"touch_fouls": "strict"})
        match.to_break()
        match.strike(contact(1), rail(1), rail(2), rail(3), rail(4), pocketed(CUE))
        match.give(SEAT[1], c.Choose(option=Option.BALL_IN_HAND_ANYWHERE))
        x, y = match.state.balls[5]
        match.give(SEAT[1], c.PlaceCue(x=x, y=y))
        assert [f.code for f in match.state.last_ruling.fouls] == ["5n"]
        assert (match.state.phase, match.state.shooter) == (Phase.PLACE_CUE_ANYWHERE, 0)
        assert match.state.consecutive_fouls == (1, 1)

    def test_a_called_foul_is_added_to_the_running_shot(self):
        match = Match(referee=True)
        match.broken()
        match.give(SEAT[1], c.Strike(stroke=STROKE))
        match.give(REFEREE, c.CallFoul(seat=1, foul="5i"))
        match.finish([ev.CueStrike(), contact(1), pocketed(9)])
        assert [f.code for f in match.state.last_ruling.fouls] == ["5i", "5p"]
        assert match.state.phase == Phase.PLACE_CUE_ANYWHERE and 9 in match.state.balls

    def test_who_fouls_while_he_chooses_leaves_the_choice_to_the_other(self):
        """BB.12p, BB.1a: the shooter of a decision is who has fouled, the decider his opponent."""
        match = Match("black_ball", referee=True)
        match.to_break()
        match.strike(contact(5))
        assert (match.state.phase, match.state.decider) == (Phase.FREE_SHOT, 1)
        match.give(REFEREE, c.CallFoul(seat=1, foul="6.6", between_strokes=True))
        assert (match.state.phase, match.state.decider) == (Phase.FREE_SHOT, 0)
        assert match.state.shooter == 1

    def test_late_calls_are_refused(self):
        match = Match(referee=True)
        match.broken()
        shot = match.state.shot_number
        match.strike(contact(1), rail(1))
        code = match.refused(REFEREE, c.CallFoul(seat=0, foul="5i", shot=shot))
        assert code == Code.NEXT_SHOT_ALREADY_BEGUN
        match.give(REFEREE, c.CallFoul(seat=1, foul="5i", shot=match.state.shot_number))
        assert (match.state.phase, match.state.shooter) == (Phase.PLACE_CUE_ANYWHERE, 0)

    def test_a_stroke_is_penalised_once_however_often_it_is_called(self):
        match = Match(referee=True)
        match.broken()
        match.strike(contact(5), rail(5))
        shot = match.state.shot_number
        match.give(REFEREE, c.CallFoul(seat=1, foul="5i", shot=shot))
        assert match.state.consecutive_fouls == (0, 1)
        assert [f.code for f in match.state.last_ruling.fouls] == ["5a", "5i"]
        assert (match.state.phase, match.state.shooter) == (Phase.PLACE_CUE_ANYWHERE, 0)
        match.give(REFEREE, c.CallFoul(seat=1, foul="9h"))  # no foul of that stroke
        assert match.state.consecutive_fouls == (0, 2)
        match.give(REFEREE, c.CallFoul(seat=0, foul="5f"))  # nor is that: another player's
        assert match.state.consecutive_fouls == (1, 2)

    def test_a_push_out_may_be_called_until_the_next_stroke(self):
        """F6.0b: the opponent's choice is no stroke."""
        match = Match(referee=True)
        match.broken()
        match.give(SEAT[1], c.DeclarePushOut())
        match.strike()
        match.give(REFEREE, c.CallFoul(seat=1, foul="5i"))
        assert (match.state.phase, match.state.shooter) == (Phase.PLACE_CUE_ANYWHERE, 0)
        assert (match.state.options, match.state.consecutive_fouls) == ((), (0, 1))

    def test_a_break_foul_that_is_called_too_leaves_the_choice(self):
        match = Match(referee=True)
        match.to_break()
        match.strike(contact(1), rail(1))
        options = match.state.options
        match.give(REFEREE, c.CallFoul(seat=0, foul="5i"))
        assert (match.state.phase, match.state.options) == (Phase.DECIDE_AFTER_BREAK_FOUL, options)
        assert match.state.consecutive_fouls == (1, 0)

    def test_without_a_referee_the_opponent_calls_what_he_saw(self):
        """N9.9a."""
        match = Match()
        match.broken()
        for foul, seat in (("5i", 0), ("5a", 1), ("7z", 1)):
            code = match.refused(SEAT[0], c.CallFoul(seat=seat, foul=foul))
            assert code == Code.NOT_ALLOWED
        match.give(SEAT[0], c.CallFoul(seat=1, foul="5i"))
        assert (match.state.phase, match.state.shooter) == (Phase.PLACE_CUE_ANYWHERE, 0)
        match = Match(referee=True)
        match.broken()
        assert match.refused(SEAT[0], c.CallFoul(seat=1, foul="5i")) == Code.NOT_ALLOWED

    def test_practising_between_games_is_entered_before_the_break(self):
        """N9.9h; it belongs to no stroke, so the game stays won."""
        match = Match(referee=True)
        match.broken()
        match.strike(contact(1), pocketed(9))
        match.give(REFEREE, c.CallFoul(seat=1, foul="9h"))
        assert (match.state.breaker, match.state.consecutive_fouls) == (0, (0, 1))
        assert match.state.games == (0, 1)

    def test_between_games_nothing_is_counted_where_fouls_are_not(self):
        """E8.9: eight-ball has no three-foul rule, so there is no first of three."""
        match = Match("eight_ball", referee=True)
        match.broken()
        match.give(REFEREE, c.AwardLoss(seat=1, scope="game", reason="advice"))
        match.give(REFEREE, c.CallFoul(seat=1, foul="6.16"))
        assert (match.state.breaker, match.state.consecutive_fouls) == (0, (0, 0))


class TestFoulsOfTheGame:
    """An official calls the fouls of the game that is played (RULES 8, which applies where)."""

    @pytest.mark.parametrize(
        ("game", "foreign"),
        [
            ("nine_ball_epbf", ("2.3b", "4.3b", "5.9", "6.11", "6.14", "5p")),
            ("nine_ball_wpa", ("5i", "9h", "2b", "4.3b", "5.5b", "6.11", "6.14")),
            ("eight_ball", ("5i", "9h", "2.3b", "4.3b", "5.13a", "6.14")),
            ("straight_pool", ("5i", "5.13c", "2.3b", "6.2", "6.14")),
            ("black_ball", ("5i", "9h", "4.3b", "6.11", "6.14")),
        ],
    )
    def test_those_of_another_are_refused(self, game, foreign):
        match = Match(game, referee=True)
        match.to_break()
        for foul in foreign:
            assert match.refused(REFEREE, c.CallFoul(seat=0, foul=foul)) == Code.MALFORMED

    @pytest.mark.parametrize(
        ("game", "own"),
        [
            ("nine_ball_epbf", "5o"),
            ("nine_ball_epbf", "6.12"),  # nothing of it in the EPBF's rules
            ("nine_ball_wpa", "2.3b"),
            ("eight_ball", "6.11"),
            ("straight_pool", "6.13"),
            ("black_ball", "5.13c"),
        ],
    )
    def test_its_own_are_taken(self, game, own):
        match = Match(game, referee=True)
        match.to_break()
        match.give(REFEREE, c.CallFoul(seat=0, foul=own))
        assert [foul.code for foul in match.state.last_ruling.fouls] == [own]

    @pytest.mark.parametrize("late", [False, True])
    def test_a_called_breaking_foul_is_one(self, late):
        """S14.10, S14.11a: two points, none of three in a row, and the choice of S14.3c."""
        match = Match("straight_pool", referee=True)
        match.to_break()
        match.give(SEAT[0], c.CallSafety())
        match.give(SEAT[0], c.PlaceCue(x=-0.9, y=0.2))
        match.give(SEAT[0], c.Strike(stroke=STROKE))
        order = (REFEREE, c.CallFoul(seat=0, foul="4.3b"))
        if not late:
            match.give(*order)
        match.finish([ev.CueStrike(), contact(1), rail(CUE), rail(1), rail(2)])
        if late:
            match.give(*order)
        assert (match.state.phase, match.state.decider) == (Phase.DECIDE_REBREAK, 1)
        assert (match.state.scores, match.state.consecutive_fouls) == ((-2, 0), (0, 0))


class TestNearCushionSafeties:
    """N9.5l: played with the lowest ball near the foot cushion."""

    def test_third_safety_in_a_row_is_a_foul(self):
        match = Match()
        match.broken()
        near = Position(match.description.frame.length / 2 - 0.05, 0.3)
        match.strike(contact(1), rail(1, "left"), balls={**match.state.balls, 1: near})
        lay = dict(match.state.balls)
        for _ in range(2):
            match.strike(contact(1), rail(1), balls=lay)  # seat 0, then seat 1, count apart
            match.strike(contact(1), rail(1), balls=lay)
        assert match.state.near_rail_safeties == {"0:1:foot": 2, "1:1:foot": 2}
        match.strike(contact(1), rail(1), balls=lay)
        assert [f.code for f in match.state.last_ruling.fouls] == ["5k"]
        assert match.state.near_rail_safeties == {"1:1:foot": 2}
        match.strike(contact(1), rail(1), rail(CUE, "left"), balls={**lay, CUE: lay[CUE]})
        assert match.state.near_rail_safeties == {} and not match.state.last_ruling.fouls

    def test_the_count_ends_when_the_opponent_drives_the_ball_away(self):
        """RULES 11.2: the ball ending farther away clears it, whoever played."""
        match = Match()
        match.broken()
        near = Position(match.description.frame.length / 2 - 0.05, 0.3)
        match.strike(contact(1), rail(1, "left"), balls={**match.state.balls, 1: near})
        lay = dict(match.state.balls)
        match.strike(contact(1), rail(1), balls=lay)
        match.strike(contact(1), rail(1), balls=lay)
        assert match.state.near_rail_safeties == {"0:1:foot": 1, "1:1:foot": 1}
        match.strike(contact(1), rail(1), balls=lay)
        match.strike(contact(1), rail(1, "left"), balls={**lay, 1: Position(0.0, 0.3)})
        assert match.state.near_rail_safeties == {}

    def test_a_ball_width_is_near_and_no_more(self):
        frame = Match().description.frame
        for off, near in ((2 * frame.ball_radius, True), (2 * frame.ball_radius + 1e-4, False)):
            match = Match()
            match.broken()
            at = Position(frame.length / 2 - frame.cushion_reach(1) - off, 0.3)
            match.strike(contact(1), rail(1, "left"), balls={**match.state.balls, 1: at})
            match.strike(contact(1), rail(1), balls=match.state.balls)
            assert bool(match.state.near_rail_safeties) is near

    def test_it_ends_where_the_club_has_no_such_rule(self):
        match = Match("nine_ball_wpa")
        match.broken()
        near = Position(match.description.frame.length / 2 - 0.05, 0.3)
        match.strike(contact(1), rail(1, "left"), balls={**match.state.balls, 1: near})
        for _ in range(7):
            match.strike(contact(1), rail(1), balls=match.state.balls)
            assert not match.state.last_ruling.fouls and match.state.near_rail_safeties == {}
