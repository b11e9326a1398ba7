"""Those who send the fuzz's messages, and everything that they might rightly send."""

import random
from collections import Counter
from collections.abc import Iterable
from typing import Any

import msgspec

from server.table import Table
from shared_rules import commands as c
from shared_rules import messages as m
from shared_rules.changes import changed
from shared_rules.messages import oversight as o
from shared_rules.refusal import Refusal
from shared_rules.state import MatchState, Option, Phase, ShotClock, Stroke
from shared_rules.wire import read_client_message, read_server_message, write_message
from tests.faults.indoors import Indoors
from tests.faults.scripted import command

_PASSWORD = "correct horse 8"


class _Head(msgspec.Struct):
    """Of any message of the server what is wanted here."""

    m: str
    re: int | None = None
    table: Any = None
    version: int | None = None
    token: str | None = None
    code: str | None = None


_head = msgspec.msgpack.Decoder(_Head)


class Person:
    """Somebody with a line to the house, who comes back when it is over.

    ``accepted``: by person and table the versions that commands were said to have made; ``told``:
    by person and table the latest state.
    """

    def __init__(self, place: Indoors, name: str, signs_in: bool = True) -> None:
        self.place, self.name, self.signs_in = place, name, signs_in
        self.token = ""
        self.line = place.connect()
        self.codes: Counter[str] = Counter()
        self.accepted: dict[tuple[str, str], set[int]] = {}
        self.told: dict[tuple[str, str], MatchState] = {}
        self._states: dict[str, MatchState | None] = {}  # by table, on this line
        self.latest = b""
        self._number = 0
        self._play: int | None = None  # the id of a command that waits for its answer

    @property
    def id(self) -> str:
        """Which person the house takes him for; empty: nobody yet."""
        person = self.line.connection.person
        return person.id if person is not None else ""

    def next_id(self) -> int:
        self._number += 1
        return self._number

    async def be_here(self) -> None:
        """Connect again if hung up on; sign in unless he is one who doesn't."""
        if self.line.is_over:
            await self.line.cut()
            self.line = self.place.connect()
            self._states.clear()
        if self.signs_in and not self.line.connection.session.signed_in:
            way = {"token": self.token} if self.token else {"name": self.name}
            await self.send(write_message(m.Hello(protocol=m.PROTOCOL, **way)))
            if not self.line.connection.session.signed_in:  # his token was ended, by himself
                self.token, self.name = "", f"{self.name} again"
                await self.be_here()

    async def send(self, data: bytes | str) -> None:
        """Send a message and take note of what comes back."""
        if isinstance(data, bytes):
            try:
                message = read_client_message(data)
            except Refusal:
                message = None
            self._play = message.id if isinstance(message, m.Play) else None
        await self.line.send(data)
        self.listen()
        self._play = None

    def listen(self) -> None:
        """Take note of what has come."""
        heard, self.line.ear.heard = self.line.ear.heard, []
        for data in heard:
            self.latest = data
            head = _head.decode(data)
            if head.m == "welcome":
                self.token = head.token or ""
            elif head.m == "refused":
                self.codes[head.code or ""] += 1
            elif head.m == "accepted" and head.re == self._play and head.version is not None:
                self.accepted.setdefault((self.id, head.table), set()).add(head.version)
            elif head.m in ("snapshot", "room_event"):
                self._learn(head.table, read_server_message(data))

    def _learn(self, table: str, message: Any) -> None:
        if isinstance(message, m.Snapshot):
            state = message.state
        else:
            state = changed(self._states[table], message.changes)
        self._states[table] = state
        if state is not None:
            self.told[self.id, table] = state

    # --- rightly ------------------------------------------------------------------------------

    def tables(self) -> list[Table]:
        """Open tables at which he has a seat."""
        person = self.line.connection.person
        open_tables = self.place.house.floor.tables
        return [open_tables[n] for n in person.seats if n in open_tables] if person else []

    def playing(self) -> str | None:
        """The table whose match he plays."""
        for table in self.tables():
            keeper = table.course.keeper
            if keeper is not None and keeper.state.phase is not Phase.MATCH_OVER:
                return table.id
        return None

    async def ask(self, kind: Any, **fields: Any) -> None:
        await self.send(write_message(kind(id=self.next_id(), **fields)))

    async def end_matches(self) -> None:
        """Give up whatever he plays."""
        for table in self.tables():
            await self.ask(m.JoinTable, table=table.id)
            await self.ask(m.Play, table=table.id, command=c.Concede())
            await self.ask(m.LeaveTable, table=table.id)

    def due(self) -> bytes | None:
        """The message that the match waits for from him."""
        name = self.playing()
        if name is None:
            return None
        table = self.place.house.floor.tables[name]
        seat, keeper = table.room.seat_of(self.line.connection.person), table.course.keeper
        wanted = None if keeper is None or seat is None else command(keeper.state, seat)
        if wanted is None:
            return None
        return write_message(m.Play(id=self.next_id(), table=name, command=wanted))

    def anything(self, luck: random.Random, tables: Iterable[str]) -> bytes:
        """A message that can be read, whether or not it is for him to send it."""
        table = luck.choice([*tables, "NOSUCH"])
        kind = luck.choice(
            (_play, _play, _play, _play, _at_table, _at_table, _about_himself, _act, _among_people)
        )
        return write_message(kind(luck, self, table))


def _play(luck: random.Random, who: Person, table: str) -> m.Play:
    stroke = Stroke(
        speed=luck.choice((0.25, 1.0, 1.5, 2.0, 3.0, 4.0, 8.0, 13.0)),
        heading_deg=luck.uniform(-180, 180),
        elevation_deg=luck.choice((0.0, 85.0)),
        tip=(luck.uniform(-0.5, 0.5), 0.0),
    )
    given = luck.choice(
        (
            c.Strike(stroke=stroke),
            c.Strike(stroke=stroke),
            c.PlaceCue(x=luck.uniform(-1.3, 1.3), y=luck.uniform(-0.6, 0.6)),
            c.Choose(option=luck.choice(list(Option))),
            c.DeclarePushOut(on=luck.random() < 0.5),
            c.CallShot(ball=luck.randrange(1, 16), pocket="foot_left"),
            c.CallSafety(),
            c.RequestSpot(ball=luck.choice((None, 3))),
            c.DeclareSnooker(),
            c.RequestTimeOut(),
            c.ExtendShot(),
            c.EndTimeOut(),
            c.RequestRestore(),
            c.RequestWatcher(),
            c.RequestRuling(reason="look"),
            c.AgreeStalemate(),
            c.ChangeCue(cue="break"),
            c.Claim(act=c.DeclareStalemate()),
            c.WarnSlowPlay(),
            c.Suspend(),
            c.Resume(),
            c.AwardLoss(seat=0, scope="match", reason="so"),
            c.RestoreBalls(balls={1: (0.1, 0.1)}),
            c.UpholdJudgement(),
            c.ImposeShotClock(limit_s=30.0),
        )
    )
    version = luck.choice((None, None, None, luck.randrange(60)))
    return m.Play(id=_id(luck, who), table=table, command=given, version=version)


def _at_table(luck: random.Random, who: Person, table: str) -> Any:
    number = _id(luck, who)
    seen = luck.choice((None, None, 0, 2**40, luck.randrange(2**53)))
    return luck.choice(
        (
            m.JoinTable(id=number, table=table, last_seen=seen),
            m.WatchTable(id=number, table=table, last_seen=seen),
            m.OfficiateTable(id=number, table=table, invitation="AAAAAAAA"),
            m.LeaveTable(id=number, table=table),
            m.ClaimAbsence(id=number, table=table, ask=luck.choice(("win", "adjourn"))),
            m.Aim(table=table, heading_deg=luck.uniform(-360, 360), tip=(0.1, 0.2)),
            m.OpenTable(
                id=number,
                ruleset=luck.choice(("nine_ball_wpa", "eight_ball", "straight_pool", "none")),
                overrides=luck.choice(({}, {"match": {"games_to_win": 2}}, {"lag": {"x": 1}})),
                shot_clock=luck.choice((None, ShotClock(limit_s=30.0))),
                watch=luck.choice(("everyone", "invited", "nobody")),
                delay_s=luck.choice((0.0, 0.0, 20.0)),
            ),
            m.ListTables(id=number),
            m.ListReplays(id=number, mine=luck.random() < 0.5, most=luck.randrange(1, 51)),
            m.GetReplay(id=number, match=table),
        )
    )


def _about_himself(luck: random.Random, who: Person, table: str) -> Any:
    number = _id(luck, who)
    return luck.choice(
        (
            m.Hello(protocol=m.PROTOCOL, name=f"{who.name} too"),
            m.Hello(protocol=m.PROTOCOL, token="x" * 32),
            m.Hello(protocol=m.PROTOCOL, account=who.name, password=_PASSWORD, register=True),
            m.Hello(protocol=m.PROTOCOL, account=who.name, password="wrong horse 9"),
            m.Ping(id=number),
            m.Register(id=number, password=_PASSWORD),
            m.ChangePassword(id=number, old=_PASSWORD, new=_PASSWORD),
            m.ChangePin(id=number, old=_PASSWORD, pin=luck.choice((None, "482913", "x" * 6))),
            m.ListSessions(id=number),
            m.EndSession(id=number, session=luck.choice((None, "x" * 16))),
        )
    )


def _among_people(luck: random.Random, who: Person, table: str) -> Any:
    number = _id(luck, who)
    other = luck.choice(("Ann", "Bob", "Eve", "Zoe")) + " " + who.name.split()[1]
    return luck.choice(
        (
            m.EnterLobby(id=number),
            m.LeaveLobby(id=number),
            m.Challenge(id=number, who=luck.choice((None, other))),
            m.AnswerChallenge(id=number, challenge="x" * 8, accept=luck.random() < 0.5),
            m.WithdrawChallenge(id=number, challenge="x" * 8),
            m.QuickMatch(id=number),
            m.LeaveQueue(id=number),
            m.Rematch(id=number, table=table),
            m.Relate(id=number, who=other, relation=luck.choice(("follow", "mute", "block"))),
            m.ListRelations(id=number),
            m.GetRating(id=number, who=luck.choice((None, other))),
            m.Say(id=number, text="good luck", table=luck.choice((None, table))),
            m.Silence(id=number, table=table, who=other, reason="so"),
        )
    )


def _act(luck: random.Random, who: Person, table: str) -> Any:
    number = _id(luck, who)
    act = luck.choice(
        (
            o.CloseTable(table=table),
            o.AwardTable(table=table, seat=1),
            o.AdjournTable(table=table),
            o.ReopenTable(table=table),
            o.KickPerson(who=who.name),
            o.SuspendPerson(who=who.name, until=None),
            o.MutePerson(who=who.name, until=2e9, table=table, shots=(1, 2)),
            o.CreateAccount(name="Boss", password=_PASSWORD, role="administrator"),
            o.SetRole(who=who.name, role="administrator"),
            o.ResetPassword(who=who.name, password=_PASSWORD),
            o.GivePin(who=who.name, pin="482913"),
            o.TakePin(who=who.name),
        )
    )
    return luck.choice(
        (
            m.Oversee(id=number, act=act, reason="so"),
            m.Oversee(id=number, act=act, reason="so"),
            m.ListPeople(id=number),
            m.ListActions(id=number),
        )
    )


def _id(luck: random.Random, who: Person) -> int:
    return who.next_id() if luck.random() < 0.9 else luck.randrange(1, 50)
