"""Unsportsmanlike conduct and what it costs: the referee's choice, or the ruleset's (F6.16).

N9.9f, h, i fix the penalty of three kinds; of all others the referee chooses one of F6.16p, in
every game (W9.8b, E8.10, S14.11d).  What F6.16a to h and F6.13b, F6.11c name is his to see.
"""

from msgspec.structs import replace

from shared_rules import commands as c
from shared_rules.announcements import Announcement, FoulCalled
from shared_rules.balls import CUE
from shared_rules.clocks import SHOT_PHASES, started
from shared_rules.disciplines import discipline_of
from shared_rules.facts import ShotFacts
from shared_rules.follow import open_penalty
from shared_rules.fouls import named_foul
from shared_rules.order_of_play import next_breaker, next_opener, other, win
from shared_rules.ruleset import Ruleset
from shared_rules.rulings import apply_verdict, foul_without_stroke
from shared_rules.situation import situation_of
from shared_rules.state import Hand, MatchState, Option, Phase, Seat
from shared_rules.turns import begin_in_hand, begin_rack, taken_up_again

BETWEEN = (Phase.GAME_OVER, Phase.SET_OVER, Phase.BETWEEN_GAMES)
"""Phases in which no game is played."""


def call_unsportsmanlike(
    state: MatchState, command: c.CallUnsportsmanlike, at: float, say: list[Announcement]
) -> MatchState:
    """A player has behaved unsportsmanlike; of some kinds the ruleset says what it costs."""
    match fixed_penalty(state.description.ruleset, command.kind):
        case "foul":
            return foul_apart(state, command.seat, "9h", at, say)
        case "loss_of_game":
            return _lose_game(state, command.seat, command.kind, at, say)
    say.append(_called("6.16", command.seat))
    return open_penalty(state, command.seat, at)


def fixed_penalty(rules: Ruleset, kind: str) -> str | None:
    """What the ruleset says that a kind of conduct costs (N9.9f, h, i); None: it is the referee's
    to choose."""
    penalty = {
        "advice": rules.advice,
        "practice": rules.practice,
        "play_suspended": rules.play_suspended,
    }.get(kind)
    return None if penalty == "unsportsmanlike" else penalty


def foul_apart(
    state: MatchState, seat: Seat, code: str, at: float, say: list[Announcement]
) -> MatchState:
    """A foul that belongs to no stroke; between games it is entered before the break (N9.9h)."""
    say.append(_called(code, seat))
    if state.phase in BETWEEN:
        # It is a foul of the coming game, and the break is lost (ambiguity 16).
        state = next_rack(state, other(seat), at, say)
    return foul_without_stroke(state, seat, at, say, called=(code,))


def apply_penalty(
    state: MatchState, option: Option, at: float, say: list[Announcement]
) -> MatchState:
    """F6.16p: from a warning, which leaves everything as it is, to the loss of the match."""
    seat = state.shooter
    assert seat is not None  # REFEREE_PENALTY is entered with him
    state = taken_up_again(state)
    serious = discipline_of(state.description.ruleset).serious_foul
    match option:
        case Option.WARNING:
            return _go_on_warned(state, seat, at, say)
        case Option.STANDARD_FOUL if state.phase in BETWEEN:
            return foul_apart(state, seat, "6.16", at, say)
        case Option.STANDARD_FOUL:
            return foul_without_stroke(state, seat, at, say, called=("6.16",))
        case Option.LOSS_OF_SET:
            state = _in_play(state, at, say)
            return win(state, other(seat), "set", option.value, say)
        case Option.SERIOUS_FOUL if serious is not None:
            state = _in_play(state, at, say)
            verdict = serious(situation_of(state, seat))
            return apply_verdict(state, seat, None, ShotFacts(), verdict, at, say)
        case Option.LOSS_OF_MATCH | Option.EJECTION:
            return win(state, other(seat), "match", option.value, say)
        case _:
            return _lose_game(state, seat, option.value, at, say)


def _lose_game(
    state: MatchState, seat: Seat, why: str, at: float, say: list[Announcement]
) -> MatchState:
    """The game is lost; between games, the coming one."""
    return win(_in_play(state, at, say), other(seat), "game", why, say)


def _in_play(state: MatchState, at: float, say: list[Announcement]) -> MatchState:
    """The match in a game: between games, in the next one, so that nothing is lost twice."""
    if state.phase not in BETWEEN:
        return state
    return next_rack(state, due_breaker(state), at, say)


def due_breaker(state: MatchState) -> Seat:
    """Who breaks next, by the order of play (N9.8, W9.1)."""
    return next_opener(state) if state.phase is Phase.SET_OVER else next_breaker(state)


def next_rack(state: MatchState, breaker: Seat, at: float, say: list[Announcement]) -> MatchState:
    """From a game or a set that is over to the next rack."""
    if state.phase is Phase.SET_OVER:
        state = replace(state, games=(0, 0), set_opener=due_breaker(state))
    state = replace(state, scores=(0, 0), run=0, high_runs=(0, 0))
    return begin_rack(state, breaker, at, say, new_game=True)


def _go_on_warned(state: MatchState, seat: Seat, at: float, say: list[Announcement]) -> MatchState:
    """A warning leaves position and turn alone, as far as the stroke that it was for lets it."""
    if state.phase in SHOT_PHASES and state.cue_in_hand == "none":
        if CUE not in state.balls:
            return begin_in_hand(state, other(seat), _hand_without_choice(state), at, say)
        state = replace(state, phase=Phase.AWAIT_SHOT, is_break=False)
    return started(state, at)


def _hand_without_choice(state: MatchState) -> Hand:
    """How the cue ball that has left the table comes back; after a break perhaps less freely than
    later (E8.3h)."""
    rules = state.description.ruleset
    if state.is_break and "ball_in_hand_anywhere" not in rules.break_.foul_options:
        return rules.break_.area
    return discipline_of(rules).hand


def _called(code: str, seat: Seat) -> FoulCalled:
    foul = named_foul(code)
    assert foul is not None  # called by its own name
    return FoulCalled(seat=seat, foul=foul)
