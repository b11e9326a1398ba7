"""``headstring lobby``: find a game from a terminal, and talk.  A line is said; ``/`` commands."""

import argparse
import asyncio
import queue
import re
import ssl
import sys
import threading
from collections.abc import Callable

from client.called import called_lines
from client.command import signed_in
from client.data_folder import Tokens
from client.net.link import Link
from client.net.lobby_visit import Done, LobbyVisit, NotDone, Told
from client.net.session import LinkEvent, Session
from client.options import add_name, add_server, add_table_options, default_name, table_options
from client.sign_in import add_account_argument
from shared_rules import messages as m
from shared_rules.messages.lobby import Relation
from shared_rules.plain_text import plain

_TICK_S = 0.1
HELP = """\
/who [NAME]                who is here            /tables [WORD]        tables
/challenges                challenges that stand  /quick, /cancel       quick match
/challenge NAME | all      challenge              /withdraw ID
/accept [ID]  /decline [ID] [REASON]              of the latest to you without ID
/follow /unfollow /mute /unmute /block /unblock NAME                   /relations
/rating [NAME]             ratings, and what changed them
/watch ID [CODE]           a table's spectators  /table TEXT, /leave   talk there, and go
/rematch [ID]              once more, at the table where one has just played
/help  /quit               /say TEXT, and anything else, is said to the lobby"""
WORDS = frozenset(re.findall(r"/([a-z]+)", HELP))
"""Every command, without its slash."""
_RELATIONS: tuple[Relation, ...] = ("follow", "mute", "block")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options of ``lobby``."""
    parser.epilog = f"""\
examples:
  headstring lobby --server pool.example.org
  headstring lobby --server URL --account Ann --rated --race 5       challenges on these terms
  echo /who | headstring lobby --server URL --name Bob

commands in it:
{HELP}
It ends when a match is found, and says how to sit down at its table.
"""
    add_server(parser, "server to play on", required=True)
    add_table_options(parser)
    add_name(parser)
    add_account_argument(parser)


def run(options: argparse.Namespace) -> int:
    """Talk to the lobby until a match is found or the input ends; the exit status."""
    if not signed_in(options, "headstring lobby"):
        return 1
    name = options.name or default_name()
    terms = m.TableTerms(**table_options(options))
    tokens = Tokens()
    session = Session(name, tokens.get(options.server, name), program="headstring lobby")
    session.account = options.account is not None
    lines: queue.SimpleQueue[str | None] = queue.SimpleQueue()
    # A thread that waits for the terminal must not keep the program from ending.
    threading.Thread(target=_read, args=(lines,), daemon=True).start()
    terminal = Terminal(options.server, session, terms, lines, _say, options.ca)
    try:
        asyncio.run(terminal.run())
    except (ConnectionError, ValueError) as error:
        print(f"headstring lobby: {error}", file=sys.stderr)
        return 1
    finally:
        if session.token is not None:
            tokens.keep(options.server, session.name, session.token)
    if terminal.found is not None:
        who = f"--account {name}" if options.account else f'--name "{session.name}"'
        table = terminal.found.table
        print(f"headstring play --server {options.server} {who} --table {table}")
    return 0


def _read(lines: "queue.SimpleQueue[str | None]") -> None:
    for line in sys.stdin:
        lines.put(line.strip())
    lines.put(None)


def _say(text: str) -> None:
    print(text, flush=True)


class Terminal:
    """The conversation: lines in, sentences out.  ``found``: the match that was found."""

    def __init__(
        self,
        url: str,
        session: Session,
        terms: m.TableTerms,
        lines: "queue.SimpleQueue[str | None]",
        say: Callable[[str], None],
        trust: ssl.SSLContext | None = None,
    ) -> None:
        self.session = session
        self.terms = terms
        self.found: m.MatchFound | None = None
        self._lines = lines
        self._say = lambda text: say(plain(text))
        self._link = Link(url, self._deliver, trust=trust)
        self._visit = LobbyVisit(session)
        self._ended = False
        self._lost = ""

    async def run(self) -> None:
        """Until the input ends or a match is found.

        Raises:
            ConnectionError: the server does not let us in, or has ended it.
        """
        carrying = asyncio.create_task(self._link.run())
        try:
            while not (self._ended and not self._visit.busy) and self.found is None:
                if carrying.done():
                    carrying.result()
                self._step()
                await asyncio.sleep(_TICK_S)
        finally:
            self._link.close()
            await asyncio.gather(carrying, return_exceptions=True)

    def _deliver(self, event: LinkEvent) -> None:
        self.session.handle(event)
        self._flush()

    def _flush(self) -> None:
        for message in self.session.take_outgoing():
            self._link.send(message)

    def _step(self) -> None:
        session = self.session
        if session.phase == "over":
            raise ConnectionError(session.reason or "the server ended the session")
        if session.phase == "lost" and session.token is None:
            raise ConnectionError(session.reason)  # there was no connection yet
        if session.phase == "lost" and session.reason != self._lost:
            self._lost = session.reason
            self._say(f"{session.reason} (trying again)")
        for told in self._visit.step():
            self._tell(told)
        while self._visit.inside and not self._ended and not self._lines.empty():
            self._take_line(self._lines.get())
        self._flush()

    # --- what is typed ----------

    def _take_line(self, line: str | None) -> None:
        if line is None:
            self._ended = True
        elif line.startswith("/"):
            word, _, rest = line[1:].partition(" ")
            self._command(word.lower(), rest.strip())
        elif line.lower() in WORDS:
            self._say(f"/{line.lower()} is the command; /say {line} says it to the lobby")
        elif line:
            self._visit.say(line)

    def _command(self, word: str, rest: str) -> None:
        relation = word.removeprefix("un")
        match word:
            case "quit":
                self._ended = True
            case "who":
                self._who(rest)
            case "tables":
                self._tables(rest)
            case "challenges":
                known = {**self._visit.mine, **self.session.company.challenges}
                for challenge in known.values():
                    self._say(_challenge(challenge))
            case "challenge" if rest:
                who = None if rest == "all" else rest
                self._visit.challenge(who, self.terms, f"challenged {rest}")
            case "withdraw" if rest:
                self._visit.withdraw(rest.upper(), "withdrawn")
            case "accept" | "decline":
                self._reply(word == "accept", rest)
            case "quick":
                self._visit.quick(self.terms, "waiting for a quick match …")
            case "cancel":
                self._visit.leave_queue("no longer waiting")
            case "rating":
                self._visit.ask(m.GetRating, who=rest or None, most=10)
            case "say" if rest:
                self._visit.say(rest)
            case "watch" if rest:
                table, _, code = rest.upper().partition(" ")
                self._visit.watch(table, code.strip() or None, f"you are at {table}: /table TEXT")
            case "table" if rest:
                if not self._visit.say_at_table(rest):
                    self._say("you are at no table: /watch ID")
            case "leave":
                self._visit.leave_table("you have left the table")
            case "rematch":
                if not self._visit.rematch(rest.upper(), "you want a rematch"):
                    self._say("a rematch at which table? /rematch ID")
            case "relations":
                self._visit.ask(m.ListRelations)
            case _ if relation in _RELATIONS and rest:
                on = word == relation
                self._visit.relate(rest, relation, on, f"{word}: {rest}")
            case _:
                self._say(HELP)

    def _reply(self, accept: bool, rest: str) -> None:
        first, _, reason = rest.partition(" ")
        challenge = self._visit.named(first)
        if challenge != first.upper():
            reason = rest
        if not challenge:
            self._say("there is no challenge to you")
            return
        self._visit.answer(challenge, accept, reason, "" if accept else "declined")

    # --- what is said ----------

    def _who(self, part: str) -> None:
        company = self.session.company
        for person in sorted(company.people.values(), key=lambda p: p.name.casefold()):
            if part.casefold() in person.name.casefold():
                ratings = ", ".join(f"{d} {r}" for d, r in sorted(person.ratings.items()))
                kind = "" if person.account else "guest"
                place = person.table or ""
                words = (person.name, person.status, place, ratings, kind)
                self._say("  ".join(word for word in words if word))
        self._say(f"{company.here} here")

    def _tables(self, part: str) -> None:
        for table in self.session.company.tables.values():
            players = " - ".join(name or "(free)" for name in table.players)
            race = "{}:{}".format(*table.races) if table.races else table.games_to_win
            score = f"{table.games[0]}:{table.games[1]} of {race}"
            rated = "rated" if table.rated else ""
            words = (table.table, table.ruleset, players, table.status, score, rated)
            line = "  ".join(word for word in words if word)
            if part.casefold() in line.casefold():
                self._say(line)

    def _tell(self, news: Told) -> None:
        match news:
            case Done(what=what) if what:
                self._say(what)
            case NotDone(message=message):
                self._say(f"refused: {message}")
            case m.RatingListed():
                self._tell_rating(news)
            case m.Relations():
                for kind in _RELATIONS:
                    self._say(f"{kind}: {', '.join(getattr(news, kind)) or '-'}")
            case m.Said(line=line):
                where = f"[{news.table}] " if news.table is not None else ""
                self._say(f"{where}<{line.by}> {line.text}")
            case m.RematchOffered():
                self._say(f"{news.by} wants a rematch: /rematch {news.table}")
            case m.Challenged(challenge=challenge):
                self._say(_challenge(challenge))
            case m.ChallengeOver():
                reason = f": {news.reason}" if news.reason else ""
                self._say(f"challenge {news.challenge} {news.outcome}{reason}")
            case m.MatchFound():
                self.found = news
                self._say(f"you play {news.opponent} at table {news.table}")
            case m.MatchCalled():
                self._say(f"{news.name}: you play {news.opponent} at {news.station}")
                for line in called_lines(news, "en"):
                    self._say(line)
            case m.MatchCallOver():
                then = "it will be again" if news.waits else "it isn't played any more"
                self._say(f"{news.name}: your match against {news.opponent} isn't called; {then}")
            case m.QueueLeft(reason=reason):
                self._say(f"you wait no more: {reason}")
            case m.FriendSeated():
                self._say(f"{news.name} sits at table {news.table} ({news.ruleset})")
            case m.Silenced():
                done = "silenced" if news.on else "no longer silenced"
                self._say(f"{news.who} is {done} at {news.table} by {news.by}: {news.reason}")

    def _tell_rating(self, found: m.RatingListed) -> None:
        for now in found.ratings:
            unsure = " (provisional)" if now.provisional else ""
            self._say(
                f"{found.name}: {now.discipline} {now.rating:.0f} ± {2 * now.deviation:.0f}"
                f"{unsure}, {now.matches} matches"
            )
        for change in found.changes:
            result = "beat" if change.score > 0.5 else "lost to"
            self._say(
                f"  {change.match}: {result} {change.opponent} ({change.opponent_rating:.0f}, "
                f"expected {change.expected:.2f}): {change.before_rating:.0f} to "
                f"{change.after_rating:.0f}"
            )
        if not found.ratings:
            self._say(f"{found.name} has no rating")


def _challenge(challenge: m.ChallengeSummary) -> str:
    rating = f" ({challenge.rating})" if challenge.rating is not None else ""
    whom = f"challenges {challenge.to}" if challenge.to else "challenges anybody"
    rated = ", rated" if challenge.terms.rated else ""
    what = f"{challenge.terms.ruleset}{rated}"
    return f"[{challenge.challenge}] {challenge.by}{rating} {whom}: {what}"
