"""Every rule has code and a test that name it, and the page says so truly."""

import re

import pytest

from tests.rules_coverage import PAGE, Rule, coverage, named, row, rules

COVERED = coverage()
ROWS = dict(re.findall(r"^\| (\S+) \|(.*)$", PAGE.read_text(encoding="utf-8"), re.M))


def test_the_list_is_whole():
    assert len(rules()) == 280
    assert all(rule.title for rule in rules().values())


@pytest.mark.parametrize("rule", COVERED.values(), ids=lambda rule: rule.id)
def test_a_rule_that_is_realised_is_named_by_code_and_by_a_test(rule: Rule):
    if not rule.reason:
        assert rule.code, f"{rule.id} ({rule.title}): no code names it"
        assert rule.tests, f"{rule.id} ({rule.title}): no test names it"


def test_the_page_says_nothing_that_is_not_so():
    """What has come since may be missing from the page; what it says must hold."""
    shown = {name for name in ROWS if name in COVERED}
    assert shown == set(COVERED), "run `make rules-coverage`"
    for name in shown:
        rule = COVERED[name]
        said = set(re.findall(r"`([^`]+)`", ROWS[name]))
        true = set(re.findall(r"`([^`]+)`", row(rule)))
        assert said <= true, f"{name}: run `make rules-coverage`"
        assert rule.title in ROWS[name] and rule.reason in ROWS[name]


def test_ids_are_read_as_they_are_written():
    known = {"N9.5e", "N9.5f", "N9.5g", "N9.5m", "N9.5s1", "F6.1", "F6.10", "G.1.4a", "G.1.4b"}
    assert set(named("N9.5e to g, m", known)) == {"N9.5e", "N9.5f", "N9.5g", "N9.5m"}
    assert set(named("see F6.10 and a ball", known)) == {"F6.10"}
    assert set(named("(F6.1, N9.5s1).", known)) == {"F6.1", "N9.5s1"}
    assert set(named("as in G.1.4", known)) == {"G.1.4a", "G.1.4b"}
