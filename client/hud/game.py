"""What games with groups and calls show besides: whose balls, what is called, what may be."""

from client.hud.model import Button
from client.net.view import TableView
from client.play.hand import Hand
from client.play.permits import Permits
from client.words import say
from shared_rules import commands as c
from shared_rules.announcements import Called
from shared_rules.disciplines import discipline_of
from shared_rules.groups import Group, balls_of
from shared_rules.ruleset import Ruleset
from shared_rules.state import MatchState, Seat
from shared_rules.wording import announcement_text, group_text, pocket_text

BLACK_BALL = (Group.REDS, Group.YELLOWS)


def title(rules: Ruleset, language: str) -> str:
    """The game, whose rules, and whether they were changed (BR-025)."""
    title = f"{say(language, rules.discipline)} {rules.codes.upper()}"
    return f"{title}, {say(language, 'changed_rules')}" if rules.changed else title


def group_words(state: MatchState, seat: Seat, language: str) -> tuple[str, int]:
    """A player's group in words with the balls left, and a ball to draw for it."""
    if state.groups is None:
        return "", 0
    group = state.groups[seat]
    balls = balls_of(group)
    left = len(balls & set(state.balls))
    if not left:
        return say(language, "on_the_black" if group in BLACK_BALL else "on_the_eight"), 8
    return say(language, "group_left", group=group_text(group, language), n=left), min(balls)


def strip(state: MatchState) -> tuple[tuple[int, bool], ...]:
    """The balls of the rack, and whether each is on the table, as they lie side by side.

    First those that are, by number; then the tray of those that are down, in the order in which
    they went.  Each player of a group has a tray of his own, on his side.
    """
    if not state.racked:
        return ()
    left = tuple(n for n in discipline_of(state.description.ruleset).balls if n in state.balls)
    mine: tuple[int, ...] = ()
    theirs, nobodys = state.down, ()
    if state.groups is not None:
        mine, theirs = (
            tuple(n for n in state.down if n in balls_of(group)) for group in state.groups
        )
        nobodys = tuple(n for n in state.down if n not in (*mine, *theirs))
    shown = (*mine, *left, *nobodys, *theirs)
    return tuple((n, n in state.balls) for n in shown)


def calling_words(hand: Hand, language: str) -> str:
    ball = hand.called_ball if hand.called_ball is not None else "…"
    if hand.calling == "ball":
        return say(language, "prompt_call_ball", ball=ball)
    pocket = pocket_text(hand.called_pocket, language) if hand.called_pocket else "…"
    return say(language, "prompt_call_pocket", ball=ball, pocket=pocket)


def called_words(state: MatchState, language: str) -> str:
    """The call of the coming stroke, or that one is missing (BR-024)."""
    call = state.call
    if call is None:
        return say(language, "prompt_call")
    if call.safety or call.ball is None or call.pocket is None:
        return say(language, "prompt_safety")
    pocket = pocket_text(call.pocket, language)
    return say(language, "prompt_called", ball=call.ball, pocket=pocket)


def aim_words(state: MatchState, seat: Seat, language: str) -> str:
    """What has to be hit first, in a game whose strokes are not called."""
    if state.free_shot:
        return say(language, "prompt_free_shot")
    if state.groups is None:
        named = state.description.ruleset.discipline == "nine_ball"
        lowest = min((ball for ball in state.balls if ball), default=0)
        return say(language, "prompt_shoot" if named else "prompt_open", n=lowest)
    group = state.groups[seat]
    if not balls_of(group) & set(state.balls):
        return say(language, "prompt_black")
    return say(language, "prompt_group", group=group_text(group, language))


def snooker_buttons(state: MatchState, language: str, permits: Permits) -> list[Button]:
    """A snooker can be declared, where there is such a thing (BB.1c)."""
    if discipline_of(state.description.ruleset).on is None or state.is_break:
        return []
    declared = state.snooker_declared
    why = "" if declared else permits.why_not(c.DeclareSnooker)
    return [Button("snooker", say(language, "snooker"), "N", why, on=declared)]


def call_told(view: TableView, state: MatchState, language: str) -> str:
    """Who has called what, for those who look on; empty while nothing is called."""
    if state.call is None or state.shooter is None:
        return ""
    said = Called(seat=state.shooter, call=state.call)
    return announcement_text(said, language, (view.name_of(0), view.name_of(1)))


def call_buttons(state: MatchState, hand: Hand, language: str, permits: Permits) -> list[Button]:
    """What can be pressed before a stroke that has to be called."""
    safety = state.call is not None and state.call.safety
    why = permits.why_not(c.CallShot)
    calling = bool(hand.calling) or (state.call is not None and not safety)
    buttons = [Button("call", say(language, "call"), "K", why, on=calling)]
    why = permits.why_not(c.CallSafety)
    buttons.append(Button("safety", say(language, "safety"), "J", why, on=safety))
    if state.cue_in_hand == "head":
        buttons.append(Button("spot", say(language, "spot"), "O", permits.why_not(c.RequestSpot)))
    return buttons
