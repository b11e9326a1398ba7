"""Black ball: what a shot means, as a pure function of its facts (RULES 7, BB.*, with F6.*)."""

from collections.abc import Iterator

from shared_rules.alike import after_break_foul, counted_foul, in_hand_or_choice
from shared_rules.discipline import Discipline
from shared_rules.facts import ShotFacts
from shared_rules.faults import first_contact_faults, general_faults, reported
from shared_rules.fouls import Fault
from shared_rules.groups import Group, balls_of, group_of, opposite
from shared_rules.rack import TRIANGLE, RackPattern, Rows, mixed_corners
from shared_rules.refusal import Code, Refusal
from shared_rules.situation import Situation
from shared_rules.state import Foul, Option, Phase
from shared_rules.verdict import (
    Breaks,
    Penalty,
    Shoots,
    Undone,
    Unplayed,
    Verdict,
    Wins,
)  # fmt: skip

BALLS = tuple(range(1, 16))
BLACK = 8
GROUPS = (Group.REDS, Group.YELLOWS)
CROSSING = 2
"""So many object balls have to pass the centre string on a dry break (BB.5b)."""


def judge_shot(facts: ShotFacts, situation: Situation) -> Verdict:
    """What a shot means."""
    if facts.replay:
        return Verdict((), Undone(), situation.fouls_before)
    faults = list(dict.fromkeys(_faults(facts, situation)))
    if _black_on_break(facts, situation):
        faults = [fault for fault in faults if fault not in _IGNORED]
    fouls = reported(faults, situation)
    if not facts.struck and not fouls:
        return Verdict((), Unplayed(), situation.fouls_before)
    if _black_on_break(facts, situation) and Fault.UNSPORTSMANLIKE not in faults:
        return Verdict(fouls, Breaks("shooter"))  # BB.5c
    lost = _lost(facts, situation, fouls)
    if lost:
        return Verdict(fouls, Wins("other", lost))
    if fouls:
        return _after_foul(facts, situation, fouls, Fault.UNSPORTSMANLIKE in faults)
    return _after_legal(facts, situation)


# --- the balls on ------------------------------------------------------------------------------


def balls_on(situation: Situation) -> frozenset[int]:
    """The balls on (BB.1d): any red or yellow on an open table, one's own, at last the black.

    On a free shot every ball but the black is on besides (BB.1a, ambiguity 52).
    """
    coloured = situation.on_table - {BLACK}
    if situation.is_break:
        return situation.on_table
    if situation.group is None:
        return coloured
    own = balls_of(situation.group) & situation.on_table
    own = own or frozenset((BLACK,)) & situation.on_table
    return own | coloured if situation.free_shot else own


def targets(situation: Situation) -> frozenset[int]:
    """Balls that may be hit first: those on, and any where F6.2 is off (BB.1a, BB.12)."""
    return situation.on_table if situation.free_shot else balls_on(situation)


def _own(situation: Situation) -> frozenset[int]:
    """Balls whose fall lets the shooter go on (BB.7)."""
    if situation.group is None or _any_ball(situation):
        return situation.on_table - {BLACK}
    return balls_of(situation.group) & situation.on_table


def _any_ball(situation: Situation) -> bool:
    """Whether this free shot may pocket anything but the black (RULES 11.3)."""
    return situation.free_shot and situation.ruleset.free_shot_mode == "shot_plus_visit"


# --- faults ------------------------------------------------------------------------------------

# A scratch and jumped balls do not matter when the black falls on the break (BB.5c).
_IGNORED = (Fault.SCRATCH, Fault.CUE_OFF_TABLE, Fault.BALL_OFF_TABLE)


def _faults(facts: ShotFacts, situation: Situation) -> Iterator[Fault]:
    """BB.5b, BB.9, BB.12, BB.13."""
    if facts.struck and situation.is_break:
        yield from _break_faults(facts)
    elif facts.struck:
        away = situation.ruleset.touching.mode == "play_away"
        yield from first_contact_faults(
            facts,
            targets(situation),
            away=balls_on(situation) if away else frozenset(),
            rail_needed=not situation.snooker,
        )
        if _opponents_alone(facts, situation):
            yield Fault.OPPONENTS_BALL
    yield from general_faults(facts, situation)


def _break_faults(facts: ShotFacts) -> Iterator[Fault]:
    """BB.5b; cushions do not matter.  A break that hits nothing shows F6.3 besides."""
    if facts.first_contact is None:
        yield Fault.NO_CONTACT
    if not facts.pocketed and len(facts.crossed_center) < CROSSING:
        yield Fault.BAD_BREAK


def _opponents_alone(facts: ShotFacts, situation: Situation) -> bool:
    """BB.13a: an opponent's ball has fallen and none of one's own."""
    if situation.group is None or _any_ball(situation):
        return False
    fallen = frozenset(facts.pocketed)
    return bool(fallen & balls_of(opposite(situation.group))) and not fallen & _own(situation)


def _black_on_break(facts: ShotFacts, situation: Situation) -> bool:
    return situation.is_break and facts.struck and BLACK in facts.pocketed


# --- what follows ------------------------------------------------------------------------------


def _lost(facts: ShotFacts, situation: Situation, fouls: tuple[Foul, ...]) -> str:
    """Which of BB.14a, b has lost the rack; empty for none.

    Judged after the shot: the last own ball and the black may fall together (ambiguity 48).
    """
    if BLACK not in facts.pocketed or situation.is_break:
        return ""
    if fouls:
        return "black_on_foul"
    group = situation.group
    if group is None or (balls_of(group) & situation.on_table) - frozenset(facts.pocketed):
        return "black_too_early"
    return ""


def _after_foul(
    facts: ShotFacts, situation: Situation, fouls: tuple[Foul, ...], unsportsmanlike: bool
) -> Verdict:
    """BB.12p: the other player has a free shot, from where the cue ball lies or from baulk."""
    count, counted, lost = counted_foul(situation)
    if lost:
        return Verdict(fouls, Wins("other", "three_fouls"), count)
    if situation.is_break and not (facts.struck or situation.broken):
        return Verdict(fouls, Breaks("other", new_rack=False), count, counted)
    back = _spotted(facts, situation)
    if unsportsmanlike:
        if _black_on_break(facts, situation):
            back = (BLACK, *back)  # whatever the referee says, there is a black to play on with
        return Verdict(fouls, Penalty(), situation.fouls_before, spotted=back)
    if situation.is_break:
        then = after_break_foul(facts, situation, Phase.FREE_SHOT)
    else:
        options = (Option.CUE_IN_POSITION, Option.CUE_IN_HAND_BAULK)
        then = in_hand_or_choice(facts, situation, options, Phase.FREE_SHOT)
    return Verdict(fouls, then, count, counted, back, free_shot=True)


def _spotted(facts: ShotFacts, situation: Situation) -> tuple[int, ...]:
    """Balls off the table come back (BB.11): in order of number, or the black first, then the
    group of who is next to shoot (the reds on an open table, ambiguity 59), then the rest."""
    if situation.ruleset.spot.order == "ascending":
        return tuple(sorted(facts.off_table))
    mine = situation.group
    next_group = GROUPS[0] if mine is None else opposite(mine)
    return tuple(
        sorted(facts.off_table, key=lambda b: (b != BLACK, b not in balls_of(next_group), b))
    )


def _after_legal(facts: ShotFacts, situation: Situation) -> Verdict:
    """BB.6a, BB.7."""
    if BLACK in facts.pocketed:
        return Verdict((), Wins("shooter", "black"))
    fallen = frozenset(facts.pocketed)
    stays = bool(fallen & _own(situation)) or _any_ball(situation)
    return Verdict(
        fouls=(),
        next=Shoots("shooter" if stays else "other"),
        group=situation.group or _group_made(fallen, situation),
    )


def _group_made(fallen: frozenset[int], situation: Situation) -> Group | None:
    """BB.6a: balls of one group alone, on a shot that is neither break nor free shot."""
    groups = {group_of(ball, GROUPS) for ball in fallen}
    if situation.is_break or situation.free_shot or len(groups) != 1:
        return None
    return groups.pop()


def _order_fault(rows: Rows) -> Refusal | None:
    """BB.4; colours as in the usual diagram, or any with one of each in the back corners."""
    if rows[2][1] != BLACK:
        return Refusal(Code.MALFORMED, "the black stands in the middle of the third row")
    return mixed_corners(rows, GROUPS)


BLACK_BALL = Discipline(
    RackPattern(BALLS, TRIANGLE, _order_fault, spot_row=2),
    judge_shot,
    targets,
    groups=GROUPS,
    hand="baulk",
    on=balls_on,
)
"""BB.4: a triangle, the black in its middle on the foot spot, two rows behind the apex."""
