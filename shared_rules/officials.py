"""What officials, the server and the clock do besides shots (RULES 9)."""

from msgspec.structs import replace

from shared_rules import commands as c
from shared_rules.announcements import (
    Announcement,
    BallsRestored,
    ClockImposed,
    FoulCalled,
    NoProgressAnnounced,
    Racked,
    SlowPlayWarned,
    WedgedResolved,
)  # fmt: skip
from shared_rules.balls import CUE
from shared_rules.clocks import SHOT_PHASES, started
from shared_rules.disciplines import discipline_of
from shared_rules.events import Interference
from shared_rules.follow import spotted
from shared_rules.fouls import called_foul
from shared_rules.lag_play import open_lag
from shared_rules.nine_ball import NINE
from shared_rules.order_of_play import other, win
from shared_rules.penalties import BETWEEN, due_breaker, foul_apart, next_rack
from shared_rules.placement import overlapped
from shared_rules.rack import check_rack
from shared_rules.recall import (
    check_counts,
    check_recallable,
    fallen_after_all,
    foul_on_stroke,
    interfered,
    lying_otherwise,
)  # fmt: skip
from shared_rules.refusal import Code, Refusal
from shared_rules.rerack import finish_rerack
from shared_rules.state import FrozenBalls, MatchState, Phase, Seat, ShotClock
from shared_rules.table import Position
from shared_rules.turns import (
    begin_rack,
    begin_shot,
    declare_frozen,
    without,
)  # fmt: skip

# Fouls that belong to no stroke: practising (N9.9h) and unsportsmanlike conduct (F6.16).
_APART = ("9h", "6.16")
# What a player may call who takes the part of the referee: what only a person can see (RULES 9),
# such as feet, sleeves and a cue laid down (F6.4, F6.6, F6.12).
SEEN_BY_PEOPLE = ("5e", "5f", "5i", "9h", "6.4", "6.6", "6.12")


def rack_balls(
    state: MatchState, command: c.RackBalls, at: float, say: list[Announcement]
) -> MatchState:
    """The rack stands; from now the breaker's time runs."""
    if state.phase is Phase.RERACK:
        say.append(Racked(rack=state.rack_number + 1, breaker=state.shooter or 0, goes_on=True))
        return finish_rerack(state, command.balls, at, say)
    phase = state.resumes_to or state.phase
    if phase is not Phase.PLACE_CUE_FOR_BREAK or state.racked or state.breaker is None:
        raise Refusal(Code.WRONG_STATE, "no rack is wanted now")
    rules, frame = state.description.ruleset, state.description.frame
    check_rack(discipline_of(rules).rack, command.balls, frame, rules.rack.gap_mm)
    say.append(Racked(rack=state.rack_number, breaker=state.breaker))
    balls = {ball: Position(*place) for ball, place in sorted(command.balls.items())}
    state = replace(state, balls=balls, racked=True)
    if state.phase is phase:
        return started(state, at)
    # Racked while play stands still: the breaker's time begins in full when it goes on.
    limit = state.clock.shot_clock
    remaining = None if limit is None else limit.limit_s
    return replace(state, clock=replace(state.clock, remaining=remaining))


def next_game(state: MatchState, at: float, say: list[Announcement]) -> MatchState:
    """From a game or a set that is over to the next rack (N9.8, W9.1)."""
    return next_rack(state, due_breaker(state), at, say)


def play_rack_again(state: MatchState, at: float, say: list[Announcement]) -> MatchState:
    """A stalemate: nobody scores, who opened this rack opens it again (W9.9), or a lag says who
    breaks (``stalemate.breaker``; S14.12).  Points stay."""
    state = replace(state, last_shot=None, resumes_to=None)
    if state.description.ruleset.stalemate.breaker == "lag":
        return open_lag(_for_a_lag(state), at, say)
    breaker = state.rack_opener
    assert breaker is not None  # a rack is being played
    return begin_rack(state, breaker, at, say, new_game=True)


def _for_a_lag(state: MatchState) -> MatchState:
    """The match with nothing left of the rack that was played."""
    return replace(
        state,
        racked=False,
        is_break=False,
        cue_in_hand="none",
        cue_placed=False,
        rerack=None,
        call=None,
        groups=None,
        push_out_available=False,
        push_out_declared=False,
        run=0,
        near_rail_safeties={},
        restorable={},
        frozen=FrozenBalls(),
        stalemate_visits_left=None,
        stalemate_agreed=(False, False),
        watcher_asked_by=None,
        game_begun=False,
        lag_winner=None,
        last_shot=None,
        resumes_to=None,
    )


def declare_stalemate(
    state: MatchState, command: c.DeclareStalemate, at: float, say: list[Announcement]
) -> MatchState:
    """G.1.12b, and without last visits BB.15."""
    stuck = command.no_legal_shot and state.description.ruleset.stalemate.no_legal_shot
    if state.stalemate_visits_left != (0, 0) and not stuck:
        raise Refusal(Code.THREE_VISITS_NOT_PLAYED, "each player must first have his last visits")
    return play_rack_again(state, at, say)


def announce_no_progress(state: MatchState, say: list[Announcement]) -> MatchState:
    """G.1.12a."""
    if state.stalemate_visits_left is not None:
        raise Refusal(Code.WRONG_STATE, "that has been announced already")
    visits = state.description.ruleset.stalemate.extra_visits
    say.append(NoProgressAnnounced(visits=visits))
    return replace(state, stalemate_visits_left=(visits, visits))


def award_loss(state: MatchState, command: c.AwardLoss, say: list[Announcement]) -> MatchState:
    """A player loses by ruling, absence or disconnection."""
    phase = state.play_phase  # a time-out or a suspension may lie between games
    if phase in BETWEEN and command.scope == "game":
        raise Refusal(Code.WRONG_STATE, "no game is being played")
    if phase is Phase.SET_OVER and command.scope == "set":
        raise Refusal(Code.WRONG_STATE, "no set is being played")
    winner = other(command.seat)
    if state.set_opener is None:
        state = replace(state, set_opener=winner)  # a loss before the first break
    return win(state, winner, command.scope, command.reason, say)


def late_arrival(state: MatchState, command: c.LateArrival, say: list[Announcement]) -> MatchState:
    """N9.9j: who is that late loses the match."""
    rules = state.description.ruleset.late
    if command.late_s < rules.seconds:
        return state  # there is time yet: it is noted, and nothing follows
    return win(state, other(command.seat), "match", rules.effect, say)


def warn_slow_play(state: MatchState, say: list[Announcement]) -> MatchState:
    """N9.9g, F6.15a: advice to hurry, without a penalty."""
    say.append(SlowPlayWarned())
    return replace(state, clock=replace(state.clock, slow_play_warned=True))


def impose_shot_clock(
    state: MatchState, command: c.ImposeShotClock, say: list[Announcement]
) -> MatchState:
    """N9.9g, F6.15b: both players have a limit from the next turn."""
    rules = state.description.ruleset.shot_clock
    if rules.needs_warning and not state.clock.slow_play_warned:
        raise Refusal(
            Code.WARNING_REQUIRED_FIRST, "a shot clock may be imposed only after a warning"
        )
    if rules.imposed_max_s is not None and command.limit_s > rules.imposed_max_s:
        raise Refusal(
            Code.LIMIT_TOO_LONG, f"the limit may be at most {rules.imposed_max_s:g} seconds"
        )
    say.append(ClockImposed(limit_s=command.limit_s))
    imposed = ShotClock(limit_s=command.limit_s, imposed=True)
    return replace(state, clock=replace(state.clock, shot_clock=imposed))


def call_foul_on_opponent(
    state: MatchState, seat: Seat, command: c.CallFoul, at: float, say: list[Announcement]
) -> MatchState:
    """Without a referee the opponent takes his part, on what the table does not see (N9.9a)."""
    if command.seat == seat or command.foul not in SEEN_BY_PEOPLE:
        raise Refusal(Code.NOT_ALLOWED, "you may call only what you saw your opponent do")
    return call_foul(state, command, at, say)


def call_foul(
    state: MatchState, command: c.CallFoul, at: float, say: list[Announcement]
) -> MatchState:
    """A foul that only a person can see; until the next stroke (RULES 9, F6.0b, G.1.10c)."""
    rules = state.description.ruleset
    foul = called_foul(command.foul, rules.discipline, rules.codes)
    if foul is None:
        raise Refusal(Code.MALFORMED, f"there is no foul {command.foul!r}")
    check_recallable(state, command.shot)
    apart = command.foul in _APART or command.between_strokes
    if state.running is not None:
        if command.seat != state.running.shooter:
            raise Refusal(Code.NOT_ALLOWED, "only who plays the shot can foul on it")
        say.append(FoulCalled(seat=command.seat, foul=foul))
        called = (*state.running.called, command.foul)
        return replace(state, running=replace(state.running, called=called))
    judged = state.last_shot
    if judged is not None and not apart and judged.before.shooter == command.seat:
        say.append(FoulCalled(seat=command.seat, foul=foul))
        return foul_on_stroke(state, judged, command.foul, at, say)
    if state.phase is Phase.MATCH_OVER:
        raise Refusal(Code.MATCH_OVER, "the match is over")
    if not apart:
        check_counts(state)
    if state.phase is Phase.RERACK:
        raise Refusal(Code.WRONG_STATE, "the balls are being racked")
    if state.phase in BETWEEN and command.foul not in _APART:
        raise Refusal(Code.WRONG_STATE, "no stroke of the game that is over can be judged again")
    return foul_apart(state, command.seat, command.foul, at, say)


def outside_interference(
    state: MatchState, command: c.OutsideInterference, at: float, say: list[Announcement]
) -> MatchState:
    """G.1.9: the stroke is played again, or the disturbed balls go back, or as a stalemate."""
    if not command.restorable:
        if state.running is not None:
            raise Refusal(Code.BALLS_MOVING, "the balls are still moving")
        if state.play_phase in (*BETWEEN, Phase.MATCH_OVER):
            raise Refusal(Code.WRONG_STATE, "no game is being played")
        return play_rack_again(state, at, say)
    judged = state.last_shot
    lay = state.running.balls_before if state.running is not None else None
    lay = judged.before.balls if lay is None and judged is not None else lay
    if lay is None:
        raise Refusal(Code.WRONG_STATE, "there is no stroke that could have been disturbed")
    if not set(command.balls) <= set(lay):
        raise Refusal(Code.MALFORMED, "a ball was disturbed that was not on the table")
    what = Interference(affects=command.affected, balls=command.balls)
    if state.running is not None:
        interference = (*state.running.interference, what)
        return replace(state, running=replace(state.running, interference=interference))
    assert judged is not None
    return interfered(state, judged, what, at, say)


def restore_balls(
    state: MatchState, command: c.RestoreBalls, say: list[Announcement]
) -> MatchState:
    """G.1.8: balls go back where they lay before the last shot."""
    if CUE in command.balls and state.cue_in_hand != "none":
        raise Refusal(Code.WRONG_STATE, "the cue ball is in hand: its player places it")
    missing = [ball for ball in command.balls if ball not in state.restorable]
    if missing:
        raise Refusal(Code.WRONG_STATE, f"where ball {missing[0]} lay is not known")
    balls = without(state.balls, *command.balls)
    for ball in command.balls:
        place = state.restorable[ball]
        blocking = overlapped(place, balls, state.description.frame, ball)
        if blocking is not None:
            raise Refusal(
                Code.PLACEMENT_OVERLAPS_BALL, f"ball {blocking} is in the place of ball {ball}"
            )
        balls[ball] = place
    say.append(BallsRestored(balls=command.balls))
    restored = {ball: balls[ball] for ball in command.balls}
    state = replace(
        state,
        balls=dict(sorted(balls.items())),
        snooker_declared=False,
        last_shot=lying_otherwise(state.last_shot, restored),
    )
    return declare_frozen(state)


def resolve_wedged(
    state: MatchState, command: c.ResolveWedged, at: float, say: list[Announcement]
) -> MatchState:
    """N9.9m: what is over the opening counts as pocketed by the last shot, the rest stays out."""
    balls, judged = (*command.over_opening, *command.outside), state.last_shot
    lay = state.balls if judged is None else judged.balls
    if not balls or len(set(balls)) != len(balls) or not set(balls) <= set(lay):
        raise Refusal(Code.MALFORMED, "wedged balls are balls on the table, each named once")
    last, shooter = state.last_ruling, state.shooter
    if CUE in balls or last is None or last.shooter is None:
        raise Refusal(Code.WRONG_STATE, "only object balls wedged by a shot can be resolved")
    check_counts(state)
    say.append(WedgedResolved(pocketed=command.over_opening, on_lip=command.outside))
    if judged is not None:
        return fallen_after_all(state, judged, command.over_opening, at, say)
    # The stroke is closed: what it left is cleared away, but a legal one still counts.
    if shooter is None or state.phase not in SHOT_PHASES:
        raise Refusal(Code.WRONG_STATE, "the stroke that wedged them is closed")
    state = replace(state, balls=without(state.balls, *command.over_opening))
    legal = not last.fouls and not last.push_out
    if not command.over_opening or not legal:
        return _spot_nine_again(state, command, say)
    if NINE in command.over_opening:
        return win(state, last.shooter, "game", "nine", say)
    return begin_shot(state, last.shooter, Phase.AWAIT_SHOT, at, say)


def _spot_nine_again(
    state: MatchState, command: c.ResolveWedged, say: list[Announcement]
) -> MatchState:
    """The 9 over the opening after a foul or a push-out comes back like any other 9 then."""
    if NINE in command.over_opening:
        state = spotted(state, (NINE,), say)
    return declare_frozen(state)
