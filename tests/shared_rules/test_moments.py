"""A ruling can be opened afterwards: what was hit, railed, pocketed, and when it went wrong."""

import pytest

from shared_rules import commands as c
from shared_rules import events as ev
from shared_rules.balls import CUE
from shared_rules.catalogue import FOULS
from shared_rules.moments import _SEEN
from tests.shared_rules.table import SEAT, STROKE, Match, contact


def at(event, seconds):
    return ev.__dict__[type(event).__name__](
        **{f: getattr(event, f) for f in event.__struct_fields__ if f != "at"}, at=seconds
    )


def played(*events, preset="nine_ball_epbf"):
    match = Match(preset)
    match.broken()
    match.give(SEAT[1], c.Strike(stroke=STROKE))
    match.finish([ev.CueStrike(), *events])
    return match.state.last_ruling


@pytest.mark.parametrize(
    ("events", "moments"),
    [
        ((at(contact(5), 0.4),), {"5a": 0.4}),
        ((at(contact(1), 0.4), ev.RailContact(ball=1, rail="foot", at=0.9)), {}),
        ((at(contact(1), 0.4),), {}),  # no rail: that nothing happened has no moment
        (
            (at(contact(1), 0.4), ev.Pocketed(ball=CUE, pocket="side_left", at=2.5)),
            {"5c": 2.5},
        ),
        (
            (at(contact(5), 0.4), ev.Pocketed(ball=9, pocket="side_left", at=3.0)),
            {"5a": 0.4, "5p": 3.0},
        ),
        (
            (ev.CueRecontact(at=0.1), at(contact(1), 0.2), ev.RailContact(ball=1, rail="foot")),
            {"5g": 0.1},
        ),
        (
            (at(contact(1), 0.2), ev.OffTable(ball=3, at=1.5)),
            {"5d": 1.5},
        ),
    ],
)
def test_the_moment_of_each_foul(events, moments):
    assert played(*events).moments == moments


def test_the_facts_that_decided_it():
    ruling = played(
        contact(1),
        ev.RailContact(ball=CUE, rail="left"),
        ev.RailContact(ball=1, rail="foot"),
        ev.Pocketed(ball=1, pocket="foot_right"),
    )
    assert (ruling.first_contact, ruling.railed) == (1, (CUE, 1))
    assert ruling.pockets == {1: "foot_right"}


def test_every_foul_with_a_moment_is_one():
    club = {"5.9", "5.13a", "5.13c"}
    assert set(_SEEN) <= set(FOULS) | club
