"""A plain recount of a club night from what is stored: matches, and the club's own book.

Standings, bracket and places are held against what a human would count from the matches.
"""

import asyncio
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from client.club.evening import is_over
from server.competitions import acts as a
from server.competitions.acts import Entry
from server.storage.competitions import LeagueTable
from server.storage.records import MatchRecord
from server.storage.store import Store
from shared_rules import messages as m
from shared_rules.commands import Resume, Suspend
from shared_rules.match import replay


@dataclass
class Night:
    """What has happened, as the official was shown it last."""

    groups: list[m.CompetitionShown] = field(default_factory=list)
    final: m.CompetitionShown | None = None
    withdrawn: str = ""
    corrected: tuple[str, str] = ("", "")  # competition, match
    killed: int = 0


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
            record = await store.matches.load(at.table)
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


def check_nobody_is_called_twice(logs: Iterable[tuple[str, Entry]]) -> None:
    """BR-108 by the club's own book, over all competitions: nobody is called while a call of his
    holds, and no station gets a second match.

    ``logs``: every line with its competition, in the order of time.
    """
    calls: dict[tuple[str, str], a.Called] = {}
    for name, line in logs:
        match line.act:
            case a.Called() as call:
                for key, other in calls.items():
                    if key != (name, call.match):
                        assert set(call.sides).isdisjoint(other.sides), (key, other, line)
                        assert call.station != other.station, (key, other, line)
                calls[name, call.match] = call
            case a.CalledOff() | a.Result() | a.Forfeit() | a.WalkOver() as act:
                calls.pop((name, act.match), None)
            case a.Withdrawn(entrant=who):
                for key in [k for k, c in calls.items() if k[0] == name and who in c.sides]:
                    del calls[key]


async def logged(database: Path) -> list[tuple[str, Entry]]:
    """Every line of every competition, in the order of time."""
    store = await Store.open(f"sqlite+aiosqlite:///{database}")
    try:
        kept = await store.competitions.all()
    finally:
        await store.close()
    lines = [(one.id, line) for one in kept for line in one.log]
    return sorted(lines, key=lambda pair: (pair[1].at, pair[0], pair[1].number))


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
    check_nobody_is_called_twice(asyncio.run(logged(database)))
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
