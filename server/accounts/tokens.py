"""Tokens: what brings a person back; random and long, one a device, and stored as hashes only."""

import hashlib
import secrets

from server.storage.people import SessionRecord


def token_hash(token: str) -> bytes:
    """What is stored of a token.  It is random and long, so a plain hash is enough."""
    return hashlib.sha256(token.encode()).digest()


def new_session(person: str, client: str, now: float) -> tuple[SessionRecord, str]:
    """A person's way in from now (Unix time) on, and its token."""
    token = secrets.token_urlsafe(32)
    record = SessionRecord(
        token_hash=token_hash(token),
        session=new_id(),
        person=person,
        client=client,
        created_at=now,
        used_at=now,
    )
    return record, token


def new_id() -> str:
    """The id of a person or a session."""
    return secrets.token_hex(8)
