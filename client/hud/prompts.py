"""What is wanted of the player now, in a sentence, with a hint or a warning below it."""

from client.hud.game import aim_words, call_told, called_words, calling_words
from client.hud.points import three_foul_words
from client.net.view import TableView
from client.play.hand import SHOOTING, Hand, Mode
from client.words import say
from shared_rules.calls import call_is_due
from shared_rules.state import MatchState, Phase
from shared_rules.wording import foul_text


def warns(view: TableView, state: MatchState, mode: Mode) -> bool:
    """Whether the hint is a warning."""
    aiming = mode is Mode.AIM and state.phase is not Phase.LAG and view.seat is not None
    return aiming and bool(three_foul_words(state, view.seat or 0, "en"))


def prompt_of(
    view: TableView, state: MatchState, hand: Hand, mode: Mode, language: str
) -> tuple[str, str]:
    """What is wanted now, and a hint below it."""
    if hand.again:
        fouls = state.last_ruling.fouls if state.last_ruling is not None else ()
        what = foul_text(fouls[0], language) if fouls else say(language, "last_shot")
        return say(language, "prompt_again", what=what), say(language, "hint_again")
    if hand.calling and mode in (Mode.AIM, Mode.PLACE):
        return calling_words(hand, language), say(language, "hint_call")
    if mode is Mode.PLACE:
        return _place_prompt(state, language), say(language, "hint_place")
    if mode is Mode.AIM:
        return _aim_prompt(view, state, language)
    if mode is Mode.OVER:
        return "", ""
    hint = call_told(view, state, language) or say(language, "hint_watch")
    if state.phase is Phase.LAG and view.seat is not None:
        other = view.name_of(1 if view.seat == 0 else 0)
        return say(language, "prompt_lag_done", name=other), hint
    if state.phase is Phase.LAG:
        return say(language, "prompt_lag_watched"), hint
    if state.phase is Phase.SHOT_RUNNING:
        return say(language, "prompt_running"), hint
    if state.phase in (Phase.GAME_OVER, Phase.SET_OVER, Phase.BETWEEN_GAMES):
        if state.rack_winner is not None:
            won = say(language, "prompt_won_game", name=view.name_of(state.rack_winner))
            return won, say(language, "prompt_next")
        return say(language, "prompt_next"), ""
    if state.decider == "referee":
        return say(language, "prompt_referee"), hint
    if state.decider is not None:
        return say(language, "prompt_wait_choice", name=view.name_of(state.decider)), hint
    unracked = state.phase is Phase.PLACE_CUE_FOR_BREAK and not state.racked
    if unracked or state.phase is Phase.RERACK:
        return say(language, "banner_rack"), ""
    if state.shooter is not None and state.phase in SHOOTING:
        return say(language, "prompt_wait", name=view.name_of(state.shooter)), hint
    return "", ""


def _place_prompt(state: MatchState, language: str) -> str:
    if state.phase is Phase.LAG:
        return say(language, "prompt_place_lag")
    return say(language, f"prompt_place_{state.cue_in_hand}")


def _aim_prompt(view: TableView, state: MatchState, language: str) -> tuple[str, str]:
    if state.phase is Phase.LAG:
        return say(language, "prompt_lag"), say(language, "hint_aim")
    warning = three_foul_words(state, view.seat, language) if view.seat is not None else ""
    hint = warning or say(language, "hint_aim")
    if state.push_out_declared:
        return say(language, "prompt_push_out"), hint
    if call_is_due(state):
        return called_words(state, language), hint
    if state.is_break:
        named = state.description.ruleset.discipline == "nine_ball"
        return say(language, "prompt_break" if named else "prompt_break_any"), hint
    if state.snooker_declared:
        hint = say(language, "snooker_hint")
    return aim_words(state, state.shooter or 0, language), hint
