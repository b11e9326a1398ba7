"""A client's requests: the numbers that they have, and the answers that they get."""

import secrets
from dataclasses import dataclass

from shared_rules import messages as m


@dataclass(frozen=True)
class Answer:
    """The server's answer to request ``re``; refused if ``code`` is not None."""

    re: int
    request: m.ClientMessage | None
    code: str | None = None
    message: str = ""
    table: str | None = None
    challenge: str | None = None


def first_id() -> int:
    """A request number that no earlier run of this program has used, as good as certainly.

    Not counted from the date: a clock that is set back would use numbers twice.
    """
    return secrets.randbelow(2**52) + 1
