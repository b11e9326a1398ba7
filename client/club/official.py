"""An official at the socket: what he asks for is answered once, however often the line breaks."""

import asyncio
import time
from typing import Any

from client.net.errand import Errand, ErrandFailed
from client.net.session import first_id
from shared_rules import messages as m

PATIENCE_S = 120.0
AGAIN_S = 0.3


class Official:
    """Signed in to an account that may run competitions."""

    def __init__(self, url: str, account: str, password: str) -> None:
        self.url = url
        self._who = {"account": account, "password": password}
        self._errand: Errand | None = None
        self._number = first_id()

    async def ask(self, kind: Any, **fields: Any) -> Any:
        """The answer; a request that a broken line has left without one is sent again.

        Raises:
            ErrandFailed: it is refused, or the server doesn't come back.
        """
        self._number += 1
        request = kind(id=self._number, **fields)
        until = time.monotonic() + PATIENCE_S
        while True:
            try:
                if self._errand is None:
                    errand = await Errand(self.url).__aenter__()
                    await errand.hello("headstring club", **self._who)
                    self._errand = errand
                return await self._errand.ask(request)
            except ErrandFailed as error:
                if error.code not in ("", "internal", "shutting_down") or time.monotonic() > until:
                    raise
                await self.close()
                await asyncio.sleep(AGAIN_S)

    async def act(self, competition: str, kind: str, **fields: Any) -> int:
        """Enter an act; the number of its line."""
        act = {"act": kind, **fields}
        answer = await self.ask(m.EnterAct, competition=competition, act=act)
        return int(answer.entry)

    async def shown(self, competition: str, log: bool = False) -> m.CompetitionShown:
        """A competition as it stands."""
        shown: m.CompetitionShown = await self.ask(
            m.GetCompetition, competition=competition, log=log
        )
        return shown

    async def close(self) -> None:
        """Hang up."""
        errand, self._errand = self._errand, None
        if errand is not None:
            await errand.__aexit__(None, None, None)
