"""What a case gives: the engine's outcome as the JSON object of ``headstring simulate``."""

from collections.abc import Iterable

import msgspec

from physics.case_input import Posed
from physics.outcome import Outcome, Recorded
from physics.record import record
from physics.state import BallState, Motion, Vector
from shared_rules.balls import ball_name
from shared_rules.events import Event

Json = dict[str, object]

#: Fields of events that hold a ball's number.  (``by`` of an equipment contact is a string.)
_BALL_FIELDS = frozenset(("ball", "a", "b", "over", "by"))
_GONE = {Motion.POCKETED: "pocketed", Motion.OFF_TABLE: "off_table", Motion.REST: "rest"}


def result(posed: Posed, outcome: Outcome) -> Json:
    """The whole result but ``wall_ms``."""
    return {
        "id": posed.id,
        "status": "cut" if outcome.cut else "ok",
        "duration": outcome.duration,
        "events": [_event(recorded) for recorded in outcome.events],
        "samples": _samples(posed, outcome),
        "final": {
            ball_name(ball): _final(state, outcome) for ball, state in sorted(outcome.final.items())
        },
    }


def _event(recorded: Recorded) -> Json:
    event = event_object(recorded.event)
    if recorded.round is not None:
        event["round"] = recorded.round
    event["before"] = _states(recorded.before.values())
    event["after"] = _states(recorded.after.values())
    return event


def event_object(event: Event) -> Json:
    """An event as JSON: its kind, its time, and those of its fields that say something."""
    out: Json = {"t": event.__struct_config__.tag, "at": event.at + 0.0}
    for name in event.__struct_fields__:
        value = getattr(event, name)
        # An unset option says nothing: no tie, not frozen, no gap measured.
        if name == "at" or value is None or value is False:
            continue
        is_ball = name in _BALL_FIELDS and isinstance(value, int)
        out[name] = ball_name(value) if is_ball else msgspec.to_builtins(value)
    return out


def _states(states: Iterable[BallState]) -> Json:
    return {ball_name(s.ball): _state(s) for s in sorted(states, key=lambda s: s.ball)}


def _state(state: BallState) -> Json:
    return {"pos": _list(state.pos), "vel": _list(state.vel), "spin": _list(state.spin)}


def _list(v: Vector) -> list[float]:
    # Adding 0.0 turns -0.0 into 0.0, which is the same number and must be the same digits.
    return [v[0] + 0.0, v[1] + 0.0, v[2] + 0.0]


def _samples(posed: Posed, outcome: Outcome) -> list[Json]:
    if not posed.sample_at:
        return []
    played = record(posed.world, outcome)
    return [
        {
            "at": at,
            "balls": {
                ball_name(ball): {**_state(state), "state": str(state.motion)}
                for ball, state in played.states_at(at).items()
            },
        }
        for at in posed.sample_at
    ]


def _final(state: BallState, outcome: Outcome) -> Json:
    out = _state(state)
    out["state"] = _GONE.get(state.motion, "moving")
    pocket = outcome.pockets.get(state.ball)
    if pocket is not None:
        out["pocket"] = pocket
    return out
