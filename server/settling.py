"""What else is written with an order of a match, by everybody whom it concerns."""

from collections.abc import AsyncIterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager

from sqlalchemy import Executable

from server.keeper import Settling
from shared_rules.state import MatchState


def together(*settlings: Settling) -> Settling:
    """All of them as one; their locks are taken in this order."""

    @asynccontextmanager
    async def settling(
        before: MatchState, after: MatchState
    ) -> AsyncIterator[Sequence[Executable]]:
        async with AsyncExitStack() as stack:
            yield [
                statement
                for one in settlings
                for statement in await stack.enter_async_context(one(before, after))
            ]

    return settling
