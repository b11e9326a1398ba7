"""Races, sets, and who breaks: by whoever wins, in each order."""

from itertools import product

import pytest
from msgspec.structs import replace

from shared_rules import announcements as an
from shared_rules import commands as c
from shared_rules.refusal import Code, Refusal
from shared_rules.ruleset import make_ruleset
from shared_rules.state import Option, Phase
from shared_rules.turns import begin_rack
from tests.shared_rules.table import SEAT, SERVER, Match, contact, pocketed, rail


def play_game(match, winner):
    """The rack before which the match stands, won by ``winner``."""
    breaker = match.state.shooter
    if not match.state.racked:
        match.rack()
    if winner == breaker:
        match.strike(contact(1), pocketed(9))
    else:
        match.strike(contact(1), rail(1), rail(2), rail(3), rail(4))
        match.strike(contact(1), pocketed(9))


def start(**match_rules):
    match = Match(overrides={"match": match_rules})
    match.to_break()
    return match


def next_breaker(order, breaker, winner):
    return {"winner": winner, "loser": 1 - winner, "alternate": 1 - breaker}[order]


@pytest.mark.parametrize("order", ["winner", "loser", "alternate"])
@pytest.mark.parametrize("winners", [*product((0, 1), repeat=3)], ids=str)
def test_each_break_order(order, winners):
    match = start(break_order=order, games_to_win=4)
    breaker = 0
    for won, winner in enumerate(winners, 1):
        assert match.state.breaker == breaker
        play_game(match, winner)
        assert match.state.phase == Phase.GAME_OVER and match.state.rack_winner == winner
        assert sum(match.state.games) == won
        match.give(SERVER, c.NextGame())
        breaker = next_breaker(order, breaker, winner)
    assert match.state.breaker == breaker


@pytest.mark.parametrize("winners", [*product((0, 1), repeat=3)], ids=str)
def test_sets_are_opened_in_turn_whoever_won(winners):
    match = start(games_to_win=1, sets_to_win=3)
    for n, winner in enumerate(winners):
        assert match.state.breaker == n % 2
        play_game(match, winner)
        if match.state.phase == Phase.MATCH_OVER:
            break
        assert match.state.phase == Phase.SET_OVER
        match.give(SERVER, c.NextGame())
        assert match.state.games == (0, 0)
    sets = (winners.count(0), winners.count(1))
    assert match.state.sets == sets
    assert (match.state.phase == Phase.MATCH_OVER) == (3 in sets)


@pytest.mark.parametrize("winner", [0, 1])
def test_match_point(winner):
    match = start(games_to_win=2)
    play_game(match, winner)
    match.give(SERVER, c.NextGame())
    play_game(match, winner)
    state = match.state
    assert (state.phase, state.winner) == (Phase.MATCH_OVER, winner)
    assert match.heard(an.GameWon) and match.heard(an.SetWon) and match.heard(an.MatchWon)
    for seat in SEAT:
        assert match.refused(seat, c.Concede()) == Code.MATCH_OVER
    assert match.refused(SERVER, c.NextGame()) == Code.MATCH_OVER


def test_a_new_game_starts_clean():
    match = start(games_to_win=3)
    match.strike(contact(1), rail(1))  # break foul
    match.give(SEAT[1], c.Choose(option=Option.BALL_IN_HAND_ANYWHERE))
    match.strike(contact(5))  # another
    match.strike(contact(1), pocketed(9))
    match.give(SERVER, c.NextGame())
    state = match.state
    assert state.consecutive_fouls == (0, 0) and state.warned == (False, False)
    assert state.balls == {} and state.is_break and state.cue_in_hand == "head"
    assert not (state.push_out_available or state.push_out_declared or state.cue_placed)
    assert state.near_rail_safeties == {} and state.options == () and state.decider is None
    assert state.rack_number == 2 and state.rack_winner is None


@pytest.mark.parametrize("new_game", [True, False])
def test_nothing_of_the_last_rack_is_left(new_game):
    """A re-rack is the same game: fouls and the right to be warned stay, the rest goes."""
    match = start(games_to_win=3)
    dirty = replace(
        match.state,
        near_rail_safeties={"0:1:foot": 1},
        stalemate_visits_left=(1, 2),
        stalemate_agreed=(True, False),
        restorable=match.state.balls,
        consecutive_fouls=(1, 2),
        warned=(True, True),
        push_out_available=True,
        push_out_declared=True,
        cue_outside_area=True,
        game_begun=True,
    )
    state = begin_rack(dirty, 0, 1.0, [], new_game=new_game)
    assert (state.near_rail_safeties, state.restorable, state.balls) == ({}, {}, {})
    assert state.stalemate_visits_left is None and state.stalemate_agreed == (False, False)
    assert not (state.push_out_available or state.push_out_declared or state.cue_outside_area)
    assert not (state.game_begun or state.racked)
    assert state.consecutive_fouls == ((0, 0) if new_game else (1, 2))
    assert state.warned == ((False, False) if new_game else (True, True))


def test_a_rerack_does_not_change_whose_rack_it_was():
    """Alternate break goes by who opened the rack, not by who broke the re-rack."""
    match = Match(
        overrides={"match": {"break_order": "alternate"}},
    )
    match.to_break()
    match.strike(contact(1), rail(1))
    match.give(SEAT[1], c.Choose(option=Option.RERACK_SELF_BREAKS))
    play_game(match, 1)
    match.give(SERVER, c.NextGame())
    assert match.state.breaker == 1


@pytest.mark.parametrize(("seat", "needs"), [(0, 3), (1, 2)])
def test_in_a_handicap_each_wins_with_a_race_of_his_own(seat: int, needs: int):
    match = start(games_to_win=3, races=(3, 2))
    for won in range(1, needs + 1):
        assert match.state.phase != Phase.MATCH_OVER
        play_game(match, seat)
        assert match.state.games[seat] == won
        if won < needs:
            match.give(SERVER, c.NextGame())
    assert match.state.phase == Phase.MATCH_OVER and match.state.winner == seat


@pytest.mark.parametrize(("seat", "needs"), [(0, 2), (1, 1)])
def test_in_a_handicap_over_sets_each_wins_with_sets_of_his_own(seat: int, needs: int):
    match = start(games_to_win=1, sets_to_win=2, races=(2, 1))
    for won in range(1, needs + 1):
        assert match.state.sets[seat] == won - 1
        play_game(match, seat)
        if won < needs:
            match.give(SERVER, c.NextGame())
    assert match.state.phase == Phase.MATCH_OVER and match.state.winner == seat


@pytest.mark.parametrize("races", [(5, 4), (2, 2)])
def test_the_longer_race_of_a_handicap_is_that_of_the_match(races):
    with pytest.raises(Refusal, match="the race of 3"):
        make_ruleset("nine_ball_epbf", {"match": {"games_to_win": 3, "races": races}})
