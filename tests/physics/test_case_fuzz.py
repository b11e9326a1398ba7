"""Whatever JSON a case holds, it is read or refused: nothing else is ever raised."""

import copy
import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from physics.case import run_lines
from physics.case_fields import CODES, CaseError
from physics.case_input import KEYS, Posed, read_case
from tests.physics.test_case_refusals import GOOD

SCALARS = st.one_of(
    st.none(), st.booleans(), st.integers(), st.floats(), st.text(max_size=8),
    st.sampled_from([0, 1, -1, 1e308, 10**400, "9ft", "uk7ft", "none", "0", "LA", "nine_ball"]),
)  # fmt: skip
NAMES = st.one_of(
    st.sampled_from([
        *KEYS, "preset", "pockets", "length", "corner_mouth", "mu_slide", "mu_ball", "a", "radius",
        "mass", "pos", "vel", "spin", "0", "15", "LB", "discipline", "seed", "gap", "speed", "tip",
        "heading_deg", "elevation_deg", "at", "e_tip", "end_mass_ratio",
    ]),
    st.text(max_size=4),
)  # fmt: skip
ANYTHING = st.recursive(
    SCALARS,
    lambda inner: st.one_of(st.lists(inner, max_size=4), st.dictionaries(NAMES, inner, max_size=4)),
    max_leaves=12,
)


def read(case):
    try:
        return read_case(case)
    except CaseError as error:
        assert error.code in CODES and 0 < len(str(error)) < 600
        return None


@settings(max_examples=300, deadline=None)
@given(ANYTHING)
def test_anything_at_all(case):
    read(case)


@settings(max_examples=500, deadline=None)
@given(st.data())
def test_a_good_case_with_one_thing_changed(data):
    case = copy.deepcopy(GOOD)
    inner = case
    while True:
        key = data.draw(st.one_of(st.sampled_from(list(inner) or [""]), NAMES))
        if isinstance(inner.get(key), dict) and data.draw(st.booleans()):
            inner = inner[key]
            continue
        inner[key] = data.draw(ANYTHING)
        break
    posed = read(case)
    assert posed is None or isinstance(posed, Posed)


@settings(max_examples=200, deadline=None)
@given(st.text(max_size=60))
def test_any_line_of_text(line):
    for result in run_lines([line]):
        assert result["status"] == "error" and result["code"] in CODES


@pytest.mark.parametrize("at", range(0, 200, 7))
def test_a_line_that_breaks_off(at):
    line = json.dumps(GOOD)[:at]
    for result in run_lines([line]):
        assert result["code"] == "bad_json"
