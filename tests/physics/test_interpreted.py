"""Kernels give the same to the last bit, compiled or as plain Python; what can't is refused."""

import ast
import math
import os
import random
import struct
from contextlib import nullcontext
from itertools import pairwise
from math import exp, sqrt

import numpy as np
import pytest

from physics import compiled
from physics.arithmetic import length
from physics.bench import ordinary, varied
from physics.case_fields import CaseError
from physics.case_input import read_case
from physics.compiled import interpreting, kernel
from physics.interpreted import plain_function
from physics.rack import DISCIPLINES
from physics.record import record
from physics.simulation import simulate
from tests.physics.fuzz.poses import pose
from tests.physics.posing import field_cases

SOAK = os.environ.get("HEADSTRING_SOAK") == "1"
# Plain Python takes 75 ms for a pose: 6000 are eight minutes of one core.
SEED, POSES = 20261130, 6000 if SOAK else 60
SHOTS = 400 if SOAK else 6
MOST_EVENTS = 3000 if SOAK else 400


def same_both_ways(posed):
    """Pieces, events and bytes of a shot; ``repr`` tells -0.0 from 0.0 and shows every digit."""

    def play():
        outcome = simulate(
            posed.world, posed.states, posed.impulses, posed.until, max_events=MOST_EVENTS
        )
        try:
            return repr(outcome), record(posed.world, outcome).encode()
        except ValueError as error:  # made-up balls roll for kilometres, which no trajectory holds
            return repr(outcome), str(error)

    compiled_text, compiled_bytes = play()
    with interpreting():
        text, data = play()
    return text == compiled_text and data == compiled_bytes


def test_every_kernel_is_made_of_what_is_the_same_in_both():
    """A new ``math.hypot``, ``x ** 3`` or array sum in a kernel fails here, and says why."""
    for each in compiled.declared.values():
        if each.name.startswith("physics."):
            assert callable(each.interpreted), each.name


@pytest.mark.parametrize("name", sorted(field_cases()))
def test_field_cases_are_the_same_both_ways(name):
    try:
        posed = read_case({**field_cases()[name]["case"], "id": name})
    except CaseError:
        pytest.skip("refused")
    assert same_both_ways(posed)


@pytest.mark.parametrize("start", range(0, POSES, max(POSES // 6, 1)))
def test_posed_shots_are_the_same_both_ways(start):
    refused = 0
    for number in range(start, start + POSES // 6):
        try:
            posed = read_case(pose(SEED, number))
        except CaseError:
            refused += 1
            continue
        assert same_both_ways(posed), number
    assert refused < POSES // 12


@pytest.mark.parametrize("discipline", DISCIPLINES)
def test_breaks_are_the_same_both_ways(discipline):
    draw = random.Random(discipline)
    for _ in range(max(SHOTS // 6, 1)):
        posed = read_case({
            "id": "break",
            "rack": {"discipline": discipline, "seed": draw.getrandbits(32), "gap": 2e-5,
                     "cue_ball": [-0.635, draw.uniform(-0.2, 0.2)]},
            "strike": {"speed": draw.uniform(5.0, 9.0), "heading_deg": draw.uniform(-2.0, 2.0)},
        })  # fmt: skip
        assert same_both_ways(posed)


def masse(draw):
    """A steep stroke with side at a ball in the way, or a jump over it."""
    steep = draw.choice([draw.uniform(55.0, 75.0), draw.uniform(25.0, 45.0)])
    return read_case({
        "id": "massé",
        "balls": {"0": {"pos": [-0.4, 0.1]}, "1": {"pos": [-0.1, 0.1]}, "2": {"pos": [0.6, 0.2]}},
        "strike": {"speed": draw.uniform(2.0, 5.0), "heading_deg": draw.uniform(-5.0, 5.0),
                   "elevation_deg": steep, "tip": [draw.uniform(-0.4, 0.4), 0.0]},
    })  # fmt: skip


@pytest.mark.parametrize("shot", [masse, ordinary, varied])
def test_strokes_are_the_same_both_ways(shot):
    draw = random.Random(shot.__name__)
    for _ in range(SHOTS):
        assert same_both_ways(shot(draw))


# --- the arithmetic itself ----------------------------------------------------------------------


@kernel("f8(f8, f8)")
def quotient(a, b):
    """Any two numbers."""
    return a / b


@kernel("void(f8[::1], f8)")
def share_out(row, b):
    """Divides in place."""
    for x in range(row.shape[0]):
        row[x] /= b


@kernel("f8(f8)")
def root(x):
    """Any number."""
    return sqrt(x)


@kernel("f8(f8)")
def power(x):
    """Any number."""
    return exp(x)


@kernel("f8(f8, f8)")
def least_square(x, y):
    """With the larger taken from the smaller."""
    return (min(x, y) - max(x, y)) ** 2 + length(x, y)


@kernel("f8(f8, f8)")
def product_and_sum(x, y):
    """Fused, with one rounding for both, it would be another number."""
    return x * y - x


@kernel("f8(f8[:,::1], i8)")
def rows_are_seen_through(table, k):
    """A row, a part of it and a copy, of an array that is passed and of one that is made."""
    row = table[k]
    part = table[k, 1:3]
    kept = part.copy()
    row[1] += 1.0
    part[1] *= 2.0
    made = np.zeros((2, 3))
    made[1, 2] = kept[0] + 10.0 * kept[1]
    other = made[1]
    other[0] = 0.5
    flags = np.zeros(table.shape[0], np.bool_)
    flags[k] |= row[1] > kept[0]
    counts = np.zeros(2, np.int64)
    counts[1] += int(made[1, 2])
    filled = np.full(2, -1)
    return made[1, 0] + counts[1] + (100.0 if flags[k] else 0.0) + filled[1]


ODD = (0.0, -0.0, 1.0, -1.0, 5e-324, -5e-324, 1e-308, 1e154, 1.7e308, math.inf, -math.inf, math.nan)


def numbers():
    """Odd numbers and thousands of ordinary ones."""
    draw = random.Random(4)
    yield from ODD
    for _ in range(2000):
        yield math.ldexp(draw.uniform(-1.0, 1.0), draw.randint(-60, 60))


def both(function, *arguments):
    """The result compiled and interpreted; all nans are one."""
    results = [function(*arguments)]
    with interpreting():
        results.append(function(*arguments))
    return ["nan" if math.isnan(value) else struct.pack("<d", value) for value in results]


@pytest.mark.parametrize("function", [root, power])
def test_functions_give_the_same_bits(function):
    for x in numbers():
        compiled_bits, plain_bits = both(function, x)
        assert compiled_bits == plain_bits, x


@pytest.mark.parametrize("function", [quotient, least_square, product_and_sum])
def test_functions_of_two_numbers_give_the_same_bits(function):
    pairs = [(a, b) for a in ODD for b in ODD] + list(pairwise(numbers()))
    for a, b in pairs:
        compiled_bits, plain_bits = both(function, a, b)
        assert compiled_bits == plain_bits, (a, b)


def test_arrays_are_changed_in_place_and_seen_through_their_rows():
    results = []
    for plain in (False, True):
        table = np.arange(12.0).reshape(4, 3)
        row = np.array([1.0, -1.0, 0.0])
        with interpreting() if plain else nullcontext():
            value = rows_are_seen_through(table, 2)
            share_out(row, 0.0)
        results.append((value, table.tolist(), row.tolist()[:2]))
    assert results[0] == results[1]
    assert results[0][0] == 0.5 + 87 + 100 - 1
    assert results[0][1][2] == [6.0, 8.0, 16.0]
    assert results[0][2] == [math.inf, -math.inf]


@pytest.mark.parametrize(
    "text",
    ["hypot(x, x)", "math.sin(x)", "x ** 3", "x ** 0.5", "pow(x, 2)", "round(x)", "sum((x, x))",
     "np.sum(a)", "np.dot(a, a)", "a.sum()", "a[:, 0]", "a @ a", "x ^ 1", "[x for _ in (1,)]",
     "max(x, x, key=abs)", "a.T", "a.shape[1]"],
)  # fmt: skip
def test_what_need_not_be_the_same_is_refused_with_the_reason(text):
    tree = ast.parse(f"def f(x, a):\n    return {text}")
    with pytest.raises(TypeError, match=r"kernel under\.test uses .*the same to the last bit"):
        plain_function("under.test", tree, {"math": math, "np": np, "hypot": math.hypot})
