"""A competition as a function of its log: settings at the opening, and everything entered since.

``record`` takes one more line or refuses it and changes nothing; ``replay`` builds the same from
the log alone.  Fixtures, standings, placings and who is due are derived when they are asked for.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

from server.competitions import bracket, ladder, round_robin, swiss
from server.competitions.acts import Corrected, Entry
from server.competitions.facts import Call, Facts, gather
from server.competitions.fixtures import Fixture
from server.competitions.placings import Placing, placings
from server.competitions.setup import Ladder, RoundRobin, Settings, Swiss
from server.competitions.standings import Row, standings


@dataclass(frozen=True)
class Competition:
    """A competition after a log.  ``opened``: the settings with which it was opened."""

    opened: Settings
    log: tuple[Entry, ...]
    facts: Facts

    @property
    def settings(self) -> Settings:
        """The settings that hold now."""
        return self.facts.settings

    @cached_property
    def fixtures(self) -> dict[str, Fixture]:
        """Every match by its id, feeders first."""
        return {match.id: match for match in fixtures_of(self.facts)}

    @cached_property
    def calls(self) -> dict[str, Call]:
        """The matches that are at a station.

        A call lapses when the match is settled otherwise (one has left), when a correction has
        others meet, and when station or player has been called to another match since.
        """
        held: dict[str, Call] = {}
        stations, playing = set[str](), set[str]()
        newest = sorted(self.facts.calls.items(), key=lambda item: -item[1].entry)
        for name, call in newest:
            match = self.fixtures.get(name)
            if match is None or not match.is_open or match.sides != call.sides:
                continue
            people = self.people_of(match)
            if call.station not in stations and playing.isdisjoint(people):
                held[name] = call
                stations.add(call.station)
                playing |= people
        return dict(reversed(held.items()))

    def people_of(self, match: Fixture) -> frozenset[str]:
        """Everyone who plays, or may play for a team, in what is known of a match's sides."""
        entrants = self.facts.entrants
        return frozenset(who for side in match.pair for who in entrants[side].people)

    @cached_property
    def standings(self) -> tuple[Row, ...]:
        """The table of a round robin, a season or a Swiss; of other formats a plain count."""
        return standings(self.facts, self.fixtures.values())

    @cached_property
    def placings(self) -> tuple[Placing, ...]:
        """Who has which place."""
        return placings(self.facts, self.fixtures)

    @cached_property
    def is_over(self) -> bool:
        """Whether everything is drawn and settled; a ladder never is."""
        form = self.settings.format
        if not self.facts.started or isinstance(form, Ladder):
            return False
        if isinstance(form, Swiss) and len(self.facts.draws) < form.rounds:
            return False
        return all(m.outcome is not None or m.struck or m.empty for m in self.fixtures.values())


def fixtures_of(facts: Facts) -> Iterable[Fixture]:
    """The matches of any format."""
    match facts.settings.format:
        case RoundRobin():
            return round_robin.fixtures(facts)
        case Swiss():
            return swiss.fixtures(facts)
        case Ladder():
            return ladder.fixtures(facts)
        case _:
            return bracket.fixtures(facts)


def replay(opened: Settings, log: Iterable[Entry]) -> Competition:
    """The competition after a whole log.  Nothing is checked again: what was recorded counts."""
    lines = tuple(log)
    return Competition(opened, lines, gather(opened, lines))


def append(competition: Competition, entry: Entry) -> Competition:
    """The competition after one more line, unchecked (``competitions.record`` checks first)."""
    log = (*competition.log, entry)
    if isinstance(entry.act, Corrected):
        return replay(competition.opened, log)
    return Competition(competition.opened, log, competition.facts.after(entry))
