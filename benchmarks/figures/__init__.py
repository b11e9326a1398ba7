"""The figures of docs/physics.md: every acceptance target and the published tables, measured.

One place poses and measures each of them, through the door of ``headstring simulate``: the tests
hold the same functions to their tolerances, and ``python -m benchmarks.physics_page`` writes them
down.
"""
