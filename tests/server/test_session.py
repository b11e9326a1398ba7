"""The session object without a socket: every message in, the step out, whatever the bytes."""

import msgpack
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from server.config import ServerConfig
from server.session import Carry, HangUp, Nothing, Refuse, Relay, Session, SignIn
from shared_rules.messages import PROTOCOL, Aim, Hello, Ping
from shared_rules.wire import MAX_CLIENT_BYTES, write_message


def _session(signed_in: bool = True) -> Session:
    session = Session(ServerConfig())
    session.signed_in = signed_in
    return session


def _code(step: object) -> str:
    assert isinstance(step, Refuse)
    return step.refused.code


def test_hello_then_requests() -> None:
    session = _session(signed_in=False)
    hello = Hello(protocol=PROTOCOL, name="Ann")
    assert session.receive(write_message(hello), 0.0) == SignIn(hello)
    session.signed_in = True
    assert session.receive(write_message(Ping(id=1)), 0.0) == Carry(Ping(id=1))


@pytest.mark.parametrize(
    ("hello", "code"),
    [
        (Hello(protocol=PROTOCOL + 1, name="Ann"), "unsupported_protocol"),
        (Hello(protocol=PROTOCOL), "malformed"),
    ],
)
def test_hellos_that_are_refused(hello: Hello, code: str) -> None:
    assert _code(_session(signed_in=False).receive(write_message(hello), 0.0)) == code


def test_order_of_signing_in() -> None:
    ping = write_message(Ping(id=7))
    refused = _session(signed_in=False).receive(ping, 0.0)
    assert _code(refused) == "not_signed_in"
    assert isinstance(refused, Refuse) and refused.refused.re == 7
    hello = write_message(Hello(protocol=PROTOCOL, name="Ann"))
    assert _code(_session().receive(hello, 0.0)) == "already_signed_in"


@pytest.mark.parametrize(
    ("data", "code"),
    [
        (b"", "not_msgpack"),
        (b"\xc1", "not_msgpack"),
        (b"hello", "not_msgpack"),
        ("text", "not_msgpack"),
        (msgpack.packb([1, 2]), "malformed"),
        (b"\x83\xa1m\xa4ping\xa2id\x01\xa2id\x02", "malformed"),  # which of the two?
        (b"\x83\xa1m\xa4ping\xa1m\xa4ping\xa2id\x01", "malformed"),
        (msgpack.packb({"m": "dance", "id": 1}), "unknown_message"),
        (msgpack.packb({"m": "ping"}), "malformed"),
        (msgpack.packb({"m": "ping", "id": 1, "extra": 2}), "malformed"),
        (msgpack.packb({"m": "ping", "id": True}), "malformed"),
        (msgpack.packb({"m": "ping", "id": -1}), "out_of_range"),
        (msgpack.packb({"m": "join_table", "id": 1, "table": "A\0B"}), "malformed"),
        (
            msgpack.packb({"m": "open_table", "id": 1, "overrides": {"a": [{"b\0": 1}]}}),
            "malformed",
        ),
        (b"\x83\xa1m\xaajoin_table\xa2id\x01\xa5table\xa3\xed\xa0\x80", "not_msgpack"),
        (b"\x81" * 4000, "not_msgpack"),
        (b"x" * (MAX_CLIENT_BYTES + 1), "too_large"),
    ],
)
def test_bad_bytes_are_refused_with_a_code(data: bytes | str, code: str) -> None:
    session = _session()
    assert _code(session.receive(data, 0.0)) == code
    assert session.receive(write_message(Ping(id=1)), 0.0) == Carry(Ping(id=1))


@pytest.mark.parametrize(
    ("sent", "re"),
    [(7, 7), (-5, -5), (2**53, 2**53), (2**53 + 1, None), (-(2**53) - 1, None), (2**64 - 1, None),
     (True, None), ("7", None)],
)  # fmt: skip
def test_a_refusal_names_only_an_id_that_every_reader_reads_alike(sent: object, re: object) -> None:
    step = _session().receive(msgpack.packb({"m": "dance", "id": sent}), 0.0)
    assert isinstance(step, Refuse) and step.refused.re == re


@pytest.mark.parametrize("value", [float("nan"), float("inf"), -float("inf"), 1e9, "fast", None])
def test_strokes_that_are_no_stroke(value: object) -> None:
    stroke = {"speed": value, "heading_deg": 0.0}
    play = {"m": "play", "id": 1, "table": "T", "command": {"c": "strike", "stroke": stroke}}
    assert _code(_session().receive(msgpack.packb(play), 0.0)) in ("out_of_range", "malformed")


def test_a_flood_is_hung_up_and_a_patient_sender_is_not() -> None:
    session = _session()
    ping = write_message(Ping(id=1))
    steps = [session.receive(ping, 0.0) for _ in range(200)]
    assert isinstance(steps[0], Carry) and isinstance(steps[-1], HangUp)
    assert steps[-1].refused.code == "flooding" and not steps[-1].goodbye.come_back
    patient = _session()
    assert all(isinstance(patient.receive(ping, n * 0.02), Carry) for n in range(500))


def test_many_bytes_are_a_flood_too() -> None:
    session = _session()
    steps = [session.receive(b"x" * MAX_CLIENT_BYTES, 0.0) for _ in range(40)]
    assert isinstance(steps[-1], HangUp)


def test_refused_messages_flood_sooner() -> None:
    def bad_until_hung_up(data: bytes) -> int:
        session = _session()
        return next(n for n in range(1000) if isinstance(session.receive(data, 0.0), HangUp))

    assert bad_until_hung_up(b"junk") * 3 < bad_until_hung_up(write_message(Ping(id=1)))


def test_aims_that_come_too_fast_are_dropped_quietly() -> None:
    session = _session()
    aim = write_message(Aim(table="T", heading_deg=1.0))
    steps = [session.receive(aim, 0.0) for _ in range(40)]
    assert isinstance(steps[0], Relay) and isinstance(steps[-1], Nothing)


_scalars = st.one_of(
    st.none(), st.booleans(), st.integers(-(2**63), 2**64 - 1), st.floats(), st.text(), st.binary()
)
_junk = st.recursive(
    _scalars,
    lambda inner: st.one_of(
        st.lists(inner, max_size=4), st.dictionaries(st.text(max_size=8), inner, max_size=4)
    ),
    max_leaves=8,
)
_names = st.sampled_from(
    ["hello", "play", "open_table", "join_table", "aim", "ping", "leave_table"]
)
_keys = st.sampled_from(["id", "table", "command", "overrides", "protocol", "name", "x", "version"])
_maps = st.builds(
    lambda name, rest: msgpack.packb(rest | {"m": name}),
    _names,
    st.dictionaries(_keys, _junk, max_size=4),
)


@settings(max_examples=300, deadline=None)
@given(st.one_of(st.binary(max_size=300), _maps))
def test_no_bytes_break_the_session(data: bytes) -> None:
    step = _session().receive(data, 0.0)
    assert isinstance(step, Refuse | Carry | Relay | SignIn | Nothing | HangUp)


def test_a_key_twice_is_refused_wherever_it_is() -> None:
    once = {"m": "play", "id": 7, "table": "K7Q2MX", "command": {"c": "place_cue", "x": 0, "y": 0}}
    assert isinstance(_session().receive(msgpack.packb(once), 0.0), Carry)
    packed = msgpack.packb(once)
    assert packed.count(b"\x83\xa1c") == 1
    twice = packed.replace(b"\x83\xa1c", b"\x84\xa1x\x01\xa1c")
    step = _session().receive(twice, 0.0)
    assert _code(step) == "malformed"
    assert isinstance(step, Refuse)
    assert "twice" in step.refused.message and step.refused.re == 7
