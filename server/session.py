"""One connection's side of the protocol, without a socket: bytes in, steps out.

The session knows whether it is signed in and how much the sender may still send.  What a step asks
for is carried out by the house; the shell around both moves bytes.
"""

from dataclasses import dataclass

from server.config import ServerConfig
from server.flood import Bucket, Traffic
from shared_rules.messages import (
    PROTOCOL,
    Aim,
    ClientMessage,
    Goodbye,
    Hello,
    Refused,
    Request,
)
from shared_rules.refusal import Code, Refusal
from shared_rules.wire import read_client_message, request_id

_COST_OF_REFUSAL = 4.0


@dataclass(frozen=True)
class Refuse:
    """Send this refusal; nothing else happens."""

    refused: Refused


@dataclass(frozen=True)
class SignIn:
    """Sign this person in."""

    hello: Hello


@dataclass(frozen=True)
class Carry:
    """Carry this request out and answer it."""

    request: Request


@dataclass(frozen=True)
class Relay:
    """Show the others at the table how the cue is held."""

    aim: Aim


@dataclass(frozen=True)
class Nothing:
    """The message needs no answer and had no effect."""


@dataclass(frozen=True)
class HangUp:
    """Send the refusal and the goodbye, then close."""

    refused: Refused
    goodbye: Goodbye


Step = Refuse | SignIn | Carry | Relay | Nothing | HangUp


def refused(refusal: Refusal, re: int | None = None) -> Refused:
    """The message that tells of a refusal."""
    return Refused(
        code=refusal.code.value, fault=refusal.fault.value, message=refusal.message, re=re
    )


class Session:
    """State of one connection: signed in or not, and what it may still send."""

    def __init__(self, config: ServerConfig, traffic: Traffic | None = None) -> None:
        """``traffic``: counted elsewhere too, where frames that are no messages are seen."""
        self.signed_in = False
        self._traffic = traffic or Traffic(config)
        self._aims = Bucket(config.aims_per_s, config.aims_per_s)

    def receive(self, data: bytes | str, now: float) -> Step:
        """What to do about a message that arrived at ``now`` (real seconds)."""
        if not self._traffic.message(now, len(data)):
            return flooding()
        if isinstance(data, str):
            return self._refuse(now, Refusal(Code.NOT_MSGPACK, "messages are binary: msgpack"))
        try:
            message = read_client_message(data)
            return self._step(message, now)
        except Refusal as refusal:
            return self._refuse(now, refusal, request_id(data))

    def penalise(self, now: float) -> None:
        """Nonsense and guesses cost more than other messages, so that they end as a flood."""
        self._traffic.penalise(now, _COST_OF_REFUSAL)

    def _step(self, message: ClientMessage, now: float) -> Step:
        if isinstance(message, Hello):
            self._check_hello(message)
            return SignIn(message)
        if not self.signed_in:
            raise Refusal(Code.NOT_SIGNED_IN, "say hello first")
        if isinstance(message, Aim):
            return Relay(message) if self._aims.take(now) else Nothing()
        return Carry(message)

    def _check_hello(self, hello: Hello) -> None:
        if hello.protocol != PROTOCOL:
            raise Refusal(
                Code.UNSUPPORTED_PROTOCOL,
                f"this server speaks protocol {PROTOCOL}, the client {hello.protocol}",
            )
        if self.signed_in:
            raise Refusal(Code.ALREADY_SIGNED_IN, "this connection is signed in already")
        if (hello.account is None) != (hello.password is None):
            raise Refusal(Code.MALFORMED, "hello: an account and its password go together")
        if hello.register and hello.account is None:
            raise Refusal(Code.MALFORMED, "hello: an account to be made needs name and password")
        if hello.name is None and hello.token is None and hello.account is None:
            raise Refusal(Code.MALFORMED, "hello: a name, an account or a token is needed")

    def _refuse(self, now: float, refusal: Refusal, re: int | None = None) -> Step:
        self.penalise(now)
        return Refuse(refused(refusal, re))


def flooding() -> HangUp:
    """What a flood ends in."""
    refusal = Refusal(Code.FLOODING, "too many messages")
    return HangUp(refused(refusal), Goodbye(reason="flooding", come_back=False))
