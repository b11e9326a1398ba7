"""What officials do to tables: adjourn, close, reopen, award, discount.

Each is a function that takes the record of the act, which is written in the same commit as what
the act does: neither is ever there without the other.  A table that is put away is brought back
for it.
"""

from collections.abc import Awaitable, Callable
from typing import Literal

from server.course import Course
from server.floor import Floor
from server.storage.actions import undone
from server.storage.records import UNFINISHED, Statements
from server.storage.store import Store
from shared_rules.commands import Actor, AwardLoss, Order
from shared_rules.messages import oversight as acts
from shared_rules.refusal import Code, Refusal
from shared_rules.state import Phase, Seat

TableAct = Callable[[Statements], Awaitable[None]]


def carrying_out(
    act: acts.AnyAct,
    floor: Floor,
    store: Store,
    name: str,
    by: str | None,
    reason: str,
    at: float,
) -> TableAct:
    """What an act on a table does; ``by``, ``reason`` and ``at`` (Unix time) go on record."""
    match act:
        case acts.DiscountMatch():
            return discounting(floor, store, name)
        case acts.CloseTable():
            return closing(floor, name, reason)
        case acts.AdjournTable():
            return adjourning(floor, name, reason)
        case acts.AwardTable(seat=seat, scope=scope):
            return awarding(floor, name, seat, scope, reason)
        case _:
            return reopening(floor, store, name, by, reason, at)


def adjourning(floor: Floor, name: str, reason: str) -> TableAct:
    """The match waits until both players sit down again; both are asked to leave it."""

    async def act(record: Statements) -> None:
        async def job(course: Course) -> None:
            if course.keeper is None or _is_over(course):
                raise Refusal(Code.WRONG_STATE, "no match is being played at this table")
            _check_still(course)
            await course.put_away(f"adjourned by an official: {reason}", "adjourned", record)

        await floor.bring_back(name)
        await floor.find(name).oversee(job)

    return act


def closing(floor: Floor, name: str, reason: str) -> TableAct:
    """The table is no more; its match is kept as it stands, and ``reopening`` brings it back."""

    async def act(record: Statements) -> None:
        async def job(course: Course) -> None:
            _check_still(course)
            await course.put_away(f"closed by an official: {reason}", "closed", record)

        await floor.bring_back(name)
        await floor.find(name).oversee(job)

    return act


def awarding(
    floor: Floor, name: str, seat: Seat, scope: Literal["game", "set", "match"], reason: str
) -> TableAct:
    """A game, set or match to the player of a seat, whoever is there."""
    loser: Seat = 1 if seat == 0 else 0

    async def act(record: Statements) -> None:
        async def job(course: Course) -> None:
            loss = AwardLoss(seat=loser, scope=scope, reason=reason)
            if course.keeper is None:
                raise Refusal(Code.WRONG_STATE, "the match has not begun")
            course.keeper.check(Actor.SERVER, loss)
            await course.carry(Actor.SERVER, loss, also=record)

        await floor.bring_back(name)
        await floor.find(name).oversee(job)

    return act


def discounting(floor: Floor, store: Store, name: str, on: bool = True) -> TableAct:
    """A rated match that is over counts for no rating, or again."""

    async def act(record: Statements) -> None:
        try:
            async with floor.ratings.discounting(name, on) as also:
                await store.journal.write(*record, *also)
        except LookupError as error:
            said = "no rated match of this name counts" if on else "that match counts already"
            raise Refusal(Code.WRONG_STATE, said) from error

    return act


def reopening(
    floor: Floor, store: Store, name: str, by: str | None, reason: str, at: float
) -> TableAct:
    """A closed table is back, adjourned; so is a match that an official's award has ended.

    The order of that award is taken out of the log: the act that gave it stays on record, undone,
    with ``by``, ``reason`` and ``at`` (Unix time).
    """

    async def act(record: Statements) -> None:
        open_table = floor.tables.get(name)
        if open_table is not None and not _is_over(open_table.course):
            raise Refusal(Code.WRONG_STATE, "this table is open")
        match = await store.matches.load(name)
        if match is None:
            raise Refusal(Code.UNKNOWN_TABLE, f"there is no table {name!r}")
        if match.status in UNFINISHED:
            raise Refusal(Code.WRONG_STATE, "this match goes on as soon as its players are back")
        said = f"reopened by an official: {reason}"
        last = match.orders[-1] if match.orders else None
        awarded = match.status == "over" and last is not None and _is_award(last)
        if match.status != "closed" and not awarded:
            raise Refusal(Code.MATCH_OVER, "the match was played to its end")
        ended_by = await store.actions.last_action(name, "award" if awarded else "close_table")
        if awarded and ended_by is None:
            raise Refusal(Code.MATCH_OVER, "no official has ended this match")
        if open_table is not None:
            await open_table.oversee(lambda course: course.put_away(said, "over"))
        undo = undone(ended_by.action if ended_by is not None else "", by, reason, at)
        async with floor.ratings.withdrawing(name) as also:
            await store.matches.reopen(match, awarded, (*record, undo, *also))
        await floor.bring_back(name)

    return act


def _is_over(course: Course) -> bool:
    return course.keeper is not None and course.keeper.state.phase is Phase.MATCH_OVER


def _is_award(order: Order) -> bool:
    return order.by is Actor.SERVER and isinstance(order.command, AwardLoss)


def _check_still(course: Course) -> None:
    if course.keeper is not None and course.keeper.state.phase is Phase.SHOT_RUNNING:
        raise Refusal(Code.BALLS_MOVING, "the balls are still moving; a moment")
