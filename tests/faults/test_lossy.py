"""BR-050: messages lost, doubled and reordered, and whose turn it is is never in doubt."""

import asyncio
import random
from collections import Counter
from pathlib import Path

import msgspec

from shared_rules import commands as c
from shared_rules.match import replay
from shared_rules.state import MatchState, Phase
from shared_rules.view import public_state
from tests.faults.indoors import Indoors, indoors
from tests.faults.lossy import LossyClient
from tests.faults.scripted import command
from tests.server import fake_physics as fake

RACKS = 50
RATE = 0.05


def test_br_050_the_turn_is_never_in_doubt_however_many_messages_are_lost(tmp_path: Path) -> None:
    """BR-050: 5 % each, on both links, for 50 racks; strokes out of turn are told why."""

    async def play() -> None:
        async with indoors(tmp_path, messages_per_s=1e6, messages_burst=1e6) as place:
            luck = random.Random(50)
            clients = [LossyClient(place, name, luck, RATE) for name in ("Ann", "Bob")]
            await _play(place, clients, luck)
            happened: Counter[str] = sum((who.happened for who in clients), Counter())
            refused: Counter[str] = sum((who.refused for who in clients), Counter())
            assert min(happened[what] for what in ("lost", "doubled", "overtaken")) > 50, happened
            assert min(refused["not_your_turn"], refused["stale_state"]) > 10, refused
            assert not refused["internal"], refused

    asyncio.run(asyncio.wait_for(play(), 300))


async def _play(place: Indoors, clients: list[LossyClient], luck: random.Random) -> None:
    ann, bob = clients
    ann.session.open_table(overrides={"match": {"games_to_win": RACKS}})
    table = ""
    seen: dict[int, set[tuple[object, ...]]] = {}
    for _ in range(30_000):
        for seat, who in enumerate(clients):
            await who.step()
            view = who.session.view
            if who is ann and view is not None and view.known and not table:
                table = view.table
                bob.session.join(table)
            if view is None or view.state is None:
                continue
            turn = (view.state.phase, view.state.shooter, view.state.decider, view.state.balls)
            seen.setdefault(view.state.version, set()).add((*turn[:3], tuple(turn[3].items())))
            _act(who, seat, view.state, luck)
        await asyncio.sleep(0.001)
        place.real_s += 0.06
        states = [who.session.view.state if who.session.view else None for who in clients]
        if all(s is not None and sum(s.games) >= RACKS for s in states):
            break
    else:
        told = [(who.session.phase, who.session.reason, who.session._pending) for who in clients]
        raise AssertionError(
            f"no end: {[(s and (s.phase, s.games, s.shot_number)) for s in states]}, {told}"
        )
    for version, turns in seen.items():
        assert len(turns) == 1, f"two have seen version {version} otherwise"
    record = await place.store.matches.load(table)
    assert record is not None and record.description is not None
    for seat, state in enumerate(states):
        assert state is not None
        upto = replay(record.description, record.orders[: state.version])
        assert public_state(upto, seat) == state  # type: ignore[arg-type]


def _act(who: LossyClient, seat: int, state: MatchState, luck: random.Random) -> None:
    """What is due, now and then something that isn't."""
    if who.session.busy or who.session.phase != "ready":
        return
    due = _quick(state, seat)
    if due is not None:
        who.session.play(due)
    elif luck.random() < 0.05 and state.phase is Phase.AWAIT_SHOT:
        other = _quick(state, 1 - seat)
        if other is not None:
            who.session.play(other)


def _quick(state: MatchState, seat: int) -> c.PlayerCommand | None:
    """The script, with racks of a few strokes."""
    due = command(state, seat)  # type: ignore[arg-type]
    if isinstance(due, c.Strike) and state.phase is Phase.AWAIT_SHOT and state.shot_number % 3 == 2:
        return c.Strike(stroke=msgspec.structs.replace(due.stroke, speed=fake.NINE))
    return due
