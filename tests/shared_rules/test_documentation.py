"""The examples of docs/rules.md run."""

import re
from pathlib import Path

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
    left = known - named - {"__init__", "balls", "messages", "wire"}
    assert left <= {name for name in known if name.startswith("scenario")}
