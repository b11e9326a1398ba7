"""Every message has an example in ``docs/protocol/`` that the code reads, and would write so."""

import json
from typing import Any, get_args

import msgpack
import msgspec
import pytest

from shared_rules import announcements, commands, messages
from shared_rules.messages import oversight
from shared_rules.state import MatchState
from shared_rules.wire import read_client_message, read_server_message, write_message
from tests.server.protocol_pages import examples

ELSEWHERE = "…"
"""Stands for a map that the page of its own shows: see "Examples" in docs/protocol.md."""

FROM_CLIENTS = [kind.__struct_config__.tag for kind in get_args(messages.ClientMessage)]
FROM_SERVERS = [kind.__struct_config__.tag for kind in get_args(messages.ServerMessage)]


def _of(name: str) -> list[Any]:
    found = [_filled(example) for example in examples(f"### `{name}`")]
    assert found, (
        f"docs/protocol/ shows no example of the message {name!r}: put a ```json block with a "
        f"whole message under its heading (docs/protocol.md, 'Examples', says how)"
    )
    assert {example["m"] for example in found} == {name}
    return found


def _filled(value: Any, key: str = "") -> Any:
    """The example with each ``"…"`` replaced by the map that another section shows."""
    if value == ELSEWHERE:
        (whole,) = examples({"state": "## The state", "ruleset": "## The ruleset object"}[key])
        return _filled(whole)
    if isinstance(value, dict):
        return {name: _filled(part, name) for name, part in value.items()}
    return [_filled(part) for part in value] if isinstance(value, list) else value


def _written(message: Any) -> Any:
    """A message as an example shows it."""
    return json.loads(msgspec.json.encode(message))


def _with_defaults(example: Any, written: Any) -> Any:
    """The example with the fields that a client may leave out."""
    if not isinstance(example, dict) or not isinstance(written, dict):
        return example
    shown = {name: _with_defaults(part, written.get(name)) for name, part in example.items()}
    return {**written, **shown}


@pytest.mark.parametrize("name", FROM_CLIENTS)
def test_a_clients_message_has_examples_that_a_server_reads(name: str) -> None:
    for example in _of(name):
        read = read_client_message(msgpack.packb(example))
        assert _with_defaults(example, _written(read)) == _written(read)


@pytest.mark.parametrize("name", FROM_SERVERS)
def test_a_servers_message_has_examples_as_a_server_writes_them(name: str) -> None:
    for example in _of(name):
        message = msgspec.json.decode(json.dumps(example), type=messages.ServerMessage)
        assert _written(message) == example
        assert read_server_message(write_message(message)) == message


def test_the_state_is_shown_as_a_server_writes_it() -> None:
    (state,) = (_filled(example) for example in examples("## The state"))
    assert _written(msgspec.json.decode(json.dumps(state), type=MatchState)) == state


def _tags(kinds: Any) -> list[str]:
    return sorted(kind.__struct_config__.tag for kind in kinds)


def test_every_command_is_shown_as_a_server_reads_it() -> None:
    shown = examples("## Commands")
    for command in shown:
        play = {"m": "play", "id": 1, "table": "T", "command": command}
        read = _written(read_client_message(msgpack.packb(play)))["command"]
        assert _with_defaults(command, read) == read
    kinds = [*get_args(commands.PlayerCommand), *get_args(commands.RefereeCommand)]
    assert sorted(command["c"] for command in shown) == _tags(kinds)


def test_every_act_of_an_official_is_shown_as_a_server_reads_it() -> None:
    shown = examples("## Officials' acts")
    for act in shown:
        oversee = {"m": "oversee", "id": 1, "act": act, "reason": "why"}
        read = _written(read_client_message(msgpack.packb(oversee)))["act"]
        assert _with_defaults(act, read) == read
    assert sorted(act["act"] for act in shown) == _tags(get_args(oversight.AnyAct))


def test_every_announcement_is_shown_as_a_server_writes_it() -> None:
    shown = examples("## Announcements")
    for announcement in shown:
        read = msgspec.json.decode(json.dumps(announcement), type=announcements.Announcement)
        assert _written(read) == announcement
    assert sorted(said["a"] for said in shown) == _tags(get_args(announcements.Announcement))
