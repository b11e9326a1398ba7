"""From the table of one's own and the hands to what the HUD shows in one frame."""

from dataclasses import replace

from client.hud.describe import Moment, described
from client.hud.keyed import with_keys
from client.hud.model import Button, Dialog, HudModel, Tone
from client.play.hand import Mode
from client.practice.arrange import Arranger
from client.practice.layout import BALLS
from client.practice.practising import Practising
from client.practice.results import missed_words, result_lines
from client.practice.run import Run
from client.words import say
from shared_rules.balls import CUE

HELP = (("G", "key_repeat"), ("Z Y", "key_undo"), ("B", "key_arrange"))


def describe_practice(
    practising: Practising, arranger: Arranger, moment: Moment, folded: bool = False
) -> HudModel:
    """The HUD of a frame; ``folded``: there is little room, so the steps are in the menu."""
    language, hand = moment.language, moment.hand
    base = described(practising.table.session, moment)
    prompt, hint = _prompt(practising, arranger, moment, base)
    shot = practising.last
    # what lies over the table in a small window must not hide balls that are to be moved
    shown = shot is not None and not practising.table.busy and not arranger.on
    dialog = base.dialog
    if hand.sheet == "menu":
        dialog = _menu(practising, moment, folded)
    elif dialog is None and practising.run is not None and practising.run.over:
        dialog = _over(practising, practising.run, language)
    if folded and practising.free and prompt == say(language, "practice_prompt"):
        prompt = ""  # it says nothing that the room is not better used for
    again = Button("again", say(language, "again_end" if hand.again else "again"), "I")
    base_help = tuple((key, said) for key, said in base.help if key not in _OF_MATCHES)
    more = tuple((key, say(language, said)) for key, said in HELP) if hand.help else ()
    model = replace(
        base,
        players=HudModel().players,
        race="",
        title=say(language, "practice_title"),
        balls=(),
        on=(),
        clock=None,
        link=say(language, "practice_link"),
        link_level=3,
        banner="",
        prompt=prompt,
        hint=hint,
        warns=False,
        ruling=_lines(practising, language) if shown else (),
        again=replace(again, on=hand.again) if shown else None,
        buttons=_buttons(practising, arranger, moment, base, folded),
        dialog=dialog,
        headline=_headline(practising, language),
        tray=tuple((n, n in practising.layout.balls) for n in BALLS) if arranger.on else (),
        chosen=arranger.chosen if arranger.on else None,
        help=(*base_help, *more) if hand.help else (),
    )
    return with_keys(model, moment.keys, language)


STEPS = ("undo", "redo")
_OF_MATCHES = ("P", "N", "T", "B", "F", "H F2", "F3")
"""Keys of the sheet that mean something only in a match."""


def _lines(practising: Practising, language: str) -> tuple[tuple[str, Tone], ...]:
    """What the last shot has done."""
    assert practising.last is not None
    return result_lines(practising.last, language)


def _headline(practising: Practising, language: str) -> tuple[str, str] | None:
    run = practising.run
    if run is None:
        return None
    course, stages = run.course, len(run.course.stages)
    title = say(language, f"drill_{course.name}")
    number = min(run.at + 1, stages)
    if course.kind == "lesson":
        return title, say(language, "practice_lesson", n=number, of=stages)
    best = practising.kept.best.get(course.name, "–")
    below = say(language, "practice_headline", n=number, of=stages, points=run.points, best=best)
    return title, below


def _prompt(
    practising: Practising, arranger: Arranger, moment: Moment, base: HudModel
) -> tuple[str, str]:
    """What is wanted now, and a hint."""
    language, hand, run = moment.language, moment.hand, practising.run
    if hand.again or practising.table.busy:
        return base.prompt, base.hint
    if arranger.on:
        return say(language, "arrange_prompt"), say(language, "arrange_hint")
    if run is None:
        if CUE not in practising.layout.balls:
            return say(language, "practice_no_cue"), ""
        return say(language, "practice_prompt"), say(language, "practice_hint")
    if run.waits and run.judged is not None:
        again = run.course.kind == "lesson" and not run.passed
        words = missed_words(run.judged.missed, language) or say(language, "practice_good")
        if run.course.kind == "drill":
            points = say(language, "practice_points", n=run.judged.points, of=run.stage.most)
            if run.stage.shots == 1:
                words = f"{words} · {points}"
        return words, say(language, "practice_wait_retry" if again else "practice_wait")
    if hand.calling:
        return base.prompt, base.hint
    words = run.stage.words or f"drill_{run.course.name}_note"
    wanted = say(language, words)
    hint = base.hint if moment.mode in (Mode.AIM, Mode.PLACE) else ""
    return wanted[:1].upper() + wanted[1:], hint


def _buttons(
    practising: Practising, arranger: Arranger, moment: Moment, base: HudModel, folded: bool
) -> tuple[Button, ...]:
    language, run = moment.language, practising.run
    if run is not None and run.over:
        return ()
    if run is not None and run.waits:
        return _waiting(run, language)
    kept = ("strike", "place") if run is None else ("strike", "place", "move_cue", "call")
    buttons = [button for button in base.buttons if button.action in kept]
    busy = practising.table.busy
    if run is None:
        buttons = [_strike(b, practising, language) for b in buttons if not arranger.on]
        free = _free(practising, arranger, language)
        buttons += [button for button in free if not folded or button.action not in STEPS]
    elif not busy and run.course.kind == "lesson":
        buttons.append(Button("skip_stage", say(language, "practice_skip")))
    return tuple(buttons)


def _strike(button: Button, practising: Practising, language: str) -> Button:
    if CUE in practising.layout.balls:
        return button
    return replace(button, why_not=say(language, "why_practice_no_cue"))


def _free(practising: Practising, arranger: Arranger, language: str) -> list[Button]:
    """What there is besides striking at a free table."""
    history, busy = practising.history, practising.table.busy
    repeat = practising.last is not None or busy
    undo = history.can_undo or busy
    redo = history.can_redo and not busy
    play = arranger.on
    return [
        Button(
            "move_cue", say(language, "practice_play" if play else "practice_arrange"), "B",
            say(language, "why_busy_shot") if busy else "", on=False, strong=play,
        ),
        Button(
            "repeat", say(language, "practice_repeat"), "G",
            "" if repeat else say(language, "why_practice_first_shot"),
        ),
        Button(
            "undo", say(language, "practice_undo"), "Z",
            "" if undo else say(language, "why_practice_undo"),
        ),
        Button(
            "redo", say(language, "practice_redo"), "Y",
            "" if redo else say(language, "why_practice_redo"),
        ),
    ]  # fmt: skip


def _waiting(run: Run, language: str) -> tuple[Button, ...]:
    """What there is when a stage is over."""
    if run.course.kind == "drill":
        return (Button("next", say(language, "practice_next"), "Enter", strong=True),)
    if run.passed:
        return (
            Button("next", say(language, "practice_next"), "Enter", strong=True),
            Button("repeat", say(language, "practice_again"), "G"),
        )
    return (
        Button("next", say(language, "practice_retry"), "Enter", strong=True),
        Button("skip_stage", say(language, "practice_skip")),
    )


def _menu(practising: Practising, moment: Moment, folded: bool) -> Dialog:
    language, hand = moment.language, moment.hand
    entries = [("back", "back")]
    if practising.run is None:
        entries.append(("layouts", "practice_layouts"))
    else:
        entries.append(("restart", "practice_restart"))
    entries += [("settings", "start_settings"), ("sound", "sound"), ("quit", "practice_leave")]
    buttons = [
        Button(action, say(language, key), "Esc" if k == 0 else str(k), strong=k == 0)
        for k, (action, key) in enumerate(entries)
    ]
    if folded and practising.run is None:
        free = _free(practising, Arranger(), language)
        buttons += [button for button in free if button.action in STEPS]
    seen = say(language, "view", name=say(language, f"view_{hand.view}"))
    buttons += [
        Button("view", seen, "C"),
        Button("help", say(language, "help"), "F1"),
        Button("language", say(language, "language"), "L"),
    ]
    return Dialog(say(language, "practice_title"), "", tuple(buttons))


def _over(practising: Practising, run: Run, language: str) -> Dialog:
    """The end of a course."""
    if run.course.kind == "lesson":
        title = say(language, "practice_over_lessons")
        body = say(
            language, "practice_over_lessons_body", n=len(run.done), of=len(run.course.stages)
        )
    else:
        title = say(language, "practice_over", n=run.points, of=run.course.most)
        best = practising.kept.best.get(run.course.name, run.points)
        body = say(language, "practice_over_body", n=best)
        if practising.is_best:
            body = say(language, "practice_over_best")
    return Dialog(
        title,
        body,
        (
            Button("quit", say(language, "practice_leave"), "Enter", strong=True),
            Button("restart", say(language, "practice_again"), "1"),
        ),
    )
