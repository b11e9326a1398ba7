"""Finding a game from a terminal; a bot that accepts challenges; news in a session."""

import asyncio
import queue

from client.bot.levels import LEVELS
from client.bot.player import BotPlayer, Seating
from client.lobby import WORDS, Terminal
from client.net.session import Opened, Received, Session
from shared_rules import commands as c
from shared_rules import messages as m
from shared_rules.state import Phase
from tests.server.bench_table import eventually, in_loop, serving
from tests.server.rating.rated import lose, match
from tests.server.wire_client import WireClient

SHORT = m.TableTerms(overrides={"match": {"games_to_win": 1}, "concede_scope": "match"})


def line(number, text):
    return m.ChatLine(number=number, at=1.0, by="Bob", text=text)


def welcomed():
    session = Session("Ann")
    session.handle(Opened(0.0))
    welcome = m.Welcome(protocol=1, server="s", name="Ann", token="t" * 20, clock=5.0)
    session.handle(Received(welcome, 0.0))
    return session


def test_lines_that_are_told_twice_are_read_once():
    session = welcomed()
    shown = m.ChatShown(channel="lobby", table=None, lines=(line(1, "a"), line(2, "b")))
    for message in (
        m.Said(channel="lobby", table=None, line=line(1, "a")),
        shown,
        shown,
        m.Said(channel="players", table="T", line=line(1, "c")),
    ):
        session.handle(Received(message, 1.0))
    assert [news.line.text for news in session.company.take()] == ["a", "b", "c"]


def test_a_line_at_ones_own_table_is_no_event_of_the_table():
    session = welcomed()
    session.join("T")
    session.handle(Received(m.Said(channel="players", table="T", line=line(1, "hi")), 1.0))
    session.handle(Received(m.RematchOffered(table="T", by="Bob"), 1.0))
    assert session.phase == "ready" and len(session.company.take()) == 2


def test_changes_of_the_lobby_before_its_snapshot_are_old():
    session = welcomed()
    person = m.LobbyPerson(name="Bob", account=False, status="free", ratings={})
    changes = m.LobbyChanges(
        seq=7, here=1, people=(person,), tables=(), challenges=(), people_gone=(),
        tables_gone=(), challenges_gone=(),
    )  # fmt: skip
    session.handle(Received(changes, 1.0))
    assert session.company.people == {}
    shown = m.LobbyShown(seq=7, here=0, people=(), tables=(), challenges=())
    session.handle(Received(shown, 1.0))
    session.handle(Received(changes, 1.0))
    assert session.company.people == {}


@in_loop
async def test_a_terminal_finds_a_game_and_talks(tmp_path):
    async with serving(tmp_path) as server:
        bob = await WireClient.connect(server.port, "Bob")
        await bob.ask(m.EnterLobby)
        lines, said = queue.SimpleQueue(), []
        terminal = Terminal(
            f"ws://127.0.0.1:{server.port}", Session("Ann"), SHORT, lines, said.append
        )
        running = asyncio.create_task(terminal.run())
        for typed in ("/who", "good evening", "/follow Bob", "/relations", "/rating", "/nonsense"):
            lines.put(typed)
        heard = await bob.until(lambda x: isinstance(x, m.Said))
        assert (heard.line.by, heard.line.text) == ("Ann", "good evening")
        await eventually(lambda: any("has no rating" in text for text in said))
        text = "\n".join(said)
        assert "Bob  free  guest" in text and "follow: Bob" in text and "/challenge NAME" in text
        await bob.ask(m.Challenge, who="Ann", terms=SHORT)
        await eventually(lambda: any("Bob challenges Ann" in text for text in said))
        lines.put("/decline not now")
        over = await bob.until(lambda x: isinstance(x, m.ChallengeOver))
        assert (over.outcome, over.reason) == ("declined", "not now")
        lines.put("/challenge Bob")
        asked = await bob.until(lambda x: isinstance(x, m.Challenged))
        await bob.ask(m.AnswerChallenge, challenge=asked.challenge.challenge, accept=True)
        await running
        assert terminal.found is not None and terminal.found.opponent == "Bob"


def test_every_command_is_in_the_help():
    assert {
        "who",
        "quit",
        "say",
        "watch",
        "table",
        "leave",
        "rematch",
        "unmute",
        "decline",
    } <= WORDS
    assert "all" not in WORDS


async def typing(server, session):
    """A terminal in the lobby, its lines, and what it says."""
    lines, said = queue.SimpleQueue(), []
    url = f"ws://127.0.0.1:{server.port}"
    terminal = Terminal(url, session, SHORT, lines, said.append)
    running = asyncio.create_task(terminal.run())
    await eventually(lambda: session.company.seq is not None)
    return terminal, lines, said, running


@in_loop
async def test_a_command_without_its_slash_is_not_said(tmp_path):
    async with serving(tmp_path) as server:
        bob = await WireClient.connect(server.port, "Bob")
        await bob.ask(m.EnterLobby)
        _, lines, said, running = await typing(server, Session("Ann"))
        for typed in ("quit", "WHO", "rematch", "/say quit", "who is here?"):
            lines.put(typed)
        await bob.until(lambda x: isinstance(x, m.Said) and x.line.text == "who is here?")
        heard = [x.line.text for x in bob.seen if isinstance(x, m.Said)]
        assert heard == ["quit", "who is here?"]
        assert "/quit is the command; /say quit says it to the lobby" in said
        lines.put("/quit")
        await running


def test_escapes_of_others_never_reach_the_terminal():
    said = []
    terminal = Terminal("ws://x", Session("Ann"), SHORT, queue.SimpleQueue(), said.append)
    terminal._tell(m.Said(channel="lobby", table=None, line=line(1, "\x1b[31mred\u202e")))
    terminal._tell(m.FriendSeated(name="Bob\x07", table="T", ruleset="\x9b1m", watch="everyone"))
    assert said == ["<Bob> [31mred", "Bob sits at table T (1m)"]


@in_loop
async def test_a_terminal_talks_at_a_table(tmp_path):
    async with serving(tmp_path) as server:
        bob = await WireClient.connect(server.port, "Bob")
        eve = await WireClient.connect(server.port, "Eve")
        _, lines, said, running = await typing(server, Session("Ann"))
        await bob.open(overrides=SHORT.overrides)
        await eve.watch(bob.table)
        lines.put("/table hello?")
        lines.put(f"/watch {bob.table.lower()}")
        await eventually(lambda: f"you are at {bob.table}: /table TEXT" in said)
        assert "you are at no table: /watch ID" in said
        lines.put("/table go, Bob!")
        heard = await eve.until(lambda x: isinstance(x, m.Said))
        assert (heard.channel, heard.line.text) == ("spectators", "go, Bob!")
        await eve.ask(m.Say, text="yes", table=bob.table)
        await eventually(lambda: f"[{bob.table}] <Eve> yes" in said)
        lines.put("/leave")
        await eventually(lambda: "you have left the table" in said)
        lines.put("/quit")
        await running


@in_loop
async def test_a_terminal_asks_for_a_rematch(tmp_path):
    async with serving(tmp_path) as server:
        bob = await WireClient.connect(server.port, "Bob")
        ann = await WireClient.connect(server.port, "Ann")
        table = await match(ann, bob, SHORT)
        await lose(ann, bob)
        session = Session("Ann", ann.token)
        terminal, lines, said, running = await typing(server, session)
        lines.put("/rematch")
        lines.put(f"/rematch {table.lower()}")
        await bob.until(lambda x: isinstance(x, m.RematchOffered))
        assert "a rematch at which table? /rematch ID" in said
        await bob.ask(m.Rematch, table=table)
        await running
        assert terminal.found is not None and terminal.found.how == "rematch"


@in_loop
async def test_a_bot_plays_whoever_challenges_it_and_again(tmp_path):
    async with serving(tmp_path) as server:
        session = Session("Bot")
        seating = Seating(accepts=True)
        said = []
        bot = BotPlayer(
            f"ws://127.0.0.1:{server.port}", session, LEVELS[1], seating, 1, said.append
        )
        playing = asyncio.create_task(bot.run())
        ann = await WireClient.connect(server.port, "Ann")
        await eventually(lambda: session.company.seq is not None)
        start = len(ann.seen)
        await ann.ask(m.Challenge, who="Bot", terms=SHORT)
        found = await ann.until(lambda x: isinstance(x, m.MatchFound), start)
        for again in (False, True):
            if again:
                start = len(ann.seen)
                await ann.ask(m.Rematch, table=found.table)
                found = await ann.until(lambda x: isinstance(x, m.MatchFound), start)
            ann.table = found.table
            await ann.until_state(
                lambda s: s.description.match_id == ann.table and s.phase is Phase.LAG
            )
            await eventually(lambda: session.view is not None and session.view.state is not None)
            assert isinstance(await ann.give(c.Concede()), m.Accepted)
            await eventually(lambda: session.view is None)
        assert any("Ann challenges" in text for text in said)
        playing.cancel()
        await asyncio.gather(playing, return_exceptions=True)
