"""Nobody acts as an official on a match of his own, nor against whom he plays: that would be to
decide it.  Another official must.
"""

from server.competitions import acts as entries
from server.competitions.competition import Competition
from server.storage.store import Store
from shared_rules.messages import oversight as acts
from shared_rules.refusal import Code, Refusal

KEEPS_OUT = (
    acts.SuspendPerson, acts.MutePerson, acts.KickPerson, acts.EndSessions, acts.ResetPassword,
    acts.TakePin,
)  # fmt: skip
"""Acts that send somebody away, or silence him."""
_Settles = entries.Result | entries.Forfeit | entries.WalkOver


def own_match() -> Refusal:
    """The refusal."""
    return Refusal(Code.OWN_MATCH, "it is a match of your own: another official must do that")


async def check_match(store: Store, by: str | None, match: str) -> None:
    """Nothing, if somebody has no seat at a match, running or over.

    Raises:
        Refusal: ``own_match``; ``unknown_table``.
    """
    seats = await store.matches.seats(match)
    if seats is None:
        raise Refusal(Code.UNKNOWN_TABLE, f"there is no table {match!r}")
    if by in seats:
        raise own_match()


async def check_opponent(store: Store, by: str | None, target: str) -> None:
    """Nothing, if two have no unfinished match together.

    Raises:
        Refusal: ``own_match``.
    """
    if by is not None and by != target:
        tables = await store.people.tables_of([by, target])
        if tables[by] & tables[target]:
            raise own_match()


def check_entry(competition: Competition, by: str, act: entries.AnyAct) -> None:
    """Nothing, if an entry into a competition settles no match of who makes it, for himself or his
    team, and puts out nobody whom he is to play.

    Raises:
        Refusal: ``own_match``.
    """
    settled: set[str] = set()
    match act:
        case entries.BoardResult() | entries.Result() | entries.Forfeit() | entries.WalkOver():
            settled = {act.match}
        case entries.Corrected(old=old, new=new):
            settled = {one.match for one in (old, new) if isinstance(one, _Settles)}
        case entries.Withdrawn(entrant=entrant):
            entrants = competition.facts.entrants
            if entrant in entrants and by not in entrants[entrant].people:
                settled = {
                    name
                    for name, fixture in competition.fixtures.items()
                    if fixture.is_open and entrant in fixture.pair
                }
    for name in settled & competition.fixtures.keys():
        if by in competition.people_of(competition.fixtures[name]):
            raise own_match()
