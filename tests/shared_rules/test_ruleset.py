"""The ruleset object: every key changes something, or the documentation says that it does not."""

import re
from pathlib import Path

import msgspec
import pytest

from shared_rules.presets import PRESETS
from shared_rules.refusal import Code, Refusal
from shared_rules.ruleset import Ruleset, make_ruleset
from tests.shared_rules.key_probes import (
    FOOT,
    HIT,
    PROBES,
    STRIKE,
    broken,
    ruled,
)


def override(key, value):
    for part in reversed(key.split(".")):
        value = {part: value}
    return value


def keys_of(kind, before=""):
    for field in msgspec.structs.fields(kind):
        if isinstance(field.type, type) and issubclass(field.type, msgspec.Struct):
            yield from keys_of(field.type, f"{field.encode_name}.")
        else:
            yield before + field.encode_name


def documented(heading):
    """The keys that a row of docs/rules.md names in its first cell."""
    text = (Path(__file__).parents[2] / "docs" / "rules.md").read_text(encoding="utf-8")
    row = next(line for line in text.splitlines() if line.startswith(f"| {heading}"))
    return set(re.findall(r"`([\w.]+)`", row))


@pytest.mark.parametrize("key", PROBES)
def test_a_key_changes_what_it_says(key):
    value, probe = PROBES[key]
    assert probe(override(key, value)) != probe({})


def test_no_key_is_forgotten():
    elsewhere = documented("read elsewhere")
    single = documented("one value so far")
    idle = documented("no difference")
    preset = documented("with the preset")
    groups = [set(PROBES), elsewhere, single, idle, preset, {"id", "changed"}]
    assert set(keys_of(Ruleset)) == set().union(*groups)
    assert sum(map(len, groups)) == len(set().union(*groups)), "a key is in two groups"


@pytest.mark.parametrize("preset", PRESETS)
def test_a_ruleset_travels(preset):
    ruleset = make_ruleset(preset, {"match": {"games_to_win": 3}})
    plain = msgspec.to_builtins(ruleset)
    assert (
        msgspec.convert(msgspec.msgpack.decode(msgspec.msgpack.encode(plain)), Ruleset) == ruleset
    )


@pytest.mark.parametrize(
    "wrong",
    [
        {"nonsense": 1},
        {"match": {"nonsense": 1}},
        {"match": 3},
        {"match": None},
        {"match": {"games_to_win": 0}},
        {"match": {"games_to_win": True}},
        {"match": {"games_to_win": "3"}},
        {"break": {"foul_options": []}},
        {"break": {"foul_options": ["pass_back"]}},
        {"break": {"foul_options": ["accept_table", "accept_table"]}},
        {"spot": {"gap_mm": 0}},
        {"spot": {"gap_mm": float("nan")}},
        {"time_out": {"max_s": float("inf")}},
        {"three_foul": {"limit": 1}},
        {"id": ""},
    ],
)
def test_what_makes_no_rules_is_refused(wrong):
    with pytest.raises(Refusal) as refused:
        make_ruleset("nine_ball_epbf", wrong)
    assert refused.value.code == Code.BAD_RULESET


def test_a_mix_without_a_remedy_after_a_scratch_falls_back_to_ball_in_hand():
    scratch = [{"t": "pocketed", "ball": 0, "pocket": "foot_left"}]
    outcome = broken({"break": {"foul_options": ["accept_table"]}}, *scratch)
    assert (outcome["state"], outcome["ball_in_hand"]) == ("PLACE_CUE_ANYWHERE", "anywhere")


def test_near_cushion_safeties_run_out_under_either_rule_for_frozen_balls():
    """N9.5l is a key of its own; with D8.4 a club still can want it."""
    near = {"ball": 2, "rail": "foot", "safeties_by_shooter": 2}
    rules = {"preset": "nine_ball_wpa", "rail": {"near_cushion_limit": 2}}
    assert ruled(rules, STRIKE, HIT, FOOT, near_rail=near)["fouls"] == ["6.3"]
    wrong = {"t": "ball_ball", "a": 0, "b": 3}
    fouls = ruled(rules, STRIKE, wrong, HIT, FOOT, near_rail=near)["fouls"]
    assert fouls == ["6.2"], "it was not played into, so its cushion counts"


@pytest.mark.parametrize(
    ("preset", "over", "word"),
    [
        ("eight_ball", {"codes": "epbf"}, "EPBF"),
        ("eight_ball", {"push_out": {"enabled": True}}, "push-out"),
        ("eight_ball", {"call": "none"}, "called"),
        ("nine_ball_wpa", {"call": "required"}, "called"),
        ("black_ball", {"call": "required"}, "called"),
        ("eight_ball", {"free_shot_mode": "shot_plus_visit"}, "free_shot_mode"),
        ("eight_ball", {"spot": {"order": "black_next_rest"}}, "spot.order"),
        ("nine_ball_epbf", {"jump": {"over_ball": "foul"}}, "over_ball"),
        ("nine_ball_epbf", {"touching": {"mode": "play_away"}}, "play_away"),
        ("eight_ball", {"break": {"illegal_options": []}}, "illegal break"),
        ("nine_ball_wpa", {"claim_cleared_group": True}, "claim"),
        ("nine_ball_wpa", {"break": {"eight": "win"}}, "eight"),
        ("eight_ball", {"rail": {"near_cushion_limit": 2}}, "lowest"),
        ("eight_ball", {"wedged": "by_centre"}, "wedged"),
        ("eight_ball", {"discipline": "nine_ball"}, "preset"),
        ("eight_ball", {"three_foul": {"penalty": "points"}}, "points"),
    ],
)
def test_keys_that_contradict_each_other_are_refused(preset, over, word):
    with pytest.raises(Refusal, match=word) as refused:
        make_ruleset(preset, over)
    assert refused.value.code == Code.BAD_RULESET


def test_br_025_a_changed_ruleset_says_so():
    plain = make_ruleset(
        "eight_ball", {"match": {"games_to_win": 2}, "aids": {"guide_line": "full"}}
    )
    assert (plain.id, plain.changed) == ("eight_ball", ())
    mix = make_ruleset("eight_ball", {"break": {"eight": "win", "min_railed": 3}})
    assert (mix.id, mix.changed) == ("eight_ball", ("break.min_railed", "break.eight"))
    with pytest.raises(Refusal, match="another id"):
        make_ruleset("eight_ball", {"id": "nine_ball_wpa"})
    with pytest.raises(Refusal):
        make_ruleset("eight_ball", {"break": {"eight": "win"}, "changed": []})
