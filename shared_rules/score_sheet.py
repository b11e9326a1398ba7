"""A match on paper: rack by rack and shot by shot, as text, from what everybody was told."""

from collections.abc import Callable, Iterable, Iterator
from typing import Any

from shared_rules.messages import ReplayEvent, ReplaySummary

Said = dict[str, Any]


def score_sheet(summary: ReplaySummary, events: Iterable[ReplayEvent], date: str) -> str:
    """The sheet; ``date`` is when the match was opened, as the reader writes dates.

    What it doesn't know it passes over: events come from builds of any age.
    """
    players = " against ".join(summary.players)
    lines = [f"{players}   {summary.ruleset}   {date}   match {summary.match}"]
    names = _Names(summary)
    for event in events:
        for said in event.announcements:
            teller = _TELLERS.get(str(said.get("a")))
            if teller is not None:
                lines += teller(said, names)
    return "\n".join([*lines, "", _result(summary, names)]) + "\n"


class _Names:
    """Players by seat."""

    def __init__(self, summary: ReplaySummary) -> None:
        self._players = summary.players

    def of(self, seat: object) -> str:
        return self._players[seat] if seat in (0, 1) and isinstance(seat, int) else str(seat)


def _result(summary: ReplaySummary, names: _Names) -> str:
    result = summary.result
    if result is None:
        return "The match is over." if summary.status == "over" else f"The match: {summary.status}."
    score = f"games {result.games[0]}:{result.games[1]}"
    if max(result.sets) > 1 or min(result.sets) > 0:
        score = f"sets {result.sets[0]}:{result.sets[1]}, {score} in the last"
    if any(result.scores):
        score += f", points {result.scores[0]}:{result.scores[1]}"
    return f"{names.of(result.winner)} has won the match: {score}."


def _racked(said: Said, names: _Names) -> Iterator[str]:
    verb = "goes on" if said.get("goes_on") else "breaks"
    yield ""
    yield f"Rack {said.get('rack')}: {names.of(said.get('breaker'))} {verb}"


def _judged(said: Said, names: _Names) -> Iterator[str]:
    ruling = said.get("ruling") or {}
    facts = [_balls("pocketed", ruling.get("pocketed")), _balls("spotted", ruling.get("spotted"))]
    facts += [_balls("off the table", ruling.get("off_table"))]
    facts += [f"foul: {_words(f.get('code'))} ({f.get('rule_id')})" for f in _list(ruling, "fouls")]
    facts += ["push-out"] if ruling.get("push_out") else []
    facts += ["illegal break"] if ruling.get("illegal_break") else []
    points = ruling.get("points")
    facts += [f"{points:+d} points"] if isinstance(points, int) and points else []
    told = "; ".join(fact for fact in facts if fact) or "nothing falls"
    shooter = ruling.get("shooter")
    who = "both" if ruling.get("lag_winner") is not None else names.of(shooter)
    yield f"  {ruling.get('shot'):>4}  {who:<20} {told}"


def _won(what: str) -> Callable[[Said, _Names], Iterator[str]]:
    def tell(said: Said, names: _Names) -> Iterator[str]:
        yield f"        {names.of(said.get('seat'))} wins the {what} ({_words(said.get('reason'))})"

    return tell


def _official(said: Said, names: _Names) -> Iterator[str]:
    act = said.get("act")
    what = act.get("c") if isinstance(act, dict) else act
    reason = f": {said['reason']}" if said.get("reason") else ""
    yield f"        {names.of(said.get('by'))}: {_words(what)}{reason}"


def _plain(text: str) -> Callable[[Said, _Names], Iterator[str]]:
    def tell(said: Said, names: _Names) -> Iterator[str]:
        yield "        " + text.format(**{"seat": "", **said, "who": names.of(said.get("seat"))})

    return tell


_TELLERS: dict[str, Callable[[Said, _Names], Iterator[str]]] = {
    "racked": _racked,
    "judged": _judged,
    "game_won": _won("game"),
    "set_won": lambda said, names: iter([f"        {names.of(said.get('seat'))} wins the set"]),
    "match_won": _won("match"),
    "official_acted": _official,
    "ruling_revised": _plain("shot {shot} is judged again"),
    "shot_voided": _plain("shot {shot} is void: {reason}"),
    "clock_ran_out": _plain("{who}: time is up ({purpose})"),
    "shot_extended": _plain("{who} extends the shot clock"),
    "time_out_started": _plain("{who} takes a time-out"),
    "suspended": _plain("play is suspended"),
    "resumed": _plain("play goes on"),
}


def _list(ruling: Said, key: str) -> list[Any]:
    found = ruling.get(key)
    return list(found) if isinstance(found, list | tuple) else []


def _balls(what: str, balls: object) -> str:
    if not isinstance(balls, list | tuple) or not balls:
        return ""
    return f"{what} {', '.join('cue ball' if ball == 0 else str(ball) for ball in balls)}"


def _words(code: object) -> str:
    return str(code).replace("_", " ")
