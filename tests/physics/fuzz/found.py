"""How a find of the fuzz is played again."""

from physics.case_input import read_case
from tests.physics.fuzz.promises import broken, mirrored, run, solid


def played(balls, table="9ft", **case):
    """The outcome of a case that keeps what a run promises."""
    table = table if isinstance(table, dict) else {"preset": table}
    posed = read_case({"id": "found", "table": table, "balls": balls, **case})
    outcome = run(posed)
    assert not [*broken(posed, outcome), *solid(posed, outcome), *mirrored(posed, outcome)]
    return outcome


def told(outcome, kind):
    return [r for r in outcome.events if isinstance(r.event, kind)]
