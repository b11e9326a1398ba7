"""Cases that ``headstring simulate`` refuses: the code, and a sentence that names key and limit."""

import copy
import json

import pytest

from physics.case import MAX_LINE, read_line, run_case, run_lines
from physics.case_fields import CODES, CaseError
from physics.case_input import read_case

GOOD = {
    "id": "good",
    "table": {"preset": "9ft"},
    "material": {},
    "ball": {},
    "cue": {},
    "balls": {"0": {"pos": [0.0, 0.0]}, "1": {"pos": [0.5, 0.0]}},
    "strike": {"speed": 1.0, "heading_deg": 0.0},
    "sample_at": [],
    "until": 10.0,
}
GONE = object()
NINE = {"discipline": "nine_ball", "seed": 1, "gap": 0.0, "cue_ball": [-0.6, 0.0]}
NOSE_AT = 0.635 - 0.0275137337061


def changed(path, value):
    """The good case with one key set (or taken away)."""
    case = copy.deepcopy(GOOD)
    *way, last = path
    inner = case
    for key in way:
        inner = inner[key]
    if value is GONE:
        del inner[last]
    else:
        inner[last] = value
    return case


REFUSED = [
    # path, value, code, words that the sentence must hold
    (["id"], GONE, "missing", ["id"]),
    (["id"], 7, "wrong_type", ["id", "string"]),
    (["id"], "x" * 201, "out_of_range", ["id", "200"]),
    (["speed"], 1, "unknown_key", ["speed"]),
    (["table"], "snooker", "unknown_name", ["table", "9ft"]),
    (["table"], 3, "wrong_type", ["table"]),
    (["table", "preset"], "12ft", "unknown_name", ["table.preset", "9ft"]),
    (["table", "colour"], "green", "unknown_key", ["table.colour"]),
    (["table", "length"], "long", "wrong_type", ["table.length"]),
    (["table", "length"], 100.0, "out_of_range", ["table.length", "20"]),
    (["table", "length"], True, "wrong_type", ["table.length"]),
    (["table", "nose_height"], 0.02, "out_of_range", ["table.nose_height", "0.0288"]),
    (["table", "corner_mouth"], 0.05, "out_of_range", ["table.corner_mouth", "0.05715"]),
    (["table", "side_mouth"], 0.05, "out_of_range", ["table.side_mouth", "0.05715"]),
    (["table", "corner_angle_deg"], 90, "out_of_range", ["table.corner_angle_deg", "136"]),
    (["table", "pockets"], "closed", "unknown_name", ["table.pockets", "none"]),
    (["table"], {"preset": "unbounded", "pockets": "open"}, "conflict", ["table.pockets"]),
    (["material"], [], "wrong_type", ["material"]),
    (["material", "mu"], 0.1, "unknown_key", ["material.mu"]),
    (["material", "mu_slide"], 0, "out_of_range", ["material.mu_slide", "over 0"]),
    (["material", "mu_roll"], -1, "out_of_range", ["material.mu_roll"]),
    (["material", "spin_decel"], 0.0, "out_of_range", ["material.spin_decel"]),
    (["material", "e_ball"], 1.01, "out_of_range", ["material.e_ball", "1"]),
    (["material", "mu_ball"], -0.01, "out_of_range", ["material.mu_ball", "0"]),
    (["material", "mu_ball"], "low", "wrong_type", ["material.mu_ball"]),
    (["material", "mu_ball"], {"a": 0.1, "b": 0.1}, "missing", ["material.mu_ball.c"]),
    (["material", "mu_ball"], {"a": 0, "b": 0, "c": 1, "d": 1}, "unknown_key", ["mu_ball.d"]),
    (["material", "g"], float("inf"), "not_finite", ["material.g"]),
    (["material", "g"], 1e-300, "out_of_range", ["material.g", "0.05"]),
    (["ball", "radius"], 0.0, "out_of_range", ["ball.radius", "0.005"]),
    (["ball", "mass"], 10**400, "out_of_range", ["ball.mass", "5"]),
    (["ball", "weight"], 1, "unknown_key", ["ball.weight"]),
    (["cue_ball"], {"radius": 0.0095}, "out_of_range", ["cue_ball.radius", "0.009525", "0.085"]),
    (["cue", "mass"], 0, "out_of_range", ["cue.mass"]),
    (["cue", "end_mass_ratio"], -1, "out_of_range", ["cue.end_mass_ratio"]),
    (["balls"], GONE, "missing", ["balls", "rack"]),
    (["balls"], {}, "missing", ["balls"]),
    (["balls"], [], "wrong_type", ["balls"]),
    (["balls", "16"], {"pos": [1, 0]}, "unknown_name", ["16"]),
    (["balls", "01"], {"pos": [1, 0]}, "unknown_name", ["01"]),
    (["balls", "LA"], {"pos": [1, 0]}, "conflict", ["LA"]),
    (["balls", "0"], {}, "missing", ["balls.0.pos"]),
    (["balls", "0", "pos"], [1], "wrong_type", ["balls.0.pos", "2 or 3"]),
    (["balls", "0", "pos"], [float("nan"), 0], "not_finite", ["balls.0.pos"]),
    (["balls", "0", "pos"], [1e9, 0], "out_of_range", ["balls.0.pos"]),
    (["balls", "0", "pos"], [0, 0, 0.01], "overlap", ["ball 0", "bed", "0.028575"]),
    (["balls", "0", "colour"], 1, "unknown_key", ["balls.0.colour"]),
    (["balls", "0", "vel"], [1, 0], "wrong_type", ["balls.0.vel"]),
    (["balls", "0", "vel"], [80, 80, 0], "out_of_range", ["balls.0.vel", "100"]),
    (["balls", "0", "spin"], [0, 1e5, 0], "out_of_range", ["balls.0.spin", "10000"]),
    (["balls", "0", "pos"], [0.45, 0.0], "overlap", ["balls 0 and 1"]),
    (["balls", "0", "pos"], [0.45, NOSE_AT + 1e-8], "overlap", ["ball 0", "left rail"]),
    (["balls", "0", "pos"], [1.26, 0.0], "overlap", ["ball 0", "foot rail"]),
    (["balls", "0", "pos"], [-5.0, 0.0], "out_of_range", ["ball 0", "head rail", "1.27"]),
    (["balls", "0", "pos"], [5.0, 0.0, 1.0], "out_of_range", ["foot rail", "over the bed"]),
    (["balls", "0"], None, "wrong_type", ["balls.0 must be an object, not null"]),
    (["strike"], True, "wrong_type", ["strike must be an object, not true"]),
    (["until"], {}, "wrong_type", ["until must be a number, not an object"]),
    (["balls", "0", "pos"], [0.045, 0.66], "overlap", ["ball 0", "side_left"]),
    (["balls", "0", "pos"], [1.3, 0.66], "out_of_range", ["ball 0", "foot_left pocket"]),
    (["rack"], {**NINE, "cue_ball": [-0.6, 0.0]}, "conflict", ["ball 0", "balls", "rack"]),
    (["rack"], {**NINE, "discipline": "snooker"}, "unknown_name", ["rack.discipline"]),
    (["rack"], {**NINE, "gap": 0.5}, "out_of_range", ["rack.gap", "0.001"]),
    (["rack"], {**NINE, "seed": 1.5}, "wrong_type", ["rack.seed"]),
    (["rack"], {**NINE, "seed": -1}, "out_of_range", ["rack.seed"]),
    (["rack"], {"seed": 1}, "missing", ["rack.discipline"]),
    (["strike", "speed"], GONE, "missing", ["strike.speed"]),
    (["strike", "speed"], 0.0, "out_of_range", ["strike.speed", "20"]),
    (["strike", "speed"], 20.1, "out_of_range", ["strike.speed", "20"]),
    (["strike", "heading_deg"], None, "wrong_type", ["strike.heading_deg"]),
    (["strike", "elevation_deg"], 89.0, "out_of_range", ["strike.elevation_deg", "85"]),
    (["strike", "tip"], [0.9, 0.9], "out_of_range", ["strike.tip", "1"]),
    (["strike", "tip"], [0.0, 1.5], "out_of_range", ["strike.tip", "1"]),
    (["strike", "tip"], 0.1, "wrong_type", ["strike.tip"]),
    (["strike", "ball"], "7", "unknown_name", ["strike.ball", "ball 7"]),
    (["strike", "ball"], "x", "unknown_name", ["strike.ball"]),
    (["strike", "at"], 10.1, "out_of_range", ["strike.at is 10.1", "until, 10"]),
    (["strike", "at"], -1, "out_of_range", ["strike.at", "0"]),
    (["strike"], [], "out_of_range", ["strike"]),
    (["strike"], [{"speed": 1, "heading_deg": 0}], "missing", ["strike.0.ball"]),
    (["strike"], [{"ball": "0", "speed": 1, "heading_deg": 0}] * 2, "conflict", ["strike.1.ball"]),
    (["balls", "0", "vel"], [1, 0, 0], "conflict", ["strike.ball", "ball 0"]),
    (["sample_at"], 1.0, "wrong_type", ["sample_at"]),
    (["sample_at"], [1.0, "2"], "wrong_type", ["sample_at"]),
    (["sample_at"], [-1.0], "out_of_range", ["sample_at", "0"]),
    (["sample_at"], [0.0] * 10_001, "out_of_range", ["sample_at", "10000"]),
    (["until"], 0, "out_of_range", ["until", "3600"]),
    (["until"], 1e9, "out_of_range", ["until", "3600"]),
]  # fmt: skip


@pytest.mark.parametrize("path, value, code, words", REFUSED)
def test_one_wrong_key_is_refused_by_name(path, value, code, words):
    result = run_case(changed(path, value))
    assert set(result) == {"id", "status", "code", "message"}
    assert (result["status"], result["code"]) == ("error", code), result["message"]
    assert all(word in result["message"] for word in words), result["message"]
    assert len(result["message"]) < 400
    assert result["id"] == ("good" if path != ["id"] else None)


def test_the_codes_are_those_that_are_listed():
    assert {code for *_, code, _ in REFUSED} | {"bad_json"} == set(CODES)


@pytest.mark.parametrize("case", [None, 1, "case", [], [GOOD]])
def test_what_is_no_object_is_refused(case):
    result = run_case(case)
    assert (result["status"], result["code"], result["id"]) == ("error", "wrong_type", None)


def test_touching_is_allowed_and_a_nanometre_more_is_not():
    touching = changed(["balls", "0", "pos"], [0.5 - 0.05715 + 0.9e-9, 0.0])
    read_case(touching)
    read_case(changed(["balls", "0", "pos"], [0.3, NOSE_AT + 0.9e-9]))
    with pytest.raises(CaseError, match="balls 0 and 1"):
        read_case(changed(["balls", "0", "pos"], [0.5 - 0.05715 + 1.2e-9, 0.0]))


def test_a_ball_may_lie_on_a_shelf_but_not_over_the_hole():
    posed = read_case(changed(["balls", "0", "pos"], [1.27 - 0.04, 0.635 - 0.04]))
    assert posed.states[0].pos[:2] == (1.27 - 0.04, 0.635 - 0.04)
    with pytest.raises(CaseError, match=r"balls\.0|foot_left"):
        read_case(changed(["balls", "0", "pos"], [1.27 + 0.03, 0.635 + 0.03]))


def test_defaults_are_the_contracts():
    posed = read_case({"id": "d", "balls": {"0": {"pos": [0, 0]}}})
    assert posed.until == 120.0 and posed.sample_at == () and posed.impulses == ()
    assert posed.world.table.name == "9ft"
    assert posed.world.material.mu_slide == 0.2 and posed.world.material.e_cushion is None
    assert posed.states[0].pos == (0.0, 0.0, 0.028575)


def test_overrides_reach_the_world():
    posed = read_case({
        "id": "o", "table": {"preset": "8ft", "length": 2.0, "pockets": "none"},
        "material": {"mu_ball": 0.05, "e_cushion": 0.8, "g": 9.8},
        "ball": {"radius": 0.027}, "cue_ball": {"mass": 0.2},
        "cue": {"end_mass_ratio": None},
        "balls": {"0": {"pos": [0, 0]}, "3": {"pos": [0.3, 0]}},
        "strike": {"speed": 1, "heading_deg": 0, "tip": [0.4, 0]},
    })  # fmt: skip
    world = posed.world
    assert (world.table.length, world.table.width, world.table.pockets) == (2.0, 1.1684, "none")
    assert (world.spec(0).radius, world.spec(0).mass) == (0.027, 0.2)
    assert (world.spec(3).radius, world.spec(3).mass) == (0.027, 0.170097)
    assert (world.material.mu_ball.a, world.material.mu_ball.b) == (0.05, 0.0)
    assert world.material.e_cushion == 0.8
    assert posed.impulses[0].vel[1] == 0.0  # no squirt


@pytest.mark.parametrize(
    "line, code",
    [
        ("{", "bad_json"),
        ("[" * 100_000, "bad_json"),
        ('{"id": "a", "id": "b"}', "bad_json"),
        ('{"id": "a", "until": NaN}', "not_finite"),
        ('{"id": "a", "until": -Infinity}', "not_finite"),
        ('{"id": "a", "until": 1e999, "balls": {"0": {"pos": [0, 0]}}}', "not_finite"),
        (
            '{"id": "a", "until": ' + "9" * 5000 + ', "balls": {"0": {"pos": [0, 0]}}}',
            "out_of_range",
        ),
        ('{"id": "\\ud800", "balls": {"0": {"pos": [0, 0]}}}', "bad_json"),
        ('{"id": "a", "\\udfff": 1}', "bad_json"),
        ('{"id": "a", "table": {"preset": "\\udfff"}}', "bad_json"),
        ('{"id": "a\x00"}', "bad_json"),
        ('{"id": "a", "x\\u0000": 1}', "unknown_key"),
        ("nonsense", "bad_json"),
        ("17", "wrong_type"),
        ('"' + "x" * MAX_LINE + '"', "bad_json"),
    ],
)
def test_lines_that_are_no_case_are_refused(line, code):
    (result,) = run_lines([line])
    assert (result["status"], result["code"]) == ("error", code)


def test_whatever_is_sent_the_answer_is_short_and_can_be_written():
    many = ",".join(f'"{k}":{{"pos":[0,0]}}' for k in range(40_000))
    lines = [
        '{"id": "a", "' + "k" * 100_000 + '": 1}',
        '{"id": "a", "balls": {"' + "k" * 100_000 + '": 1}}',
        '{"id": "a", "table": "' + "k" * 100_000 + '"}',
        '{"id": "a", "table": {"' + "\\u0000" * 100_000 + '": 1}}',
        '{"id": "a", "balls": {' + many + "}}",
        '{"id": "a", "until": -' + "9" * 100_000 + ', "balls": {"0": {"pos": [0, 0]}}}',
        '{"' + "[" * 100_000,
        '{"id": "a", "balls": ' + '{"0":' * 100_000,
        "\udc80\udcff",
    ]
    for result in run_lines(lines):
        assert result["status"] == "error"
        said = json.dumps(result, ensure_ascii=False)
        assert said.encode() and len(said) < 500 and "\x00" not in said
    assert [r["code"] for r in run_lines(lines)][5] == "out_of_range"


@pytest.mark.parametrize(
    "line, key",
    [
        ('{"id": "a", "until": NaN}', "until is NaN"),
        ('{"id": "a", "balls": {"0": {"pos": [0, -Infinity]}}}', "balls.0.pos is -Infinity"),
        ("NaN", "the line is NaN"),
    ],
)
def test_what_is_no_number_is_refused_by_name(line, key):
    (result,) = run_lines([line])
    assert result["code"] == "not_finite" and key in result["message"]


MEETS = {"0": {"pos": [0, 0]}, "1": {"pos": [0, 0.3], "vel": [0, -3, 0]}}
SINKS = {"0": {"pos": [1.2, 0.56]}, "1": {"pos": [0.9, 0.26], "vel": [1.4, 1.4, 0]}}


@pytest.mark.parametrize(
    "balls, at, code, words",
    [
        (MEETS, 0.2, "conflict", "ball: ball 0 moves already at strike"),
        (SINKS, 20, "unknown_name", "ball: ball 0 is gone at strike"),
    ],
)
def test_a_ball_must_be_there_and_at_rest_when_it_is_struck(balls, at, code, words):
    strike = {"ball": "0", "speed": 3, "heading_deg": 90, "at": at}
    for key, value in (("strike.ball", strike), ("strike.0.ball", [strike])):
        result = run_case({"id": "late", "balls": balls, "strike": value})
        assert (result["status"], result["code"]) == ("error", code)
        assert result["message"].startswith(key) and words in result["message"]
    early = run_case({"id": "early", "balls": MEETS, "strike": {**strike, "at": 0.01}})
    assert early["status"] == "ok"


def test_a_key_given_twice_is_found_among_very_many():
    # It used to be looked for by counting every key: minutes for one line.
    keys = [*range(100_000), 99_999]
    line = "{" + ",".join(f'"{k}":1' for k in keys) + "}"
    assert len(line) > 900_000
    (result,) = run_lines([line[:MAX_LINE]])
    assert result["code"] == "bad_json" and "'99999' comes twice" in result["message"]


def test_a_byte_order_mark_is_overlooked():
    (result,) = run_lines(["\ufeff" + json.dumps(GOOD)])
    assert result["status"] == "ok"


def test_lines_keep_their_order_and_blank_ones_say_nothing():
    lines = [json.dumps(changed(["until"], 0)), "\n", "{", json.dumps({"id": "last"})]
    assert [r["id"] for r in run_lines(lines)] == ["good", None, "last"]
    assert read_line('{"a": [1, 2.5]}') == {"a": [1, 2.5]}


@pytest.mark.parametrize(("ball", "cue_ball"), [(0.1, 4.0), (0.5, 0.016)])
def test_a_cue_ball_of_another_kind_is_refused(ball, cue_ball):
    case = {"id": "odd", "table": "unbounded", "balls": {"0": {"pos": [0, 0]}}}
    with pytest.raises(CaseError, match=r"cue_ball\.mass .*the limits are") as refused:
        read_case({**case, "ball": {"mass": ball}, "cue_ball": {"mass": cue_ball}})
    assert refused.value.code == "out_of_range"
    read_case({**case, "ball": {"mass": 0.1}, "cue_ball": {"mass": 2.9}})
