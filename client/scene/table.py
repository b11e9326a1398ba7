"""The scene of one table: everything that is drawn, behind one object."""

from collections.abc import Iterable, Mapping, Sequence

from direct.showbase.ShowBase import ShowBase
from panda3d.core import (
    AntialiasAttrib,
    CullBinManager,
    LVecBase3f,
    LVecBase4f,
    RenderState,
    TransformState,
)

from client.scene.balls import Balls, Pose
from client.scene.bed import build_bed
from client.scene.cameras import TableCameras
from client.scene.cue import Cue, CueAim
from client.scene.dress import PLAIN, Dress
from client.scene.layout import LAMP_HEIGHT, lay_out
from client.scene.materials import CLOTHS
from client.scene.mesh import Point2
from client.scene.overlays import Departure, Outline, Overlays
from client.scene.pockets import build_pockets
from client.scene.quality import Quality, quality
from client.scene.rails import build_cushions, build_rails
from client.scene.room import build_room
from physics.table import TableSpec
from shared_rules.balls import CUE, LAG_A, LAG_B

LIGHT_ON_BED = 1.2
"""What the lamp gives in the middle of the bed, in the shaders' units."""
LAMP_SPREAD = 0.9
"""Places of the lamp's outer strips, in its half lengths; as in ``light.glsl``."""


BEHIND = "behind"
"""Bin of what other things mostly hide: drawn after them, its hidden pixels cost nothing."""


def _order_of_drawing() -> None:
    """Balls first, then rails, then the bed and the room: near things hide far ones early."""
    bins = CullBinManager.get_global_ptr()
    if bins.find_bin(BEHIND) < 0:
        bins.add_bin(BEHIND, CullBinManager.BT_fixed, 25)


class TableScene:
    """A table with its balls, cue, marks and camera.

    Attributes:
        layout: where the table's parts lie.
        cameras: the views, see :class:`TableCameras`.
        root: node of everything; its frame is the table's (x head to foot, y left, z up, m).
    """

    def __init__(
        self,
        base: ShowBase,
        table: TableSpec,
        tier: str | Quality = "medium",
        cloth: str = "blue",
        dress: Dress = PLAIN,
    ):
        """Build the table in a window.

        Args:
            base: from :func:`client.scene.open_window`.
            table: real measures; see ``physics.table.TABLES``.
            tier: ``low``, ``medium``, ``high`` (or a :class:`Quality`).
            cloth: a name of ``client.scene.materials.CLOTHS``.
            dress: what the game that is played brings to it.

        Raises:
            ValueError: there is no such tier or cloth.
        """
        self.tier = tier if isinstance(tier, Quality) else quality(tier)
        if cloth not in CLOTHS:
            raise ValueError(f"there is no cloth {cloth!r}: {', '.join(CLOTHS)}")
        _order_of_drawing()
        self.table = table
        self.layout = lay_out(table, dress.baulk)
        self.root = base.render.attach_new_node("table")
        self.root.set_antialias(AntialiasAttrib.M_multisample)
        self._light(table.ball.radius, cloth)
        if self.layout.bounded:
            room = build_room(self.layout, self.tier)
            room.reparent_to(self.root)
            room.set_bin(BEHIND, 1)
            build_rails(self.layout, self.tier).reparent_to(self.root)
            build_cushions(self.layout, self.tier).reparent_to(self.root)
        build_pockets(self.layout, self.tier).reparent_to(self.root)
        bed = build_bed(self.layout, self.tier)
        bed.reparent_to(self.root)
        bed.set_bin(BEHIND, 0)
        radii = dict.fromkeys(range(1, 16), table.ball.radius)
        radii |= dict.fromkeys((CUE, LAG_A, LAG_B), table.cue_ball.radius)
        self._balls = Balls(self.root, self.root, radii, self.tier, dress.reds)
        self._cue = Cue(self.root, self.tier)
        self._overlays = Overlays(self.root, self.tier, table.ball.radius)
        self._targets: tuple[int, ...] = ()
        self._frozen: tuple[tuple[int, int | tuple[float, float]], ...] = ()
        self.cameras = TableCameras(base, self.root, self.layout)

    def _light(self, radius: float, cloth: str) -> None:
        """Hang the lamp, and tell every shader of it."""
        half_l, half_w = self.layout.half_length, self.layout.half_width
        long_half, wide_half = 0.62 * half_l, 0.30 * half_w
        step = LAMP_SPREAD * long_half
        height = LAMP_HEIGHT
        middle = height**2 * sum(1 / (d * d + height**2) ** 2 for d in (-step, 0.0, step))
        self.root.set_shader_input(
            "lamp", LVecBase4f(long_half, wide_half, height, LIGHT_ON_BED / middle)
        )
        # A bed without rails has no edge to darken it.
        edge = 0.0 if self.layout.bounded else 100.0
        self.root.set_shader_input(
            "bed_size",
            LVecBase4f(half_l + edge, half_w + edge, self.layout.nose_height, radius),
        )
        self.root.set_shader_input("cloth_tint", LVecBase3f(*CLOTHS[cloth]))

    # Balls

    def show_balls(self, poses: Mapping[int, Pose]) -> None:
        """Show exactly these balls: ball -> (centre (x, y, z) in m, orientation (w, x, y, z)).

        A ball that isn't named is hidden. An orientation is relative to the ball's resting face
        (number up): (1, 0, 0, 0) for a racked ball, the trajectory's turn since then otherwise.
        """
        self._balls.show(poses)
        if self._targets:
            self.show_targets(self._targets)
        if self._frozen:
            self.show_frozen(self._frozen)

    @property
    def poses(self) -> Mapping[int, Pose]:
        """The balls that are shown."""
        return self._balls.poses

    # Cue

    def show_cue(
        self,
        ball_pos: Sequence[float],
        heading_deg: float,
        elevation_deg: float = 0.0,
        tip: tuple[float, float] = (0.0, 0.0),
        pull_m: float = 0.02,
        radius: float | None = None,
    ) -> None:
        """Lay the cue at a ball; see :class:`CueAim`. ``radius`` (m): the cue ball's by default."""
        x, y, z = ball_pos
        aim = CueAim((x, y, z), heading_deg, elevation_deg, tip, pull_m)
        self._cue.show(aim, self.table.cue_ball.radius if radius is None else radius)

    def hide_cue(self) -> None:
        """Put the cue away."""
        self._cue.hide()

    # Marks

    def show_guide(
        self,
        points: Sequence[Sequence[float]],
        ghost_pos: Sequence[float] | None = None,
        departures: Iterable[Departure] = (),
    ) -> None:
        """Aiming line (m), ghost ball at the contact, and the ways on from there."""
        self._overlays.show_guide(points, ghost_pos, departures)

    def hide_guide(self) -> None:
        """Take the guide away."""
        self._overlays.hide_guide()

    def show_legal_area(self, end: float | None = None) -> None:
        """Where the cue ball in hand may be placed: the bed, or behind the line at x = ``end``."""
        radius = self.table.cue_ball.radius
        half_l, half_w = self.layout.half_length - radius, self.layout.half_width - radius
        # N9.2b, WPA 2.3: the centre behind the string; a ball on it is not behind it.
        right = half_l if end is None else end
        self._overlays.show_area(-half_l, right, -half_w, half_w)

    def hide_legal_area(self) -> None:
        """Take the legal area away."""
        self._overlays.hide_area()

    def show_placement(self, pos: Sequence[float], legal: bool) -> None:
        """The ball in hand held at (x, y): ringed where it may be put, crossed out elsewhere."""
        self._overlays.show_placement(pos, legal)

    def hide_placement(self) -> None:
        """Take the held ball away."""
        self._overlays.hide_placement()

    def show_targets(self, balls: Iterable[int]) -> None:
        """Ring the balls that may be hit first; the rings follow them. None: no ring."""
        self._targets = tuple(balls)
        shown = [self.poses[ball][0] for ball in self._targets if ball in self.poses]
        self._overlays.show_targets(shown)

    def show_frozen(self, pairs: Iterable[tuple[int, int | tuple[float, float]]]) -> None:
        """Mark frozen balls: (ball, other ball) or (ball, point (x, y) of the cushion touched)."""
        self._frozen = tuple(pairs)
        places = []
        for ball, other in self._frozen:
            if ball not in self.poses or (isinstance(other, int) and other not in self.poses):
                continue
            there = self.poses[other][0] if isinstance(other, int) else other
            places.append((self.poses[ball][0], there))
        self._overlays.show_frozen(places)

    def show_moment(self, place: Sequence[float] | None) -> None:
        """Mark the place (m) that a ruling is about; None takes the mark away."""
        self._overlays.show_moment(place)

    def show_fields(self, fields: Iterable[Outline], pockets: Iterable[Point2]) -> None:
        """Mark fields (corners, m) and pockets (places, m) that a stroke is to reach."""
        self._overlays.show_fields(fields, pockets)

    def clear_marks(self) -> None:
        """Take every mark and the cue away."""
        self._targets, self._frozen = (), ()
        self._overlays.hide_all()
        self.hide_cue()

    # View

    def update(self, dt: float) -> None:
        """A frame is about to be drawn; ``dt`` seconds have passed since the last."""
        self.cameras.update(dt)

    def pick_bed_point(self, mouse_x: float, mouse_y: float) -> tuple[float, float] | None:
        """Point (x, y) of the bed under the mouse (-1 to 1 both ways), or None."""
        return self.cameras.pick_bed_point(mouse_x, mouse_y)

    def destroy(self) -> None:
        """Take the table down; the window stays."""
        self.cameras.release()
        self.root.remove_node()
        # A program that draws frame by frame, without Panda3D's tasks, never collects these.
        TransformState.garbage_collect()
        RenderState.garbage_collect()
