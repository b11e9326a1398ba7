"""The pages of the protocol as one text, its sections and the examples in them."""

import json
import re
from pathlib import Path
from typing import Any

DOCS = Path(__file__).parents[2] / "docs"
FIRST = (DOCS / "protocol.md").read_text(encoding="utf-8")
LISTED = re.findall(r"^\| \[[^]]+\]\(protocol/([\w-]+\.md)\)", FIRST, re.M)
PAGES = [DOCS / "protocol" / name for name in LISTED]
PAGE = "\n## \n".join([FIRST, *(page.read_text(encoding="utf-8") for page in PAGES)])


def section(heading: str) -> str:
    """What stands under a heading, up to the next one."""
    found = re.search(rf"^{re.escape(heading)}$(.*?)(?=^##|\Z)", PAGE, re.M | re.S)
    assert found is not None, f"there is no section {heading!r}"
    return found[1]


def examples(heading: str) -> list[Any]:
    """The JSON values of the ``json`` blocks of a section, in order."""
    found = []
    for block in re.findall(r"^```json\n(.*?)^```$", section(heading), re.M | re.S):
        rest = block.strip()
        while rest:
            value, end = json.JSONDecoder().raw_decode(rest)
            found.append(value)
            rest = rest[end:].lstrip()
    return found
