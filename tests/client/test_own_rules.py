"""A club's own rules: a file instead of a preset's name."""

import argparse
import json

import pytest

from client.command import add_play_arguments
from client.options import table_options
from shared_rules.ruleset import make_ruleset


def asked(*words):
    parser = argparse.ArgumentParser()
    add_play_arguments(parser)
    return table_options(parser.parse_args(words))


def opened(*words):
    """The ruleset of the table that these options open."""
    made = asked(*words)
    return make_ruleset(made["ruleset"], made["overrides"])


def test_a_file_names_a_preset_and_what_differs_and_options_go_before_it(tmp_path):
    file = tmp_path / "tuesday_club.json"
    file.write_text(json.dumps({"preset": "eight_ball", "match": {"games_to_win": 5},
                                "concede_scope": "game"}))  # fmt: skip
    rules = opened("--ruleset", str(file))
    assert (rules.id, rules.discipline, rules.match.games_to_win) == (
        "tuesday_club",
        "eight_ball",
        5,
    )
    assert rules.concede_scope == "game"
    assert "concede_scope" in rules.changed
    assert opened("--ruleset", str(file), "--race", "2").match.games_to_win == 2


def test_a_preset_needs_no_file():
    assert opened("--ruleset", "black_ball").id == "black_ball"
    assert opened().id == "nine_ball_epbf"


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ('{"preset": "eight_ball", "hops": 1}', "hops"),
        ('{"match": {}}', "must name its preset"),
        ('{"preset": "snooker"}', "snooker"),
        ('{"preset": "eight_ball", "id": "nine_ball_wpa"}', "another id"),
        ('{"preset": "eight_ball", "match": {"games_to_win": "many"}}', "games_to_win"),
        ('{"preset": "eight_ball", "id": [1]}', "id"),
        ("[1]", "no JSON object"),
        ("{", "no JSON object"),
        ("[" * 60_000, "no JSON object"),
        (" " * 70_000, "larger than"),
    ],
)
def test_a_wrong_file_is_a_sentence(tmp_path, capsys, text, told):
    file = tmp_path / "mix.json"
    file.write_text(text)
    with pytest.raises(SystemExit):
        asked("--ruleset", str(file))
    assert told in capsys.readouterr().err


def test_what_is_neither_preset_nor_file_is_a_sentence(capsys):
    with pytest.raises(SystemExit):
        asked("--ruleset", "nine_bal")
    assert "known are black_ball" in capsys.readouterr().err
