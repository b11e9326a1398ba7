"""A whole club night over real sockets, and a plain recount of it from the matches that are stored.

    python -m tests.end_to_end.club_night             (make club-night: real physics, real bots)

Groups on a few stations, then a true double elimination of the first two of each.  In the middle
somebody is withdrawn from his match, the server is killed, and a result is corrected.
"""

import argparse
import asyncio
import contextlib
import os
import random
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from client.bot.levels import LEVELS
from client.bot.player import BotPlayer, Seating
from client.club.command import NAMES, OFFICIAL, all_here, bot_of, make_official
from client.club.evening import Evening, Plan
from client.club.official import Official
from client.net.session import Session
from shared_rules import messages as m
from shared_rules.commands import Choose, PlaceCue, PlayerCommand, Strike
from shared_rules.state import MatchState, Option, Phase, Seat, Stroke
from tests.end_to_end.recount import Night, recount
from tests.server import fake_physics as fake

ROOT = Path(__file__).resolve().parents[2]
PASSWORD = "a long night at the club"
RAISED_DEG = 60.0  # over everything that may lie behind a ball
RULES = {"match": {"games_to_win": 1}}


# --- who plays, and on what ----------------------------------------------------------------------


class Server:
    """A server of its own process, which can be killed and comes back at the same port."""

    def __init__(self, database: Path, real: bool, speed: float) -> None:
        self.database, self._real, self._speed = database, real, speed
        self.port = 0
        self._process: subprocess.Popen[str] | None = None

    async def start(self) -> str:
        arguments = ["-m", "tests.server.fake_server", str(self.port), str(self.database),
                     str(self._speed)]  # fmt: skip
        if self._real:
            arguments = ["-m", "headstring", "serve", "--port", str(self.port), "--workers", "1",
                         "--database", str(self.database), "--time-scale", str(self._speed),
                         "--log-level", "warning"]  # fmt: skip
        environment = {**os.environ, "PYTHONUNBUFFERED": "1"}
        process = await asyncio.to_thread(
            subprocess.Popen, [sys.executable, *arguments], cwd=ROOT, text=True,
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=environment,
        )  # fmt: skip
        self._process = process
        assert process.stdin is not None and process.stdout is not None
        if not self._real:
            process.stdin.write("go\n")
            process.stdin.flush()
        while "listens on" not in (line := await asyncio.to_thread(process.stdout.readline)):
            assert line, "the server did not start"
        self.port = int(line.rsplit(":", 1)[1].split()[0].rstrip("/"))
        return f"ws://127.0.0.1:{self.port}"

    async def end(self, number: int) -> None:
        process = self._process
        if process is None:
            return
        process.send_signal(number)
        await asyncio.to_thread(process.wait)
        assert process.stdin is not None and process.stdout is not None
        process.stdin.close()
        process.stdout.close()
        self._process = None


class Scripted:
    """Plays on the fake physics: more or less near in the lag, and the nine as luck has it."""

    def __init__(self, seed: int, lingers: bool = False) -> None:
        self._luck, self._lingers = random.Random(seed), lingers

    def decide(self, state: MatchState, seat: Seat, refused: int) -> PlayerCommand | None:
        del seat
        if state.phase is Phase.LAG:
            return self._strike(self._luck.uniform(1.5, 3.5))
        if self._lingers:
            return None
        if state.options:
            wanted = Option.BREAK if Option.BREAK in state.options else state.options[0]
            return Choose(option=state.options[refused % len(state.options)] if refused else wanted)
        if state.cue_in_hand != "none" and not state.cue_placed:
            return PlaceCue(x=-0.8, y=0.02 * refused)
        wins = self._luck.random() < 0.7
        if state.is_break:
            return self._strike(fake.NINE if wins else fake.BREAK)
        return self._strike(fake.NINE if wins else fake.SAFE)

    def _strike(self, speed: float) -> Strike:
        return Strike(stroke=Stroke(speed=speed, heading_deg=0.0, elevation_deg=RAISED_DEG))


class Member(BotPlayer):
    """A member of the club where the physics is fake.  ``lingers``: he doesn't go on after a lag,
    so that he can be withdrawn from his match."""

    lingers = False

    def new_brain(self, preset: str):
        return Scripted(self.seed or 0, self.lingers)


def members(url: str, people: tuple[str, ...], real: bool, seed: int) -> list[BotPlayer]:
    dice = random.Random(seed)
    if real:
        return [bot_of(url, name, dice) for name in people]
    found = []
    for name in people:
        member = Member(
            url, Session(name), LEVELS[1], Seating(accepts=True), dice.randrange(1 << 30),
            lambda text: None,
        )  # fmt: skip
        member.think_s, member.lingers = 0.05, name == people[1]
        found.append(member)
    return found


# --- the night -----------------------------------------------------------------------------------


class Troubles:
    """What goes wrong in the groups, each once: a drop-out in his match, and with it a kill, so
    that neither can be missed between two looks at a night that hurries."""

    def __init__(self, night: Night, official: Official, server: Server) -> None:
        self._night, self._official, self._server = night, official, server

    async def look(self, shown: list[m.CompetitionShown]) -> None:
        matches = [f for one in shown for f in one.fixtures]
        done = sum(f["outcome"] is not None for f in matches) / len(matches)
        if done > 0.15 and not self._night.withdrawn:
            for one in shown:
                who = _in_his_first_match(one)
                if who is not None:
                    await self._official.act(one.competition, "withdrawn", entrant=who)
                    self._night.withdrawn = who
                    break
        if self._night.withdrawn and not self._night.killed:
            self._night.killed += 1
            await self._server.end(signal.SIGKILL)
            await self._server.start()


def _in_his_first_match(one: m.CompetitionShown) -> str | None:
    """Somebody who is at his table and has played none yet."""
    begun = {f["id"] for f in one.fixtures if f["outcome"] is not None}
    had = {side for f in one.fixtures if f["id"] in begun for side in f["sides"]}
    there = (who for call in one.calls if len(call["arrived"]) == 2 for who in call["sides"])
    return next((who for who in there if who not in had), None)


async def correct(official: Official, night: Night) -> None:
    """The first result of the first group was written down the wrong way round."""
    group = night.groups[0]
    line = next(x for x in group.log if x["act"]["act"] == "result")
    new = line["act"] | {"score": line["act"]["score"][::-1]}
    change = {"act": "corrected", "entry": line["number"], "old": line["act"], "new": new,
              "reason": "the wrong way round"}  # fmt: skip
    told = await official.ask(m.EnterAct, competition=group.competition, act=change, preview=True)
    assert isinstance(told, m.CorrectionFollows) and told.weight == "none"
    await official.ask(m.EnterAct, competition=group.competition, act=change)
    night.corrected = (group.competition, line["act"]["match"])
    night.groups[0] = await official.shown(group.competition, log=True)


async def hold(folder: Path, plan: Plan, real: bool, speed: float, seed: int) -> Night:
    """The whole night; the server is stopped in the end."""
    database, night = folder / "night.sqlite3", Night()
    await asyncio.to_thread(make_official, database, OFFICIAL, PASSWORD)
    server = Server(database, real, speed)
    url = await server.start()
    official = Official(url, OFFICIAL, PASSWORD)
    bots = members(url, plan.people, real, seed)
    playing = [asyncio.create_task(bot.run()) for bot in bots]
    try:
        await all_here(bots)
        evening = Evening(official, plan, lambda text: print(text, flush=True))
        groups = await evening.open_groups()
        night.groups = await evening.until_over(groups, Troubles(night, official, server).look)
        await correct(official, night)
        final = await evening.open_final(groups)
        (night.final,) = await evening.until_over([final])
        return night
    finally:
        for task in playing:
            task.cancel()
        with contextlib.suppress(Exception):
            await official.close()
        await asyncio.gather(*playing, return_exceptions=True)
        await server.end(signal.SIGTERM)


def main() -> int:
    """A night with real bots and real physics."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--people", type=int, default=16)
    parser.add_argument("--stations", type=int, default=4)
    parser.add_argument("--groups", type=int, default=4)
    parser.add_argument("--speed", type=float, default=30.0)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--folder", help="keep the database there")
    parser.add_argument("--fake", action="store_true", help="fake physics, scripted players")
    options = parser.parse_args()
    began = time.monotonic()
    stations = tuple(f"table {n}" for n in range(1, options.stations + 1))
    plan = Plan(NAMES[: options.people], stations, options.groups, rules=RULES, final_race=2)
    with tempfile.TemporaryDirectory(prefix="headstring-night-") as temporary:
        folder = options.folder or temporary
        Path(folder).mkdir(parents=True, exist_ok=True)
        night = asyncio.run(hold(Path(folder), plan, not options.fake, options.speed, options.seed))
        places = recount(Path(folder) / "night.sqlite3", night)
    print("recounted from the stored matches: " + ", ".join(places))
    print(f"{time.monotonic() - began:.0f} s")
    return 0


if __name__ == "__main__":
    sys.exit(main())
