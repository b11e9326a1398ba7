"""An official's act as it was given, and what of it goes on record: no password, no PIN."""

import hashlib
import secrets
from dataclasses import dataclass
from typing import Any

import msgspec

from server.storage.actions import ActionRecord
from shared_rules.messages import AccountRole, Oversee
from shared_rules.messages import oversight as acts


@dataclass(frozen=True)
class Given:
    """An act, who gives it as what, and why; with the request that it came from."""

    act: acts.AnyAct
    reason: str
    by: str | None
    role: AccountRole
    request: int | None = None
    digest: bytes | None = None


def on_record(
    given: Given,
    now: float,
    person: str | None = None,
    match: str | None = None,
    until: float | None = None,
    address: str | None = None,
) -> ActionRecord:
    """The row of an act given at ``now``; whom or which match it is about, until when it holds, and
    the address that it closes to newcomers."""
    return ActionRecord(
        action=secrets.token_hex(6),
        at=now,
        by_person=given.by,
        act=str(given.act.__struct_config__.tag),
        person=person,
        match=match,
        reason=given.reason,
        until=until,
        body=msgspec.msgpack.encode(_without_password(given.act)),
        request=given.request,
        digest=given.digest,
        address=address,
    )


def _without_password(act: acts.AnyAct) -> Any:
    hidden = {"password": "-", "pin": "------"}
    given = {name: mask for name, mask in hidden.items() if getattr(act, name, None) is not None}
    return msgspec.structs.replace(act, **given) if given else act


def digest_of(request: Oversee) -> bytes:
    """What a request says, hashed; a password is left out, since this hash is a quick one."""
    plain = msgspec.structs.replace(request, act=_without_password(request.act))
    return hashlib.sha256(msgspec.msgpack.encode(plain)).digest()
