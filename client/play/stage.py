"""Puts a frame on the table: balls, cue, guide, marks and the camera, from match and hands."""

import time

from direct.showbase.ShowBase import ShowBase

from client.net.server_clock import ServerClock
from client.net.view import TableView
from client.play.again import Again, again
from client.play.guide import Guide, guide
from client.play.hand import SHOOTING, Hand, Mode, ball_struck, held_stroke, place_of, targets_shown
from client.play.playback import Playback, Shown
from client.play.stroking import REST_M
from client.play.swing import motion_of, way_to_the_bed
from client.scene import CameraMode, TableScene
from client.scene.dress import PLAIN, Dress, dress_of
from client.scene.lines import STRENGTH
from physics.table import TABLES
from physics.trajectory import Trajectory
from shared_rules.balls import CUE
from shared_rules.cushions import nearest_on_rail
from shared_rules.state import MatchState, Phase
from shared_rules.table import Position

VIEWS = ("auto", "cue", "overhead", "broadcast", "orbit", "follow")
FOLLOW_THROUGH_S = 0.7
LINGER_S = 1.0
"""What is shown again stays so long at its end."""
Insets = tuple[float, float, float, float]


class Stage:
    """The scene of the table that is looked at; built when its measures are known."""

    def __init__(self, base: ShowBase, tier: str, playback: Playback | None = None) -> None:
        """``playback``: says where the balls are; None: it goes by the server's clock."""
        self.base = base
        self.tier = tier
        self.scene: TableScene | None = None
        self.playback = playback or Playback()
        self.shown = Shown({}, None, None)
        self.guide = Guide()
        self.guides = True
        """Whether the physics is loaded, so that a guide line can be computed."""
        self._looks: tuple[str, Dress] | None = None
        self._guide_key: tuple | None = None
        self._mode = CameraMode.OVERHEAD
        self._marks: tuple | None = None
        self.guide_s = 0.0
        self.again: Again | None = None
        """The last shot, while it is shown once more."""
        self._again_seen = False
        self._insets: Insets = (0.0, 0.0, 0.0, 0.0)

    def leave_clear(self, insets: Insets) -> None:
        """Shares of the window that panels cover: views of the whole table keep out of them."""
        if insets != self._insets:
            self._insets = insets
            self._set_insets()

    def _set_insets(self) -> None:
        if self.scene is not None:
            self.scene.cameras.set_insets(*self._insets)

    def show(
        self,
        view: TableView | None,
        clock: ServerClock,
        hand: Hand,
        mode: Mode,
        local: float,
        dt: float,
    ) -> None:
        """Set everything for a frame at a local time."""
        if view is None:
            return
        scene = self._scene_for(view)
        state = view.state
        self.shown = self.playback.show(view, clock, local)
        if self._show_again(scene, local):
            scene.update(dt)
            return
        poses = dict(self.shown.poses)
        if state is not None and mode is Mode.PLACE:
            poses.pop(ball_struck(state, view.seat), None)
        scene.show_balls(poses)
        if state is not None:
            self._show_marks(scene, view, state, hand, mode)
            self._show_cue(scene, view, state, hand, mode, local)
            self._show_guide(scene, view, state, hand, mode)
        self._move_camera(scene, view, state, hand, mode)
        scene.update(dt)

    # --- the last shot again ----------

    def begin_again(self, view: TableView, local: float) -> bool:
        """Show the last shot once more; whether there is one to show."""
        last = self.playback.last
        if last is None or self.shown.shot is not None or view.state is None:
            return False
        self.again = again(last, view.state.last_ruling, local)
        self._again_seen = False
        return True

    def end_again(self) -> None:
        """Back to what is now."""
        if self.again is None:
            return
        self.again = None
        self._marks = self._guide_key = None
        if self.scene is not None:
            self.scene.show_moment(None)
            self.scene.cameras.set_mode(self._mode)

    def _show_again(self, scene: TableScene, local: float) -> bool:
        """A frame of it, until it is over or a new shot begins; whether it was shown."""
        showing = self.again
        if showing is None:
            return False
        if self.shown.shot is not None or self.playback.last is not showing.shot:
            self.end_again()
            return False
        if showing.over(local - LINGER_S):
            self.end_again()
            return False
        if not self._again_seen:
            self._again_seen = True
            scene.clear_marks()
            scene.hide_legal_area()
            scene.show_moment(showing.place)
            if showing.view is not None:
                scene.cameras.set_view(showing.view)
            else:
                scene.cameras.set_mode(CameraMode.OVERHEAD)
        scene.show_balls(self.playback.poses_at(showing.time(local)))
        return True

    def _scene_for(self, view: TableView) -> TableScene:
        looks = (view.preset, _dress(view))
        if self.scene is None or self._looks != looks:
            if self.scene is not None:
                self.scene.destroy()
            self.scene = TableScene(self.base, TABLES[view.preset], self.tier, dress=looks[1])
            self._set_insets()
            self.scene.cameras.set_mode(self._mode, at_once=True)
            self._looks = looks
            self._marks = self._guide_key = None
        return self.scene

    def set_tier(self, tier: str, contrast: bool = False) -> None:
        """Another tier, or other lines: the table is built anew at the next frame."""
        if (tier, contrast) != (self.tier, STRENGTH.loud):
            self.tier, STRENGTH.loud = tier, contrast
            self.destroy()

    def hide(self) -> None:
        """Keep the table from being drawn, until it is to :meth:`appear`."""
        if self.scene is not None:
            self.scene.root.hide()

    def appear(self) -> None:
        """Draw the table again."""
        if self.scene is not None:
            self.scene.root.show()

    def destroy(self) -> None:
        """Take the table down."""
        if self.scene is not None:
            self.scene.destroy()
            self.scene = None

    # --- marks on the bed ----------

    def _show_marks(
        self, scene: TableScene, view: TableView, state: MatchState, hand: Hand, mode: Mode
    ) -> None:
        targets = targets_shown(state)
        aiming = state.phase in SHOOTING and not state.push_out_declared and not state.is_break
        line = _line(state)
        placed_by_other = state.cue_in_hand != "none" and not state.cue_placed
        in_hand = mode is Mode.PLACE or (state.phase in SHOOTING and placed_by_other)
        marks = (
            targets if aiming else (),
            line,
            in_hand,
            state.frozen,
            self.shown.shot is None,
        )
        if marks != self._marks:
            scene.show_targets(targets if aiming else ())
            if in_hand:
                scene.show_legal_area(line)
            else:
                scene.hide_legal_area()
        if mode is not Mode.PLACE:
            scene.hide_placement()
        if marks != self._marks:
            self._marks = marks
            scene.show_frozen(_frozen(state) if self.shown.shot is None else ())

    def show_held(self, place: Position, legal: bool) -> None:
        """The ball in hand, held over a place."""
        if self.scene is not None and self.again is None:
            self.scene.show_placement(place, legal)

    # --- the cue ----------

    def _show_cue(
        self,
        scene: TableScene,
        view: TableView,
        state: MatchState,
        hand: Hand,
        mode: Mode,
        local: float,
    ) -> None:
        if self.shown.shot is not None:
            self._follow_through(scene, state, self.shown.shot.trajectory, self.shown.shot_time)
            return
        ball = ball_struck(state, view.seat)
        pose = self.shown.poses.get(ball)
        if mode is Mode.AIM and pose is not None:
            pull = self._pull(hand, local)
            raised = held_stroke(hand, state, view.seat).elevation_deg
            scene.show_cue(pose[0], hand.aim.heading_deg, raised, hand.aim.tip, pull)
            return
        aiming = view.aiming
        if aiming is not None and aiming.seat != view.seat and state.phase in SHOOTING:
            pose = self.shown.poses.get(CUE)
            if pose is not None:
                scene.show_cue(
                    pose[0], aiming.heading_deg, aiming.elevation_deg, aiming.tip, REST_M
                )
                return
        scene.hide_cue()

    def _pull(self, hand: Hand, local: float) -> float:
        """Distance of the tip from the ball while it is aimed, drawn back and let go."""
        if hand.struck_at is not None and hand.struck is not None:
            motion = hand.struck
            at = motion.back_s + motion.hold_s + local - hand.struck_at
            return max(motion.pull_at(min(at, motion.contact_at)), 0.0)
        if hand.push is not None:
            return max(hand.push.pull_m, 0.0)
        motion = motion_of(hand.aim.stroke())
        if hand.rising_since is not None:
            return motion.pull_m
        if hand.drawn_back_at is not None:
            return motion.pull_at(min(local - hand.drawn_back_at, motion.back_s))
        return REST_M

    def _follow_through(
        self, scene: TableScene, state: MatchState, trajectory: Trajectory, t: float | None
    ) -> None:
        """The cue after the hit, as everyone sees it."""
        running = state.running
        if running is not None and len(running.strokes) == 1 and t is not None:
            ball, at, stroke = running.strokes[0]
            if at <= t < at + FOLLOW_THROUGH_S and ball in trajectory.tracks:
                start = trajectory.tracks[ball].state_at(at).pos
                motion = motion_of(stroke)
                pull = motion.pull_at(motion.contact_at + t - at)
                pull = max(pull, -way_to_the_bed(stroke, start[2]))
                scene.show_cue(start, stroke.heading_deg, stroke.elevation_deg, stroke.tip, pull)
                return
        scene.hide_cue()

    # --- the guide ----------

    def _show_guide(
        self, scene: TableScene, view: TableView, state: MatchState, hand: Hand, mode: Mode
    ) -> None:
        ball = ball_struck(state, view.seat)
        reach = state.description.ruleset.aids.guide_line
        here = place_of(state, ball)
        if mode is not Mode.AIM or here is None or not self.guides or self.shown.shot is not None:
            if self._guide_key is not None:
                scene.hide_guide()
                self._guide_key, self.guide = None, Guide()
            return
        stroke = held_stroke(hand, state, view.seat)
        key = (state.version, stroke, reach)
        if key == self._guide_key:
            return
        self._guide_key = key
        balls = {ball: here} if state.phase is Phase.LAG else state.balls
        began = time.perf_counter()
        self.guide = guide(scene.table, balls, ball, stroke, reach)
        self.guide_s = time.perf_counter() - began
        if self.guide.points:
            scene.show_guide(self.guide.points, self.guide.ghost, self.guide.departures)
        else:
            scene.hide_guide()

    # --- the camera ----------

    def _move_camera(
        self,
        scene: TableScene,
        view: TableView,
        state: MatchState | None,
        hand: Hand,
        mode: Mode,
    ) -> None:
        cameras = scene.cameras
        wanted = CameraMode.OVERHEAD
        if hand.view != "auto":
            wanted = CameraMode(hand.view)
        elif mode is Mode.AIM and self.shown.shot is None:
            wanted = CameraMode.CUE
        aiming = view.aiming
        pose = None
        if state is not None:
            pose = self.shown.poses.get(ball_struck(state, view.seat))
        if pose is not None and self.shown.shot is None:
            if mode is Mode.AIM and state is not None:
                held = held_stroke(hand, state, view.seat)
                cameras.aim(pose[0], held.heading_deg, held.elevation_deg)
            elif aiming is not None:
                cameras.aim(pose[0], aiming.heading_deg, aiming.elevation_deg)
        if pose is not None:
            cameras.follow(pose[0])
        elif mode is Mode.PLACE and hand.place is not None:
            cameras.follow((hand.place.x, hand.place.y, 0.0))
        if wanted is not self._mode:
            self._mode = wanted
            cameras.set_mode(wanted)

    def side_of(self, place: tuple[float, float, float]) -> float:
        """Where a place (m) lies on the screen from left (-1) to right (1), as it is heard."""
        return self.scene.cameras.side_of(place) if self.scene is not None else 0.0

    @property
    def places(self) -> dict[int, tuple[float, float, float]]:
        """Where the balls are now, m."""
        return {ball: pose[0] for ball, pose in self.shown.poses.items()}

    def numbers(self, size: tuple[int, int]) -> list[tuple[int, float, float, float]]:
        """Balls that lie still and are seen from above, where in a window and how large (pixels).

        Their own numbers may lie askew there, or below.
        """
        above = self._mode is CameraMode.OVERHEAD and self.again is None
        if self.scene is None or not above or self.shown.shot is not None:
            return []
        found = []
        for ball, (x, y, z) in self.places.items():
            middle = self.scene.cameras.project((x, y, z))
            edge = self.scene.cameras.project((x + z, y, z))
            if 1 <= ball <= 15 and middle is not None and edge is not None:
                px, py = (middle[0] + 1) * size[0] / 2, (1 - middle[1]) * size[1] / 2
                found.append((ball, px, py, (edge[0] - middle[0]) * size[0] / 2))
        return found

    @property
    def shows_all(self) -> bool:
        """Whether the view shows the whole table."""
        return self._mode in (CameraMode.OVERHEAD, CameraMode.BROADCAST) and self.again is None

    @property
    def camera(self) -> CameraMode:
        """The view that is shown."""
        return self._mode


def _frozen(state: MatchState) -> list[tuple[int, int | tuple[float, float]]]:
    """Frozen pairs as the scene marks them."""
    frame = state.description.frame
    pairs: list[tuple[int, int | tuple[float, float]]] = []
    for ball, rail in state.frozen.to_rail:
        if ball not in state.balls:
            continue
        pairs.append((ball, nearest_on_rail(state.balls[ball], rail, frame)))
    if CUE in state.balls:
        pairs.extend((CUE, ball) for ball in state.frozen.to_cue if ball in state.balls)
    return pairs


def _dress(view: TableView) -> Dress:
    """The looks of the game at a table; plain ones until there is a match."""
    if view.state is None:
        return PLAIN
    rules = view.state.description.ruleset
    return dress_of(rules.discipline, rules.break_.area)


def _line(state: MatchState) -> float | None:
    """x of the line behind which the ball in hand is placed; None where there is none."""
    frame = state.description.frame
    if state.phase is Phase.LAG:
        return frame.head_string
    return {"head": frame.head_string, "baulk": frame.baulk_line}.get(state.cue_in_hand)
