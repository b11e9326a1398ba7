"""An administrator at the command line of the server's own machine, while no server runs.

So the first administrator is made, and a lost one is put right.  Whoever may write to the database
may do everything; the acts are on record without a person.
"""

from collections.abc import Callable

from server.accounts import register
from server.accounts.given import Given
from server.accounts.oversight import Oversight
from server.config import ServerConfig, database_url
from server.people import People
from server.storage.database import DatabaseUnusable, NoDatabase
from server.storage.journal import NotStored
from server.storage.lock import DatabaseInUse
from server.storage.store import Store
from shared_rules.messages import (
    Accepted,
    ActionsListed,
    ListActions,
    ListPeople,
    Oversee,
    PeopleListed,
)
from shared_rules.refusal import Refusal


class Failed(Exception):
    """Nothing was done; the message tells a person why."""


Asked = Oversee | ListPeople | ListActions


async def answer(
    config: ServerConfig, request: Callable[[], Asked], make: bool = False
) -> Accepted | PeopleListed | ActionsListed:
    """Carry out a request on the database of a server with these settings.

    ``request`` is called once the database is open: nobody is asked for a password in vain.
    ``make``: a database that isn't there is made.

    Raises:
        Failed: nothing has changed.
    """
    try:
        store = await Store.open(database_url(config.database), make)
        return await _answer(store, config, request)
    except NoDatabase as error:
        raise Failed(f"{error}; `headstring serve` makes one, or add --new") from error
    except DatabaseInUse as error:
        raise Failed(f"{error}: ask that server, with --server") from error
    except (DatabaseUnusable, Refusal, NotStored) as error:
        raise Failed(str(error)) from error


async def _answer(
    store: Store, config: ServerConfig, asked: Callable[[], Asked]
) -> Accepted | PeopleListed | ActionsListed:
    people = People(store, config)
    failed = True
    try:
        answered = await _carried(store, people, asked)
        failed = False
        return answered
    finally:
        people.passwords.close()
        await store.close(undo=failed)


async def _carried(
    store: Store, people: People, asked: Callable[[], Asked]
) -> Accepted | PeopleListed | ActionsListed:
    oversight = Oversight(store, people, None)
    match request := asked():
        case ListPeople():
            return await register.list_people(store, people, request)
        case ListActions():
            who = await oversight.find(request.who) if request.who is not None else None
            return await register.list_actions(store, request, who, people.wall())
        case Oversee(act=act):
            given = Given(act=act, reason=request.reason, by=None, role="administrator")
            action = await oversight.carry(given)
            return Accepted(re=request.id, table=action.match, action=action.action)
