"""The typed events of a shot: the vocabulary in which physics reports and the rules judge.

RULES 0.3.  Each kind is a frozen struct tagged ``t``; ``at`` is in seconds from the start of the
shot.  Balls are numbers (``shared_rules.balls``).  Lengths are in metres unless the name says
otherwise.
"""

from typing import Literal, Union

import msgspec

Rail = Literal["head", "foot", "left", "right"]
Pocket = Literal["head_left", "head_right", "side_left", "side_right", "foot_left", "foot_right"]
Direction = Literal["out", "in"]

RAILS: tuple[Rail, ...] = ("head", "foot", "left", "right")
POCKETS: tuple[Pocket, ...] = (
    "head_left", "head_right", "side_left", "side_right", "foot_left", "foot_right",
)  # fmt: skip


class ShotEvent(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, tag_field="t"):
    """Base of all events: ``at`` is when, in seconds from the start of the shot."""

    at: float = 0.0


class CueStrike(ShotEvent, frozen=True, kw_only=True, tag="cue_strike"):
    """First tip contact: the shot begins."""

    ball: int = 0
    miscue: bool = False


class BallBall(ShotEvent, frozen=True, kw_only=True, tag="ball_ball"):
    """Two balls touch.

    ``tie``: equal numbers mark contacts of the cue ball of which it can't be determined which came
    first.  ``frozen_start``: the pair touched before the shot and the stroke went into it.
    """

    a: int
    b: int
    tie: int | None = None
    frozen_start: bool = False


class PlaysAway(ShotEvent, frozen=True, kw_only=True, tag="plays_away"):
    """The cue ball touched ``b`` before the shot and was played away from it."""

    b: int


class RailContact(ShotEvent, frozen=True, kw_only=True, tag="rail"):
    """Contact with a cushion; ``still_frozen`` while touching it since before the shot."""

    ball: int
    rail: Rail
    still_frozen: bool = False


class LeavesRail(ShotEvent, frozen=True, kw_only=True, tag="leaves_rail"):
    """A ball frozen to that rail, nose or facing, separates from it."""

    ball: int
    rail: Rail


class Jaw(ShotEvent, frozen=True, kw_only=True, tag="jaw"):
    """Contact with a jaw or facing of a pocket, or its liner: part of the rail (D8.1).

    ``rail``: of the cushion that ends in this facing, None for the liner and where it isn't known.
    ``still_frozen`` while touching that rail since before the shot.
    """

    ball: int
    pocket: Pocket
    rail: Rail | None = None
    still_frozen: bool = False


class RailTop(ShotEvent, frozen=True, kw_only=True, tag="rail_top"):
    """Contact with the top of a rail: part of the rail (D8.1)."""

    ball: int
    pocket: Pocket | None = None
    rail: Rail | None = None


class Pocketed(ShotEvent, frozen=True, kw_only=True, tag="pocketed"):
    """The ball is in the pocket for good (D8.3)."""

    ball: int
    pocket: Pocket


class OffTable(ShotEvent, frozen=True, kw_only=True, tag="off_table"):
    """The ball left the table (D8.5); ``returned`` when it came back off a foreign object."""

    ball: int
    returned: bool = False


class ExternalContact(ShotEvent, frozen=True, kw_only=True, tag="external_contact"):
    """The ball touched a lamp, chalk, a person …"""

    ball: int
    object: str = ""


class CrossesHeadString(ShotEvent, frozen=True, kw_only=True, tag="crosses_head_string"):
    """The centre passes strictly beyond the head string; ``out`` = towards the foot."""

    ball: int
    dir: Direction


class CrossesCenterString(ShotEvent, frozen=True, kw_only=True, tag="crosses_center_string"):
    """The centre passes the centre string."""

    ball: int
    dir: Direction | None = None


class CrossesLongString(ShotEvent, frozen=True, kw_only=True, tag="crosses_long_string"):
    """The centre passes the long string."""

    ball: int


class CueRecontact(ShotEvent, frozen=True, kw_only=True, tag="cue_recontact"):
    """The tip touches the cue ball (in a lag: ``ball``) a second time."""

    ball: int = 0


class TipOnCueAtContact(ShotEvent, frozen=True, kw_only=True, tag="tip_on_cue_at_contact"):
    """The tip is still on the cue ball when it meets ``b``, the pair not touching before."""

    b: int
    graze: bool = False


class LongTipContact(ShotEvent, frozen=True, kw_only=True, tag="long_tip_contact"):
    """Tip contact longer than in a normal stroke."""

    ball: int = 0


class Travel(ShotEvent, frozen=True, kw_only=True, tag="travel"):
    """Path length of a ball, needed by N9.5g."""

    ball: int
    mm: float


class Scoop(ShotEvent, frozen=True, kw_only=True, tag="scoop"):
    """The cue ball is lifted by a tip contact below its centre."""

    intentional: bool = True


class JumpOver(ShotEvent, frozen=True, kw_only=True, tag="jump_over"):
    """``ball`` passed above ``over``."""

    over: int
    ball: int = 0


class EquipmentContact(ShotEvent, frozen=True, kw_only=True, tag="equipment_contact"):
    """Hand, sleeve, chalk, bridge or shaft touched a ball."""

    by: str
    ball: int
    intentional: bool = False


class CueTouchesPocketedBall(ShotEvent, frozen=True, kw_only=True, tag="cue_touches_pocketed_ball"):
    """The cue ball touches a ball that lies in a pocket (N9.5m)."""

    ball: int
    pocket_full: bool = False


class SupportedOverPocket(ShotEvent, frozen=True, kw_only=True, tag="supported_over_pocket"):
    """A ball is held at the brink of a pocket only by another (D8.3)."""

    ball: int
    pocket: Pocket
    by: int | None = None


class SettledMove(ShotEvent, frozen=True, kw_only=True, tag="settled_move"):
    """A ball moved a little after all had stopped (G.1.7a)."""

    ball: int
    after_s: float = 0.0
    during_shot: bool = False
    affects: bool = False


class SettledDrop(ShotEvent, frozen=True, kw_only=True, tag="settled_drop"):
    """A ball fell by itself after all had stopped (G.1.7b, N9.9n)."""

    ball: int
    pocket: Pocket
    after_s: float = 0.0
    during_shot: bool = False
    affects: bool = False


class ClockExpired(ShotEvent, frozen=True, kw_only=True, tag="clock_expired"):
    """The shot clock ran out (N9.9g, F6.15c)."""

    limit_s: float


class Interference(ShotEvent, frozen=True, kw_only=True, tag="interference"):
    """Outside interference (G.1.9)."""

    affects: bool = False
    balls: tuple[int, ...] = ()


class Rest(ShotEvent, frozen=True, kw_only=True, tag="rest"):
    """All balls are still, spin included: the shot ends.  In a lag, one event a ball."""

    ball: int | None = None
    gap_to_head_cushion_mm: float | None = None


class RollOnset(ShotEvent, frozen=True, kw_only=True, tag="roll_onset"):
    """A sliding ball begins to roll."""

    ball: int


class Stop(ShotEvent, frozen=True, kw_only=True, tag="stop"):
    """The ball is still, spin included."""

    ball: int


class BedBounce(ShotEvent, frozen=True, kw_only=True, tag="bed_bounce"):
    """An airborne ball meets the bed."""

    ball: int


class Takeoff(ShotEvent, frozen=True, kw_only=True, tag="takeoff"):
    """The ball leaves the bed."""

    ball: int


Event = Union[  # noqa: UP007 - msgspec reads the tagged union from this name
    CueStrike, BallBall, PlaysAway, RailContact, LeavesRail, Jaw, RailTop, Pocketed, OffTable,
    ExternalContact, CrossesHeadString, CrossesCenterString, CrossesLongString, CueRecontact,
    TipOnCueAtContact, LongTipContact, Travel, Scoop, JumpOver, EquipmentContact,
    CueTouchesPocketedBall, SupportedOverPocket, SettledMove, SettledDrop, ClockExpired,
    Interference, Rest, RollOnset, Stop, BedBounce, Takeoff,
]  # fmt: skip
