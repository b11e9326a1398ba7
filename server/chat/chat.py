"""Chat: who may write where, who reads it, and the last lines for who comes.

Lines live in memory only: the last of each channel, until its table or the server is no more.
Players don't get what spectators write, nor these what players write.
"""

import asyncio
from collections import deque
from collections.abc import Callable, Iterable

from server.accounts.roles import Right
from server.chat.silences import Silences
from server.clock import ServerClock
from server.connection import Connection
from server.flood import Bucket
from server.floor import Floor
from server.gallery import BATCH
from server.lobby.relations import RelationBook
from server.memory import Tell
from server.names import name_key
from server.people import People
from server.table import Table
from shared_rules.messages import Accepted, ChatLine, ChatShown, Said, Say, Silence, Silenced
from shared_rules.messages.chat import Channel
from shared_rules.refusal import Code, Refusal
from shared_rules.wire import write_message

LINES_KEPT = 30
_CHANNEL_RATE, _CHANNEL_BURST = 10.0, 20.0
_TOPIC = "chat:"  # no table's name has a colon


class _Lines:
    """A channel: its last lines, how much may still be written, and one line after the other."""

    def __init__(self) -> None:
        self.kept: deque[tuple[str, ChatLine]] = deque(maxlen=LINES_KEPT)  # with who wrote it
        self.number = 0
        self.bucket = Bucket(_CHANNEL_RATE, _CHANNEL_BURST)
        self.telling = asyncio.Lock()


class Chat:
    """All channels of a server."""

    def __init__(
        self,
        people: People,
        floor: Floor,
        relations: RelationBook,
        clock: ServerClock,
        in_lobby: Callable[[], Iterable[Connection]],
        silences: Silences,
    ) -> None:
        self._people = people
        self._floor = floor
        self._relations = relations
        self._clock = clock
        self._in_lobby = in_lobby
        self._lines: dict[tuple[Channel, str | None], _Lines] = {}
        self._silences = silences

    # --- requests -----------------------------------------------------------------------------

    async def say(self, connection: Connection, request: Say, now: float, tell: Tell) -> None:
        """Hand a line on that has passed the door, and answer; ``now`` in real seconds.

        Raises:
            Refusal: nobody gets it.
        """
        person = connection.speaker
        if person is None:
            return
        table = self._floor.find(request.table) if request.table is not None else None
        channel = self._channel_of(connection, table)
        place = (channel, table.id if table is not None else None)
        lines = self._lines.setdefault(place, _Lines())
        if not lines.bucket.take(now):
            raise Refusal(Code.TOO_MANY, "too many lines; wait a little")
        lines.number += 1
        line = ChatLine(
            number=lines.number, at=self._clock.now(), by=person.name, text=request.text
        )
        lines.kept.append((person.id, line))
        tell(Accepted(re=request.id, table=place[1]))
        data = write_message(Said(channel=channel, table=place[1], line=line))
        async with lines.telling:
            await self._tell(place, table, person.id, data)

    async def silence(self, connection: Connection, request: Silence) -> None:
        """The table's referee, or an official, lets somebody write nothing there, or again.

        Raises:
            Refusal, NotStored: he may not; nothing has changed.
        """
        person = connection.speaker
        if person is None:
            return
        table = self._floor.find(request.table)
        role = table.room.role_of(connection)
        if role != "referee" and not person.may(Right.SANCTION):
            raise Refusal(Code.NOT_ALLOWED, "only the referee of the table or an official may")
        if role == "player":
            raise Refusal(Code.OWN_MATCH, "you play here: another official may")
        target = self._people.present_by_key(name_key(request.who))
        here = target is not None and target.connection in table.room.members
        known = target is not None and target.id in await self._silences.at(table.id)
        if target is None or not (here or known):
            raise Refusal(Code.NOT_HERE, f"{request.who} is not at this table")
        if target is person or target.may(Right.SANCTION):
            raise Refusal(Code.NOT_ALLOWED, f"{target.name} can't be silenced")
        now = self._people.wall()
        await self._silences.silence(table.id, target.id, request.on, person, request.reason, now)
        connection.send(Accepted(re=request.id, table=table.id))
        told = Silenced(
            table=table.id, who=target.name, by=person.name, on=request.on, reason=request.reason
        )
        readers = {*table.room.not_watching(), *([target.connection] if here else [])}
        for reader in readers:
            if reader is not None:
                reader.send(told)

    # --- who comes and goes -------------------------------------------------------------------

    def arrived(self, connection: Connection, table: str | None) -> None:
        """Somebody has come to the lobby (None) or a table: he gets the last lines."""
        found = self._floor.open_table(table) if table is not None else None
        if table is not None and (found is None or connection not in found.room.members):
            return
        channel = self._channel_at(connection, found)
        data = self._shown(connection, (channel, found.id if found is not None else None))
        if data is not None:
            connection.event(_topic(channel, found.id if found is not None else None), data)

    def snapshot(self, connection: Connection, topic: str) -> bytes | None:
        """The last lines in place of those that a reader was too slow for."""
        channel, _, table = topic.removeprefix(_TOPIC).partition(":")
        for place in self._lines:
            if place == (channel, table or None):
                return self._shown(connection, place)
        return None

    def closed(self, table: str) -> None:
        """A table is no more."""
        self._silences.forget(table)
        self._lines.pop(("players", table), None)
        self._lines.pop(("spectators", table), None)

    # --- inside -------------------------------------------------------------------------------

    def _channel_at(self, connection: Connection, table: Table | None) -> Channel:
        if table is None:
            return "lobby"
        return "spectators" if table.room.role_of(connection) == "spectator" else "players"

    def _channel_of(self, connection: Connection, table: Table | None) -> Channel:
        """Where a connection writes.

        Raises:
            Refusal: it isn't there, or nobody writes there.
        """
        if table is None:
            if connection not in self._in_lobby():
                raise Refusal(Code.WRONG_STATE, "enter the lobby first")
            return "lobby"
        if connection not in table.room.members:
            raise Refusal(Code.NOT_AT_THIS_TABLE, "you are not at this table")
        channel = self._channel_at(connection, table)
        allowed = table.room.terms.chat
        if allowed == "none" or (allowed == "players" and channel == "spectators"):
            raise Refusal(Code.CHAT_IS_OFF, "at this table there is no chat for you")
        return channel

    async def _tell(
        self, place: tuple[Channel, str | None], table: Table | None, speaker: str, data: bytes
    ) -> None:
        topic = _topic(*place)
        for count, reader in enumerate(self._readers(place[0], table), start=1):
            person = reader.person
            wants = person is not None and self._relations.hears(person.id, speaker)
            if wants and self._reads(reader, place[0], table):  # he may have left meanwhile
                reader.event(topic, data)
            if count % BATCH == 0:
                await asyncio.sleep(0)

    def _readers(self, channel: Channel, table: Table | None) -> list[Connection]:
        if table is None:
            return list(self._in_lobby())
        if channel == "players":
            return table.room.not_watching()
        return table.room.gallery.watchers()

    def _reads(self, reader: Connection, channel: Channel, table: Table | None) -> bool:
        if reader.closed:
            return False
        if table is None:
            return True
        return reader in table.room.members and self._channel_at(reader, table) == channel

    def _shown(self, connection: Connection, place: tuple[Channel, str | None]) -> bytes | None:
        """The last lines as one person wants them; None: there are none."""
        lines, person = self._lines.get(place), connection.person
        if lines is None or person is None:
            return None
        kept = tuple(line for by, line in lines.kept if self._relations.hears(person.id, by))
        shown = ChatShown(channel=place[0], table=place[1], lines=kept)
        return write_message(shown) if kept else None


def _topic(channel: Channel, table: str | None) -> str:
    return f"{_TOPIC}{channel}:{table or ''}"


def is_chat(topic: str) -> bool:
    """Whether an outbox's topic is a channel's."""
    return topic.startswith(_TOPIC)
