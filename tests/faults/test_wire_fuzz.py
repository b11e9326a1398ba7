"""A slice of the fuzz of the wire (``make fuzz-wire``): some thousand messages."""

import asyncio
import random
from pathlib import Path

import msgpack
import pytest

from shared_rules import messages as m
from shared_rules.wire import write_message
from tests.faults.mutate import Mutator
from tests.faults.wire_fuzz import run


@pytest.mark.usefixtures("on_both")
def test_no_message_breaks_anything(tmp_path: Path) -> None:
    figures = asyncio.run(run(tmp_path, 2000, seed=7, say=lambda line: None))
    assert figures["messages"] == 2000
    # how many are taken depends on how fast the database is beside the clock
    assert figures["commands"] > 5 and figures["orders"] > figures["commands"]
    for code in ("not_msgpack", "malformed", "out_of_range", "unknown_message", "id_reused",
                 "not_at_this_table", "not_allowed", "not_signed_in"):  # fmt: skip
        assert figures[code] > 0, code


def test_a_seed_makes_the_same_messages_again() -> None:
    message = write_message(m.Play(id=1, table="T", command={"c": "concede"}))  # type: ignore[arg-type]
    runs = []
    for _ in range(2):
        mutator = Mutator(random.Random("1:1"))
        wrong = [mutator.structure(message) for _ in range(300)]
        runs.append(wrong + [mutator.bytes(message, wrong) for _ in range(300)])
    assert runs[0] == runs[1]
    assert len(set(runs[0])) > 400 and message not in runs[0][300:310]
    assert all(isinstance(msgpack.unpackb(x, strict_map_key=False), dict) for x in runs[0][:50])
