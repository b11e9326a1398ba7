"""Eight-ball: what a shot means, as a pure function of its facts (RULES 5, E8.*, with F6.*)."""

from collections.abc import Iterator

from shared_rules.alike import after_break_foul, counted_foul, enough_railed, made_call
from shared_rules.discipline import Discipline
from shared_rules.facts import ShotFacts
from shared_rules.faults import (
    first_contact_faults,
    general_faults,
    head_string_faults,
    reported,
)  # fmt: skip
from shared_rules.fouls import Fault
from shared_rules.groups import Group, balls_of, group_of
from shared_rules.rack import TRIANGLE, RackPattern, Rows, mixed_corners
from shared_rules.refusal import Code, Refusal
from shared_rules.situation import Situation
from shared_rules.state import Call, Foul, Hand, Option, Phase
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

BALLS = tuple(range(1, 16))
EIGHT = 8
GROUPS = (Group.SOLIDS, Group.STRIPES)


def judge_shot(facts: ShotFacts, situation: Situation) -> Verdict:
    """What a shot means."""
    if facts.replay:
        return Verdict((), Undone(), situation.fouls_before)
    faults = list(dict.fromkeys(_faults(facts, situation)))
    fouls = reported(faults, situation)
    if not facts.struck and not fouls:
        return Verdict((), Unplayed(), situation.fouls_before)
    if situation.is_break:
        return _after_break(facts, situation, fouls, Fault.UNSPORTSMANLIKE in faults)
    lost = _lost(facts, situation, fouls)
    if lost:
        return Verdict(fouls, Wins("other", lost))
    if fouls:
        return _after_foul(situation, fouls, Fault.UNSPORTSMANLIKE in faults)
    return _after_legal(facts, situation)


def _faults(facts: ShotFacts, situation: Situation) -> Iterator[Fault]:
    """E8.9.  Of a break that hits nothing in particular, or nothing at all, E8.3d alone says what
    it is (E8.3b, ambiguity 35)."""
    if facts.struck and not situation.is_break:
        yield from first_contact_faults(facts, targets(situation))
        yield from head_string_faults(facts, situation)
    yield from general_faults(facts, situation)


# --- what may be hit and called ----------------------------------------------------------------


def own_group(situation: Situation) -> Group | None:
    """The shooter's group: his own, or the cleared one that he claims by calling the 8."""
    call = situation.call
    if situation.group is None and call is not None and call.ball == EIGHT:
        return claimable(situation)
    return situation.group


def claimable(situation: Situation) -> Group | None:
    """A group that is off an open table and may be claimed (``claim_cleared_group``)."""
    if situation.group is not None or not situation.ruleset.claim_cleared_group:
        return None
    return next((g for g in GROUPS if not balls_of(g) & situation.on_table), None)


def targets(situation: Situation) -> frozenset[int]:
    """Balls that may be hit first (E8.4d, E8.9): any but the 8, one's own, at last the 8."""
    group = own_group(situation)
    if situation.is_break:
        return situation.on_table
    if group is None:
        return situation.on_table - {EIGHT}
    return (balls_of(group) & situation.on_table) or (frozenset((EIGHT,)) & situation.on_table)


def check_call(situation: Situation, call: Call) -> None:
    """Refuse a call that the rules do not take (E8.6b, G.1.6; ambiguity 31).

    Raises:
        Refusal: ``eight_not_callable`` or ``not_own_group``.
    """
    if call.safety or call.ball is None:
        return
    group = situation.group
    cleared = group is not None and not balls_of(group) & situation.on_table
    if call.ball == EIGHT:
        if not (cleared or claimable(situation)):
            raise Refusal(
                Code.EIGHT_NOT_CALLABLE,
                "the 8 may be called only when all of your group are off the table (E8.6b)",
            )
    elif group is not None and call.ball not in balls_of(group):
        raise Refusal(Code.NOT_OWN_GROUP, "that ball is not of your group")


# --- what follows ------------------------------------------------------------------------------


def _after_break(
    facts: ShotFacts, situation: Situation, fouls: tuple[Foul, ...], unsportsmanlike: bool
) -> Verdict:
    """E8.3; no loss of 3.8 applies to the break (E8.8e), and no ball but the 8 returns (E8.7b)."""
    if not (facts.struck or situation.broken):
        return Verdict(fouls, Breaks("other", new_rack=False))
    rules = situation.ruleset.break_
    jumped = (EIGHT,) if EIGHT in facts.off_table else ()  # E8.7: spotted at once
    if fouls and unsportsmanlike:
        down = (EIGHT,) if EIGHT in facts.pocketed else ()
        return Verdict(fouls, Penalty(), spotted=jumped + down)
    if EIGHT in facts.pocketed:
        return _eight_on_break(fouls, situation)
    if facts.struck and not facts.pocketed and not enough_railed(facts, situation):
        # E8.3d; taking a table without a cue ball on it means the ball in hand (ambiguity 27).
        options = tuple(
            Option.BALL_IN_HAND_HEAD if facts.cue_gone and option == "accept_table" else
            Option(option)
            for option in rules.illegal_options
        )  # fmt: skip
        hand: Hand = "head" if facts.cue_gone else "none"
        decides = Decides("other", Phase.DECIDE_AFTER_ILLEGAL_BREAK, options, hand)
        return Verdict(fouls, decides, spotted=jumped, illegal_break=True)
    if fouls:
        return Verdict(fouls, after_break_foul(facts, situation), spotted=jumped)
    return Verdict((), Shoots("shooter" if facts.pocketed else "other"))


def _eight_on_break(fouls: tuple[Foul, ...], situation: Situation) -> Verdict:
    """E8.3e, f; every foul is treated as a scratch is (ambiguity 28)."""
    phase = Phase.DECIDE_EIGHT_ON_BREAK
    if fouls:
        options = (Option.SPOT_8_BALL_IN_HAND_HEAD, Option.REBREAK)
        return Verdict(fouls, Decides("other", phase, options, "head"))
    match situation.ruleset.break_.eight:
        case "win":
            return Verdict((), Wins("shooter", "eight_on_break"))
        case "spot":
            return Verdict((), Shoots("shooter"), spotted=(EIGHT,))
    options = (Option.SPOT_8_AND_CONTINUE, Option.REBREAK)
    return Verdict((), Decides("shooter", phase, options))


def _lost(facts: ShotFacts, situation: Situation, fouls: tuple[Foul, ...]) -> str:
    """Which of E8.8 has lost the rack; judged on the table before the shot.  Empty for none."""
    if EIGHT in facts.off_table:
        return "eight_off_table"
    if EIGHT not in facts.pocketed:
        return ""
    if fouls:
        return "eight_on_foul"
    if targets(situation) != {EIGHT}:
        return "eight_too_early"
    return "" if made_call(facts, situation) else "eight_not_called"


def _after_foul(situation: Situation, fouls: tuple[Foul, ...], unsportsmanlike: bool) -> Verdict:
    count, counted, lost = counted_foul(situation)
    if lost:
        return Verdict(fouls, Wins("other", "three_fouls"), count)
    if unsportsmanlike:
        return Verdict(fouls, Penalty(), situation.fouls_before)
    # A foul that is no stroke, while the 8 waits for the choice of E8.3e, f: that choice is gone.
    back = () if EIGHT in situation.on_table else (EIGHT,)
    return Verdict(fouls, Shoots("other", "anywhere"), count, counted, back)


def _after_legal(facts: ShotFacts, situation: Situation) -> Verdict:
    """E8.4, E8.5: only the called ball decides, whatever else dropped."""
    if EIGHT in facts.pocketed:
        return Verdict((), Wins("shooter", "eight"))
    if not made_call(facts, situation):
        return Verdict((), Shoots("other"))
    call = situation.call
    assert call is not None and call.ball is not None
    return Verdict((), Shoots("shooter"), group=situation.group or group_of(call.ball, GROUPS))


def _order_fault(rows: Rows) -> Refusal | None:
    if rows[2][1] != EIGHT:
        return Refusal(Code.MALFORMED, "the 8 stands in the middle of the third row")
    return mixed_corners(rows, GROUPS)


EIGHT_BALL = Discipline(
    RackPattern(BALLS, TRIANGLE, _order_fault), judge_shot, targets, check_call, GROUPS
)
"""E8.2: a triangle, the 8 behind the apex ball, a ball of each group in the back corners."""
