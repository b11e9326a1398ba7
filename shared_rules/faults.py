"""Faults that a shot shows whatever the discipline: balls, cue, placing, head string (RULES 8).

What has to be hit first, and what has to happen then, is each discipline's own.
"""

from collections.abc import Iterable, Iterator

from shared_rules.balls import CUE
from shared_rules.facts import ShotFacts
from shared_rules.fouls import Fault, foul_of, named_foul
from shared_rules.situation import Situation
from shared_rules.state import Foul


def general_faults(facts: ShotFacts, situation: Situation) -> Iterator[Fault]:
    """What no discipline lets pass: N9.5c to h, m to o; F6.1, F6.5 to F6.8, F6.10, F6.15."""
    yield from _ball_faults(facts)
    yield from _cue_faults(facts, situation)
    if situation.outside_area:
        yield Fault.OUTSIDE_AREA
    if facts.clock_expired:
        yield Fault.TIME


def _ball_faults(facts: ShotFacts) -> Iterator[Fault]:
    """Balls that went where they must not: N9.5c, d; F6.1, F6.5a."""
    if facts.cue_pocketed:
        yield Fault.SCRATCH
    if facts.cue_off_table:
        yield Fault.CUE_OFF_TABLE
    if facts.off_table:
        yield Fault.BALL_OFF_TABLE


def _cue_faults(facts: ShotFacts, situation: Situation) -> Iterator[Fault]:
    """How the cue, a hand or a thing met the balls: N9.5e to h, m to o; F6.6, F6.7a to d, F6.8,
    F6.16, BB.9, BB.13c."""
    rules = situation.ruleset
    for contact in facts.equipment:
        if contact.by == "cue_ball":
            yield Fault.HAND_BALL_TOUCHED
        elif contact.by in ("cue", "tip") and contact.ball != CUE:
            yield Fault.CUE_ON_BALL
        else:
            yield Fault.BALL_TOUCHED
        if contact.intentional and rules.codes == "wpa" and situation.referee:
            yield Fault.UNSPORTSMANLIKE  # F6.6b
    if facts.double_hit or facts.tip_on_cue or _ran_too_far(facts, situation):
        yield Fault.PUSH_THROUGH
    if facts.long_tip_contact:
        yield Fault.LONG_CONTACT
    if facts.full_pocket_touched and rules.pocket.full_touch == "foul":
        yield Fault.FULL_POCKET
    if facts.deliberate_scoop and rules.scoop == "foul":
        yield Fault.SCOOP
    if facts.cue_jumped and rules.jump.over_ball == "foul":
        yield Fault.JUMP
    if facts.played_into and rules.touching.mode == "play_away":
        yield Fault.INTO_TOUCHING


def _ran_too_far(facts: ShotFacts, situation: Situation) -> bool:
    """The half-distance test on a touching or near pair (N9.5g)."""
    ball = facts.first_contact
    if situation.ruleset.touching.mode != "half_distance" or ball is None:
        return False
    if ball in facts.played_away_from:
        return False
    if situation.threatened is not None and ball not in situation.threatened:
        return False
    if CUE not in facts.travel_mm or ball not in facts.travel_mm:
        return False
    return facts.travel_mm[CUE] > facts.travel_mm[ball] / 2


def first_contact_faults(
    facts: ShotFacts,
    targets: frozenset[int],
    *,
    away: frozenset[int] = frozenset(),
    rail_needed: bool = True,
) -> Iterator[Fault]:
    """F6.2 and F6.3 of a stroke: what was hit first, and what had to reach a rail then.

    A tie of a right and a wrong ball is right (F6.2s).  Missing everything is F6.3 alone.

    Args:
        away: balls that count as hit first when they touched the cue ball and it was played away
            from them (BB.9); elsewhere that is no hit (F6.7f).
        rail_needed: False after a snooker: a bare hit is enough (BB.10, ambiguity 51).
    """
    hit_at_once = bool(facts.played_away_from & away)
    if facts.first_contact is None and not hit_at_once:
        yield Fault.NO_CONTACT
        return
    if not (hit_at_once or facts.first_contacts & targets):
        yield Fault.WRONG_BALL_FIRST
    railed = facts.touches if hit_at_once else facts.touches_after_contact()
    if rail_needed and not (facts.pocketed or facts.gone_after_contact() or railed):
        yield Fault.NO_RAIL


def head_string_faults(facts: ShotFacts, situation: Situation) -> Iterator[Fault]:
    """F6.11: with the cue ball in hand behind the head string, it has to be played out of there.

    The first ball hit may lie behind the string only if the cue ball crossed it before (F6.11a);
    and the cue ball must cross it or touch a ball on or in front of it (F6.11b).  A break is
    judged by what breaks ask for (ambiguity 35).
    """
    if situation.hand != "head" or situation.is_break:
        return
    out = facts.cue_out_order
    behind = bool(facts.first_contacts) and facts.first_contacts <= situation.behind_head
    if behind and not 0 <= out < facts.first_order:
        yield Fault.FIRST_BALL_BEHIND
    if out < 0 and facts.cue_touched <= situation.behind_head:
        yield Fault.NEVER_OUT


def reported(faults: Iterable[Fault], situation: Situation) -> tuple[Foul, ...]:
    """The fouls as the rulebook names them, those that the referee called among them."""
    codes = situation.ruleset.codes
    named = [foul_of(fault, codes) for fault in faults]
    named += [named_foul(code) for code in situation.called]
    return tuple(dict.fromkeys(foul for foul in named if foul is not None))
