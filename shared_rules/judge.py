"""``headstring judge``: one scenario in, one ruling out, by the rules code that a match uses.

It builds the state that a scenario describes (``scenario``), gives the match the order that the
scenario is about, and says what came of it in the words of RULES 0.8.  It decides nothing itself.
"""

from collections.abc import Callable, Iterable, Iterator
from typing import Any, get_args

import msgspec

from shared_rules import commands as c
from shared_rules import events as ev
from shared_rules.commands import Actor, ChosenCue, Order
from shared_rules.disciplines import discipline_of
from shared_rules.match import Applied, apply
from shared_rules.order_of_play import other
from shared_rules.outcome import of_applied, of_refusal, spot_report
from shared_rules.refusal import Code, Refusal
from shared_rules.scenario import (
    Scenario,
    bad,
    ball_of,
    balls_known,
    lag_seat,
    read_scenario,
    seat_of,
)
from shared_rules.scenario_compare import differences
from shared_rules.scenario_json import check_plain, name_of, read_line
from shared_rules.scenario_match import build, describe
from shared_rules.scenario_table import come_to_rest, layout, stays_near
from shared_rules.spotting import spot_position
from shared_rules.state import MatchState, Option, Phase, Seat, Stroke
from shared_rules.table import Position
from shared_rules.turns import begin_shot, without

# Refusals that say that the scenario itself makes no sense, not that the rules forbid something.
_SENSELESS = {
    Code.BAD_SCENARIO, Code.UNKNOWN_BALL, Code.UNKNOWN_EVENT, Code.UNKNOWN_ACTION,
    Code.DISCIPLINE_NOT_SUPPORTED, Code.BAD_RULESET, Code.MALFORMED,
}  # fmt: skip

_AT = 0.0
CUES = get_args(ChosenCue)
_PLAIN_STROKE = Stroke(speed=2.0, heading_deg=0.0)


def judge(scenario: dict[str, Any]) -> dict[str, Any]:
    """The ruling of a scenario: ``{"id", "status": "ok", "outcome"}``, or status ``error`` with a
    ``code`` and a ``message`` if it makes no sense (contract of ``headstring judge``)."""
    name = name_of(scenario)
    try:
        check_plain(scenario)
        return {"id": name, "status": "ok", "outcome": _outcome(scenario)}
    except Refusal as refusal:
        return _error(name, refusal)


def _error(name: Any, refusal: Refusal) -> dict[str, Any]:
    code, message = refusal.code.value, refusal.message
    return {"id": name, "status": "error", "code": code, "message": message}


def judge_lines(lines: Iterable[str]) -> Iterator[dict[str, Any]]:
    """The ruling of each line of a scenario file, in order; empty lines have none."""
    for line in lines:
        if line.strip():
            yield _judged_line(line)[1]


def check_lines(lines: Iterable[str]) -> Iterator[str]:
    """Every difference between the rulings and the ``expect`` of a scenario file's lines."""
    for line in lines:
        if not line.strip():
            continue
        scenario, ruling = _judged_line(line)
        expect = scenario.get("expect") if isinstance(scenario, dict) else None
        if isinstance(expect, dict) or ruling["status"] == "error":
            for difference in differences(ruling, expect if isinstance(expect, dict) else {}):
                yield f"{ruling['id']}: {difference}"
        elif expect is not None:
            yield f"{ruling['id']}: expect is no object"


def _judged_line(line: str) -> tuple[Any, dict[str, Any]]:
    try:
        scenario = read_line(line)
    except Refusal as refusal:
        return None, _error(None, refusal)
    return scenario, judge(scenario)


# --- from a scenario to an order --------------------------------------------------------------


def _outcome(raw: dict[str, Any]) -> dict[str, Any]:
    scenario, events = read_scenario(raw)
    action = scenario.action or {}
    kind = action.get("type")
    if kind == "spot":
        return _spot(scenario, action)
    if kind == "check_rack":
        return _check_rack(scenario, action)
    marks_start = kind == "mark_game_started"
    played = bool(events) and not marks_start
    state = build(scenario, played=played)
    try:
        if played:
            return of_applied(_play(state, scenario, events), scenario, kind)
        if marks_start:
            return of_applied(_break(state, scenario), scenario)
        if kind is None:
            raise bad("a scenario has a shot or an action")
        return of_applied(_act(state, scenario, action), scenario, kind)
    except Refusal as refusal:
        if refusal.code in _SENSELESS:
            raise
        return of_refusal(state, refusal)


def _give(state: MatchState, by: Actor, command: c.Command) -> Applied:
    return apply(state, Order(by=by, at=_AT, command=command))


def _play(state: MatchState, scenario: Scenario, events: tuple[ev.Event, ...]) -> Applied:
    """The shot, with what the referee called on it, or with the message that came after it."""
    action = scenario.action or {}
    kind = action.get("type")
    if kind == "call_foul":
        called = _act(state, scenario, action).state
        return _finish(called, scenario, events)
    if kind == "outside_interference":
        if action.get("affected") and not any(isinstance(e, ev.Interference) for e in events):
            events = (*events, ev.Interference(affects=True))
        return _finish(state, scenario, events)
    shot = _finish(state, scenario, events)
    if kind is None:
        return shot
    after = _act(shot.state, scenario, action)
    return Applied(after.state, shot.announcements + after.announcements)


def _finish(state: MatchState, scenario: Scenario, events: tuple[ev.Event, ...]) -> Applied:
    """The balls stop where they lay, as far as nothing else is told; a rack that is wanted then
    stands at once."""
    gone = {e.ball for e in events if isinstance(e, ev.Pocketed | ev.OffTable)}
    balls = come_to_rest(scenario.given, without(state.balls, *gone), state.description)
    near = scenario.given.near_rail
    if near is not None and near.get("ball") in balls and not stays_near(scenario.given):
        balls[near["ball"]] = Position(0.0, 0.0)
    command = c.FinishShot(shot=state.shot_number, events=events, balls=balls)
    shot = _give(state, Actor.SERVER, command)
    if shot.state.phase is not Phase.RERACK or shot.state.rerack is None:
        return shot
    racked = shot.state.rerack.balls
    pattern = discipline_of(state.description.ruleset).rack
    slots = pattern.slots(state.description.frame)[-len(racked) :]
    rack = c.RackBalls(seed=0, balls=dict(zip(racked, slots, strict=True)))
    after = _give(shot.state, Actor.SERVER, rack)
    return Applied(after.state, shot.announcements + after.announcements)


def _break(state: MatchState, scenario: Scenario) -> Applied:
    """The break is struck: from here the game counts as begun (N9.3s)."""
    frame = state.description.frame
    head = Position(frame.head_string - 0.2, 0.0)
    placed = _give(state, Actor.SEAT_0, c.PlaceCue(x=head.x, y=head.y)).state
    return _give(placed, Actor.SEAT_0, c.Strike(stroke=_PLAIN_STROKE))


Maker = Callable[[MatchState, Scenario, dict[str, Any]], c.Command]


def _place(state: MatchState, scenario: Scenario, action: dict[str, Any]) -> c.Command:
    place = action.get("pos")
    if place is None:
        x, y = state.balls[ball_of(action["overlaps"])]
        return c.PlaceCue(x=x, y=y)
    x, y = state.description.frame.from_uv(float(place["u"]), float(place["v"]))
    return c.PlaceCue(x=x, y=y)


def _wedged(state: MatchState, scenario: Scenario, action: dict[str, Any]) -> c.Command:
    over: list[int] = []
    out: list[int] = []
    for jammed in action["balls"]:
        place = over if jammed["center_over_opening"] else out
        place.append(ball_of(jammed["ball"]))
    return c.ResolveWedged(over_opening=tuple(over), outside=tuple(out))


def _restored(state: MatchState, scenario: Scenario, action: dict[str, Any]) -> c.Command:
    balls = action["balls"]
    if not isinstance(balls, list):
        raise bad("restore_balls: balls is a list")
    return c.RestoreBalls(balls=tuple(map(ball_of, balls)))


def _call(state: MatchState, scenario: Scenario, action: dict[str, Any]) -> c.Command:
    shot = state.shot_number - scenario.given.shots_since
    by = seat_of(action["by"]) if isinstance(action.get("by"), str) else None
    offender = _offender(action) if by is None or "player" in action else other(by)
    return c.CallFoul(seat=offender, foul=action["foul"], shot=shot)


def _offender(action: dict[str, Any]) -> Seat:
    """Whom a ruling of an official is against: the shooter, unless it names somebody."""
    player = action.get("player", "shooter")
    seat = seat_of(player if isinstance(player, str) else None)
    if seat is None:
        raise bad(f"{player!r} does not play here")
    return seat


def _award(state: MatchState, scenario: Scenario, action: dict[str, Any]) -> c.Command:
    return c.AwardLoss(
        seat=_offender(action),
        scope=action.get("scope", "game"),
        reason=str(action.get("reason", "")),
    )


def _cue(state: MatchState, scenario: Scenario, action: dict[str, Any]) -> c.Command:
    cue = action["cue"]
    if isinstance(cue, str) and cue not in CUES:
        known = ", ".join(CUES)
        raise Refusal(Code.EQUIPMENT_OUT_OF_SPEC, f"a cue is one of {known}")  # G.1.3
    return c.ChangeCue(cue=cue)


def _called(state: MatchState, scenario: Scenario, action: dict[str, Any]) -> c.Command:
    if action.get("safety"):
        return c.CallSafety()
    balls = action.get("balls", [action.get("ball")])
    if len(balls) > 1:
        raise Refusal(Code.ONE_BALL_ONLY, "only one ball is called for a stroke (G.1.6c)")
    return c.CallShot(ball=ball_of(balls[0]), pocket=action["pocket"])


def _late(state: MatchState, scenario: Scenario, action: dict[str, Any]) -> c.Command:
    absent = seat_of(scenario.given.absent) or 0
    return c.LateArrival(seat=absent, late_s=float(action["minutes"]) * 60.0)


_MAKERS: dict[str, Maker] = {
    "choose": lambda s, g, a: c.Choose(option=Option(a["option"])),
    "penalty": lambda s, g, a: c.Choose(option=Option(a["penalty"])),
    "strike": lambda s, g, a: c.Strike(stroke=_PLAIN_STROKE),
    "place_cue": _place,
    "call": _called,
    "call_safety": lambda s, g, a: c.CallSafety(),
    "request_spot": lambda s, g, a: c.RequestSpot(ball=a.get("ball")),
    "declare_snooker": lambda s, g, a: c.DeclareSnooker(),
    "declare_push_out": lambda s, g, a: c.DeclarePushOut(),
    "concede": lambda s, g, a: c.Concede(),
    "request_time_out": lambda s, g, a: c.RequestTimeOut(),
    "appeal": lambda s, g, a: c.RequestRuling(),
    "request_ruling": lambda s, g, a: c.RequestRuling(),
    "request_restore": lambda s, g, a: c.RequestRestore(),
    "request_watcher": lambda s, g, a: c.RequestWatcher(),
    "change_cue": _cue,
    "agree_stalemate": lambda s, g, a: c.AgreeStalemate(),
    "relag": lambda s, g, a: c.Choose(option=Option.RELAG),
    "lag_stands": lambda s, g, a: c.Choose(option=Option.LAG_STANDS),
    "next_game": lambda s, g, a: c.NextGame(),
    "next_set": lambda s, g, a: c.NextGame(),
    "late_arrival": _late,
    "award_loss": _award,
    "disqualify": lambda s, g, a: c.AwardLoss(
        seat=_offender(a), scope="match", reason="disqualify"
    ),
    "call_foul": _call,
    "unsportsmanlike": lambda s, g, a: c.CallUnsportsmanlike(
        seat=_offender(a), kind=str(a.get("kind", ""))
    ),
    "warn_slow_play": lambda s, g, a: c.WarnSlowPlay(),
    "impose_shot_clock": lambda s, g, a: c.ImposeShotClock(limit_s=float(a["limit_s"])),
    "announce_no_progress": lambda s, g, a: c.AnnounceNoProgress(),
    "declare_stalemate": lambda s, g, a: c.DeclareStalemate(
        no_legal_shot=a.get("no_legal_shot", False)
    ),
    "restore_balls": _restored,
    "resolve_wedged": _wedged,
    "uphold_judgement": lambda s, g, a: c.UpholdJudgement(),
    "suspend": lambda s, g, a: c.Suspend(),
    "resume": lambda s, g, a: c.Resume(),
}
"""Messages of RULES 0.6 as commands."""


def _actor(scenario: Scenario, by: Any) -> Actor:
    seat = seat_of(by if isinstance(by, str) else None)
    if seat is not None:
        return Actor.of(seat)
    if by in (Actor.REFEREE.value, Actor.SERVER.value, Actor.CLOCK.value):
        return Actor(by)
    if scenario.discipline == "lag":
        return Actor.of(lag_seat(scenario.given, by))
    raise bad(f"{by!r} gives no orders here")


def _act(state: MatchState, scenario: Scenario, action: dict[str, Any]) -> Applied:
    """The message of a scenario, given to the match."""
    kind, by = str(action.get("type")), action.get("by")
    if kind in ("turn_started", "two_foul_warning"):  # the server warns as a turn begins
        say: list[Any] = []
        turned = begin_shot(state, 0, Phase.AWAIT_SHOT, _AT, say)
        return Applied(turned, tuple(say))
    maker = _MAKERS.get(kind)
    if maker is None:
        raise bad(f"there is no action {kind!r}", Code.UNKNOWN_ACTION)
    try:
        # As it would come over the wire, so that nothing is taken here that a match never gets.
        command = msgspec.convert(
            msgspec.to_builtins(maker(state, scenario, action)), c.Command, str_keys=True
        )
    except (KeyError, TypeError, ValueError) as error:
        raise bad(f"{kind}: {type(error).__name__}: {error}") from error
    if by == "both":
        first = _give(state, Actor.SEAT_0, command)
        return _give(first.state, Actor.SEAT_1, command)
    return _give(state, _actor(scenario, by), command)


def _spot(scenario: Scenario, action: dict[str, Any]) -> dict[str, Any]:
    """Where a ball goes that the server spots (RULES 11.1)."""
    description = describe(scenario)
    ball = ball_of(action.get("ball"))
    known = balls_known(scenario)
    if ball not in known:
        raise bad(f"this game has the balls 1 to {max(known)}", Code.UNKNOWN_BALL)
    if ball in scenario.given.on_table:
        raise bad("a ball is spotted that is not on the table")
    balls = layout(scenario.given, description)
    place = spot_position(balls, description.frame, description.ruleset.spot)
    where = spot_report(place, balls, description)
    return _plain() | {"spotted": [ball], "spot_position": {str(ball): where}}


def _check_rack(scenario: Scenario, action: dict[str, Any]) -> dict[str, Any]:
    rows = action.get("rows")
    if not isinstance(rows, list) or not all(isinstance(row, list) for row in rows):
        raise bad("a rack is a list of rows")
    racked = [[ball_of(ball) for ball in row] for row in rows]
    fault = discipline_of(describe(scenario).ruleset).rack.fault(racked)
    found = _plain() | {"rack_valid": fault is None}
    return found if fault is None else found | {"reason": fault.code.value}


def _plain() -> dict[str, Any]:
    """The outcome of a question about the table, which changes nothing."""
    return {
        "fouls": [],
        "next_player": None,
        "ball_in_hand": "none",
        "spotted": [],
        "options": [],
        "game_over": None,
        "score": None,
        "state": None,
    }


__all__ = ["CUES", "check_lines", "differences", "judge", "judge_lines"]
