"""The state of a match: one immutable value, and the description that never changes.

``shared_rules.match.apply`` is the only thing that makes a new one.  Seats are 0 and 1; times are
seconds of the server's clock and come in with the orders.
"""

from enum import StrEnum
from typing import Annotated, Literal

import msgspec

from shared_rules.acts import Claimable
from shared_rules.events import Event, Interference, Pocket, Rail
from shared_rules.groups import Group
from shared_rules.ruleset import Ruleset
from shared_rules.seat import Seat as Seat
from shared_rules.table import Position, TableFrame

Hand = Literal["none", "head", "baulk", "anywhere"]
Name = Annotated[str, msgspec.Meta(min_length=1, max_length=32)]


class Phase(StrEnum):
    """Where a match stands (RULES 0.7)."""

    WAITING_FOR_PLAYERS = "WAITING_FOR_PLAYERS"
    LAG = "LAG"
    LAG_CHOICE = "LAG_CHOICE"
    LAG_REFEREE_DECISION = "LAG_REFEREE_DECISION"
    PLACE_CUE_FOR_BREAK = "PLACE_CUE_FOR_BREAK"
    RERACK = "RERACK"
    SHOT_RUNNING = "SHOT_RUNNING"
    AWAIT_SHOT = "AWAIT_SHOT"
    PLACE_CUE_ANYWHERE = "PLACE_CUE_ANYWHERE"
    PLACE_CUE_HEAD = "PLACE_CUE_HEAD"
    PLACE_CUE_BAULK = "PLACE_CUE_BAULK"
    FREE_SHOT = "FREE_SHOT"
    DECIDE_AFTER_BREAK_FOUL = "DECIDE_AFTER_BREAK_FOUL"
    DECIDE_AFTER_PUSH_OUT = "DECIDE_AFTER_PUSH_OUT"
    DECIDE_AFTER_ILLEGAL_BREAK = "DECIDE_AFTER_ILLEGAL_BREAK"
    DECIDE_EIGHT_ON_BREAK = "DECIDE_EIGHT_ON_BREAK"
    DECIDE_REBREAK = "DECIDE_REBREAK"
    DECIDE_CLAIM = "DECIDE_CLAIM"
    REFEREE_PENALTY = "REFEREE_PENALTY"
    SUSPENDED = "SUSPENDED"
    TIME_OUT = "TIME_OUT"
    BETWEEN_GAMES = "BETWEEN_GAMES"
    GAME_OVER = "GAME_OVER"
    SET_OVER = "SET_OVER"
    MATCH_OVER = "MATCH_OVER"


class Option(StrEnum):
    """What a decider may choose (RULES 0.5)."""

    BREAK = "break"
    GIVE_BREAK = "give_break"
    ACCEPT_TABLE = "accept_table"
    BALL_IN_HAND_ANYWHERE = "ball_in_hand_anywhere"
    BALL_IN_HAND_HEAD = "ball_in_hand_head"
    RERACK_SELF_BREAKS = "rerack_self_breaks"
    RERACK_OFFENDER_BREAKS = "rerack_offender_breaks"
    PASS_BACK = "pass_back"
    SPOT_8_AND_CONTINUE = "spot_8_and_continue"
    SPOT_8_BALL_IN_HAND_HEAD = "spot_8_ball_in_hand_head"
    REBREAK = "rebreak"
    REQUIRE_REBREAK = "require_rebreak"
    CUE_IN_POSITION = "cue_in_position"
    CUE_IN_HAND_BAULK = "cue_in_hand_baulk"
    RELAG = "relag"
    LAG_STANDS = "lag_stands"
    # a referee's penalties (F6.16p)
    WARNING = "warning"
    STANDARD_FOUL = "standard_foul"
    SERIOUS_FOUL = "serious_foul"
    LOSS_OF_RACK = "loss_of_rack"
    LOSS_OF_SET = "loss_of_set"
    LOSS_OF_MATCH = "loss_of_match"
    EJECTION = "ejection"
    # on a claim of the other player, without a referee (N9.9a)
    DISAGREE = "disagree"
    AGREE = "agree"


class Stroke(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A stroke as the player gives it.

    ``speed``: cue speed before contact, m/s.  ``heading_deg``: direction in the plane, 0 = +x,
    counter-clockwise.  ``tip``: offset in ball radii across the cue, right and above positive.
    ``follow_through``: how far the cue goes on after the blow, m; None: as the arm stops it.
    Bounds are those of a human arm and of the ball; a tip offset of 1 is the ball's edge.
    """

    speed: Annotated[float, msgspec.Meta(gt=0.0, le=13.0)]
    heading_deg: Annotated[float, msgspec.Meta(ge=-360.0, le=360.0)]
    elevation_deg: Annotated[float, msgspec.Meta(ge=0.0, le=85.0)] = 0.0
    tip: tuple[
        Annotated[float, msgspec.Meta(ge=-1.0, le=1.0)],
        Annotated[float, msgspec.Meta(ge=-1.0, le=1.0)],
    ] = (0.0, 0.0)
    follow_through: Annotated[float, msgspec.Meta(ge=0.0, le=0.5)] | None = None


class Call(msgspec.Struct, frozen=True, kw_only=True):
    """What a player calls before a stroke: one ball and its pocket, or a safety (G.1.6)."""

    ball: int | None = None
    pocket: Pocket | None = None
    safety: bool = False


class ShotClock(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A shot clock: a table's option from the start, or imposed by the referee (N9.9g).

    ``extension_s``: what each player may add to it once a rack; 0: nothing.  It is an option of
    the table, as other federations have it: the official rules know time-outs alone.
    """

    limit_s: Annotated[float, msgspec.Meta(ge=5.0, le=600.0)]
    imposed: bool = False
    extension_s: Annotated[float, msgspec.Meta(ge=0.0, le=600.0)] = 0.0


class MatchDescription(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What is fixed before a match begins; stored with it and sent to everyone who joins.

    ``referee``: whether one sits at the table; without one, N9.1.4 is judged as LAG.4a and the
    players settle between them what only people can see (N9.9a).  ``referee_s``: his time to choose
    what is his to choose; running out, the mildest stands, so that no match hangs on an absentee.
    """

    match_id: str
    players: tuple[Name, Name]
    ruleset: Ruleset
    frame: TableFrame = TableFrame()
    shot_clock: ShotClock | None = None
    decision_s: Annotated[float, msgspec.Meta(ge=5.0, le=600.0)] = 60.0
    lag_s: Annotated[float, msgspec.Meta(ge=5.0, le=600.0)] = 60.0
    referee: bool = False
    referee_s: Annotated[float, msgspec.Meta(ge=5.0, le=3600.0)] = 300.0


class LagStroke(msgspec.Struct, frozen=True, kw_only=True):
    """A committed lag stroke, unseen by the other side until both are in; ``at`` server time."""

    stroke: Stroke
    at: float


class LagState(msgspec.Struct, frozen=True, kw_only=True):
    """The lag in progress: where each ball lies and which strokes are in.

    Seat 0 lags on the left half as seen from the head (+y), seat 1 on the right.  ``struck`` says
    whose stroke is in; ``strokes`` holds them, the other side's hidden by ``view.public_state``.
    ``would_win``: whose lag it is if the referee lets a late stroke stand (N9.1.4).
    """

    balls: tuple[Position, Position]
    placed: tuple[bool, bool] = (False, False)
    strokes: tuple[LagStroke | None, LagStroke | None] = (None, None)
    attempt: int = 1
    struck: tuple[bool, bool] = (False, False)
    would_win: Seat | None = None


class RunningShot(msgspec.Struct, frozen=True, kw_only=True):
    """The shot in progress: who struck what, when, from which table.

    ``strokes``: pairs of ball and stroke with its own time after ``started_at`` (two in a lag).
    ``balls_before``: the table before the stroke, for a void shot.  ``hand_before``: how the cue
    ball was in hand for it.
    """

    number: int
    shooter: Seat | None
    strokes: tuple[tuple[int, float, Stroke], ...]
    started_at: float
    balls_before: dict[int, Position]
    phase_before: Phase
    hand_before: Hand = "none"
    called: tuple[str, ...] = ()  # foul codes that were called on it
    interference: tuple[Interference, ...] = ()  # outside interference that was reported (G.1.9)


class Foul(msgspec.Struct, frozen=True, kw_only=True):
    """One foul: the code of the discipline (``5a``, ``6.2``) and the rule id that it breaks."""

    code: str
    rule_id: str


Site = Literal["as_is", "racked", "head_spot", "center_spot", "in_hand_head"]
"""Where a ball goes for a continuation rack (S14.8)."""


class Rerack(msgspec.Struct, frozen=True, kw_only=True):
    """A continuation rack of straight pool (S14.6, S14.8): which balls are racked, fourteen or all,
    and where the cue ball and the fifteenth go."""

    balls: tuple[int, ...]
    cue_ball: Site = "as_is"
    fifteenth: Site = "as_is"


class Ruling(msgspec.Struct, frozen=True, kw_only=True):
    """What a shot meant: the facts that decided it and what follows.

    ``moments``: seconds after the stroke at which a foul was seen, by its code, where it has one.
    """

    shot: int
    shooter: Seat | None
    fouls: tuple[Foul, ...] = ()
    moments: dict[str, float] = {}
    first_contact: int | None = None
    railed: tuple[int, ...] = ()  # balls driven to a rail (D8.4), in order
    pocketed: tuple[int, ...] = ()
    pockets: dict[int, Pocket] = {}  # of the balls that fell, the cue ball too
    off_table: tuple[int, ...] = ()
    spotted: tuple[int, ...] = ()
    push_out: bool = False
    illegal_break: bool = False  # too few balls to a rail, where that is no foul (E8.3d)
    call: Call | None = None  # what was called for the stroke
    counted: bool = True  # False: an unwarned third foul (N9.9l)
    points: int = 0  # that the shooter has won or lost by it, in straight pool
    next_player: Seat | None = None
    lag_winner: Seat | None = None
    lag_fouls: tuple[tuple[str, ...], tuple[str, ...]] | None = None
    relag: bool = False
    gaps_mm: tuple[float | None, float | None] | None = None
    restored: tuple[int, ...] = ()  # balls put back where they were (G.1.7b, G.1.9b, N9.9n)
    replay: bool = False  # the whole stroke is undone and played again (G.1.7c, G.1.9a)


class Clock(msgspec.Struct, frozen=True, kw_only=True):
    """The clocks of a match.  ``deadline``: server time at which the running clock expires.

    ``purpose``: what runs out then: a shot, a decision, the lag, a time-out.
    ``remaining``: seconds left of a clock that stands still (suspension, time-out).
    ``extended``: who has taken his extension in this rack.
    """

    shot_clock: ShotClock | None = None
    slow_play_warned: bool = False
    deadline: float | None = None
    purpose: Literal["shot", "decision", "lag", "time_out"] | None = None
    remaining: float | None = None
    extended: tuple[bool, bool] = (False, False)


class FrozenBalls(msgspec.Struct, frozen=True, kw_only=True):
    """What touches what before a stroke, as declared from the gaps (D8.4, F6.7e).

    ``to_rail``: balls touching a cushion, the cue ball too.  ``to_cue``: object balls touching the
    cue ball.
    """

    to_rail: tuple[tuple[int, Rail], ...] = ()
    to_cue: tuple[int, ...] = ()


class Interrupted(msgspec.Struct, frozen=True, kw_only=True):
    """What was going on when somebody else had to decide first; a warning goes back to it."""

    phase: Phase
    shooter: Seat | None = None
    decider: Seat | Literal["referee"] | None = None
    options: tuple[Option, ...] = ()
    remaining: float | None = None  # of the clock that stands still


class JudgedShot(msgspec.Struct, frozen=True, kw_only=True):
    """The last stroke that was judged: until the next one it can be judged again (F6.0b).

    ``before``: the match while it ran.  ``events``, ``balls``: what came of it.
    """

    before: "MatchState"
    events: tuple[Event, ...]
    balls: dict[int, Position]


class MatchState(msgspec.Struct, frozen=True, kw_only=True):
    """A match, whole: everything that decides what may happen next."""

    description: MatchDescription
    version: int = 0  # orders applied so far
    phase: Phase = Phase.WAITING_FOR_PLAYERS
    shooter: Seat | None = None
    decider: Seat | Literal["referee"] | None = None
    options: tuple[Option, ...] = ()
    balls: dict[int, Position] = {}  # balls on the bed; the cue ball too, once it lies there
    down: tuple[int, ...] = ()  # balls of the rack that aren't, in the order in which they went
    cue_in_hand: Hand = "none"
    cue_placed: bool = False
    is_break: bool = False
    push_out_available: bool = False
    push_out_declared: bool = False
    call: Call | None = None  # for the coming stroke, or the one that runs
    groups: tuple[Group, Group] | None = None  # by seat; None: the table is open
    scores: tuple[int, int] = (0, 0)  # points of straight pool; may be negative (S14.7d)
    run: int = 0  # points in the running visit
    high_runs: tuple[int, int] = (0, 0)  # each player's longest of the game
    rerack: Rerack | None = None  # what is to be racked, while RERACK
    free_shot: bool = False
    snooker_declared: bool = False
    # Balls are to be spotted first (BB.13b); a match does that at once, only a scenario asks.
    spotting_pending: bool = False
    consecutive_fouls: tuple[int, int] = (0, 0)
    warned: tuple[bool, bool] = (False, False)
    # "seat:ball:cushion" -> safeties in a row (N9.5l)
    near_rail_safeties: dict[str, int] = {}
    games: tuple[int, int] = (0, 0)  # won in the running set
    sets: tuple[int, int] = (0, 0)
    rack_number: int = 0
    racked: bool = False  # the balls of this rack stand
    shot_number: int = 0
    breaker: Seat | None = None
    set_opener: Seat | None = None
    lag_winner: Seat | None = None
    lag: LagState | None = None
    running: RunningShot | None = None
    clock: Clock = Clock()
    time_outs_used: tuple[int, int] = (0, 0)
    time_outs_used_in_last_set: tuple[int, int] = (0, 0)
    time_out_by: Seat | None = None
    stalemate_visits_left: tuple[int, int] | None = None
    stalemate_agreed: tuple[bool, bool] = (False, False)
    resumes_to: Phase | None = None  # phase under a time-out or suspension
    last_ruling: Ruling | None = None
    winner: Seat | None = None  # of the match
    rack_winner: Seat | None = None  # of the last rack, while GAME_OVER or SET_OVER
    frozen: FrozenBalls = FrozenBalls()  # while a stroke is awaited
    rack_opener: Seat | None = None  # whose break this rack was; re-racks do not change it
    game_begun: bool = False  # the break has been struck (N9.3s)
    cue_outside_area: bool = False  # placed outside the head area in spite of being told (N9.2b)
    restorable: dict[int, Position] = {}  # where balls lay before the last shot, for a referee
    watcher_asked_by: Seat | None = None  # N9.9b, for the coming stroke
    cues: tuple[str, str] = ("playing", "playing")  # which cue each player holds (G.1.3a)
    interrupted: Interrupted | None = None  # while a penalty or a claim is decided
    claim: Claimable | None = None  # what the decider is asked to agree to
    claimed: tuple[bool, bool] = (False, False)  # each may ask once a stroke
    last_shot: JudgedShot | None = None  # the server's and the record's; ``view`` hides it

    @property
    def play_phase(self) -> Phase:
        """The phase beneath a pause, a penalty or a claim: where play stands."""
        phase = self.resumes_to or self.phase
        if phase in (Phase.REFEREE_PENALTY, Phase.DECIDE_CLAIM) and self.interrupted is not None:
            return self.interrupted.phase
        return phase
