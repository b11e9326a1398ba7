"""The examples of docs/rules.md and docs/judge.md run, and the latter names all that it takes."""

import json
import re
from pathlib import Path
from typing import get_args

from shared_rules import events as ev
from shared_rules import judge
from shared_rules.scenario import Given

JUDGE = Path(__file__).parents[2] / "docs" / "judge.md"
PAGE = Path(__file__).parents[2] / "docs" / "rules.md"


def test_examples_run():
    examples = re.findall(r"```python\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)
    assert examples
    for example in examples:
        exec(compile(example, str(PAGE), "exec"), {})


def test_every_module_of_the_table_exists():
    text = PAGE.read_text(encoding="utf-8")
    package = PAGE.parents[1] / "shared_rules"
    named = set()
    for row in re.findall(r"^\| (`.*?) \|", text, re.MULTILINE):
        named |= set(re.findall(r"`(\w+)`", row))
    known = {path.stem for path in package.glob("*.py")}
    assert named <= known
    left = known - named - {"__init__", "balls", "lan", "messages", "pins", "plain_text", "wire"}
    assert left <= {name for name in known if name.startswith("scenario")}


def test_a_stranger_can_write_a_scenario():
    text = JUDGE.read_text(encoding="utf-8")
    example = next(json.loads(e) for e in re.findall(r"```json\n(.*?)```", text, re.DOTALL))
    assert judge.judge(example)["outcome"]["fouls"] == []
    named = set(re.findall(r"`(\w+)`", text))
    kinds = {kind.__struct_config__.tag: kind for kind in get_args(ev.Event)}
    special = {"turn_started", "two_foul_warning", "mark_game_started", "outside_interference"}
    assert set(kinds) <= named
    assert {field for kind in kinds.values() for field in kind.__struct_fields__} <= named
    assert set(Given.__struct_fields__) <= named
    assert {*judge._MAKERS, *special, "spot", "check_rack"} <= named
