"""Which code realises each rule and which test holds it: writes ``docs/rules-coverage.md``.

Run by ``make rules-coverage``.  Rule ids are those of docstrings and comments (``N9.5e to h``,
``F6.1, F6.5``); scenarios name theirs themselves.  ``tests/data/rules/rule_ids.txt`` lists every id
with a short title and, where nothing of it can happen in a program, why.
"""

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
IDS = ROOT / "tests" / "data" / "rules" / "rule_ids.txt"
PAGE = ROOT / "docs" / "rules-coverage.md"
SCENARIOS = ROOT / "tests" / "data" / "rules"
CODE = ("shared_rules", "server", "client", "physics")
TESTS = ("tests/shared_rules", "tests/server", "tests/client", "tests/physics", "tests/end_to_end")
_CHAPTERS = "N9|LAG|G|W9|E8|S14|BB|F6|D8"
_NAMED = re.compile(rf"\b(?:{_CHAPTERS})\.[0-9a-z.]+")
# what may follow an id: further letters of the same rule, or a range of them
_MORE = re.compile(r"(, | and | to |, and )([a-z]\d?)(?![a-z'])")


@dataclass
class Rule:
    """A rule of the digest.

    ``reason``: why nothing of it is realised; empty for a rule that is.
    """

    id: str
    title: str
    reason: str
    code: list[str] = field(default_factory=list)
    tests: list[str] = field(default_factory=list)


def rules() -> dict[str, Rule]:
    """Every rule of the list, by id."""
    found: dict[str, Rule] = {}
    for line in IDS.read_text(encoding="utf-8").splitlines():
        if line and not line.startswith("#"):
            name, title, reason = (part.strip() for part in (line + " |").split("|")[:3])
            found[name] = Rule(name, title, reason)
    return found


def named(text: str, known: set[str]) -> Iterator[str]:
    """The ids of ``known`` that a text names, ranges and lists of letters spelt out.

    A bare number names the whole rule: ``N9.8`` stands for N9.8.1 to 5, ``LAG.4`` for LAG.4a to c.
    """
    for match in _NAMED.finditer(text):
        first = match[0].rstrip(".")
        yield from _meant(first, known)
        stem, last = re.sub(r"[a-z]\d?$", "", first), first[-1]
        place = match.start() + len(first)
        while (more := _MORE.match(text, place)) is not None:
            letters = [more[2]]
            if more[1] == " to ":
                letters = [chr(n) for n in range(ord(last) + 1, ord(more[2][0]) + 1)]
            for letter in letters:
                yield from _meant(stem + letter, known)
            last, place = more[2][0], more.end()


def _meant(name: str, known: set[str]) -> Iterator[str]:
    if name in known:
        yield name
        return
    yield from (one for one in known if re.fullmatch(re.escape(name) + r"(\.\d+|[a-z]\w*)", one))


def coverage() -> dict[str, Rule]:
    """Every rule with the places that name it."""
    found = rules()
    known = set(found)
    for package in CODE:
        for path in sorted((ROOT / package).rglob("*.py")):
            where = path.relative_to(ROOT).as_posix()
            for name in set(named(path.read_text(encoding="utf-8"), known)):
                found[name].code.append(where)
    for name, title in _tests(known):
        found[name].tests.append(title)
    for rule in found.values():
        rule.tests = list(dict.fromkeys(rule.tests))
    return found


def _tests(known: set[str]) -> Iterator[tuple[str, str]]:
    for file in sorted(SCENARIOS.glob("*.jsonl")):
        for line in file.read_text(encoding="utf-8").splitlines():
            scenario = json.loads(line)
            for name in scenario.get("rule_ids", ()):
                yield from ((one, scenario["id"]) for one in _meant(name, known))
    for folder in TESTS:
        for path in sorted((ROOT / folder).glob("test_*.py")):
            for name in sorted(set(named(path.read_text(encoding="utf-8"), known))):
                yield name, path.stem.removeprefix("test_")


def page() -> str:
    """The page that ``docs/rules-coverage.md`` has to be."""
    found = coverage()
    bare = sum(bool(rule.reason) for rule in found.values())
    lines = [
        "# Rules, the code that realises them, and the tests that hold them",
        "",
        "Made by `make rules-coverage`; a test fails when it says what is not so, or when a rule"
        " that is realised has no code or no test that names it. The ids follow the numbers of the"
        " rulebooks. Names in capitals are scenarios of `tests/data/rules`, the others test files.",
        "",
        f"{len(found)} rules: {len(found) - bare} realised, {bare} that cannot occur in a program.",
        "",
        "| id | rule | code | tests |",
        "|---|---|---|---|",
    ]
    lines += map(row, found.values())
    return "\n".join(lines) + "\n"


def row(rule: Rule) -> str:
    """A rule's row of the page."""
    code = rule.reason or ", ".join(f"`{where}`" for where in _short(rule.code)) or "–"
    return f"| {rule.id} | {rule.title} | {code} | {_list(rule.tests) or '–'} |"


def _short(places: list[str]) -> list[str]:
    return [place.removeprefix("shared_rules/").removesuffix(".py") for place in places]


def _list(tests: list[str]) -> str:
    scenarios = [test for test in tests if test[0].isupper()]
    files = [f"`{test}`" for test in tests if not test[0].isupper()]
    shown = scenarios[:3] + ([f"and {len(scenarios) - 3} more"] if len(scenarios) > 3 else [])
    return ", ".join(shown + files)


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
