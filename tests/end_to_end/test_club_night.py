"""A whole club night with everything that goes wrong in one: see ``club_night``."""

import asyncio
from pathlib import Path

import pytest

from client.club.command import NAMES
from client.club.evening import Plan
from server.competitions import acts as a
from server.competitions.acts import AnyAct, Entry
from tests.end_to_end.club_night import RULES, hold
from tests.end_to_end.recount import check_nobody_is_called_twice, recount


def test_a_club_night_is_what_its_stored_matches_say(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """BR-028, BR-103, BR-104, BR-108: sixteen players, four tables, groups and a true double
    elimination; one is withdrawn from his match, the server is killed, a result is corrected."""
    monkeypatch.setenv("HEADSTRING_DATA", str(tmp_path / "home"))
    stations = tuple(f"table {n}" for n in range(1, 5))
    plan = Plan(NAMES[:16], stations, groups=4, rules=RULES, final_race=1)
    night = asyncio.run(hold(tmp_path, plan, real=False, speed=20.0, seed=3))
    assert len(recount(tmp_path / "night.sqlite3", night)) == 8


def _lines(*acts: tuple[str, AnyAct]) -> list[tuple[str, Entry]]:
    return [
        (name, Entry(number=n, at=float(n), by="server", act=act))
        for n, (name, act) in enumerate(acts, 1)
    ]


FIRST = ("A", a.Called(match="R1", sides=("ann", "bob"), station="1"))
SECOND = ("B", a.Called(match="R1", sides=("cid", "ann"), station="2"))
SAME_STATION = ("B", a.Called(match="R2", sides=("cid", "dan"), station="1"))


def test_the_recount_sees_who_is_called_to_two_matches() -> None:
    for second in (SECOND, SAME_STATION):
        with pytest.raises(AssertionError):
            check_nobody_is_called_twice(_lines(FIRST, second))
        off = ("A", a.CalledOff(match="R1"))
        check_nobody_is_called_twice(_lines(FIRST, off, second))
