"""What ``headstring simulate`` answers: the shape of a result and what its parts promise."""

import json
import math

import msgspec
import pytest

from physics.case import run_case
from shared_rules.balls import ball_number
from shared_rules.events import Event
from tests.physics.posing import R, ball, events, first, pose, rolling

BREAK = {
    "rack": {"discipline": "nine_ball", "seed": 9, "gap": 3e-5, "cue_ball": [-0.635, 0.05]},
    "strike": {"speed": 7.0, "heading_deg": -2.1, "tip": [0.0, 0.1]},
}


@pytest.fixture(scope="module")
def shot():
    return pose(**BREAK, sample_at=[0.0, 0.1, 1e4])


def test_a_result_has_the_keys_of_the_contract(shot):
    assert list(shot) == [
        "id", "status", "duration", "events", "samples", "final", "wall_ms",
    ]  # fmt: skip
    assert shot["id"] == "posed" and shot["wall_ms"] > 0
    assert list(shot["final"]) == [str(n) for n in range(10)]
    json.dumps(shot, allow_nan=False)


def test_events_are_in_order_and_carry_balls_before_and_after(shot):
    times = [e["at"] for e in shot["events"]]
    assert times == sorted(times) and times[-1] == shot["duration"]
    assert shot["events"][0]["t"] == "cue_strike" and shot["events"][-1]["t"] == "rest"
    for e in shot["events"]:
        named = {e[k] for k in ("ball", "a", "b") if k in e}
        assert set(e["before"]) == set(e["after"])
        assert named <= set(e["before"]) or e["t"] in ("travel", "rest", "plays_away"), e
        for state in (*e["before"].values(), *e["after"].values()):
            assert set(state) == {"pos", "vel", "spin"}
            assert all(len(v) == 3 and all(math.isfinite(x) for x in v) for v in state.values())


def test_events_are_of_the_shared_vocabulary(shot):
    for e in shot["events"]:
        plain = {k: v for k, v in e.items() if k not in ("before", "after", "round")}
        for key in ("ball", "a", "b"):
            if key in plain:
                plain[key] = ball_number(plain[key])
        assert msgspec.convert(plain, Event).at == e["at"]


def test_contacts_have_rounds_and_a_round_shows_the_whole(shot):
    kinds = {e["t"] for e in shot["events"] if "round" in e}
    assert kinds <= {"ball_ball", "rail", "jaw", "rail_top", "bed_bounce"}
    assert all("round" in e for e in events(shot, "ball_ball", "rail"))
    seen = {}
    for e in shot["events"]:
        if "round" not in e:
            continue
        for name in e["before"]:
            key = (e["round"], e["at"], name)
            value = (e["before"][name], e["after"][name])
            assert seen.setdefault(key, value) == value


def test_a_sample_at_an_event_is_the_state_after_it():
    layout = {"0": ball(-0.3, 0.0, (2.0, 0.0), rolling(2.0)), "1": ball(0.2, 0.01)}
    hit = first(pose(layout), "ball_ball")
    sample = pose(layout, sample_at=[hit["at"]])["samples"][0]
    assert sample["at"] == hit["at"]
    for name, state in hit["after"].items():
        for key, value in state.items():
            assert sample["balls"][name][key] == pytest.approx(value, abs=1e-12)


def test_samples_name_the_motion():
    layout = {
        "0": ball(-0.3, 0.0, (2.0, 0.0)),
        "1": ball(-0.3, 0.2, (0.5, 0.0), rolling(0.5)),
        "2": ball(-0.3, 0.4, spin=(0.0, 0.0, 9.0)),
        "3": ball(-0.3, -0.2),
        "4": ball(-0.3, -0.4, (0.1, 0.0, 0.5)),
    }
    balls = pose(layout, sample_at=[0.01])["samples"][0]["balls"]
    assert [balls[b]["state"] for b in "01234"] == ["slide", "roll", "spin", "rest", "air"]


def test_past_the_end_the_last_state_holds(shot):
    last = shot["samples"][2]["balls"]
    for name, state in shot["final"].items():
        assert last[name]["pos"] == state["pos"] and last[name]["state"] == state["state"]


def test_a_cut_run_says_who_still_moves():
    result = run_case({"id": "c", "balls": {"0": ball(0, 0, (1.0, 0.0)), "1": ball(-0.5, 0.3)},
                       "until": 0.5, "sample_at": [0.4, 0.5, 3.0]})  # fmt: skip
    assert result["status"] == "cut" and result["duration"] == 0.5
    assert result["final"]["0"]["state"] == "moving" and result["final"]["1"]["state"] == "rest"
    assert all(e["at"] <= 0.5 for e in result["events"])
    assert not events(result, "rest")
    assert result["samples"][1]["balls"] == result["samples"][2]["balls"]
    for key in ("pos", "vel", "spin"):
        assert result["samples"][1]["balls"]["0"][key] == pytest.approx(result["final"]["0"][key])


def test_a_pocketed_ball_says_where():
    shot = {"0": ball(1.0, 0.365, (0.7, 0.7), rolling(0.7, 0.7))}
    result = pose(shot)
    assert result["final"]["0"]["state"] == "pocketed"
    assert result["final"]["0"]["pocket"] == "foot_left"
    assert first(result, "pocketed")["pocket"] == "foot_left"
    assert result["final"]["0"]["vel"] == [0.0, 0.0, 0.0]


def test_a_lag_is_two_strikes_and_rests_one_by_one():
    result = pose(
        {"LA": ball(-0.635, 0.3), "LB": ball(-0.635, -0.3)},
        strike=[
            {"ball": "LA", "speed": 1.4, "heading_deg": 0.0},
            {"ball": "LB", "speed": 1.5, "heading_deg": 0.0, "at": 0.4},
        ],
    )
    strikes = events(result, "cue_strike")
    assert [(e["ball"], e["at"]) for e in strikes] == [("LA", 0.0), ("LB", 0.4)]
    rests = events(result, "rest")
    assert {e["ball"] for e in rests} == {"LA", "LB"}
    for e in rests:
        x = result["final"][e["ball"]]["pos"][0]
        assert e["gap_to_head_cushion_mm"] == pytest.approx(
            1000 * (x + 1.27 - math.sqrt(R * R - (0.03629025 - R) ** 2)), abs=2.0
        )


def test_a_miscue_is_reported():
    result = pose({"0": ball(0, 0)}, strike={"speed": 2.0, "heading_deg": 0.0, "tip": [0.0, 0.7]})
    assert first(result, "cue_strike")["miscue"] is True
    assert "miscue" not in first(
        pose({"0": ball(0, 0)}, strike={"speed": 2.0, "heading_deg": 0.0}), "cue_strike"
    )


def test_an_elevated_stroke_lands_on_the_bed():
    result = pose(
        {"0": ball(-0.5, 0)},
        strike={"speed": 4.0, "heading_deg": 0.0, "elevation_deg": 30, "tip": [0, 0]},
    )
    assert min(s["pos"][2] for e in result["events"] for s in e["after"].values()) >= R - 1e-9
    assert result["final"]["0"]["state"] in ("rest", "pocketed", "off_table")
