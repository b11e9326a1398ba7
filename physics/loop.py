"""The event loop: from contact to contact, and back to the caller whenever Bullet is needed.

All balls that touch and approach at one instant make a round, pairs of balls first, then
cushions, bed and liners.  A pair that merely touches is left out; once its neighbours have moved
it is found approaching, at the same instant, in the next round.
"""

import numpy as np
from numpy.typing import NDArray

from physics.aftermath import apply_round, land, leave
from physics.ball_contact import closing_speed, leans, pose_pair
from physics.closed_form import answer_fine
from physics.compiled import kernel
from physics.event_log import log_event, log_piece, write_state
from physics.holding import ELSE, LEANED_ON, ON_RAIL, hold_still, note_stay, wake_held
from physics.layout import (
    AFTER_WAVE,
    AIR,
    ASK,
    AT_ONCE,
    C_A,
    C_B,
    C_KIND,
    C_LEANS,
    C_N,
    E_OFF_TABLE,
    E_ROLL_ONSET,
    E_STOP,
    F_CORNER,
    F_DROP,
    F_EDGE,
    F_FLOOR,
    F_LINER,
    F_PAIR,
    F_RIM,
    F_SUNK,
    F_TIP,
    F_TOP,
    FEATURE,
    FEATURE_ID,
    FEATURE_T,
    FULL,
    HELD,
    HOLE,
    INSTANT,
    LIMIT,
    LIP,
    MOST_EVENTS,
    MOTION,
    N_CONTACTS,
    N_EVENTS,
    N_PIECES,
    NEVER,
    OFF_TABLE,
    PERCH,
    POCKETED,
    POS,
    QUIET,
    REST,
    ROLL,
    ROUND,
    SAME_TIME,
    SLIDE,
    SPENT,
    STATE_LOG,
    STEEP,
    T_END,
)
from physics.lip import reach_lip, ride
from physics.motion import advance, begin, settle
from physics.rail_rolling import sit
from physics.rail_tops import perch
from physics.search import find_feature, pair_time
from physics.settling import settles
from physics.surfaces import pose_features
from physics.tip import meet_tip

Array = NDArray[np.float64]
Counters = NDArray[np.int64]


@kernel(
    "void(f8[:,::1], i8, f8, f8[:,::1], f8[::1], f8[:,::1], f8[:,::1], f8[:,::1], f8[:,::1],"
    "f8[:,::1], i8[::1])"
)
def _start(
    s: Array, i: int, t: float, pairs: Array, par: Array, edges: Array, corners: Array,
    holes: Array, tops: Array, pieces: Array, counters: Counters,
) -> None:  # fmt: skip
    """Ball ``i`` begins a new piece at ``t``: log it and look up what it meets next."""
    if s[i, MOTION] < POCKETED:
        if s[i, PERCH] >= 0.0:
            sit(s, i, t, tops, par)
        if s[i, LIP] >= 0.0:
            ride(s, i, t, holes, par)
        if s[i, HELD] > 0.0:
            hold_still(s, i, t)
        elif s[i, LIP] < 0.0 and s[i, PERCH] < 0.0 and s[i, MOTION] < POCKETED:
            begin(s, i, t, par)
    log_piece(s, i, pieces, counters)
    find_feature(s, i, t, edges, corners, holes, tops, par)
    for j in range(s.shape[0]):
        if j < i:
            pairs[j, i] = pair_time(s, j, i, t)
        elif j > i:
            pairs[i, j] = pair_time(s, i, j, t)


@kernel(
    "void(f8[:,::1], i8, f8, f8[:,::1], f8[::1], f8[:,::1], f8[:,::1], f8[:,::1], f8[:,::1],"
    "f8[:,::1], i8[::1])"
)
def restart(
    s: Array, i: int, t: float, pairs: Array, par: Array, edges: Array, corners: Array,
    holes: Array, tops: Array, pieces: Array, counters: Counters,
) -> None:  # fmt: skip
    """Ball ``i`` begins a new piece at ``t``, and so do balls that it held over a pocket."""
    _start(s, i, t, pairs, par, edges, corners, holes, tops, pieces, counters)
    j = wake_held(s, i, t)
    while j >= 0:
        _start(s, j, t, pairs, par, edges, corners, holes, tops, pieces, counters)
        j = wake_held(s, i, t)


@kernel(
    "void(f8[:,::1], f8, f8[:,::1], f8[::1], f8[:,::1], f8[:,::1], f8[:,::1], f8[:,::1],"
    "f8[:,::1], i8[::1])"
)
def start(
    s: Array, t: float, pairs: Array, par: Array, edges: Array, corners: Array, holes: Array,
    tops: Array, pieces: Array, counters: Counters,
) -> None:  # fmt: skip
    """All balls begin their first pieces at ``t``."""
    for _ in range(2):
        # When two meet is known once both have begun.
        counters[N_PIECES] = 0
        for i in range(s.shape[0]):
            for j in range(s.shape[0]):
                pairs[i, j] = NEVER
        for i in range(s.shape[0]):
            restart(s, i, t, pairs, par, edges, corners, holes, tops, pieces, counters)


@kernel(
    "void(f8[:,::1], f8[:,::1], f8, f8[:,::1], f8[::1], f8[:,::1], f8[:,::1], f8[:,::1],"
    "f8[:,::1], f8[:,::1], f8[:,::1], f8[:,::1], i8[::1])"
)
def _finish_round(
    s: Array, before: Array, t: float, pairs: Array, par: Array, edges: Array, corners: Array,
    holes: Array, tops: Array, contacts: Array, pieces: Array, events: Array, counters: Counters,
) -> None:  # fmt: skip
    """See to what becomes of the balls of a round once its impulses are on them."""
    count = counters[N_CONTACTS]
    counters[N_CONTACTS] = 0
    became = np.zeros(s.shape[0], np.int64)
    kinds = np.zeros(s.shape[0], np.int64)
    pressed = np.zeros(s.shape[0], np.bool_)
    leans_on = np.full(s.shape[0], ELSE)
    numbers = np.zeros(s.shape[0], np.int64)
    for k in range(count):
        kind = int(contacts[k, C_KIND])
        kinds[int(contacts[k, C_A])] = kind
        numbers[int(contacts[k, C_A])] = int(contacts[k, C_B])
        if kind == F_PAIR:
            kinds[int(contacts[k, C_B])] = kind
            steep = abs(contacts[k, C_N + 2]) > STEEP
            pressed[int(contacts[k, C_A])] |= steep
            pressed[int(contacts[k, C_B])] |= steep
            if contacts[k, C_LEANS] == 1.0:
                low, high = int(contacts[k, C_A]), int(contacts[k, C_B])
                if contacts[k, C_N + 2] < 0.0:
                    low, high = high, low
                leans_on[high], leans_on[low] = low, LEANED_ON
    for i in range(s.shape[0]):
        if kinds[i] != 0:
            s[i, PERCH] = -1.0
            if kinds[i] in (F_EDGE, F_CORNER, F_TOP) and s[i, MOTION] == AIR:
                leans_on[i] = ON_RAIL
            became[i] = land(s, i, kinds[i], numbers[i], pressed[i], holes)
            note_stay(s, i, t, leans_on[i])
            if kinds[i] == F_TOP or (kinds[i] < F_LINER and s[i, HOLE] < 0.0):
                perch(s, i, tops)
    for i in range(s.shape[0]):
        if kinds[i] != 0:
            restart(s, i, t, pairs, par, edges, corners, holes, tops, pieces, counters)
    for k in range(count):
        kind = int(contacts[k, C_KIND])
        if kind != F_RIM and (kind != F_LINER or s[int(contacts[k, C_A]), POS + 2] > 0.0):
            log_event(s, before, kind, t, int(contacts[k, C_A]), int(contacts[k, C_B]),
                      counters[ROUND], events, counters)  # fmt: skip
    for i in range(s.shape[0]):
        if became[i] != 0:
            log_event(s, before, became[i], t, i, -1, -1, events, counters)
        elif kinds[i] != 0 and s[i, MOTION] == OFF_TABLE:
            log_event(s, before, E_OFF_TABLE, t, i, -1, -1, events, counters)
        elif kinds[i] != 0 and s[i, MOTION] == REST and before[i, STATE_LOG - 1] != REST:
            log_event(s, before, E_STOP, t, i, -1, -1, events, counters)
    counters[ROUND] += 1


@kernel(
    "void(f8[:,::1], f8[:,::1], i8, f8, f8[:,::1], f8[::1], f8[:,::1], f8[:,::1], f8[:,::1],"
    "f8[:,::1], f8[:,::1], f8[:,::1], i8[::1])"
)
def _end_piece(
    s: Array, before: Array, i: int, t: float, pairs: Array, par: Array, edges: Array,
    corners: Array, holes: Array, tops: Array, pieces: Array, events: Array, counters: Counters,
) -> None:  # fmt: skip
    """A piece ends by itself: the ball begins to roll, stops, or its side spin has died."""
    advance(s, i, t)
    write_state(s, i, before[i], 0)
    was = s[i, MOTION]
    settle(s, i)
    restart(s, i, t, pairs, par, edges, corners, holes, tops, pieces, counters)
    now = s[i, MOTION]
    if was == SLIDE and now == ROLL:
        log_event(s, before, E_ROLL_ONSET, t, i, -1, -1, events, counters)
    elif now in (REST, OFF_TABLE):
        ends = E_STOP if now == REST else E_OFF_TABLE
        log_event(s, before, ends, t, i, -1, -1, events, counters)


@kernel(
    "void(f8[:,::1], f8[:,::1], i8, f8, f8[:,::1], f8[::1], f8[:,::1], f8[:,::1], f8[:,::1],"
    "f8[:,::1], f8[:,::1], f8[:,::1], i8[::1])"
)
def _pass_tip(
    s: Array, before: Array, i: int, t: float, pairs: Array, par: Array, edges: Array,
    corners: Array, holes: Array, tops: Array, pieces: Array, events: Array, counters: Counters,
) -> None:  # fmt: skip
    """Ball ``i`` meets the tip of a cue, whose way is another from now on, for all balls."""
    became = meet_tip(s, i, t, int(s[i, FEATURE_ID]), par)
    s[i, LIP] = s[i, PERCH] = -1.0
    restart(s, i, t, pairs, par, edges, corners, holes, tops, pieces, counters)
    for j in range(s.shape[0]):
        if j != i and s[j, MOTION] < POCKETED:
            advance(s, j, t)
            find_feature(s, j, t, edges, corners, holes, tops, par)
    if became != 0:
        log_event(s, before, became, t, i, -1, -1, events, counters)


@kernel(
    "b1(f8[:,::1], f8[:,::1], i8, f8, f8[:,::1], f8[::1], f8[:,::1], f8[:,::1], f8[:,::1],"
    "f8[:,::1], f8[:,::1], f8[:,::1], i8[::1])"
)
def _pass_feature(
    s: Array, before: Array, i: int, t: float, pairs: Array, par: Array, edges: Array,
    corners: Array, holes: Array, tops: Array, pieces: Array, events: Array, counters: Counters,
) -> bool:  # fmt: skip
    """Deal with a feature for which nobody is asked; False if Bullet has to be."""
    kind = int(s[i, FEATURE])
    advance(s, i, t)
    write_state(s, i, before[i], 0)
    if kind == F_TIP:
        _pass_tip(s, before, i, t, pairs, par, edges, corners, holes, tops, pieces, events,
                  counters)  # fmt: skip
        return True
    if kind == F_DROP:
        s[i, HOLE] = s[i, FEATURE_ID]
        reach_lip(s, i, holes, par)
    elif kind == F_SUNK:
        s[i, HOLE] = s[i, FEATURE_ID]
        leave(s, i, POCKETED)
    elif kind == F_FLOOR:
        leave(s, i, OFF_TABLE)
    else:
        return False
    restart(s, i, t, pairs, par, edges, corners, holes, tops, pieces, counters)
    if kind == F_SUNK:
        log_event(s, before, F_SUNK, t, i, int(s[i, HOLE]), -1, events, counters)
    elif kind == F_FLOOR:
        log_event(s, before, E_OFF_TABLE, t, i, -1, -1, events, counters)
    return True


@kernel("UniTuple(f8,3)(f8[:,::1], f8[:,::1])")
def _next_times(s: Array, pairs: Array) -> tuple[float, float, float]:
    """Earliest of pair contacts, of features, and of pieces that end by themselves."""
    n = s.shape[0]
    pair, feature, end = NEVER, NEVER, NEVER
    for i in range(n):
        feature = min(feature, s[i, FEATURE_T])
        end = min(end, s[i, T_END])
        for j in range(i + 1, n):
            pair = min(pair, pairs[i, j])
    return pair, feature, end


@kernel("i8(f8[:,::1], f8[:,::1], f8, f8[:,::1], f8[:,::1], f8[::1])")
def _gather_pairs(
    s: Array, before: Array, t: float, pairs: Array, contacts: Array, par: Array
) -> int:
    """Pose the pairs that meet at ``t`` in a round of their own.

    Pairs that approach far more slowly than the fastest wait for a later round: they are what a
    wave through touching balls leaves behind it, and the wave goes first (FP-13).  A ball that
    leans on another has a round of its own.
    """
    n = s.shape[0]
    count = 0
    fastest = -NEVER
    for turn in range(2):
        for i in range(n):
            for j in range(i + 1, n):
                if pairs[i, j] > t + SAME_TIME or count >= contacts.shape[0]:
                    continue
                if turn == 0:
                    advance(s, i, t)
                    advance(s, j, t)
                    fastest = max(fastest, closing_speed(s, i, j))
                elif fastest <= 0.0 or closing_speed(s, i, j) >= AFTER_WAVE * fastest:
                    alone = leans(s, i, j)
                    if alone and count > 0:
                        continue
                    write_state(s, i, before[i], 0)
                    write_state(s, j, before[j], 0)
                    pose_pair(s, i, j, contacts, count, par)
                    pairs[i, j] = NEVER
                    count += 1
                    if alone:
                        return count
    return count


@kernel("b1(i8[::1])")
def spent(counters: Counters) -> bool:
    """Whether as much is logged as may be."""
    events, pieces = counters[N_EVENTS], counters[N_PIECES]
    over: bool = events > counters[MOST_EVENTS] or pieces > 2 * counters[MOST_EVENTS]
    return over


@kernel(
    "i8(f8[:,::1], f8[:,::1], f8[:,::1], f8[::1], f8[:,::1], f8[:,::1], f8[:,::1], f8[:,::1],"
    "f8[:,::1], f8[:,::1], f8[:,::1], f8[:,::1], i8[::1], f8[::1], f8)"
)
def run(
    s: Array, before: Array, pairs: Array, par: Array, edges: Array, corners: Array,
    holes: Array, tops: Array, contacts: Array, answers: Array, pieces: Array, events: Array,
    counters: Counters, clock: Array, limit: float,
) -> int:  # fmt: skip
    """Run until Bullet is needed for a round of contacts (ASK), or QUIET, LIMIT, FULL or SPENT.

    After ASK the caller fills ``answers`` for those rows of ``contacts`` that are for Bullet, and
    calls again.  So it does after SPENT, unless it leaves it at that: as much is logged as may be.
    ``clock[0]`` is the present, ``clock[1]`` that of the last round; after LIMIT all balls stand
    where they are at ``limit``.
    """
    n = s.shape[0]
    if counters[N_CONTACTS] > 0:
        apply_round(s, contacts, counters[N_CONTACTS], answers, par)
        _finish_round(s, before, clock[0], pairs, par, edges, corners, holes, tops, contacts,
                      pieces, events, counters)  # fmt: skip
    while True:
        room = min(pieces.shape[0] - counters[N_PIECES], events.shape[0] - counters[N_EVENTS])
        if room < 4 * n + contacts.shape[0]:
            return FULL
        pair, feature, end = _next_times(s, pairs)
        t = min(pair, feature, end)
        if t >= NEVER:
            return QUIET
        if t > limit:
            clock[0] = limit
            return LIMIT
        t = max(t, clock[0])
        clock[0] = t
        count = 0
        if pair <= t + SAME_TIME:
            count = _gather_pairs(s, before, t, pairs, contacts, par)
        elif feature <= end:
            for i in range(n):
                if s[i, FEATURE_T] > t + SAME_TIME or count + 2 > contacts.shape[0]:
                    continue
                if _pass_feature(s, before, i, t, pairs, par, edges, corners, holes, tops,
                                 pieces, events, counters):  # fmt: skip
                    continue
                count += pose_features(s, i, edges, corners, holes, tops, par, contacts, count)
        else:
            for i in range(n):
                if s[i, T_END] <= t:
                    _end_piece(s, before, i, t, pairs, par, edges, corners, holes, tops, pieces,
                               events, counters)  # fmt: skip
        if count == 0:
            continue
        counters[N_CONTACTS] = count
        counters[AT_ONCE] = counters[AT_ONCE] + 1 if t - clock[1] < INSTANT else 1
        clock[1] = t
        if not settles(s, before, t, edges, corners, holes, tops, par, contacts, answers, counters):
            asks = answer_fine(s, contacts, counters[N_CONTACTS], answers)
            if spent(counters):
                return SPENT
            if asks:
                return ASK
            apply_round(s, contacts, counters[N_CONTACTS], answers, par)
        if counters[N_CONTACTS] > 0:
            _finish_round(s, before, t, pairs, par, edges, corners, holes, tops, contacts,
                          pieces, events, counters)  # fmt: skip
