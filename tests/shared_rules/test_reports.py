"""What players of other games report about rules, each with the id of its report (BR-...).

Those about snooker stand for their kind: a penalty that depends on the ball on, a tie, a spot that
is taken, a last pot that is not counted.
"""

import random

import pytest

from shared_rules import announcements as an
from shared_rules import commands as c
from shared_rules import events as ev
from shared_rules.balls import CUE
from shared_rules.match import replay
from shared_rules.refusal import Code, Refusal
from shared_rules.ruleset import make_ruleset
from shared_rules.spotting import spot_position, touches_another
from shared_rules.state import Option, Phase
from shared_rules.table import Position, TableFrame
from tests.shared_rules.table import SEAT, SERVER, STROKE, Match, contact, pocketed, rail

SOLIDS, STRIPES = range(1, 8), range(9, 16)


def called(match, ball, *events):
    match.give(SEAT[match.state.shooter], c.CallShot(ball=ball, pocket="foot_left"))
    return match.strike(*events)


def cleared():
    """Seat 1 has made all solids and is at the table with the 8."""
    match = Match("eight_ball")
    match.broken()
    called(match, 1, contact(1), *map(pocketed, SOLIDS))
    return match


class TestEightBall:
    def test_the_eight_first_when_the_group_is_cleared(self):
        """BR-001."""
        match = cleared()
        called(match, 8, contact(8), rail(8))
        assert match.state.last_ruling.fouls == ()
        assert (match.state.phase, match.state.shooter) == (Phase.AWAIT_SHOT, 0)

    def test_the_eight_as_called_wins_for_its_shooter(self):
        """BR-002: in the state, in what is announced, and in the log."""
        match = cleared()
        called(match, 8, contact(8), pocketed(8))
        assert match.heard(an.GameWon)[0].seat == match.state.rack_winner == 1
        assert replay(match.description, match.log).games == (0, 1)

    @pytest.mark.parametrize("eight", ["choice", "spot", "win"])
    @pytest.mark.parametrize("scratch", [False, True])
    def test_the_eight_on_the_break_leads_on(self, eight, scratch):
        """BR-005."""
        match = Match("eight_ball", {"break": {"eight": eight}})
        match.to_break()
        match.strike(contact(1), pocketed(8), *([pocketed(CUE)] if scratch else []))
        state = match.state
        if scratch:
            assert (state.phase, state.decider) == (Phase.DECIDE_EIGHT_ON_BREAK, 1)
        elif eight == "choice":
            assert (state.phase, state.decider) == (Phase.DECIDE_EIGHT_ON_BREAK, 0)
        elif eight == "spot":
            assert (state.phase, state.shooter) == (Phase.AWAIT_SHOT, 0) and 8 in state.balls
        else:
            assert state.games == (1, 0)

    def test_the_break_settles_no_group(self):
        """BR-012."""
        match = Match("eight_ball")
        match.to_break()
        match.strike(contact(1), *map(pocketed, (1, 2, 3, 9)))
        assert match.state.groups is None and match.state.shooter == 0

    def test_the_second_players_first_ball_is_his_group(self):
        """BR-013."""
        match = Match("eight_ball")
        match.broken()
        called(match, 12, contact(12), pocketed(12))
        assert match.state.groups == ("solids", "stripes")

    def test_what_is_left_is_counted_on_the_table(self):
        """BR-014: both groups fall in one shot, the last own ball among them."""
        match = Match("eight_ball")
        match.broken()
        called(match, 1, contact(1), *map(pocketed, range(1, 7)))
        called(match, 7, contact(7), *map(pocketed, (7, 9, 10)))
        assert {b for b in match.state.balls if b} == {8, 11, 12, 13, 14, 15}
        called(match, 8, contact(8), pocketed(8))
        assert match.state.games == (0, 1)

    @pytest.mark.parametrize(("railed", "legal"), [(3, False), (4, True)])
    def test_four_balls_to_a_rail_make_a_break(self, railed, legal):
        """BR-017."""
        match = Match("eight_ball")
        match.to_break()
        match.strike(contact(1), *(rail(ball) for ball in range(1, railed + 1)))
        phase = Phase.AWAIT_SHOT if legal else Phase.DECIDE_AFTER_ILLEGAL_BREAK
        assert match.state.phase == phase and match.state.last_ruling.illegal_break is not legal

    def test_a_stroke_without_a_call_says_what_is_missing(self):
        """BR-024."""
        match = Match("eight_ball")
        match.broken()
        with pytest.raises(Refusal) as refused:
            match.give(SEAT[1], c.Strike(stroke=STROKE))
        assert refused.value.code == Code.CALL_REQUIRED
        assert "call a ball and its pocket" in refused.value.message


class TestWhoWins:
    @pytest.mark.parametrize("order", ["winner", "alternate", "loser"])
    def test_the_winner_is_the_one_who_has_won(self, order):
        """BR-003, BR-028: 200 racks of known outcome, from either seat, breaking or not."""
        chance = random.Random(7)
        rules = {"match": {"games_to_win": 99, "break_order": order}}
        for _ in range(2):
            match = Match(overrides=rules)
            match.to_break()
            won = [0, 0]
            for _ in range(34):
                seat = self.rack(match, chance)
                won[seat] += 1
                assert (match.state.rack_winner, match.state.games) == (seat, tuple(won))
                match.give(SERVER, c.NextGame())
                match.rack()

    def rack(self, match, chance):
        """Plays a rack to its end; returns who has to have won it."""
        if chance.random() < 0.5:
            breaker = match.state.shooter
            match.strike(contact(1), pocketed(9))
            return breaker
        match.strike(contact(1), rail(1), rail(2), rail(3), rail(4))
        seat = match.state.shooter
        if chance.random() < 0.5:
            match.give(SEAT[seat], c.Concede())
            return 1 - seat
        match.strike(contact(1), pocketed(9))
        return seat


class TestNineBall:
    def test_the_nine_and_the_cue_ball_in_one_shot(self):
        """BR-006."""
        match = Match()
        match.broken()
        match.strike(contact(1), pocketed(9), pocketed(CUE))
        assert 9 in match.state.balls and match.state.games == (0, 0)
        assert (match.state.phase, match.state.shooter) == (Phase.PLACE_CUE_ANYWHERE, 0)

    def test_an_air_shot_hits_no_ball(self):
        """BR-023."""
        match = Match("nine_ball_wpa")
        match.broken()
        match.strike()
        ruling = match.state.last_ruling
        assert ruling.first_contact is None and [f.code for f in ruling.fouls] == ["6.3"]

    @pytest.mark.parametrize("on", [1, 4, 8])
    @pytest.mark.parametrize("first", [None, 1, 4, 8, 9])
    def test_each_ball_on_with_each_ball_hit(self, on, first):
        """BR-019: what a hit is depends on the ball on, for every pair."""
        match = Match("nine_ball_wpa")
        match.broken()
        match.strike(contact(1), *map(pocketed, range(1, on)), rail(1))
        if first is not None and first < on:
            return
        match.strike(*([] if first is None else [contact(first), rail(first)]))
        codes = [foul.code for foul in match.state.last_ruling.fouls]
        assert codes == (["6.3"] if first is None else [] if first == on else ["6.2"])

    def test_the_turn_goes_where_the_rules_say(self):
        """BR-027: random legal and illegal strokes against an oracle of four lines."""
        chance = random.Random(3)
        match = Match(overrides={"three_foul": {"limit": None}})
        match.broken()
        for _ in range(300):
            balls = sorted(b for b in match.state.balls if b)
            if len(balls) < 3:
                match = Match(overrides={"three_foul": {"limit": None}})
                match.broken()
                continue
            seat, lowest = match.state.shooter, balls[0]
            hit = chance.choice([lowest, lowest, balls[1], None])
            fallen = chance.choice([(), (), (lowest,)])
            cushion = chance.random() < 0.8
            events = [] if hit is None else [contact(hit)]
            events += [rail(lowest)] if hit is not None and cushion else []
            events += map(pocketed, fallen if hit is not None else ())
            match.strike(*events)
            good = hit == lowest and (cushion or bool(fallen))
            assert match.state.shooter == (seat if good and fallen else 1 - seat)
            in_hand = match.state.phase == Phase.PLACE_CUE_ANYWHERE
            assert in_hand is not good


class TestTheTable:
    def test_a_ball_on_the_spot_is_met_as_the_ruleset_says(self):
        """BR-022, BR-021."""
        frame = TableFrame()
        spot = frame.foot_spot
        balls = {5: Position(spot.x + 0.01, spot.y + 0.02)}
        for preset, touches in (("nine_ball_wpa", True), ("nine_ball_epbf", False)):
            place = spot_position(balls, frame, make_ruleset(preset).spot)
            assert touches_another(place, balls, frame) is touches and place.y == 0.0
            apart = ((place.x - balls[5].x) ** 2 + balls[5].y ** 2) ** 0.5
            assert 2 * frame.ball_radius - 1e-6 <= apart <= 2 * frame.ball_radius + 1.1e-3

    def test_a_tie_is_played_again(self):
        """BR-020: a lag that nobody has won."""
        match = Match()
        match.lag(gaps=(20.0, 20.2))
        assert match.state.phase == Phase.LAG and match.state.lag.attempt == 2

    def test_two_rulebooks_two_rulings(self):
        """BR-025: and a mix does not go by the name of what it was made from."""
        phases = []
        for preset in ("nine_ball_epbf", "nine_ball_wpa"):
            match = Match(preset)
            match.to_break()
            match.strike(contact(1), rail(1))
            phases.append(match.state.phase)
        assert phases == [Phase.DECIDE_AFTER_BREAK_FOUL, Phase.PLACE_CUE_ANYWHERE]
        assert make_ruleset("nine_ball_epbf", {"scoop": "report"}).changed == ("scoop",)
        with pytest.raises(Refusal):
            make_ruleset("nine_ball_epbf", {"id": "nine_ball_wpa"})

    def test_one_game_leaves_nothing_to_the_next(self):
        """BR-015: the same strokes mean the same whatever was played before in this process."""
        chance = random.Random(5)
        first = {}
        for _ in range(60):
            preset = chance.choice(["nine_ball_epbf", "eight_ball", "nine_ball_wpa"])
            match = Match(preset)
            match.broken()
            if preset == "eight_ball":
                match.give(SEAT[1], c.CallSafety())
            match.strike(contact(1), pocketed(2), ev.Pocketed(ball=CUE, pocket="side_left"))
            match.refused(SEAT[1], c.Choose(option=Option.BREAK))
            state = match.state
            assert first.setdefault(preset, state) == state
