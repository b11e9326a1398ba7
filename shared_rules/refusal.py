"""Refusals: every reason for which a message or command is not taken, and whose fault it is.

A refusal changes nothing.  The same codes go over the wire, into the record and into
``headstring judge``.
"""

from enum import StrEnum


class Fault(StrEnum):
    """Who has to change something for the same request to succeed."""

    CLIENT = "client"  # the message itself is wrong: the program that sent it has a fault
    PLAYER = "player"  # well formed, but the rules or the state of the match don't allow it
    SERVER = "server"  # our fault; trying again later may help


class Code(StrEnum):
    """Every refusal code, one enumeration for wire, rules and judge."""

    # the message
    NOT_MSGPACK = "not_msgpack"
    MALFORMED = "malformed"
    TOO_LARGE = "too_large"
    UNKNOWN_MESSAGE = "unknown_message"
    UNSUPPORTED_PROTOCOL = "unsupported_protocol"
    FLOODING = "flooding"
    ID_REUSED = "id_reused"
    OUT_OF_RANGE = "out_of_range"
    # who and where
    NOT_SIGNED_IN = "not_signed_in"
    ALREADY_SIGNED_IN = "already_signed_in"
    NAME_TAKEN = "name_taken"
    BAD_NAME = "bad_name"
    BAD_TOKEN = "bad_token"
    BAD_PASSWORD = "bad_password"
    WEAK_PASSWORD = "weak_password"
    GUESTS_NOT_ALLOWED = "guests_not_allowed"
    PINS_NOT_ALLOWED = "pins_not_allowed"
    SUSPENDED = "suspended"
    MUTED = "muted"
    UNKNOWN_PERSON = "unknown_person"
    UNKNOWN_ACT = "unknown_act"
    UNKNOWN_TABLE = "unknown_table"
    UNKNOWN_MATCH = "unknown_match"
    TABLE_FULL = "table_full"
    TABLE_CLOSED = "table_closed"
    WRONG_INVITATION = "wrong_invitation"
    WATCHING_NOT_ALLOWED = "watching_not_allowed"
    NOT_AT_THIS_TABLE = "not_at_this_table"
    ALREADY_PLAYING = "already_playing"
    IS_REFEREE = "is_referee"
    OWN_MATCH = "own_match"
    TOO_MANY_TABLES = "too_many_tables"
    OPPONENT_PRESENT = "opponent_present"
    GRACE_RUNNING = "grace_running"
    UNFINISHED_MATCH = "unfinished_match"
    BAD_RULESET = "bad_ruleset"
    ACCOUNT_NEEDED = "account_needed"
    UNKNOWN_CHALLENGE = "unknown_challenge"
    NOT_HERE = "not_here"
    BLOCKED = "blocked"
    TOO_MANY = "too_many"
    CHAT_IS_OFF = "chat_is_off"
    # the rules (values of the judge contract)
    BALLS_MOVING = "balls_moving"
    PLAY_SUSPENDED = "play_suspended"
    TIME_OUT_RUNNING = "time_out_running"
    TIME_OUT_USED = "time_out_used"
    NO_EXTENSION = "no_extension"
    NOT_YOUR_TURN = "not_your_turn"
    NOT_AT_TABLE = "not_at_table"
    NOT_DECIDER = "not_decider"
    OPTION_NOT_AVAILABLE = "option_not_available"
    PUSH_OUT_NOT_AVAILABLE = "push_out_not_available"
    CALL_REQUIRED = "call_required"
    ONE_BALL_ONLY = "one_ball_only"
    EIGHT_NOT_CALLABLE = "eight_not_callable"
    NOT_OWN_GROUP = "not_own_group"
    NOT_SNOOKERED = "not_snookered"
    SPOTTING_PENDING = "spotting_pending"
    LEGAL_BALL_IN_FRONT_OF_HEAD_STRING = "legal_ball_in_front_of_head_string"
    OUTSIDE_HEAD_AREA = "outside_head_area"
    OUTSIDE_BED = "outside_bed"
    PLACEMENT_OVERLAPS_BALL = "placement_overlaps_ball"
    NO_RESTORATION_RIGHT = "no_restoration_right"
    THREE_VISITS_NOT_PLAYED = "three_visits_not_played"
    WARNING_REQUIRED_FIRST = "warning_required_first"
    LIMIT_TOO_LONG = "limit_too_long"
    NEXT_SHOT_ALREADY_BEGUN = "next_shot_already_begun"
    EQUIPMENT_OUT_OF_SPEC = "equipment_out_of_spec"
    BACK_CORNERS_SAME_GROUP = "back_corners_same_group"
    WRONG_STATE = "wrong_state"
    CUE_BALL_NOT_PLACED = "cue_ball_not_placed"
    STROKE_OUT_OF_RANGE = "stroke_out_of_range"
    ELEVATION_TOO_LOW = "elevation_too_low"
    NOT_ALLOWED = "not_allowed"
    MATCH_OVER = "match_over"
    TIME_IS_UP = "time_is_up"
    NO_REFEREE = "no_referee"
    STALE_STATE = "stale_state"
    BAD_SCENARIO = "bad_scenario"
    UNKNOWN_BALL = "unknown_ball"
    UNKNOWN_EVENT = "unknown_event"
    UNKNOWN_ACTION = "unknown_action"
    DISCIPLINE_NOT_SUPPORTED = "discipline_not_supported"
    # ours
    INTERNAL = "internal"
    SHUTTING_DOWN = "shutting_down"
    OVERLOADED = "overloaded"


_CLIENT = {
    Code.NOT_MSGPACK, Code.MALFORMED, Code.TOO_LARGE, Code.UNKNOWN_MESSAGE,
    Code.UNSUPPORTED_PROTOCOL, Code.FLOODING, Code.ID_REUSED, Code.OUT_OF_RANGE,
    Code.NOT_SIGNED_IN, Code.ALREADY_SIGNED_IN, Code.BAD_TOKEN, Code.BAD_SCENARIO,
    Code.UNKNOWN_BALL, Code.UNKNOWN_EVENT, Code.UNKNOWN_ACTION, Code.DISCIPLINE_NOT_SUPPORTED,
    Code.STROKE_OUT_OF_RANGE,
}  # fmt: skip
_SERVER = {Code.INTERNAL, Code.SHUTTING_DOWN, Code.OVERLOADED}


def fault_of(code: Code) -> Fault:
    """Whose fault a code says it is."""
    if code in _CLIENT:
        return Fault.CLIENT
    return Fault.SERVER if code in _SERVER else Fault.PLAYER


class Refusal(Exception):
    """A request that is not taken; nothing has changed.

    Attributes:
        code: why, for programs.
        message: why, one sentence for the person who gets it.
    """

    def __init__(self, code: Code, message: str) -> None:
        super().__init__(message)
        self.code = code
        self.message = message

    @property
    def fault(self) -> Fault:
        return fault_of(self.code)

    def __reduce__(self) -> tuple[type["Refusal"], tuple[Code, str]]:
        return type(self), (self.code, self.message)
