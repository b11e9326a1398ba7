"""A table as a shot needs it: cushions and pockets, Bullet's worlds, parameters for the kernels."""

from dataclasses import dataclass
from functools import lru_cache
from math import cos, radians, sin, tan

import numpy as np
from numpy.typing import NDArray

from physics import layout
from physics.bullet_contacts import TableWorlds
from physics.geometry import Geometry, build_geometry
from physics.material import Material
from physics.table import TableSpec

Array = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Bed:
    """What follows from a table's measures alone.

    ``measures`` are the parameters of the kernels (columns in ``layout``), without the material's.
    """

    geometry: Geometry
    worlds: TableWorlds
    measures: Array

    def parameters(self, material: Material, long_contact: float) -> Array:
        """The parameters of a shot on this table; ``long_contact`` (s) is ``simulate``'s."""
        par = self.measures.copy()
        mu, e = material.mu_ball, material.e_cushion
        par[layout.MU_SLIDE : layout.E_BED + 1] = (
            material.mu_slide, material.mu_roll, material.spin_decel, material.g, material.e_ball,
            mu.a, mu.b, mu.c, -1.0 if e is None else e, material.mu_cushion, material.e_bed,
        )  # fmt: skip
        par[layout.LONG_CONTACT] = long_contact
        return par


def _measures(table: TableSpec, rail_width: float) -> Array:
    par = np.zeros(layout.PARAMETERS)
    par[layout.NOSE] = table.nose_height
    par[layout.HALF_LENGTH] = 0.5 * table.length
    par[layout.HALF_WIDTH] = 0.5 * table.width
    par[layout.FLOOR] = table.bed_height
    par[layout.BOUNDED] = 1.0 if table.bounded else 0.0
    draft, lean = radians(table.back_draft_deg), radians(table.liner_lean_deg)
    par[layout.DRAFT_COS], par[layout.DRAFT_SIN] = cos(draft), sin(draft)
    par[layout.LINER_COS], par[layout.LINER_SIN] = cos(lean), sin(lean)
    par[layout.LINER_TAN] = tan(lean)
    par[layout.E_LINER] = table.liner_restitution
    par[layout.LINER_TOP] = max(table.rail_top, table.nose_height)
    par[layout.DEPTH] = table.pocket_depth
    par[layout.RAIL_WIDTH] = rail_width
    return par


# A world holds 4 MB, a table's a handful of worlds.
@lru_cache(maxsize=6)
def bed_of(table: TableSpec) -> Bed:
    """That of a table, made when it is first played on."""
    geometry = build_geometry(table)
    return Bed(geometry, TableWorlds(table), _measures(table, geometry.rail_width))
