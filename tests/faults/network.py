"""What networks do, to Bob's line only: each while the match is played."""

import asyncio
from collections.abc import Awaitable, Callable, Iterable

from shared_rules import commands as c
from shared_rules import messages as m
from shared_rules.wire import write_message
from tests.faults.proxy import Direction, Way
from tests.faults.scene import Scene
from tests.faults.scripted import command

_FRAME_BYTES = 8  # of a message of up to 64 KiB from a client: header and mask
_ANSWER_BYTES = 100
_EVENT_BYTES = 3000


async def long_line(scene: Scene) -> None:
    """20 to 300 ms each way, every message another."""
    scene.proxy.ways = {"up": Way(0.02, 0.28), "down": Way(0.02, 0.28)}
    scene.times = 1
    await scene.until_shot(99 if scene.long else 5)
    scene.proxy.ways = {"up": Way(), "down": Way()}


async def stalls(scene: Scene) -> None:
    """Nothing passes for a second, in the middle of the match; then all of it."""
    for shot in (3, 6, 9, 12) if scene.long else (4,):
        await scene.until_shot(shot)
        await scene.proxy.stall(1.0)
        scene.times += 1


async def cuts_on_the_way_up(scene: Scene) -> None:
    """The line is cut behind each byte of a stroke on its way to the server."""

    def length(request: m.Play) -> int:
        return len(write_message(request)) + _FRAME_BYTES

    await _cut_everywhere(scene, "up", lambda request: range(1, length(request) + 1), 17)


async def cuts_on_the_way_down(scene: Scene) -> None:
    """The line is cut behind each byte of the answer, and at places all through the event."""
    # the answer comes again each time; an event only with another stroke
    places = [*range(1, _ANSWER_BYTES), *range(_ANSWER_BYTES, _EVENT_BYTES, 290)]
    await _cut_everywhere(scene, "down", lambda _: places, 25)


async def _cut_everywhere(
    scene: Scene, way: Direction, places: Callable[[m.Play], Iterable[int]], in_short: int
) -> None:
    """Every stroke is cut at the next few places, until all have had their turn."""
    left: list[int] | None = None

    async def arm(request: m.Play) -> None:
        nonlocal left
        if not isinstance(request.command, c.Strike) or scene.state.shot_number < 2:
            return
        if left is None:
            left = list(places(request))[:: 1 if scene.long else in_short]
        if left:
            scene.proxy.cut_after(left.pop(0), way)
            scene.times += 1

    scene.bob.before = arm
    await scene.until_shot(99)
    assert scene.proxy.cuts > 0


async def half_open(scene: Scene) -> None:
    """The line stays open and carries nothing; Bob comes back on another with his token."""
    scene.bob.patience_s = 0.5
    for shot in (3, 8) if scene.long else (4,):
        await scene.until_shot(shot)
        scene.proxy.silence()
        scene.times += 1


async def half_open_for_long(scene: Scene) -> None:
    """The same, and nobody comes back before the server's keepalive has found it."""
    scene.bob.patience_s = 2.0
    await scene.until_shot(4)
    scene.proxy.silence()
    scene.times = 1


async def doubled_and_late(scene: Scene) -> None:
    """Every command twice, and between them old ones: as they were, and on an old version."""
    sent: list[m.Play] = []

    async def add(request: m.Play) -> None:
        socket = scene.bob.client
        for old in sent[-3:]:
            await socket.send(old)
        if sent:
            stale = sent[len(sent) // 2]
            state = scene.bob.client.state
            wanted = command(state, 1) if state is not None else None
            if wanted is not None:
                again = socket.play(wanted, version=stale.version)
                await _refused(scene, socket.ask_again(again))
        await socket.send(request)
        if request not in sent:
            sent.append(request)
        scene.times += 1

    scene.bob.before = add
    await scene.until_shot(99)


async def _refused(scene: Scene, answer: Awaitable[object]) -> None:
    told = await answer
    if isinstance(told, m.Refused):
        scene.codes[told.code] += 1


async def cuts_again_and_again(scene: Scene) -> None:
    """The line is cut again and again, whatever is on its way."""
    while not scene.over:
        await asyncio.sleep(0.15)
        scene.proxy.cut()
        scene.times += 1
        if not scene.long and scene.times >= 6:
            return
