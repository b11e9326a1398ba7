"""Every shared scenario gets the ruling that it expects."""

import json
from pathlib import Path

import pytest

from shared_rules.judge import check_lines, differences, judge, judge_lines

DATA = Path(__file__).parents[1] / "data" / "rules"
LINES = (DATA / "scenarios.jsonl").read_text(encoding="utf-8").splitlines()
SCENARIOS = [json.loads(line) for line in LINES]
# Rulings read from the rulebooks before they were run, for what the shared lines leave out.
FURTHER_LINES = (DATA / "further.jsonl").read_text(encoding="utf-8").splitlines()
BLACK_BALL_LINES = (DATA / "black_ball.jsonl").read_text(encoding="utf-8").splitlines()
EIGHT_BALL_LINES = (DATA / "eight_ball.jsonl").read_text(encoding="utf-8").splitlines()
STRAIGHT_POOL_LINES = (DATA / "straight_pool.jsonl").read_text(encoding="utf-8").splitlines()
OWN_LINES = FURTHER_LINES + EIGHT_BALL_LINES + STRAIGHT_POOL_LINES + BLACK_BALL_LINES
FURTHER_SCENARIOS = [json.loads(line) for line in OWN_LINES]


@pytest.mark.parametrize("scenario", SCENARIOS + FURTHER_SCENARIOS, ids=lambda s: s["id"])
def test_ruling_agrees(scenario):
    assert differences(judge(scenario), scenario["expect"]) == []


def test_all_of_them_are_there():
    disciplines = [s["discipline"] for s in SCENARIOS]
    counts = {name: disciplines.count(name) for name in set(disciplines)}
    assert counts == {
        "lag": 11,
        "nine_ball_epbf": 59,
        "nine_ball_wpa": 25,
        "general": 31,
        "eight_ball": 36,
        "straight_pool": 30,
        "black_ball": 33,
    }
    ids = [s["id"] for s in SCENARIOS + FURTHER_SCENARIOS]
    assert len(set(ids)) == len(ids)


def test_expectations_are_never_read():
    for scenario in SCENARIOS:
        bare = {k: v for k, v in scenario.items() if k != "expect"}
        assert judge(bare) == judge(scenario)


def test_lines_keep_their_order_and_empty_ones_are_skipped():
    rulings = list(judge_lines([LINES[3], "", "  ", LINES[0]]))
    assert [r["id"] for r in rulings] == [SCENARIOS[3]["id"], SCENARIOS[0]["id"]]


def test_a_wrong_expectation_is_a_difference():
    scenario = json.loads(LINES[0])
    scenario["expect"] |= {"lag_winner": "B", "fouls": ["5a"], "unheard_of": 1}
    found = list(check_lines([json.dumps(scenario)]))
    assert len(found) == 3 and all(scenario["id"] in line for line in found)


@pytest.mark.parametrize(
    ("got", "wanted", "same"),
    [
        ({"fouls": ["5a", "5c"]}, {"fouls": ["5c", "5a"]}, True),
        ({"spotted": [1, 2]}, {"spotted": [2, 1]}, False),
        ({}, {"score": None}, True),
        ({"x": 1.0}, {"x": 1.0 + 1e-7}, True),
        ({"x": 1.0}, {"x": 1.001}, False),
        ({"u": 0.75}, {"u": 0.7508}, True),
        ({"p": {"u": 0.77}}, {"p": {"u_min": 0.76, "u_max": 0.78}}, True),
        ({"p": {"u": 0.77}}, {"p": {"u_min": 0.78}}, False),
        ({"x": True}, {"x": 1}, False),
        ({"a": 1}, {"a": 1, "notes": "anything"}, True),
    ],
)
def test_comparing(got, wanted, same):
    ruling = {"id": "x", "status": "ok", "outcome": got}
    assert (differences(ruling, wanted) == []) is same


def _scenario(events=(), **given):
    given = {"player": "A", "on_table": [2, 3, 9]} | given
    return {
        "id": "x",
        "discipline": "nine_ball_epbf",
        "given": given,
        "shot": {"events": list(events)},
    }


def _action(kind, by="referee", **more):
    return _scenario(slow_play_warned=True) | {"action": {"by": by, "type": kind} | more}


def _lag(**given):
    given = {"player": "A", "players": ["A", "B"]} | given
    strokes = [{"t": "cue_strike", "ball": ball} for ball in ("LA", "LB")]
    return {"id": "x", "discipline": "lag", "given": given, "shot": {"events": strokes}}


STRIKE = {"t": "cue_strike"}


@pytest.mark.parametrize(
    ("scenario", "code"),
    [
        (_scenario([STRIKE, {"t": "ball_ball", "a": 0, "b": 99}]), "unknown_ball"),
        (_scenario([STRIKE, {"t": "ball_ball", "a": 0, "b": 5}]), "unknown_ball"),
        (_scenario([STRIKE, {"t": "ball_ball", "a": 0, "b": "x"}]), "unknown_ball"),
        (_scenario([STRIKE], on_table=[2, 12]), "unknown_ball"),
        (_scenario([STRIKE], pos={"8": {"u": 0.5, "v": 0.5}}), "unknown_ball"),
        (_scenario([{"t": "explosion"}]), "unknown_event"),
        (_scenario([{"ball": 2}]), "unknown_event"),
        (_scenario([STRIKE, {"t": "ball_ball", "a": 2, "b": 2}]), "bad_scenario"),
        (_scenario([STRIKE, {"t": "rail", "ball": 2, "rail": "north"}]), "bad_scenario"),
        (_scenario([STRIKE], on_table=[0, 2, 9]), "bad_scenario"),
        (_scenario([STRIKE], on_table=[2, 2, 9]), "bad_scenario"),
        (_scenario([STRIKE], is_break="yes"), "bad_scenario"),
        (_scenario([STRIKE], state="NOWHERE"), "bad_scenario"),
        (_scenario([STRIKE], ruleset={"nonsense": 1}), "bad_ruleset"),
        (_scenario(), "bad_scenario"),
        (_scenario() | {"action": {"by": "shooter", "type": "dance"}}, "unknown_action"),
        (_scenario() | {"action": {"by": "nobody", "type": "concede"}}, "bad_scenario"),
        (_scenario() | {"action": {"by": "shooter", "type": "choose"}}, "bad_scenario"),
        (_scenario() | {"action": {"by": "shooter", "type": "place_cue"}}, "bad_scenario"),
        (
            _scenario([STRIKE, *[{"t": "pocketed", "ball": 2, "pocket": "side_left"}] * 2]),
            "bad_scenario",
        ),
        (_scenario([STRIKE], consecutive_fouls={"shooter": -1}), "bad_scenario"),
        (_scenario([STRIKE], consecutive_fouls={"shooter": 3}), "bad_scenario"),
        (_scenario([STRIKE], near_rail={"ball": 2, "rail": "north"}), "bad_scenario"),
        (_scenario([STRIKE], near_rail={"ball": "two", "rail": "foot"}), "bad_scenario"),
        (_scenario([STRIKE], pos={"2": {"u": 7.0, "v": 0.5}}), "bad_scenario"),
        (_scenario([STRIKE], ruleset={"preset": ["wpa"]}), "bad_ruleset"),
        (_scenario([STRIKE, {"t": "ball_ball", "a": 0, "b": 2, "frosen": True}]), "bad_scenario"),
        (_scenario([STRIKE, {"t": "travel", "ball": 0, "mm": float("nan")}]), "bad_scenario"),
        (_scenario([STRIKE, {"t": "interference", "balls": [8]}]), "unknown_ball"),
        (_scenario([STRIKE, STRIKE]), "bad_scenario"),
        (_scenario([{"t": "cue_strike", "ball": 3}]), "bad_scenario"),
        (_scenario([{"t": "ball_ball", "a": 0, "b": 2}]), "bad_scenario"),
        (_scenario([STRIKE, *[{"t": "off_table", "ball": 2}] * 2]), "bad_scenario"),
        (_action("check_rack", rows=[[1], ["a", 7], [2, 9, 6], [8, 3], [5]]), "unknown_ball"),
        (_action("spot", ball=0), "unknown_ball"),
        (_action("spot", ball=99), "unknown_ball"),
        (_action("spot", ball=2), "bad_scenario"),
        (_action("impose_shot_clock", limit_s=0), "bad_scenario"),
        (_action("award_loss", scope="universe"), "bad_scenario"),
        (_action("award_loss", player="nobody"), "bad_scenario"),
        (_action("late_arrival", minutes=-1), "bad_scenario"),
        (_action("restore_balls", balls=[]), "bad_scenario"),
        (_action("restore_balls", balls="23"), "bad_scenario"),
        (_action("call_foul", foul=["5i"]), "bad_scenario"),
        (_action("change_cue", "shooter", cue=["jump"]), "bad_scenario"),
        (_lag(balls={"A": "LA", "B": "LA"}), "bad_scenario"),
        (_lag(players=["A", "A"]), "bad_scenario"),
        (_scenario([STRIKE], ruleset={"a": [[[[[[0]]]]]]}), "bad_ruleset"),
        (_scenario([STRIKE]) | {"id": "\ud800"}, "bad_scenario"),
        (_scenario([STRIKE], notes=json.loads("[" * 60 + "]" * 60)), "bad_scenario"),
        (_scenario([STRIKE], game="lag") | {"discipline": "general"}, "discipline_not_supported"),
        ({"id": "x"}, "bad_scenario"),
        ([], "bad_scenario"),
        (None, "bad_scenario"),
    ],
)
def test_senseless_scenarios_are_errors(scenario, code):
    ruling = judge(scenario)
    assert (ruling["status"], ruling["code"]) == ("error", code)
    assert ruling["message"]
    assert differences(ruling, {"fouls": []})


@pytest.mark.parametrize(
    "line",
    [
        "{",
        LINES[0] + " and more",
        '{"id": ' + "9" * 5000 + "}",
        "[" * 100_000 + "]" * 100_000,
        '{"id": "x", "given": {"pos": {"0": {"u": 0.2}, "0": {"u": 0.7}}}}',  # two cue balls
    ],
)
def test_a_line_that_is_no_scenario_is_an_error(line):
    ruling = next(judge_lines([line]))
    assert (ruling["status"], ruling["code"]) == ("error", "bad_scenario")
    assert len(list(check_lines([line]))) == 1


def test_a_byte_order_mark_and_line_ends_of_windows_do_not_matter():
    assert next(judge_lines(["\ufeff" + LINES[0] + "\r\n"])) == judge(SCENARIOS[0])


def test_what_is_expected_is_not_judged():
    strange = SCENARIOS[0] | {"expect": [float("nan")]}
    assert judge(strange) == judge(SCENARIOS[0])
    assert list(check_lines([json.dumps(strange)])) == [f"{strange['id']}: expect is no object"]


def test_an_error_keeps_the_id():
    assert judge(_scenario([STRIKE], ruleset={"x": float("inf")}) | {"id": "N9"})["id"] == "N9"


# Rulings that the shared lines do not fix, from the same rules.
FURTHER = [
    (
        "N9.5k: own cushion does not count",
        _scenario(
            [
                STRIKE,
                {"t": "ball_ball", "a": 0, "b": 2},
                {"t": "leaves_rail", "ball": 2, "rail": "foot"},
                {"t": "rail", "ball": 2, "rail": "foot"},
            ],
            frozen={"to_rail": [{"ball": 2, "rail": "foot"}]},
        ),
        {"fouls": ["5k"], "state": "PLACE_CUE_ANYWHERE"},
    ),
    (
        "N9.5k: after another object ball it does",
        _scenario(
            [
                STRIKE,
                {"t": "ball_ball", "a": 0, "b": 2},
                {"t": "ball_ball", "a": 2, "b": 3},
                {"t": "leaves_rail", "ball": 2, "rail": "foot"},
                {"t": "rail", "ball": 2, "rail": "foot"},
            ],
            frozen={"to_rail": [{"ball": 2, "rail": "foot"}]},
        ),
        {"fouls": [], "next_player": "other"},
    ),
    (
        "N9.5l: the third safety",
        _scenario(
            [
                STRIKE,
                {"t": "ball_ball", "a": 0, "b": 2},
                {"t": "rail", "ball": 2, "rail": "foot"},
            ],
            near_rail={"ball": 2, "rail": "foot", "safeties_by_shooter": 2},
        ),
        {"fouls": ["5k"], "near_rail_safeties": 0},
    ),
    (
        "N9.9n: a drop within five seconds counts for the shot",
        _scenario(
            [
                STRIKE,
                {"t": "ball_ball", "a": 0, "b": 2},
                {"t": "rail", "ball": 2, "rail": "foot"},
                {"t": "settled_drop", "ball": 2, "pocket": "foot_left", "after_s": 4.9},
            ]
        ),
        {"next_player": "same", "restored": []},
    ),
    (
        "N9.9n: at five seconds it is put back",
        _scenario(
            [
                STRIKE,
                {"t": "ball_ball", "a": 0, "b": 2},
                {"t": "rail", "ball": 2, "rail": "foot"},
                {"t": "settled_drop", "ball": 2, "pocket": "foot_left", "after_s": 5.0},
            ]
        ),
        {"next_player": "other", "restored": [2]},
    ),
    (
        "G.1.7c: a drop that affects the shot undoes it",
        _scenario(
            [
                STRIKE,
                {
                    "t": "settled_drop",
                    "ball": 3,
                    "pocket": "foot_left",
                    "during_shot": True,
                    "affects": True,
                },
            ],
            consecutive_fouls={"shooter": 1, "opponent": 0},
        ),
        {"restored": "pre_shot", "replay": True, "consecutive_fouls": 1, "next_player": "same"},
    ),
    (
        "N9.5s: the 9 off the table comes back",
        _scenario([STRIKE, {"t": "ball_ball", "a": 0, "b": 2}, {"t": "off_table", "ball": 9}]),
        {"fouls": ["5d"], "spotted": [9]},
    ),
    (
        "N9.7.2: the third warned foul loses the game",
        _scenario(
            [STRIKE, {"t": "ball_ball", "a": 0, "b": 9}],
            consecutive_fouls={"shooter": 2, "opponent": 0},
            warned=True,
        ),
        {"state": "GAME_OVER", "game_over": {"winner": "opponent", "scope": "game"}},
    ),
    (
        "N9.5n: touching a ball while placing, where clubs are strict",
        _scenario(
            cue_in_hand="anywhere",
            pos={"3": {"u": 0.5, "v": 0.5}},
            touch_fouls="strict",
        )
        | {"action": {"by": "shooter", "type": "place_cue", "pos": {"u": 0.5, "v": 0.51}}},
        {"fouls": ["5n"], "next_player": "other", "ball_in_hand": "anywhere"},
    ),
    (
        "G.1.4d: the line behind the foot spot is full",
        _scenario(on_table=[2, 3, 4, 5, 6, 7, 8], line_below_foot_spot="blocked")
        | {"discipline": "nine_ball_wpa", "action": {"by": "server", "type": "spot", "ball": 9}},
        {"spot_position": {"9": {"u": 0.7275, "v": 0.5, "touching": True}}},
    ),
    (
        "G.1.4c: the cue ball on the foot spot",
        _scenario(on_table=[2, 3], pos={"0": {"u": 0.75, "v": 0.5}})
        | {"discipline": "nine_ball_wpa", "action": {"by": "server", "type": "spot", "ball": 9}},
        {"spot_position": {"9": {"u_min": 0.7726, "u_max": 0.774, "touching": False}}},
    ),
    (
        "N9.1.4: the referee on a late lag, after the shot",
        {
            "id": "x",
            "discipline": "lag",
            "given": {"player": "A", "players": ["A", "B"], "ruleset": "epbf"},
            "shot": {
                "events": [
                    {"t": "cue_strike", "ball": "LA"},
                    {"t": "rail", "ball": "LA", "rail": "foot"},
                    {"t": "cue_strike", "ball": "LB"},
                    {"t": "rail", "ball": "LB", "rail": "foot"},
                    {"t": "rest", "ball": "LA", "gap_to_head_cushion_mm": 50},
                    {"t": "rest", "ball": "LB", "gap_to_head_cushion_mm": 20},
                ]
            },
            "action": {"by": "referee", "type": "choose", "option": "lag_stands"},
        },
        {"lag_winner": "B", "state": "LAG_CHOICE", "decider": "B"},
    ),
]


@pytest.mark.parametrize(("scenario", "expect"), [f[1:] for f in FURTHER], ids=lambda v: "")
def test_further_rulings(scenario, expect):
    assert differences(judge(scenario), expect) == []
