"""The table before a stroke, as far as it decides what the stroke means (RULES 0.3).

Everything is seen from the player whose stroke it is, and taken before it.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from shared_rules.balls import CUE
from shared_rules.frozen import frozen_balls, rails_within, threatened
from shared_rules.groups import Group
from shared_rules.placement import in_area
from shared_rules.ruleset import Ruleset
from shared_rules.state import Call, Hand, MatchState, Seat, Stroke
from shared_rules.table import Position


@dataclass(frozen=True, slots=True)
class Situation:
    """The table before the stroke.

    ``hand``: how the cue ball was in hand for it. ``behind_head``: object balls strictly behind the
    head string, or the baulk line where breaks are played from baulk (BB.1b). ``group``: the
    shooter's, None on an open table. ``frozen_to_rail``: pairs of ball and cushion. ``near_rails``:
    cushions within one ball diameter of the lowest ball, with the shooter's safeties in a row there
    (N9.5l); ``ends_near``: those that it is still within a diameter of at rest. ``threatened``:
    balls for which the half-distance test of N9.5g applies, None where only the reported travel
    tells. ``outside_area``: the cue ball was played from outside the area in which it was to be
    placed, and that counts (``outside_counts``). ``called``: foul codes that the referee has
    called. ``broken``: the break of this rack has been struck. ``cue_gone``: no cue ball lies on
    the table. ``free_shot``: the first stroke after a foul of the opponent (BB.1a). ``snooker``:
    one has been declared and found true (BB.10). ``score``:
    the shooter's points in straight pool.
    """

    ruleset: Ruleset
    on_table: frozenset[int]
    is_break: bool = False
    hand: Hand = "none"
    behind_head: frozenset[int] = frozenset()
    call: Call | None = None
    group: Group | None = None
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
    broken: bool = False
    cue_gone: bool = False
    score: int = 0
    free_shot: bool = False
    snooker: bool = False

    @property
    def lowest(self) -> int | None:
        """The ball with the lowest number before the stroke (N9.4.2)."""
        return min(self.on_table, default=None)


def outside_counts(ruleset: Ruleset, *, told: bool) -> bool:
    """Whether a stroke from outside the area is a foul: N9.2b needs telling, F6.10 does not."""
    return told or ruleset.codes == "wpa"


def safety_key(seat: Seat, ball: int, rail: str) -> str:
    """Key of a counter of near-cushion safeties (N9.5l)."""
    return f"{seat}:{ball}:{rail}"


def situation_of(
    state: MatchState,
    seat: Seat,
    called: Sequence[str] = (),
    *,
    before: dict[int, Position] | None = None,
    after: dict[int, Position] | None = None,
    hand: Hand | None = None,
    stroke: Stroke | None = None,
) -> Situation:
    """The table before a stroke of ``seat`` as the discipline judges it.

    Args:
        before, after: where the balls lay and where they have come to rest; the table as it is
            when nothing was played.
        hand: how the cue ball was in hand for the stroke; as it is now when nothing was played.
        stroke: what was played, to know which balls the half-distance test is for.
    """
    rules, frame = state.description.ruleset, state.description.frame
    before = state.balls if before is None else before
    after = before if after is None else after
    objects = frozenset(ball for ball in before if ball != CUE)
    lowest = min(objects, default=0)
    diameter = 2 * frame.ball_radius
    near = rails_within(lowest, before[lowest], diameter, frame) if objects else frozenset()
    ends = rails_within(lowest, after[lowest], diameter, frame) if lowest in after else frozenset()
    counts, area = state.near_rail_safeties, rules.break_.area
    return Situation(
        ruleset=rules,
        on_table=objects,
        is_break=state.is_break,
        hand=state.cue_in_hand if hand is None else hand,
        behind_head=frozenset(ball for ball in objects if in_area(before[ball], area, frame)),
        call=state.call,
        group=state.groups[seat] if state.groups is not None else None,
        push_out=state.push_out_declared,
        fouls_before=state.consecutive_fouls[seat],
        warned=state.warned[seat],
        frozen_to_rail=frozenset(frozen_balls(before, frame, rules.tolerance.frozen_mm).to_rail),
        near_rails=tuple((r, counts.get(safety_key(seat, lowest, r), 0)) for r in sorted(near)),
        ends_near=frozenset(ends),
        threatened=None
        if stroke is None
        else threatened(before, stroke.heading_deg, rules.tolerance.graze_deg, frame),
        outside_area=state.cue_outside_area,
        called=tuple(called),
        referee=state.description.referee,
        broken=state.game_begun,
        cue_gone=CUE not in before,
        score=state.scores[seat],
        free_shot=state.free_shot,
        snooker=state.snooker_declared,
    )
