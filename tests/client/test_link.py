"""The link over real sockets: cuts, nonsense, wrong addresses, and the thread that carries it."""

import asyncio
import threading
import time

import pytest
from websockets.asyncio.server import serve

from client.net.link import Link
from client.net.session import Garbled, Lost, Opened, Received, Session
from client.net.thread import NetThread
from shared_rules import messages as m
from shared_rules.wire import read_client_message, write_message
from tests.client.builders import welcome


async def greeter(socket) -> None:
    """Welcomes whoever says hello, and answers pings; a ping's answer tells the time."""
    async for data in socket:
        message = read_client_message(data)
        if isinstance(message, m.Hello):
            await socket.send(write_message(welcome()))
        elif isinstance(message, m.Ping):
            await socket.send(write_message(m.Pong(re=message.id, clock=100.0)))
        elif isinstance(message, m.ListTables):
            await socket.send(write_message(m.Tables(re=message.id, tables=())))


def run(scenario) -> None:
    asyncio.run(asyncio.wait_for(scenario, 15))


async def until(condition) -> None:
    while not condition():  # noqa: ASYNC110 - any condition, not one that could signal
        await asyncio.sleep(0.01)


def test_a_cut_link_comes_back_and_the_session_signs_in_again():
    async def scenario():
        async with serve(greeter, "127.0.0.1", 0) as server:
            port = server.sockets[0].getsockname()[1]
            session = Session("Ann")
            seen = []

            def deliver(event):
                seen.append(type(event))
                session.handle(event)
                for message in session.take_outgoing():
                    link.send(message)

            link = Link(f"ws://127.0.0.1:{port}", deliver, back_off_s=(0.05,))
            running = asyncio.create_task(link.run())
            await until(lambda: session.phase == "ready")
            link.cut()
            await until(lambda: seen.count(Opened) == 2 and session.phase == "ready")
            assert Lost in seen
            link.close()
            await running

    run(scenario())


def test_nobody_there_is_a_sentence_and_tried_again():
    async def scenario():
        events = []
        link = Link("ws://127.0.0.1:9", events.append, back_off_s=(0.02,))
        running = asyncio.create_task(link.run())
        await until(lambda: len(events) >= 3)
        link.close()
        await running
        assert all(isinstance(e, Lost) for e in events)
        assert events[0].reason == "nothing answers at 127.0.0.1:9; is the server running?"

    run(scenario())


@pytest.mark.parametrize(
    ("refusal", "body", "said"),
    [
        (
            "overloaded",
            "the server is full; try again later\n",
            "the server is full; try again later",
        ),
        ("", "<html>Bad gateway</html>", "what answers at * is no Headstring server"),
        ("overloaded", "\x1b[2J", "what answers at * is no Headstring server"),
        ("overloaded", "long " * 99, "what answers at * is no Headstring server"),
    ],
)
def test_a_server_that_lets_nobody_in_says_why(refusal, body, said):
    async def scenario():
        def turn_away(connection, request):
            response = connection.respond(503, body)
            if refusal:
                response.headers["Headstring-Refusal"] = refusal
            return response

        async with serve(greeter, "127.0.0.1", 0, process_request=turn_away) as server:
            port = server.sockets[0].getsockname()[1]
            events = []
            link = Link(f"ws://127.0.0.1:{port}", events.append, back_off_s=(0.02,))
            running = asyncio.create_task(link.run())
            await until(lambda: len(events) >= 2)
            link.close()
            await running
            assert events[0].reason == said.replace("*", f"127.0.0.1:{port}")

    run(scenario())


def test_a_machine_that_does_not_exist_is_named():
    async def scenario():
        events = []
        link = Link("ws://no-such-machine.invalid:4747", events.append, back_off_s=(0.02,))
        running = asyncio.create_task(link.run())
        await until(lambda: events)
        link.close()
        await running
        assert events[0].reason == "there is no machine called no-such-machine.invalid"

    run(scenario())


def test_an_answer_that_is_no_websocket_is_a_sentence():
    async def talk_http(reader, writer):
        await reader.read(100)
        writer.write(b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi")
        await writer.drain()
        writer.close()

    async def scenario():
        server = await asyncio.start_server(talk_http, "127.0.0.1", 0)
        port = server.sockets[0].getsockname()[1]
        events = []
        link = Link(f"ws://127.0.0.1:{port}", events.append, back_off_s=(0.02,))
        running = asyncio.create_task(link.run())
        await until(lambda: events)
        link.close()
        await running
        server.close()
        assert "no Headstring server" in events[0].reason

    run(scenario())


@pytest.mark.parametrize(
    "nonsense", [b"\xc1\xff", b"\x81\xa1m\xa5bogus", "text", b"\x93\x01\x02\x03"]
)
def test_nonsense_from_a_server_is_reported_as_such(nonsense):
    async def babble(socket):
        await socket.send(nonsense)
        await socket.wait_closed()

    async def scenario():
        async with serve(babble, "127.0.0.1", 0) as server:
            port = server.sockets[0].getsockname()[1]
            events = []
            link = Link(f"ws://127.0.0.1:{port}", events.append)
            running = asyncio.create_task(link.run())
            await until(lambda: len(events) >= 2)
            link.close()
            await running
            assert isinstance(events[1], Garbled) and "makes no sense" in events[1].reason

    run(scenario())


class ServerThread:
    """A greeter on a thread of its own, for a client that has a thread of its own."""

    def __init__(self) -> None:
        self.port = 0
        self._up, self._stop = threading.Event(), None
        self.thread = threading.Thread(target=lambda: asyncio.run(self._main()), daemon=True)

    async def _main(self) -> None:
        self._loop, self._stop = asyncio.get_running_loop(), asyncio.Event()
        async with serve(greeter, "127.0.0.1", 0) as server:
            self.port = server.sockets[0].getsockname()[1]
            self._up.set()
            await self._stop.wait()

    def __enter__(self):
        self.thread.start()
        self._up.wait(5)
        return self

    def __exit__(self, *_):
        self._loop.call_soon_threadsafe(self._stop.set)
        self.thread.join(5)


def pump_until(net, condition, longest=8.0) -> None:
    end = time.monotonic() + longest
    while not condition() and time.monotonic() < end:
        net.pump(time.monotonic())
        time.sleep(0.004)
    assert condition()


def test_the_thread_carries_both_ways_and_comes_back_after_a_cut():
    with ServerThread() as server:
        session = Session("Ann")
        net = NetThread(f"ws://127.0.0.1:{server.port}", session)
        net.start()
        pump_until(net, lambda: session.phase == "ready")
        session.list_tables()
        pump_until(net, lambda: session.tables == ())
        pump_until(net, lambda: session.clock.round_trip_s is not None)
        assert session.clock.round_trip_s < 0.2
        net.cut()
        pump_until(net, lambda: session.phase == "lost")
        pump_until(net, lambda: session.phase == "ready")
        net.close()


def test_a_session_that_is_over_ends_its_link():
    with ServerThread() as server:
        session = Session("Ann")
        net = NetThread(f"ws://127.0.0.1:{server.port}", session)
        net.start()
        pump_until(net, lambda: session.phase == "ready")
        session.finish("enough")
        pump_until(net, lambda: not net._thread.is_alive())
        assert session.phase == "over" and session.reason == "enough"
        net.close()


def test_an_address_that_is_none_ends_the_session_with_a_sentence():
    session = Session("Ann")
    net = NetThread("http//nowhere", session)
    net.start()
    pump_until(net, lambda: session.phase == "over")
    assert "no websocket address" in session.reason
    net.close()


def test_events_are_taken_one_by_one_where_that_is_wanted():
    with ServerThread() as server:
        session = Session("Ann")
        net = NetThread(f"ws://127.0.0.1:{server.port}", session)
        net.start()
        kinds = []
        end = time.monotonic() + 8
        while Received not in kinds and time.monotonic() < end:
            event = net.next_event()
            if event is not None:
                kinds.append(type(event))
                session.handle(event)
            net.send(time.monotonic())
            time.sleep(0.002)
        assert kinds[:2] == [Opened, Received]
        net.close()


def test_br_117_one_frame_takes_all_that_has_come_however_rarely_frames_are_drawn():
    """BR-117: at 20 frames a second nothing that has come waits for a second frame."""
    with ServerThread() as server:
        session = Session("Ann")
        net = NetThread(f"ws://127.0.0.1:{server.port}", session)
        net.start()
        pump_until(net, lambda: session.phase == "ready")
        asked = [session.list_tables() for _ in range(100)]
        net.send(time.monotonic())
        end = time.monotonic() + 8
        while net._inbox.qsize() < len(asked) and time.monotonic() < end:
            time.sleep(0.05)  # a frame
        assert net.pump(time.monotonic()) >= len(asked)
        assert not any(session.waiting_for(request) for request in asked)
        net.close()
