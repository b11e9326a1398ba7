"""Nine-ball, EPBF and WPA: what a shot means, as a pure function of its facts.

RULES 3 (N9.*) and 4 (W9.*) with the fouls of 8 (F6.*).  The two rulebooks differ by keys of the
ruleset alone (DIFFERENCES.md).
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from shared_rules.balls import CUE
from shared_rules.facts import RailTouch, ShotFacts
from shared_rules.fouls import Fault, foul_of, named_foul
from shared_rules.ruleset import Ruleset
from shared_rules.state import Foul, Option

BALLS = range(1, 10)
NINE = 9

# What follows a shot, seen from its shooter: who goes on, and how.
Follow = Literal[
    "same_shoots", "other_shoots", "other_in_hand", "other_breaks",
    "decide_break_foul", "decide_push_out", "penalty", "nothing", "replay", "game_over",
]  # fmt: skip

PENALTIES = (
    Option.WARNING, Option.STANDARD_FOUL, Option.SERIOUS_FOUL, Option.LOSS_OF_RACK,
    Option.LOSS_OF_SET, Option.LOSS_OF_MATCH, Option.EJECTION,
)  # fmt: skip
"""What a referee may choose for unsportsmanlike conduct (F6.16p)."""


@dataclass(frozen=True, slots=True)
class Situation:
    """The table before the stroke, as far as it decides what the stroke means.

    ``frozen_to_rail``: pairs of ball and cushion.  ``near_rails``: cushions within one ball
    diameter of the lowest ball, with the shooter's safeties in a row there (N9.5l); ``ends_near``:
    those that it is still within a diameter of at rest.  ``threatened``: balls for which the
    half-distance test of N9.5g applies, None where only the reported travel tells.
    ``outside_area``: the cue ball was played from outside the head area, and that counts
    (``outside_counts``).  ``called``: foul codes that the referee has called.
    """

    ruleset: Ruleset
    on_table: frozenset[int]
    is_break: bool = False
    push_out: bool = False
    fouls_before: int = 0
    warned: bool = False
    frozen_to_rail: frozenset[tuple[int, str]] = frozenset()
    near_rails: tuple[tuple[str, int], ...] = ()
    ends_near: frozenset[str] = frozenset()
    threatened: frozenset[int] | None = None
    outside_area: bool = False
    called: tuple[str, ...] = ()
    referee: bool = False

    @property
    def lowest(self) -> int | None:
        """The ball on (N9.4.2): the lowest before the stroke."""
        return min(self.on_table, default=None)


@dataclass(frozen=True, slots=True)
class Verdict:
    """What a shot means.

    ``fouls_after``: the shooter's fouls in a row.  ``counted``: False for an unwarned third foul.
    ``winner``: seen from the shooter.  ``safeties``: the shooter's near-cushion counters that go
    on; all his others end.
    """

    fouls: tuple[Foul, ...]
    follow: Follow
    fouls_after: int
    counted: bool = True
    spotted: tuple[int, ...] = ()
    winner: Literal["shooter", "other"] | None = None
    reason: str = ""
    options: tuple[Option, ...] = ()
    push_out_available: bool = False
    push_out: bool = False
    safeties: tuple[tuple[str, int], ...] = ()


def outside_counts(ruleset: Ruleset, *, told: bool) -> bool:
    """Whether a break from outside the head area is a foul: N9.2b needs telling, F6.10 does not."""
    return told or ruleset.codes == "wpa"


def judge_shot(facts: ShotFacts, situation: Situation) -> Verdict:
    """What a shot means."""
    before = situation.fouls_before
    if facts.replay:
        return Verdict(fouls=(), follow="replay", fouls_after=before)
    faults = _faults(facts, situation)
    fouls = _reported(faults, facts, situation)
    if not facts.struck and not fouls:
        return Verdict(fouls=(), follow="nothing", fouls_after=before)
    if fouls:
        return _after_foul(facts, situation, fouls, Fault.UNSPORTSMANLIKE in faults)
    return _after_legal(facts, situation)


# --- faults -----------------------------------------------------------------------------------


def _faults(facts: ShotFacts, situation: Situation) -> list[Fault]:
    """Everything the shot shows, each kind once."""
    found = [*_contact_faults(facts, situation)] if facts.struck else []
    found += _ball_faults(facts)
    found += _cue_faults(facts, situation)
    if situation.outside_area:
        found.append(Fault.BREAK_FROM_OUTSIDE)
    if facts.clock_expired:
        found.append(Fault.TIME)
    return list(dict.fromkeys(found))


def _contact_faults(facts: ShotFacts, situation: Situation) -> Iterator[Fault]:
    """First contact and what had to follow: N9.5a, b, k; F6.2, F6.3, W9.3b."""
    hit_lowest = situation.lowest in facts.first_contacts
    if situation.is_break and not facts.pocketed and not _enough_railed(facts, situation):
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


def _enough_railed(facts: ShotFacts, situation: Situation) -> bool:
    railed = set(facts.railed)
    if situation.ruleset.rail.count_pocketed:
        railed |= set(facts.off_table)  # a pocketed ball has made the break good already
    return len(railed) >= situation.ruleset.break_.min_railed


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


def _ball_faults(facts: ShotFacts) -> Iterator[Fault]:
    """Balls that went where they must not: N9.5c, d; F6.1, F6.5a."""
    if facts.cue_pocketed:
        yield Fault.SCRATCH
    if facts.cue_off_table:
        yield Fault.CUE_OFF_TABLE
    if facts.off_table:
        yield Fault.BALL_OFF_TABLE


def _cue_faults(facts: ShotFacts, situation: Situation) -> Iterator[Fault]:
    """How the cue, a hand or a thing met the balls: N9.5e to h, m to o; F6.6 to F6.8, F6.16."""
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


def _reported(faults: list[Fault], facts: ShotFacts, situation: Situation) -> tuple[Foul, ...]:
    """The fouls as the rulebook names them, those that the referee called among them."""
    codes = situation.ruleset.codes
    named = [foul_of(fault, codes) for fault in faults]
    named += [named_foul(code) for code in situation.called]
    fouls = [foul for foul in named if foul is not None]
    # N9.5p is about 5a to 5o; on 2b the 9 does not win either, but that is no foul of its own.
    if NINE in facts.pocketed and any(foul.code.startswith("5") for foul in fouls):
        fouls += [foul for foul in [foul_of(Fault.NINE_ON_FOUL, codes)] if foul is not None]
    return tuple(dict.fromkeys(fouls))


# --- what follows -----------------------------------------------------------------------------


def _nine_back(facts: ShotFacts) -> tuple[int, ...]:
    """The 9 comes back after a foul or a push-out; no other ball does (N9.5s, W9.6)."""
    return (NINE,) if NINE in facts.pocketed or NINE in facts.off_table else ()


def _after_legal(facts: ShotFacts, situation: Situation) -> Verdict:
    if situation.push_out:
        return Verdict(
            fouls=(),
            follow="decide_push_out",
            fouls_after=0,
            spotted=_nine_back(facts),
            options=(Option.ACCEPT_TABLE, Option.PASS_BACK),
            push_out=True,
        )
    if NINE in facts.pocketed:
        return Verdict((), "game_over", 0, winner="shooter", reason="nine")
    return Verdict(
        fouls=(),
        follow="same_shoots" if facts.pocketed else "other_shoots",
        fouls_after=0,
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
    rules = situation.ruleset.three_foul
    count, counted = situation.fouls_before + 1, True
    if count >= rules.limit:
        if situation.warned:
            return Verdict(fouls, "game_over", count, winner="other", reason="three_fouls")
        # N9.9l "does not count", F6.14c "counts as the second": the count stays either way.
        count, counted = rules.limit - 1, False
    spotted = _nine_back(facts)
    if unsportsmanlike:
        return Verdict(fouls, "penalty", situation.fouls_before, spotted=spotted, options=PENALTIES)
    follow: Follow = "other_in_hand"
    options: tuple[Option, ...] = ()
    if situation.is_break and not facts.struck:
        follow = "other_breaks"  # nothing was broken: the offender loses the break (ambiguity 16)
    elif situation.is_break:
        options = _break_options(facts, situation)
        if options != (Option.BALL_IN_HAND_ANYWHERE,):
            follow = "decide_break_foul"
        else:
            options = ()
    return Verdict(fouls, follow, count, counted, spotted, options=options)


def _break_options(facts: ShotFacts, situation: Situation) -> tuple[Option, ...]:
    """What the opponent may choose after a foul on the break (N9.3a to c, W9.7p)."""
    cue_gone = facts.cue_pocketed or facts.cue_off_table
    offered = tuple(
        option
        for option in map(Option, situation.ruleset.break_.foul_options)
        if not (cue_gone and option is Option.ACCEPT_TABLE)
    )
    return offered or (Option.BALL_IN_HAND_ANYWHERE,)
