"""Strategies for orders: what a match may get next, sensible or not."""

from hypothesis import strategies as st

from shared_rules import commands as c
from shared_rules import events as ev
from shared_rules.balls import CUE, LAG_A, LAG_B
from shared_rules.calls import call_is_due
from shared_rules.clocks import SHOT_PHASES
from shared_rules.commands import Actor, Order
from shared_rules.disciplines import discipline_of
from shared_rules.events import POCKETS, RAILS
from shared_rules.situation import situation_of
from shared_rules.state import MatchState, Option, Phase, Seat, Stroke
from shared_rules.table import Position
from tests.shared_rules.table import racked, reracked

# In the rack twice, on and behind the head spot, on the head string, away from everything.
STOPS = (
    Position(0.75, 0.0), Position(0.75, 0.08), Position(-0.635, 0.0), Position(-0.7, 0.06),
    Position(-0.635, 0.3), Position(0.1, -0.4), Position(-1.0, -0.2),
)  # fmt: skip
strokes = st.builds(
    Stroke,
    speed=st.floats(0.1, 13.0),
    heading_deg=st.floats(-180.0, 180.0),
    elevation_deg=st.floats(0.0, 20.0),
    tip=st.tuples(st.floats(-0.5, 0.5), st.floats(-0.5, 0.5)),
    follow_through=st.none() | st.floats(0.0, 0.5),
)
places = st.builds(c.PlaceCue, x=st.floats(-1.3, 1.3), y=st.floats(-0.66, 0.66))
head_places = st.builds(c.PlaceCue, x=st.floats(-1.2, -0.65), y=st.floats(-0.55, 0.55))

player_commands = st.one_of(
    places,
    st.builds(c.DeclarePushOut, on=st.booleans()),
    st.builds(c.CallShot, ball=st.integers(1, 15), pocket=st.sampled_from(POCKETS)),
    st.just(c.CallSafety()),
    st.just(c.DeclareSnooker()),
    st.builds(c.RequestSpot, ball=st.none() | st.integers(1, 15)),
    st.builds(c.Strike, stroke=strokes),
    st.builds(c.Choose, option=st.sampled_from(Option)),
    st.just(c.Concede()),
    st.just(c.RequestTimeOut()),
    st.just(c.ExtendShot()),
    st.just(c.EndTimeOut()),
    st.just(c.RequestRuling()),
    st.just(c.RequestRestore()),
    st.just(c.RequestWatcher()),
    st.builds(c.ChangeCue, cue=st.sampled_from(["playing", "break", "jump"])),
    st.just(c.AgreeStalemate()),
    st.deferred(lambda: st.builds(c.Claim, act=claimable)),
)
seats = st.sampled_from([0, 1])
called = st.builds(
    c.CallFoul,
    seat=seats,
    foul=st.sampled_from(["5i", "6.4", "9h", "nonsense"]),
    between_strokes=st.booleans(),
)
interference = st.builds(
    c.OutsideInterference,
    affected=st.booleans(),
    balls=st.tuples() | st.tuples(st.integers(0, 9)),
    restorable=st.booleans(),
)
claimable = st.one_of(
    called, interference, st.just(c.AnnounceNoProgress()), st.just(c.WarnSlowPlay())
)
referee_commands = st.one_of(
    st.just(c.Suspend()),
    st.just(c.Resume()),
    st.just(c.WarnSlowPlay()),
    st.just(c.AnnounceNoProgress()),
    st.just(c.DeclareStalemate()),
    st.just(c.UpholdJudgement()),
    st.builds(c.ImposeShotClock, limit_s=st.floats(5.0, 60.0)),
    called,
    st.builds(c.CallUnsportsmanlike, seat=seats, kind=st.sampled_from(["", "advice", "practice"])),
    interference,
    st.builds(c.RestoreBalls, balls=st.tuples(st.integers(0, 9))),
    st.builds(c.ResolveWedged, over_opening=st.tuples(st.integers(0, 9))),
    st.builds(c.Choose, option=st.sampled_from(Option)),
)
server_commands = st.one_of(
    st.just(c.StartMatch()),
    st.just(c.NextGame()),
    st.just(c.Suspend()),
    st.just(c.Resume()),
    st.builds(c.LateArrival, seat=seats, late_s=st.floats(0.0, 2000.0)),
    st.builds(c.VoidShot, shot=st.integers(0, 30), reason=st.just("x")),
    st.builds(c.ExpireClock, deadline=st.floats(0.0, 1e4)),
    st.builds(c.FinishShot, shot=st.integers(0, 30), events=st.just(()), balls=st.just({})),
    st.builds(c.RackBalls, seed=st.integers(0, 9), balls=st.just({})),
    st.builds(
        c.AwardLoss,
        seat=seats,
        scope=st.sampled_from(["game", "game", "set", "match"]),
        reason=st.just("absent"),
    ),
)


@st.composite
def lag_results(draw, state: MatchState):
    """The end of a lag, fair or not."""
    events: list[ev.Event] = []
    for ball in draw(st.permutations([LAG_A, LAG_B])):
        events.append(ev.CueStrike(ball=ball))
        events += [ev.RailContact(ball=ball, rail="foot")] * draw(st.sampled_from([1, 1, 1, 2]))
        gap = draw(st.sampled_from([10.0, 10.2, 90.0, -2.0]))
        events.append(ev.Rest(ball=ball, gap_to_head_cushion_mm=gap))
    if draw(st.booleans()):
        events.sort(key=lambda e: not isinstance(e, ev.CueStrike))
    assert state.running is not None
    return c.FinishShot(shot=state.running.number, events=tuple(events), balls={})


@st.composite
def shot_results(draw, state: MatchState):
    """The end of a shot: events that may happen to the balls there are, and where they lie."""
    running = state.running
    assert running is not None
    balls = dict(running.balls_before)
    objects = [ball for ball in balls if ball != CUE]
    events: list[ev.Event] = [ev.CueStrike()]
    if objects and draw(st.integers(0, 9)) > 0:
        situation = situation_of(state, running.shooter, before=running.balls_before)
        right = sorted(discipline_of(state.description.ruleset).targets(situation)) or objects
        first = draw(st.sampled_from(right if draw(st.integers(0, 3)) else objects))
        events.append(ev.BallBall(a=CUE, b=first))
    railed = draw(st.lists(st.sampled_from([CUE, *objects]), max_size=5, unique=True))
    events += [ev.RailContact(ball=b, rail=draw(st.sampled_from(RAILS))) for b in railed]
    crossing = draw(st.lists(st.sampled_from([CUE, *objects]), max_size=3, unique=True))
    events += [ev.CrossesCenterString(ball=ball) for ball in crossing]
    if objects and draw(st.integers(0, 9)) == 0:
        events.append(ev.JumpOver(over=draw(st.sampled_from(objects))))
    fallen = draw(st.lists(st.sampled_from([CUE, *objects]), max_size=2, unique=True))
    if draw(st.booleans()):
        fallen = []
    call = state.call
    if call is not None and call.ball in objects and draw(st.booleans()):
        events.append(ev.Pocketed(ball=call.ball, pocket=call.pocket))
        fallen = [ball for ball in fallen if ball != call.ball]
    for ball in fallen:
        if draw(st.integers(0, 5)):
            events.append(ev.Pocketed(ball=ball, pocket=draw(st.sampled_from(POCKETS))))
        else:
            events.append(ev.OffTable(ball=ball))
    if draw(st.integers(0, 20)) == 0:
        events.append(ev.Interference(affects=True))
    resting = {b: p for b, p in balls.items() if b not in _gone(events)}
    if len(resting) <= 3:  # cue ball and last balls: where they stop decides a rack (S14.8)
        stops = draw(st.permutations(STOPS))
        resting = dict(zip(resting, stops, strict=False))
    return c.FinishShot(shot=running.number, events=tuple(events), balls=resting)


def _gone(events):
    return {e.ball for e in events if isinstance(e, ev.Pocketed | ev.OffTable)}


def to_act(state: MatchState) -> frozenset[Actor]:
    """Whose command moves the match on; both players in a lag, nobody once it is over."""
    if state.phase is Phase.LAG and state.lag is not None:
        seats: tuple[Seat, Seat] = (0, 1)
        return frozenset(Actor.of(seat) for seat in seats if not state.lag.struck[seat])
    if state.phase is Phase.TIME_OUT and state.time_out_by is not None:
        return frozenset({Actor.of(state.time_out_by)})
    if state.phase is Phase.SUSPENDED:
        return frozenset({Actor.REFEREE, Actor.SERVER})
    decider = Actor.of_decider(state.decider)
    if decider is not None:
        return frozenset({decider})
    if state.phase in SHOT_PHASES and state.shooter is not None:
        racked = state.phase is not Phase.PLACE_CUE_FOR_BREAK or state.racked
        return frozenset({Actor.of(state.shooter) if racked else Actor.SERVER})
    return frozenset() if state.phase is Phase.MATCH_OVER else frozenset({Actor.SERVER})


@st.composite
def calls(draw, state: MatchState):
    """A call, mostly of what may be called."""
    assert state.shooter is not None
    situation = situation_of(state, state.shooter)
    balls = sorted(discipline_of(state.description.ruleset).targets(situation))
    if not balls or draw(st.integers(0, 9)) == 0:
        return c.CallSafety()
    ball = draw(st.sampled_from(balls if draw(st.integers(0, 9)) else range(1, 16)))
    return c.CallShot(ball=ball, pocket=draw(st.sampled_from(POCKETS)))


@st.composite
def next_orders(draw, state: MatchState, now: float):
    """An order that moves the match on, as the server and the players would give it."""
    if state.clock.deadline is not None and draw(st.integers(0, 14)) == 0:
        deadline = state.clock.deadline
        late = max(now, deadline)
        return Order(by=Actor.CLOCK, at=late, command=c.ExpireClock(deadline=deadline))
    if state.phase is Phase.SHOT_RUNNING and state.running is not None:
        if draw(st.integers(0, 20)) == 0:
            void = c.VoidShot(shot=state.running.number, reason="worker died")
            return Order(by=Actor.SERVER, at=now, command=void)
        results = lag_results(state) if state.running.shooter is None else shot_results(state)
        return Order(by=Actor.SERVER, at=now, command=draw(results))
    actor = draw(st.sampled_from(sorted(to_act(state)) or [Actor.SERVER]))
    if state.phase is Phase.RERACK and state.rerack is not None:
        command: c.Command = c.RackBalls(seed=1, balls=reracked(state))
    elif state.options and state.decider is not None:
        command = c.Choose(option=draw(st.sampled_from(state.options)))
    elif state.phase is Phase.WAITING_FOR_PLAYERS:
        command = c.StartMatch()
    elif state.phase is Phase.PLACE_CUE_FOR_BREAK and not state.racked:
        command = c.RackBalls(seed=1, balls=racked(state.description))
    elif state.phase in SHOT_PHASES and state.cue_in_hand != "none" and not state.cue_placed:
        command = draw(head_places)
    elif state.push_out_available and draw(st.booleans()):
        command = c.DeclarePushOut(on=not state.push_out_declared)
    elif state.phase in SHOT_PHASES and call_is_due(state) and state.call is None:
        command = draw(calls(state))
    elif state.phase is Phase.SUSPENDED:
        command = c.Resume()
    elif state.phase is Phase.TIME_OUT:
        command = c.EndTimeOut()
    elif state.phase in (Phase.GAME_OVER, Phase.SET_OVER, Phase.BETWEEN_GAMES):
        command = c.NextGame()
    elif discipline_of(state.description.ruleset).on is not None and draw(st.integers(0, 4)) == 0:
        command = c.DeclareSnooker()
    else:
        command = c.Strike(stroke=draw(strokes))
    return Order(by=actor, at=now, command=command)


@st.composite
def any_orders(draw, now: float):
    """An order from anyone, sensible or not."""
    actor = draw(st.sampled_from([*Actor, Actor.SEAT_0, Actor.SEAT_1]))
    own = {Actor.REFEREE: referee_commands, Actor.SERVER: server_commands}
    mostly = player_commands if actor.seat is not None else own.get(actor, server_commands)
    anything = st.one_of(player_commands, referee_commands, server_commands)
    command = draw(mostly if draw(st.integers(0, 5)) else anything)
    return Order(by=actor, at=now, command=command)
