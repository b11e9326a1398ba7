"""BR-091: pots against difficulty, for a referee's eyes; made-up players whose hands are known."""

import random
from pathlib import Path
from typing import Any

import msgspec
import pytest

import headstring
from physics.pots import pots_on
from physics.table import TABLES
from server.review import Attempt, Record, attempts_of, reviews_of
from shared_rules.replay import read_told
from shared_rules.state import Phase
from tests.server import fake_physics as fake
from tests.server.bench_table import in_loop, serving, table_after_break

TABLE = TABLES["9ft"]
HANDS_DEG = {"bot 1": 1.5, "bot 2": 0.8, "bot 3": 0.5, "bot 4": 0.5, "mod": 0.03}
"""Standard deviations of the heading: bots of several levels, and a client that draws the line."""


def _record(at: float, said: list[dict[str, Any]], **changes: Any) -> Record:
    """As it is stored and read."""
    told = {"by": "server", "announcements": said, "changes": changes}
    return Record(at, read_told(msgspec.msgpack.encode(told)))


def _match(people: tuple[str, str], hand: random.Random, shots: int) -> list[Record]:
    """Strokes at balls anywhere, each in its turn; a ball falls if the cue is within the slack."""
    records, at = [], 0.0
    for shot in range(1, shots + 1):
        seat = shot % 2
        pots = []
        while not pots:
            lie = {n: (hand.uniform(-1.2, 1.2), hand.uniform(-0.6, 0.6)) for n in (0, 1)}
            pots = pots_on(lie, 1, TABLE)
        pot = pots[0]
        phase = Phase.AWAIT_SHOT.value
        records.append(_record(at, [], phase=phase, shooter=seat, shot_number=shot, balls=lie))
        off = hand.gauss(0.0, HANDS_DEG[people[seat]])
        stroke = {"speed": 2.0, "heading_deg": pot.heading_deg + off}
        said = {"a": "struck", "shot": shot, "strokes": [[0, 0.0, stroke]]}
        records.append(_record(at + 20.0, [said], phase="SHOT_RUNNING"))
        pockets = {1: pot.pocket} if abs(off) < pot.slack_deg else {}
        ruling = {"shot": shot, "shooter": seat, "first_contact": 1, "pockets": pockets}
        at += 25.0
        records.append(_record(at, [{"a": "judged", "ruling": ruling}], phase="BETWEEN"))
    return records


def _attempts() -> list[Attempt]:
    hand = random.Random(5)
    found: list[Attempt] = []
    for number, people in enumerate((("bot 1", "bot 2"), ("bot 3", "mod"), ("bot 4", "bot 2"))):
        records = _match(people, hand, shots=400)
        found += attempts_of(f"T{number}", "9ft", people, records)
    return found


def test_br_091_a_client_that_pots_inhumanly_stands_out_and_bots_do_not() -> None:
    attempts = _attempts()
    reviews = {review.person: review for review in reviews_of(attempts)}
    assert set(reviews) == set(HANDS_DEG)
    assert {person for person, review in reviews.items() if review.look} == {"mod"}
    first = reviews_of(attempts)[0]
    assert first.person == "mod" and first.sigmas > 6.0
    # what his hand is like is found again, apart from the strokes that missed every pot
    assert reviews["mod"].error_deg < 0.1
    for person in ("bot 2", "bot 3", "bot 4"):
        assert reviews[person].error_deg == pytest.approx(HANDS_DEG[person], rel=0.3)
    assert first.aim_s == first.hard_aim_s == 20.0
    assert sum(n for n, _ in first.classes) == first.attempts
    assert sum(made for _, made in first.classes) == first.made
    # the shots are there to be looked at
    mine = [a for a in attempts if a.person == "mod"]
    assert {a.match for a in mine} == {"T1"} and all(a.shot % 2 == 1 for a in mine)


def test_few_attempts_and_nobody_to_compare_with_tell_nothing() -> None:
    alone = [a for a in _attempts() if a.person == "mod"]
    (review,) = reviews_of(alone)
    assert not review.look
    assert not any(review.look for review in reviews_of(_attempts()[:150]))


def test_breaks_lags_and_safeties_are_no_attempts() -> None:
    lie = {0: (-0.5, 0.0), 1: (0.0, 0.0)}
    ruling = {"shot": 1, "shooter": 0, "first_contact": 1, "pockets": {1: "foot_left"}}
    judged = _record(2.0, [{"a": "judged", "ruling": ruling}])

    def strokes(phase: str, heading_deg: float, ball: int = 0) -> list[Record]:
        state = _record(0.0, [], phase=phase, shooter=0, shot_number=0, balls=lie)
        stroke = {"speed": 2.0, "heading_deg": heading_deg}
        said = {"a": "struck", "shot": 1, "strokes": [[ball, 0.0, stroke]]}
        return [state, _record(1.0, [said]), judged]

    aimed = max(pots_on(lie, 1, TABLE), key=lambda p: p.slack_deg).heading_deg
    shot = Phase.AWAIT_SHOT.value
    assert len(attempts_of("T", "9ft", ("a", "b"), strokes(shot, aimed))) == 1
    for records in (
        strokes(Phase.PLACE_CUE_FOR_BREAK.value, aimed),
        strokes(Phase.LAG.value, aimed),
        strokes(shot, aimed, ball=16),
        strokes(shot, aimed + 90.0),
    ):
        assert attempts_of("T", "9ft", ("a", "b"), records) == []


def test_the_command_reads_what_a_server_has_stored(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    @in_loop
    async def play() -> None:
        async with serving(tmp_path) as server:
            _, bob = await table_after_break(server)
            await bob.strike(fake.POT)
            await bob.until_state(lambda s: s.last_ruling is not None and s.last_ruling.shot == 3)
            # beside a server that runs
            assert await _run(tmp_path, "--shots", "Bob") == 0

    async def _run(folder: Path, *words: str) -> int:
        import asyncio

        database = str(folder / "server.sqlite3")
        command = ["review", "--database", database, *words]
        return await asyncio.to_thread(headstring.main, command)

    play()
    assert capsys.readouterr().out.startswith("match,shot,ball,pocket,slack_deg")
    assert headstring.main(["review", "--database", str(tmp_path / "server.sqlite3")]) == 0
    assert capsys.readouterr().out.startswith("person,name,account,look,attempts,made,expected")
    assert headstring.main(["review", "--database", str(tmp_path / "none.sqlite3")]) == 1
    assert "there is no database" in capsys.readouterr().err
