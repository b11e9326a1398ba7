"""A round of contacts, shared out to Bullet's worlds.

Pairs of balls that share a ball are a cluster and one problem; a lone pair goes to a world of its
own, and so do a ball at its cushions and a ball on the bed.  What is too fine for Bullet has been
answered by then (``physics.closed_form``).

The worlds are kept for the whole process and Bullet is not for two threads at once, so rounds are
solved one at a time; shots in several threads take turns round by round.
"""

import threading
from collections.abc import Sequence
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from physics.bullet_clusters import solve_cluster
from physics.bullet_worlds import (
    CushionWorld,
    JawWorld,
    PairWorld,
    Row,
    SurfaceWorld,
    shapes,
)
from physics.layout import C_A, C_B, C_CUSHION, C_FINE, C_KIND, C_ON_BED, F_LINER, F_PAIR, J_NORMAL
from physics.state import BallSpec
from physics.table import TableSpec

Array = NDArray[np.float64]

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
        world = self._made.get((ball, numbers, on_bed))
        if world is None:
            first = (self._shapes[numbers[0]],) if len(numbers) == 1 else numbers
            if first == numbers:
                world = CushionWorld(self._table, ball, numbers, on_bed)
            else:
                world = self.at(ball, first, on_bed)
            self._made[ball, numbers, on_bed] = world
        return world


def is_surface(row: Row) -> bool:
    """Whether a contact is with one tangent plane: a liner, a bed, a jaw in flight."""
    return row[C_KIND] >= F_LINER or (row[C_CUSHION] < 0.0 and row[C_ON_BED] == 0.0)


def _clusters(rows: Sequence[Row]) -> list[list[int]]:
    """Rows by cluster: pairs that share a ball belong together."""
    if len(rows) == 1:
        return [[0]]
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
    hard = [k for k, row in enumerate(rows) if row[C_FINE] == 0.0]
    for group in _clusters([rows[k] for k in hard]):
        numbers = [hard[k] for k in group]
        if len(numbers) == 1:
            row = rows[numbers[0]]
            world = _pair_world(specs[int(row[C_A])], specs[int(row[C_B])])
            answers[numbers[0]] = world.solve(row)
        else:
            solved = solve_cluster([rows[k] for k in numbers], specs)
            for k, answer in zip(numbers, solved, strict=True):
                answers[k] = answer


def _solve_cushions(
    rows: Sequence[Row], specs: Sequence[BallSpec], worlds: TableWorlds, answers: Array
) -> None:
    k = 0
    while k < len(rows):
        row, first = rows[k], k
        spec = specs[int(row[C_A])]
        k += 1
        if is_surface(row):
            if row[C_FINE] == 0.0:
                answers[first] = _surface_world(spec).solve(row)
            continue
        while k < len(rows) and rows[k][C_A] == row[C_A]:
            k += 1
        if row[C_FINE] == 0.0:
            group = rows[first:k]
            numbers = tuple([int(r[C_CUSHION]) for r in group])
            if -1 in numbers:
                pushes = _jaw_world(spec).solve(group)
            else:
                pushes = worlds.at(spec, numbers, row[C_ON_BED] == 1.0).solve(group, numbers)
            for m, push in enumerate(pushes, first):
                answers[m, J_NORMAL] = push


def solve_round(
    contacts: Array, count: int, specs: Sequence[BallSpec], worlds: TableWorlds, answers: Array
) -> None:
    """Fill ``answers`` for those of the first ``count`` rows of ``contacts`` that are for Bullet.

    Columns in ``layout``.  ``specs`` are the balls by their index in the state array, ``worlds``
    those of the table.
    """
    rows = contacts[:count].tolist()
    with _one_at_a_time:
        if rows[0][C_KIND] == F_PAIR:
            _solve_pairs(rows, specs, answers)
        else:
            _solve_cushions(rows, specs, worlds, answers)
