"""Games, sets and the match: who has won what, and who breaks next (N9.7, N9.8, W9.1, RULES 10)."""

from typing import Literal

from msgspec.structs import replace

from shared_rules.announcements import Announcement, GameWon, MatchWon, SetWon
from shared_rules.clocks import stopped
from shared_rules.seat import other as other
from shared_rules.state import MatchState, Phase, Seat

Scope = Literal["game", "set", "match"]


def is_last_set(state: MatchState) -> bool:
    """Whether the running (or, between sets, the coming) set is the one that decides the match."""
    rules = state.description.ruleset.match
    return state.sets == (rules.sets_of(0) - 1, rules.sets_of(1) - 1)


def plus_one(tally: tuple[int, int], seat: Seat) -> tuple[int, int]:
    """The tally with one more for a seat."""
    return (tally[0] + (seat == 0), tally[1] + (seat == 1))


def _over(state: MatchState, phase: Phase) -> MatchState:
    """Play has ended for now: nobody is to shoot, choose or place anything."""
    return stopped(
        replace(
            state,
            phase=phase,
            shooter=None,
            decider=None,
            options=(),
            running=None,
            lag=None,
            rerack=None,
            cue_in_hand="none",
            push_out_available=False,
            push_out_declared=False,
            resumes_to=None,
            time_out_by=None,
            interrupted=None,
            claim=None,
            last_shot=None,
            stalemate_agreed=(False, False),
        )
    )


def win(
    state: MatchState, seat: Seat, scope: Scope, reason: str, say: list[Announcement]
) -> MatchState:
    """A seat has won the game, the set or the match."""
    rules = state.description.ruleset.match
    if scope == "match":
        say.append(MatchWon(seat=seat, reason=reason))
        return replace(_over(state, Phase.MATCH_OVER), winner=seat, rack_winner=seat)
    games = plus_one(state.games, seat)
    if scope == "game":
        say.append(GameWon(seat=seat, reason=reason))
        state = replace(state, games=games, rack_winner=seat)
        if games[seat] < rules.games_of(seat):
            return _over(state, Phase.GAME_OVER)
    say.append(SetWon(seat=seat))
    state = replace(state, sets=plus_one(state.sets, seat), rack_winner=seat)
    if state.sets[seat] < rules.sets_of(seat):
        return _over(state, Phase.SET_OVER)
    say.append(MatchWon(seat=seat, reason=reason))
    return replace(_over(state, Phase.MATCH_OVER), winner=seat)


def next_breaker(state: MatchState) -> Seat:
    """Who breaks the next rack of the set (``match.break_order``)."""
    opened = state.rack_opener
    won = state.rack_winner
    if opened is None or won is None:
        # A game given away before the first break: its winner opens the next.
        return won if won is not None else state.set_opener or 0
    match state.description.ruleset.match.break_order:
        case "winner":
            return won
        case "loser":
            return other(won)
        case "alternate":
            return other(opened)


def next_opener(state: MatchState) -> Seat:
    """Who opens the next set: the other player, whoever won (N9.8.4)."""
    if state.set_opener is not None:
        return other(state.set_opener)
    return state.rack_winner or 0
