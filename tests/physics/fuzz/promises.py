"""What a run promises, whatever was posed: each broken promise is a name and a sentence."""

import math
from collections.abc import Iterator

import numpy as np
from msgspec import structs

from physics.brink import CREEPING
from physics.case_input import Posed
from physics.geometry import build_geometry
from physics.outcome import Outcome
from physics.rail_tops import nearest_top
from physics.simulation import MAX_EVENTS, simulate
from physics.state import BallState, Motion
from physics.tip import CONTACT_S
from shared_rules.events import (
    CueRecontact,
    CueStrike,
    EquipmentContact,
    LongTipContact,
    Scoop,
    SupportedOverPocket,
    TipOnCueAtContact,
)
from tests.physics.fuzz import exact
from tests.physics.shots import kinetic
from tests.physics.solidity import intrusions

#: No ball is ever deeper in another, in a rail or in the bed (m).
DEEPEST = 1e-4
JUMP = 1e-6  # m, between the end of a piece and the next
DEEP = 0.03  # m behind the face of a cushion: there a ball would be inside it
POCKETED = float(Motion.POCKETED)

#: Events at which the cue has given a ball some of its energy.
TIP = CueStrike | CueRecontact | LongTipContact | EquipmentContact | Scoop | TipOnCueAtContact
Broken = Iterator[tuple[str, str]]


def run(posed: Posed) -> Outcome:
    """The case as ``headstring simulate`` runs it."""
    return simulate(posed.world, posed.states, posed.impulses, posed.until)


def broken(posed: Posed, outcome: Outcome) -> Broken:
    """Every promise that this run breaks."""
    rows = {ball: exact.rows_of(outcome, ball) for ball in outcome.pieces}
    yield from _finite_and_ordered(posed, outcome, rows)
    yield from _ends(posed, outcome)
    yield from _apart(posed, rows)
    yield from _clear_of_the_table(posed, rows)
    yield from _no_energy_from_nothing(posed, outcome, rows)


def _finite_and_ordered(posed, outcome, rows) -> Broken:
    for ball, row in rows.items():
        if not np.isfinite(row).all():
            yield "finite", f"ball {ball} has a piece that is not finite"
        elif (row[:, exact.END] < row[:, exact.START]).any():
            yield "order", f"the pieces of ball {ball} go back in time"
        worst, when = exact.largest_jump(row)
        if worst > JUMP:
            yield "jump", f"ball {ball} jumps by {worst:.3g} m at {when!r}"
    at = 0.0
    for record in outcome.events:
        for state in (*record.before.values(), *record.after.values()):
            if not all(map(math.isfinite, (*state.pos, *state.vel, *state.spin))):
                yield "finite", f"an event at {record.event.at!r} is not finite"
        if not at <= record.event.at <= outcome.duration:
            yield "order", f"an event at {record.event.at!r} after {at!r}, {outcome.duration!r}"
        at = record.event.at


def _ends(posed, outcome) -> Broken:
    if outcome.cut and outcome.duration < posed.until:
        yield "events", f"cut at {outcome.duration!r} s with {len(outcome.events)} events"
    if len(outcome.events) > 2 * MAX_EVENTS:
        yield "events", f"{len(outcome.events)} events"
    if set(outcome.final) != {s.ball for s in posed.states}:
        yield "lost", "balls are missing at the end"
    table = posed.world.table
    geometry = build_geometry(table)
    held = {r.event.ball for r in outcome.events if isinstance(r.event, SupportedOverPocket)}
    for ball, state in outcome.final.items():
        spec = posed.world.spec(ball)
        if state.motion is Motion.POCKETED:
            if ball not in outcome.pockets:
                yield "lost", f"ball {ball} is pocketed nowhere"
        elif state.motion is Motion.REST:
            x, y, z = state.pos
            if ball in held:
                continue
            off = [math.hypot(x - h[0], y - h[1]) - h[2] for h in geometry.holes.tolist()]
            # What is jammed in a mouth may lie off the bed, with its centre over the hole.  Where
            # friction holds a pile together, the uppermost lies on two balls or more, or on one and
            # a rail.
            jammed = min(off, default=1.0) <= spec.radius
            if z != spec.radius and not jammed and _borne_by(posed, outcome, ball) < 2:
                yield "lost", f"ball {ball} rests at z = {z!r}"
            if z == spec.radius and min(off, default=1.0) < -1e-9:
                yield "lost", f"ball {ball} rests over a hole"
            behind = max(abs(x) - 0.5 * table.length, abs(y) - 0.5 * table.width)
            if table.bounded and behind > (0.0 if table.pockets == "none" else 0.1):
                yield "lost", f"ball {ball} rests beyond the bed at {x!r}, {y!r}"
        elif state.motion is not Motion.OFF_TABLE and not outcome.cut:
            yield "lost", f"ball {ball} is left {state.motion}"


def _borne_by(posed, outcome, ball) -> int:
    """How many balls at rest lie under a ball and touch it, and a rail if it lies on that."""
    at, own = outcome.final[ball].pos, posed.world.spec(ball).radius
    tops = build_geometry(posed.world.table).tops
    count = int(nearest_top(tops, np.array(at), own + DEEPEST, np.empty(4)) >= 0)
    for other, state in outcome.final.items():
        reach = own + posed.world.spec(other).radius
        touches = abs(math.dist(at, state.pos) - reach) < DEEPEST
        under = state.motion is Motion.REST and state.pos[2] < at[2]
        count += other != ball and touches and under
    return count


def _apart(posed, rows) -> Broken:
    balls = list(rows)
    for k, a in enumerate(balls):
        for b in balls[:k]:
            reach = posed.world.spec(a).radius + posed.world.spec(b).radius
            deep, when = exact.deepest_overlap(rows[a], rows[b], reach, POCKETED)
            if deep > DEEPEST:
                yield "overlap", f"balls {b} and {a} overlap by {deep:.3g} m at {when!r}"


def _clear_of_the_table(posed, rows) -> Broken:
    table = posed.world.table
    geometry = build_geometry(table)
    for ball, row in rows.items():
        r = posed.world.spec(ball).radius
        if len(row) == 1:
            continue
        low = _under_the_bed(row, r, table, geometry.holes)
        if low is not None:
            yield "bed", f"ball {ball} is {low[0]:.3g} m under the bed at {low[1]!r}"
        gap, when = exact.nearest_cushion(
            row, geometry.edges, geometry.corners, r, table.nose_height, DEEP, POCKETED
        )
        if gap < -DEEPEST:
            yield "rail", f"ball {ball} is {-gap:.3g} m in a cushion or jaw at {when!r}"


def _under_the_bed(row, r, table, holes):
    """How deep, and when, a ball is in the slate at the start or end of a piece, or None."""
    playing = row[row[:, exact.MOTION] < POCKETED]
    lasts = playing[:, exact.END] - playing[:, exact.START]
    for t in (np.zeros(len(playing)), lasts):
        x, y, z = (
            playing[:, exact.POS + k]
            + (playing[:, exact.VEL + k] + 0.5 * playing[:, exact.ACC + k] * t) * t
            for k in range(3)
        )
        bed = (np.abs(x) <= 0.5 * table.length) & (np.abs(y) <= 0.5 * table.width)
        if not table.bounded:
            bed[:] = True
        for k in np.flatnonzero((r - z > DEEPEST) & bed):
            # Over a hole there is no slate, and a ball that tips over its edge leans beside it.
            off = [math.hypot(x[k] - h[0], y[k] - h[1]) - h[2] for h in holes.tolist()]
            if min(off, default=1.0) > 1e-6:
                return float(r - z[k]), float(playing[k, exact.START] + t[k])
    return None


def _no_energy_from_nothing(posed, outcome, rows) -> Broken:
    """Nothing gains energy but while the cue's tip is on a ball, in the stroke or after it.

    After the stroke all tips together give no more than their cues have left.
    """
    left = sum(0.5 * i.follow.mass * i.follow.speed**2 for i in posed.impulses if i.follow)
    # What a stroke itself gives is its own; what other tips give or get at that instant counts.
    blows: dict[float, float] = {}
    for r in outcome.events:
        if isinstance(r.event, CueStrike):
            blow = sum(
                kinetic(posed.world, s.values()) * k for s, k in ((r.after, 1), (r.before, -1))
            )
            blows[r.event.at] = blows.get(r.event.at, 0.0) + blow
    g = posed.world.material.g
    tipped = {r.event.at for r in outcome.events if isinstance(r.event, TIP)}
    tipped |= {i.at for i in posed.impulses}
    changes: dict[float, float] = {}
    total = 0.0
    for ball, row in rows.items():
        spec = posed.world.spec(ball)
        steps = np.empty((len(row), 2))
        within = exact.energy_steps(row, spec.mass, spec.radius, g, steps)
        total += abs(exact.energy_at(row, 0, 0.0, spec.mass, spec.radius, g))
        slack = 1e-9 * (1e-3 + abs(exact.energy_at(row, 0, 0.0, spec.mass, spec.radius, g)))
        if within > slack + 1e-9 * total:
            yield "energy", f"ball {ball} gains {within:.3g} J by itself"
        for at, gain in steps.tolist():
            changes[at] = changes.get(at, 0.0) + gain
    last = -math.inf  # when a tip was last known to touch a ball
    # A ball that creeps over an edge after the rest sets out at CREEPING, rolling, and several may
    # at one instant.
    creeps: dict[float, float] = {}
    for ball in outcome.lay:
        for at in rows[ball][:, exact.START].tolist():
            creeps[at] = creeps.get(at, 0.0) + 0.7 * posed.world.spec(ball).mass * CREEPING**2
    for at in sorted(changes.keys() | tipped):
        gain = changes.get(at, 0.0)
        if at in tipped or (gain > 0.0 and at - last <= CONTACT_S):
            last = at
        if at - last <= CONTACT_S:
            # What a ball gives back to the tip the cue has again.
            total += max(gain, 0.0)
            left -= gain - blows.get(at, 0.0)
        elif gain > 1e-9 * (1e-3 + total) + creeps.get(at, 0.0):
            yield "energy", f"{gain:.3g} J come from nothing at {at!r}, of {total:.3g} J"
    if left < -1e-9 * (1e-3 + total):
        yield "energy", f"{-left:.3g} J more than the cues had left, of {total:.3g} J"


def solid(posed: Posed, outcome: Outcome) -> Broken:
    """Rail tops, bed and cushions once more, by places along each piece (slow)."""
    for found in intrusions(posed.world, outcome, DEEPEST)[:3]:
        yield (
            "solid",
            f"ball {found.ball} is {found.depth:.3g} m in a {found.what} at {found.at!r}",
        )


def same_again(posed: Posed, outcome: Outcome) -> Broken:
    """The same bytes when run again with the balls, and the strokes, in another order."""
    again = simulate(posed.world, posed.states[::-1], posed.impulses[::-1], posed.until)
    if repr(again) != repr(outcome):
        yield "same", "the same case gives another result"


def _flipped(state: BallState) -> BallState:
    (x, y, z), (vx, vy, vz), (wx, wy, wz) = state.pos, state.vel, state.spin
    return structs.replace(state, pos=(x, -y, z), vel=(vx, -vy, vz), spin=(-wx, wy, -wz))


def mirrored(posed: Posed, outcome: Outcome) -> Broken:
    """The shot seen in a mirror along the table begins as the shot itself.

    Single precision in the contacts tells left from right in the last digits, and what follows
    magnifies that: what is compared is the state after the first contact.
    """
    if posed.impulses:
        return  # a stroke brings its tip, which has a side of its own
    other = simulate(posed.world, [_flipped(s) for s in posed.states], until=posed.until)
    first = next((k for k, r in enumerate(outcome.events) if r.round is not None), None)
    if first is None:
        return
    record = outcome.events[first]
    together = [r for r in outcome.events if r.round == record.round]
    there = {b for r in together for b in r.after}
    seen = next((r for r in other.events if r.round is not None), None)
    if seen is None or abs(seen.event.at - record.event.at) > 1e-9:
        yield "mirror", f"the first contact, at {record.event.at!r}, is missing in the mirror"
        return
    after = {b: s for r in other.events if r.round == seen.round for b, s in r.after.items()}
    for r in together:
        for ball, state in r.after.items():
            if ball not in after or len(there) != len(after):
                yield "mirror", f"another contact at {record.event.at!r} in the mirror"
                return
            image = _flipped(after[ball])
            scale = 1.0 + math.hypot(*state.vel) + 0.03 * math.hypot(*state.spin)
            off = math.dist(image.vel, state.vel) + 0.03 * math.dist(image.spin, state.spin)
            if off > 1e-4 * scale or math.dist(image.pos, state.pos) > 1e-9:
                yield "mirror", f"ball {ball} leaves its first contact otherwise in the mirror"
                return
