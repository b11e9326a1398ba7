"""From the kernel's logs to pieces and typed events: crossings, ties, frozen balls, rest."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from physics.geometry import Geometry
from physics.layout import (
    CORNER_CUSHION,
    CORNER_POCKET,
    E_LONG_CONTACT,
    E_OFF_TABLE,
    E_RECONTACT,
    E_ROLL_ONSET,
    E_STOP,
    E_TAKEOFF,
    E_TIP_ON_OTHER,
    EDGE_CUSHION,
    EDGE_POCKET,
    EDGE_RAIL,
    EVENT_HEAD,
    F_BED,
    F_CORNER,
    F_EDGE,
    F_FACE,
    F_LINER,
    F_PAIR,
    F_POST,
    F_SUNK,
    F_TOP,
    STATE_LOG,
    TOP_POCKET,
    TOP_RAIL,
)
from physics.outcome import Piece, Recorded
from physics.state import BallState, Motion
from shared_rules.events import (
    POCKETS,
    RAILS,
    BallBall,
    BedBounce,
    CueRecontact,
    EquipmentContact,
    Event,
    Jaw,
    LongTipContact,
    OffTable,
    Pocketed,
    RailContact,
    RailTop,
    RollOnset,
    Stop,
    Takeoff,
)

Array = NDArray[np.float64]
_MOTIONS = tuple(Motion)


def state_of(ball: int, row: Sequence[float], at: int) -> BallState:
    """The state that starts at column ``at`` of a logged row."""
    x, y, z, vx, vy, vz, wx, wy, wz, motion = row[at : at + STATE_LOG]
    return BallState(ball, (x, y, z), (vx, vy, vz), (wx, wy, wz), _MOTIONS[int(motion)])


def piece_of(ball: int, row: Sequence[float]) -> Piece:
    """The piece of a logged row (columns in ``layout``)."""
    _, start, x, y, z, vx, vy, vz, ax, ay, az, wx, wy, wz, bx, by, bz, number, hole = row
    motion = _MOTIONS[int(number)]
    pocket = POCKETS[int(hole)] if motion is Motion.POCKETED else None
    return Piece(
        ball, start, (x, y, z), (vx, vy, vz), (ax, ay, az), (wx, wy, wz), (bx, by, bz), motion,
        pocket,
    )  # fmt: skip


def read_pieces(rows: Array, balls: Sequence[int]) -> dict[int, list[Piece]]:
    """Pieces by ball from the kernel's log (columns in ``layout``)."""
    pieces: dict[int, list[Piece]] = {ball: [] for ball in balls}
    for row in rows.tolist():
        ball = balls[int(row[0])]
        pieces[ball].append(piece_of(ball, row))
    return pieces


class EventReader:
    """Turns logged events of one shot into typed ones."""

    def __init__(self, balls: Sequence[int], geometry: Geometry) -> None:
        self._balls = balls
        self._edges, self._corners, self._tops = geometry.edges, geometry.corners, geometry.tops
        self._cushions = geometry.cushions

    def _jaw(self, at: float, ball: int, of: Array) -> Jaw:
        """Contact with a jaw ``of`` a pocket and a cushion."""
        pocket, cushion = of.tolist()
        rail = RAILS[self._cushions[int(cushion)].rail]
        return Jaw(at=at, ball=ball, pocket=POCKETS[int(pocket)], rail=rail)

    def _surface(self, kind: int, at: float, ball: int, number: int) -> Event:
        if kind == F_EDGE:
            rail = int(self._edges[number, EDGE_RAIL])
            if rail >= 0:
                return RailContact(at=at, ball=ball, rail=RAILS[rail])
            return self._jaw(at, ball, self._edges[number, [EDGE_POCKET, EDGE_CUSHION]])
        if kind in (F_FACE, F_POST):
            edge = number if kind == F_FACE else number // 2
            return self._jaw(at, ball, self._edges[edge, [EDGE_POCKET, EDGE_CUSHION]])
        if kind == F_LINER:
            return Jaw(at=at, ball=ball, pocket=POCKETS[number])
        if kind == F_CORNER:
            return self._jaw(at, ball, self._corners[number, [CORNER_POCKET, CORNER_CUSHION]])
        if kind == F_BED:
            return BedBounce(at=at, ball=ball)
        if kind == F_TOP:
            rail = int(self._tops[number, TOP_RAIL])
            if rail >= 0:
                return RailTop(at=at, ball=ball, rail=RAILS[rail])
            return RailTop(at=at, ball=ball, pocket=POCKETS[int(self._tops[number, TOP_POCKET])])
        raise ValueError(f"no event for contact kind {kind}")

    def _event(self, kind: int, at: float, ball: int, other: int) -> Event:
        if kind == E_ROLL_ONSET:
            return RollOnset(at=at, ball=ball)
        if kind == E_STOP:
            return Stop(at=at, ball=ball)
        if kind == F_PAIR:
            return BallBall(at=at, a=ball, b=self._balls[other])
        if kind == F_SUNK:
            return Pocketed(at=at, ball=ball, pocket=POCKETS[other])
        if kind == E_TAKEOFF:
            return Takeoff(at=at, ball=ball)
        if kind == E_OFF_TABLE:
            return OffTable(at=at, ball=ball)
        if kind == E_RECONTACT:
            return CueRecontact(at=at, ball=ball)
        if kind == E_LONG_CONTACT:
            return LongTipContact(at=at, ball=ball)
        if kind == E_TIP_ON_OTHER:
            return EquipmentContact(at=at, by="tip", ball=ball)
        return self._surface(kind, at, ball, other)

    def read(self, rows: Array) -> list[Recorded]:
        """Typed events of the kernel's log, in its order."""
        recorded = []
        first, second = EVENT_HEAD, EVENT_HEAD + STATE_LOG
        third, fourth = second + STATE_LOG, second + 2 * STATE_LOG
        for row in rows.tolist():
            kind, at, i, other, turn = int(row[0]), row[1], int(row[2]), int(row[3]), int(row[4])
            ball = self._balls[i]
            before = {ball: state_of(ball, row, first)}
            after = {ball: state_of(ball, row, second)}
            if kind == F_PAIR:
                b = self._balls[other]
                before[b] = state_of(b, row, third)
                after[b] = state_of(b, row, fourth)
            event = self._event(kind, at, ball, other)
            recorded.append(Recorded(event, turn if turn >= 0 else None, before, after))
        return recorded
