"""The log: what a line says, and what no line may say."""

import asyncio
import io
import json
import logging
from collections.abc import Iterator
from pathlib import Path

import pytest

from server.logs import about, fields, lines_about, set_up
from server.storage.people import SessionRecord
from server.storage.records import PersonRecord
from shared_rules import commands as c
from shared_rules import messages as m
from tests.server import fake_physics as fake
from tests.server.bench_table import in_loop, serving, table_after_break
from tests.server.wire_client import WireClient


@pytest.fixture
def lines() -> Iterator[io.StringIO]:
    """What is logged from debug on; the loggers are as before afterwards."""
    root, ours = logging.getLogger(), logging.getLogger("headstring")
    before = (root.level, list(root.handlers), ours.level)
    yield io.StringIO()
    for handler in root.handlers:
        root.removeHandler(handler)
    for handler in before[1]:
        root.addHandler(handler)
    root.setLevel(before[0])
    ours.setLevel(before[2])


def _objects(stream: io.StringIO) -> list[dict[str, object]]:
    return [json.loads(line) for line in stream.getvalue().splitlines()]


def test_a_line_is_about_what_its_task_is_about(lines: io.StringIO) -> None:
    set_up("info", "json", lines)
    log = logging.getLogger("headstring.server.test")

    async def task(number: int) -> None:
        about(connection=number)
        await asyncio.sleep(0)
        with lines_about({"table": "ABC"}):
            log.info("it %s", "happens", extra=fields(ball=number + 1))
        log.info("more")

    async def both() -> None:
        await asyncio.gather(task(1), task(2))

    asyncio.run(both())
    said = _objects(lines)
    first = next(line for line in said if line.get("ball") == 2)
    assert (first["event"], first["connection"], first["table"]) == ("it happens", 1, "ABC")
    assert first["level"] == "info" and str(first["time"]).endswith("+00:00")
    assert sorted(str(line["connection"]) for line in said if "table" not in line) == ["1", "2"]


def test_an_error_is_one_json_line_with_its_traceback(lines: io.StringIO) -> None:
    set_up("info", "json", lines)
    try:
        raise RuntimeError("broken\nin two")
    except RuntimeError:
        logging.getLogger("headstring.x").exception("a fault")
    (line,) = _objects(lines)
    assert "RuntimeError: broken" in str(line["error"]) and line["level"] == "error"


def test_text_holds_strangers_words_on_one_line(lines: io.StringIO) -> None:
    set_up("info", "text", lines)
    log = logging.getLogger("headstring.x")
    log.warning("said %s", "x\n2026-11-30 forged", extra=fields(name='a "b" c\n', code=1008))
    (line,) = lines.getvalue().splitlines()
    assert line.endswith(r'said x\n2026-11-30 forged name="a \"b\" c\n" code=1008')


def test_libraries_tell_only_warnings_and_strangers_handshakes_nothing(lines: io.StringIO) -> None:
    set_up("debug", "text", lines)
    logging.getLogger("aiosqlite").debug("INSERT secret")
    logging.getLogger("websockets.server").error("opening handshake failed")
    logging.getLogger("headstring.x").debug("ours")
    logging.getLogger("websockets.server").error("connection handler failed")
    said = lines.getvalue().splitlines()
    assert len(said) == 2 and "ours" in said[0] and "handler failed" in said[1]


@in_loop
async def _busy_run(tmp_path: Path, secrets: set[str]) -> None:
    async with serving(tmp_path) as server:
        ann, bob = await table_after_break(server, private=True, watch="invited", referee=True)
        secrets |= {ann.token, bob.token, ann.invitation or ""}
        terms = server.house.floor.tables[ann.table].room.terms
        secrets.add(terms.referee_invitation or "")
        eve = await WireClient.connect(server.port)
        await eve.send(m.Hello(protocol=m.PROTOCOL, token="wrong" * 9))
        await eve.until(lambda x: isinstance(x, m.Refused))
        secrets.add("wrong" * 9)
        guess = m.Hello(protocol=m.PROTOCOL, account="Eve", password="wr0ng passw0rd")
        await eve.send(guess)
        await eve.until(lambda x: isinstance(x, m.Refused) and x.code == "bad_password")
        await eve.hello("Eve")
        assert isinstance(await eve.ask(m.Register, password="r1ght passw0rd"), m.Accepted)
        secrets |= {eve.token, "wr0ng passw0rd", "r1ght passw0rd"}
        await eve.watch(ann.table, invitation="GUESSED9")
        secrets.add("GUESSED9")
        await eve.raw(b"\x81\xa5token\xa9nonsense!")
        secrets.add("nonsense!")
        await bob.strike(fake.HANGS)  # void
        await ann.until(lambda x: any(a for a in ann.said("shot_voided")))
        # a write that fails: the driver's words go to the log
        session = SessionRecord(
            token_hash=b"hash of a token",
            session="s",
            person="x",
            client="",
            created_at=1.0,
            used_at=1.0,
        )
        with pytest.raises(Exception, match="UNIQUE"):
            for _ in range(2):
                await server.store.people.add_guest(
                    PersonRecord(person="x", name="X"), "x", 1.0, session
                )
        keeper = server.house.floor.tables[ann.table].course.keeper
        assert keeper is not None
        keeper._store = None  # type: ignore[assignment]
        answer = await bob.give(c.Concede())
        assert answer.code == "internal"
        bob.cut()
        token = bob.token
        bob = await WireClient.connect(server.port, token=token)


def test_no_line_of_a_busy_run_holds_a_secret(tmp_path: Path, lines: io.StringIO) -> None:
    set_up("debug", "json", lines)
    secrets: set[str] = set()
    _busy_run(tmp_path, secrets)
    assert len(secrets) >= 6 and all(secrets)
    for line in lines.getvalue().splitlines():
        assert not [secret for secret in secrets if secret in line], line
    said = _objects(lines)
    for event in ("signed in", "sign-in refused", "table opened", "match begins", "connected"):
        assert any(line["event"] == event for line in said), event
    fault = next(line for line in said if line["event"] == "a fault of the server")
    assert {"table", "person", "connection", "error"} <= set(fault)
