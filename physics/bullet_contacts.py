"""A round of contacts, shared out: to Bullet's worlds, or to the closed form where it is too fine.

Pairs of balls that share a ball are a cluster and one problem; a lone pair goes to a world of its
own, and so do a ball at its cushions and a ball on the bed.

The worlds are kept for the whole process and Bullet is not for two threads at once, so rounds are
solved one at a time; shots in several threads take turns round by round.
"""

import threading
from collections.abc import Sequence
from functools import lru_cache
from math import sqrt

import numpy as np
from numpy.typing import NDArray

from physics.bullet_worlds import (
    CushionWorld,
    JawWorld,
    PairWorld,
    Row,
    SurfaceWorld,
    shapes,
    solve_cluster,
)
from physics.layout import C_CUSHION, C_LEANS, C_ON_BED, F_LINER, F_PAIR
from physics.state import BallSpec
from physics.table import TableSpec

Array = NDArray[np.float64]

NOISE = 2e-3  # of an impulse at a cushion: what Bullet's hulls may be off by
# An approach under this part of the relative speed, of centres or surfaces, is lost in single
# precision.
FINE = 1e-5

_pair_world = lru_cache(maxsize=16)(PairWorld)
_surface_world = lru_cache(maxsize=8)(SurfaceWorld)
_jaw_world = lru_cache(maxsize=8)(JawWorld)
_one_at_a_time = threading.Lock()


class TableWorlds:
    """The worlds in which balls meet the cushions of one table."""

    def __init__(self, table: TableSpec) -> None:
        self._table = table
        self._shapes = shapes(table)
        self._made: dict[tuple[BallSpec, tuple[int, ...], bool], CushionWorld] = {}

    def at(self, ball: BallSpec, numbers: tuple[int, ...], on_bed: bool) -> CushionWorld:
        """That of a ball at one or two cushions, on the bed or off it."""
        if len(numbers) == 1:
            numbers = (self._shapes[numbers[0]],)
        key = (ball, numbers, on_bed)
        world = self._made.get(key)
        if world is None:
            world = self._made[key] = CushionWorld(self._table, ball, numbers, on_bed)
        return world


# A world holds 4 MB, a table's a handful of worlds.
table_worlds = lru_cache(maxsize=6)(TableWorlds)


def _alone(row: Row, specs: Sequence[BallSpec]) -> Row:
    """The normal impulse in closed form, for a contact that is not for Bullet (``_too_gentle``)."""
    a = specs[int(row[1])].mass
    mass = a if row[0] != F_PAIR else 1.0 / (1.0 / a + 1.0 / specs[int(row[2])].mass)
    return [(1.0 + row[8]) * row[6] * mass, 0.0, 0.0, 0.0, 0.0, 1.0]


def _answered(answer: Row, row: Row, specs: Sequence[BallSpec]) -> Row:
    """Bullet's answer, or the closed form where its single precision saw no approach."""
    return answer if answer[0] > 0.0 else _alone(row, specs)


def _polished(answer: Row, row: Row, specs: Sequence[BallSpec]) -> Row:
    """Bullet's answer for one cushion and the bed, without the noise of single precision.

    Nose and bed together push ``(1 + e) m c / (1 - nz^2)``.  Bullet's hulls give that to a few
    parts in 10,000, not the same ones on all sides of a table, and friction that is built up in
    steps of such an impulse tells left from right.
    """
    exact = (1.0 + row[8]) * row[6] * specs[int(row[1])].mass / (1.0 - row[5] * row[5])
    if row[C_ON_BED] == 1.0 and abs(answer[0] - exact) < NOISE * exact:
        return [exact, *answer[1:]]
    return answer


def _too_gentle(row: Row, specs: Sequence[BallSpec]) -> bool:
    """Whether a contact is a tap of two things that press, or lost in single precision."""
    if row[8] > 1.0 or row[C_LEANS] > 0.0:
        return True
    fastest = sqrt(row[9] ** 2 + row[10] ** 2 + row[11] ** 2)
    turns = specs[int(row[1])].radius * sqrt(row[12] ** 2 + row[13] ** 2 + row[14] ** 2)
    if row[0] == F_PAIR:
        turns += specs[int(row[2])].radius * sqrt(row[15] ** 2 + row[16] ** 2 + row[17] ** 2)
    return row[6] < FINE * max(fastest, turns)


def is_surface(row: Row) -> bool:
    """Whether a contact is with one tangent plane: a liner, a bed, a jaw in flight."""
    return row[0] >= F_LINER or (row[C_CUSHION] < 0.0 and row[C_ON_BED] == 0.0)


def _clusters(rows: Sequence[Row]) -> list[list[int]]:
    """Rows by cluster: pairs that share a ball belong together."""
    root: dict[int, int] = {}

    def find(i: int) -> int:
        while root.setdefault(i, i) != i:
            i = root[i]
        return i

    for row in rows:
        a, b = find(int(row[1])), find(int(row[2]))
        root[max(a, b)] = min(a, b)
    groups: dict[int, list[int]] = {}
    for k, row in enumerate(rows):
        groups.setdefault(find(int(row[1])), []).append(k)
    return list(groups.values())


def _solve_pairs(rows: Sequence[Row], specs: Sequence[BallSpec], answers: Array) -> None:
    hard = []
    for k, row in enumerate(rows):
        if _too_gentle(row, specs):
            answers[k] = _alone(row, specs)
        else:
            hard.append(k)
    for group in _clusters([rows[k] for k in hard]):
        numbers = [hard[k] for k in group]
        if len(numbers) == 1:
            row = rows[numbers[0]]
            world = _pair_world(specs[int(row[1])], specs[int(row[2])])
            answers[numbers[0]] = _answered(world.solve(row), row, specs)
        else:
            solved = solve_cluster([rows[k] for k in numbers], specs)
            for k, answer in zip(numbers, solved, strict=True):
                answers[k] = _answered(answer, rows[k], specs)


def _solve_cushions(
    rows: Sequence[Row], specs: Sequence[BallSpec], worlds: TableWorlds, answers: Array
) -> None:
    k = 0
    while k < len(rows):
        row = rows[k]
        ball = int(row[1])
        last = k + 1
        if is_surface(row):
            answers[k] = _alone(row, specs) if _too_gentle(row, specs) else (
                _answered(_surface_world(specs[ball]).solve(row), row, specs)
            )  # fmt: skip
            k = last
            continue
        while last < len(rows) and int(rows[last][1]) == ball:
            last += 1
        fine = [r for r in rows[k:last] if not _too_gentle(r, specs)]
        if len(fine) == last - k:
            numbers = tuple(int(r[C_CUSHION]) for r in fine)
            if min(numbers) < 0:
                solved = _jaw_world(specs[ball]).solve(fine)
            else:
                on_bed = fine[0][C_ON_BED] == 1.0
                solved = worlds.at(specs[ball], numbers, on_bed).solve(fine, numbers)
            if len(solved) == 1:
                solved = [_polished(solved[0], fine[0], specs)]
            for m, answer in enumerate(solved):
                answers[k + m] = _answered(answer, fine[m], specs)
        else:
            for m in range(k, last):
                answers[m] = _alone(rows[m], specs)
        k = last


def solve_round(
    contacts: Array, count: int, specs: Sequence[BallSpec], worlds: TableWorlds, answers: Array
) -> None:
    """Fill ``answers`` for the first ``count`` rows of ``contacts`` (columns in ``layout``).

    ``specs`` are the balls by their index in the state array, ``worlds`` those of the table.
    """
    rows = contacts[:count].tolist()
    with _one_at_a_time:
        if rows[0][0] == F_PAIR:
            _solve_pairs(rows, specs, answers)
        else:
            _solve_cushions(rows, specs, worlds, answers)
