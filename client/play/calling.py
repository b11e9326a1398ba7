"""Calling a stroke by hand: the ball, then the pocket; what the rules would refuse says why."""

import math

from client.play.hand import Hand
from shared_rules.balls import CUE
from shared_rules.calls import check_call
from shared_rules.events import POCKETS, Pocket
from shared_rules.refusal import Refusal
from shared_rules.state import Call, MatchState, Seat
from shared_rules.table import Position, TableFrame
from shared_rules.wording import refusal_text

REACH_BALLS = 2.0
"""A click this many radii from a ball's centre still means the ball."""


def pocket_places(frame: TableFrame) -> dict[Pocket, Position]:
    """Where the six pockets are, m."""
    along = {"head": -frame.length / 2, "side": 0.0, "foot": frame.length / 2}
    across = {"left": frame.width / 2, "right": -frame.width / 2}
    return {
        name: Position(along[name.split("_")[0]], across[name.split("_")[1]]) for name in POCKETS
    }


def why_not_called(state: MatchState, seat: Seat, ball: int, language: str) -> str:
    """Why a ball may not be called; empty if it may."""
    try:
        check_call(state, seat, Call(ball=ball, pocket="foot_left"))
    except Refusal as refusal:
        return refusal_text(refusal.code, language, refusal.message)
    return ""


def callable_balls(state: MatchState, seat: Seat) -> list[int]:
    """The balls that may be called, in order."""
    balls = sorted(ball for ball in state.balls if ball != CUE)
    return [ball for ball in balls if not why_not_called(state, seat, ball, "en")]


def ball_at(state: MatchState, point: tuple[float, float]) -> int | None:
    """The object ball that a point on the bed means."""
    found = [(math.dist(at, point), ball) for ball, at in state.balls.items() if ball != CUE]
    distance, ball = min(found, default=(math.inf, 0))
    return ball if distance <= REACH_BALLS * state.description.frame.ball_radius else None


def pocket_at(state: MatchState, point: tuple[float, float]) -> Pocket:
    """The pocket nearest to a point."""
    places = pocket_places(state.description.frame)
    return min(places, key=lambda name: math.dist(places[name], point))


def step_ball(state: MatchState, seat: Seat, hand: Hand, way: int) -> None:
    """Choose the next or the last ball that may be called."""
    balls = callable_balls(state, seat)
    if balls:
        at = balls.index(hand.called_ball) if hand.called_ball in balls else -1 if way > 0 else 0
        hand.called_ball = balls[(at + way) % len(balls)]


def step_pocket(hand: Hand, way: int) -> None:
    """Choose the next or the last pocket."""
    at = POCKETS.index(hand.called_pocket) if hand.called_pocket else -1 if way > 0 else 0
    hand.called_pocket = POCKETS[(at + way) % len(POCKETS)]
