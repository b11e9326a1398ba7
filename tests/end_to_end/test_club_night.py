"""A whole club night with everything that goes wrong in one: see ``club_night``."""

import asyncio
from pathlib import Path

import pytest

from client.club.command import NAMES
from client.club.evening import Plan
from tests.end_to_end.club_night import RULES, hold, recount


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
