"""What came of an order, in the words of RULES 0.8: the ``outcome`` of ``headstring judge``."""

from collections.abc import Mapping
from typing import Any

from shared_rules import announcements as an
from shared_rules.clocks import SHOT_PHASES
from shared_rules.disciplines import discipline_of
from shared_rules.groups import Group
from shared_rules.match import Applied
from shared_rules.order_of_play import other
from shared_rules.refusal import Refusal
from shared_rules.rerack import stands_without_apex
from shared_rules.scenario import Given, Scenario
from shared_rules.situation import safety_key
from shared_rules.spotting import touches_another
from shared_rules.state import MatchDescription, MatchState, Phase, Rerack, Ruling, Seat
from shared_rules.table import Position
from shared_rules.turns import without

_LAG = (Phase.LAG, Phase.LAG_CHOICE, Phase.LAG_REFEREE_DECISION)
_OVER = (Phase.GAME_OVER, Phase.SET_OVER, Phase.MATCH_OVER)
# After these messages, a new rack is opened by ``breaker``; nobody is asked for by the shot.
_NEW_RACK = ("next_game", "next_set", "declare_stalemate", "agree_stalemate", "call_foul")


def _side(seat: Seat | None) -> str | None:
    return None if seat is None else ("shooter", "opponent")[seat]


def _same_or_other(seat: Seat | None) -> str | None:
    return None if seat is None else ("same", "other")[seat]


def of_refusal(state: MatchState, refusal: Refusal) -> dict[str, Any]:
    """A message refused: nothing has changed, a hand stays in hand."""
    lag = state.phase in _LAG or (state.running is not None and state.running.shooter is None)
    decider = state.decider if state.decider != "referee" else None
    acts = decider if decider is not None else state.shooter
    return {
        "rejected": True,
        "reason": refusal.code.value,
        "message": refusal.message,
        "fouls": [],
        "next_player": None if lag or state.phase in _OVER else _same_or_other(acts),
        "ball_in_hand": state.cue_in_hand,
        "spotted": [],
        "options": [],
        "game_over": None,
        "score": _score(state),
        "state": state.phase.value,
        "consecutive_fouls": state.consecutive_fouls[0],
        "push_out_available": state.push_out_available,
        "free_shot": state.free_shot,
        "snooker_declared": state.snooker_declared,
        "groups": None if state.groups is None else _by_side(state.groups),
    }


def of_applied(applied: Applied, scenario: Scenario, action: str | None = None) -> dict[str, Any]:
    """What an order has led to.

    Args:
        action: the message that it was, if it was no shot.
    """
    state, given = applied.state, scenario.given
    said = applied.announcements
    ruling = next((a.ruling for a in reversed(said) if isinstance(a, an.Judged)), None)
    outcome: dict[str, Any] = {
        # A penalty is no foul of a shot (RULES 0.8).
        "fouls": [] if action == "penalty" else _fouls(said, ruling),
        "next_player": _next_player(state, action),
        "ball_in_hand": state.cue_in_hand,
        "spotted": [a.ball for a in said if isinstance(a, an.Spotted)],
        "options": [option.value for option in state.options],
        "game_over": _game_over(said),
        "score": _score(state),
        "state": state.phase.value,
        "consecutive_fouls": state.consecutive_fouls[0],
        "consecutive_fouls_all": _both(state.consecutive_fouls),
        "push_out_available": state.push_out_available,
        "push_out_declared": state.push_out_declared,
        "free_shot": state.free_shot,
        "snooker_declared": state.snooker_declared,
        "groups": None if state.groups is None else _by_side(state.groups),
        "decider": _decider(state, given),
        "warned": state.warned[0],
        "slow_play_warned": state.clock.slow_play_warned,
        "game_started": state.game_begun,
    }
    outcome |= _of_ruling(state, ruling)
    outcome |= _of_rack(state, action)
    outcome |= _of_table(state, given)
    outcome |= _of_announcements(said)
    outcome |= _of_spots(state, said)
    if scenario.discipline == "lag":
        outcome |= _of_lag(state, ruling, given)
    if action is not None:
        outcome["accepted"] = True
    return outcome


def _score(state: MatchState) -> dict[str, int] | None:
    """The points, in the game that has them (S14.7)."""
    scored = state.description.ruleset.discipline == "straight_pool"
    return _both(state.scores) if scored else None


def spot_report(
    place: Position, balls: Mapping[int, Position], described: MatchDescription
) -> dict[str, Any]:
    """Where a ball is spotted among ``balls``; ``site`` where it closes a rack (S14.6b)."""
    frame, rules = described.frame, described.ruleset
    u, v = frame.to_uv(place)
    where: dict[str, Any] = {"u": u, "v": v, "touching": touches_another(place, balls, frame)}
    pattern = discipline_of(rules).rack
    apart = rules.discipline == "straight_pool" and place == frame.foot_spot
    if apart and stands_without_apex(balls, pattern, frame, rules.rack.gap_mm):
        where["site"] = "apex"
    return where


def _of_spots(state: MatchState, said: tuple[an.Announcement, ...]) -> dict[str, Any]:
    """Where the balls that were spotted lie."""
    found = {
        str(a.ball): spot_report(a.position, without(state.balls, a.ball), state.description)
        for a in said
        if isinstance(a, an.Spotted) and state.balls.get(a.ball) == a.position
    }
    return {"spot_position": found} if found else {}


def _of_rerack(rerack: Rerack) -> dict[str, str]:
    """A continuation rack in the words of RULES 0.8."""
    whole = rerack.fifteenth == "racked"
    return {
        "rack": str(len(rerack.balls)),
        "apex": "filled" if whole else "empty",
        "cue_ball": rerack.cue_ball,
        "fifteenth": rerack.fifteenth,
    }


def _both(pair: tuple[int, int]) -> dict[str, int]:
    return {"shooter": pair[0], "opponent": pair[1]}


def _by_side(groups: tuple[Group, Group]) -> dict[str, str]:
    return {"shooter": groups[0].value, "opponent": groups[1].value}


def _fouls(said: tuple[an.Announcement, ...], ruling: Ruling | None) -> list[str]:
    codes = [foul.code for foul in ruling.fouls] if ruling is not None else []
    codes += [a.foul.code for a in said if isinstance(a, an.FoulCalled)]
    return list(dict.fromkeys(codes))


def _next_player(state: MatchState, action: str | None) -> str | None:
    """Who acts next, seen from the shooter; null where RULES 0.8 says so."""
    if state.phase in (*_LAG, *_OVER, Phase.SUSPENDED) or state.decider == "referee":
        return None
    if state.phase is Phase.PLACE_CUE_FOR_BREAK and not state.racked and action in _NEW_RACK:
        return None
    return _same_or_other(state.decider if state.decider is not None else state.shooter)


def _decider(state: MatchState, given: Given) -> str | None:
    if state.phase is Phase.SUSPENDED or state.decider == "referee":
        return "referee"
    if state.phase in _LAG and state.decider is not None:
        return (given.players or ("shooter", "opponent"))[state.decider]
    return _side(state.decider)


def _game_over(said: tuple[an.Announcement, ...]) -> dict[str, str | None] | None:
    """The widest thing that has been won."""
    scopes = ((an.MatchWon, "match"), (an.SetWon, "set"), (an.GameWon, "game"))
    for kind, scope in scopes:
        for announcement in said:
            if isinstance(announcement, kind):
                return {"winner": _side(announcement.seat), "scope": scope}
    return None


def _of_ruling(state: MatchState, ruling: Ruling | None) -> dict[str, Any]:
    if ruling is None:
        return {}
    restored: Any = "pre_shot" if ruling.replay else list(ruling.restored)
    return {
        "first_contact": ruling.first_contact,
        "pocketed": list(ruling.pocketed),
        "off_table": list(ruling.off_table),
        "restored": restored,
        "replay": ruling.replay,
        "illegal_break": ruling.illegal_break,
        "rule_ids": [foul.rule_id for foul in ruling.fouls],
    }


def _of_rack(state: MatchState, action: str | None) -> dict[str, Any]:
    if state.phase is not Phase.PLACE_CUE_FOR_BREAK:
        return {}
    # By a choice, or by the shot itself (BB.5c).
    reracked = action in ("choose", None) and not state.racked
    racked = str(len(discipline_of(state.description.ruleset).balls))
    return {"breaker": _side(state.breaker), "rerack": racked if reracked else None}


def _of_table(state: MatchState, given: Given) -> dict[str, Any]:
    found: dict[str, Any] = {}
    if given.near_rail is not None:
        key = safety_key(0, given.near_rail["ball"], given.near_rail["rail"])
        found["near_rail_safeties"] = state.near_rail_safeties.get(key, 0)
    clock = state.clock.shot_clock
    if clock is not None:
        found["shot_clock"] = {"active": True, "limit_s": clock.limit_s, "applies_to": "both"}
    if state.stalemate_visits_left is not None:
        found["stalemate_visits_left"] = _both(state.stalemate_visits_left)
    if state.watcher_asked_by is not None:
        found["watcher"] = "third_person"
    if state.phase in SHOT_PHASES:
        found["cue"] = state.cues[0]
    return found


def _of_announcements(said: tuple[an.Announcement, ...]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for announcement in said:
        match announcement:
            case an.TimeOutStarted():
                by = _side(announcement.seat)
                found["time_out"] = {"by": by, "max_s": announcement.max_s}
            case an.TwoFoulWarning():
                found["broadcast"] = "two_foul_warning"
            case an.BallsRestored():
                found["restored"] = list(announcement.balls)
            case an.Reracking():
                found["rerack"] = _of_rerack(announcement.rerack)
            case an.JudgementUpheld():
                found["decision_final"] = True
            case an.WedgedResolved():
                found["pocketed"] = list(announcement.pocketed)
                found["placed_on_lip"] = list(announcement.on_lip)
            case an.MatchWon() if announcement.reason == "disqualify":
                found["disqualified"] = _side(other(announcement.seat))
            case _:
                pass
    return found


def _of_lag(state: MatchState, ruling: Ruling | None, given: Given) -> dict[str, Any]:
    names = given.players or ("shooter", "opponent")
    winner = state.lag_winner
    if state.phase is Phase.PLACE_CUE_FOR_BREAK and state.breaker is not None:
        same = names[state.breaker] == given.player
        return {
            "lag_winner": None if winner is None else names[winner],
            "breaker": names[state.breaker],
            "next_player": "same" if same else "other",
            "rerack": None,
        }
    found: dict[str, Any] = {"lag_winner": None if winner is None else names[winner]}
    if ruling is not None and ruling.lag_fouls is not None:
        open_question = state.phase is Phase.LAG_REFEREE_DECISION
        found["relag"] = None if open_question else ruling.relag
        found["lag_fouls"] = {
            name: list(codes) for name, codes in zip(names, ruling.lag_fouls, strict=True)
        }
    return found
