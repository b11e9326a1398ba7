"""The dialogs: every choice that the rules offer as a sentence with what follows from it."""

from dataclasses import replace

from client.hud.absence import claim_buttons
from client.hud.model import Button, Dialog
from client.hud.points import final_score
from client.hud.referee import claims_foul, referee_sheet
from client.net.session import Session
from client.net.view import TableView
from client.play.hand import Hand
from client.play.permits import Permits
from client.words import say
from shared_rules import commands as c
from shared_rules.announcements import Claimed
from shared_rules.state import MatchState, Option, Phase, Seat
from shared_rules.wording import announcement_text, option_text


def choice_dialog(view: TableView, state: MatchState, language: str, permits: Permits) -> Dialog:
    """The options of a decider, in the order of the rules; spectators see them grey."""
    seat = state.decider if state.decider in (0, 1) else 0
    other = view.name_of(1 if seat == 0 else 0)
    buttons = _options(state, language, permits.why_not(c.Choose))
    notes = tuple(_follows(option, state, language, other) for option in state.options)
    body = say(language, "choice_body")
    if state.decider != view.seat and not (state.decider == view.role == "referee"):
        name = say(language, "referee") if state.decider == "referee" else view.name_of(seat)
        title = say(language, "prompt_wait_choice", name=name[:1].upper() + name[1:])
        return Dialog(title, "", buttons, docked=True)
    if state.phase is Phase.DECIDE_CLAIM and state.claim is not None:
        return Dialog(_claimed(state, language, other), body, buttons, notes, docked=True)
    title = {
        Phase.LAG_CHOICE: say(language, "choice_lag"),
        Phase.DECIDE_AFTER_BREAK_FOUL: say(language, "choice_break_foul"),
        Phase.DECIDE_AFTER_ILLEGAL_BREAK: say(language, "choice_illegal_break"),
        Phase.DECIDE_REBREAK: say(language, "choice_rebreak"),
        Phase.DECIDE_EIGHT_ON_BREAK: say(language, "choice_eight_on_break"),
        Phase.FREE_SHOT: say(language, "choice_free_shot"),
        Phase.DECIDE_AFTER_PUSH_OUT: say(language, "choice_push_out", name=other),
        Phase.LAG_REFEREE_DECISION: say(language, "choice_late_lag"),
        Phase.REFEREE_PENALTY: say(language, "choice_penalty"),
    }.get(state.phase, body)
    return Dialog(title, body, buttons, notes, docked=True)


def _claimed(state: MatchState, language: str, other: str) -> str:
    """What the other player claims."""
    assert state.claim is not None
    names = (other, other)
    seat: Seat = 1 if state.decider == 0 else 0
    return announcement_text(Claimed(seat=seat, act=state.claim), language, names)


def _options(state: MatchState, language: str, why: str) -> tuple[Button, ...]:
    return tuple(
        Button(f"choose:{option.value}", option_text(option, language), nth_key(k + 1), why)
        for k, option in enumerate(state.options)
    )


def _follows(option: Option, state: MatchState, language: str, other: str) -> str:
    """What follows from an option."""
    key = f"then_{option.value}"
    if option is Option.ACCEPT_TABLE and state.cue_in_hand == "head":
        key += "_head"
    return say(language, key, name=other)


def nth_key(n: int) -> str:
    """The digit of the ``n``-th thing to press, from 1: the tenth has 0, more have none."""
    return str(n % 10) if n <= 10 else ""


def over_dialog(
    view: TableView, state: MatchState, hand: Hand, language: str, offline: bool
) -> Dialog:
    """The end of a match; two who have played on a server may play once more."""
    buttons: tuple[Button, ...] = (Button("quit", say(language, "leave"), "Enter", strong=True),)
    if view.seat is not None and not offline:
        other = view.name_of(1 if view.seat == 0 else 0)
        why = say(language, "rematch_asked", name=other) if hand.rematch == "asked" else ""
        if view.closed is not None:
            why = say(language, "why_table_closed")
        key = "rematch_offered" if hand.rematch == "offered" else "rematch"
        once_more = Button("rematch", say(language, key, name=other), "1", why)
        buttons = (once_more, *buttons)
    name = view.name_of(state.winner) if state.winner is not None else "–"
    score = final_score(state, language)
    return Dialog(
        say(language, "over_title", name=name),
        say(language, "over_body", score=score),
        buttons,
    )


def sheet_dialog(
    session: Session,
    hand: Hand,
    language: str,
    permits: Permits,
    offline: bool = False,
    server_now: float | None = None,
    sound: str = "",
) -> Dialog | None:
    """What the player has opened himself: the menu, conceding, leaving, sound.

    ``offline``: the server is one's own, and ends with the client.  ``sound``: how loud it is.
    """
    view = session.view
    if hand.sheet == "menu":
        return _menu(session, hand, language, permits, server_now)
    if view is not None and view.state is not None:
        judged = referee_sheet(hand.sheet, view, view.state, language, permits)
        if judged is not None:
            return judged
    if hand.sheet == "sound":
        actions = ("louder", "quieter", "mute")
        buttons = [Button(a, say(language, a), str(k)) for k, a in enumerate(actions, 1)]
        closing = Button("back", say(language, "back"), "Esc", strong=True)
        return Dialog(say(language, "sound"), sound, (*buttons, closing))
    if hand.sheet == "concede":
        scope = "game"
        if view is not None and view.state is not None:
            scope = view.state.description.ruleset.concede_scope
        return Dialog(
            say(language, "concede_title"),
            say(language, f"concede_{scope}"),
            (
                Button(
                    "concede_yes", say(language, "concede_yes"), "1", permits.why_not(c.Concede)
                ),
                Button("back", say(language, "concede_no"), "Esc", strong=True),
            ),
        )
    if hand.sheet == "leave":
        playing = view is not None and view.seat is not None and view.state is not None
        body = ("leave_body_offline" if offline else "leave_body") if playing else ""
        return Dialog(
            say(language, "leave_title"),
            say(language, body) if body else "",
            (
                Button("quit", say(language, "leave_yes"), "1"),
                Button("back", say(language, "leave_no"), "Esc", strong=True),
            ),
        )
    return None


def _menu(
    session: Session, hand: Hand, language: str, permits: Permits, server_now: float | None
) -> Dialog:
    buttons = [Button("back", say(language, "back"), "Esc", strong=True)]
    notes = [""]
    view = session.view
    if view is not None and view.seat is not None and view.state is not None:
        for action, kind in (
            ("ruling", c.RequestRuling),
            ("stalemate", c.AgreeStalemate),
            ("concede", c.Concede),
        ):
            why = permits.why_not(kind)
            buttons.append(Button(action, say(language, action), nth_key(len(buttons)), why))
            notes.append(why)
        if not view.state.description.referee:
            why = claims_foul(permits)[1]
            buttons.append(Button("call_foul", say(language, "claim_foul"), "F", why))
            notes.append(why)
        for button in claim_buttons(view, server_now, language):
            buttons.append(replace(button, key=nth_key(len(buttons))))
            notes.append(button.why_not)
    if view is not None:
        buttons.append(Button("talk", say(language, "talk"), "F3"))
        notes.append("")
    for action in ("rules", "settings"):
        buttons.append(Button(action, say(language, f"start_{action}"), nth_key(len(buttons))))
        notes.append("")
    buttons.append(Button("sound", say(language, "sound"), nth_key(len(buttons))))
    notes.append("")
    buttons.append(Button("leave", say(language, "leave"), nth_key(len(buttons))))
    # What the corner holds where there is room for it.
    seen = say(language, "view", name=say(language, f"view_{hand.view}"))
    buttons.append(Button("view", seen, "C"))
    buttons.append(Button("help", say(language, "help"), "F1"))
    buttons.append(Button("language", say(language, "language"), "L"))
    body = ""
    if view is not None and view.referee_invitation:
        code = view.referee_invitation
        body = say(language, "referee_invited", table=view.table, code=code)
    return Dialog(say(language, "menu_title"), body, tuple(buttons), tuple(notes))
