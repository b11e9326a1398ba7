"""What a shot without rules has done, in lines: what fell, and where the cue ball went.  Pure."""

import math

from client.hud.model import Tone
from client.practice.goals import Called, EndsIn, Lags, Part, Pots, Stops
from client.practice.layout import frame_of
from client.practice.shot import PlayedShot
from client.words import decimal, say
from shared_rules.balls import CUE
from shared_rules.wording import pocket_text

Line = tuple[str, Tone]


def result_lines(shot: PlayedShot, language: str) -> tuple[Line, ...]:
    """The lines of a shot."""
    lines: list[Line] = []
    for ball, pocket in shot.pocketed:
        where = pocket_text(pocket, language)
        if ball == CUE:
            lines.append((say(language, "result_scratch", pocket=where), "bad"))
        else:
            lines.append((say(language, "result_fell", n=ball, pocket=where), "good"))
    for ball in shot.off:
        key = "result_cue_off" if ball == CUE else "result_off"
        lines.append((say(language, key, n=ball), "bad"))
    if not shot.pocketed:
        lines.append((say(language, "result_nothing"), "note"))
    if shot.first is not None:
        lines.append((say(language, "result_first", n=shot.first[0]), "plain"))
    lines.append((_way(shot, language), "plain"))
    if shot.rests is not None:
        lines.append((_rests(shot, language), "plain"))
    return tuple(lines)


def _way(shot: PlayedShot, language: str) -> str:
    return say(language, "result_way", n=len(shot.rails), way=decimal(language, shot.way))


def _rests(shot: PlayedShot, language: str) -> str:
    """Where the cue ball lies: by the nearest ball, else by the nearest cushion."""
    assert shot.rests is not None
    at, layout = shot.rests, shot.after
    others = [
        (math.dist(at, place) - layout.radius(CUE) - layout.radius(ball), ball)
        for ball, place in layout.balls.items()
        if ball != CUE
    ]
    frame = frame_of(layout.table)
    reach = frame.cushion_reach(CUE)
    gap = min(frame.length / 2 - reach - abs(at.x), frame.width / 2 - reach - abs(at.y))
    near = min(others, default=None)
    if near is not None and near[0] < gap:
        return say(language, "result_near_ball", cm=_cm(near[0], language), n=near[1])
    return say(language, "result_near_rail", cm=_cm(gap, language))


def _cm(metres: float, language: str) -> str:
    return decimal(language, max(metres, 0.0) * 100, 1)


_MISSED = {
    Pots: "missed_pot",
    EndsIn: "missed_field",
    Stops: "missed_stop",
    Lags: "missed_lag",
    Called: "missed_call",
}


def missed_words(missed: Part | str | None, language: str) -> str:
    """What was not done; empty if all was."""
    if missed is None:
        return ""
    if isinstance(missed, str):
        return say(language, "missed_cue_ball")
    return say(language, _MISSED[type(missed)])
