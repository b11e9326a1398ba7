"""The command ``headstring``: its help, its exit statuses, and the two JSON doors through it."""

import json
import os
import re
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


def test_every_command_stands_in_the_readme():
    page = (ROOT / "README.md").read_text(encoding="utf-8")
    listed = re.findall(r"^\| `headstring ([a-z-]+)` \| \S", page, re.MULTILINE)
    assert sorted(listed) == sorted(headstring.COMMANDS)


@pytest.mark.parametrize(
    ("words", "status", "said"),
    [
        (["replays", "none.file"], 1, "headstring replays: none.file: No such file or directory"),
        (["replays", "text"], 1, "headstring replays: this is no replay, or it is damaged"),
        (["replays", "text", "--save", "x"], 2, "--save needs --match and --server"),
        (["replays", "--server", "x", "--most", "-3"], 2, "a whole number from 1 to 100000"),
        (["backup", "x", "--database", "text"], 1, "{folder}/text: file is not a database"),
        (["backup", "no/x", "--database", "empty"], 1, "can't write no/x: No such file"),
        (["backup", "x", "--database", "."], 1, "is a folder; name a file in it"),
        (["backup", "x", "--database", "foo://x"], 2, "--database: it is no database that is"),
        (["restore", "text", "--database", "x"], 1, "text is no backup, or it is damaged"),
        (["restore", "none", "--database", "x"], 1, "there is no file none"),
        (["review", "--database", "text"], 1, "{folder}/text: file is not a database"),
        (["review", "--database", "."], 1, "is a folder; name a file in it"),
        (["admin", "--database", "text", "people"], 1, "{folder}/text: file is not a database"),
        (["admin", "--database", ".", "people"], 1, "is a folder; name a file in it"),
        (["admin", "--database", "foo://x", "people"], 1, "it is no database that is known"),
        (["admin", "--config", "none", "people"], 1, "none: can't be read: No such file"),
        (["serve", "--database", "text"], 1, "{folder}/text: file is not a database"),
        (["serve", "--database", "."], 1, "is a folder; name a file in it"),
        (["serve", "--database", "x", "--host", "192.0.2.1", "--port", "0"], 1,
         "can't listen on 192.0.2.1 port 0: Cannot assign requested address\n"),
        (["simulate", "none"], 2, "can't read none: No such file or directory\n"),
        (["bench", "physics", "--pooltool", "/none"], 2, "there is no program /none"),
        (["bench", "server", "--tables", "-5"], 2, "--tables: '-5' makes no sense here"),
    ],
)  # fmt: skip
def test_what_is_wrong_is_said_in_a_sentence(words, status, said, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "text").write_text("Dear club, this is a letter and nothing else.")
    (tmp_path / "empty").touch()
    try:
        ended = headstring.main(words)
    except SystemExit as error:
        ended = error.code
    told = capsys.readouterr().err
    assert ended == status and said.format(folder=tmp_path) in told
    assert "[Errno" not in told and "sqlite+" not in told and "Traceback" not in told


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
