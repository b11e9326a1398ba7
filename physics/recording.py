"""From the kernel's logs to pieces and typed events: crossings, ties, frozen balls, rest."""

from collections.abc import Callable, Mapping, Sequence

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
MOTIONS = tuple(Motion)
_POCKETED = Motion.POCKETED
# Of these nothing is told but when and which ball.
_OF_A_BALL: Mapping[int, Callable[..., Event]] = {
    E_ROLL_ONSET: RollOnset,
    E_STOP: Stop,
    E_TAKEOFF: Takeoff,
    E_OFF_TABLE: OffTable,
    E_RECONTACT: CueRecontact,
    E_LONG_CONTACT: LongTipContact,
    F_BED: BedBounce,
}


def state_of(ball: int, row: Sequence[float], at: int) -> BallState:
    """The state that starts at column ``at`` of a logged row."""
    x, y, z, vx, vy, vz, wx, wy, wz, motion = row[at : at + STATE_LOG]
    return BallState(ball, (x, y, z), (vx, vy, vz), (wx, wy, wz), MOTIONS[int(motion)])


def piece_of(ball: int, row: Sequence[float]) -> Piece:
    """The piece of a logged row (columns in ``layout``)."""
    _, start, x, y, z, vx, vy, vz, ax, ay, az, wx, wy, wz, bx, by, bz, number, hole = row
    motion = MOTIONS[int(number)]
    pocket = POCKETS[int(hole)] if motion is _POCKETED else None
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

    def _jaw(self, at: float, ball: int, pocket: float, cushion: float) -> Jaw:
        rail = RAILS[self._cushions[int(cushion)].rail]
        return Jaw(at=at, ball=ball, pocket=POCKETS[int(pocket)], rail=rail)

    def _facing(self, at: float, ball: int, number: int) -> Jaw:
        edge = self._edges[number].tolist()
        return self._jaw(at, ball, edge[EDGE_POCKET], edge[EDGE_CUSHION])

    def _surface(self, kind: int, at: float, ball: int, number: int) -> Event:
        if kind == F_EDGE:
            rail = self._edges.item(number, EDGE_RAIL)
            if rail >= 0.0:
                return RailContact(at=at, ball=ball, rail=RAILS[int(rail)])
            return self._facing(at, ball, number)
        if kind in (F_FACE, F_POST):
            return self._facing(at, ball, number if kind == F_FACE else number // 2)
        if kind == F_LINER:
            return Jaw(at=at, ball=ball, pocket=POCKETS[number])
        if kind == F_CORNER:
            corner = self._corners[number].tolist()
            return self._jaw(at, ball, corner[CORNER_POCKET], corner[CORNER_CUSHION])
        if kind == F_TOP:
            rail = int(self._tops[number, TOP_RAIL])
            if rail >= 0:
                return RailTop(at=at, ball=ball, rail=RAILS[rail])
            return RailTop(at=at, ball=ball, pocket=POCKETS[int(self._tops[number, TOP_POCKET])])
        raise ValueError(f"no event for contact kind {kind}")

    def _event(self, kind: int, at: float, ball: int, other: int) -> Event:
        told = _OF_A_BALL.get(kind)
        if told is not None:
            return told(at=at, ball=ball)
        if kind == F_PAIR:
            return BallBall(at=at, a=ball, b=self._balls[other])
        if kind == F_SUNK:
            return Pocketed(at=at, ball=ball, pocket=POCKETS[other])
        if kind == E_TIP_ON_OTHER:
            return EquipmentContact(at=at, by="tip", ball=ball)
        return self._surface(kind, at, ball, other)

    def read(self, rows: Array) -> list[Recorded]:
        """Typed events of the kernel's log, in its order."""
        recorded = []
        own = EVENT_HEAD + 2 * STATE_LOG
        for k, row in enumerate(rows[:, :own].tolist()):
            (
                number, at, i, other, turn,
                x, y, z, vx, vy, vz, wx, wy, wz, motion,
                x1, y1, z1, vx1, vy1, vz1, wx1, wy1, wz1, motion1,
            ) = row  # fmt: skip
            kind, ball = int(number), self._balls[int(i)]
            was = BallState(ball, (x, y, z), (vx, vy, vz), (wx, wy, wz), MOTIONS[int(motion)])
            now = BallState(
                ball, (x1, y1, z1), (vx1, vy1, vz1), (wx1, wy1, wz1), MOTIONS[int(motion1)]
            )
            before, after = {ball: was}, {ball: now}
            if kind == F_PAIR:
                b, states = self._balls[int(other)], rows[k, own:].tolist()
                before[b], after[b] = state_of(b, states, 0), state_of(b, states, STATE_LOG)
            event = self._event(kind, at, ball, int(other))
            recorded.append(Recorded(event, int(turn) if turn >= 0.0 else None, before, after))
        return recorded
