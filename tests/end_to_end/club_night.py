"""A whole club night over real sockets, and a plain recount of it from the matches that are stored.

    python -m tests.end_to_end.club_night             (make club-night: real physics, real bots)

Groups on a few stations, then a true double elimination of the first two of each.  In the middle
somebody is withdrawn from his match, the server is killed, and a result is corrected.  In the end
standings, bracket and places are held against what a human would count from the stored matches.
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
from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from client.bot.levels import LEVELS
from client.bot.player import BotPlayer, Seating
from client.club.command import NAMES, OFFICIAL, all_here, bot_of, make_official
from client.club.evening import Evening, Plan, is_over
from client.club.official import Official
from client.net.session import Session
from server.storage.competitions import LeagueTable
from server.storage.records import MatchRecord
from server.storage.store import Store
from shared_rules import messages as m
from shared_rules.commands import Choose, PlaceCue, PlayerCommand, Resume, Strike, Suspend
from shared_rules.match import replay
from shared_rules.state import MatchState, Option, Phase, Seat, Stroke
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


@dataclass
class Night:
    """What has happened, as the official was shown it last."""

    groups: list[m.CompetitionShown] = field(default_factory=list)
    final: m.CompetitionShown | None = None
    withdrawn: str = ""
    corrected: tuple[str, str] = ("", "")  # competition, match
    killed: int = 0


class Troubles:
    """What goes wrong in the groups, each once: a drop-out in his match, a kill."""

    def __init__(self, night: Night, official: Official, server: Server) -> None:
        self._night, self._official, self._server = night, official, server

    async def look(self, shown: list[m.CompetitionShown]) -> None:
        matches = [f for one in shown for f in one.fixtures]
        done = sum(f["outcome"] is not None for f in matches) / len(matches)
        if done > 0.25 and not self._night.withdrawn:
            for one in shown:
                who = _in_his_first_match(one)
                if who is not None:
                    await self._official.act(one.competition, "withdrawn", entrant=who)
                    self._night.withdrawn = who
                    return
        if done > 0.5 and not self._night.killed and any(one.calls for one in shown):
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


# --- the recount ---------------------------------------------------------------------------------


@dataclass(frozen=True)
class Played:
    """A stored match that was won: by the log of its orders alone."""

    at: LeagueTable
    winner: str
    loser: str
    score: dict[str, int]
    spans: tuple[tuple[float, float], ...]

    @property
    def ended(self) -> float:
        return self.spans[-1][1]


async def stored(database: Path) -> list[Played]:
    """Every match that has been played to its end, in the order of the ends."""
    store = await Store.open(f"sqlite+aiosqlite:///{database}")
    try:
        found = []
        for at in await store.competitions.tables():
            record = await store.load(at.table)
            assert record is not None
            played = _played(at, record)
            if played is not None:
                found.append(played)
        return sorted(found, key=lambda played: played.ended)
    finally:
        await store.close()


def _played(at: LeagueTable, record: MatchRecord) -> Played | None:
    assert record.description is not None and record.seats == at.sides
    state = replay(record.description, record.orders)
    if state.winner is None:
        return None
    winner, loser = at.sides[state.winner], at.sides[1 - state.winner]
    score = {who: state.games[seat] for seat, who in enumerate(at.sides)}
    return Played(at, winner, loser, score, tuple(_spans(record)))


def _spans(record: MatchRecord) -> Iterator[tuple[float, float]]:
    """From when to when it was played: not while it was suspended, or its players away."""
    began: float | None = record.orders[0].at
    for order in record.orders:
        if isinstance(order.command, Suspend) and began is not None:
            yield began, order.at
            began = None
        elif isinstance(order.command, Resume):
            began = order.at
    if began is not None:
        yield began, record.orders[-1].at


def check_nobody_plays_twice_at_once(played: list[Played]) -> None:
    """BR-108: by the orders of the stored matches, over all competitions."""
    busy: dict[str, tuple[float, Played]] = {}
    spans = sorted((*span, match.at.table, match) for match in played for span in match.spans)
    for began, ended, _, match in spans:
        for who in match.at.sides:
            before = busy.get(who)
            assert before is None or before[0] <= began, (before, match)
            busy[who] = ended, match


def check_results(one: m.CompetitionShown, played: list[Played], corrected: str) -> None:
    """BR-028: the result of every match is that of its table, unless an official changed it."""
    by_match = {p.at.match: p for p in played if p.at.competition == one.competition}
    for match in one.fixtures:
        out, table = match["outcome"], by_match.get(match["id"])
        if match["struck"] or match["empty"] or out["kind"] in ("walk_over", "bye"):
            continue
        assert table is not None, f"{match['id']} was settled without a table"
        turned = match["id"] == corrected
        assert out["winner"] == (table.loser if turned else table.winner)
        if out["kind"] == "played":
            score = [table.score[side] for side in match["sides"]]
            assert out["score"] == (score[::-1] if turned else score)


def check_group(one: m.CompetitionShown, played: list[Played], night: Night) -> None:
    """Points and matches by hand: two points a win; who leaves early has met nobody."""
    out = {who["id"] for who in one.entrants if who["left"]}
    here = [who["id"] for who in one.entrants if who["id"] not in out]
    won, lost = Counter[str](), Counter[str]()
    for match in played:
        if match.at.competition != one.competition or not out.isdisjoint(match.at.sides):
            continue
        turned = (one.competition, match.at.match) == night.corrected
        won[match.loser if turned else match.winner] += 1
        lost[match.winner if turned else match.loser] += 1
    rows = {row["entrant"]: row for row in one.standings}
    assert not out or _is_struck(one, next(iter(out))), "the withdrawn had played too much"
    for who in here:
        assert (rows[who]["won"], rows[who]["lost"]) == (won[who], lost[who])
        assert rows[who]["points"] == 2 * won[who]
        assert won[who] + lost[who] == len(here) - 1
    ranked = [row["points"] for row in one.standings if not row["has_left"]]
    assert ranked == sorted(ranked, reverse=True)


def _is_struck(one: m.CompetitionShown, who: str) -> bool:
    return all(match["struck"] for match in one.fixtures if who in match["sides"])


def check_final(one: m.CompetitionShown, played: list[Played]) -> list[str]:
    """BR-103, BR-104: out is who has lost twice, the champion alone has not; the places follow.

    Returns the places as they are counted from the matches, the champion first.
    """
    losses, gone = Counter[str](), []
    mine = [match for match in played if match.at.competition == one.competition]
    for match in mine:
        for who in match.at.sides:
            assert losses[who] < 2, f"{who} played on with two losses"
        losses[match.loser] += 1
        if losses[match.loser] == 2:
            gone.append(match.loser)
    people = {who["id"] for who in one.entrants}
    (champion,) = people - set(gone)
    assert losses[champion] == len(mine) - 2 * (len(people) - 1) <= 1
    counted = [champion, *reversed(gone)]
    places = {placing["entrant"]: (placing["first"], placing["last"]) for placing in one.placings}
    for place, who in enumerate(counted[:4], 1):
        assert places[who] == (place, place)
    # those of one round share their places: 5-6, 7-8 …
    shared = defaultdict(set)
    for who, place in places.items():
        shared[place].add(who)
    assert all(last - first + 1 == len(who) for (first, last), who in shared.items())
    for place, who in enumerate(counted, 1):
        first, last = places[who]
        assert first <= last and abs(place - (first + last) / 2) <= (last - first) + 1
    return counted


def recount(database: Path, night: Night) -> list[str]:
    """Hold the night against what is stored; the places of the final, by name."""
    played = asyncio.run(stored(database))
    assert night.final is not None and night.withdrawn and night.killed == 1
    check_nobody_plays_twice_at_once(played)
    for group in night.groups:
        assert is_over(group)
        match = night.corrected[1] if group.competition == night.corrected[0] else ""
        check_results(group, played, match)
        check_group(group, played, night)
    check_results(night.final, played, "")
    counted = check_final(night.final, played)
    entered = {who["id"] for who in night.final.entrants}
    assert night.withdrawn not in entered and len(entered) == 2 * len(night.groups)
    log = [line for line in night.groups[0].log if line["act"]["act"] == "corrected"]
    assert len(log) == 1 and log[0]["act"]["old"] != log[0]["act"]["new"] and log[0]["by"]
    names = {who["id"]: who["name"] for who in night.final.entrants}
    return [names[who] for who in counted]


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
        night = asyncio.run(hold(Path(folder), plan, not options.fake, options.speed, options.seed))
        places = recount(Path(folder) / "night.sqlite3", night)
    print("recounted from the stored matches: " + ", ".join(places))
    print(f"{time.monotonic() - began:.0f} s")
    return 0


if __name__ == "__main__":
    sys.exit(main())
