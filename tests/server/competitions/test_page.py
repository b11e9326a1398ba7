"""The example of docs/league.md runs as it stands there."""

import re
from pathlib import Path

PAGE = Path(__file__).parents[3] / "docs" / "league.md"


def test_the_example_runs():
    (code,) = re.findall(r"```python\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)
    assert "assert" in code
    exec(compile(code, str(PAGE), "exec"), {})


def test_every_tie_break_and_module_is_listed():
    text = PAGE.read_text(encoding="utf-8")
    from server.competitions.setup import TieBreak

    assert [name for name in TieBreak if f"`{name.value}`" not in text] == []
    modules = (PAGE.parents[1] / "server" / "competitions").glob("[!_]*.py")
    assert [m.name for m in modules if f"`{m.name}`" not in text and m.name != "bench.py"] == []
