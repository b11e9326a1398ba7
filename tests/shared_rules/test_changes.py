"""What an order changes of the state, put over the state before it, is the state after it."""

import itertools

import msgpack
import msgspec
import pytest

from shared_rules import commands as c
from shared_rules.changes import StateChanges, changed, changes_of
from shared_rules.commands import Actor
from shared_rules.match import apply, new_match
from shared_rules.state import MatchState
from shared_rules.view import public_state
from tests.shared_rules.table import SEAT, Match, contact, pocketed


def _states(seat: int | None) -> list[MatchState]:
    """A lag, a break, a ball that falls, a concession: as somebody may see it."""
    match = Match()
    match.broken()
    match.strike(contact(1), pocketed(1))
    match.strike(contact(2))
    match.give(SEAT[match.state.shooter], c.Concede())
    states = [new_match(match.description)]
    for order in match.log:
        states.append(apply(states[-1], order).state)
    return [public_state(state, seat) for state in states]


def _over_the_wire(changes: StateChanges) -> StateChanges:
    raw = msgpack.unpackb(msgspec.msgpack.encode(changes), strict_map_key=False)
    return msgspec.convert(raw, StateChanges)


@pytest.mark.parametrize("seat", [None, 0, 1])
def test_changes_lead_from_each_state_to_the_next(seat: int | None) -> None:
    states = _states(seat)
    assert len(states) > 12
    shown = None
    before = None
    for after in states:
        shown = changed(shown, _over_the_wire(changes_of(before, after)))
        assert shown == after
        before = after


def test_what_has_not_changed_is_not_said() -> None:
    states = _states(None)
    sizes = []
    for before, after in itertools.pairwise(states):
        plain = msgspec.to_builtins(changes_of(before, after))
        assert "description" not in plain and plain["version"] == after.version
        assert {f for f in plain if plain[f] == msgspec.to_builtins(getattr(before, f))} == set()
        sizes.append(len(msgspec.msgpack.encode(plain)))
    whole = len(msgspec.msgpack.encode(states[-1]))
    assert sum(sizes) / len(sizes) < whole / 4


def test_changes_of_a_state_that_isnt_known_are_refused() -> None:
    states = _states(None)
    with pytest.raises(ValueError, match="isn't known"):
        changed(None, changes_of(states[-2], states[-1]))
    assert changed(None, changes_of(None, states[-1])) == states[-1]


def test_a_hidden_lag_stroke_is_in_nobodys_changes_but_its_own() -> None:
    """N9.1.1."""
    match = Match()
    match.give(Actor.SERVER, c.StartMatch())
    before = match.state
    match.give(SEAT[0], c.Strike(stroke=c.Stroke(speed=1.5, heading_deg=12.25)))
    for seat, shown in ((0, True), (1, False), (None, False)):
        said = changes_of(public_state(before, seat), public_state(match.state, seat))
        assert (b"heading_deg" in msgspec.msgpack.encode(said)) is shown
