"""Triangles from numpy arrays: the few shapes that the table is made of, as Panda3D geometry."""

import math
from collections.abc import Callable, Sequence

import numpy as np
from panda3d.core import (
    Geom,
    GeomEnums,
    GeomNode,
    GeomTriangles,
    GeomVertexData,
    GeomVertexFormat,
    LVecBase2d,
    NodePath,
    Triangulator,
)

Point2 = tuple[float, float]


class Mesh:
    """Triangles being collected: positions and normals in metres, texture coordinates beside."""

    def __init__(self) -> None:
        self._vertices: list[np.ndarray] = []
        self._indices: list[np.ndarray] = []
        self._count = 0

    def add(
        self, points: np.ndarray, normals: np.ndarray, uv: np.ndarray, triangles: np.ndarray
    ) -> None:
        """Add vertices (n×3, n×3, n×2) and the triangles (k×3) between them."""
        block = np.hstack([points, normals, uv]).astype(np.float32)
        self._vertices.append(block)
        self._indices.append(np.asarray(triangles, dtype=np.uint32) + self._count)
        self._count += len(block)

    def grid(
        self, points: np.ndarray, normals: np.ndarray, uv: np.ndarray, flip: bool = False
    ) -> None:
        """Add a sheet of (rows × columns) points, two triangles a cell.

        Front faces look along rows × columns; ``flip`` turns them round.
        """
        rows, cols = points.shape[:2]
        index = np.arange(rows * cols).reshape(rows, cols)
        a, b = index[:-1, :-1].ravel(), index[1:, :-1].ravel()
        c, d = index[1:, 1:].ravel(), index[:-1, 1:].ravel()
        tris = np.vstack([np.column_stack([a, b, c]), np.column_stack([a, c, d])])
        if flip:
            tris = tris[:, ::-1]
        self.add(points.reshape(-1, 3), normals.reshape(-1, 3), uv.reshape(-1, 2), tris)

    def flat(
        self,
        outline: Sequence[Point2],
        z: float,
        uv: Callable[[np.ndarray], np.ndarray] | None = None,
    ) -> None:
        """Add a level polygon at height z that looks up.

        ``uv`` makes texture coordinates (n×2) of places (n×2); they are the same by default.
        """
        tri = Triangulator()
        points: list[Point2] = []
        for x, y in outline:
            tri.add_polygon_vertex(tri.add_vertex(LVecBase2d(x, y)))
            points.append((x, y))
        tri.triangulate()
        tris = np.array(
            [
                (
                    tri.get_triangle_v0(i),
                    tri.get_triangle_v1(i),
                    tri.get_triangle_v2(i),
                )
                for i in range(tri.get_num_triangles())
            ]
        )
        flat = np.array(points)
        pos = np.column_stack([flat, np.full(len(flat), z)])
        # The triangulator keeps no promise about winding.
        p, q, r = (flat[tris[:, k]] for k in range(3))
        first, second = q - p, r - p
        turned = first[:, 0] * second[:, 1] < first[:, 1] * second[:, 0]
        tris[turned] = tris[turned][:, ::-1]
        up = np.tile((0.0, 0.0, 1.0), (len(flat), 1))
        self.add(pos, up, flat if uv is None else uv(flat), tris)

    def box(self, low: Sequence[float], high: Sequence[float]) -> None:
        """Add a box between two corners."""
        lo, hi = np.asarray(low, float), np.asarray(high, float)
        for axis in range(3):
            u, v = (axis + 1) % 3, (axis + 2) % 3
            for side in (0, 1):
                corners = np.tile(lo, (2, 2, 1))
                corners[:, :, axis] = hi[axis] if side else lo[axis]
                corners[1, :, u] = hi[u]
                corners[:, 1, v] = hi[v]
                normal = np.zeros((2, 2, 3))
                normal[..., axis] = 1.0 if side else -1.0
                self.grid(corners, normal, corners[..., [u, v]], flip=not side)

    @property
    def empty(self) -> bool:
        """Whether nothing was added."""
        return not self._vertices

    def node(self, name: str) -> NodePath:
        """The geometry as a node without a parent."""
        data = GeomVertexData(name, GeomVertexFormat.get_v3n3t2(), GeomEnums.UH_static)
        block = np.ascontiguousarray(np.vstack(self._vertices), dtype=np.float32)
        data.unclean_set_num_rows(len(block))
        data.modify_array_handle(0).copy_data_from(block.tobytes())
        tris = GeomTriangles(GeomEnums.UH_static)
        indices = np.ascontiguousarray(np.vstack(self._indices).ravel(), dtype=np.uint32)
        tris.set_index_type(GeomEnums.NT_uint32)
        handle = tris.modify_vertices()
        handle.unclean_set_num_rows(len(indices))
        handle.modify_handle().copy_data_from(indices.tobytes())
        geom = Geom(data)
        geom.add_primitive(tris)
        holder = GeomNode(name)
        holder.add_geom(geom)
        return NodePath(holder)


def sphere(radius: float, rings: int) -> Mesh:
    """A ball of latitude rings around z, twice as many steps round as rings."""
    mesh = Mesh()
    theta = np.linspace(0, math.pi, rings + 1)[:, None]
    phi = np.linspace(0, 2 * math.pi, 2 * rings + 1)[None, :]
    normal = np.stack(
        [np.sin(theta) * np.cos(phi), np.sin(theta) * np.sin(phi), np.cos(theta) + 0 * phi], axis=2
    )
    uv = np.stack([phi / (2 * math.pi) + 0 * theta, theta / math.pi + 0 * phi], axis=2)
    mesh.grid(normal * radius, normal, uv)
    return mesh


def lathe(profile: Sequence[Point2], steps: int, along: str = "z") -> Mesh:
    """A turned body: (radius, height) points swept round the axis ``along`` (``x`` or ``z``)."""
    mesh = Mesh()
    shape = np.asarray(profile, float)
    normals = -section_normals(shape)
    phi = np.linspace(0, 2 * math.pi, steps + 1)
    ring = np.stack([np.cos(phi), np.sin(phi)], axis=1)
    points = np.empty((len(shape), steps + 1, 3))
    normal = np.empty_like(points)
    points[..., :2] = shape[:, None, :1] * ring[None]
    points[..., 2] = shape[:, None, 1]
    normal[..., :2] = normals[:, None, :1] * ring[None]
    normal[..., 2] = normals[:, None, 1]
    uv = np.empty((len(shape), steps + 1, 2))
    uv[..., 0] = (phi / (2 * math.pi))[None]
    uv[..., 1] = shape[:, None, 1]
    if along == "x":
        points, normal = points[..., [2, 0, 1]], normal[..., [2, 0, 1]]
    mesh.grid(points, normal, uv, flip=True)
    return mesh


def section_normals(section: np.ndarray) -> np.ndarray:
    """Unit normals of a (across, height) section, averaged at its points.

    They lie to the left of the way along the section: a wall drawn upwards looks to smaller
    ``across``, a top drawn outwards looks up.
    """
    step = np.diff(section, axis=0)
    side = _unit(np.stack([-step[:, 1], step[:, 0]], axis=1))
    return _unit(np.vstack([side[:1], side[:-1] + side[1:], side[-1:]]))


def _unit(vectors: np.ndarray) -> np.ndarray:
    """Vectors at length 1."""
    size: np.ndarray = np.linalg.norm(vectors, axis=-1, keepdims=True)
    scaled: np.ndarray = vectors / np.maximum(size, 1e-12)
    return scaled


def arc(centre: Point2, radius: float, start: float, stop: float, steps: int) -> list[Point2]:
    """Points on a circle from angle ``start`` to ``stop`` (radians, either sense), ends too."""
    return [
        (centre[0] + radius * math.cos(a), centre[1] + radius * math.sin(a))
        for a in np.linspace(start, stop, steps + 1)
    ]
