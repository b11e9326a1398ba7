"""A bot whose opponent has gone claims what that gives, and leaves a match that is adjourned."""

import time
from dataclasses import dataclass

import pytest
from msgspec.structs import replace

from client.bot.levels import LEVELS
from client.bot.player import BotPlayer, Seating
from client.net.session import Session
from shared_rules import messages as m
from shared_rules.ruleset import make_ruleset
from shared_rules.state import Phase
from tests.client.builders import state
from tests.client.local_table import LocalTable


@dataclass
class Sat:
    """A bot in seat 0 of a match, whose opponent is away since long ago."""

    bot: BotPlayer
    session: Session
    asked: list[m.ClaimAbsence]

    def away(self, claim_from: float | None) -> None:
        view = self.session.view
        assert view is not None
        gone = m.Member(
            name="Bob", connected=False, absence="dropped", claim_from=claim_from,
            away_until=claim_from and claim_from + 60.0,
        )  # fmt: skip
        view.players = (view.players[0], gone)

    def step(self) -> None:
        self.bot._claim_absence()
        out = self.session.take_outgoing()
        self.asked += [x for x in out if isinstance(x, m.ClaimAbsence)]


@pytest.fixture
def sat(request: pytest.FixtureRequest) -> Sat:
    effect = getattr(request, "param", "award_game")
    session = Session("Bot")
    table = LocalTable(ruleset=make_ruleset("nine_ball_epbf", {"disconnect": {"effect": effect}}))
    table.seat(session, 0)
    assert session.view is not None
    rules = table.state.description
    shown = state(Phase.AWAIT_SHOT)
    session.view.state = replace(shown, description=rules)
    session.clock.begin(time.monotonic(), 1000.0)
    bot = BotPlayer("ws://here", session, LEVELS[1], Seating(), say=lambda _: None)
    return Sat(bot, session, [])


def test_nothing_is_claimed_before_the_grace_is_over(sat: Sat) -> None:
    sat.step()
    sat.away(1060.0)
    sat.step()
    assert sat.asked == [] and not sat.bot._over()


def test_the_win_is_claimed_once_the_grace_is_over_and_not_too_often(sat: Sat) -> None:
    sat.away(999.0)
    for _ in range(5):
        sat.step()
    assert [claim.ask for claim in sat.asked] == ["win"]


def test_moving_balls_are_waited_for(sat: Sat) -> None:
    sat.away(999.0)
    view = sat.session.view
    assert view is not None and view.state is not None
    view.state = replace(view.state, phase=Phase.SHOT_RUNNING)
    sat.step()
    assert sat.asked == []


@pytest.mark.parametrize("sat", ["adjourn"], indirect=True)
def test_where_absences_adjourn_the_bot_adjourns_and_leaves(sat: Sat) -> None:
    sat.away(999.0)
    sat.step()
    assert [claim.ask for claim in sat.asked] == ["adjourn"]
    assert not sat.bot._over()
    sat.away(None)
    assert sat.bot._over()
