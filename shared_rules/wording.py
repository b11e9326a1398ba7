"""What the rules say to people, in English and Czech: fouls, options, announcements, refusals."""

from collections.abc import Sequence
from typing import Literal

from shared_rules import act_words, refusal_words
from shared_rules import announcements as an
from shared_rules.acts import CallFoul
from shared_rules.catalogue import (
    ANNOUNCEMENTS,
    FOULS,
    GROUPS,
    OPTIONS,
    POCKETS,
    REASONS,
    Phrase,
)
from shared_rules.events import Pocket
from shared_rules.fouls import named_foul
from shared_rules.groups import Group
from shared_rules.refusal import Code
from shared_rules.state import Foul, Option, Ruling

Language = Literal["en", "cs"]
LANGUAGES: tuple[Language, ...] = ("en", "cs")


def _in(language: str, phrase: Phrase) -> str:
    return phrase[1] if language == "cs" else phrase[0]


def foul_text(foul: Foul, language: str) -> str:
    """What the player did wrong; ``foul.rule_id`` names the rule."""
    return _in(language, FOULS[foul.code])


def lag_fault_text(code: str, language: str) -> str:
    """What was wrong with a lag (1.2a to 1.2f)."""
    return _in(language, FOULS[code])


def option_text(option: Option, language: str) -> str:
    """An option as the decider reads it."""
    return _in(language, OPTIONS[option.value])


def pocket_text(pocket: Pocket, language: str) -> str:
    """A pocket as it is called."""
    return _in(language, POCKETS[pocket])


def group_text(group: Group, language: str) -> str:
    """A group of balls."""
    return _in(language, GROUPS[group.value])


def points_text(points: int, language: str) -> str:
    """Points won or lost by a stroke."""
    return _in(language, ANNOUNCEMENTS["judged_points"]).format(n=_signed(points))


def _signed(points: int) -> str:
    return f"+{points}" if points > 0 else str(points).replace("-", "−")


def reason_text(reason: str, language: str) -> str:
    """Why a game or match was won; what an official wrote is given as he wrote it."""
    phrase = REASONS.get(reason) or OPTIONS.get(reason)
    return _in(language, phrase) if phrase is not None else reason


def refusal_text(code: Code | str, language: str, message: str) -> str:
    """Why something was refused.

    Args:
        code: of the refusal, as an enumeration or as it came over the wire.
        message: its English sentence.
    """
    if language != "cs":
        return message
    if message in refusal_words.SENTENCES:
        return refusal_words.SENTENCES[message]
    return refusal_words.CODES.get(str(code), message)


def announcement_text(
    said: an.Announcement, language: str, names: Sequence[str], referee: str = "referee"
) -> str:
    """A sentence for what has happened.

    Args:
        names: of seats 0 and 1.
        referee: what to call the referee when he is the one who decided.
    """
    values: dict[str, object] = {}
    seat = getattr(said, "seat", None)
    if seat is None:
        seat = getattr(said, "by", getattr(said, "breaker", None))
    if seat is not None:
        values["name"] = names[seat] if isinstance(seat, int) else referee
    key = _key(said)
    match said:
        case an.Judged():
            return _ruling_text(said.ruling, language, names)
        case an.Called() if said.call.pocket is not None:
            values |= {"ball": said.call.ball, "pocket": pocket_text(said.call.pocket, language)}
        case an.GroupsSet():
            values["group"] = group_text(said.groups[said.seat], language)
        case an.Chosen():
            values["option"] = option_text(said.option, language)
        case an.Reracking():
            values["n"] = len(said.rerack.balls)
        case an.TwoFoulWarning() if said.points is not None:
            values["n"] = _signed(said.points)
        case an.ClockImposed():
            values["limit"] = f"{said.limit_s:g}"
        case an.ShotExtended():
            values["limit"] = f"{said.by_s:g}"
        case an.TimeOutStarted():
            values["minutes"] = f"{said.max_s / 60:g}"
        case an.BallsRestored():
            values["balls"] = ", ".join(map(str, said.balls))
        case an.FoulCalled():
            return f"{_in(language, ANNOUNCEMENTS[key])}: {_named(said.foul, language)}"
        case an.OfficialActed():
            values["who"] = _in(language, act_words.BY[said.by])
            values["act"] = _with_reason(act_text(said.act, language), said.reason)
        case an.Claimed():
            values["act"] = _claim_text(said, language)
        case an.Suspended() if said.reason:
            return _with_reason(_in(language, ANNOUNCEMENTS[key]), said.reason)
        case an.GameWon() | an.MatchWon():
            sentence = _in(language, ANNOUNCEMENTS[key]).format(**values)
            return f"{sentence} ({reason_text(said.reason, language)})"
        case _:
            values |= {
                field: getattr(said, field)
                for field in ("ball", "rack", "visits", "shot")
                if hasattr(said, field)
            }
    return _in(language, ANNOUNCEMENTS[key]).format(**values)


def _key(said: an.Announcement) -> str:
    """Key of an announcement's phrase: its tag, or the tag's special case."""
    match said:
        case an.PushOutDeclared() if not said.on:
            return "push_out_taken_back"
        case an.Called() if said.call.safety:
            return "called_safety"
        case an.Chosen() if said.by_clock:
            return "chosen_by_clock"
        case an.StalemateAgreed() if said.settled:
            return "stalemate_settled"
        case an.Racked() if said.goes_on:
            return "racked_on"
        case an.TwoFoulWarning() if said.points is not None:
            return "two_foul_warning_points"
        case an.ClockRanOut() if said.seat is None:
            return "clock_ran_out_both"
    return str(said.__struct_config__.tag)


def act_text(act: str, language: str) -> str:
    """What an official does, by the name of its command."""
    return _in(language, act_words.ACTS[act])


def _claim_text(said: an.Claimed, language: str) -> str:
    act = said.act
    foul = named_foul(act.foul) if isinstance(act, CallFoul) else None
    what = act_text(str(act.__struct_config__.tag), language)
    if foul is not None:
        what = f"{what}, {_named(foul, language)}"
    return _with_reason(what, act.reason)


def _with_reason(text: str, reason: str) -> str:
    return f"{text} ({reason})" if reason else text


def _named(foul: Foul, language: str) -> str:
    """A foul with the rule that it breaks."""
    return f"{foul_text(foul, language)} ({foul.rule_id})"


def _ruling_text(ruling: Ruling, language: str, names: Sequence[str]) -> str:
    if ruling.lag_fouls is not None:
        if ruling.lag_winner is not None:
            name = names[ruling.lag_winner]
            return _in(language, ANNOUNCEMENTS["judged_lag"]).format(name=name)
        return _in(language, ANNOUNCEMENTS["judged_relag" if ruling.relag else "judged_lag_open"])
    if ruling.replay:
        return _in(language, ANNOUNCEMENTS["judged_replay"])
    if ruling.illegal_break and not ruling.fouls:
        return _in(language, ANNOUNCEMENTS["judged_illegal_break"])
    points = ""
    if ruling.points:
        points = ", " + points_text(ruling.points, language)
    if not ruling.fouls:
        key = "judged_push_out" if ruling.push_out else "judged_legal"
        return _in(language, ANNOUNCEMENTS[key]) + points
    named = "; ".join(_named(foul, language) for foul in ruling.fouls)
    text = f"{_in(language, ANNOUNCEMENTS['judged_foul'])}: {named}{points}"
    return text if ruling.counted else f"{text}. {_in(language, ANNOUNCEMENTS['not_counted'])}"
