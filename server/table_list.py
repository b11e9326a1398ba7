"""What the list of tables says of one, and which are wanted."""

from server.accounts.roles import Right
from server.person import Person
from server.table import Table
from shared_rules.messages import ListTables, TableSummary
from shared_rules.state import Phase


def summary_of(table: Table) -> TableSummary:
    """A table as everybody may see it."""
    room, terms = table.room, table.room.terms
    state = room.public
    names = tuple(person.name if person is not None else None for person in room.seats)
    clock = state.clock.shot_clock if state is not None else terms.shot_clock
    return TableSummary(
        table=table.id,
        ruleset=terms.ruleset.id,
        players=(names[0], names[1]),
        phase=(state.phase if state is not None else Phase.WAITING_FOR_PLAYERS).value,
        games=state.games if state is not None else (0, 0),
        sets=state.sets if state is not None else (0, 0),
        games_to_win=terms.ruleset.match.games_to_win,
        sets_to_win=terms.ruleset.match.sets_to_win,
        races=terms.ruleset.match.races,
        watch=terms.watch,
        private=terms.private,
        spectators=room.spectators,
        shot_clock_s=clock.limit_s if clock is not None else None,
        referee=terms.referee_invitation is not None,
        delay_s=terms.delay_s,
        rated=terms.rated,
        chat=terms.chat,
    )


def is_listed(table: Table, person: Person | None) -> bool:
    """Whether the list tells somebody (None: anybody) of a table: if he may watch or sit down
    there without an invitation, plays there, or may watch any."""
    terms, room = table.room.terms, table.room
    if terms.watch == "everyone" or (not terms.private and None in room.seats):
        return True
    return person is not None and (person.may(Right.WATCH_ANY) or room.seat_of(person) is not None)


def is_wanted(table: Table, wanted: ListTables) -> bool:
    terms, seats = table.room.terms, table.room.seats
    if wanted.discipline is not None and wanted.discipline != terms.ruleset.discipline:
        return False
    if wanted.free and (terms.private or None not in seats):
        return False
    if wanted.watchable and terms.watch != "everyone":
        return False
    if wanted.rated is not None and wanted.rated != terms.rated:
        return False
    part = (wanted.player or "").casefold()
    return any(part in person.name.casefold() for person in seats if person is not None)
