"""Why a match that is called has its races: the reason, and the club's chart it is read from."""

from client.words import say
from shared_rules import messages as m


def called_lines(called: m.MatchCalled, language: str) -> list[str]:
    """The reason in a line, and below it the chart; nothing where there is no handicap."""
    if called.why == "no_handicap":
        return []
    mine, others = called.races
    ratings = [f"{rating:g}" if rating is not None else "?" for rating in called.ratings]
    words = {"a": mine, "b": others, "one": ratings[0], "other": ratings[1]}
    lines = [say(language, f"called_{called.why}", name=called.opponent, **words)]
    for step in called.chart:
        strong, weak = step.races
        lines.append(say(language, "called_chart", d=f"{step.from_difference:g}", a=strong, b=weak))
    return lines
