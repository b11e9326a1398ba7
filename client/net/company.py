"""What a server says of people and games beside one's own table: the lobby as it stands, and news.

Sans I/O, fed by :mod:`client.net.session`.
"""

from collections import deque

from shared_rules import messages as m

NEWS_KEPT = 256
LINES_KEPT = 100

News = (
    m.Challenged | m.ChallengeOver | m.MatchFound | m.QueueLeft | m.RematchOffered
    | m.FriendSeated | m.Said | m.ChatShown | m.Silenced | m.MatchCalled | m.MatchCallOver
)  # fmt: skip
LobbyMessage = m.LobbyShown | m.LobbyChanges
ANSWERS = m.Relations | m.RatingListed | m.Competitions | m.CompetitionShown | m.CorrectionFollows
"""Answers with a content of their own."""


class Company:
    """``people``, ``tables`` and ``challenges`` of the lobby that was entered, by name and id."""

    def __init__(self) -> None:
        self.here = 0
        self.people: dict[str, m.LobbyPerson] = {}
        self.tables: dict[str, m.LobbyTable] = {}
        self.challenges: dict[str, m.ChallengeSummary] = {}
        self.seq: int | None = None
        self.news: deque[News] = deque(maxlen=NEWS_KEPT)
        self._said: deque[m.Said] = deque(maxlen=LINES_KEPT)
        self._lines: dict[tuple[str, str | None], int] = {}

    def take_lobby(self, message: LobbyMessage) -> None:
        """Put what the server tells of the lobby over what is known."""
        if isinstance(message, m.LobbyShown):
            self.people, self.tables, self.challenges = {}, {}, {}
        elif self.seq is None or message.seq <= self.seq:
            return
        else:
            for name in message.people_gone:
                self.people.pop(name, None)
            for table in message.tables_gone:
                self.tables.pop(table, None)
            for challenge in message.challenges_gone:
                self.challenges.pop(challenge, None)
        self.here, self.seq = message.here, message.seq
        self.people |= {person.name: person for person in message.people}
        self.tables |= {table.table: table for table in message.tables}
        self.challenges |= {c.challenge: c for c in message.challenges}

    def take_news(self, message: News) -> None:
        """Keep it for the owner; lines of chat that are known already are not told again."""
        if isinstance(message, m.Said):
            self._hear(message.channel, message.table, message.line)
        elif isinstance(message, m.ChatShown):
            for line in message.lines:
                self._hear(message.channel, message.table, line)
        else:
            self.news.append(message)

    def take(self) -> list[News]:
        """The news since the last call."""
        news = list(self.news)
        self.news.clear()
        return news

    def begin(self) -> None:
        """A new connection, perhaps to a server that counts its lines anew."""
        self.seq = None
        self._lines.clear()
        self._said.clear()

    def _hear(self, channel: str, table: str | None, line: m.ChatLine) -> None:
        if line.number > self._lines.get((channel, table), 0):
            self._lines[channel, table] = line.number
            said = m.Said(channel=channel, table=table, line=line)  # type: ignore[arg-type]
            self.news.append(said)
            if table is not None:
                self._said.append(said)

    def said_at(self, table: str) -> tuple[m.ChatLine, ...]:
        """What was said at a table, the oldest first."""
        return tuple(said.line for said in self._said if said.table == table)
