"""A bot at the socket: signs in, sits down, and answers whatever the match asks of it."""

import asyncio
import math
import ssl
import time
from collections.abc import Callable
from dataclasses import dataclass

from client.bot.brain import WORTH_PLAYING, Brain, has_to_act
from client.bot.levels import Level
from client.net.link import Link
from client.net.session import LinkEvent, Session
from shared_rules import messages as m
from shared_rules.announcements import GameWon, Judged, MatchWon
from shared_rules.commands import Strike
from shared_rules.messages import Member
from shared_rules.refusal import Code
from shared_rules.state import MatchState, Phase

TICK_S = 0.2
LIST_EVERY_S = 1.0
CLAIM_EVERY_S = 1.0
PATIENCE = 40
"""So many refusals in one state mean that the bot and the server disagree about the rules."""


@dataclass(frozen=True)
class Seating:
    """Where a bot sits down: at ``table``, at one it opens, or at the first with a free seat."""

    table: str | None = None
    invitation: str | None = None
    open_options: dict | None = None
    accepts: bool = False
    """Wait for challenges instead, and play whoever comes, one after the other."""


class BotPlayer:
    """Plays one match, or one after another, over one connection."""

    def __init__(
        self,
        url: str,
        session: Session,
        level: Level,
        seating: Seating,
        seed: int | None = None,
        say: Callable[[str], None] = print,
        trust: ssl.SSLContext | None = None,
    ) -> None:
        self.session = session
        self.level = level
        self.seating = seating
        self.seed = seed
        self.say = say
        self.link = Link(url, self._deliver, trust=trust)
        self.changed = asyncio.Event()
        self.on_token: Callable[[str], None] | None = None
        """Told the token of the sign-in, to keep it."""
        self.on_seat: Callable[[], None] | None = None
        """Called when it has a seat for the first time: there is something to get ready for."""
        self.think_s = 0.0
        """Least time before a stroke, so that people can follow."""
        self.worth_playing = WORTH_PLAYING
        self._brain: Brain | None = None
        self._asked: int | None = None
        self._listed_at = 0.0
        self._request: int | None = None
        self._refusals: tuple[int, int] = (-1, 0)
        self._told = 0
        self._lost = ""
        self._waits = False
        self._claim: int | None = None
        self._claimed_at = -math.inf

    async def run(self) -> MatchState | None:
        """Play until the match at the table is over.

        Returns:
            The last state of the match, or None if there was none.

        Raises:
            ConnectionError: the server does not let this bot play; the message says why.
        """
        carrying = asyncio.create_task(self.link.run())
        try:
            while not self._over() or self.seating.accepts:
                if carrying.done():
                    carrying.result()
                if self._over():
                    self._tell()
                    self._stand_up()
                await self._step()
            self._tell()
        finally:
            self.link.close()
            await asyncio.gather(carrying, return_exceptions=True)
        view = self.session.view
        return view.state if view is not None else None

    async def _step(self) -> None:
        """Seat, news, move; then wait for the next change."""
        self.changed.clear()
        session = self.session
        if session.phase == "over":
            raise ConnectionError(session.reason or "the server ended the session")
        if session.phase == "lost" and session.reason != self._lost:
            self.say(f"{session.name}: {session.reason} (trying again)")
        if session.phase in ("lost", "ready"):
            self._lost = session.reason
        if session.phase == "ready":
            if self.on_token is not None and session.token is not None:
                self.on_token(session.token)
                self.on_token = None
            if self.seating.accepts:
                self._listen()
            if session.view is None:
                self._sit_down()
            else:
                if self.on_seat is not None:
                    self.on_seat()
                    self.on_seat = None
                self._tell()
                self._claim_absence()
                await self._move()
        session.tick(time.monotonic())
        self._flush()
        try:
            await asyncio.wait_for(self.changed.wait(), TICK_S)
        except TimeoutError:
            return

    def _deliver(self, event: LinkEvent) -> None:
        self.session.handle(event)
        self._flush()
        self.changed.set()

    def _flush(self) -> None:
        for message in self.session.take_outgoing():
            self.link.send(message)

    def _over(self) -> bool:
        view = self.session.view
        if view is None:
            return False
        if view.closed is not None or self._adjourned():
            return True
        return view.state is not None and view.state.phase is Phase.MATCH_OVER

    def _absent(self) -> Member | None:
        """The opponent in a match, if he is away."""
        view = self.session.view
        if view is None or view.seat is None or view.state is None:
            return None
        other = view.players[1 - view.seat]
        return None if other is None or other.connected else other

    def _adjourned(self) -> bool:
        """The match waits for an opponent who may never come: nothing to stay for."""
        absent = self._absent()
        return absent is not None and absent.claim_from is None and self._claim is not None

    def _claim_absence(self) -> None:
        """Claim what the absence of the opponent gives, so that he doesn't hold the table."""
        session, absent = self.session, self._absent()
        if absent is None or absent.claim_from is None or session.view is None:
            return
        state, now = session.view.state, time.monotonic()
        if state is None or state.phase in (Phase.SHOT_RUNNING, Phase.MATCH_OVER):
            return
        if session.clock.now(now) < absent.claim_from or now < self._claimed_at + CLAIM_EVERY_S:
            return
        self._claimed_at = now
        adjourns = state.description.ruleset.disconnect.effect == "adjourn"
        self._claim = session.claim_absence("adjourn" if adjourns else "win")

    # --- sitting down ----------

    def _sit_down(self) -> None:
        session, seating = self.session, self.seating
        if seating.accepts:
            return
        if self._asked is not None and session.waiting_for(self._asked):
            return
        for answer in session.take_answers():
            if answer.re == self._asked and answer.code is not None and seating.table is not None:
                raise ConnectionError(answer.message)
        if seating.table is not None:
            self._asked = session.join(seating.table, seating.invitation)
        elif seating.open_options is not None:
            self._asked = session.open_table(**seating.open_options)
        else:
            self._take_free_seat()

    def _stand_up(self) -> None:
        """The match is over; the connection stays at the table, for a rematch."""
        self.session.view, self._brain, self._request = None, None, None
        self._told = 0

    def _listen(self) -> None:
        """Accept who challenges, and who wants a rematch."""
        session = self.session
        asked = self._asked is not None and session.waiting_for(self._asked)
        if session.view is None and session.seated_at and not asked:
            table, session.seated_at = session.seated_at[0], ()
            self._asked = session.join(table)  # a match goes on
        if session.company.seq is None and not asked:
            self._asked = session.look_up(m.EnterLobby)
        for news in session.company.take():
            if isinstance(news, m.Challenged):
                self.say(f"{session.name}: {news.challenge.by} challenges")
                session.look_up(m.AnswerChallenge, challenge=news.challenge.challenge, accept=True)
            elif isinstance(news, m.MatchCalled) and news.table and session.view is None:
                self._asked = session.join(news.table)  # it was adjourned, and goes on
            elif isinstance(news, m.RematchOffered):
                session.look_up(m.Rematch, table=news.table)
        if session.view is None:
            for answer in session.take_answers():
                if answer.code is not None:
                    self.say(f"{session.name}: refused: {answer.message}")

    def _take_free_seat(self) -> None:
        session = self.session
        for table in session.tables or ():
            if None in table.players and not table.private and session.name not in table.players:
                session.tables = None
                self._asked = session.join(table.table)
                return
        if time.monotonic() - self._listed_at >= LIST_EVERY_S:
            self._listed_at = time.monotonic()
            self._asked = session.list_tables()
            if session.tables is not None and not self._waits:
                self._waits = True
                self.say(
                    f"{session.name}: no table has a free seat; waits for one (--open opens one)"
                )

    # --- playing ----------

    def new_brain(self, preset: str) -> Brain:
        """What decides at a table of that kind."""
        return Brain(self.level, self.seed, preset, self.worth_playing)

    async def _move(self) -> None:
        session = self.session
        view = session.view
        if view is None or view.state is None or view.seat is None or self._request_runs():
            return
        state, seat = view.state, view.seat
        if not has_to_act(state, seat):
            return
        if self._refusals[0] != state.version:
            self._refusals = (state.version, 0)
        refused = self._refusals[1]
        if refused > PATIENCE:
            raise ConnectionError("the server refuses everything that this bot tries")
        if refused:
            await asyncio.sleep(min(0.05 * refused, 1.0))
        if self._brain is None:
            self._brain = self.new_brain(view.preset)
        began = time.monotonic()
        command = await asyncio.to_thread(self._brain.decide, state, seat, refused)
        if isinstance(command, Strike) and state.phase is not Phase.LAG:
            stroke = command.stroke  # so that those who watch see where the cue points
            session.aim(stroke.heading_deg, stroke.elevation_deg, stroke.tip)
            session.tick(time.monotonic())
            self._flush()
        if self.think_s:
            await asyncio.sleep(max(0.0, self.think_s - (time.monotonic() - began)))
        still = session.view is view and view.state is not None
        if command is not None and still and view.state.version == state.version:
            self._request = session.play(command)
            self._flush()

    def _request_runs(self) -> bool:
        """Whether the last command is unanswered; a refusal is counted for its state."""
        if self._request is None:
            return False
        if self.session.waiting_for(self._request):
            return True
        for answer in self.session.take_answers():
            if answer.re == self._request and answer.code is not None:
                if answer.code != Code.STALE_STATE:
                    self.say(f"{self.session.name}: refused: {answer.message}")
                self._refusals = (self._refusals[0], self._refusals[1] + 1)
        self._request = None
        return False

    def _tell(self) -> None:
        """Say in a line what has happened at the table."""
        view = self.session.view
        if view is None:
            return
        for item in view.news:
            if item.seq <= self._told:
                continue
            said = item.announcement
            if isinstance(said, Judged) and said.ruling.fouls:
                codes = ", ".join(f.code for f in said.ruling.fouls)
                seat = said.ruling.shooter
                self.say(f"foul of {view.name_of(seat) if seat is not None else '?'}: {codes}")
            elif isinstance(said, GameWon) and view.state is not None:
                games = ":".join(str(g) for g in view.state.games)
                self.say(f"game to {view.name_of(said.seat)} ({said.reason}); {games}")
            elif isinstance(said, MatchWon):
                self.say(f"match to {view.name_of(said.seat)}")
        self._told = view.seq
