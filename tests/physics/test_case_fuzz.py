"""Whatever JSON a case holds, it is read or refused: nothing else is ever raised."""

import copy
import json
import os
import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from physics.case import run_lines
from physics.case_fields import CODES, CaseError
from physics.case_input import KEYS, Posed, read_case
from tests.physics.fuzz.poses import pose
from tests.physics.test_case_refusals import GOOD

LINES = 4000 if os.environ.get("HEADSTRING_SOAK") == "1" else 120

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


def garbled(draw, line):
    """A line of a case with a few things wrong in its text."""
    tokens = [
        "{",
        "}",
        "[",
        "]",
        ",",
        ":",
        '"',
        "\\",
        "null",
        "true",
        "-",
        "1e999",
        "NaN",
        "9" * 400,
    ]
    tokens += ["\x00", "\\ud800", "\ufeff", "\u2028", "\n", "\r", "0.1.2", "1e-400", "//", "'"]
    for _ in range(draw.choice([1, 1, 2, 5])):
        a = draw.randrange(len(line) + 1)
        b = min(len(line), a + draw.choice([0, 1, 1, 3, 30]))
        what = draw.choice(["drop", "token", "twice", "char", "digit", "swap"])
        if what == "drop":
            line = line[:a] + line[b:]
        elif what == "token":
            line = line[:a] + draw.choice(tokens) + line[b:]
        elif what == "twice":
            line = line[:b] + line[a:]
        elif what == "char":
            line = (
                line[:a]
                + chr(draw.choice([draw.randrange(128), draw.randrange(0xD7FF)]))
                + line[b:]
            )
        elif what == "digit":
            at = [k for k, c in enumerate(line) if c in "0123456789.-e"]
            if at:
                k = draw.choice(at)
                line = line[:k] + draw.choice("0123456789.-e+") + line[k + 1 :]
        else:
            c = min(len(line), b + draw.choice([1, 10]))
            line = line[:a] + line[b:c] + line[a:b] + line[c:]
    return line


def test_a_garbled_line_is_run_or_refused_and_the_next_one_runs():
    good = json.dumps({"id": "next", "balls": {"0": {"pos": [0.0, 0.0], "vel": [1.0, 0.0, 0.0]}}})
    refused = 0
    for number in range(LINES):
        draw = random.Random(f"garbled {number}")
        case = pose(7, number) | {"until": 2.0} if number % 3 else GOOD
        line = garbled(draw, json.dumps(case))
        *answers, after = run_lines([line, good])
        assert (after["id"], after["status"]) == ("next", "ok"), line
        for answer in answers:
            json.dumps(answer, allow_nan=False).encode()
            refused += answer["status"] == "error"
            ran = answer["status"] in ("ok", "cut")
            assert ran or (answer["code"] in CODES and answer["message"]), line
    assert LINES // 2 < refused < LINES
