"""Pictures of tables: given balls seen by a given camera, written to a file. For tests and docs."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from direct.showbase.ShowBase import ShowBase

from client.scene.balls import Pose
from client.scene.cameras import CameraMode
from client.scene.cue import CueAim
from client.scene.table import TableScene
from client.scene.window import WindowOptions, open_window, resize, screenshot
from physics.table import TABLES, TableSpec

STILL = (1.0, 0.0, 0.0, 0.0)
SHRINK = 2
"""A picture is drawn this many times larger and averaged down, against jagged edges."""


@dataclass(frozen=True)
class Shot:
    """What a picture shows.

    Attributes:
        poses: ball -> (centre in m, orientation (w, x, y, z)).
        camera: the view.
        cue: where the cue lies, if it is out; the view behind the cue takes its aim from it.
        targets: balls to ring.
        behind_head_string: None, or show the area for ball in hand: that behind the head string.
        held: the ball in hand: (x, y) and whether it may be put there.
        follow: place that the following camera keeps in the middle.
    """

    poses: Mapping[int, Pose]
    camera: CameraMode = CameraMode.OVERHEAD
    cue: CueAim | None = None
    targets: tuple[int, ...] = ()
    behind_head_string: bool | None = None
    held: tuple[tuple[float, float], bool] | None = None
    follow: tuple[float, float, float] = field(default=(0.0, 0.0, 0.0))


def at_rest(places: Mapping[int, Sequence[float]], radius: float = 0.028575) -> dict[int, Pose]:
    """Poses of balls lying at (x, y), or (x, y, z), m, with their numbers up."""
    return {
        ball: ((at[0], at[1], at[2] if len(at) > 2 else radius), STILL)
        for ball, at in places.items()
    }


def arrange(scene: TableScene, shot: Shot) -> None:
    """Set a scene as a shot asks, camera included."""
    scene.clear_marks()
    scene.show_balls(shot.poses)
    scene.show_targets(shot.targets)
    if shot.behind_head_string is not None:
        line = scene.layout.head_string_x if shot.behind_head_string else None
        scene.show_legal_area(line)
    if shot.held is not None:
        scene.show_placement(*shot.held)
    if shot.cue is not None:
        cue = shot.cue
        scene.show_cue(cue.ball_pos, cue.heading_deg, cue.elevation_deg, cue.tip, cue.pull_m)
        scene.cameras.aim(cue.ball_pos, cue.heading_deg)
    scene.cameras.follow(shot.follow)
    scene.cameras.set_mode(shot.camera, at_once=True)


def render(
    shots: Mapping[str, Shot],
    folder: str | Path,
    size: tuple[int, int] = (1280, 720),
    table: TableSpec | None = None,
    tier: str = "high",
) -> list[Path]:
    """Draw shots off-screen into ``folder``, one PNG by the name of each.

    Raises:
        NoRenderer: there is no off-screen renderer; the message names the remedy.
        OSError: a file could not be written.
    """
    large = (size[0] * SHRINK, size[1] * SHRINK)
    base = open_window(WindowOptions(size=large, offscreen=True))
    scene = TableScene(base, table or TABLES["9ft"], tier)
    try:
        return [
            _render(base, scene, shot, Path(folder) / f"{name}.png") for name, shot in shots.items()
        ]
    finally:
        scene.destroy()
        resize(base, size)


def _render(base: ShowBase, scene: TableScene, shot: Shot, path: Path) -> Path:
    arrange(scene, shot)
    screenshot(base, path, SHRINK)
    return path
