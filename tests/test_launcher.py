"""The command ``headstring``: its help, its exit statuses, and the two JSON doors through it."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

import headstring

ROOT = Path(headstring.__file__).parent
STUN = {"id": "stun", "table": "unbounded", "balls": {"0": {"pos": [0, 0], "vel": [2, 0, 0]}}}


def scenario(**expect):
    return {
        "id": "miss",
        "discipline": "nine_ball_wpa",
        "given": {"player": "A", "on_table": [2, 9]},
        "shot": {"events": [{"t": "cue_strike"}, {"t": "ball_ball", "a": 0, "b": 9}]},
        "expect": {"fouls": ["6.2", "6.3"], **expect},
    }


def lines_file(folder, *lines):
    path = folder / "lines.jsonl"
    text = (line if isinstance(line, str) else json.dumps(line) for line in lines)
    path.write_text("\n".join(text) + "\n", encoding="utf-8")
    return str(path)


@pytest.mark.parametrize("command", headstring.COMMANDS)
def test_every_command_has_help(command, capsys):
    with pytest.raises(SystemExit) as ended:
        headstring.main([command, "--help"])
    assert ended.value.code == 0
    said = capsys.readouterr().out
    assert said.startswith(f"usage: headstring {command}")


def test_without_a_command_it_opens_the_start_screen_or_says_why_it_cannot(tmp_path):
    environment = {k: v for k, v in os.environ.items() if "DISPLAY" not in k}
    environment["HEADSTRING_DATA"] = str(tmp_path)
    if sys.platform.startswith("linux"):
        done = subprocess.run(
            [sys.executable, "-m", "headstring"], cwd=ROOT, env=environment, capture_output=True,
            text=True, timeout=60, check=False,
        )  # fmt: skip
        assert done.returncode == 1
        assert "no window could be opened: there is no display" in done.stderr


def test_a_word_that_is_no_command_says_what_there_is(capsys):
    with pytest.raises(SystemExit) as ended:
        headstring.main(["dance"])
    assert ended.value.code == 2
    assert "headstring" in capsys.readouterr().err


def test_simulate_answers_line_by_line_and_2_when_one_was_refused(tmp_path, capsys):
    refused = {**STUN, "id": "cloth", "material": {"mu_slide": 0.0}}
    path = lines_file(tmp_path, STUN, refused, STUN)
    assert headstring.main(["simulate", path]) == 2
    results = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [r["status"] for r in results] == ["ok", "error", "ok"]
    assert "mu_slide" in results[1]["message"]
    assert headstring.main(["simulate", lines_file(tmp_path, STUN)]) == 0


@pytest.mark.parametrize("door", ["simulate", "judge"])
def test_no_line_stops_those_that_follow(door, tmp_path):
    good = json.dumps(STUN if door == "simulate" else scenario()).encode()
    bad = [
        b"\xff\xfe\x00", b'{"id": "\xc3"}', rb'{"id": "\ud800", "given": {}}', b"[" * 200_000,
        b'{"id": "z", "\x00": 1}', b'"' + b"x" * (9 * 1024 * 1024) + b'"', rb'{"\udcff": 1}',
        b"nul",
    ]  # fmt: skip
    path = tmp_path / "lines.jsonl"
    path.write_bytes(b"\r\n".join([good, *bad, good]) + b"\n")
    for source in (str(path), "-"):
        done = subprocess.run(
            [sys.executable, "-m", "headstring", door, source],
            cwd=ROOT, input=path.read_bytes(), capture_output=True, timeout=120, check=False,
        )  # fmt: skip
        results = [json.loads(line) for line in done.stdout.decode().splitlines()]
        assert done.returncode == 2 and done.stderr == b""
        assert [r["status"] for r in results] == ["ok", *["error"] * len(bad), "ok"]


def test_judge_rules_on_each_line(tmp_path, capsys):
    path = lines_file(tmp_path, scenario(), {**scenario(), "given": {"on_table": [99]}})
    assert headstring.main(["judge", path]) == 2
    good, bad = (json.loads(line) for line in capsys.readouterr().out.splitlines())
    assert good["status"] == "ok" and set(good["outcome"]["fouls"]) == {"6.2", "6.3"}
    assert bad["status"] == "error" and bad["message"]


def test_check_is_silent_without_a_difference_and_1_with_one(tmp_path, capsys):
    assert headstring.main(["judge", "--check", lines_file(tmp_path, scenario())]) == 0
    assert capsys.readouterr().out == ""
    wrong = scenario(next_player="same")
    assert headstring.main(["judge", "--check", lines_file(tmp_path, wrong)]) == 1
    assert "next_player" in capsys.readouterr().out


@pytest.mark.parametrize("command", [["simulate"], ["judge"], ["judge", "--check"]])
def test_a_file_that_is_not_there_is_said_with_2(command, tmp_path, capsys):
    with pytest.raises(SystemExit) as ended:
        headstring.main([*command, str(tmp_path / "none.jsonl")])
    assert ended.value.code == 2
    assert "none.jsonl" in capsys.readouterr().err


def test_a_reader_that_goes_away_is_no_fault(tmp_path):
    path = lines_file(tmp_path, *[STUN] * 200)
    command = (
        f'"{sys.executable}" -m headstring simulate "{path}" | head -n 1; echo "${{PIPESTATUS[0]}}"'
    )
    done = subprocess.run(
        ["bash", "-c", command], cwd=ROOT, capture_output=True, text=True, timeout=60, check=True
    )
    first, status = done.stdout.splitlines()
    assert json.loads(first)["id"] == "stun"
    assert status == "0"
    assert done.stderr == ""
