"""Golden traces: whole matches of bots on real physics, every order with what the rules made of it.

``make traces`` (``python -m tests.traces [PRESET ...]``) plays and writes them anew, one file a
preset in ``tests/data/rules/traces``; ``tests/shared_rules/test_traces.py`` judges them again,
without physics.  A file is gzipped JSON, a line each: first the description of the match, then
every order with the state after it, as far as people see it, and the ruling if it was a stroke's.

Positions are rounded to a nanometre and times to a microsecond before they are judged: that is what
a match of these numbers is, and it keeps the files small.
"""

import gzip
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import msgspec

from client.bot.brain import Brain
from client.bot.levels import LEVELS
from server.shots import frame_of, usual_table
from shared_rules import commands as c
from shared_rules.commands import Actor, Order
from shared_rules.match import Applied
from shared_rules.ruleset import make_ruleset
from shared_rules.state import MatchDescription, MatchState, Phase
from shared_rules.table import Position
from tests.client.local_table import LocalTable

FOLDER = Path(__file__).parent / "data" / "rules" / "traces"
QUICK = replace(LEVELS[3], thought=40)
HANDS = {"black_ball": replace(LEVELS[2], thought=40)}
"""Shakier hands, where more has to go wrong to be seen."""
MATCHES: dict[str, dict[str, Any]] = {
    "nine_ball_epbf": {"match": {"games_to_win": 3}},
    "nine_ball_wpa": {"match": {"games_to_win": 3}},
    "eight_ball": {"match": {"games_to_win": 2}},
    "straight_pool": {"target": 50},
    "black_ball": {"match": {"games_to_win": 3}},
}
"""Presets that are recorded, and what is changed of them so that a match ends soon."""
SEEN = (
    "phase", "shooter", "decider", "options", "cue_in_hand", "call", "scores", "run", "games",
    "sets", "consecutive_fouls", "push_out_available", "groups", "free_shot",
    "snooker_declared", "rack_number", "winner",
)  # fmt: skip
"""Fields of the state that are kept after every order."""

Step = tuple[Order, dict[str, Any]]


class Recorder(LocalTable):
    """A table that keeps its orders and what came of them."""

    def __init__(self, **changes: Any) -> None:
        super().__init__(**changes)
        self.steps: list[Step] = []

    def order(self, by: Actor, command: c.Command) -> None:
        """Give an order in the numbers in which it is kept."""
        super().order(by, rounded(command))

    def took(self, order: Order, applied: Applied) -> None:
        """An order was taken."""
        if isinstance(order.command, c.RackBalls):
            self.rack_seed += 1  # every rack another
        self.steps.append((order, after(applied)))


def rounded(command: c.Command) -> c.Command:
    """A command with positions to a nanometre and times to a microsecond."""
    if isinstance(command, c.FinishShot | c.RackBalls):
        balls = {b: Position(round(x, 9), round(y, 9)) for b, (x, y) in command.balls.items()}
        command = msgspec.structs.replace(command, balls=balls)
    if isinstance(command, c.FinishShot):
        events = tuple(msgspec.structs.replace(e, at=round(e.at, 6)) for e in command.events)
        command = msgspec.structs.replace(command, events=events)
    return command


def after(applied: Applied) -> dict[str, Any]:
    """What is kept of the match after an order: plain values, defaults left out."""
    state = applied.state
    kept: dict[str, Any] = {name: getattr(state, name) for name in SEEN}
    kept["balls"] = sorted(state.balls)
    kept["said"] = [said.__struct_config__.tag for said in applied.announcements]
    if "judged" in kept["said"]:
        kept["ruling"] = state.last_ruling
    plain = _plain(kept)
    empty = _plain({name: getattr(_EMPTY, name) for name in SEEN})
    return {name: value for name, value in plain.items() if value != empty.get(name, ())}


def _plain(kept: dict[str, Any]) -> dict[str, Any]:
    """Values as they are read from a file."""
    return msgspec.json.decode(msgspec.json.encode(kept), type=dict[str, Any])


_EMPTY = MatchState(
    description=MatchDescription(
        match_id="", players=("a", "b"), ruleset=make_ruleset("eight_ball")
    )
)


def record(preset: str, seed: int = 1) -> Recorder:
    """Play a match of two bots to its end."""
    rules = make_ruleset(preset, MATCHES[preset])
    bed = usual_table(rules.discipline)
    table = Recorder(ruleset=rules, referee=False, frame=frame_of(bed))
    level = HANDS.get(preset, QUICK)
    brains = [Brain(level, seed, bed), Brain(level, seed + 1, bed)]
    table.start()
    now = 0.0
    while table.state.phase is not Phase.MATCH_OVER:
        now = round(now + 0.5, 6)
        table.pump(now)
        if table.state.phase is Phase.SHOT_RUNNING:
            now += table.result.duration
            continue
        for seat in (0, 1):
            command = brains[seat].decide(table.state, seat)
            if command is not None:
                table.order(Actor.of(seat), command)
    return table


def write(path: Path, description: MatchDescription, steps: list[Step]) -> None:
    """Write a trace; the same match gives the same bytes."""
    lines = [msgspec.json.encode(description)]
    lines += [msgspec.json.encode({"order": order, "after": kept}) for order, kept in steps]
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(gzip.compress(b"\n".join(lines) + b"\n", 9, mtime=0))


def read(path: Path) -> tuple[MatchDescription, Iterator[Step]]:
    """The description of a trace's match, and its orders with what came of them."""
    first, *lines = gzip.decompress(path.read_bytes()).splitlines()
    return msgspec.json.decode(first, type=MatchDescription), map(_step, lines)


def _step(line: bytes) -> Step:
    raw = msgspec.json.decode(line)
    return msgspec.convert(raw["order"], Order, str_keys=True, strict=True), raw["after"]


def main(presets: list[str]) -> None:
    """Record the traces of some presets, or of all."""
    for preset in presets or MATCHES:
        table = record(preset)
        path = FOLDER / f"{preset}.jsonl.gz"
        write(path, table.state.description, table.steps)
        size = path.stat().st_size
        print(f"{preset}: {table.state.shot_number} shots, {len(table.steps)} orders, {size} bytes")


if __name__ == "__main__":
    main(sys.argv[1:])
