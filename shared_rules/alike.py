"""What disciplines judge alike: breaks that drive too few balls, fouls on them, fouls in a row."""

from shared_rules.facts import ShotFacts
from shared_rules.situation import Situation
from shared_rules.state import Option, Phase
from shared_rules.verdict import Decides, Next, Shoots

_IN_HAND: dict[Option, Next] = {
    Option.BALL_IN_HAND_ANYWHERE: Shoots("other", "anywhere"),
    Option.BALL_IN_HAND_HEAD: Shoots("other", "head"),
    Option.CUE_IN_HAND_BAULK: Shoots("other", "baulk"),
}
"""Options that are no choice when nothing else is offered."""
_AS_IT_LIES = (Option.ACCEPT_TABLE, Option.CUE_IN_POSITION)


def enough_railed(facts: ShotFacts, situation: Situation) -> bool:
    """Whether a break on which nothing fell drove enough object balls to a rail (W9.3b, E8.3d)."""
    railed = set(facts.railed)
    if situation.ruleset.rail.count_pocketed:
        railed |= set(facts.off_table)  # a pocketed ball has made the break good already
    return len(railed) >= situation.ruleset.break_.min_railed


def made_call(facts: ShotFacts, situation: Situation) -> bool:
    """Whether the called ball fell into the called pocket; how does not matter (G.1.6b)."""
    call = situation.call
    if call is None or call.ball not in facts.pocketed:  # a safety names no ball
        return False
    return facts.pockets[call.ball] == call.pocket


def after_break_foul(
    facts: ShotFacts, situation: Situation, phase: Phase = Phase.DECIDE_AFTER_BREAK_FOUL
) -> Next:
    """What the opponent has after a foul on the break (N9.3a to c, W9.7p, E8.3g, h; BB.12p)."""
    options = tuple(map(Option, situation.ruleset.break_.foul_options))
    return in_hand_or_choice(facts, situation, options, phase)


def in_hand_or_choice(
    facts: ShotFacts, situation: Situation, options: tuple[Option, ...], phase: Phase
) -> Next:
    """The options of the other player after a foul; one that is left alone is no choice.

    The table cannot be taken as it is without a cue ball on it.
    """
    cue_gone = facts.cue_gone or situation.cue_gone
    offered = tuple(o for o in options if not (cue_gone and o in _AS_IT_LIES))
    if not offered:
        baulk = situation.ruleset.break_.area == "baulk"
        offered = (Option.CUE_IN_HAND_BAULK if baulk else Option.BALL_IN_HAND_ANYWHERE,)
    only = _IN_HAND.get(offered[0]) if len(offered) == 1 else None
    return only or Decides("other", phase, offered)


def counted_foul(situation: Situation) -> tuple[int, bool, bool]:
    """The shooter's fouls in a row after one more, whether it counts, and whether it is one too
    many (F6.14, N9.7.2); a ruleset without such a limit counts none."""
    limit = situation.ruleset.three_foul.limit
    if limit is None:
        return 0, True, False
    count = situation.fouls_before + 1
    if count < limit:
        return count, True, False
    if situation.warned:
        return count, True, True
    # N9.9l "does not count", F6.14c "counts as the second": the count stays either way.
    return limit - 1, False, False
