"""What a stroke is for: what may be hit, and what the rules would say to what comes of it.

The bot asks the rules themselves, so it plays every game that they know.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace

from client.bot.imagine import Imagined
from shared_rules.balls import CUE
from shared_rules.discipline import Discipline
from shared_rules.disciplines import discipline_of
from shared_rules.facts import ShotFacts, facts_of
from shared_rules.frozen import frozen_balls, threatened
from shared_rules.groups import opposite
from shared_rules.situation import Situation, situation_of
from shared_rules.state import Call, MatchState, Seat
from shared_rules.table import Position, TableFrame
from shared_rules.verdict import Reracks, Shoots, Verdict, Wins


@dataclass(frozen=True)
class Goal:
    """The table before a stroke as its player sees it, and the game that is played on it.

    ``frame``: measures of the table.
    """

    situation: Situation
    game: Discipline
    frame: TableFrame

    @property
    def calls(self) -> bool:
        """Whether the stroke has to be called."""
        rules, on_break = self.situation.ruleset, self.situation.is_break
        return rules.call == "required" and not (on_break and rules.break_.called == "nothing")

    @property
    def scores(self) -> bool:
        """Whether points are counted: whoever misses gives his opponent a run."""
        return self.situation.ruleset.discipline == "straight_pool"

    @property
    def targets(self) -> list[int]:
        """The balls that may be hit first; all there are where the rules name none."""
        named = sorted(self.game.targets(self.situation))
        return named or sorted(self.situation.on_table)

    @property
    def wanted(self) -> list[int]:
        """The balls whose fall, alone and hit first, lets the shooter go on."""
        return [ball for ball in self.targets if goes_on(self._potted(ball))]

    def _potted(self, ball: int) -> Verdict:
        """What the rules would say if just this ball fell."""
        facts = ShotFacts(
            struck=True,
            first_contact=ball,
            first_contacts=frozenset((ball,)),
            first_order=1,
            pocketed=(ball,),
            pockets={ball: "foot_left"},
            gone_orders=(2,),
        )
        situation = replace(self.situation, call=self.call_of(ball, "foot_left"))
        return self.game.judge(facts, situation)

    def call_of(self, ball: int, pocket: str) -> Call | None:
        """What would be called for a pot; None where nothing is."""
        return Call(ball=ball, pocket=pocket) if self.calls else None  # type: ignore[arg-type]

    def judge(self, seen: Imagined, call: Call | None) -> Verdict:
        """What the rules would say to a stroke that came out so.

        What touches the cue ball, and what is near it, is taken where the stroke was imagined: a
        bot with ball in hand tries more than one place.
        """
        rules = self.situation.ruleset
        touching = frozen_balls(seen.before, self.frame, rules.tolerance.frozen_mm)
        facts = facts_of(
            seen.events,
            frozen_to_rail=frozenset(touching.to_rail),
            frozen_to_cue=frozenset(touching.to_cue),
        )
        near = threatened(seen.before, seen.heading_deg, rules.tolerance.graze_deg, self.frame)
        situation = replace(
            self.situation,
            call=call,
            frozen_to_rail=frozenset(touching.to_rail),
            threatened=near,
        )
        return self.game.judge(facts, situation)

    def after(self, seen: Imagined, verdict: Verdict) -> "Goal":
        """The next stroke: the shooter's own if he goes on, else his opponent's."""
        before = self.situation
        group = before.group or verdict.group
        if group is not None and not goes_on(verdict):
            group = opposite(group)
        on_table = frozenset(ball for ball in seen.balls if ball != CUE)
        table = Situation(
            ruleset=before.ruleset, on_table=on_table, group=group, free_shot=verdict.free_shot
        )
        return Goal(table, self.game, self.frame)


def goes_on(verdict: Verdict) -> bool:
    """Whether the shooter plays on, or has won."""
    if isinstance(verdict.next, Reracks):
        return True
    return isinstance(verdict.next, Shoots | Wins) and verdict.next.who == "shooter"


def goal_of(state: MatchState, seat: Seat) -> Goal:
    """The goal of a player's coming stroke."""
    described = state.description
    return Goal(situation_of(state, seat), discipline_of(described.ruleset), described.frame)


def apex(balls: Mapping[int, Position]) -> int:
    """The object ball nearest to the head: in a rack, the one in front.

    Raises:
        ValueError: there is none.
    """
    return min((n for n in balls if n != CUE), key=lambda n: balls[n][0])
