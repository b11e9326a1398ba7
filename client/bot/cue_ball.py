"""Where a bot would put the cue ball down when it has it in hand."""

import math
import random
from collections.abc import Sequence

from physics.pots import clear, ghost_for, heading, mouths
from physics.table import TableSpec
from shared_rules.balls import CUE
from shared_rules.state import MatchState
from shared_rules.table import Position

GAP_M = 0.002
BACK_M = (0.25, 0.45, 0.75)
TURN_DEG = (0.0, 12.0, -12.0, 30.0, -30.0)


def area_end(state: MatchState) -> float:
    """x of the line behind which the cue ball has to be put down; beyond the table for none."""
    frame = state.description.frame
    ends = {"head": frame.head_string, "baulk": frame.baulk_line}
    return ends.get(state.cue_in_hand, frame.length)


def is_free(at: Position, balls: dict[int, Position], spec: TableSpec, end: float) -> bool:
    """Whether the cue ball may lie there, before the line ``end``, with a margin to every bound."""
    radius = spec.cue_ball.radius
    if abs(at[0]) > spec.length / 2 - radius - GAP_M:
        return False
    if abs(at[1]) > spec.width / 2 - radius - GAP_M:
        return False
    if at[0] >= end - GAP_M:
        return False
    reach = radius + spec.ball.radius + GAP_M
    return all(math.dist(at, p) >= reach for n, p in balls.items() if n != CUE)


def places_to_break(state: MatchState, hand: random.Random) -> list[Position]:
    """Places behind the line, some way off the middle, as breakers like it."""
    frame = state.description.frame
    x = area_end(state) - 0.03
    side = hand.choice((-1.0, 1.0))
    return [Position(x - 0.02 * k, side * frame.width * (0.18 - 0.05 * k)) for k in range(4)]


def places_for(
    state: MatchState,
    spec: TableSpec,
    hand: random.Random,
    targets: Sequence[int],
    end: float,
) -> list[Position]:
    """Legal places before the line ``end``, those from which a pot of one of ``targets`` is easy
    first; never empty."""
    balls = {n: p for n, p in state.balls.items() if n != CUE}
    found = [at for ball in targets for at in _behind_pots(balls, ball, spec, end)]
    x_high = min(end, spec.length / 2)
    tries = 0
    while len(found) < 12 and tries < 4000:
        at = Position(
            hand.uniform(-spec.length / 2, x_high),
            hand.uniform(-spec.width / 2, spec.width / 2),
        )
        tries += 1
        if is_free(at, balls, spec, end):
            found.append(at)
    if not found:
        raise ValueError("there is no room for the cue ball")
    return found


def _behind_pots(
    balls: dict[int, Position], target: int, spec: TableSpec, end: float
) -> list[Position]:
    """Places in line, or nearly, with a clear way of the target into a pocket."""
    reach = spec.ball.radius + spec.cue_ball.radius
    others = [p for n, p in balls.items() if n != target]
    found = []
    for mouth in mouths(spec):
        drive = heading(balls[target], mouth.at)
        if not clear(balls[target], mouth.at, others, 2 * spec.ball.radius):
            continue
        ghost = ghost_for(balls[target], drive, reach)
        for back in BACK_M:
            for turn in TURN_DEG:
                at = Position(*ghost_for(ghost, drive + turn, back))
                if is_free(at, balls, spec, end) and clear(at, ghost, others, reach):
                    found.append(at)
                    break
    return found
