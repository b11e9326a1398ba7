"""The judged facts of a shot, derived once from its events; disciplines read these, never events.

RULES 0.3 "Facts every rule uses" and WPA chapter 8 (D8.*).
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from shared_rules import events as ev
from shared_rules.balls import CUE

# A place where a ball meets the rail: a cushion, whose facings are its ends, or the pocket whose
# liner it is (or its jaw, where the report doesn't say of which cushion).
Place = str


@dataclass(frozen=True, slots=True)
class RailTouch:
    """A contact with the rail that D8.4 accepts; ``order`` is its place in the event list."""

    order: int
    ball: int
    place: Place


@dataclass(frozen=True, slots=True)
class ShotFacts:
    """What a shot showed; ``cue_pocketed`` is a scratch (D8.6).

    ``first_contacts``: the object ball met first, or all of its tie (N9.9d).  ``first_order`` and
    the orders of touches and contacts are places in the event list, -1 for none.
    """

    struck: bool = False
    first_contact: int | None = None
    first_contacts: frozenset[int] = frozenset()
    first_order: int = -1
    pocketed: tuple[int, ...] = ()
    cue_pocketed: bool = False
    off_table: tuple[int, ...] = ()
    cue_off_table: bool = False
    pockets: dict[int, ev.Pocket] = field(default_factory=dict)  # of the balls that fell
    # object balls whose centre passed the centre string (BB.5b)
    crossed_center: frozenset[int] = frozenset()
    played_into: frozenset[int] = frozenset()  # balls touching the cue ball that it was played into
    cue_jumped: bool = False  # the cue ball passed above another ball
    cue_out_order: int = -1  # the cue ball first passed the head string towards the foot
    cue_touched: frozenset[int] = frozenset()
    gone_orders: tuple[int, ...] = ()
    touches: tuple[RailTouch, ...] = ()
    # orders of contacts between object balls, by ball
    kisses: dict[int, tuple[int, ...]] = field(default_factory=dict)
    travel_mm: dict[int, float] = field(default_factory=dict)
    played_away_from: frozenset[int] = frozenset()
    double_hit: bool = False
    tip_on_cue: bool = False
    long_tip_contact: bool = False
    deliberate_scoop: bool = False
    equipment: tuple[ev.EquipmentContact, ...] = ()
    full_pocket_touched: bool = False
    clock_expired: bool = False
    restored: tuple[int, ...] = ()
    replay: bool = False

    @property
    def cue_gone(self) -> bool:
        """Whether the cue ball was pocketed or left the table."""
        return self.cue_pocketed or self.cue_off_table

    @property
    def railed(self) -> frozenset[int]:
        """Object balls with an accepted rail contact, pocketing and leaving aside."""
        return frozenset(touch.ball for touch in self.touches if touch.ball != CUE)

    def touches_after_contact(self) -> tuple[RailTouch, ...]:
        """Accepted rail contacts after the first contact."""
        first = self.first_order
        return tuple(t for t in self.touches if 0 <= first < t.order)

    def gone_after_contact(self) -> bool:
        """Whether a ball was pocketed or left the table after the first contact (D8.4)."""
        return self.first_order >= 0 and any(o > self.first_order for o in self.gone_orders)


@dataclass(frozen=True, slots=True)
class _Settled:
    """Which drops count as pocketed, which are undone (N9.9n, G.1.7)."""

    pocketed: frozenset[int]
    restored: tuple[int, ...]
    replay: bool


def _settled(events: Sequence[ev.Event], limit_s: float) -> _Settled:
    pocketed: list[int] = []
    restored: list[int] = []
    replay = False
    for event in events:
        if isinstance(event, ev.SettledDrop):
            if event.during_shot and event.affects:
                replay = True
            elif event.during_shot or event.after_s >= limit_s:
                restored.append(event.ball)
            else:
                pocketed.append(event.ball)
        elif isinstance(event, ev.SettledMove) and event.during_shot and event.affects:
            replay = True
        elif isinstance(event, ev.Interference):
            replay = replay or event.affects
            restored.extend(() if event.affects else event.balls)
    return _Settled(frozenset(pocketed), tuple(dict.fromkeys(restored)), replay)


def _fallen(event: ev.Event, settled: _Settled) -> tuple[int, ev.Pocket] | None:
    """The ball that an event shows in a pocket for good, and the pocket (D8.3, N9.9n)."""
    if isinstance(event, ev.Pocketed | ev.SupportedOverPocket):
        return event.ball, event.pocket
    if isinstance(event, ev.SettledDrop) and event.ball in settled.pocketed:
        return event.ball, event.pocket
    return None


def _way_out(events: Iterable[tuple[int, ev.Event]]) -> int:
    """Where in the list the cue ball first passes the head string towards the foot, or -1."""
    for order, event in events:
        if isinstance(event, ev.CrossesHeadString) and event.ball == CUE and event.dir == "out":
            return order
    return -1


def _first_contacts(
    contacts: Iterable[tuple[int, ev.BallBall]],
) -> tuple[int, int, frozenset[int], float] | None:
    """(order, ball, tie set, time) of the cue ball's first contact."""
    with_cue = [
        (order, event, event.b if event.a == CUE else event.a)
        for order, event in contacts
        if CUE in (event.a, event.b)
    ]
    if not with_cue:
        return None
    order, first, ball = with_cue[0]
    tied = {b for _, e, b in with_cue if first.tie is not None and e.tie == first.tie}
    return order, ball, frozenset(tied | {ball}), first.at


class _Rails:
    """Takes rail contacts in order and keeps those that D8.4 accepts."""

    def __init__(self, frozen: frozenset[tuple[int, str]]) -> None:
        self.touching: set[tuple[int, str | None]] = set(frozen)
        self.accepted: list[RailTouch] = []

    def take(self, order: int, event: ev.Event) -> None:
        if isinstance(event, ev.LeavesRail):
            self.touching.discard((event.ball, event.rail))
        elif isinstance(event, ev.RailContact):
            if event.still_frozen or (event.ball, event.rail) in self.touching:
                return
            self._accept(RailTouch(order, event.ball, event.rail))
        elif isinstance(event, ev.Jaw):
            if event.still_frozen or (event.ball, event.rail) in self.touching:
                return
            self._accept(RailTouch(order, event.ball, event.rail or event.pocket))
        elif isinstance(event, ev.RailTop):
            self._accept(RailTouch(order, event.ball, event.rail or event.pocket or ""))

    def _accept(self, touch: RailTouch) -> None:
        # Who reached another part of the rail has left the cushion that he was frozen to.
        self.touching = {pair for pair in self.touching if pair[0] != touch.ball}
        self.accepted.append(touch)


def _kisses(contacts: Iterable[tuple[int, ev.BallBall]]) -> dict[int, tuple[int, ...]]:
    found: dict[int, list[int]] = {}
    for order, event in contacts:
        if CUE not in (event.a, event.b):
            for ball in (event.a, event.b):
                found.setdefault(ball, []).append(order)
    return {ball: tuple(orders) for ball, orders in found.items()}


def facts_of(
    events: Sequence[ev.Event],
    *,
    frozen_to_rail: frozenset[tuple[int, str]] = frozenset(),
    frozen_to_cue: frozenset[int] = frozenset(),
    settle_s: float = 5.0,
) -> ShotFacts:
    """Facts of a shot.

    Args:
        events: its typed events in order.
        frozen_to_rail: pairs of ball and cushion that touched before the stroke, as declared.
        frozen_to_cue: balls that touched the cue ball then, as declared: the tip may still be on
            it when such a pair parts (F6.7c, e).
        settle_s: a ball that drops by itself this long after the rest is put back (N9.9n).
    """
    ordered = list(enumerate(events))
    contacts = [(order, e) for order, e in ordered if isinstance(e, ev.BallBall)]
    settled = _settled(events, settle_s)
    rails = _Rails(frozen_to_rail)
    fallen: list[int] = []
    pockets: dict[int, ev.Pocket] = {}
    off: list[int] = []
    gone: list[int] = []
    for order, event in ordered:
        rails.take(order, event)
        fell = _fallen(event, settled)
        if fell is not None:
            fallen.append(fell[0])
            pockets.setdefault(*fell)
            gone.append(order)
        elif isinstance(event, ev.OffTable):
            off.append(event.ball)
            gone.append(order)
    first = _first_contacts(contacts)
    order, ball, tie, at = first or (-1, None, frozenset(), 0.0)
    return ShotFacts(
        struck=any(isinstance(e, ev.CueStrike) for e in events),
        first_contact=ball,
        first_contacts=tie,
        first_order=order,
        pocketed=tuple(dict.fromkeys(b for b in fallen if b != CUE)),
        cue_pocketed=CUE in fallen,
        off_table=tuple(dict.fromkeys(b for b in off if b != CUE)),
        cue_off_table=CUE in off,
        pockets=pockets,
        crossed_center=frozenset(
            e.ball for e in events if isinstance(e, ev.CrossesCenterString) and e.ball != CUE
        ),
        played_into=frozenset(
            e.b if e.a == CUE else e.a for _, e in contacts if e.frozen_start and CUE in (e.a, e.b)
        ),
        cue_jumped=any(isinstance(e, ev.JumpOver) and e.ball == CUE for e in events),
        cue_out_order=_way_out(ordered),
        cue_touched=frozenset(e.b if e.a == CUE else e.a for _, e in contacts if CUE in (e.a, e.b)),
        gone_orders=tuple(gone),
        touches=_with_contact_first(rails.accepted, events, order, at),
        kisses=_kisses(contacts),
        travel_mm={e.ball: e.mm for e in events if isinstance(e, ev.Travel)},
        played_away_from=frozenset(e.b for e in events if isinstance(e, ev.PlaysAway)),
        double_hit=any(isinstance(e, ev.CueRecontact) for e in events),
        # F6.7d: barely grazing a very close ball is fair.
        tip_on_cue=any(
            isinstance(e, ev.TipOnCueAtContact) and not e.graze and e.b not in frozen_to_cue
            for e in events
        ),
        long_tip_contact=any(isinstance(e, ev.LongTipContact) for e in events),
        deliberate_scoop=any(isinstance(e, ev.Scoop) and e.intentional for e in events),
        equipment=tuple(e for e in events if isinstance(e, ev.EquipmentContact)),
        full_pocket_touched=any(
            isinstance(e, ev.CueTouchesPocketedBall) and e.pocket_full for e in events
        ),
        clock_expired=any(isinstance(e, ev.ClockExpired) for e in events),
        restored=settled.restored,
        replay=settled.replay,
    )


def _with_contact_first(
    touches: list[RailTouch], events: Sequence[ev.Event], order: int, at: float
) -> tuple[RailTouch, ...]:
    """A cushion met at the very instant of the first contact counts as after it (ambiguity 62)."""
    if order < 0 or at <= 0.0:
        return tuple(touches)
    return tuple(
        RailTouch(max(t.order, order + 1), t.ball, t.place) if events[t.order].at == at else t
        for t in touches
    )
