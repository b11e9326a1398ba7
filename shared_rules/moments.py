"""When each foul of a stroke was seen: so that a ruling can be opened at the moment it is about."""

from collections.abc import Callable, Iterable, Sequence

from shared_rules import events as ev
from shared_rules.balls import CUE
from shared_rules.facts import ShotFacts
from shared_rules.state import Foul

Seen = Callable[[ev.ShotEvent, ShotFacts], bool]


def _first_contact(event: ev.ShotEvent, facts: ShotFacts) -> bool:
    return isinstance(event, ev.BallBall) and CUE in (event.a, event.b)


def _scratch(event: ev.ShotEvent, facts: ShotFacts) -> bool:
    return isinstance(event, ev.Pocketed | ev.OffTable) and event.ball == CUE


def _off_table(event: ev.ShotEvent, facts: ShotFacts) -> bool:
    return isinstance(event, ev.OffTable)


def _touch(event: ev.ShotEvent, facts: ShotFacts) -> bool:
    return isinstance(event, ev.EquipmentContact)


def _push_through(event: ev.ShotEvent, facts: ShotFacts) -> bool:
    if facts.double_hit or facts.tip_on_cue:
        return isinstance(event, ev.CueRecontact | ev.TipOnCueAtContact)
    return _first_contact(event, facts)  # N9.5g: how far both ran from there


def _kind(*kinds: type[ev.ShotEvent]) -> Seen:
    return lambda event, facts: isinstance(event, kinds)


def _nine(event: ev.ShotEvent, facts: ShotFacts) -> bool:
    return isinstance(event, ev.Pocketed) and event.ball == 9


_SEEN: dict[str, Seen] = {
    "5a": _first_contact, "6.2": _first_contact, "6.11": _first_contact, "5.9": _first_contact,
    "5c": _scratch, "6.1": _scratch,
    "5d": _off_table, "6.5": _off_table,
    "5e": _touch, "5f": _touch, "5n": _touch, "6.6": _touch,
    "5g": _push_through, "6.7": _push_through,
    "5h": _kind(ev.LongTipContact), "6.8": _kind(ev.LongTipContact),
    "5m": _kind(ev.CueTouchesPocketedBall),
    "5o": _kind(ev.Scoop), "6.16": _kind(ev.Scoop),
    "5p": _nine,
    "5.13a": _kind(ev.Pocketed), "5.13c": _kind(ev.JumpOver),
}  # fmt: skip
"""The event at which a foul shows; those of what did not happen (no rail, no contact) have none."""


def moments_of(
    fouls: Iterable[Foul], events: Sequence[ev.ShotEvent], facts: ShotFacts
) -> dict[str, float]:
    """Seconds after the stroke at which each foul was seen, by its code, where there is such a
    moment."""
    found: dict[str, float] = {}
    for foul in fouls:
        seen = _SEEN.get(foul.code)
        at = next((e.at for e in events if seen is not None and seen(e, facts)), None)
        if at is not None:
            found[foul.code] = at
    return found
