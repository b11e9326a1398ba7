"""Draws: pure functions of a competition and a seed; what they give is recorded as it is."""

from random import Random

from server.competitions import bracket, swiss
from server.competitions.acts import Drawn
from server.competitions.competition import Competition
from server.competitions.facts import Facts
from server.competitions.setup import MOST_IN_BRACKET, DoubleElimination, SingleElimination, Swiss
from server.competitions.standings import standings
from shared_rules.refusal import Code, Refusal


def draw(competition: Competition, seed: int) -> Drawn:
    """The next draw: of the whole competition, or of the next round of a Swiss.

    Raises:
        Refusal: there is nothing to draw now; the message says what is missing.
    """
    facts = competition.facts
    form = facts.settings.format
    if isinstance(form, Swiss):
        return _swiss(competition, form, seed)
    if facts.started:
        raise Refusal(Code.WRONG_STATE, "this competition is drawn; only Swiss rounds are drawn on")
    order = seeding(facts, seed)
    if len(order) < 2:
        raise Refusal(Code.WRONG_STATE, "a draw needs two entrants")
    if isinstance(form, SingleElimination | DoubleElimination):
        if bracket.size_for(len(order)) > MOST_IN_BRACKET:
            raise Refusal(Code.WRONG_STATE, f"a bracket holds at most {MOST_IN_BRACKET} entrants")
        return Drawn(round=1, places=bracket.slots_by_seed(order), seed=seed)
    return Drawn(round=1, places=order, seed=seed)


def seeding(facts: Facts, seed: int) -> tuple[str, ...]:
    """Who is in, strongest seed first.

    By rating, those without one behind in the order of entry; by hand, those not named behind; or
    by lot.
    """
    present = facts.present
    match facts.settings.seeding:
        case "draw":
            return tuple(Random(seed).sample(present, len(present)))
        case "hand":
            named = [who for who in facts.seeds if who in present]
            return (*named, *(who for who in present if who not in set(named)))
        case _:
            return tuple(sorted(present, key=lambda who: -(facts.entrants[who].rating or 0.0)))


def _swiss(competition: Competition, form: Swiss, seed: int) -> Drawn:
    facts = competition.facts
    turn = len(facts.draws) + 1
    if turn > form.rounds:
        raise Refusal(Code.WRONG_STATE, f"all {form.rounds} rounds are drawn")
    if any(match.is_open for match in competition.fixtures.values()):
        raise Refusal(Code.WRONG_STATE, f"round {turn - 1} isn't over")
    order = seeding(facts, seed)
    if len(order) < 2:
        raise Refusal(Code.WRONG_STATE, "a draw needs two entrants")
    made = tuple(competition.fixtures.values())
    rows = standings(facts, made)
    points = {row.entrant: row.points for row in rows}
    seeds = {who: place for place, who in enumerate(order)}
    ranks = {row.entrant: row.place or len(rows) for row in rows}
    ranked = sorted(order, key=lambda who: (-points[who], ranks[who], seeds[who]))
    places: list[str | None] = []
    for one, other in swiss.pairing(ranked, points, swiss.meetings(made)):
        pair = swiss.named_first(one, other, made)
        if turn == 1 and other != swiss.BYE and (len(places) // 2) % 2:
            pair = pair[::-1]
        places += [who or None for who in pair]
    return Drawn(round=turn, places=tuple(places), seed=seed)
