"""The lobby: requests of those who look for a game, and what follows by time.

Challenges, the queue of the quick match and offers of a rematch live in memory and die with the
server; a match that came of one is in the log with both players in one transaction.
"""

import contextlib
import logging

import msgspec

from server.clock import ServerClock
from server.connection import Connection
from server.floor import Floor
from server.lobby.board import Board
from server.lobby.challenges import Challenges, Standing
from server.lobby.queue import Waiting, WaitingQueue
from server.lobby.relations import RelationBook
from server.lobby.rematches import Rematches
from server.lobby.seating import Asker, Seating, is_here, send
from server.memory import Lasting, Tell, once, remember
from server.names import name_key
from server.people import People
from server.person import Person
from server.rating.book import RatingBook
from server.rounds import Rounds
from server.storage.journal import NotStored
from server.storage.records import Terms
from server.storage.requests import RequestStore
from server.terms import new_code, terms_of
from shared_rules.messages import (
    Accepted,
    AnswerChallenge,
    Challenge,
    Challenged,
    ChallengeOver,
    EnterLobby,
    FriendSeated,
    LeaveLobby,
    LeaveQueue,
    QueueLeft,
    QuickMatch,
    Rematch,
    ServerMessage,
    TableTerms,
    WithdrawChallenge,
)
from shared_rules.refusal import Code, Refusal
from shared_rules.ruleset import Ruleset

log = logging.getLogger("headstring.server.lobby")

LobbyRequest = (
    EnterLobby | LeaveLobby | Challenge | AnswerChallenge | WithdrawChallenge | QuickMatch
    | LeaveQueue | Rematch
)  # fmt: skip
_MOST_WAITING = 1000
_MOST_TERMS_BYTES = 1024


class Lobby:
    """See the module."""

    def __init__(
        self,
        people: People,
        floor: Floor,
        ratings: RatingBook,
        relations: RelationBook,
        requests: RequestStore,
        clock: ServerClock,
    ) -> None:
        self.challenges = Challenges()
        self.queue = WaitingQueue()
        self.board = Board(people, floor, ratings, self.challenges.open_to_all)
        self._people = people
        self._floor = floor
        self._ratings = ratings
        self._relations = relations
        self._requests = requests
        self._seating = Seating(floor, relations, clock)
        self._clock = clock
        self._rematches = Rematches(floor, self._seating, self._store)
        self._rounds = Rounds("lobby", self._look, log)

    # --- by time ------------------------------------------------------------------------------

    def start(self) -> None:
        """Begin to look after what is due; needs a running event loop."""
        self._rounds.start()

    async def stop(self) -> None:
        """Match nobody any more."""
        await self._rounds.stop()

    async def _look(self) -> None:
        self._expire()
        await self._match()
        await self.board.tell()

    def _expire(self) -> None:
        now = self._clock.now()
        for challenge in self.challenges.take(lambda c: c.expires_at <= now):
            self._tell_both(challenge, challenge.over("expired"))

    async def _match(self) -> None:
        """Seat everybody for whom there is somebody.

        Who can't be seated because of one of the two waits on, if it isn't he; where it is the
        server's doing, both are told why and wait no more.
        """
        if self._floor.stopping:
            return
        for first, second in self.queue.pairs(self._clock.now(), self._seating.may_meet):
            pair = (first, second)
            if any(w.person.id not in self.queue for w in pair):
                continue  # one has gone while another pair was seated
            for waiting in pair:
                self.queue.remove(waiting.person.id)
            try:
                terms = terms_of(first.terms)
                await self._seating.seat((first.person, second.person), terms, "quick_match")
            except (Refusal, NotStored) as error:
                log.info("no quick match: %s", error)
                for waiting in pair:
                    self._not_seated(waiting, error)

    def _not_seated(self, waiting: Waiting, error: Refusal | NotStored) -> None:
        person = waiting.person
        if isinstance(error, Refusal) and error.code in (Code.NOT_HERE, Code.ALREADY_PLAYING):
            if is_here(person) and self._seating.is_free(person):
                self.queue.put_back(waiting)
        elif isinstance(error, Refusal):
            send(person, QueueLeft(reason=error.message))
        else:
            send(person, QueueLeft(reason="the server can't write a match down just now"))

    # --- what happens elsewhere ---------------------------------------------------------------

    def snapshot(self, connection: Connection) -> bytes | None:
        """All of the board, for a reader who was too slow; None: he reads no more."""
        return self.board.snapshot(connection)

    def seated(self, person: Person, table: str) -> None:
        """Somebody has sat down: he looks for no other game, and his followers are told."""
        if self.queue.remove(person.id) is not None:
            send(person, QueueLeft(reason="you sit at a table now"))
        self._end_challenges(person, f"{person.name} plays at a table now")
        terms = self._floor.tables[table].room.terms
        if terms.watch == "nobody":
            return
        told = FriendSeated(
            name=person.name, table=table, ruleset=terms.ruleset.id, watch=terms.watch
        )
        for follower in self._relations.followers(person.id):
            present = self._people.present(follower)
            if present is not None:
                send(present, told)

    def gone(self, person: Person) -> None:
        """Somebody's connection is no more: he waits for nothing."""
        self.queue.remove(person.id)
        self._end_challenges(person, f"{person.name} has gone")

    def left(self, connection: Connection) -> None:
        """A connection is no more."""
        self.board.dismiss(connection)

    def closed(self, table: str) -> None:
        """A table is no more."""
        self._rematches.closed(table)

    def _end_challenges(self, person: Person, reason: str) -> None:
        for challenge in self.challenges.take(lambda c: c.by is person or c.to is person):
            self._tell_both(challenge, challenge.over("gone", reason))

    def _tell_both(self, challenge: Standing, message: ServerMessage) -> None:
        for person in (challenge.by, challenge.to):
            if person is not None:
                send(person, message)

    # --- requests -----------------------------------------------------------------------------

    async def take(self, connection: Connection, request: LobbyRequest) -> None:
        """Carry out a request and answer it.

        Raises:
            Refusal, NotStored: nothing has changed.
        """
        person = connection.speaker
        if person is None:
            return
        match request:
            case EnterLobby():
                connection.send(Accepted(re=request.id))
                self.board.admit(connection)
                for challenge in self.challenges.to(person):
                    connection.send(Challenged(challenge=challenge.summary))
            case LeaveLobby():
                self.board.dismiss(connection)
                connection.send(Accepted(re=request.id))
            case WithdrawChallenge():
                self._withdraw(person, request)
                connection.send(Accepted(re=request.id, challenge=request.challenge))
            case LeaveQueue():
                self.queue.remove(person.id)
                connection.send(Accepted(re=request.id))
            case Challenge():
                await once(
                    connection,
                    request,
                    lambda tell: self._ask(person, request, tell),
                    lambda answer: self._challenge_stands(connection, answer.challenge or ""),
                )
            case QuickMatch():
                await once(
                    connection,
                    request,
                    lambda tell: self._wait(person, request, tell),
                    lambda _: self._still_waits(connection, person),
                )
            case AnswerChallenge():
                await once(connection, request, lambda tell: self._answer(person, request, tell))
            case Rematch():
                await once(
                    connection, request, lambda tell: self._rematches.take(person, request, tell)
                )

    async def _challenge_stands(self, connection: Connection, challenge: str) -> None:
        """For a challenge that was made before: that it is over, if it is."""
        if not self.challenges.stands(challenge):
            reason = "it doesn't stand any more"
            connection.send(ChallengeOver(challenge=challenge, outcome="gone", reason=reason))

    async def _still_waits(self, connection: Connection, person: Person) -> None:
        """For who asked for a quick match before: that he doesn't wait, if he doesn't."""
        if person.id not in self.queue:
            connection.send(QueueLeft(reason="that was before; you don't wait any more"))

    async def _store(self, person: Person, request: Lasting, answer: Accepted) -> None:
        """Write down what a request is answered that makes no table.

        Raises:
            NotStored: nothing has changed.
        """
        row = remember(request, answer)
        await self._requests.keep(person.id, row, self._clock.now())

    # --- challenges ---------------------------------------------------------------------------

    async def _ask(self, person: Person, request: Challenge, tell: Tell) -> None:
        terms = _checked(request.terms)

        def check() -> Person | None:
            self._seating.check_can_play(person, terms)
            self.challenges.check_room(person, request.who is None)
            target = None
            if request.who is not None:
                target = self._present(request.who)
                self._seating.check_may_ask(person, target, terms)
            return target

        check()
        answer = Accepted(re=request.id, challenge=new_code(8))
        await self._store(person, request, answer)
        target = check()  # others may have done something meanwhile
        _check_here(person)
        made = Standing(
            id=answer.challenge or "",
            by=person,
            to=target,
            terms=request.terms,
            rating=self._shown_rating(person, terms.ruleset),
            expires_at=self._clock.now() + request.expires_s,
        )
        self.challenges.put(made)
        tell(answer)
        if target is not None:
            send(target, Challenged(challenge=made.summary))

    async def _answer(self, person: Person, request: AnswerChallenge, tell: Tell) -> None:
        challenge = self.challenges.find(request.challenge)
        if challenge.by is person:
            raise Refusal(Code.NOT_ALLOWED, "that is your own challenge; withdraw it")
        if challenge.to not in (None, person):
            raise Refusal(Code.UNKNOWN_CHALLENGE, "that challenge is not for you")
        if not request.accept:
            if challenge.to is None:
                raise Refusal(Code.NOT_ALLOWED, "nobody has to decline an open challenge")
            answer = Accepted(re=request.id, challenge=challenge.id)
            await self._store(person, request, answer)
            tell(answer)
            if self.challenges.stands(challenge.id):
                self.challenges.remove(challenge)
                heard = self._relations.hears(challenge.by.id, person.id)
                reason = request.reason if heard else ""
                self._tell_both(challenge, challenge.over("declined", reason))
            return
        self._seating.check_not_blocked(person, challenge.by)
        terms = terms_of(challenge.terms)
        self._seating.check_can_play(person, terms)
        self.challenges.remove(challenge)  # before the wait: one can accept it
        try:
            asker = Asker(
                person,
                request,
                tell,
                lambda name: Accepted(
                    re=request.id,
                    table=name,
                    invitation=terms.invitation,
                    referee_invitation=terms.referee_invitation,
                    challenge=challenge.id,
                ),
            )
            await self._seating.seat(
                (person, challenge.by), terms, "challenge", challenge.id, asker
            )
        except BaseException:
            if is_here(challenge.by) and self._seating.is_free(challenge.by):
                self.challenges.put(challenge)
            raise

    def _withdraw(self, person: Person, request: WithdrawChallenge) -> None:
        challenge = self.challenges.find(request.challenge)
        if challenge.by is not person:
            raise Refusal(Code.NOT_ALLOWED, "that is not your challenge")
        self.challenges.remove(challenge)
        self._tell_both(challenge, challenge.over("withdrawn"))

    # --- quick match -------------------------------------------------------------------------

    async def _wait(self, person: Person, request: QuickMatch, tell: Tell) -> None:
        terms = _checked(request.terms)

        def check() -> None:
            self._seating.check_can_play(person, terms)
            if len(self.queue) >= _MOST_WAITING and person.id not in self.queue:
                raise Refusal(Code.OVERLOADED, "very many wait already; try again")

        check()
        answer = Accepted(re=request.id)
        await self._store(person, request, answer)
        check()  # others may have done something meanwhile
        _check_here(person)
        self.queue.add(
            Waiting(
                person=person,
                terms=request.terms,
                key=_same_terms(terms),
                rating=self._ratings.of(person.id, terms.ruleset.discipline).value,
                within=request.within,
                since=self._clock.now(),
            )
        )
        tell(answer)

    # --- inside -------------------------------------------------------------------------------

    def _present(self, name: str) -> Person:
        found = self._people.present_by_key(name_key(name))
        if found is None or not is_here(found):
            raise Refusal(Code.NOT_HERE, f"{name} is not here")
        return found

    def _shown_rating(self, person: Person, ruleset: Ruleset) -> int | None:
        return self._ratings.shown(person.id).get(ruleset.discipline)


def _check_here(person: Person) -> None:
    """Nothing, if he has not gone while his request was written down."""
    if not is_here(person):
        raise Refusal(Code.NOT_HERE, "you have gone meanwhile")


def _checked(asked: TableTerms) -> Terms:
    """Terms of a table, if they make sense and are short enough to be shown to many."""
    with contextlib.suppress(RecursionError):
        if len(msgspec.msgpack.encode(asked)) <= _MOST_TERMS_BYTES:
            return terms_of(asked)
    raise Refusal(Code.TOO_LARGE, f"terms have at most {_MOST_TERMS_BYTES} bytes")


def _same_terms(terms: Terms) -> bytes:
    """Equal for equal terms, whatever they were asked for as."""
    plain = msgspec.structs.replace(terms, invitation="", referee_invitation=None)
    wants = b"referee" if terms.referee_invitation is not None else b""
    return msgspec.msgpack.encode(plain, order="sorted") + wants
