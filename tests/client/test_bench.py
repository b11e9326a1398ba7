"""What ``headstring bench client`` measures: that it measures it, not how fast it is."""

import pytest

from client.bench import PARTS, bench_client
from client.bench import frames as frames_part
from client.bench import memory as memory_part
from client.bench.breaking import Breaking, break_trajectory
from client.scene.window import WindowOptions, open_window
from headstring import main


def test_the_break_runs_on_and_on_through_the_real_client():
    base = open_window(WindowOptions(size=(320, 180), offscreen=True))
    trajectory = break_trajectory()
    table = Breaking(base, "low", trajectory)
    seen = set()
    for _ in range(60):
        table.frame(0.4)
        shown = table.app.stage.shown
        assert shown.shot is not None and len(shown.poses) >= 10
        seen.add(shown.shot.number)
    assert len(seen) == 3  # 24 seconds of breaks of nine
    assert table.app.hud.model.players[0].name == "Ann"
    table.close()


def test_frames_are_counted_for_each_tier_and_view(capsys, monkeypatch):
    monkeypatch.setattr(frames_part, "SIZE", (320, 180))
    monkeypatch.setattr(frames_part, "VIEWS", ("cue", "overhead"))
    frames_part.main({"frames": 3})
    rows = [line.split() for line in capsys.readouterr().out.splitlines()[2:]]
    assert [row[:2] for row in rows] == [
        [tier, view] for tier in ("low", "medium", "high") for view in ("cue", "overhead")
    ]
    assert all(float(row[2]) > 0 and float(row[3]) > 0 for row in rows)


def test_memory_is_read_after_racks_and_tables(capsys):
    memory_part.main({"racks": 2, "tables": 2})
    said = capsys.readouterr().out
    assert "2 racks" in said and "2 tables" in said and "KB a table" in said


def test_a_part_that_does_not_exist_is_refused(capsys):
    with pytest.raises(ValueError, match="no part 'colours'"):
        list(bench_client(("colours",)))
    assert main(["bench", "client", "--part", "colours"]) == 2
    assert "there is no part 'colours', but " + ", ".join(PARTS) in capsys.readouterr().err
