"""The pages of the protocol name every message, field, command, announcement, phase and code."""

import json
import re
from collections.abc import Iterator
from typing import Any, get_args

import msgspec
import pytest

from shared_rules import announcements, commands, messages, state
from shared_rules.catalogue import FOULS
from shared_rules.messages import oversight
from shared_rules.refusal import Code
from shared_rules.replay import MatchResult
from shared_rules.ruleset import Ruleset
from shared_rules.table import TableFrame
from shared_rules.wire import MAX_CLIENT_BYTES
from tests.server.protocol_pages import DOCS, PAGE, PAGES, section


def _tag(kind: Any) -> str:
    return str(kind.__struct_config__.tag)


def _fields(kind: Any) -> list[str]:
    return [field.encode_name for field in msgspec.structs.fields(kind)]


def _row(text: str, name: str) -> str:
    found = re.search(rf"^\| `{name}` \|.*$", text, re.M)
    assert found is not None, f"{name} is not in the table"
    return found[0]


def _missing(names: Any, text: str) -> list[str]:
    return [str(name) for name in names if f"`{name}`" not in text]


@pytest.mark.parametrize(
    "kind",
    [*get_args(messages.ClientMessage), *get_args(messages.ServerMessage)],
    ids=_tag,
)
def test_every_message_and_its_fields(kind: Any) -> None:
    assert _missing(_fields(kind), section(f"### `{_tag(kind)}`")) == []


@pytest.mark.parametrize("kind", get_args(commands.PlayerCommand), ids=_tag)
def test_every_command(kind: Any) -> None:
    assert _missing(_fields(kind), _row(section("## Commands"), _tag(kind))) == []


@pytest.mark.parametrize("kind", get_args(commands.RefereeCommand), ids=_tag)
def test_every_command_of_a_referee(kind: Any) -> None:
    table = section("## Commands").split("A referee gives these.")[1]
    row = re.search(rf"^\| .*`{_tag(kind)}`.* \|.*$", table, re.M)
    assert row is not None and _missing(_fields(kind), row[0]) == []


@pytest.mark.parametrize("kind", get_args(announcements.Announcement), ids=_tag)
def test_every_announcement(kind: Any) -> None:
    assert _missing(_fields(kind), _row(section("## Announcements"), _tag(kind))) == []


@pytest.mark.parametrize("kind", get_args(oversight.AnyAct), ids=_tag)
def test_every_act_of_an_official(kind: Any) -> None:
    assert _missing(_fields(kind), _row(section("## Officials' acts"), _tag(kind))) == []


def test_every_field_of_what_is_listed() -> None:
    for name, kind in (
        ("sessions", messages.SessionSummary),
        ("people", messages.PersonSummary),
        ("actions", messages.ActionSummary),
        ("lobby", messages.LobbyPerson),
        ("lobby", messages.LobbyTable),
        ("lobby", messages.ChallengeSummary),
        ("challenge", messages.TableTerms),
        ("rating", messages.RatingNow),
        ("rating", messages.RatingChange),
        ("said", messages.ChatLine),
    ):
        assert _missing(_fields(kind), section(f"### `{name}`")) == []
    assert _missing(get_args(messages.AccountRole), section("### `welcome`")) == []


def _parts() -> Iterator[tuple[str, Any]]:
    yield "description", state.MatchDescription
    yield "frame", TableFrame
    yield "shot_clock", state.ShotClock
    yield "lag", state.LagState
    yield "lag", state.LagStroke
    yield "running", state.RunningShot
    yield "clock", state.Clock
    yield "last_ruling", state.Ruling
    yield "last_ruling", state.Foul
    yield "frozen", state.FrozenBalls
    yield "interrupted", state.Interrupted


def test_every_field_of_the_state_and_of_its_parts() -> None:
    fields = section("## The state").split("Its parts:")
    assert _missing(_fields(state.MatchState), fields[0]) == []
    for name, kind in _parts():
        assert _missing(_fields(kind), _row(fields[1], name)) == []
    assert _missing(_fields(state.Stroke), section("## Commands")) == []
    listed = section("### `tables`")
    assert _missing(_fields(messages.TableSummary), listed) == []
    assert _missing(_fields(messages.ReplaySummary), section("### `replays`")) == []
    assert _missing(_fields(MatchResult), section("### `replays`")) == []
    assert _missing(_fields(messages.ReplayEvent), section("### `replay`")) == []
    assert _missing(_fields(messages.ReplayShot), section("### `replay`")) == []
    shown = section("### `snapshot`")
    assert _missing([*_fields(messages.Member), *_fields(messages.ShotInFlight)], shown) == []


def test_every_phase_option_and_code() -> None:
    assert _missing([p.value for p in state.Phase], section("### Phases")) == []
    assert _missing([o.value for o in state.Option], section("### Options")) == []
    assert _missing([c.value for c in Code], section("## Codes")) == []
    assert re.findall(r"^\| `(\S+)` \|", section("## Foul codes"), re.M) == [*FOULS]


def test_the_ruleset_object_is_the_one_in_the_code() -> None:
    block = re.search(r"```json\n(.*?)```", section("## The ruleset object"), re.S)
    assert block is not None
    assert json.loads(block[1]) == json.loads(json.dumps(msgspec.to_builtins(Ruleset())))


def test_the_page_names_no_message_that_there_is_not() -> None:
    kinds = [*get_args(messages.ClientMessage), *get_args(messages.ServerMessage)]
    sections = re.findall(r"^### `(\w+)`$", PAGE, re.M)
    assert sorted(sections) == sorted(_tag(kind) for kind in kinds)


def test_every_page_is_listed_once() -> None:
    assert sorted(PAGES) == sorted((DOCS / "protocol").glob("*.md"))


def test_limits_on_the_page_are_those_in_the_code() -> None:
    assert f"at most {MAX_CLIENT_BYTES:,} bytes" in PAGE
    assert f"Version {messages.PROTOCOL}." in PAGE
