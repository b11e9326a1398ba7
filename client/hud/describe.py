"""From the match, the hands and the link to what the HUD shows in one frame."""

import math
from dataclasses import dataclass

from client.hud.absence import away_words, slow_line_words
from client.hud.choices import choice_dialog, over_dialog, sheet_dialog
from client.hud.game import (
    BLACK_BALL,
    call_buttons,
    group_words,
    snooker_buttons,
    strip,
    title,
)
from client.hud.held import raised_cue, tip_ball, tip_words
from client.hud.keyed import with_keys
from client.hud.model import Button, ClockFace, HudModel, Minimap, Player, Power
from client.hud.points import race_words, run_words, score_text, scored
from client.hud.prompts import prompt_of, warns
from client.hud.referee import referee_buttons
from client.hud.rulings import ruling_lines
from client.net.session import SILENT_S, Session
from client.net.view import TableView
from client.play.hand import SHOOTING, Hand, Mode, ball_struck, place_of, targets_shown
from client.play.keys import OWN_KEYS, KeyMap
from client.play.permits import Permits
from client.reasons import reason_text
from client.words import say
from shared_rules import commands as c
from shared_rules.calls import call_is_due
from shared_rules.disciplines import discipline_of
from shared_rules.state import MatchState, Phase, Seat
from shared_rules.turns import on_the_brink

URGENT_S = 10
CAPTIONS = ("fouls", "last_shot", "tip", "miscue", "help", "help_next", "help_close")
HELP = (
    ("key_drag", "key_aim"), ("key_right_drag", "key_fine"), ("← →", "key_turn"),
    ("↑ ↓", "key_power"), ("space_key", "key_strike"), ("V", "key_rise"), ("X", "key_push"),
    ("W A S D", "key_tip"), ("R", "key_centre"), ("E Q", "key_raise"),
    ("K J", "key_call"), ("P", "key_push_out"), ("N", "key_snooker"),
    ("B", "key_move"), ("Enter", "key_enter"), ("T", "key_time_out"),
    ("F", "key_foul"), ("H F2", "key_referee"), ("F3", "key_talk"),
    ("C", "key_view"), ("I", "key_again"), ("End", "key_skip"), ("U", "key_numbers"),
    ("+ −", "key_zoom"), ("M , .", "key_sound"), ("L", "key_language"), ("Esc", "key_menu"),
)  # fmt: skip


@dataclass(frozen=True)
class Moment:
    """What a frame's description is made from, besides the session."""

    hand: Hand
    mode: Mode
    language: str
    local: float
    connecting: str = "banner_connecting"  # key of what is said until the server answers
    offline: bool = False  # whether the server is one's own
    keys: KeyMap = OWN_KEYS  # the player's
    sound: str = ""  # how loud it is, or why nothing is heard
    whole_table: bool = True  # whether the view shows all of the table


def describe(session: Session, moment: Moment) -> HudModel:
    """The HUD of a frame."""
    return with_keys(described(session, moment), moment.keys, moment.language)


def described(session: Session, moment: Moment) -> HudModel:
    """The HUD of a frame, with the actions' own keys."""
    view = session.view
    language = moment.language
    known = session.clock.known
    server_now = session.clock.now(moment.local) if known else None
    permits = Permits(session, language, server_now)
    link, level = _link(session, view, moment)
    base = HudModel(
        link=link,
        link_level=level,
        banner=_banner(session, view, moment),
        words=tuple((key, say(language, key)) for key in CAPTIONS),
        corner=_corner(moment),
        help=_help(language) if moment.hand.help else (),
        help_page=moment.hand.help_page,
        toast=moment.hand.toast if moment.local < moment.hand.toast_until else "",
        toast_tone=moment.hand.toast_tone,  # type: ignore[arg-type]
        title="Headstring",
        dialog=sheet_dialog(
            session, moment.hand, language, permits, moment.offline, server_now, moment.sound
        ),
    )
    if view is None or view.state is None:
        return base
    return _with_match(
        base, session, view, view.state, moment, permits, (server_now or 0.0) - view.delay_s
    )


def _with_match(
    base: HudModel,
    session: Session,
    view: TableView,
    state: MatchState,
    moment: Moment,
    permits: Permits,
    server_now: float,
) -> HudModel:
    language, hand, mode = moment.language, moment.hand, moment.mode
    rules = state.description.ruleset
    prompt, hint = prompt_of(view, state, hand, mode, language)
    dialog = base.dialog
    if dialog is None and state.options and mode in (Mode.CHOOSE, Mode.WATCH) and not hand.again:
        dialog = choice_dialog(view, state, language, permits)
    if dialog is None and mode is Mode.OVER and not hand.again:
        dialog = over_dialog(view, state, hand, language, moment.offline)
    holding = mode in (Mode.AIM, Mode.PLACE)
    return HudModel(
        **{
            **{name: getattr(base, name) for name in base.__dataclass_fields__},
            "players": (
                player_of(view, state, 0, language, server_now),
                player_of(view, state, 1, language, server_now),
            ),
            "race": race_words(state, language),
            "title": title(rules, language),
            "balls": strip(state),
            "reds": discipline_of(rules).groups == BLACK_BALL,
            "on": targets_shown(state) if state.phase in SHOOTING and not state.is_break else (),
            "clock": _clock(state, server_now, language),
            "prompt": prompt,
            "hint": hint,
            "warns": warns(view, state, mode),
            "ruling": ruling_lines(language, view),
            "again": _again(state, hand, language),
            "raised": raised_cue(hand, state, view.seat, language) if mode is Mode.AIM else None,
            "minimap": minimap_of(state, moment.whole_table),
            "buttons": referee_buttons(view, state, language, permits)
            or _actions(state, hand, mode, language, permits),
            "dialog": dialog,
            "tip": tip_ball(hand) if holding else None,
            "power": Power(round(hand.aim.speed, 2), hand.aim.share) if holding else None,
            "aim": tip_words(hand, language),
            "fouls_limit": rules.three_foul.limit or 0,
        }
    )


# --- the scoreboard and the clock ----------------------------------------------------------------


def player_of(
    view: TableView, state: MatchState, seat: Seat, language: str, server_now: float
) -> Player:
    """One side of the scoreboard."""
    member = view.players[seat]
    present = member is None or member.connected
    on_brink = on_the_brink(state, seat)
    note = ""
    if member is not None and not member.connected:
        note = away_words(member, server_now, language)
    elif on_brink:
        note = say(language, "on_two_fouls")
    elif state.phase is Phase.LAG and state.lag is not None:
        note = say(language, "lagged" if state.lag.struck[seat] else "lagging")
    elif state.decider == seat:
        note = say(language, "decides")
    elif state.shooter == seat and state.phase in (*SHOOTING, Phase.SHOT_RUNNING):
        note = say(language, _at_table(state))
    run = run_words(state, seat, language)
    note = " · ".join(part for part in (note, run, slow_line_words(member, language)) if part)
    acts = state.decider == seat or (state.decider is None and state.shooter == seat)
    if state.phase is Phase.LAG and state.lag is not None:
        acts = not state.lag.struck[seat]
    group, ball = group_words(state, seat, language)
    return Player(
        name=view.name_of(seat),
        games=state.games[seat],
        points=score_text(state.scores[seat]) if scored(state) else "",
        fouls=state.consecutive_fouls[seat],
        warned=on_brink,
        at_table=acts and state.phase is not Phase.MATCH_OVER,
        present=present,
        note=note,
        group=group,
        group_ball=ball,
    )


def _at_table(state: MatchState) -> str:
    """Key of what the player at the table has."""
    if state.is_break:
        return "breaks"
    return "has_free_shot" if state.free_shot else "at_table"


def _clock(state: MatchState, server_now: float, language: str) -> ClockFace | None:
    clock = state.clock
    if clock.purpose is None or (clock.deadline is None and clock.remaining is None):
        return None
    left = clock.remaining if clock.deadline is None else clock.deadline - server_now
    assert left is not None
    seconds = max(0, math.ceil(left - 0.001))
    described = state.description
    shot = clock.shot_clock.limit_s if clock.shot_clock is not None else 0.0
    whole = {
        "shot": shot,
        "decision": described.decision_s,
        "lag": described.lag_s,
        "time_out": described.ruleset.time_out.max_s,
    }[clock.purpose]
    share = round(seconds / whole, 3) if whole else 0.0
    urgent = seconds <= URGENT_S and clock.purpose != "time_out"
    words = say(language, f"clock_{clock.purpose}")
    if clock.purpose == "shot" and _may_extend(state):
        assert clock.shot_clock is not None
        words = say(language, "clock_and_more", words=words, n=f"{clock.shot_clock.extension_s:g}")
    return ClockFace(seconds, words, urgent, min(share, 1.0))


def _may_extend(state: MatchState) -> bool:
    """Whether who is at the table still has the extension of this rack."""
    clock, seat = state.clock, state.shooter
    if clock.shot_clock is None or seat is None:
        return False
    return clock.shot_clock.extension_s > 0.0 and not clock.extended[seat]


# --- the link -----------------------------------------------------------------------------------


def _link(session: Session, view: TableView | None, moment: Moment) -> tuple[str, int]:
    language = moment.language
    if session.phase == "over":
        return say(language, "link_over"), 0
    if session.phase == "lost":
        return say(language, "link_lost"), 0
    if session.phase != "ready":
        return say(language, "link_connecting"), 1
    silent = session.silent_for(moment.local)
    if silent > SILENT_S:
        return say(language, "link_silent", n=int(silent)), 1
    trip = session.clock.round_trip_s
    if trip is None:
        return say(language, "link_measuring"), 3
    ms = round(trip * 1000)
    shown = ms if ms < 20 else 5 * round(ms / 5)  # a figure that flickers tells nothing
    watched = view is not None and view.spectators > 0
    text = say(language, "link_ms" if watched else "link_good", ms=max(shown, 1))
    if view is not None and watched:
        text += " · " + say(language, "watching", n=view.spectators)
    return text, 3 if ms < 120 else 2 if ms < 300 else 1


def _banner(session: Session, view: TableView | None, moment: Moment) -> str:
    language = moment.language
    if session.phase == "over":
        return say(language, "banner_over", reason=_sentence(language, session.reason))
    if session.phase == "lost":
        key = "banner_lost" if session.clock.known else "banner_unreached"
        reason = reason_text(language, session.reason)
        return say(language, key, reason=reason, sentence=_sentence(language, session.reason))
    if session.phase != "ready":
        return say(language, moment.connecting)
    if view is None:
        return ""
    over = view.state is not None and view.state.phase is Phase.MATCH_OVER
    if view.closed is not None and not over:
        return say(language, "banner_closed", reason=reason_text(language, view.closed))
    if view.state is None or view.state.phase is Phase.WAITING_FOR_PLAYERS:
        said = [say(language, "banner_waiting")]
        if view.invitation:
            said = [say(language, "banner_invitation", table=view.table, code=view.invitation)]
        if view.referee_invitation:
            code = view.referee_invitation
            said.append(say(language, "referee_invited", table=view.table, code=code))
        return " ".join(said)
    if view.state.phase is Phase.SUSPENDED:
        return say(language, "banner_suspended")
    if view.state.phase is Phase.TIME_OUT and view.state.time_out_by is not None:
        return say(language, "banner_time_out", name=view.name_of(view.state.time_out_by))
    return ""


def _sentence(language: str, reason: str) -> str:
    text = reason_text(language, reason)
    return text[:1].upper() + text[1:] + ("" if text.endswith((".", "?", "!")) else ".")


def _again(state: MatchState, hand: Hand, language: str) -> Button | None:
    """The last shot can be shown again, when it is over and judged."""
    if state.last_ruling is None or state.phase is Phase.SHOT_RUNNING:
        return None
    return Button(
        "again", say(language, "again_end" if hand.again else "again"), "I", on=hand.again
    )


def minimap_of(state: MatchState, whole_table: bool) -> Minimap | None:
    """The plan of the table, where the view does not show all of it."""
    if whole_table or not (state.racked or state.phase is Phase.LAG):
        return None
    rules, frame = state.description.ruleset, state.description.frame
    baulk = rules.break_.area == "baulk"
    line = frame.baulk_line if baulk else frame.head_string
    reds = discipline_of(rules).groups == BLACK_BALL
    return Minimap(frame.length, frame.width, line, reds)


# --- what can be pressed ------------------------------------------------------------------------


def _actions(
    state: MatchState, hand: Hand, mode: Mode, language: str, permits: Permits
) -> tuple[Button, ...]:
    if state.phase is Phase.TIME_OUT:
        why = permits.why_not(c.EndTimeOut)
        return (Button("end_time_out", say(language, "end_time_out"), "T", why, strong=True),)
    if mode not in (Mode.AIM, Mode.PLACE):
        return ()
    lag = state.phase is Phase.LAG
    buttons = []
    if mode is Mode.PLACE:
        seat = state.shooter if not lag else None
        why = permits.why_not(c.PlaceCue)
        if not why and hand.place is not None and seat is not None:
            why = permits.why_not_there(state, seat, hand.place)
        buttons.append(Button("place", say(language, "put_down"), "Enter", why, strong=True))
    else:
        why = permits.why_not(c.Strike)
        buttons.append(
            Button("strike", say(language, "strike"), say(language, "space_key"), why, strong=True)
        )
    why = permits.why_not(c.PlaceCue)
    lying = place_of(state, ball_struck(state, 0)) is not None or lag
    if not why and lying and (mode is Mode.AIM or hand.moving_cue):
        label = say(language, "move_lag" if lag else "move_cue")
        buttons.append(Button("move_cue", label, "B", "", on=hand.moving_cue))
    if not lag and call_is_due(state):
        buttons += call_buttons(state, hand, language, permits)
    if not lag:
        buttons += snooker_buttons(state, language, permits)
        if state.push_out_available:
            why = permits.why_not(c.DeclarePushOut)
            label = say(language, "push_out")
            buttons.append(Button("push_out", label, "P", why, on=state.push_out_declared))
        shot_clock = state.clock.shot_clock
        if shot_clock is not None and shot_clock.extension_s:
            why = permits.why_not(c.ExtendShot)
            label = say(language, "extend", n=f"{shot_clock.extension_s:g}")
            buttons.append(Button("extend", label, "Home", why))
        why = permits.why_not(c.RequestTimeOut)
        buttons.append(Button("time_out", say(language, "time_out"), "T", why))
    return tuple(buttons)


def _corner(moment: Moment) -> tuple[Button, ...]:
    language, hand = moment.language, moment.hand
    view = say(language, "view", name=say(language, f"view_{hand.view}"))
    return (
        Button("view", view, "C"),
        Button("help", say(language, "help"), "F1", on=hand.help),
        Button("language", say(language, "language"), "L"),
        Button("menu", say(language, "menu"), "Esc", on=bool(hand.sheet)),
    )


def _help(language: str) -> tuple[tuple[str, str], ...]:
    return tuple(
        (say(language, key) if key.startswith(("key_", "space")) else key, say(language, meaning))
        for key, meaning in HELP
    )
