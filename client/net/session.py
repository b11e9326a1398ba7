"""A client's session, sans I/O: what the link reports goes in, messages to send come out.

It signs in, keeps one table up to date, numbers requests, and after a cut comes back with the
token, the last event seen and every request that was never answered, under its old number, so
that the server carries it out once.  Local times are seconds of ``time.monotonic``.
"""

from collections import deque
from typing import Any, Literal

from client.net.answers import Answer as Answer
from client.net.answers import first_id as first_id
from client.net.catching_up import CatchingUp
from client.net.company import ANSWERS, Company, LobbyMessage, News
from client.net.link_events import Garbled as Garbled
from client.net.link_events import LinkEvent as LinkEvent
from client.net.link_events import Lost as Lost
from client.net.link_events import Opened as Opened
from client.net.link_events import Received as Received
from client.net.pings import Pings
from client.net.server_clock import ServerClock
from client.net.view import TableView
from physics.trajectory import TrajectoryError
from shared_rules import messages as m
from shared_rules.commands import PlayerCommand, RefereeCommand
from shared_rules.refusal import Code

AIM_EVERY_S = 0.05
SILENT_S = 6.0
"""A server that has not answered for this long is shown as not answering."""
ANSWERS_KEPT = 256

Phase = Literal["connecting", "signing_in", "ready", "lost", "over"]


class Session:
    """See the module.  Not thread-safe: whoever owns it feeds it and reads it."""

    def __init__(self, name: str, token: str | None = None, program: str = "headstring") -> None:
        self.name = name
        self.token = token
        self.program = program
        self.phase: Phase = "connecting"
        self.reason = ""
        self.clock = ServerClock()
        self.view: TableView | None = None
        self.tables: tuple[m.TableSummary, ...] | None = None
        self.seated_at: tuple[str, ...] = ()
        self.answers: deque[Answer] = deque(maxlen=ANSWERS_KEPT)
        self.account, self.role = False, "player"
        """Whether this is an account: without its token it is nobody, not a guest of its name."""
        self.company = Company()
        self.looked_up: dict[
            int, m.ReplayList | m.Replay | ANSWERS
        ] = {}  # answers, until they are taken
        self.renames = False
        """Whether a taken name is tried again with a number: for bots."""
        self._next_id = first_id()
        self._pending: dict[int, m.ClientMessage] = {}
        self._out: deque[m.ClientMessage] = deque()
        self._pings = Pings()
        self._heard_at = 0.0
        self._aim: m.Aim | None = None
        self._aimed_at = -1.0
        self._catching_up = CatchingUp()
        self._rejoining: int | None = None
        self._tries = 0

    # --- what the link reports ----------

    def handle(self, event: LinkEvent) -> None:
        """Take what the link reports; messages to send lie in :meth:`take_outgoing` then."""
        if self.phase == "over":
            return
        if isinstance(event, Opened):
            self._heard_at = event.at
            self.phase, self.reason = "signing_in", ""
            self._out.clear()
            self._pings.forget()
            self._send_hello()
        elif isinstance(event, Lost):
            self.phase, self.reason = "lost", event.reason
            self._out.clear()
        elif isinstance(event, Garbled):
            self._finish(event.reason)
        else:
            self._heard_at = event.at
            self._take(event.message, event.at)

    def tick(self, now: float) -> None:
        """Let time pass: pings, the aim and questions for what is missing go out when due."""
        if self.phase != "ready":
            return
        server = self.clock.now(now) if self.clock.known else None
        if self.view is not None and self._catching_up.due(self.view, server, now):
            self._rejoin(now)
        if self._pings.due(now):
            ping = m.Ping(id=self._number())
            self._pings.sent(ping.id, now)
            self._out.append(ping)
        if self._aim is not None and now - self._aimed_at >= AIM_EVERY_S:
            self._out.append(self._aim)
            self._aim, self._aimed_at = None, now

    def take_outgoing(self) -> list[m.ClientMessage]:
        """Messages to send now, in order."""
        out = list(self._out)
        self._out.clear()
        return out

    # --- what the owner asks for ----------

    def list_tables(self) -> int:
        """Ask for the tables; they come in :attr:`tables`."""
        return self._request(m.ListTables(id=self._number()))

    def open_table(self, **options: Any) -> int:
        """Open a table (the fields of ``OpenTable``) and sit down."""
        return self._request(m.OpenTable(id=self._number(), **options))

    def join(self, table: str, invitation: str | None = None) -> int:
        """Sit down at a table, or come back to one's seat."""
        self._await(table, "player", invitation)
        return self._request(m.JoinTable(id=self._number(), table=table, invitation=invitation))

    def wake(self) -> None:
        """Say that we are here, if the server takes us for one who sits idle; once at a time."""
        view = self.view
        me = view.players[view.seat] if view is not None and view.seat is not None else None
        if view is None or me is None or me.absence != "idle":
            return
        if not any(isinstance(p, m.JoinTable) for p in self._pending.values()):
            self.join(view.table)

    def watch(self, table: str, invitation: str | None = None) -> int:
        """Watch a table."""
        self._await(table, "spectator", invitation)
        return self._request(m.WatchTable(id=self._number(), table=table, invitation=invitation))

    def officiate(self, table: str, invitation: str | None = None) -> int:
        """Be the referee of a table, with the invitation made for him (an official needs none)."""
        self._await(table, "referee", invitation)
        return self._request(
            m.OfficiateTable(id=self._number(), table=table, invitation=invitation)
        )

    def leave(self) -> int | None:
        """Leave the table; None if there is none."""
        if self.view is None:
            return None
        table, self.view = self.view.table, None
        return self._request(m.LeaveTable(id=self._number(), table=table))

    def claim_absence(self, ask: Literal["win", "adjourn"] = "win") -> int | None:
        """Claim what the opponent's absence gives; None without a table."""
        if self.view is None:
            return None
        table = self.view.table
        return self._request(m.ClaimAbsence(id=self._number(), table=table, ask=ask))

    def play(self, command: PlayerCommand | RefereeCommand, unchanged: bool = True) -> int:
        """Give a command; ``unchanged``: only on the state that is known here.

        Raises:
            RuntimeError: there is no table.
        """
        if self.view is None or self.view.state is None:
            raise RuntimeError("a command needs a table with a match")
        version = self.view.state.version if unchanged else None
        self._aim = None
        return self._request(
            m.Play(id=self._number(), table=self.view.table, command=command, version=version)
        )

    def aim(self, heading_deg: float, elevation_deg: float, tip: tuple[float, float]) -> None:
        """Tell those who watch how the cue is held; sent at most every 50 ms, the latest only."""
        if self.view is not None and self.view.role == "player":
            heading = (heading_deg + 180.0) % 360.0 - 180.0
            self._aim = m.Aim(
                table=self.view.table, heading_deg=heading, elevation_deg=elevation_deg, tip=tip
            )

    def look_up(self, kind: Any, **fields: Any) -> int:
        """Ask for replays, or in the lobby; answers with a content come in :attr:`looked_up`."""
        return self._request(kind(id=self._number(), **fields))

    def waiting_for(self, request: int) -> bool:
        """Whether a request is not answered yet."""
        return request in self._pending

    @property
    def busy(self) -> bool:
        """Whether a command is on its way."""
        return any(isinstance(p, m.Play) for p in self._pending.values())

    def silent_for(self, now: float) -> float:
        """Seconds since the server was last heard."""
        return now - self._heard_at if self._heard_at else 0.0

    def finish(self, reason: str) -> None:
        """Nothing more is to be had from this server; ``reason`` is for the person."""
        self._finish(reason)

    def take_answers(self) -> list[Answer]:
        """Answers that have come since the last call."""
        answers = list(self.answers)
        self.answers.clear()
        return answers

    # --- inside ----------

    def _number(self) -> int:
        self._next_id += 1
        return self._next_id

    def _request(self, message: Any) -> int:
        self._pending[message.id] = message
        if self.phase == "ready":
            self._out.append(message)
        return int(message.id)

    def _send_hello(self) -> None:
        name = None if self.token else self.name
        self._out.append(
            m.Hello(protocol=m.PROTOCOL, name=name, token=self.token, client=self.program)
        )

    def _await(self, table: str, role: m.Role, code: str | None) -> None:
        if self.view is None or self.view.table != table:
            self.view = TableView(table=table, role=role, invitation=code)
            self._catching_up.forget()

    def _finish(self, reason: str) -> None:
        self.phase, self.reason = "over", reason
        self._pending.clear()
        self._out.clear()

    def _take(self, message: m.ServerMessage, at: float) -> None:
        if isinstance(message, m.Welcome):
            self._welcomed(message, at)
        elif isinstance(message, m.Pong):
            sent = self._pings.answered(message.re)
            if sent is not None:
                self.clock.pong(sent, at, message.clock)
        elif isinstance(message, m.Refused):
            self._refused(message, at)
        elif isinstance(message, m.Accepted):
            self._accepted(message, at)
        elif isinstance(message, m.Tables | m.ReplayList | m.Replay | ANSWERS):
            self._pending.pop(message.re, None)
            if isinstance(message, m.Tables):
                self.tables = message.tables
            else:
                self.looked_up[message.re] = message
        elif isinstance(message, m.Goodbye):
            self._goodbye(message)
        elif isinstance(message, LobbyMessage):
            self.company.take_lobby(message)
        elif isinstance(message, News):
            self._take_news(message)
        else:
            self._take_table_message(message, at)

    def _take_news(self, message: News) -> None:
        if isinstance(message, m.MatchFound):
            self._await(message.table, "player", message.invitation)
            if self.view is not None:
                self.view.referee_invitation = message.referee_invitation
        self.company.take_news(message)

    def _welcomed(self, message: m.Welcome, at: float) -> None:
        self.name, self.token, self.account = message.name, message.token, message.account
        self.role = message.role
        self.seated_at = message.tables
        self.company.begin()
        self.phase = "ready"
        self.clock.begin(at, message.clock, message.time_scale)
        self._pings.begin(at)
        asked = {getattr(p, "table", None) for p in self._pending.values() if _takes_seat(p)}
        if self.view is not None and self.view.closed is None and self.view.table not in asked:
            self._rejoin(at)
        for pending in self._pending.values():
            if pending not in self._out:
                self._out.append(pending)

    def _rejoin(self, now: float) -> None:
        """Ask for what is missing of the table; a question without an answer is asked anew."""
        view = self.view
        assert view is not None
        self._catching_up.ask(now)
        self._pending.pop(self._rejoining or 0, None)
        kind: Any = _COMES_AS[view.role]
        seen = view.seq if view.known else None
        self._rejoining = self._request(
            kind(id=self._number(), table=view.table, invitation=view.invitation, last_seen=seen)
        )

    def _refused(self, message: m.Refused, at: float) -> None:
        if message.re is not None:
            request = self._pending.pop(message.re, None)
            if message.re == self._rejoining and message.fault == "server":
                return  # busy, perhaps: it is asked again
            if _takes_seat(request):
                self._catching_up.answered()
                self._place_refused(request, message.message)
            if isinstance(request, m.Play) and message.code in _OUTDATED:
                self._is_outdated(request, at)
            self.answers.append(Answer(message.re, request, message.code, message.message))
        elif self.phase == "signing_in":
            self._sign_in_refused(message)
        else:
            self.answers.append(Answer(0, None, message.code, message.message))

    def _is_outdated(self, request: m.Play, at: float) -> None:
        """A command came for a turn that is over, of which nothing is known here."""
        view = self.view
        if view is None or view.table != request.table or view.state is None:
            return
        if request.version == view.state.version and not self._catching_up.asking:
            self._rejoin(at)

    def _place_refused(self, request: m.ClientMessage | None, reason: str) -> None:
        """No seat, or, back after a cut, none any more."""
        if self.view is None:
            return
        if not self.view.known:
            self.view = None
        elif getattr(request, "table", None) == self.view.table:
            self.view.closed = reason

    def _sign_in_refused(self, message: m.Refused) -> None:
        if message.code == Code.BAD_TOKEN and self.account:
            self._finish("you are signed out; sign in again with your password")
        elif message.code == Code.BAD_TOKEN and self.token is not None:
            self.token = None  # a server that has forgotten us: a new beginning under the name
            self._send_hello()
        elif message.code == Code.NAME_TAKEN and self.renames and self._tries < 50:
            self._tries += 1
            self.name = f"{self.name.rstrip('0123456789 ')} {self._tries + 1}"[:32]
            self._send_hello()
        elif message.fault == "server":
            self.phase, self.reason = "lost", message.message
        elif message.code != Code.ALREADY_SIGNED_IN:  # a hello that came twice has its welcome
            self._finish(message.message)

    def _accepted(self, message: m.Accepted, at: float) -> None:
        request = self._pending.pop(message.re, None)
        if self.view is not None and message.table == self.view.table:
            self._catching_up.told(message.version, at)
        if _takes_seat(request):
            self._catching_up.answered()
            role: m.Role = "player"
            if isinstance(request, m.WatchTable | m.OfficiateTable):
                role = "spectator" if isinstance(request, m.WatchTable) else "referee"
            if message.table is not None:
                self._await(message.table, role, message.invitation)
                assert self.view is not None
                self.view.invitation = message.invitation or self.view.invitation
                self.view.referee_invitation = message.referee_invitation
        self.answers.append(
            Answer(message.re, request, table=message.table, challenge=message.challenge)
        )

    def _goodbye(self, message: m.Goodbye) -> None:
        if message.come_back:
            self.phase, self.reason = "lost", message.reason
        else:
            self._finish(message.reason)

    def _take_table_message(
        self,
        message: m.Snapshot | m.RoomEvent | m.PresenceEvent | m.TableClosed | m.Aiming,
        at: float,
    ) -> None:
        if isinstance(message, m.Snapshot) and (self.view is None or not self.view.known):
            # An opened table's snapshot may come before the answer that names it.
            self._await(message.table, message.role, message.invitation)
        if self.view is None or message.table != self.view.table:
            return
        if isinstance(message, m.Aiming):
            self.view.take_aim(message)
            return
        if not isinstance(message, m.TableClosed):
            self.clock.seen(at, message.clock)
        try:
            if isinstance(message, m.Snapshot):
                self.view.take_snapshot(message)
            elif not self.view.take_event(message) and not self._catching_up.asking:
                self._rejoin(at)
        except TrajectoryError as error:
            self._finish(f"the server sent a shot that this version can't read: {error}")


def _takes_seat(request: m.ClientMessage | None) -> bool:
    return isinstance(request, m.OpenTable | m.JoinTable | m.WatchTable | m.OfficiateTable)


_OUTDATED = (Code.STALE_STATE, Code.TIME_IS_UP)
_COMES_AS = {"player": m.JoinTable, "spectator": m.WatchTable, "referee": m.OfficiateTable}
"""With which request each comes to a table, or back to it."""
