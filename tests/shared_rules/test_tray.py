"""Which balls are down, in the order in which they went (BR-047)."""

from shared_rules import commands as c
from shared_rules import events as ev
from shared_rules.match import replay
from shared_rules.state import Phase
from shared_rules.table import Position
from tests.shared_rules.table import REFEREE, SEAT, SERVER, STROKE, Match, contact, pocketed
from tests.shared_rules.test_straight_pool import ALL, broken, down_to


def test_the_order_is_that_in_which_they_went_also_on_one_stroke():
    match = Match()
    match.broken()
    match.strike(contact(1), pocketed(7), pocketed(1))
    match.strike(contact(2), pocketed(5), ev.OffTable(ball=3))
    assert match.state.down == (7, 1, 5, 3)
    assert match.state.shooter == 0  # a foul: the next is his
    match.strike(contact(2), pocketed(2))
    assert match.state.down == (7, 1, 5, 3, 2)
    assert replay(match.description, match.log).down == match.state.down


def test_what_is_spotted_is_down_no_more_and_goes_again_at_the_end():
    match = Match()
    match.broken()
    match.strike(contact(1), pocketed(9), pocketed(0), pocketed(4))  # a foul: the 9 is spotted
    assert match.state.down == (4,)
    match.strike(contact(1), pocketed(1))
    match.strike(contact(2), pocketed(9))
    assert match.state.phase is Phase.GAME_OVER
    assert match.state.down == (4, 1, 9)  # shown until the next rack
    match.give(SERVER, c.NextGame())
    assert match.state.down == ()
    match.rack()
    assert match.state.down == ()


def test_while_a_shot_runs_and_when_it_is_void_nothing_of_it_is_down():
    match = Match()
    match.broken()
    match.strike(contact(1), pocketed(1))
    match.give(SEAT[1], c.Strike(stroke=STROKE))
    assert match.state.down == (1,)
    match.give(SERVER, c.VoidShot(shot=match.state.running.number, reason="a worker died"))
    assert match.state.down == (1,)


def test_a_ball_that_is_put_back_is_down_no_more():
    match = Match(referee=True)
    match.broken()
    match.strike(contact(1), pocketed(1))
    match.strike(contact(2), pocketed(6), pocketed(2))
    match.give(REFEREE, c.RestoreBalls(balls={6: Position(0.2, 0.1)}))
    assert match.state.down == (1, 2)


def test_a_stroke_that_is_judged_again_has_its_balls_where_they_were():
    match = Match(referee=True)
    match.broken()
    match.strike(contact(1), pocketed(1))
    match.strike(contact(2), pocketed(9), pocketed(2))
    assert match.state.down == (1, 9, 2)
    match.give(REFEREE, c.CallFoul(seat=1, foul="5i"))  # so the 9 is spotted
    assert match.state.down == (1, 2)


def test_a_continuation_rack_empties_it():
    match = broken()
    down_to(match, (3, 12))
    assert match.state.down == tuple(ball for ball in ALL if ball not in (3, 12))
    seat = SEAT[match.state.shooter]
    match.give(seat, c.CallShot(ball=12, pocket="foot_left"))
    match.give(seat, c.Strike(stroke=STROKE))
    match.finish([ev.CueStrike(), contact(12), pocketed(12)])
    assert match.state.phase is Phase.RERACK and match.state.down == ()
    match.rack()
    assert match.state.down == () and len(match.state.balls) == 16
