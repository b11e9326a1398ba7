"""How the cue is held, as the HUD shows it: the tip on the ball, and the cue from the side."""

from client.hud.game import BLACK_BALL
from client.hud.model import Raised, TipBall
from client.play.hand import Hand, clearance_of, held_stroke
from client.words import decimal, say
from shared_rules.disciplines import discipline_of
from shared_rules.state import MatchState, Seat


def tip_ball(hand: Hand) -> TipBall:
    """The magnified cue ball."""
    return TipBall(hand.aim.tip, round(hand.aim.cue.miscue_limit, 3), hand.aim.miscue)


def tip_words(hand: Hand, language: str) -> str:
    """Where the tip is to meet the ball, in radii."""
    a, b = hand.aim.tip
    parts = []
    if round(b, 2):
        key = "tip_above" if b > 0 else "tip_below"
        parts.append(say(language, key, n=decimal(language, abs(b))))
    if round(a, 2):
        key = "tip_right" if a > 0 else "tip_left"
        parts.append(say(language, key, n=decimal(language, abs(a))))
    return ", ".join(parts) or say(language, "tip_centre")


def raised_cue(hand: Hand, state: MatchState, seat: Seat | None, language: str) -> Raised:
    """The cue from the side, and what it has to clear."""
    clearance = clearance_of(hand, state, seat)
    held = held_stroke(hand, state, seat).elevation_deg
    least = round(clearance.least_deg, 1)
    over = ""
    if clearance.obstacle is not None:
        thing = say(language, "over_rail")
        if clearance.obstacle != "rail":
            thing = say(language, "over_ball", n=clearance.obstacle)
            if clearance.obstacle == 0:
                thing = say(language, "over_cue_ball")
        over = say(language, "least_over", n=decimal(language, least, 1), thing=thing)
    return Raised(
        round(held, 1),
        least,
        clearance.obstacle,
        say(language, "raised", n=decimal(language, held, 1)),
        over,
        hand.aim.tip[1],
        discipline_of(state.description.ruleset).groups == BLACK_BALL,
    )
