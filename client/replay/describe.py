"""What the screen shows of a stored match at a moment: scoreboard, ruling, bar and buttons."""

from client.hud.describe import CAPTIONS, minimap_of, player_of
from client.hud.game import BLACK_BALL, strip, title
from client.hud.model import Button, HudModel, Scrub
from client.hud.points import race_words
from client.hud.rulings import ruling_lines
from client.net.view import TableView
from client.play.hand import SHOOTING, Hand, targets_shown
from client.replay.rerun import SPEEDS, Rerun
from client.replay.timeline import Timeline
from client.words import say
from shared_rules.disciplines import discipline_of

FINE = 1000
"""Steps of the bar: finer than it has pixels."""
MARKED = ("rack", "shot", "foul")
HELP = (
    ("space_key", "replay_key_play"), ("← →", "replay_key_step"), ("PgUp PgDn", "replay_key_shot"),
    ("Shift + PgUp PgDn", "replay_key_rack"), ("F", "replay_key_foul"),
    ("Home End", "replay_key_ends"), ("↑ ↓", "replay_key_speed"), ("key_drag", "replay_key_drag"),
    ("C", "key_view"), ("+ −", "key_zoom"), ("U", "key_numbers"), ("M , .", "key_sound"),
    ("L", "key_language"), ("S", "replay_key_share"), ("Esc", "replay_key_back"),
)  # fmt: skip


def describe(
    rerun: Rerun,
    view: TableView,
    hand: Hand,
    language: str,
    local: float,
    whole_table: bool,
    marks: tuple[tuple[float, str], ...],
    about: str,
) -> HudModel:
    """The HUD of a frame; ``about``: which match it is; ``marks``: those of the bar."""
    state = rerun.now.state
    rules = state.description.ruleset
    duration = rerun.timeline.duration
    return HudModel(
        players=(
            player_of(view, state, 0, language, 0.0),
            player_of(view, state, 1, language, 0.0),
        ),
        race=race_words(state, language),
        title=title(rules, language),
        link=about,
        link_level=None,
        balls=strip(state),
        reds=discipline_of(rules).groups == BLACK_BALL,
        on=targets_shown(state) if state.phase in SHOOTING and not state.is_break else (),
        ruling=ruling_lines(language, view),
        minimap=minimap_of(state, whole_table),
        buttons=_buttons(rerun, language),
        corner=_corner(hand, language),
        scrub=Scrub(
            round(rerun.at / duration * FINE) / FINE if duration else 1.0,
            marks,
            _where(rerun, language),
            clock_words(duration),
        ),
        help=tuple((_key(k, language), say(language, said)) for k, said in HELP if hand.help),
        help_page=hand.help_page,
        toast=hand.toast if local < hand.toast_until else "",
        toast_tone=hand.toast_tone,  # type: ignore[arg-type]
        fouls_limit=rules.three_foul.limit or 0,
        words=tuple((key, say(language, key)) for key in CAPTIONS),
    )


def bar_marks(timeline: Timeline) -> tuple[tuple[float, str], ...]:
    """The marks of the bar, as shares of it."""
    whole = timeline.duration or 1.0
    return tuple((mark.at / whole, mark.kind) for mark in timeline.marks if mark.kind in MARKED)


def clock_words(seconds: float) -> str:
    """Minutes and seconds."""
    return f"{int(seconds) // 60}:{int(seconds) % 60:02d}"


def speed_words(speed: float) -> str:
    """How fast it goes, as a fraction or a multiple."""
    return f"{speed:g}×" if speed >= 1 else f"1/{1 / speed:g}×"


def _where(rerun: Rerun, language: str) -> str:
    now = rerun.now
    words = [clock_words(rerun.at), speed_words(rerun.speed)]
    if now.state.rack_number:
        words.append(say(language, "replay_rack", n=now.state.rack_number))
    if now.shot is not None:
        words.append(say(language, "replay_shot", n=now.shot.number))
    if not rerun.playing:
        words.append(say(language, "replay_paused"))
    return " · ".join(words)


def _key(key: str, language: str) -> str:
    return say(language, key) if key.startswith(("key_", "space")) else key


def _buttons(rerun: Rerun, language: str) -> tuple[Button, ...]:
    def button(action: str, *kinds: str, way: int) -> Button:
        there = rerun.timeline.step(rerun.at, way, *kinds)  # type: ignore[arg-type]
        why = "" if there is not None else say(language, f"why_{action}")
        return Button(action, say(language, action), "", why)

    slowest, fastest = rerun.speed == SPEEDS[0], rerun.speed == SPEEDS[-1]
    play = "replay_pause" if rerun.playing else "replay_play"
    return (
        button("replay_last_shot", "shot", way=-1),
        button("replay_step_back", *STEPS, way=-1),
        Button("replay_play", say(language, play), say(language, "space_key"), strong=True),
        button("replay_step_on", *STEPS, way=1),
        button("replay_next_shot", "shot", way=1),
        Button(
            "replay_slower", say(language, "replay_slower"), "↓",
            say(language, "why_replay_slower") if slowest else "",
        ),
        Button(
            "replay_faster", say(language, "replay_faster"), "↑",
            say(language, "why_replay_faster") if fastest else "",
        ),
    )  # fmt: skip


STEPS = ("rack", "shot", "contact", "foul", "end")
"""What a step goes to: everything."""


def _corner(hand: Hand, language: str) -> tuple[Button, ...]:
    view = say(language, "view", name=say(language, f"view_{hand.view}"))
    return (
        Button("view", view, "C"),
        Button("help", say(language, "help"), "F1", on=hand.help),
        Button("language", say(language, "language"), "L"),
        Button("menu", say(language, "back_button"), "Esc"),
    )
