"""What officials do to people and tables, each act on record before it takes effect, and undone.

One place checks the right and the rank, carries the act out and stores who gave it, when and why.
Somebody at the command line of the server's own machine acts without a person (``by`` None).
"""

import asyncio
import time

from server.accounts import own_matches, register, roles, table_acts
from server.accounts.given import Given, digest_of, on_record
from server.accounts.pins import check_may_have, check_pin, may_have
from server.accounts.roles import Right
from server.accounts.tokens import new_id
from server.connection import Connection
from server.floor import Floor
from server.names import clean_name, name_key
from server.people import People
from server.person import Person
from server.storage import people as rows
from server.storage.actions import ActionRecord, recorded, undone, without_address
from server.storage.pins import new_pin
from server.storage.records import PersonRecord, Statements
from server.storage.store import Store
from server.terms import code_key
from shared_rules.messages import (
    Accepted,
    Goodbye,
    ListActions,
    ListPeople,
    Oversee,
)
from shared_rules.messages import oversight as acts
from shared_rules.refusal import Code, Refusal

_MOST_NAMESAKES = 5
_NEEDS: dict[type[acts.OfficialAct], Right] = {
    acts.CreateAccount: Right.ADMINISTER,
    acts.SetRole: Right.ADMINISTER,
    acts.ResetPassword: Right.ADMINISTER,
    acts.EndSessions: Right.ADMINISTER,
    acts.GivePin: Right.GIVE_PINS,
    acts.TakePin: Right.GIVE_PINS,
    acts.SuspendPerson: Right.SANCTION,
    acts.MutePerson: Right.SANCTION,
    acts.KickPerson: Right.SANCTION,
    acts.LiftSanction: Right.SANCTION,
    acts.OpenAddress: Right.SANCTION,
    acts.CloseTable: Right.RUN_TABLES,
    acts.ReopenTable: Right.RUN_TABLES,
    acts.AdjournTable: Right.RUN_TABLES,
    acts.AwardTable: Right.RUN_TABLES,
    acts.DiscountMatch: Right.RUN_TABLES,
}


class Oversight:
    """Carries out what officials ask."""

    def __init__(self, store: Store, people: People, floor: Floor | None) -> None:
        """``floor``: None while no server runs, when tables can't be run either."""
        self._store = store
        self._people = people
        self._floor = floor
        self._acting = asyncio.Lock()

    async def take(
        self, connection: Connection, request: Oversee | ListPeople | ListActions
    ) -> None:
        """Carry out an official's request and answer it.

        Raises:
            Refusal, NotStored: nothing has changed.
        """
        person = connection.speaker
        if person is None:
            return
        match request:
            case ListPeople():
                roles.check(person.role, Right.SEE_PEOPLE)
                connection.send(await register.list_people(self._store, self._people, request))
            case ListActions():
                roles.check(person.role, Right.SEE_PEOPLE)
                who = await self.find(request.who) if request.who is not None else None
                now = self._people.wall()
                connection.send(await register.list_actions(self._store, request, who, now))
            case Oversee():
                connection.send(await self._oversee(person, request))

    async def _oversee(self, person: Person, request: Oversee) -> Accepted:
        given = Given(
            act=request.act,
            reason=request.reason,
            by=person.id,
            role=person.role,
            request=request.id,
            digest=digest_of(request),
        )
        known = await self._store.actions.action_of_request(person.id, request.id)
        if known is not None and known.digest != given.digest:
            raise Refusal(Code.ID_REUSED, f"the id {request.id} was used for another request")
        action = known or await self.carry(given)
        return Accepted(re=request.id, table=action.match, action=action.action)

    async def carry(self, given: Given) -> ActionRecord:
        """Carry an act out; returns what is on record.

        Raises:
            Refusal, NotStored: nothing has changed.
        """
        roles.check(given.role, _NEEDS[type(given.act)])
        async with self._acting:
            match given.act:
                case acts.CreateAccount():
                    return await self._create(given, given.act)
                case acts.LiftSanction():
                    return await self._lift(given, given.act)
                case acts.OpenAddress():
                    return await self._open_address(given, given.act)
                case (
                    acts.CloseTable() | acts.ReopenTable() | acts.AdjournTable()
                    | acts.AwardTable() | acts.DiscountMatch()
                ):  # fmt: skip
                    return await self._at_table(given, given.act.table)
                case _:
                    return await self._to_person(given, given.act)

    # --- to people ----------------------------------------------------------------------------

    async def _create(self, given: Given, act: acts.CreateAccount) -> ActionRecord:
        name = clean_name(act.name)
        hashed, pin_hash = await self._new_secrets(act, name)
        async with self._people.lock:
            await self._people.check_name_free(name)
            record = PersonRecord(person=new_id(), name=name, account=True, role=act.role)
            action = on_record(given, self._people.wall(), person=record.person)
            key, now = name_key(name), action.at
            await self._store.actions.record(
                action,
                rows.new_account(record, key, hashed, now, pin_hash),
                before=[rows.new_person(record, key, now)],
            )
        return action

    async def _new_secrets(self, act: acts.CreateAccount, name: str) -> tuple[str, str | None]:
        """Hashes of a new account's password and PIN; empty and None for those it has not."""
        if act.password is None and act.pin is None:
            raise Refusal(Code.OUT_OF_RANGE, "an account needs a password or a PIN")
        if act.password is not None:
            await self._people.passwords.check(act.password, name)
        if act.pin is not None:
            self._people.check_pins()
            check_pin(act.pin)
            check_may_have(True, act.role)
        passwords = self._people.passwords
        hashed = await passwords.hash(act.password) if act.password is not None else ""
        return hashed, await passwords.hash(act.pin) if act.pin is not None else None

    async def _to_person(
        self,
        given: Given,
        act: (
            acts.SetRole | acts.ResetPassword | acts.GivePin | acts.TakePin | acts.EndSessions
            | acts.SuspendPerson | acts.MutePerson | acts.KickPerson
        ),
    ) -> ActionRecord:  # fmt: skip
        target = await self.find(act.who)
        if target.person != given.by:
            roles.check_above(given.role, target.role)
        elif isinstance(act, acts.SuspendPerson | acts.MutePerson | acts.KickPerson):
            raise Refusal(Code.NOT_ALLOWED, "that is not for yourself")
        if isinstance(act, own_matches.KEEPS_OUT):
            await own_matches.check_opponent(self._store, given.by, target.person)
        match act:
            case acts.SetRole():
                return await self._set_role(given, act, target)
            case acts.ResetPassword():
                return await self._reset(given, act, target)
            case acts.GivePin():
                return await self._give_pin(given, act, target)
            case acts.TakePin():
                action = on_record(given, self._people.wall(), person=target.person)
                ended = rows.ended(target.person)
                await self._store.actions.record(action, new_pin(target.person, None), *ended)
                self._hang_up(target, "your PIN was taken back")
            case acts.EndSessions():
                action = on_record(given, self._people.wall(), person=target.person)
                await self._store.actions.record(action, *rows.ended(target.person))
                self._hang_up(target, "your sign-in was revoked")
            case acts.SuspendPerson():
                await self._check_not_last(target)
                action = self._sanction(given, target, act.until)
                await self._store.actions.record(action)
                self._hang_up(target, f"you are suspended: {given.reason}")
            case acts.MutePerson():
                action = self._sanction(given, target, act.until)
                await self._store.actions.record(action)
                present = self._people.present(target.person)
                if present is not None:
                    present.mutes[action.action] = action
            case acts.KickPerson():
                present = self._people.present(target.person)
                if present is None or present.connection is None:
                    raise Refusal(Code.UNKNOWN_PERSON, f"{target.name} is not here")
                action = on_record(given, self._people.wall(), person=target.person)
                await self._store.actions.record(action)
                self._hang_up(target, f"an official has sent you away: {given.reason}")
        return action

    async def _set_role(
        self, given: Given, act: acts.SetRole, target: PersonRecord
    ) -> ActionRecord:
        _check_account(target)
        if act.role != "administrator":
            await self._check_not_last(target)
        action = on_record(given, self._people.wall(), person=target.person)
        changes = [rows.new_role(target.person, act.role)]
        if not may_have(act.role):
            changes.append(new_pin(target.person, None))
        await self._store.actions.record(action, *changes)
        present = self._people.present(target.person)
        if present is not None:
            present.role = act.role
        return action

    async def _give_pin(
        self, given: Given, act: acts.GivePin, target: PersonRecord
    ) -> ActionRecord:
        self._people.check_pins()
        check_may_have(target.account, target.role)
        check_pin(act.pin)
        hashed = await self._people.passwords.hash(act.pin)
        action = on_record(given, self._people.wall(), person=target.person)
        await self._store.actions.record(action, new_pin(target.person, hashed))
        self._people.proof.pins.forget(name_key(target.name))
        return action

    async def _reset(
        self, given: Given, act: acts.ResetPassword, target: PersonRecord
    ) -> ActionRecord:
        _check_account(target)
        await self._people.passwords.check(act.password, target.name)
        hashed = await self._people.passwords.hash(act.password)
        action = on_record(given, self._people.wall(), person=target.person)
        await self._store.actions.record(
            action, rows.new_password(target.person, hashed), *rows.ended(target.person)
        )
        self._hang_up(target, "your password was reset")
        return action

    async def _in_force(self, given: Given, action: str) -> ActionRecord:
        """What is in force by an act, for somebody who may take it back.

        Raises:
            Refusal: ``unknown_act``, ``wrong_state``, ``not_allowed``.
        """
        found = await self._store.actions.action(action)
        if found is None:
            raise Refusal(Code.UNKNOWN_ACT, f"there is no action {action!r} on record")
        if not found.in_force(self._people.wall()):
            raise Refusal(Code.WRONG_STATE, "that is nothing that is in force")
        person = found.person and await self._store.people.person(found.person)
        if person:
            roles.check_above(given.role, person.role)
        return found

    async def _open_address(self, given: Given, act: acts.OpenAddress) -> ActionRecord:
        """A guest's sanction stays, but is his alone and that of his name."""
        found = await self._in_force(given, act.action)
        if found.address is None or found.person is None:
            raise Refusal(Code.WRONG_STATE, "no address is closed by that")
        action = on_record(given, self._people.wall(), person=found.person)
        await self._store.actions.record(action, without_address(found.action))
        guest = await self._store.people.person(found.person)
        for present in self._people.everybody():
            if guest is None or present.key != name_key(guest.name):
                present.mutes.pop(found.action, None)
        return action

    async def _lift(self, given: Given, act: acts.LiftSanction) -> ActionRecord:
        found, now = await self._in_force(given, act.action), self._people.wall()
        action = on_record(given, self._people.wall(), person=found.person, match=found.match)
        undo = undone(found.action, given.by, given.reason, now)
        if found.person is not None and found.person == given.by:
            raise Refusal(Code.NOT_ALLOWED, "that is not for yourself")
        if found.act == "discount" and found.match is not None:
            await own_matches.check_match(self._store, given.by, found.match)
            await self._counts_again(found.match, (recorded(action), undo))
            return action
        await self._store.actions.record(action, undo)
        for present in self._people.everybody():  # those who came after him have it too
            present.mutes.pop(found.action, None)
        return action

    async def _counts_again(self, match: str, record: Statements) -> None:
        if self._floor is None:
            raise Refusal(Code.WRONG_STATE, "ratings can be changed only while the server runs")
        await table_acts.discounting(self._floor, self._store, match, on=False)(record)

    async def _check_not_last(self, target: PersonRecord) -> None:
        if target.role == "administrator":
            now = self._people.wall()
            if await self._store.people.count("administrator", now) <= 1:
                raise Refusal(Code.NOT_ALLOWED, "a server keeps at least one administrator")

    def _hang_up(self, target: PersonRecord, reason: str) -> None:
        present = self._people.present(target.person)
        if present is not None and present.connection is not None:
            present.connection.hang_up(Goodbye(reason=reason, come_back=False))

    def _until(self, until: float | None) -> float | None:
        if until is not None and until <= self._people.wall():
            raise Refusal(Code.OUT_OF_RANGE, "until: that time is over")
        return until

    async def find(self, who: str) -> PersonRecord:
        """A person by id, by the name of an account, or by that of a guest: who is here, else the
        only one of that name who may come back.

        Raises:
            Refusal: ``unknown_person``; the message names the ids of several.
        """
        store = self._store.people
        by_id = await store.person(who)
        if by_id is not None:
            return by_id
        account = await store.account(name_key(who))
        if account is not None:
            return account[0]
        present = self._people.present_by_key(name_key(who))
        guest = present and await store.person(present.id)
        if guest:
            return guest
        gone = await self._store.guests.named(name_key(who), _MOST_NAMESAKES)
        if not gone:
            raise Refusal(Code.UNKNOWN_PERSON, f"nobody is known as {who}")
        if len(gone) > 1:
            ids = ", ".join(f"{record.person} (last here {_when(at)})" for record, at in gone)
            raise Refusal(
                Code.UNKNOWN_PERSON, f"several guests were called {who}; give the id of one: {ids}"
            )
        return gone[0][0]

    # --- at tables ----------------------------------------------------------------------------

    async def _at_table(self, given: Given, name: str) -> ActionRecord:
        if self._floor is None:
            raise Refusal(Code.WRONG_STATE, "tables can be run only while the server runs")
        name = code_key(name)
        await own_matches.check_match(self._store, given.by, name)
        now = self._people.wall()
        act = table_acts.carrying_out(
            given.act, self._floor, self._store, name, given.by, given.reason, now
        )
        action = on_record(given, self._people.wall(), match=name)
        await act((recorded(action),))
        return action

    def _sanction(self, given: Given, target: PersonRecord, until: float | None) -> ActionRecord:
        """Against a guest it holds for who comes anew in his place (``accounts.comebacks``)."""
        address = None if target.account else self._people.comebacks.address_of(target.person)
        now, until = self._people.wall(), self._until(until)
        return on_record(given, now, person=target.person, until=until, address=address)


def _check_account(target: PersonRecord) -> None:
    if not target.account:
        raise Refusal(Code.NOT_ALLOWED, f"{target.name} is a guest and has no account")


def _when(unix_time: float) -> str:
    return time.strftime("%Y-%m-%d %H:%M UTC", time.gmtime(unix_time))
