"""Posing shots and holding measurements to the targets, for the physics tests."""

from benchmarks.figures.posing import (
    DATA,
    NOSE,
    G,
    M,
    R,
    angle_between,
    ball,
    cut_shot,
    energy,
    events,
    field_cases,
    first,
    heading,
    judge,
    motion_energy,
    pose,
    rolling,
    speed,
    targets,
)

__all__ = [
    "DATA",
    "NOSE",
    "G",
    "M",
    "R",
    "angle_between",
    "ball",
    "check",
    "cut_shot",
    "energy",
    "events",
    "field_cases",
    "first",
    "heading",
    "motion_energy",
    "pose",
    "rolling",
    "speed",
    "targets",
]


def check(name, got):
    """Hold ``got`` to the target ``name``: exact and invariant ones ten times tighter."""
    for figure in judge(name, got):
        assert figure.met, f"{figure.name}: {figure.value} is not in {figure.low} .. {figure.high}"
