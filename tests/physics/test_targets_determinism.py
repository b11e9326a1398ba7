"""Target D: the same case gives the same digits, whenever and wherever it runs."""

import json
import subprocess
import sys
from pathlib import Path

from physics.case import run_case
from tests.physics.posing import check

BREAK = {
    "id": "break",
    "rack": {"discipline": "nine_ball", "seed": 7, "gap": 5e-5, "cue_ball": [-0.635, 0.02]},
    "strike": {"speed": 7.5, "heading_deg": -1.2, "tip": [0.1, 0.2]},
    "sample_at": [0.5, 1.0, 2.5],
}
LAG = {
    "id": "lag",
    "balls": {"LA": {"pos": [-0.635, 0.3]}, "LB": {"pos": [-0.635, -0.3]}},
    "strike": [
        {"ball": "LA", "speed": 1.6, "heading_deg": 0.4},
        {"ball": "LB", "speed": 1.7, "heading_deg": -0.3, "tip": [0.1, 0.1], "at": 0.35},
    ],
}


def digits(result):
    """The result as text, without the one field that may differ."""
    return json.dumps({k: v for k, v in result.items() if k != "wall_ms"}, sort_keys=True)


def other_shots(n):
    for i in range(n):
        heading = 360.0 * i / n
        yield {
            "id": f"other {i}",
            "balls": {
                "0": {"pos": [0.0, 0.1]},
                "1": {"pos": [0.3, 0.1]},
                "2": {"pos": [0.0, -0.3]},
            },
            "strike": {"speed": 1.0 + 0.05 * i, "heading_deg": heading, "tip": [0.2, -0.2]},
        }


def test_d01_same_process_other_process_and_after_a_hundred_shots():
    shots = [BREAK, LAG]
    alone = [digits(run_case(s)) for s in shots]
    again = [digits(run_case(s)) for s in shots]
    for shot in other_shots(100):
        assert run_case(shot)["status"] == "ok"
    later = [digits(run_case(s)) for s in reversed(shots)][::-1]
    script = (
        "import json, sys; from physics.case import run_lines\n"
        "for r in run_lines(sys.stdin):\n"
        "    r.pop('wall_ms'); print(json.dumps(r, sort_keys=True))\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", script],
        input="".join(json.dumps(s) + "\n" for s in shots),
        cwd=Path(__file__).parents[2], capture_output=True, text=True, check=True, timeout=120,
    )  # fmt: skip
    elsewhere = done.stdout.splitlines()
    check("D01", [a != b for a, b in zip(alone, again, strict=True)])
    check("D01", [a != b for a, b in zip(alone, later, strict=True)])
    check("D01", [a != b for a, b in zip(alone, elsewhere, strict=True)])
    assert len(json.loads(alone[0])["events"]) > 50
