"""For each key of the ruleset something that it must change, posed through judge or a match."""

from shared_rules import announcements as an
from shared_rules import commands as c
from shared_rules import events as ev
from shared_rules.balls import CUE
from shared_rules.judge import judge
from shared_rules.refusal import Refusal
from shared_rules.state import Option, Phase
from shared_rules.table import Position
from tests.shared_rules.table import (
    CLOCK,
    RACK_ORDER,
    REFEREE,
    SEAT,
    SERVER,
    STROKE,
    Match,
    contact,
    pocketed,
    rail,
)

STRIKE = {"t": "cue_strike"}
HIT = {"t": "ball_ball", "a": 0, "b": 2}
FOOT = {"t": "rail", "ball": 2, "rail": "foot"}
LEAVES = {"t": "leaves_rail", "ball": 2, "rail": "foot"}
IN_FULL_POCKET = {"t": "cue_touches_pocketed_ball", "ball": 1, "pocket_full": True}
FROZEN = {"to_rail": [{"ball": 2, "rail": "foot"}]}
TRAVEL = [{"t": "travel", "ball": b, "mm": 500} for b in (0, 2)]
LATE_LAG = [
    {"t": "cue_strike", "ball": "LA"},
    {"t": "rail", "ball": "LA", "rail": "foot"},
    {"t": "cue_strike", "ball": "LB"},
    {"t": "rail", "ball": "LB", "rail": "foot"},
    {"t": "rest", "ball": "LA", "gap_to_head_cushion_mm": 50},
    {"t": "rest", "ball": "LB", "gap_to_head_cushion_mm": 20},
]
FAIR_LAG = [LATE_LAG[0], *LATE_LAG[2:4], LATE_LAG[1], *LATE_LAG[4:]]


def ruled(rules, *events, discipline="nine_ball_epbf", action=None, **given):
    """The outcome of a shot or an action under EPBF rules with overrides."""
    scenario = {
        "id": "x",
        "discipline": discipline,
        "given": {"on_table": [2, 3, 9], "ruleset": {"preset": "nine_ball_epbf"} | rules} | given,
        "shot": {"events": list(events)},
    }
    ruling = judge(scenario | ({"action": action} if action else {}))
    assert ruling["status"] == "ok", ruling
    return {key: value for key, value in ruling["outcome"].items() if key != "message"}


def lagged(rules, events):
    return ruled(rules, *events, discipline="lag", player="A", players=["A", "B"])


def taken(match, by, command):
    """Whether an order is taken; if not, why."""
    try:
        match.give(by, command)
    except Refusal as refusal:
        return refusal.code
    return True


def broken(rules, *events, **given):
    return ruled(rules, STRIKE, *events, is_break=True, on_table=list(range(1, 10)), **given)


def in_lag(rules):
    match = Match(overrides=rules)
    match.give(SERVER, c.StartMatch())
    return match


def won_once(rules):
    match = Match(overrides=rules)
    match.broken()
    match.strike(contact(1), pocketed(9))
    return match


def imposed(rules, warned=True):
    match = Match(overrides=rules, referee=True)
    match.broken()
    if warned:
        match.give(REFEREE, c.WarnSlowPlay())
    return taken(match, REFEREE, c.ImposeShotClock(limit_s=50.0))


def racked(rules):
    match = Match(overrides=rules)
    match.lag()
    match.give(SEAT[0], c.Choose(option=Option.BREAK))
    slots = Match().to_break().balls
    loose = {ball: Position(*slots[ball]) for ball in RACK_ORDER}
    loose[8] = Position(loose[8].x + 2e-4, loose[8].y)
    return taken(match, SERVER, c.RackBalls(seed=1, balls=loose))


def together(rules):
    match = in_lag(rules)
    match.give(SEAT[0], c.Strike(stroke=STROKE))
    match.give(SEAT[1], c.Strike(stroke=STROKE))
    return match.state.running.strokes[1][1]


def time_out(rules):
    match = Match(overrides=rules)
    match.broken()
    return taken(match, SEAT[1], c.RequestTimeOut()), match.state.clock.deadline


def fouled(rules, times):
    match = Match(overrides=rules)
    match.broken()
    for _ in range(times):
        match.strike(contact(5), rail(5))
        if match.state.phase != Phase.GAME_OVER:
            match.strike(contact(1), rail(1))
    return match.state.phase


def late(rules, late_s):
    match = Match(overrides=rules)
    match.give(CLOCK, c.LateArrival(seat=0, late_s=late_s))
    return match.state.phase, [said.reason for said in match.heard(an.MatchWon)]


def no_progress(rules):
    match = Match(overrides=rules, referee=True)
    match.broken()
    return match.give(REFEREE, c.AnnounceNoProgress()).stalemate_visits_left


def called_by_opponent(rules):
    match = Match(overrides=rules)
    match.broken()
    return taken(match, SEAT[0], c.CallFoul(seat=1, foul="5i"))


def declared_frozen(rules):
    match = Match(overrides=rules)
    match.broken()
    frame = match.description.frame
    x = frame.length / 2 - frame.cushion_reach(1) - 3e-4
    near = {**match.state.balls, 1: Position(x, 0.3)}
    return match.strike(contact(1), rail(1, "left"), balls=near).frozen


def near_and_thin(rules):
    """Seat 1 plays past the 1, 80 degrees off full, and the cue ball runs on."""
    match = Match(overrides=rules)
    match.broken()
    reach = 2 * match.description.frame.ball_radius
    runs = [ev.Travel(ball=CUE, mm=500.0), ev.Travel(ball=1, mm=300.0)]
    at = {**match.state.balls, CUE: Position(0.0, 0.0), 1: Position(0.1736 * reach, 0.9848 * reach)}
    match.strike(contact(1), rail(1), balls=at)
    return [foul.code for foul in match.strike(contact(1), rail(1), *runs).last_ruling.fouls]


def spotted(rules, **given):
    spot = {"by": "server", "type": "spot", "ball": 9}
    given = {"on_table": [2, 3], "pos": {"3": {"u": 0.75, "v": 0.5}}} | given
    return ruled(rules, action=spot, **given)["spot_position"]["9"]


def acted(rules, kind, by="shooter", **given):
    return ruled(rules, action={"by": by, "type": kind}, **given)


EIGHT_DOWN = {"t": "pocketed", "ball": 8, "pocket": "foot_left"}
WEDGED = {
    "by": "referee", "type": "resolve_wedged",
    "balls": [{"ball": 3, "center_over_opening": True}],
}  # fmt: skip
CALL_8 = {"by": "shooter", "type": "call", "ball": 8, "pocket": "foot_left"}


def eight(rules, *events, **given):
    return ruled(rules | {"preset": "eight_ball"}, *events, discipline="eight_ball", **given)


def eight_broken(rules, railed, *events):
    hits = [STRIKE, {"t": "ball_ball", "a": 0, "b": 1}]
    hits += [{"t": "rail", "ball": b + 1, "rail": "foot"} for b in range(railed)]
    return eight(rules, *hits, *events, is_break=True, on_table=list(range(1, 16)))


FIFTEEN = list(range(1, 16))


def straight(rules, *events, **given):
    given = {"on_table": FIFTEEN, "call": {"safety": True}} | given
    rules = rules | {"preset": "straight_pool"}
    return ruled(rules, *events, discipline="straight_pool", **given)


def called_break(rules):
    return eight(rules, action={"by": "shooter", "type": "call_safety"}, is_break=True,
                 on_table=FIFTEEN, state="PLACE_CUE_FOR_BREAK").get("reason")  # fmt: skip


def third(rules):
    fouls = {"shooter": 2, "opponent": 0}
    return straight(rules, STRIKE, consecutive_fouls=fouls, warned=True)


def no_legal_shot(rules):
    match = Match(overrides=rules, referee=True)
    match.broken()
    return taken(match, REFEREE, c.DeclareStalemate(no_legal_shot=True))


def stalemate(rules):
    return acted(rules, "agree_stalemate", "both", rack_breaker="opponent")["state"]


OUTSIDE = {"by": "shooter", "type": "place_cue", "pos": {"u": 0.4, "v": 0.5}}
TOUCHING = {"by": "shooter", "type": "place_cue", "pos": {"u": 0.5, "v": 0.5}}


def conduct(rules, kind):
    match = Match(overrides=rules, referee=True)
    match.broken()
    match.give(REFEREE, c.CallUnsportsmanlike(seat=1, kind=kind))
    return match.state.phase, match.state.games


PROBES = {
    "codes": ("wpa", lambda r: ruled(r, STRIKE)["fouls"]),
    "lag.placement": ("server", lambda r: taken(in_lag(r), SEAT[0], c.PlaceCue(x=-0.9, y=0.2))),
    "lag.late_stroke": ("relag", lambda r: lagged(r, LATE_LAG)["state"]),
    "lag.tie_mm": (10.0, lambda r: lagged(r, _close_lag())["state"]),
    "lag.together_s": (0.9, together),
    "match.games_to_win": (1, lambda r: won_once(r).state.phase),
    "match.sets_to_win": (2, lambda r: won_once(_one_game(r)).state.phase),
    "match.races": ((7, 1), lambda r: won_once(r).state.phase),
    "match.break_order": (
        "loser",
        lambda r: acted(r, "next_game", "server", state="GAME_OVER", winner="shooter",
                        previous_breaker="shooter")["breaker"],
    ),
    "break.placement_foul": (
        "foul_if_warned",
        lambda r: ruled(r, action=OUTSIDE, is_break=True, state="PLACE_CUE_FOR_BREAK",
                        on_table=list(range(1, 10))).get("rejected"),
    ),
    "break.foul_options": (
        ["ball_in_hand_anywhere", "rerack_self_breaks"], lambda r: broken(r)["options"],
    ),
    "break.min_railed": (0, lambda r: broken(r, {"t": "ball_ball", "a": 0, "b": 1})["fouls"]),
    "push_out.enabled": (
        False,
        lambda r: broken(r, {"t": "ball_ball", "a": 0, "b": 1},
                         {"t": "pocketed", "ball": 3, "pocket": "foot_left"})["push_out_available"],
    ),
    "rack.gap_mm": (1.0, racked),
    "pocket.full_touch": (
        "ignore", lambda r: ruled(r, STRIKE, HIT, FOOT, IN_FULL_POCKET)["fouls"],
    ),
    "restore_after_foul": (True, lambda r: acted(r, "request_restore")["state"]),
    "unrefereed": ("none", called_by_opponent),
    "rail.count_pocketed": (
        True,
        lambda r: broken(r, {"t": "ball_ball", "a": 0, "b": 1},
                         *[{"t": "off_table", "ball": b} for b in (5, 6, 7, 8)])["fouls"],
    ),
    "rail.frozen_same_cushion": (
        "after_leaving", lambda r: ruled(r, STRIKE, HIT, LEAVES, FOOT, frozen=FROZEN)["fouls"],
    ),
    "rail.near_cushion_limit": (
        None,
        lambda r: ruled(r, STRIKE, HIT, FOOT, near_rail={"ball": 2, "rail": "foot",
                                                         "safeties_by_shooter": 2})["fouls"],
    ),
    "touching.mode": (
        "free_if_frozen",
        lambda r: ruled(r, STRIKE, HIT, *TRAVEL, FOOT, frozen={"to_cue": [2]})["fouls"],
    ),
    "jump.over_ball": (
        "foul",
        lambda r: ruled({"preset": "nine_ball_wpa"} | r, STRIKE, {"t": "jump_over", "over": 3},
                        HIT, FOOT)["fouls"],
    ),
    "free_shot_mode": (
        "shot_plus_visit",
        lambda r: ruled({"preset": "black_ball"} | r, STRIKE, HIT, FOOT, discipline="black_ball",
                        free_shot=True)["next_player"],
    ),
    "spot.order": (
        "ascending",
        lambda r: ruled({"preset": "black_ball"} | r, STRIKE, HIT, FOOT,
                        *({"t": "off_table", "ball": b} for b in (3, 8, 9)),
                        discipline="black_ball", on_table=[2, 3, 8, 9])["spotted"],
    ),
    "scoop": (
        "report", lambda r: ruled(r, STRIKE, {"t": "scoop"}, HIT, FOOT)["fouls"],
    ),
    "touch_fouls": (
        "strict",
        lambda r: ruled(r, action=TOUCHING, cue_in_hand="anywhere",
                        pos={"3": {"u": 0.5, "v": 0.51}})["fouls"],
    ),
    "break.area": (
        "baulk",
        lambda r: acted(r, "next_game", "server", state="GAME_OVER", winner="shooter",
                        previous_breaker="shooter")["ball_in_hand"],
    ),
    "break.called": ("shot", called_break),
    "three_foul.penalty": ("loss_of_game", lambda r: third(r)["state"]),
    "stalemate.breaker": ("lag", stalemate),
    "target": (
        1,
        lambda r: straight(r, STRIKE, HIT, {"t": "pocketed", "ball": 2, "pocket": "side_left"},
                           call={"ball": 2, "pocket": "side_left"})["state"],
    ),
    "points.foul": (-3, lambda r: straight(r, STRIKE)["score"]),
    "points.breaking_foul": (-3, lambda r: straight(r, STRIKE, is_break=True)["score"]),
    "points.third_foul": (-3, lambda r: third(r)["score"]),
    "break.illegal_options": (["accept_table"], lambda r: eight_broken(r, 1)["options"]),
    "break.eight": ("win", lambda r: eight_broken(r, 1, EIGHT_DOWN)["state"]),
    "claim_cleared_group": (
        True, lambda r: eight(r, action=CALL_8, on_table=[1, 8]).get("reason"),
    ),
    "wedged": (
        "held_is_pocketed",
        lambda r: ruled(r, action=WEDGED).get("reason"),
    ),
    "spot.contact": (True, spotted),
    "spot.gap_mm": (5.0, spotted),
    "three_foul.limit": (2, lambda r: fouled(r, 2)),
    "settle.seconds": (
        8.0,
        lambda r: ruled(r, STRIKE, HIT, FOOT, {"t": "settled_drop", "ball": 3, "after_s": 6.0,
                                               "pocket": "foot_left"})["restored"],
    ),
    "shot_clock.imposed_max_s": (None, imposed),
    "shot_clock.needs_warning": (
        False, lambda r: imposed(_merged(r, {"shot_clock": {"imposed_max_s": None}}), False),
    ),
    "time_out.max_s": (60.0, time_out),
    "time_out.before_last_set": (0, lambda r: time_out(_merged(r, {"match": {"sets_to_win": 2}}))),
    "time_out.in_last_set": (0, time_out),
    "concede_scope": ("match", lambda r: acted(r, "concede")["state"]),
    "late.seconds": (60.0, lambda r: late(r, 100.0)),
    "late.effect": ("award_match", lambda r: late(r, 1000.0)),
    "advice": ("unsportsmanlike", lambda r: conduct(r, "advice")),
    "practice": ("unsportsmanlike", lambda r: conduct(r, "practice")),
    "play_suspended": ("unsportsmanlike", lambda r: conduct(r, "play_suspended")),
    "stalemate.extra_visits": (1, no_progress),
    "stalemate.no_legal_shot": (True, no_legal_shot),
    "tolerance.frozen_mm": (1.0, declared_frozen),
    "tolerance.graze_deg": (85.0, near_and_thin),
}  # fmt: skip
"""For each key: another value than EPBF's, and something that it must change."""


def _close_lag():
    return [*FAIR_LAG[:-1], FAIR_LAG[-1] | {"gap_to_head_cushion_mm": 45}]


def _merged(rules, more):
    return {k: {**more.get(k, {}), **rules.get(k, {})} for k in {*rules, *more}}


def _one_game(rules):
    return _merged(rules, {"match": {"games_to_win": 1}})
