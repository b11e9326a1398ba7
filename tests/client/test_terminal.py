"""What a server says can't steer the terminal that it is printed on."""

import sys

import headstring
from client.terminal import plain_output


def test_what_others_wrote_is_printed_plainly(capsys):
    with plain_output():
        print("\x1b]0;owned\x07<Bob> \u202etfel\n\tZdeněk \x9b31m", flush=True)
        sys.stderr.writelines(["refused: \x1b[2J", "\u2066no\r\n"])
    out, err = capsys.readouterr()
    assert out == "]0;owned<Bob> tfel\n\tZdeněk 31m\n" and err == "refused: [2Jno\n"


def test_every_command_that_talks_to_a_server_prints_so(monkeypatch, capsys):
    """A new one can't forget it: it is the launcher's affair."""
    said = []
    for name, command in headstring.COMMANDS.items():
        with headstring._output_of(name):
            print("\x1b", end="")
        plain = capsys.readouterr().out == ""
        said.append(name if plain else "")
        assert plain == command.arguments.startswith("client."), name
    assert {"play", "watch", "bot", "lobby", "account", "admin", "replays"} <= set(said)
