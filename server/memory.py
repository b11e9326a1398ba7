"""What a person's requests were answered: a request sent twice is carried out once.

Only requests that change something are remembered.  Refusals are too, or a copy that comes late
might do what its sender has given up; but not those that are the server's fault, or that come of
not having sat down again, since sending again is then what helps.
"""

import hashlib
from collections import OrderedDict
from collections.abc import Iterable

import msgspec

from server.storage.records import Remembered
from shared_rules.messages import (
    Accepted,
    AnswerChallenge,
    Challenge,
    ClaimAbsence,
    OpenTable,
    Play,
    QuickMatch,
    Refused,
    Rematch,
)
from shared_rules.refusal import Code, Fault, Refusal

MOST_REMEMBERED = 256

Lasting = Play | OpenTable | ClaimAbsence | Challenge | AnswerChallenge | QuickMatch | Rematch
"""Requests that change something, and so are remembered."""
Answer = Accepted | Refused
_Answer = msgspec.msgpack.Decoder(Answer)


def digest_of(request: Lasting) -> bytes:
    """What a request says, hashed.

    Raises:
        Refusal: ``malformed``: it is nested too deeply.
    """
    try:
        return hashlib.sha256(msgspec.msgpack.encode(request)).digest()
    except RecursionError as error:
        raise Refusal(Code.MALFORMED, "the message is nested too deeply") from error


def remember(request: Lasting, answer: Accepted) -> Remembered:
    """The row that is stored with what the request did."""
    return Remembered(
        request=request.id, digest=digest_of(request), answer=msgspec.msgpack.encode(answer)
    )


class AnswerMemory:
    """The latest answers to one person, by request id."""

    def __init__(self, stored: Iterable[Remembered] = ()) -> None:
        self._answers: OrderedDict[int, tuple[bytes, Answer]] = OrderedDict()
        for row in stored:
            self._answers[row.request] = (row.digest, _Answer.decode(row.answer))

    def find(self, request: Lasting) -> Answer | None:
        """The answer that this request has had.

        Raises:
            Refusal: ``id_reused``: the id was another request's; ``malformed``: see ``digest_of``.
        """
        digest = digest_of(request)
        known = self._answers.get(request.id)
        if known is None:
            return None
        if known[0] != digest:
            raise Refusal(Code.ID_REUSED, f"the id {request.id} was used for another request")
        return known[1]

    def keep(self, request: Lasting, answer: Answer) -> None:
        """Remember the answer."""
        if isinstance(answer, Refused) and (
            answer.fault == Fault.SERVER.value or answer.code == Code.NOT_AT_THIS_TABLE.value
        ):
            return
        self._answers[request.id] = (digest_of(request), answer)
        while len(self._answers) > MOST_REMEMBERED:
            self._answers.popitem(last=False)
