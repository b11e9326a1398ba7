"""Cameras: behind the cue, overhead, orbit, broadcast, following, free; and rays to the bed."""

import math
from dataclasses import replace
from enum import StrEnum

from direct.showbase.ShowBase import ShowBase
from panda3d.core import LPoint2f, LPoint3f, LVector3f, NodePath

from client.scene.framing import Clear, View, fit
from client.scene.layout import Layout

Vec3 = tuple[float, float, float]
HALF_LIFE_S = 0.11
"""Time in which a camera makes half of its way to where it is wanted."""


OVER_CUE_DEG, STEEPEST_DEG = 12.0, 82.0
"""The eye of the player is so much higher than the cue, and no higher than that."""


def _direction(turn_deg: float, fall_deg: float) -> Vec3:
    """Unit vector turned from +x and falling below the level."""
    turn, fall = math.radians(turn_deg), math.radians(fall_deg)
    return (math.cos(fall) * math.cos(turn), math.cos(fall) * math.sin(turn), -math.sin(fall))


BROADCAST_FOV_DEG = 36.0
BROADCAST_WAY = _direction(turn_deg=22.0, fall_deg=33.0)


class CameraMode(StrEnum):
    """The views of a table."""

    CUE = "cue"
    OVERHEAD = "overhead"
    ORBIT = "orbit"
    BROADCAST = "broadcast"
    FOLLOW = "follow"
    FREE = "free"


class TableCameras:
    """The camera of a table: set what it should look at, call :meth:`update` every frame."""

    def __init__(self, base: ShowBase, root: NodePath, layout: Layout):
        self._base = base
        self._root = root
        self._layout = layout
        self._mode = CameraMode.OVERHEAD
        self._aim_pos: Vec3 = (layout.head_spot[0], layout.head_spot[1], 0.03)
        self._heading_deg = self._elevation_deg = 0.0
        self._cue_distance, self._cue_rise_deg = 1.12, 17.0
        self._orbit_deg, self._rise_deg, self._distance = -118.0, 34.0, 2.9
        self._orbit_target: Vec3 = (0.0, 0.0, 0.0)
        self._follow: Vec3 = (0.0, 0.0, 0.0)
        self._insets = (0.0, 0.0, 0.0, 0.0)
        self._free = View((0.0, -2.5, 1.6), (0.0, 0.0, 0.0), 42.0)
        self._fitted = self._free
        self._fitted_for: tuple[tuple[float, ...], float] | None = None
        self._view = self._wanted()
        self._apply()

    @property
    def mode(self) -> CameraMode:
        """The view that is chosen."""
        return self._mode

    @property
    def view(self) -> View:
        """Where the camera is now."""
        return self._view

    def set_mode(self, mode: CameraMode | str, at_once: bool = False) -> None:
        """Choose a view; the camera flies there, or is there ``at_once``."""
        self._mode = CameraMode(mode)
        if at_once:
            self.settle()

    def set_view(self, view: View, at_once: bool = False) -> None:
        """Choose a view of one's own: the mode becomes ``free``."""
        self._free = view
        self.set_mode(CameraMode.FREE, at_once)

    def set_insets(self, left: float, right: float, bottom: float, top: float) -> None:
        """Shares of the window that panels cover: overhead and broadcast keep clear."""
        self._insets = (left, right, bottom, top)

    def aim(self, ball_pos: Vec3, heading_deg: float, elevation_deg: float = 0.0) -> None:
        """Ball, heading and elevation of the stroke: the view behind the cue follows."""
        self._aim_pos, self._heading_deg = ball_pos, heading_deg
        self._elevation_deg = elevation_deg

    def follow(self, pos: Vec3) -> None:
        """Place of the ball that the following view keeps in the middle."""
        self._follow = pos

    def orbit(self, turn_deg: float = 0.0, rise_deg: float = 0.0, zoom: float = 1.0) -> None:
        """Turn, raise or (zoom above 1) bring closer the view that is chosen, where it may be."""
        if self._mode is CameraMode.CUE:
            self._cue_rise_deg = min(max(self._cue_rise_deg + rise_deg, 4.0), 70.0)
            self._cue_distance = min(max(self._cue_distance / zoom, 0.35), 2.4)
        else:
            self._orbit_deg = (self._orbit_deg + turn_deg) % 360.0
            self._rise_deg = min(max(self._rise_deg + rise_deg, 6.0), 88.0)
            self._distance = min(max(self._distance / zoom, 0.5), 6.0)

    def look_at(self, target: Vec3) -> None:
        """The point that the orbiting view turns round."""
        self._orbit_target = target

    def settle(self) -> None:
        """Be there at once."""
        self._view = self._wanted()
        self._apply()

    def update(self, dt: float) -> None:
        """Go on towards the wanted view; ``dt`` seconds have passed."""
        wanted = self._wanted()
        share = 1 - 0.5 ** (max(dt, 0.0) / HALF_LIFE_S)
        now = self._view
        self._view = replace(
            wanted,
            eye=_between(now.eye, wanted.eye, share),
            target=_between(now.target, wanted.target, share),
            fov_deg=now.fov_deg + (wanted.fov_deg - now.fov_deg) * share,
            up=_between(now.up, wanted.up, share),
        )
        self._apply()

    def pick_bed_point(
        self, mouse_x: float, mouse_y: float, height: float = 0.0
    ) -> tuple[float, float] | None:
        """Point (x, y) of the plane ``height`` over the bed under the mouse, or None.

        Args:
            mouse_x, mouse_y: from -1 (left, bottom) to 1 (right, top), as Panda3D gives them.
            height: m; a ball's radius picks by its centre.
        """
        near, far = LPoint3f(), LPoint3f()
        if not self._base.camLens.extrude(LPoint2f(mouse_x, mouse_y), near, far):
            return None
        start = self._root.get_relative_point(self._base.cam, near)
        end = self._root.get_relative_point(self._base.cam, far)
        fall = start.z - end.z
        if fall <= 1e-9 or start.z <= height:
            return None
        share = (start.z - height) / fall
        if share > 1.0:
            return None
        return (start.x + (end.x - start.x) * share, start.y + (end.y - start.y) * share)

    def project(self, point: Vec3) -> tuple[float, float] | None:
        """Where a point (m) is in the window, -1 to 1 both ways; None when it is out of view."""
        seen = LPoint2f()
        local = self._base.cam.get_relative_point(self._root, LPoint3f(*point))
        if not self._base.camLens.project(local, seen):
            return None
        return (seen.x, seen.y)

    def side_of(self, point: Vec3) -> float:
        """How far to the left (-1) or right (1) of the view a point (m) lies, in it or not."""
        seen = self._base.cam.get_relative_point(self._root, LPoint3f(*point))
        away = math.hypot(seen.x, seen.y)
        if away < 1e-6:
            return 0.0
        # A half turn of 40 degrees, the edge of most views, is all the way.
        return min(max(seen.x / away / 0.64, -1.0), 1.0)

    def release(self) -> None:
        """Hand the window's camera back, before the table is taken down."""
        self._base.camera.reparent_to(self._base.render)

    def _wanted(self) -> View:
        """The view that the mode asks for."""
        if self._mode is CameraMode.CUE:
            return self._behind_cue()
        if self._mode is CameraMode.OVERHEAD:
            return self._overhead()
        if self._mode is CameraMode.BROADCAST:
            return self._broadcast()
        if self._mode is CameraMode.FREE:
            return self._free
        centre = self._follow if self._mode is CameraMode.FOLLOW else self._orbit_target
        away = self._distance * (0.5 if self._mode is CameraMode.FOLLOW else 1.0)
        return View(_around(centre, self._orbit_deg, self._rise_deg, away), centre, 42.0)

    def _behind_cue(self) -> View:
        # Over the cue, however high its butt is: it would hide the ball from below.
        over_cue = min(self._elevation_deg + OVER_CUE_DEG, STEEPEST_DEG)
        rise = max(self._cue_rise_deg, over_cue)
        eye = _around(self._aim_pos, self._heading_deg + 180.0, rise, self._cue_distance)
        heading = math.radians(self._heading_deg)
        ahead = 0.45
        x, y, z = self._aim_pos
        target = (x + ahead * math.cos(heading), y + ahead * math.sin(heading), z * 0.5)
        return View(eye, target, 38.0)

    def _broadcast(self) -> View:
        """Over the head rail's right corner, the whole table in the clear part of the window."""
        left, right, bottom, top = self._insets
        aspect = self._base.camLens.get_aspect_ratio()
        key = (self._insets, aspect)
        if key != self._fitted_for:
            half_l, half_w = self._layout.outer
            corners = tuple(
                (sx * half_l, sy * half_w, self._layout.rail_top)
                for sx in (1, -1)
                for sy in (1, -1)
            )
            # The head rail may run out at the bottom: there are no balls on it.
            clear = Clear(-0.99 + left, 0.99 - right, -1.10 + bottom, 0.94 - 2 * top)
            self._fitted = fit(corners, BROADCAST_WAY, BROADCAST_FOV_DEG, aspect, clear)
            self._fitted_for = key
        return self._fitted

    def _overhead(self) -> View:
        """Straight down, the head on the left, the whole table in the clear part of the window."""
        left, right, bottom, top = self._insets
        half_l, half_w = (half + 0.04 for half in self._layout.outer)
        aspect = self._base.camLens.get_aspect_ratio()
        fov = 26.0
        tan = math.tan(math.radians(fov / 2))
        clear_x, clear_y = max(1 - left - right, 0.2), max(1 - bottom - top, 0.2)
        height = max(half_w / (tan * clear_y), half_l / (tan * aspect * clear_x)) + 0.05
        shift_x = -(left - right) * tan * aspect * height
        shift_y = -(bottom - top) * tan * height
        return View((shift_x, shift_y, height), (shift_x, shift_y, 0.0), fov, up=(0.0, 1.0, 0.0))

    def _apply(self) -> None:
        """Hand the view to Panda3D."""
        view = self._view
        lens = self._base.camLens
        aspect = lens.get_aspect_ratio()
        half = math.tan(math.radians(view.fov_deg / 2))
        lens.set_fov(2 * math.degrees(math.atan(half * aspect)))
        lens.set_near_far(0.05, 30.0)
        camera = self._base.camera
        camera.reparent_to(self._root)
        camera.set_pos(*view.eye)
        camera.look_at(self._root, LPoint3f(*view.target), LVector3f(*view.up))


def _between(a: Vec3, b: Vec3, share: float) -> Vec3:
    x, y, z = (p + (q - p) * share for p, q in zip(a, b, strict=True))
    return x, y, z


def _around(centre: Vec3, turn_deg: float, rise_deg: float, away: float) -> Vec3:
    """A point ``away`` metres from a centre, turned and raised."""
    turn, rise = math.radians(turn_deg), math.radians(rise_deg)
    flat = away * math.cos(rise)
    return (
        centre[0] + flat * math.cos(turn),
        centre[1] + flat * math.sin(turn),
        centre[2] + away * math.sin(rise),
    )
