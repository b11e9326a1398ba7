"""Every fault of the catalogue, tried shortly; and its page."""

import re
from pathlib import Path

import pytest

from tests.faults.catalogue import FAULTS, HELD, Fault
from tests.faults.reliability import PAGE, held_row, try_fault

_ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: fault.name.replace(" ", "_"))
def test_nothing_is_lost_and_others_notice_no_more_than_a_line(fault: Fault) -> None:
    try_fault(fault, long=False)


def test_the_page_names_every_fault_and_nothing_else() -> None:
    text = PAGE.read_text(encoding="utf-8")
    named = re.findall(r"^\| \*\*(.*?)\*\*: (.*?) \|", text, re.MULTILINE)
    assert named == [(entry.name, entry.what) for entry in (*FAULTS, *HELD)]
    for entry in HELD:
        assert held_row(entry) in text
        assert all((_ROOT / test).exists() for test in entry.tests)
    lost = re.findall(r"^\| \*\*.*?\*\*: .*? \| \d+ \| (\d+) of \d+ \|", text, re.MULTILINE)
    assert len(lost) == len(FAULTS) and set(lost) == {"0"}
