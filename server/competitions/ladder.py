"""A ladder: who stands where after all challenges, who may challenge whom, what is overdue."""

from collections.abc import Iterator

from server.competitions.facts import Facts
from server.competitions.fixtures import Fixture, Outcome, fixture
from server.competitions.setup import Ladder
from shared_rules.refusal import Code, Refusal


def fixtures(facts: Facts) -> Iterator[Fixture]:
    """The match of every challenge, in the order in which they were made."""
    for number, (match, made) in enumerate(facts.challenges.items(), 1):
        yield fixture(
            facts, match, "challenge", number, 1, made.act.challenger, made.act.challenged
        )


def order(facts: Facts) -> tuple[str, ...]:
    """Who stands where, top first: the start, and every outcome in the order of the log.

    Who enters later stands at the bottom; who leaves is taken out, and all below move up.
    """
    form = facts.settings.format
    assert isinstance(form, Ladder)
    happened: list[tuple[int, str | Outcome]] = [
        (match.outcome.entry, match.outcome) for match in fixtures(facts) if match.outcome
    ]
    start = [who for who in facts.draws.get(1, ()) if who is not None]
    happened += [(facts.entered[who], who) for who in facts.entrants if who not in set(start)]
    standing = start
    for _, what in sorted(happened, key=lambda event: event[0]):
        if isinstance(what, str):
            standing.append(what)
        elif what.winner is not None and what.loser is not None:
            _move(standing, what.winner, what.loser, form)
    return tuple(who for who in standing if who not in facts.left)


def _move(standing: list[str], winner: str, loser: str, form: Ladder) -> None:
    up, down = standing.index(loser), standing.index(winner)
    if down < up:
        return
    if form.moves == "exchange":
        standing[up], standing[down] = winner, loser
    else:
        standing.insert(up, standing.pop(down))


def may_challenge(facts: Facts, challenger: str, challenged: str, at: float) -> None:
    """Whether this challenge is allowed now.

    Raises:
        Refusal: it isn't; the message says which rule of the ladder stands against it.
    """
    form = facts.settings.format
    if not isinstance(form, Ladder) or not facts.started:
        raise Refusal(Code.WRONG_STATE, "challenges are made in a ladder that has begun")
    standing = order(facts)
    for who in (challenger, challenged):
        if who not in standing:
            raise Refusal(Code.UNKNOWN_PERSON, f"{who} doesn't stand in this ladder")
    up = standing.index(challenger) - standing.index(challenged)
    if not 1 <= up <= form.reach:
        raise Refusal(
            Code.NOT_ALLOWED, f"a challenge goes at most {form.reach} places up; this goes {up}"
        )
    for match in fixtures(facts):
        if match.is_open and not match.pair.isdisjoint((challenger, challenged)):
            raise Refusal(Code.ALREADY_PLAYING, "one of the two has a challenge that isn't played")
        ended = match.outcome.at if match.outcome is not None else None
        same = match.pair == {challenger, challenged}
        if same and ended is not None and at < ended + form.rematch_s:
            raise Refusal(
                Code.NOT_ALLOWED,
                f"the same two wait {form.rematch_s / 86_400:g} days after their last match",
            )


def overdue(facts: Facts, at: float) -> tuple[Fixture, ...]:
    """Challenges that should have been played by now: the challenged forfeits them."""
    form = facts.settings.format
    assert isinstance(form, Ladder)
    return tuple(
        match
        for match in fixtures(facts)
        if match.is_open
        and match.id not in facts.calls
        and at >= facts.challenges[match.id].at + form.play_within_s
    )
