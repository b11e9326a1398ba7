"""What a person's requests were answered: a request sent twice is carried out once.

Only requests that change something are remembered.  Refusals are too, or a copy that comes late
might do what its sender has given up; but not those that are the server's fault, or that come of
not having sat down again, since sending again is then what helps.

What was carried out is stored in the same commit as what it did (``remember``), what was refused
stays in memory.  ``once`` is the one way in which such requests are carried out.
"""

import asyncio
import contextlib
import hashlib
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Iterable, Iterator
from typing import TYPE_CHECKING

import msgspec

from server.session import refused
from server.storage.records import Remembered
from shared_rules.messages import (
    Accepted,
    AnswerChallenge,
    Challenge,
    ClaimAbsence,
    DrawCompetition,
    EnterAct,
    OpenCompetition,
    OpenTable,
    Play,
    QuickMatch,
    Refused,
    Rematch,
    Say,
)
from shared_rules.refusal import Code, Fault, Refusal

if TYPE_CHECKING:
    from server.connection import Connection

MOST_REMEMBERED = 256
MOST_OF_THE_GONE = 20_000  # answers to people who have gone

Lasting = (
    Play | OpenTable | ClaimAbsence | Challenge | AnswerChallenge | QuickMatch | Rematch | Say
    | OpenCompetition | EnterAct | DrawCompetition
)  # fmt: skip
"""Requests that change something, and so are remembered."""
Answer = Accepted | Refused
Tell = Callable[[Accepted], None]
"""Keeps the answer to a request that is being carried out, and sends it."""
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


async def once(
    connection: "Connection",
    request: Lasting,
    act: Callable[[Tell], Awaitable[object]],
    again: Callable[[Accepted], Awaitable[object]] | None = None,
) -> None:
    """Carry out a request, unless it was before, and answer it as then.

    Args:
        act: does it, and tells the answer once it is stored.
        again: says how it stands, when it had been carried out before and was answered once more.

    Raises:
        Refusal: what the act raises, or the id was another request's; nothing has changed.
    """
    person = connection.speaker
    if person is None:
        return
    answers = person.answers
    known = await answers.settled(request)
    if known is not None:
        connection.send(known)
        if again is not None and isinstance(known, Accepted):
            await again(known)
        return

    def tell(answer: Accepted) -> None:
        answers.keep(request, answer)
        connection.send(answer)

    with answers.under_way(request):
        try:
            await act(tell)
        except Refusal as refusal:
            answers.keep(request, refused(refusal, request.id))
            raise


class AnswerMemory:
    """The latest answers to one person, by request id."""

    def __init__(self, stored: Iterable[Remembered] = ()) -> None:
        self._answers: OrderedDict[int, tuple[bytes, Answer]] = OrderedDict()
        self._under_way: dict[int, tuple[bytes, asyncio.Future[None]]] = {}
        for row in stored:
            self._answers[row.request] = (row.digest, _Answer.decode(row.answer))

    def __len__(self) -> int:
        return len(self._answers)

    async def settled(self, request: Lasting) -> Answer | None:
        """The answer that this request has had; a copy of it that is under way is waited for.

        Raises:
            Refusal: ``id_reused``: the id was another request's; ``malformed``: see ``digest_of``.
        """
        digest = digest_of(request)
        while request.id in self._under_way:
            begun, done = self._under_way[request.id]
            _check_same(request, digest, begun)
            await asyncio.wait((done,))
        known = self._answers.get(request.id)
        if known is None:
            return None
        _check_same(request, digest, known[0])
        return known[1]

    @contextlib.contextmanager
    def under_way(self, request: Lasting) -> Iterator[None]:
        """While a request is being carried out copies of it wait for its answer."""
        done = asyncio.get_running_loop().create_future()
        self._under_way[request.id] = (digest_of(request), done)
        try:
            yield
        finally:
            del self._under_way[request.id]
            done.set_result(None)

    def keep(self, request: Lasting, answer: Answer) -> None:
        """Remember the answer."""
        if isinstance(answer, Refused) and (
            answer.fault == Fault.SERVER.value or answer.code == Code.NOT_AT_THIS_TABLE.value
        ):
            return
        self._answers[request.id] = (digest_of(request), answer)
        while len(self._answers) > MOST_REMEMBERED:
            self._answers.popitem(last=False)


class MemoryOfTheGone:
    """Memories of people who have gone, so that they find them when they come back.

    Those who have been away longest are forgotten when it is too much; what is stored isn't.
    """

    def __init__(self, most: int = MOST_OF_THE_GONE) -> None:
        self._most = most
        self._count = 0
        self._gone: OrderedDict[str, AnswerMemory] = OrderedDict()

    def keep(self, person: str, answers: AnswerMemory) -> None:
        """He has gone."""
        self.take(person)
        if len(answers):
            self._gone[person] = answers
            self._count += len(answers)
        while self._count > self._most:
            self._count -= len(self._gone.popitem(last=False)[1])

    def take(self, person: str) -> AnswerMemory | None:
        """What he had been answered, once; None: it is not here (any more)."""
        found = self._gone.pop(person, None)
        self._count -= len(found) if found is not None else 0
        return found


def _check_same(request: Lasting, digest: bytes, before: bytes) -> None:
    if digest != before:
        raise Refusal(Code.ID_REUSED, f"the id {request.id} was used for another request")
