"""What someone may do now, and why not the rest: so that a client greys out what is refused.

The answer comes from the same checks that ``match.apply`` makes before it looks at what a command
carries; places are checked by ``placement.check_placement``, strokes by ``players.check_stroke``.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import get_args

from shared_rules.commands import Actor, Command, PlayerCommand
from shared_rules.lifecycle import Kind, check
from shared_rules.refusal import Refusal
from shared_rules.state import MatchState, Option


@dataclass(frozen=True, slots=True)
class Allowed:
    """What an actor may do now.

    ``kinds``: command kinds that would be taken.  ``refused``: for every other kind, why it would
    not.  ``options``: what may be chosen, empty unless the choice is his.
    """

    kinds: frozenset[Kind]
    refused: dict[Kind, Refusal]
    options: tuple[Option, ...]

    def why_not(self, kind: Kind) -> Refusal | None:
        """Why a kind of command would be refused; None if it would be taken."""
        return self.refused.get(kind)

    def __contains__(self, kind: object) -> bool:
        return kind in self.kinds


PLAYER_KINDS: tuple[Kind, ...] = get_args(PlayerCommand)
"""The command kinds of players."""
ALL_KINDS: tuple[Kind, ...] = get_args(Command)
"""Every command kind."""


def allowed(state: MatchState, actor: Actor, at: float | None = None) -> Allowed:
    """What ``actor`` may do now; with ``at``, the server's time, the clock is looked at too."""
    kinds = PLAYER_KINDS if actor.seat is not None else ALL_KINDS
    refused = dict(_refused(state, actor, kinds, at))
    mine = Actor.of_decider(state.decider) is actor
    return Allowed(
        kinds=frozenset(kind for kind in kinds if kind not in refused),
        refused=refused,
        options=state.options if mine else (),
    )


def _refused(
    state: MatchState, actor: Actor, kinds: tuple[Kind, ...], at: float | None
) -> Iterator[tuple[Kind, Refusal]]:
    for kind in kinds:
        try:
            check(state, actor, kind, at)
        except Refusal as refusal:
            yield kind, refusal
