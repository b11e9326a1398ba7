"""Nine-ball, EPBF and WPA: what a shot means, as a pure function of its facts.

RULES 3 (N9.*) and 4 (W9.*) with the fouls of 8 (F6.*).  The two rulebooks differ by keys of the
ruleset alone (DIFFERENCES.md).
"""

from collections.abc import Iterator

from shared_rules.alike import after_break_foul, counted_foul, enough_railed
from shared_rules.discipline import Discipline
from shared_rules.facts import RailTouch, ShotFacts
from shared_rules.faults import general_faults, reported
from shared_rules.fouls import Fault, foul_of
from shared_rules.rack import DIAMOND, RackPattern, Rows
from shared_rules.refusal import Code, Refusal
from shared_rules.situation import Situation
from shared_rules.state import Foul, Option, Phase
from shared_rules.verdict import (
    Breaks,
    Decides,
    Penalty,
    Shoots,
    Undone,
    Unplayed,
    Verdict,
    Wins,
)  # fmt: skip

BALLS = tuple(range(1, 10))
NINE = 9


def judge_shot(facts: ShotFacts, situation: Situation) -> Verdict:
    """What a shot means (N9.3, N9.4, W9.3 to W9.8)."""
    before = situation.fouls_before
    if facts.replay:
        return Verdict((), Undone(), before)
    faults = _faults(facts, situation)
    fouls = _reported(faults, facts, situation)
    if not facts.struck and not fouls:
        return Verdict((), Unplayed(), before)
    if fouls:
        return _after_foul(facts, situation, fouls, Fault.UNSPORTSMANLIKE in faults)
    return _after_legal(facts, situation)


def targets(situation: Situation) -> frozenset[int]:
    """The ball on: the lowest (N9.4.2, W9.0); on the break the 1 (N9.3.1)."""
    return frozenset(()) if situation.lowest is None else frozenset((situation.lowest,))


def _order_fault(rows: Rows) -> Refusal | None:
    if rows[0][0] != 1 or rows[2][1] != NINE:
        return Refusal(Code.MALFORMED, "the 1 stands on the foot spot and the 9 in the middle")
    return None


NINE_BALL = Discipline(RackPattern(BALLS, DIAMOND, _order_fault), judge_shot, targets)
"""N9.2a, W9.2: a diamond, the 1 in front, the 9 in the middle."""


# --- faults -----------------------------------------------------------------------------------


def _faults(facts: ShotFacts, situation: Situation) -> list[Fault]:
    """Everything the shot shows, each kind once."""
    found = [*_contact_faults(facts, situation)] if facts.struck else []
    found += general_faults(facts, situation)
    return list(dict.fromkeys(found))


def _contact_faults(facts: ShotFacts, situation: Situation) -> Iterator[Fault]:
    """First contact and what had to follow: N9.5a, b, k; F6.2, F6.3, W9.3b."""
    hit_lowest = situation.lowest in facts.first_contacts
    if situation.is_break and not facts.pocketed and not enough_railed(facts, situation):
        yield Fault.TOO_FEW_RAILED
    if situation.push_out:
        return  # N9.3p2, W9.4a
    if facts.first_contact is None:
        yield Fault.NO_CONTACT
        return
    if not hit_lowest:
        yield Fault.WRONG_BALL_FIRST
        # EPBF 5b and 5k presuppose a right first contact, F6.3 does not.
        if situation.ruleset.codes == "epbf":
            return
    if situation.is_break or facts.pocketed or _rail_after_contact(facts, situation):
        return
    bound = hit_lowest and bool(_bound_rails(situation))
    yield Fault.NO_RAIL_OFF_FROZEN if bound else Fault.NO_RAIL


def _bound_rails(situation: Situation) -> frozenset[str]:
    """Cushions that count for the lowest ball only after another object ball.

    Those that it is frozen to (N9.5k; D8.4 alone asks that it leaves them), and those at which the
    shooter's safeties are used up (N9.5l).
    """
    rules = situation.ruleset.rail
    bound = set()
    if rules.frozen_same_cushion == "after_other_ball":
        bound |= {rail for ball, rail in situation.frozen_to_rail if ball == situation.lowest}
    limit = rules.near_cushion_limit
    bound |= {r for r, count in situation.near_rails if limit is not None and count >= limit}
    return frozenset(bound)


def _rail_after_contact(facts: ShotFacts, situation: Situation) -> bool:
    """Whether a ball reached a rail, was pocketed or left the table after the first contact."""
    if facts.gone_after_contact():
        return True
    lowest, bound = situation.lowest, _bound_rails(situation)

    def counts(touch: RailTouch) -> bool:
        if touch.ball != lowest or touch.place not in bound or lowest not in facts.first_contacts:
            return True
        return any(order < touch.order for order in facts.kisses.get(touch.ball, ()))

    return any(counts(touch) for touch in facts.touches_after_contact())


def _reported(faults: list[Fault], facts: ShotFacts, situation: Situation) -> tuple[Foul, ...]:
    """The fouls of a shot, with 5p where the 9 fell on one."""
    fouls = reported(faults, situation)
    # N9.5p is about 5a to 5o; on 2b the 9 does not win either, but that is no foul of its own.
    if NINE in facts.pocketed and any(foul.code.startswith("5") for foul in fouls):
        on_foul = foul_of(Fault.NINE_ON_FOUL, situation.ruleset.codes)
        fouls += () if on_foul is None else (on_foul,)
    return tuple(dict.fromkeys(fouls))


# --- what follows -----------------------------------------------------------------------------


def _nine_back(facts: ShotFacts) -> tuple[int, ...]:
    """The 9 comes back after a foul or a push-out; no other ball does (N9.5s, W9.6)."""
    return (NINE,) if NINE in facts.pocketed or NINE in facts.off_table else ()


def _after_legal(facts: ShotFacts, situation: Situation) -> Verdict:
    """A ball made keeps the turn, the 9 wins, and else the opponent plays from where the balls lie
    (N9.3.2, N9.3.3, N9.4.3, N9.4.5, W9.5a to d); a push-out is his to take or to pass back (N9.3p4,
    N9.3p5, W9.4b)."""
    if situation.push_out:
        options = (Option.ACCEPT_TABLE, Option.PASS_BACK)
        decides = Decides("other", Phase.DECIDE_AFTER_PUSH_OUT, options)
        return Verdict((), decides, spotted=_nine_back(facts), push_out=True)
    if NINE in facts.pocketed:
        return Verdict((), Wins("shooter", "nine"))
    return Verdict(
        fouls=(),
        next=Shoots("shooter" if facts.pocketed else "other"),
        push_out_available=situation.is_break and situation.ruleset.push_out.enabled,
        safeties=_safeties(facts, situation),
    )


def _safeties(facts: ShotFacts, situation: Situation) -> tuple[tuple[str, int], ...]:
    """The shooter's near-cushion counters after a legal stroke (RULES 11.2, N9.5l)."""
    limit = situation.ruleset.rail.near_cushion_limit
    lowest = situation.lowest
    if limit is None or facts.pocketed:
        return ()
    places = {(t.ball, t.place) for t in facts.touches}
    for rail, count in situation.near_rails:
        if places == {(lowest, rail)} and rail in situation.ends_near:
            return ((rail, min(count + 1, limit)),)
    return ()


def _after_foul(
    facts: ShotFacts, situation: Situation, fouls: tuple[Foul, ...], unsportsmanlike: bool
) -> Verdict:
    """Ball in hand for the opponent, on the break what the ruleset offers, or the game (N9.3.4,
    N9.4.4, N9.6.1, W9.7, W9.8a)."""
    count, counted, lost = counted_foul(situation)
    if lost:
        return Verdict(fouls, Wins("other", "three_fouls"), count)
    spotted = _nine_back(facts)
    if unsportsmanlike:
        return Verdict(fouls, Penalty(), situation.fouls_before, spotted=spotted)
    if not situation.is_break:
        return Verdict(fouls, Shoots("other", "anywhere"), count, counted, spotted)
    if not (facts.struck or situation.broken):
        # Nothing was broken: the offender loses the break (ambiguity 16).
        return Verdict(fouls, Breaks("other", new_rack=False), count, counted, spotted)
    return Verdict(fouls, after_break_foul(facts, situation), count, counted, spotted)
