"""The command line of the client: what is no sense is a sentence, before anything is opened."""

import argparse

import pytest

from client import command


def parsed(add, words) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="headstring")
    add(parser)
    return parser.parse_args(words)


@pytest.mark.parametrize(
    ("add", "words", "says"),
    [
        (command.add_play_arguments, ["--race", "x"], "a whole number from 1 to 99, not 'x'"),
        (command.add_play_arguments, ["--race", "0"], "from 1 to 99"),
        (command.add_play_arguments, ["--clock", "nan"], "from 5 to 600"),
        (command.add_play_arguments, ["--ui-scale", "9"], "from 0.5 to 3"),
        (command.add_play_arguments, ["--ui-scale", "nan"], "from 0.5 to 3"),
        (command.add_play_arguments, ["--name", "  "], "1 to 32 characters"),
        (command.add_play_arguments, ["--name", "x" * 33], "1 to 32 characters"),
        (command.add_play_arguments, ["--size", "big"], "looks like 1280x720"),
        (command.add_watch_arguments, ["--server", "http://here"], "no websocket address"),
        (command.add_watch_arguments, ["--server", "ws://here:99999"], "is no address"),
        (command.add_watch_arguments, ["--server", "ws://[::1"], "is no address"),
        (command.add_bot_arguments, ["--server", "here", "--pace", "inf"], "from 0 to 60"),
        (command.add_demo_arguments, ["--speed", "0"], "from 1 to 200"),
    ],
)
def test_senseless_arguments_are_sentences(capsys, add, words, says):
    with pytest.raises(SystemExit) as ended:
        parsed(add, words)
    assert ended.value.code == 2
    assert says in capsys.readouterr().err


def test_a_demo_without_a_place_for_pictures_says_so_at_once(tmp_path, capsys):
    taken = tmp_path / "file"
    taken.write_text("no folder")
    options = parsed(command.add_demo_arguments, ["--folder", str(taken)])
    assert command.run_demo(options) == 1
    assert "--folder" in capsys.readouterr().err
