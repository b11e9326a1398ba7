"""What a competition says to people, in English and Czech: races and why, tie-breaks, stages."""

from server.competitions.acts import Stage
from server.competitions.handicap import Reason
from server.competitions.setup import TieBreak

_TIE_BREAKS: dict[TieBreak, tuple[str, str]] = {
    TieBreak.HEAD_TO_HEAD: ("head-to-head", "vzájemné zápasy"),
    TieBreak.BOARDS_DIFFERENCE: ("boards difference", "rozdíl dílčích zápasů"),
    TieBreak.GAMES_DIFFERENCE: ("games difference", "rozdíl her"),
    TieBreak.GAMES_WON: ("games won", "vyhrané hry"),
    TieBreak.AVERAGE: ("share of games won", "podíl vyhraných her"),
    TieBreak.WINS: ("matches won", "vyhrané zápasy"),
    TieBreak.BUCHHOLZ: ("Buchholz", "Buchholz"),
    TieBreak.MEDIAN_BUCHHOLZ: ("median Buchholz", "střední Buchholz"),
    TieBreak.SONNEBORN_BERGER: ("Sonneborn-Berger", "Sonneborn-Berger"),
    TieBreak.LAG_OFF: ("lag-off", "rozehrání o pořadí"),
}
_STAGES: dict[Stage, tuple[str, str]] = {
    "round": ("round {n}", "{n}. kolo"),
    "winners": ("winners' side, round {n}", "strana vítězů, {n}. kolo"),
    "losers": ("losers' side, round {n}", "strana poražených, {n}. kolo"),
    "third_place": ("match for the third place", "zápas o třetí místo"),
    "challenge": ("challenge {n}", "výzva {n}"),
}
_REASONS: dict[str, tuple[str, str]] = {
    "no_handicap": ("Both play to {a}.", "Oba hrají na {a}."),
    "no_rating": (
        "Both play to {a}: one of them has no rating.",
        "Oba hrají na {a}: jeden z nich nemá rating.",
    ),
    "level": (
        "Both play to {a}: a rating difference of {d:.0f} gives no handicap.",
        "Oba hrají na {a}: za rozdíl ratingu {d:.0f} není handicap.",
    ),
    "rating_difference": (
        "{one} plays to {a}, {other} to {b}: their ratings differ by {d:.0f}.",
        "{one} hraje na {a}, {other} na {b}: rozdíl ratingu je {d:.0f}.",
    ),
}


def _in(language: str, phrase: tuple[str, str]) -> str:
    return phrase[1] if language == "cs" else phrase[0]


def tie_break_text(name: TieBreak, language: str) -> str:
    """A tie-break as the head of a column."""
    return _in(language, _TIE_BREAKS[name])


def stage_text(stage: Stage, number: int, language: str) -> str:
    """Where in a competition a match is played."""
    if stage == "final":
        second = number > 1
        return _in(language, ("second final", "druhé finále") if second else ("final", "finále"))
    return _in(language, _STAGES[stage]).format(n=number)


def reason_text(reason: Reason, first: str, second: str, language: str) -> str:
    """Races and why, with the names of the two; said to both before they start."""
    return _in(language, _REASONS[reason.why]).format(
        a=reason.races[0], b=reason.races[1], d=abs(reason.difference), one=first, other=second
    )
