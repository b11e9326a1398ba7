"""Straight pool 14.1: what a shot means, as a pure function of its facts (RULES 6, S14.*, F6.*).

The points are keys of the ruleset (``target``, ``points``, ``three_foul``).  What becomes of the
cue ball and the fifteenth when fourteen are racked is ``rerack``'s.
"""

from collections.abc import Iterator

from shared_rules.alike import counted_foul, made_call
from shared_rules.balls import CUE
from shared_rules.discipline import Discipline
from shared_rules.facts import ShotFacts
from shared_rules.faults import (
    first_contact_faults,
    general_faults,
    head_string_faults,
    reported,
)  # fmt: skip
from shared_rules.fouls import Fault, named_foul
from shared_rules.rack import TRIANGLE, RackPattern, Rows
from shared_rules.situation import Situation
from shared_rules.state import Call, Foul, Hand, Option, Phase
from shared_rules.verdict import (
    Breaks,
    Decides,
    Next,
    Penalty,
    Reracks,
    Shoots,
    Undone,
    Unplayed,
    Verdict,
    Wins,
)  # fmt: skip

BALLS = tuple(range(1, 16))
_BREAKING = "4.3b"


def judge_shot(facts: ShotFacts, situation: Situation) -> Verdict:
    """What a shot means."""
    if facts.replay:
        return Verdict((), Undone(), situation.fouls_before)
    faults = list(dict.fromkeys(_faults(facts, situation)))
    fouls = reported(faults, situation)
    if not facts.struck and not fouls:
        return Verdict((), Unplayed(), situation.fouls_before)
    if fouls:
        return _after_foul(facts, situation, faults, fouls)
    return _after_legal(facts, situation)


def targets(situation: Situation) -> frozenset[int]:
    """Any ball may be hit first (S14.9: no 6.2)."""
    return situation.on_table


def check_call(situation: Situation, call: Call) -> None:
    """Any ball may be called into any pocket (S14.5a)."""


def _faults(facts: ShotFacts, situation: Situation) -> Iterator[Fault]:
    """S14.9.  An opening break has a requirement of its own in place of the rail of F6.3 and of
    F6.11 (S14.3b, ambiguity 35); one that hits nothing is no hit besides."""
    if facts.struck and situation.is_break:
        if not break_is_good(facts, situation) or _BREAKING in situation.called:
            yield Fault.BREAKING_FOUL
        if facts.first_contact is None:
            yield Fault.NO_CONTACT
    elif facts.struck:
        yield from first_contact_faults(facts, targets(situation))
        yield from head_string_faults(facts, situation)
    yield from general_faults(facts, situation)


def break_is_good(facts: ShotFacts, situation: Situation) -> bool:
    """Whether an opening break pocketed the called ball, or drove the cue ball and two object balls
    (``break.min_railed``) to a rail once it had met the rack (S14.3b, D8.4; ambiguities 37, 38)."""
    if made_call(facts, situation):
        return True
    if facts.first_contact is None:
        return False
    rules = situation.ruleset
    railed = {touch.ball for touch in facts.touches_after_contact()}
    if rules.rail.count_pocketed:
        railed |= {*facts.pocketed, *facts.off_table, *((CUE,) if facts.cue_gone else ())}
    return CUE in railed and len(railed - {CUE}) >= rules.break_.min_railed


# --- what follows ------------------------------------------------------------------------------


def _after_legal(facts: ShotFacts, situation: Situation) -> Verdict:
    """S14.0, S14.4 to S14.7: a called ball that is made scores, and every other ball with it; a
    safety scores nothing (S14.5b)."""
    if not made_call(facts, situation):
        return Verdict((), Shoots("other"), spotted=_back(facts))
    points = len(facts.pocketed)
    then: Next = Shoots("shooter")
    if situation.score + points >= situation.ruleset.target:
        then = Wins("shooter", "target")
    elif len(situation.on_table - {*facts.pocketed}) <= 1:
        then = Reracks()
    return Verdict((), then, points=points)


def _after_foul(
    facts: ShotFacts, situation: Situation, faults: list[Fault], fouls: tuple[Foul, ...]
) -> Verdict:
    spotted = _back(facts)
    if Fault.UNSPORTSMANLIKE in faults:
        return Verdict(fouls, Penalty(), situation.fouls_before, spotted=spotted)
    if Fault.BREAKING_FOUL in faults:
        return _after_breaking_foul(facts, situation, fouls)
    count, counted, serious = counted_foul(situation)
    if serious:
        return _serious(situation, fouls, count)
    points = situation.ruleset.points.foul
    if situation.is_break and not (facts.struck or situation.broken):
        # Nothing was broken, so the rack stands for the other player.
        return Verdict(fouls, Breaks("other", new_rack=False), count, counted, points=points)
    hand = _hand_after_foul(facts, situation, Fault.NEVER_OUT in faults)
    return Verdict(fouls, Shoots("other", hand), count, counted, spotted, points=points)


def _after_breaking_foul(
    facts: ShotFacts, situation: Situation, fouls: tuple[Foul, ...]
) -> Verdict:
    """S14.3c, S14.10, S14.11a: two points, whatever else was wrong, and no foul of the three.

    The balls are spotted at once, so that the opponent sees the table that he may accept.
    """
    hand: Hand = "head" if facts.cue_gone else "none"
    options = tuple(map(Option, situation.ruleset.break_.foul_options))
    then: Next = Decides("other", Phase.DECIDE_REBREAK, options, hand)
    if options == (Option.REQUIRE_REBREAK,):
        then = Breaks("shooter")
    elif options == (Option.ACCEPT_TABLE,):
        then = Shoots("other", hand)
    points = situation.ruleset.points.breaking_foul
    spotted = () if isinstance(then, Breaks) else _back(facts)
    return Verdict(fouls, then, situation.fouls_before, spotted=spotted, points=points)


def serious_foul(situation: Situation) -> Verdict:
    """A serious foul by ruling of a referee: as a third foul in a row (F6.16p)."""
    foul = named_foul("6.16")
    assert foul is not None
    return _serious(situation, (foul,), situation.fouls_before)


def _serious(situation: Situation, fouls: tuple[Foul, ...], count: int) -> Verdict:
    """S14.11b, c: fifteen points more, no foul counted any longer, all racked, and the offender
    breaks; nothing is spotted, no ball is in hand."""
    rules = situation.ruleset
    if rules.three_foul.penalty == "loss_of_game":
        return Verdict(fouls, Wins("other", "three_fouls"), count, points=rules.points.foul)
    return Verdict(fouls, Breaks("shooter"), points=rules.points.foul + rules.points.third_foul)


def _hand_after_foul(facts: ShotFacts, situation: Situation, never_out: bool) -> Hand:
    """S14.9p: the cue ball stays where it is, as long as it is on the table and came out of the
    head area (F6.1, F6.11b)."""
    lies = facts.struck or situation.hand == "none"
    gone = facts.cue_gone or situation.cue_gone
    return "none" if lies and not gone and not never_out else "head"


def _back(facts: ShotFacts) -> tuple[int, ...]:
    """Balls to be spotted where nothing is scored, in ascending order (S14.6, ambiguity 36)."""
    return tuple(sorted({*facts.pocketed, *facts.off_table}))


def _order_fault(rows: Rows) -> None:
    """Any ball may stand anywhere (S14.2a)."""


STRAIGHT_POOL = Discipline(
    RackPattern(BALLS, TRIANGLE, _order_fault),
    judge_shot,
    targets,
    check_call,
    serious_foul=serious_foul,
    hand="head",
)
