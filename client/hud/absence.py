"""An opponent who is not there, or whose line is slow: in words, and what one may do about it."""

import math

from client.hud.model import Button
from client.net.view import TableView
from client.words import say
from shared_rules.messages import Member
from shared_rules.state import Phase

SLOW_LINE_S = 0.25


def away_words(member: Member, server_now: float, language: str) -> str:
    """Of an absent player: how he went, and how long he has."""
    how = {"left": "left", "idle": "idle"}.get(member.absence or "", "away")
    if member.away_until is None:
        return say(language, how)
    if member.claim_from is not None and member.claim_from <= server_now < member.away_until:
        return say(language, "overdue_for", n=_seconds(member.away_until - server_now))
    ends = member.away_until if member.claim_from is None else member.claim_from
    return say(language, f"{how}_for", n=_seconds(ends - server_now))


def slow_line_words(member: Member | None, language: str) -> str:
    """Of a player with a long line: how long; empty for others."""
    trip = member.round_trip_s if member is not None else None
    if trip is None or trip < SLOW_LINE_S:
        return ""
    return say(language, "slow_line", ms=round(trip * 1000))


def claim_buttons(view: TableView, server_now: float | None, language: str) -> tuple[Button, ...]:
    """What the menu offers while the opponent is away, with the reason why not yet."""
    if view.seat is None or view.state is None or view.state.phase is Phase.MATCH_OVER:
        return ()
    absent = view.players[1 - view.seat]
    if absent is None or absent.connected:
        return ()
    why = ""
    if absent.claim_from is None or server_now is None:
        why = say(language, "why_adjourned")
    elif server_now < absent.claim_from:
        why = say(language, "why_grace", n=_seconds(absent.claim_from - server_now))
    effect = view.state.description.ruleset.disconnect.effect
    asks = ("adjourn",) if effect == "adjourn" else ("win", "adjourn")
    return tuple(Button(f"claim:{ask}", say(language, f"claim_{ask}"), "", why) for ask in asks)


def _seconds(left: float) -> int:
    return max(0, math.ceil(left))
