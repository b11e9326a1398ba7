"""A club night: round robins in groups, then a double elimination of the first two of each."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import Any

from client.club.official import Official
from shared_rules import messages as m

LOOK_EVERY_S = 0.5


@dataclass(frozen=True)
class Plan:
    """Who plays, where, in how many groups, and to what races.

    ``rules``: the ruleset of all matches, as a map; ``settings``: more of each competition.
    """

    people: tuple[str, ...]
    stations: tuple[str, ...]
    groups: int = 4
    race: int = 1
    final_race: int = 1
    rules: dict[str, Any] | None = None
    settings: dict[str, Any] | None = None


class Evening:
    """Holds the night as its official: opens, draws, looks on, lets held matches go on."""

    def __init__(self, official: Official, plan: Plan, say: Callable[[str], None] = print) -> None:
        self.official = official
        self.plan = plan
        self._say = say
        self._settled: dict[str, int] = {}

    async def open_groups(self) -> list[str]:
        """The groups, drawn; people are dealt out in turn, the strongest first.  Their ids."""
        plan, made = self.plan, []
        for number in range(plan.groups):
            people = plan.people[number :: plan.groups]
            name = await self._open(
                f"Group {chr(ord('A') + number)}", {"format": "round_robin"}, plan.race
            )
            await self._enter(name, people)
            made.append(name)
        return made

    async def open_final(self, groups: Sequence[str]) -> str:
        """The double elimination of the first two of each group, its winners seeded first."""
        seeds: list[tuple[int, int, str]] = []
        for number, group in enumerate(groups):
            rows = (await self.official.shown(group)).standings
            for place, row in enumerate([row for row in rows if not row["has_left"]][:2]):
                seeds.append((place, number, row["entrant"]))
        name = await self._open("Final", {"format": "double"}, self.plan.final_race, seeding="hand")
        people = [who for _, _, who in sorted(seeds)]
        await self._enter(name, people)
        return name

    async def _open(self, name: str, form: dict[str, Any], race: int, **more: Any) -> str:
        settings = {"name": name, "format": form, "race_to": race, **(self.plan.settings or {})}
        settings |= more | ({"ruleset": self.plan.rules} if self.plan.rules else {})
        answer = await self.official.ask(m.OpenCompetition, settings=settings)
        await self.official.act(
            answer.competition, "stations_set", stations=list(self.plan.stations)
        )
        self._say(f"{name} is {answer.competition}")
        return str(answer.competition)

    async def _enter(self, name: str, people: Sequence[str]) -> None:
        for who in people:
            await self.official.act(name, "entered", entrant={"id": who, "name": who})
        entered = [one["id"] for one in (await self.official.shown(name)).entrants]
        await self.official.act(name, "seeded", order=entered)
        await self.official.ask(m.DrawCompetition, competition=name, seed=1)

    async def until_over(
        self,
        names: Sequence[str],
        look: Callable[[list[m.CompetitionShown]], Awaitable[None]] | None = None,
    ) -> list[m.CompetitionShown]:
        """Wait until these are played; ``look`` is shown them again and again meanwhile."""
        while True:
            shown = [await self.official.shown(name, log=True) for name in names]
            for one in shown:
                self._tell(one)
                await self._let_go_on(one)
            if look is not None:
                await look(shown)
            if all(is_over(one) for one in shown):
                return shown
            await asyncio.sleep(LOOK_EVERY_S)

    def _tell(self, one: m.CompetitionShown) -> None:
        """Say in a line each what has been settled."""
        names = {who["id"]: who["name"] for who in one.entrants}
        done = [f for f in one.fixtures if f["outcome"] and f["outcome"]["entry"]]
        done.sort(key=lambda match: match["outcome"]["entry"])
        for match in done[self._settled.get(one.competition, 0) :]:
            out = match["outcome"]
            score = "{}:{}".format(*out["score"]) if out["score"] else out["kind"]
            first, second = (names[side] for side in match["sides"])
            self._say(f"{one.settings['name']} {match['id']}: {first} - {second} {score}")
        self._settled[one.competition] = len(done)

    async def _let_go_on(self, one: m.CompetitionShown) -> None:
        """Matches that the server has kept back, because their players had gone."""
        held = {}
        for line in one.log:
            if line["act"]["act"] == "held":
                held[line["act"]["match"]] = line["act"]["held"]
        for match in (match for match, kept in held.items() if kept):
            if any(f["id"] == match and f["outcome"] is None for f in one.fixtures):
                await self.official.act(one.competition, "held", match=match, held=False)


def is_over(one: m.CompetitionShown) -> bool:
    """Whether every match of it is settled."""
    return bool(one.fixtures) and all(
        match["outcome"] or match["empty"] or match["struck"] for match in one.fixtures
    )
