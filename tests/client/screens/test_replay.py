"""A stored match as a person looks at it: opened, gone through forwards and backwards, left."""

import shlex

import msgspec
import pytest

import headstring
from client.replay.sources import match_in
from client.replay.timeline import Timeline
from client.screens.replay import ReplayViewer
from shared_rules import commands as c
from shared_rules import messages as m
from shared_rules.changes import changes_of
from shared_rules.commands import Actor
from shared_rules.replay_file import write_replay
from shared_rules.state import Phase, Stroke
from shared_rules.view import public_state
from tests.client.local_table import OFFSET, LocalTable
from tests.server.bench_table import two_players


class Kept(LocalTable):
    """A table that keeps what everybody was told, as a server does."""

    def __init__(self) -> None:
        super().__init__()
        self.events: list[m.ReplayEvent] = []

    def order(self, by, command) -> None:
        before = public_state(self.state, None) if self.events else None
        self._said = ()
        super().order(by, command)
        after, shot = public_state(self.state, None), None
        if self.flight is not None and self.state.phase is Phase.SHOT_RUNNING:
            shot = m.ReplayShot(
                shot=self.flight.shot, started_at=self.flight.started_at,
                duration=self.result.duration, trajectory=self.flight.trajectory,
            )  # fmt: skip
        changes = plain(after) if before is None else plain(changes_of(before, after))
        self.events.append(
            m.ReplayEvent(
                number=len(self.events) + 1, at=self.now + OFFSET, by=str(by),
                announcements=tuple(plain(a) for a in self._said), changes=changes, shot=shot,
            )
        )  # fmt: skip

    def took(self, order, applied) -> None:
        self._said = applied.announcements

    def until(self, *phases: Phase) -> None:
        for _ in range(2000):
            if self.state.phase in phases:
                return
            self.pump(self.now + 0.1)
        raise AssertionError(self.state.phase)


def plain(thing):
    return msgspec.msgpack.decode(msgspec.msgpack.encode(thing))


@pytest.fixture(scope="module")
def saved(tmp_path_factory):
    """A lag and a break, played with the real physics."""
    table = Kept()
    table.start()
    for by, speed in ((Actor.SEAT_0, 1.33), (Actor.SEAT_1, 1.6)):
        table.order(by, c.Strike(stroke=Stroke(speed=speed, heading_deg=0.0)))
    table.until(Phase.LAG_CHOICE)
    table.order(Actor.of(table.state.decider), c.Choose(option=table.state.options[0]))
    table.pump(table.now + 0.1)
    breaker = Actor.of(table.state.shooter)
    table.order(breaker, c.PlaceCue(x=-0.8, y=0.1))
    table.order(breaker, c.Strike(stroke=Stroke(speed=8.0, heading_deg=-4.0)))
    while table.state.phase is Phase.SHOT_RUNNING:
        table.pump(table.now + 0.1)
    summary = m.ReplaySummary(
        match="m-1", ruleset="nine_ball_epbf", players=("Ann", "Bob"), status="running",
        opened_at=1.7e9,
    )  # fmt: skip
    file = tmp_path_factory.mktemp("saved") / "match.headstring"
    file.write_bytes(write_replay(summary, table.events))
    return file, Timeline(table.events)


def open_file(ann, file) -> None:
    ann.push("replays")
    assert ann.where == "ReplaysScreen"
    ann.write("path", str(file))
    ann.tap("enter")
    ann.until(lambda: ann.where == "ReplayViewer" or ann.notice)


def click(ann, x, y) -> None:
    ann.window.inputs.move(x, y)
    ann.step()
    ann.tap("mouse1")


def test_a_saved_match_is_opened_gone_through_and_left(user, saved):
    file, timeline = saved
    ann = user(language="en")
    open_file(ann, file)
    viewer = ann.top
    ann.tap("space")
    rerun, model = viewer.rerun, lambda: viewer.hud.model
    assert not rerun.playing and [p.name for p in model().players] == ["Ann", "Bob"]

    shots = [mark.at for mark in timeline.marks if mark.kind == "shot"]
    ann.tap("home", "page_down", "page_down")
    assert rerun.at == pytest.approx(shots[1]) and "shot 2" in model().scrub.where
    assert len(viewer.stage.shown.poses) == 10  # the break: nine balls and the cue ball
    before = viewer.stage.places
    ann.tap("arrow_right", "arrow_right", "arrow_right")
    assert rerun.at > shots[1] and viewer.stage.places != before
    ann.tap("arrow_left", "arrow_left", "arrow_left")
    assert rerun.at == pytest.approx(shots[1]) and viewer.stage.places == before
    assert viewer.stage.shown.shot_time == pytest.approx(0.0, abs=1e-6)

    ann.tap("end")
    last = timeline.now(timeline.duration).state
    assert set(viewer.stage.places) == set(last.balls) and model().ruling
    ann.tap("page_down")
    assert model().toast == "There is no shot after this"

    x, y, w, h = (v * viewer.hud.scale for v in _bar(viewer))
    click(ann, x + w * 0.5, y + h / 2)
    assert rerun.at == pytest.approx(timeline.duration / 2, rel=0.02)
    click(ann, *viewer.hud.centre_of("replay_slower"))
    click(ann, *viewer.hud.centre_of("replay_slower"))
    assert rerun.speed == 0.25 and "1/4×" in model().scrub.where
    ann.tap("page_up", "arrow_right", "s")
    shared = model().toast
    words = shlex.split(shared[shared.lower().index("headstring replay") :])[2:]
    assert words[:2] == [str(file), "--shot"] and words[3] == "--seconds"
    assert timeline.of_shot(int(words[2]), float(words[4])) == pytest.approx(rerun.at, abs=0.01)
    ann.tap("l")
    assert ann.window.language == "cs" and "stojí" in model().scrub.where
    ann.tap("f1")
    assert model().help
    ann.tap("escape", "escape")
    assert ann.where == "ReplaysScreen"


def _bar(viewer):
    from client.hud.scrub import bar_of

    return bar_of(viewer.hud.sheet)


def test_going_on_and_going_back_show_the_same_balls_turned_the_same(user, saved):
    file, timeline = saved
    ann = user()
    open_file(ann, file)
    viewer = ann.top
    ann.tap("space")
    seen = {}
    moments = [timeline.duration * k / 12 for k in range(13)]
    for at in (*moments, *moments[::-1]):
        viewer.rerun.go_to(at)
        ann.step()
        assert seen.setdefault(at, viewer.stage.shown.poses) == viewer.stage.shown.poses
    assert any(q != (1, 0, 0, 0) for _, q in seen[moments[-1]].values())


def test_playing_passes_time_at_its_speed_and_stops_at_the_end(user, saved):
    file, timeline = saved
    ann = user()
    open_file(ann, file)
    viewer = ann.top
    viewer.rerun.go_to(1.0)
    viewer.rerun.speed, viewer.rerun.playing = 2.0, True
    viewer.step(0.0, 0.1)
    assert viewer.rerun.at == pytest.approx(1.2)
    for _ in range(int(timeline.duration / 0.2) + 2):
        viewer.rerun.advance(0.1)
    assert viewer.rerun.at == timeline.duration and not viewer.rerun.playing


def test_what_can_not_be_opened_is_a_sentence_and_a_way_back(user, folder, capsys):
    ann = user(language="en")
    open_file(ann, folder / "none.headstring")
    assert "No such file" in ann.notice and ann.where == "ReplaysScreen"
    damaged = folder / "damaged.headstring"
    damaged.write_bytes(b"\x81\xa6format")
    ann.write("path", str(damaged))
    ann.tap("enter")
    ann.until(lambda: "damaged" in ann.notice)
    ann.tap("escape")
    assert ann.where == "StartScreen"
    assert headstring.main(["replay", str(damaged)]) == 1
    assert "headstring replay: " in capsys.readouterr().err


def test_matches_of_a_server_are_listed_and_one_that_is_gone_is_a_sentence(user, server):
    ann = user(language="en")
    ann.push("replays")
    ann.write("address", server.address)
    ann.tap("enter")
    ann.until(lambda: ann.sees("There are no matches."))
    server.stop()
    ann.push("list")
    ann.until(lambda: ann.notice != "")
    assert "that can't be shown" in ann.notice.lower()


@pytest.mark.parametrize("size", [(800, 600), (1280, 720), (2560, 1080)])
@pytest.mark.parametrize("scale", [1.0, 2.0])
@pytest.mark.parametrize("language", ["en", "cs"])
def test_everything_has_room(user, saved, size, scale, language):
    file, timeline = saved
    ann = user(size=size, ui_scale=scale, language=language)
    summary, _ = match_in(file)
    viewer = ReplayViewer(ann.window, timeline, summary, timeline.of_shot(2, 0.5))
    viewer.enter()
    viewer.step(0.0, 0.0)
    viewer.step(0.0, 0.0)
    hud = viewer.hud
    assert hud.cut_off == []
    left, _, right, bottom = hud.bounds()["scrub"]
    corner = hud.layout.corner
    assert left >= corner.right and right <= hud.sheet.width
    assert bottom <= hud.sheet.height - hud.layout.margin + 1.0
    viewer.leave()


def test_a_match_of_a_server_is_chosen_from_the_list_and_shown(user, server):
    async def play() -> str:
        one, other = await two_players(server)
        for player, speed in ((one, 1.33), (other, 1.6)):
            await player.strike(speed)
        await one.until_state(lambda s: s.phase is Phase.LAG_CHOICE)
        return one.table

    ann = user(language="en", name="Eve")
    match = ann.while_(server, play())
    ann.push("replays")
    ann.write("address", server.address)
    ann.tap("enter")
    ann.until(lambda: ann.page.find(f"match:{match}") is not None)
    ann.push(f"match:{match}")
    ann.until(lambda: ann.where == "ReplayViewer")
    ann.tap("home", "page_down")
    assert len(ann.top.stage.shown.poses) == 2  # the balls of the lag
    ann.tap("escape")
    assert ann.page.find(f"match:{match}") is not None
    ann.write("player", "Nobody else")
    ann.push("list")
    ann.until(lambda: ann.sees("There are no matches."))
    ann.write("player", "bob")
    ann.push("status:+")  # those that are over
    ann.push("list")
    ann.until(lambda: ann.top._asking is None)
    assert ann.page.find(f"match:{match}") is None
    ann.push("status:+")  # those that run
    ann.push("list")
    ann.until(lambda: ann.page.find(f"match:{match}") is not None)
    ann.write("match", match.lower())
    ann.tap("enter")
    ann.until(lambda: ann.where == "ReplayViewer")
