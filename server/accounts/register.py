"""The register: people and what officials have done, in pages, for those who may see them."""

import msgspec

from server.names import name_key
from server.people import People
from server.storage.actions import ActionRecord
from server.storage.people import ListedPerson
from server.storage.records import PersonRecord
from server.storage.store import Store
from server.terms import code_key
from shared_rules.messages import (
    ActionsListed,
    ActionSummary,
    ListActions,
    ListPeople,
    PeopleListed,
    PersonSummary,
)
from shared_rules.messages.oversight import AnyAct, MutePerson, SuspendPerson
from shared_rules.refusal import Code, Refusal

_act = msgspec.msgpack.Decoder(AnyAct)
_BETWEEN = "\n"  # no name has one


async def list_people(store: Store, people: People, request: ListPeople) -> PeopleListed:
    """A page of people by name.

    Raises:
        Refusal: ``out_of_range``: ``after`` is no ``more`` of ours.
    """
    after: tuple[str, str] | None = None
    if request.after is not None:
        key, found, person = request.after.partition(_BETWEEN)
        if not found:
            raise Refusal(Code.OUT_OF_RANGE, "after: give the `more` of the page before")
        after = (key, person)
    starts = name_key(request.starts)
    listed = await store.people.listed(starts, after, request.limit + 1)
    page, rest = listed[: request.limit], listed[request.limit :]
    sanctions: dict[str, list[str]] = {}
    ids = [one.record.person for one in page]
    tables = await store.people.tables_of(ids)
    for action in await store.actions.sanctions(ids, people.wall()):
        sanctions.setdefault(action.person or "", []).append(action.action)
    last = page[-1] if rest else None
    return PeopleListed(
        re=request.id,
        people=tuple(_person(one, people, tables[one.record.person], sanctions) for one in page),
        more=f"{last.name_key}{_BETWEEN}{last.record.person}" if last is not None else None,
    )


def _person(
    listed: ListedPerson, people: People, tables: set[str], sanctions: dict[str, list[str]]
) -> PersonSummary:
    record = listed.record
    present = people.present(record.person)
    return PersonSummary(
        person=record.person,
        name=record.name,
        account=record.account,
        role=record.role,
        present=present is not None and present.connection is not None,
        tables=tuple(sorted(tables)),
        created_at=listed.created_at,
        used_at=listed.used_at,
        pin=listed.pin,
        sanctions=tuple(sorted(sanctions.get(record.person, ()))),
    )


async def list_actions(
    store: Store, request: ListActions, who: PersonRecord | None, now: float
) -> ActionsListed:
    """What officials have done, the latest first."""
    found = await store.actions.actions(
        who.person if who is not None else None,
        request.table and code_key(request.table),
        request.before,
        request.limit,
    )
    ids = {i for a in found for i in (a.by_person, a.person, a.undone_by) if i is not None}
    names = await store.people.names(ids)
    return ActionsListed(
        re=request.id, actions=tuple(_summary(action, names, now) for action in found)
    )


def _summary(action: ActionRecord, names: dict[str, str], now: float) -> ActionSummary:
    act = _act.decode(action.body)
    evidence = act if isinstance(act, SuspendPerson | MutePerson) else None
    return ActionSummary(
        action=action.action,
        at=action.at,
        by=names.get(action.by_person or ""),
        act=action.act,
        who=names.get(action.person or ""),
        person=action.person,
        table=action.match or (evidence.table if evidence is not None else None),
        reason=action.reason,
        until=action.until,
        shots=evidence.shots if evidence is not None else (),
        in_force=action.in_force(now),
        undone_at=action.undone_at,
        undone_by=names.get(action.undone_by or ""),
        undone_reason=action.undone_reason,
    )
