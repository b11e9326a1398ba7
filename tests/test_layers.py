"""Who may know whom: imports point only along the lines of the architecture."""

import ast
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
OURS = {"shared_rules", "physics", "server", "client", "assets", "headstring"}
MAY_IMPORT = {
    "shared_rules": set(),
    "physics": {"shared_rules.events", "shared_rules.balls"},
    "server": {"shared_rules", "physics"},
    "client": {"shared_rules", "physics", "assets"},
    "assets": set(),
}
FOREIGN_TO = {
    "shared_rules": {"panda3d", "direct", "asyncio", "websockets", "sqlalchemy", "numba", "numpy"},
    "physics": {"direct", "asyncio", "websockets", "sqlalchemy"},
    "server": {"direct"},
    "client": {"sqlalchemy"},
    "assets": {"direct", "websockets", "sqlalchemy", "asyncio"},
}
IMPURE = {"time", "random", "datetime", "os", "socket", "pathlib", "io", "secrets", "uuid"}


def modules_imported(path: Path) -> set[str]:
    """Absolute names of everything that a file imports, at any depth of its code."""
    found = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: imports are absolute"
            found |= {node.module or ""}
            found |= {f"{node.module}.{alias.name}" for alias in node.names}
    return found


def files_of(package: str) -> list[Path]:
    return sorted((ROOT / package).rglob("*.py"))


def is_within(name: str, allowed: str) -> bool:
    return name == allowed or name.startswith(allowed + ".")


@pytest.mark.parametrize("package", sorted(MAY_IMPORT))
def test_imports_point_along_the_lines(package):
    files = files_of(package)
    assert files
    wrong = []
    for file in files:
        for name in modules_imported(file):
            top = name.split(".")[0]
            if top in FOREIGN_TO[package]:
                wrong.append(f"{file.relative_to(ROOT)} imports {name}")
            if top not in OURS or top == package:
                continue
            # `from shared_rules import events` names both the package and the module
            prefixes = [allowed for allowed in MAY_IMPORT[package] if is_within(allowed, name)]
            if not prefixes and not any(is_within(name, a) for a in MAY_IMPORT[package]):
                wrong.append(f"{file.relative_to(ROOT)} imports {name}")
    assert wrong == []


def test_the_rules_have_no_clock_no_chance_and_no_io():
    wrong = [
        f"{file.name} imports {name}"
        for file in files_of("shared_rules")
        for name in modules_imported(file)
        if name.split(".")[0] in IMPURE
    ]
    assert wrong == []


def test_competitions_have_no_clock_and_no_io():
    allowed = {"random"}  # as Random(seed), the seed being part of the log
    wrong = [
        f"{file.name} imports {name}"
        for file in files_of("server/competitions")
        if file.name != "bench.py"
        for name in modules_imported(file)
        if name.split(".")[0] in (IMPURE | FOREIGN_TO["shared_rules"]) - allowed
        or (
            (is_within(name, "server") and not is_within(name, "server.competitions"))
            and name != "server"
        )
    ]
    assert wrong == []


def test_only_bullet_of_panda3d_is_known_to_the_physics():
    used = {
        name
        for file in files_of("physics")
        for name in modules_imported(file)
        if name.startswith("panda3d")
    }
    assert {".".join(name.split(".")[:2]) for name in used} <= {"panda3d.bullet", "panda3d.core"}


@pytest.mark.parametrize("package", sorted(MAY_IMPORT))
def test_modules_say_what_they_are_for_and_fit_in_a_head(package):
    wrong = []
    for file in files_of(package):
        text = file.read_text(encoding="utf-8")
        if not ast.get_docstring(ast.parse(text)):
            wrong.append(f"{file.relative_to(ROOT)}: no docstring")
        if text.count("\n") > 400:
            wrong.append(f"{file.relative_to(ROOT)}: {text.count(chr(10))} lines")
    assert wrong == []
