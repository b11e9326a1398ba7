"""The way to a table once signed in: to one's own, a named one, a free seat, or a new one."""

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from client.net.session import Answer, Session

ASK_AGAIN_S = 1.0


@dataclass(frozen=True)
class Plan:
    """Where to.  ``open_options``: the fields of ``OpenTable`` of a table to open.

    ``anew``: even if one has a seat elsewhere.  With ``watching`` one looks on, with
    ``refereeing`` as the referee of ``table``.  With neither
    ``table`` nor ``opens`` the first table with a free seat (or that may be watched) is taken; a
    player who finds none opens one.
    """

    table: str | None = None
    invitation: str | None = None
    opens: bool = False
    watching: bool = False
    anew: bool = False
    refereeing: bool = False
    open_options: dict[str, Any] = field(default_factory=dict)


class Arrival:
    """Finds the way, once; a table that refuses ends it with its sentence in :attr:`problem`."""

    def __init__(
        self,
        session: Session,
        plan: Plan,
        on_seated: Callable[[str, str | None], None] | None = None,
        finishes: bool = True,
    ) -> None:
        """``on_seated`` is called with table and invitation when the place is taken.

        ``finishes``: whether a table that refuses ends the session as well.
        """
        self.session, self.plan = session, plan
        self._on_seated = on_seated
        self._finishes = finishes
        self.problem = ""
        self.arrived = False
        self._request: int | None = None
        self._listed_at = -ASK_AGAIN_S

    def step(self, answers: list[Answer]) -> None:
        """Look at a frame's answers and take the next step."""
        session = self.session
        if self.problem or session.phase != "ready":
            return
        for answer in answers:
            if answer.re == self._request and answer.code is not None:
                self.problem = answer.message
                if self._finishes:
                    session.finish(answer.message)
                return
        if session.view is not None and session.view.known:
            if not self.arrived:
                self.arrived = True
                if self._on_seated is not None:
                    self._on_seated(session.view.table, session.view.invitation)
        elif session.view is None and not self._waiting():
            self._request = self._go()

    def _waiting(self) -> bool:
        return self._request is not None and self.session.waiting_for(self._request)

    def _go(self) -> int | None:
        session, plan = self.session, self.plan
        if plan.table is not None:
            call = session.watch if plan.watching else session.join
            return (session.officiate if plan.refereeing else call)(plan.table, plan.invitation)
        if not plan.watching and not plan.anew and session.seated_at:
            return session.join(session.seated_at[0])
        if plan.opens:
            return session.open_table(**plan.open_options)
        return self._first_that_suits()

    def _first_that_suits(self) -> int | None:
        session, plan = self.session, self.plan
        if session.tables is None:
            if time.monotonic() - self._listed_at < ASK_AGAIN_S:
                return self._request
            self._listed_at = time.monotonic()
            return session.list_tables()
        tables, session.tables = session.tables, None
        for table in tables:
            if plan.watching and table.watch == "everyone":
                return session.watch(table.table)
            if not plan.watching and None in table.players and not table.private:
                return session.join(table.table)
        return None if plan.watching else session.open_table(**plan.open_options)
