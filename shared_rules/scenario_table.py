"""Where the balls of a scenario lie: as far as it says, else where it settles nothing.

Balls without a given place lie off the cushions, off the long string and apart from each other.
"""

from collections.abc import Collection, Mapping

from shared_rules.balls import CUE
from shared_rules.disciplines import discipline_of
from shared_rules.placement import on_table, overlapped
from shared_rules.refusal import Code
from shared_rules.scenario import Frozen, FrozenPair, Given, bad, ball_of
from shared_rules.situation import Situation
from shared_rules.state import MatchDescription
from shared_rules.table import Position, TableFrame

_APART = 1e-3  # m, between balls that nearly touch
OUTSIDE = ("outside_head", "on_head_string", "elsewhere", "outside_baulk")
"""Values of ``placement_zone`` that say that the cue ball was not where it had to be."""
_CUE_U = {"outside_head": 0.30, "elsewhere": 0.30, "outside_baulk": 0.30, "on_head_string": 0.25}
_ZONE_U = {"behind_head": 0.12, "on_head_string": 0.25, "in_baulk": 0.12}
# Places of balls that come to rest where a rack is to stand; two have room there.
_IN_RACK = (4, 10)
_MIDDLE = {9: 9, 15: 8}  # the ball in the middle of row 3, by the number of balls


def _on_rail(pair: FrozenPair, at: int, gap: float, frame: TableFrame) -> Position:
    """A place at a cushion; ``at`` spreads several along it."""
    off = frame.cushion_reach(pair.ball) + gap
    x, y = frame.length / 2 - off, frame.width / 2 - off
    along = (0.2 + 0.15 * at) * frame.width
    return {
        "foot": Position(x, along - frame.width / 2),
        "head": Position(-x, along - frame.width / 2),
        "left": Position(along, y),
        "right": Position(along, -y),
    }[pair.rail]


def _base(given: Given, described: MatchDescription, gone: Collection[int]) -> dict[int, Position]:
    frame, pattern = described.frame, discipline_of(described.ruleset).rack
    balls = {n: frame.from_uv(0.30 + 0.03 * n, 0.30) for n in given.on_table}
    if given.rack_untouched:
        balls |= _fourteen(given, described, gone)
    if given.is_break and sorted(given.on_table) == list(pattern.balls):
        order = [n for n in pattern.balls if n != _MIDDLE[len(pattern.balls)]]
        order.insert(4, _MIDDLE[len(pattern.balls)])
        balls = dict(zip(order, pattern.slots(frame), strict=True))
    played_from = given.is_break or given.cue_in_hand not in ("none", "anywhere")
    area = "baulk" if described.ruleset.break_.area == "baulk" else "head"
    u = _CUE_U.get(given.placement_zone or "", 0.15 if area == "baulk" else 0.20)
    balls[CUE] = frame.from_uv(u, 0.5) if played_from else frame.from_uv(0.40, 0.70)
    return balls


def _fourteen(
    given: Given, described: MatchDescription, gone: Collection[int]
) -> dict[int, Position]:
    """Fourteen balls as racked; the fifteenth is the one that goes, or is called."""
    pattern = discipline_of(described.ruleset).rack
    racked = sorted(given.on_table)
    if len(racked) == len(pattern.balls):
        called = given.call.ball if given.call is not None else None
        wanted = [ball for ball in (*sorted(gone), called, racked[-1]) if ball in racked]
        racked.remove(wanted[0])
    if len(racked) != len(pattern.balls) - 1:
        raise bad("rack_untouched: fourteen balls stand there")
    return dict(zip(racked, pattern.slots(described.frame)[1:], strict=True))


def come_to_rest(
    given: Given, balls: Mapping[int, Position], described: MatchDescription
) -> dict[int, Position]:
    """Where the balls of a shot have stopped: where they lay, as far as ``zones_after`` does not
    say otherwise."""
    frame = described.frame
    slots = discipline_of(described.ruleset).rack.slots(frame)
    room = [slots[k] for k in _IN_RACK if k < len(slots)]
    after = dict(balls)
    for name, zone in (given.zones_after or {}).items():
        ball = ball_of(name)
        if ball not in after or zone == "elsewhere":
            continue
        if zone == "in_rack" and room:
            after[ball] = room.pop(0)
        elif zone == "blocks_head_spot":
            after[ball] = Position(frame.head_spot.x - frame.ball_radius / 2, 0.0)
        elif zone in _ZONE_U:
            after[ball] = frame.from_uv(_ZONE_U[zone], 0.06 + 0.055 * ball)
        else:
            raise bad(f"no ball comes to rest in {zone!r}")
        touched = overlapped(after[ball], after, frame, ball)
        if touched is not None:
            raise bad(f"balls {ball} and {touched} overlap")
    return after


def _zoned(given: Given, frame: TableFrame) -> dict[int, Position]:
    """Places of balls of which only the zone is told, or how far behind the head string."""
    found = {}
    for name, zone in (given.zones or {}).items():
        ball = ball_of(name)
        x = frame.from_uv(_ZONE_U[zone], 0.0).x if zone in _ZONE_U else None
        if zone == "behind_head" and name in (given.distance_to_head_string_mm or {}):
            x = frame.head_string - (given.distance_to_head_string_mm or {})[name] * 1e-3
        if x is not None:
            found[ball] = Position(x, frame.from_uv(0.0, 0.06 + 0.055 * ball).y)
    return found


def layout(
    given: Given, described: MatchDescription, gone: Collection[int] = ()
) -> dict[int, Position]:
    """Where the balls of a scenario lie: as far as it says, else where it settles nothing.

    ``gone``: balls that its shot takes off the table.
    """
    frame = described.frame
    balls = _base(given, described, gone) | _zoned(given, frame)
    if given.near_rail is not None:
        pair = FrozenPair(ball=given.near_rail["ball"], rail=given.near_rail["rail"])
        balls[pair.ball] = _on_rail(pair, 0, frame.ball_radius, frame)
    frozen = given.frozen or Frozen()
    for at, pair in enumerate(frozen.to_rail):
        balls[pair.ball] = _on_rail(pair, at, 0.0, frame)
    reach = frame.cue_ball_radius + frame.ball_radius
    for at, ball in enumerate(frozen.to_cue):
        side = 1 if at % 2 == 0 else -1
        if any(pair.ball == ball for pair in frozen.to_rail):
            x, y = balls[ball]
            inward = -reach if abs(x) > frame.length / 2 - 2 * reach else 0.0
            across = 0.0 if inward else (-reach if y > 0 else reach)
            balls[CUE] = Position(x + (inward if x > 0 else -inward), y + across)
        else:
            balls[ball] = Position(balls[CUE].x + side * reach, balls[CUE].y)
    if given.line_below_foot_spot == "blocked":
        # One on the spot, the rest so near each other that nothing fits between them.
        step = 1.9 * 2 * frame.ball_radius
        for at, ball in enumerate(sorted(given.on_table)):
            x = min(frame.foot_spot.x + at * step, frame.length / 2 - frame.ball_radius)
            balls[ball] = Position(x, 0.0)
    if given.snookered and not given.pos:
        _hide(given, described, balls)
    for name, point in (given.pos or {}).items():
        balls[ball_of(name)] = frame.from_uv(point.u, point.v)
    _check_layout(given, balls, frame)
    return dict(sorted(balls.items()))


def _hide(given: Given, described: MatchDescription, balls: dict[int, Position]) -> None:
    """Put the cue ball at the head cushion and a ball that is not on right in front of it.

    Raises:
        Refusal: ``bad_scenario``: every ball is on, or it is no game of snookers.
    """
    game, frame = discipline_of(described.ruleset), described.frame
    group = None if given.groups is None else given.groups.get("shooter")
    table = Situation(
        ruleset=described.ruleset,
        on_table=frozenset(given.on_table),
        group=group,
        free_shot=given.free_shot,
    )
    hiding = frozenset() if game.on is None else table.on_table - game.on(table)
    if not hiding:
        raise bad("there is no ball that could hide those on")
    reach = frame.cue_ball_radius + frame.ball_radius + _APART
    balls[CUE] = frame.from_uv(0.03, 0.5)
    balls[min(hiding)] = Position(balls[CUE].x + reach, balls[CUE].y)


def _check_layout(given: Given, balls: Mapping[int, Position], frame: TableFrame) -> None:
    known = {CUE, *given.on_table}
    if set(balls) != known:
        raise bad(f"ball {min(set(balls) - known)} is not on the table", Code.UNKNOWN_BALL)
    for name in given.pos or {}:
        ball = ball_of(name)
        if not on_table(balls[ball], frame):
            raise bad(f"ball {ball} lies beside the table")
        touched = overlapped(balls[ball], balls, frame, ball)
        if touched is not None and str(touched) in (given.pos or {}):
            raise bad(f"balls {ball} and {touched} overlap")


def stays_near(given: Given) -> bool:
    """Whether the near-cushion ball of N9.5l ends within a diameter; yes if nothing else is said.

    ``near_rail`` may say where the ball ends: by a key that tells so with false, or by a distance
    in mm or in diameters.
    """
    for key, value in (given.near_rail or {}).items():
        if key in ("ball", "rail", "safeties_by_shooter"):
            continue
        if isinstance(value, bool):
            away = "beyond" in key or "away" in key or "far" in key
            if value == away:
                return False
        elif isinstance(value, int | float):
            if value > (57.15 if key.endswith("mm") else 1.0):
                return False
        elif value in ("away", "far", "farther", "beyond", "elsewhere", "outside"):
            return False
    return True
