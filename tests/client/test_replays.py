"""``headstring replays``: the list, a saved match, its score sheet, and what goes wrong."""

import asyncio
from pathlib import Path

import msgspec
import pytest

import headstring
from client.replay.timeline import Timeline
from shared_rules import messages as m
from shared_rules.replay_file import ReplayFileError, read_replay, write_replay
from shared_rules.score_sheet import score_sheet
from shared_rules.state import Phase
from tests.client.builders import rolling
from tests.server import fake_physics as fake
from tests.server.bench_table import break_balls, lag, serving, two_players


@pytest.fixture(autouse=True)
def _own_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HEADSTRING_DATA", str(tmp_path / "data"))


def test_a_match_listed_saved_and_printed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "match.headstring"

    async def play() -> None:
        async with serving(tmp_path) as server:
            ann, bob = await two_players(server, overrides={"match": {"games_to_win": 1}})
            await lag(ann, bob)
            await break_balls(ann, bob)
            await bob.strike(fake.POT)
            await bob.until_state(lambda s: 1 not in s.balls and s.running is None)
            await bob.strike(fake.NINE)
            await bob.until_state(lambda s: s.phase is Phase.MATCH_OVER)
            url, match = f"ws://127.0.0.1:{server.port}", ann.table

            async def command(*words: str) -> int:
                return await asyncio.to_thread(
                    headstring.main, ["replays", "--server", url, "--name", "Eve", *words]
                )

            assert await command() == 0
            assert match in capsys.readouterr().out
            assert await command("--match", match, "--save", str(file)) == 0
            assert await command("--match", match, "--save", str(file)) == 1  # never written over
            assert "exists" in capsys.readouterr().err
            assert await command("--match", "NOSUCH") == 1
            assert "no match" in capsys.readouterr().err
            assert await command("--match", match) == 0

    asyncio.run(play())
    from_server = capsys.readouterr().out
    assert headstring.main(["replays", str(file)]) == 0
    sheet = capsys.readouterr().out
    assert sheet == from_server
    assert "Ann against Bob" in sheet and "Rack 1: Ann breaks" in sheet
    assert "Bob                  pocketed 1\n" in sheet
    assert "Bob has won the match: games 0:1." in sheet
    replay = read_replay(file.read_bytes())
    assert [e.number for e in replay.events] == list(range(1, len(replay.events) + 1))
    assert sum(e.shot is not None for e in replay.events) == 4
    timeline = Timeline(_with_a_trajectory(event) for event in replay.events)
    assert timeline.now(timeline.duration).state.phase is Phase.MATCH_OVER
    assert sum(mark.kind == "shot" for mark in timeline.marks) == 4


def _with_a_trajectory(event: m.ReplayEvent) -> m.ReplayEvent:
    """The event with a trajectory that can be read, for the fake one of the fake physics."""
    if event.shot is None:
        return event
    shot = msgspec.structs.replace(event.shot, trajectory=rolling().encode())
    return msgspec.structs.replace(event, shot=shot)


def _summary() -> m.ReplaySummary:
    return m.ReplaySummary(
        match="M", ruleset="r", players=("Ann", "Bob"), status="adjourned", opened_at=0.0
    )


def test_files_that_are_no_replays_are_refused() -> None:
    first = m.ReplayEvent(number=1, at=0.0, by="server", announcements=(), changes={})
    good = write_replay(_summary(), [first])
    assert read_replay(good).events == (first,)
    plain = msgspec.msgpack.decode(good)
    for bad in (
        b"", b"\x93abc", good[:-3], msgspec.msgpack.encode({"format": "other"}),
        msgspec.msgpack.encode(plain | {"version": 2}),
        msgspec.msgpack.encode(plain | {"events": []}), b"\x91" * 100_000,
    ):  # fmt: skip
        with pytest.raises(ReplayFileError):
            read_replay(bad)
    assert read_replay(msgspec.msgpack.encode(plain | {"since": "later"})).summary == _summary()


def test_a_sheet_of_announcements_that_this_build_does_not_know() -> None:
    said = ({"a": "unheard_of", "x": 1}, {"a": "judged", "ruling": {"shot": 3, "shooter": 1}})
    event = m.ReplayEvent(number=1, at=0.0, by="server", announcements=said, changes={})
    sheet = score_sheet(_summary(), [event], "today")
    assert "Bob" in sheet and "nothing falls" in sheet and sheet.endswith("adjourned.\n")


def test_without_a_server_or_a_file(capsys: pytest.CaptureFixture[str]) -> None:
    assert headstring.main(["replays"]) == 2
    assert headstring.main(["replays", "--server", "ws://127.0.0.1:9", "--name", "Eve"]) == 1
    assert "nothing answers" in capsys.readouterr().err
