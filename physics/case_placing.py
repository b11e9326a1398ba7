"""Whether the balls of a case can lie where it puts them: apart, and clear of the cushions."""

import itertools
import math
from collections.abc import Iterator, Sequence

from physics.case_fields import CaseError
from physics.geometry import Geometry, build_geometry
from physics.outcome import World
from physics.state import BallState
from shared_rules.balls import ball_name
from shared_rules.events import POCKETS, RAILS

#: Nearer than this is touching, m; deeper is an overlap.
TOUCHING = 1e-9


def check_placing(world: World, states: Sequence[BallState]) -> None:
    """Refuse balls that overlap each other, a cushion or a jaw, or lie beyond the bed.

    Raises:
        CaseError: ``overlap``, or ``out_of_range`` for a ball off the bed or over a pocket.
    """
    for a, b in itertools.combinations(states, 2):
        least = world.spec(a.ball).radius + world.spec(b.ball).radius
        gap = math.dist(a.pos, b.pos) - least
        if gap < -TOUCHING:
            raise CaseError(
                "overlap",
                f"balls {ball_name(a.ball)} and {ball_name(b.ball)} overlap by {-gap:.3g} m; "
                f"their centres must be {least:g} m apart",
            )
    if world.table.bounded:
        geometry = build_geometry(world.table)
        for state in states:
            _check_rails(world, geometry, state)


def _check_rails(world: World, geometry: Geometry, state: BallState) -> None:
    x, y, z = state.pos
    radius = world.spec(state.ball).radius
    above = z - world.table.nose_height
    # A ball whose centre is a radius over the nose clears it; lower, it must keep its distance.
    reach = math.sqrt(max(radius * radius - above * above, 0.0))
    name = f"ball {ball_name(state.ball)}"
    for gap, part in _gaps(geometry, x, y):
        if reach > 0.0 and gap - reach < -TOUCHING:
            raise CaseError(
                "overlap",
                f"{name} and the {part} overlap by {reach - gap:.3g} m; "
                f"the centre must be {reach:g} m away",
            )
    _check_bed(world, geometry, state, name)


def _check_bed(world: World, geometry: Geometry, state: BallState, name: str) -> None:
    """The centre is over the bed, or in the mouth of a pocket but not over its hole."""
    x, y, _ = state.pos
    table = world.table
    for hole, pocket in zip(geometry.holes, POCKETS, strict=False):
        if math.hypot(x - hole[0], y - hole[1]) <= hole[2]:
            raise CaseError("out_of_range", f"{name} lies over the {pocket} pocket")
    for value, half, rails in (
        (x, table.length / 2, RAILS[:2]),
        (y, table.width / 2, RAILS[3:1:-1]),
    ):
        if abs(value) > half and not _in_a_mouth(geometry, x, y):
            rail = rails[1 if value > 0 else 0]
            raise CaseError(
                "out_of_range",
                f"{name} lies beyond the nose of the {rail} rail, which is {half:g} m from the "
                "middle: a ball must start over the bed, or in a pocket's mouth before its hole",
            )


def _in_a_mouth(geometry: Geometry, x: float, y: float) -> bool:
    """Between the jaws of a pocket: behind the mouth line, no wider than it, before the hole."""
    for hx, hy, hole_radius, mx, my, ax, ay, half, *_ in geometry.holes:
        deep = (x - mx) * ax + (y - my) * ay
        aside = abs((x - mx) * ay - (y - my) * ax)
        if deep >= 0.0 and aside <= half and deep <= (hx - mx) * ax + (hy - my) * ay + hole_radius:
            return True
    return False


def _gaps(geometry: Geometry, x: float, y: float) -> Iterator[tuple[float, str]]:
    """Distances of a point from noses, facings and rounded jaws, with their names."""
    for ax, ay, tx, ty, _, _, length, _, rail, pocket in geometry.edges.tolist():
        along = min(max((x - ax) * tx + (y - ay) * ty, 0.0), length)
        gap = math.hypot(x - ax - along * tx, y - ay - along * ty)
        yield gap, f"{RAILS[int(rail)]} rail" if rail >= 0 else _jaw(pocket)
    for cx, cy, _, pocket, radius, dx, dy, cosine in geometry.corners.tolist():
        far = math.hypot(x - cx, y - cy)
        if radius > 0.0 and (x - cx) * dx + (y - cy) * dy >= cosine * far:
            yield far - radius, _jaw(pocket)


def _jaw(pocket: float) -> str:
    return f"jaw of the {POCKETS[int(pocket)]} pocket"
