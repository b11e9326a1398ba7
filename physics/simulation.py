"""One shot from start to rest: ``simulate`` and the loop behind it."""

import gc
from collections.abc import Sequence
from contextlib import nullcontext
from typing import cast

import numpy as np
from numpy.typing import NDArray

from physics import kernel_start, layout
from physics.bed import bed_of
from physics.brink import creeping_piece, falls, settled
from physics.bullet_contacts import solve_round
from physics.bullet_worlds import forget_places
from physics.compiled import Kernel
from physics.follow_through import within_reach
from physics.loop import restart, run, start
from physics.motion import advance, advance_all
from physics.outcome import Outcome, Piece, Recorded, TimedImpulse, World
from physics.recording import MOTIONS, EventReader, read_pieces
from physics.search import find_feature
from physics.shot_events import complete_events
from physics.shot_log import ShotLog
from physics.state import BallSpec, BallState, Motion
from shared_rules.events import POCKETS, Pocket

__all__ = [
    "Outcome",
    "Piece",
    "Recorded",
    "TimedImpulse",
    "World",
    "simulate",
    "spare_the_collector",
    "warm_up",
]

Array = NDArray[np.float64]

MAX_EVENTS = 20_000
SETTLES = 60.0  # s in which a ball that falls by itself is done
LOG_ROWS = 256  # for pieces and events, to begin with


def _still() -> Array:
    """The row of a ball of which nothing is known yet (columns in ``layout``)."""
    row = np.zeros(layout.STATE_WIDTH)
    for column in (layout.HOLE, layout.LIP, layout.PERCH, layout.TIP_UNTIL):
        row[column] = -1.0
    for column in (layout.STAY, layout.T_END, layout.FEATURE_T):
        row[column] = layout.NEVER
    return row


_STILL = _still()


class _Run:
    """The arrays of one shot, shared with the kernels."""

    def __init__(
        self, world: World, states: Sequence[BallState], max_events: int, long_contact: float
    ) -> None:
        self.world = world
        self.states = sorted(states, key=lambda s: s.ball)
        self.balls = [s.ball for s in self.states]
        self.specs: list[BallSpec] = [world.spec(ball) for ball in self.balls]
        bed = bed_of(world.table)
        self.geometry, self.worlds = bed.geometry, bed.worlds
        self.par = bed.parameters(world.material, long_contact)
        n = len(self.balls)
        self.s = np.empty((n, layout.STATE_WIDTH))
        self.before = np.zeros((n, layout.STATE_LOG))
        self.pairs = np.empty((n, n))
        self.contacts = np.zeros((layout.ROUND_ROWS, layout.CONTACT_WIDTH))
        self.answers = np.zeros((3 * layout.ROUND_ROWS, layout.IMPULSE_WIDTH))
        self.pieces = np.empty((LOG_ROWS, layout.PIECE_WIDTH))
        self.events = np.empty((LOG_ROWS, layout.EVENT_WIDTH))
        self.counters = np.zeros(layout.COUNTERS, np.int64)
        self.counters[layout.MOST_EVENTS] = max_events
        self.clock = np.zeros(2)
        self.max_events = max_events
        self.s[:] = _STILL
        for row, state, spec in zip(self.s, self.states, self.specs, strict=True):
            row[layout.POS : layout.VEL + 3] = state.pos + state.vel
            row[layout.SPIN : layout.SPIN + 3] = state.spin
            row[layout.RADIUS], row[layout.MASS] = spec.radius, spec.mass
            if state.motion >= layout.POCKETED:
                row[layout.MOTION] = state.motion
        g = self.geometry
        start(self.s, 0.0, self.pairs, self.par, g.edges, g.corners, g.holes, g.tops, self.pieces,
              self.counters)  # fmt: skip

    def _restart(self, i: int) -> None:
        g = self.geometry
        restart(self.s, i, self.clock[0], self.pairs, self.par, g.edges, g.corners, g.holes,
                g.tops, self.pieces, self.counters)  # fmt: skip

    def _grow(self) -> None:
        """Make room, but none beyond what may be logged: there ``run`` stops in any case."""
        self.pieces = self._longer(self.pieces, layout.N_PIECES, 2 * self.max_events)
        self.events = self._longer(self.events, layout.N_EVENTS, self.max_events)

    def _longer(self, rows: Array, counter: int, most: int) -> Array:
        margin = 4 * len(self.balls) + layout.ROUND_ROWS  # that ``run`` wants free
        have = rows.shape[0]
        if have - self.counters[counter] >= margin:
            return rows
        more = max(min(have, most + margin - have), 0)
        return np.concatenate([rows, np.empty((more, rows.shape[1]))])

    @property
    def spent(self) -> bool:
        """Whether as much is logged as may be."""
        pieces, events, *_ = self.counters.tolist()
        return bool(events > self.max_events or pieces > 2 * self.max_events)

    def _moves(self) -> bool:
        motions = self.s[:, layout.MOTION].tolist()
        return any(m != layout.REST and m < layout.POCKETED for m in motions)

    def go(self, limit: float) -> bool:
        """Run to ``limit``; False when nothing more can happen by itself."""
        g, s, counters, contacts, answers = (
            self.geometry, self.s, self.counters, self.contacts, self.answers,
        )  # fmt: skip
        while True:
            code = run(
                s, self.before, self.pairs, self.par, g.edges, g.corners, g.holes, g.tops,
                contacts, answers, self.pieces, self.events, counters, self.clock, limit,
            )  # fmt: skip
            if code == layout.ASK or code == layout.SPENT:
                solve_round(
                    contacts, int(counters[layout.N_CONTACTS]), self.specs, self.worlds, answers,
                )  # fmt: skip
                if code == layout.SPENT:
                    return True
            elif code == layout.FULL:
                self._grow()
                if self.spent:
                    return True
            elif code == layout.QUIET and self._moves():
                # What comes next lies further ahead than is looked.
                self.clock[0] = limit
                return True
            else:
                return bool(code == layout.LIMIT)

    def strike(self, impulse: TimedImpulse) -> Recorded | None:
        """Set a ball moving now, replacing its velocity and spin."""
        i = self.balls.index(impulse.ball)
        advance(self.s, i, self.clock[0])
        before = self.state(i)
        self.s[i, layout.VEL : layout.VEL + 3] = impulse.vel
        self.s[i, layout.SPIN : layout.SPIN + 3] = impulse.spin
        self.s[i, layout.LIP] = self.s[i, layout.PERCH] = -1.0
        self.s[i, layout.HELD] = 0.0
        self._restart(i)
        self._follow_through(impulse, i)
        return None if not impulse.events else Recorded(
            impulse.events[0], None, {impulse.ball: before}, {impulse.ball: self.state(i)}
        )  # fmt: skip

    def _follow_through(self, impulse: TimedImpulse, i: int) -> None:
        """The cue that struck ball ``i`` follows: from now on its tip is there to be met."""
        follow = impulse.follow
        if follow is None:
            return
        at = self.state(i).pos
        others = [self.state(j) for j in range(len(self.balls)) if j != i]
        there = (ball for ball in others if ball.motion < Motion.POCKETED)
        follow = within_reach(follow, at, self.world, there)
        if follow is None:
            return
        now, row = self.clock[0], self.s[i]
        row[layout.TIP_T0] = row[layout.TIP_FIRST] = row[layout.TIP_LAST] = now
        row[layout.TIP_UNTIL] = now + 2.0 * follow.length / follow.speed
        for x in range(3):
            row[layout.TIP_POS + x] = at[x] + follow.offset[x]
            row[layout.TIP_DIR + x] = follow.way[x]
        row[layout.TIP_SPEED] = follow.speed
        row[layout.TIP_SLOWS] = 0.5 * follow.speed**2 / follow.length
        row[layout.TIP_RADIUS], row[layout.TIP_MASS] = follow.radius, follow.mass
        row[layout.TIP_E], row[layout.TIP_MU] = follow.e_tip, follow.mu_tip
        row[layout.TIP_HITS] = row[layout.TIP_TOLD] = 0.0
        g = self.geometry
        for j in range(len(self.balls)):
            if self.s[j, layout.MOTION] < layout.POCKETED:
                find_feature(self.s, j, now, g.edges, g.corners, g.holes, g.tops, self.par)

    def settle(self, log: ShotLog) -> None:
        """Let balls at the brink of a pocket creep over its edge after all have stopped."""
        until = log.duration
        for fall in falls(log):
            # What fell before may still be on its way, and may meet this ball.
            self.go(fall.at)
            i = self.balls.index(fall.ball)
            lay = log.final[fall.ball]
            if self.spent or self.state(i) != lay:
                continue
            self.clock[0], until = fall.at, fall.at + SETTLES
            number = int(self.counters[layout.N_PIECES])
            self.pieces[number] = creeping_piece(i, log.duration, lay.pos, fall)
            self.counters[layout.N_PIECES] += 1
            row = self.s[i]
            row[layout.POS : layout.POS + 3] = fall.edge
            row[layout.VEL : layout.VEL + 3] = fall.vel
            row[layout.SPIN : layout.SPIN + 3] = fall.spin
            row[layout.HOLE], row[layout.LIP] = fall.hole, 1.0
            self._restart(i)
        self.go(until)

    def ended(self) -> tuple[dict[int, BallState], dict[int, Pocket], dict[int, list[Piece]]]:
        """Final states, pockets of the balls that fell, and pieces, as things stand."""
        advance_all(self.s, self.clock[0])
        final, pockets = {}, {}
        for ball, row in zip(self.balls, self.s[:, : layout.HOLE + 1].tolist(), strict=True):
            final[ball] = self._state_in(ball, row)
            if row[layout.MOTION] == layout.POCKETED and row[layout.HOLE] >= 0.0:
                pockets[ball] = POCKETS[int(row[layout.HOLE])]
        pieces = read_pieces(self.pieces[: self.counters[layout.N_PIECES]], self.balls)
        return final, pockets, pieces

    def state(self, i: int) -> BallState:
        """State of the ball of index ``i`` at the present."""
        advance(self.s, i, self.clock[0])
        return self._state_in(self.balls[i], self.s[i].tolist())

    @staticmethod
    def _state_in(ball: int, row: list[float]) -> BallState:
        """State that a row of the state array holds."""
        x, y, z, vx, vy, vz, _, _, _, wx, wy, wz, *_ = row
        motion = MOTIONS[int(row[layout.MOTION])]
        return BallState(ball, (x, y, z), (vx, vy, vz), (wx, wy, wz), motion)


def simulate(
    world: World,
    states: Sequence[BallState],
    impulses: Sequence[TimedImpulse] = (),
    until: float = 120.0,
    max_events: int = MAX_EVENTS,
    tie_window: float = 0.0005,
    frozen_tolerance: float = 1e-4,
    leaves_rail: float = 5e-4,
    long_contact: float = 0.004,
    graze_deg: float = 75.0,
    upper_tip: bool = True,
) -> Outcome:
    """Everything that follows from ``states`` and ``impulses``.

    Args:
        world: table, material and balls.
        states: every ball once; those with a velocity move from the start.
        impulses: strokes, each at its own time.
        until: seconds after which the run is cut, at most LONGEST_RUN.
        max_events: events after which it is cut, a bound that no sane shot comes near.
        tie_window: contacts of the cue ball within this many seconds of its first are a tie.
        frozen_tolerance: a ball this near (m) to a rail, or to the cue ball, touches it before
            the shot (D8.4).
        leaves_rail: a ball frozen to a rail has left it when it is this far away (m).
        long_contact: a tip contact over this many seconds is longer than in a normal stroke.
        graze_deg: a near ball that is cut at least so thinly is only grazed (N9.5g, F6.7d).
        upper_tip: three quarters of the tip must meet a cue ball that hops over another above its
            equator (N9.4.7); else only the tip's middle.

    The result does not depend on the order of ``states``, nor on anything run before.  Any number
    of threads may simulate at once.

    Raises:
        ValueError: ``until`` is negative or longer than LONGEST_RUN, or a stroke comes after it.
    """
    if not 0.0 <= until <= layout.LONGEST_RUN:
        raise ValueError(f"until is {until} s; the limits are 0 and {layout.LONGEST_RUN:g} s")
    for impulse in impulses:
        if not 0.0 <= impulse.at <= until:
            raise ValueError(f"a stroke at {impulse.at} s; the limits are 0 and until, {until:g} s")
    forget_places()
    shot = _Run(world, states, max_events, long_contact)
    strikes: list[tuple[int, list[Recorded]]] = []
    for impulse in sorted(impulses, key=lambda s: (s.at, s.ball)):
        shot.go(impulse.at)
        if shot.spent:
            break
        shot.clock[0] = impulse.at
        recorded = shot.strike(impulse)
        if recorded is not None:
            more = [
                Recorded(event, None, recorded.before, recorded.after) for event in impulse.events
            ]
            strikes.append((int(shot.counters[layout.N_EVENTS]), more))
    cut = shot.go(until)
    events = EventReader(shot.balls, shot.geometry).read(
        shot.events[: shot.counters[layout.N_EVENTS]]
    )
    for at, more in reversed(strikes):
        events[at:at] = more
    final, pockets, pieces = shot.ended()
    duration = float(shot.clock[0])
    rows = shot.pieces[: shot.counters[layout.N_PIECES]]
    log = ShotLog(
        world, shot.geometry, shot.states, impulses, shot.balls, rows, pieces, final, duration,
        cut, tie_window, frozen_tolerance, leaves_rail, graze_deg, upper_tip,
    )  # fmt: skip
    events = complete_events(log, events)
    if cut or not falls(log):
        return Outcome(pieces, events, final, pockets, duration, cut)
    shot.settle(log)
    final, pockets, pieces = shot.ended()
    told = settled(log, final, pieces, pockets)
    lay = {ball: log.final[ball] for record in told for ball in record.before}
    return Outcome(pieces, events + told, final, pockets, float(shot.clock[0]), cut, lay)


def get_ready() -> None:
    """Load compiled code, or see to it that plain Python plays and others compile."""
    for each in (advance, find_feature, restart, run):
        kernel_start.get_ready(cast(Kernel, each))


def spare_the_collector() -> None:
    """Put what is loaded by now out of the garbage collector's sight, for as long as the process
    lives: a full collection over the compiler's objects holds a shot up for 50 ms and more.

    For a process that plays many shots, once, after :func:`warm_up`: what is alive now and is
    thrown away later in a cycle is never freed.
    """
    gc.collect()
    gc.freeze()


def warm_up(wait: bool = True) -> None:
    """Load compiled code and Bullet, so that the first shot is as fast as the others.

    ``wait``: until everything is compiled.  Otherwise plain Python plays what is not, twenty times
    slower, and compiling goes on in the background.
    """
    radius = World().spec(0).radius
    states = [
        BallState(0, (0.0, 0.0, radius), (2.0, 1.0, 0.0)),
        BallState(1, (0.3, 0.15, radius)),
    ]
    with kernel_start.waiting() if wait else nullcontext():
        simulate(World(), states)
    if wait:
        kernel_start.finish()
