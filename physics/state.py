"""A ball, what it weighs, where it is and how it moves: the state that pieces and events carry.

States, pieces and recorded events are made by the hundred in every shot: as structs they cost a
tenth of what frozen data classes do.  ``msgspec.structs.replace`` changes fields of one.
"""

from dataclasses import dataclass
from enum import IntEnum
from typing import TypeAlias

import msgspec

Vector: TypeAlias = tuple[float, float, float]

ZERO: Vector = (0.0, 0.0, 0.0)


class Motion(IntEnum):
    """How a ball moves; ``str(motion)`` gives the names of the ``simulate`` record."""

    REST = 0
    SPIN = 1
    ROLL = 2
    SLIDE = 3
    AIR = 4
    POCKETED = 5
    OFF_TABLE = 6

    def __str__(self) -> str:
        return self.name.lower()


@dataclass(frozen=True, slots=True)
class BallSpec:
    """A ball: ``radius`` in m, ``mass`` in kg (solid sphere, I = 2/5 m R^2)."""

    radius: float = 0.028575
    mass: float = 0.170097


class BallState(msgspec.Struct, frozen=True, gc=False):
    """One ball at an instant.

    ``pos`` of the centre in m (a ball on the bed has z = radius), ``vel`` in m/s, ``spin`` the
    angular velocity in rad/s, all in the table frame.
    """

    ball: int
    pos: Vector
    vel: Vector = ZERO
    spin: Vector = ZERO
    motion: Motion = Motion.REST
