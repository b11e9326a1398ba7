"""The one door for what a person writes and others read, whatever message it comes in.

Every text is cleaned. Who is muted, or lets his texts come too fast, is refused, as is who may
write nothing at a table, for texts there.  What an official or referee gives as the reason of an
act is read also by those who have muted him; any other text to one person is dropped for one who
has.

``TEXTS`` names every such field, ``NOT_READ`` every other text that a client sends and why nobody
else reads it as it was written.
"""

from collections import OrderedDict
from collections.abc import Awaitable, Callable, Iterator
from typing import Any, TypeVar

import msgspec

from server.chat.text import check_line, cleaned
from server.connection import Connection
from server.flood import Bucket
from server.people import People
from server.person import Person
from server.room import Room
from shared_rules import acts, commands
from shared_rules import messages as m
from shared_rules.commands import PlayerCommand, RefereeCommand
from shared_rules.messages import oversight
from shared_rules.messages.chat import MAX_LINE
from shared_rules.presets import PRESETS
from shared_rules.refusal import Code, Refusal

_RATE, _BURST = 0.5, 5.0  # texts of a person
_MOST_BUCKETS = 4096

TEXTS: dict[type[msgspec.Struct], tuple[str, ...]] = {
    m.Say: ("text",),
    m.Silence: ("reason",),
    m.AnswerChallenge: ("reason",),
    m.Oversee: ("reason",),
    m.OpenTable: ("overrides",),  # its id, the name of a club's own rules
    m.TableTerms: ("overrides",),
    m.Hello: ("client",),  # listed to himself and so printed
    oversight.SuspendPerson: ("table",),
    oversight.MutePerson: ("table",),
    commands.Choose: ("reason",),
    commands.RequestRuling: ("reason",),
    acts.AwardLoss: ("reason",),
    acts.Act: ("reason",),  # of whatever kind
}

_A_NAME = "names somebody or something that there is; an unknown one is refused"
_SECRET = "is compared and never shown"
_CHECKED = "is checked letter by letter (server.names)"
_CLUB = "is cleaned whole by server.club, and comes from officials alone"
_LOOKS = "is looked for and never shown"
NOT_READ: dict[type[msgspec.Struct], dict[str, str]] = {
    m.Hello: {"name": _CHECKED, "account": _CHECKED, "token": _SECRET, "password": _SECRET},
    m.Register: {"password": _SECRET},
    m.ChangePassword: {"old": _SECRET, "new": _SECRET},
    m.ChangePin: {"old": _SECRET, "pin": _SECRET},
    m.EndSession: {"session": _A_NAME},
    m.ListTables: {"discipline": _LOOKS, "player": _LOOKS},
    m.OpenTable: {"ruleset": _A_NAME, "table": _A_NAME},
    m.TableTerms: {"ruleset": _A_NAME, "table": _A_NAME},
    m.JoinTable: {"table": _A_NAME, "invitation": _SECRET},
    m.WatchTable: {"table": _A_NAME, "invitation": _SECRET},
    m.OfficiateTable: {"table": _A_NAME, "invitation": _SECRET},
    m.LeaveTable: {"table": _A_NAME},
    m.ClaimAbsence: {"table": _A_NAME},
    m.Aim: {"table": _A_NAME},
    m.Play: {"table": _A_NAME},
    m.ListReplays: {"player": _LOOKS, "page": _LOOKS},
    m.GetReplay: {"match": _A_NAME, "invitation": _SECRET},
    m.ListPeople: {"starts": _LOOKS, "after": _LOOKS},
    m.ListActions: {"who": _A_NAME, "table": _LOOKS},
    m.Challenge: {"who": _A_NAME},
    m.AnswerChallenge: {"challenge": _A_NAME},
    m.WithdrawChallenge: {"challenge": _A_NAME},
    m.Rematch: {"table": _A_NAME},
    m.Relate: {"who": _A_NAME},
    m.GetRating: {"who": _A_NAME, "discipline": _LOOKS},
    m.Say: {"table": _A_NAME},
    m.OpenCompetition: {"settings": _CLUB},
    m.EnterAct: {"competition": _A_NAME, "act": _CLUB},
    m.DrawCompetition: {"competition": _A_NAME},
    m.GetCompetition: {"competition": _A_NAME},
    m.Silence: {"table": _A_NAME, "who": _A_NAME},
    acts.CallFoul: {"foul": _A_NAME},
    acts.CallUnsportsmanlike: {"kind": "is told only where it is one of the ruleset's words"},
    oversight.CreateAccount: {"name": _CHECKED, "password": _SECRET, "pin": _SECRET},
    oversight.ResetPassword: {"who": _A_NAME, "password": _SECRET},
    oversight.GivePin: {"who": _A_NAME, "pin": _SECRET},
    oversight.LiftSanction: {"action": _A_NAME},
    oversight.OpenAddress: {"action": _A_NAME},
    **{
        act: {"who": _A_NAME}
        for act in (
            oversight.SetRole, oversight.TakePin, oversight.EndSessions, oversight.SuspendPerson,
            oversight.MutePerson, oversight.KickPerson,
        )
    },
    **{
        act: {"table": _A_NAME}
        for act in (
            oversight.CloseTable, oversight.ReopenTable, oversight.AdjournTable,
            oversight.AwardTable, oversight.DiscountMatch,
        )
    },
}  # fmt: skip

_INSIDE = ("command", "act", "terms")
"""Fields that hold something with texts of its own."""
_MOST: dict[type[msgspec.Struct], int] = {m.Say: MAX_LINE}
_NEEDED = (m.Say, m.Silence, m.Oversee)
"""Nobody is to get these without a text."""
Checks = Callable[[Person, str], Awaitable[None]]

S = TypeVar("S", bound=msgspec.Struct)


def text_fields(kind: type[msgspec.Struct]) -> tuple[str, ...]:
    """The fields of a message, or of a part of one, that others read."""
    return next((TEXTS[base] for base in kind.__mro__ if base in TEXTS), ())


def without_tricks(message: S) -> S:
    """The message with every text in it cleaned; the same for the same message."""
    changes: dict[str, Any] = {}
    for field in text_fields(type(message)):
        text = getattr(message, field)
        if isinstance(text, str):
            changes[field] = cleaned(text)
        elif isinstance(text, dict) and isinstance(text.get("id"), str):
            changes[field] = text | {"id": cleaned(text["id"])}
    for field in _INSIDE:
        inner = getattr(message, field, None)
        if isinstance(inner, msgspec.Struct):
            changes[field] = without_tricks(inner)
    return msgspec.structs.replace(message, **changes) if changes else message


def texts_of(message: msgspec.Struct) -> Iterator[tuple[msgspec.Struct, str]]:
    """What others will read of a (cleaned) message that is in somebody's own words."""
    for field in text_fields(type(message)):
        text = getattr(message, field)
        if isinstance(text, dict):
            text = text.get("id")  # of any kind: what it should be is read later
            if isinstance(text, str) and text in PRESETS:
                continue
        if isinstance(text, str) and (text or isinstance(message, _NEEDED)):
            yield message, text
    for field in _INSIDE:
        inner = getattr(message, field, None)
        if isinstance(inner, msgspec.Struct):
            yield from texts_of(inner)


def without_words(command: PlayerCommand | RefereeCommand) -> PlayerCommand | RefereeCommand:
    """A player's command, for an opponent who has muted him."""
    if isinstance(command, commands.Claim):
        if not getattr(command.act, "reason", ""):
            return command
        return msgspec.structs.replace(command, act=msgspec.structs.replace(command.act, reason=""))
    return msgspec.structs.replace(command, reason="") if hasattr(command, "reason") else command


class TextDoor:
    """Who may write what now; ``silent_at`` refuses who may write nothing at a table."""

    def __init__(
        self, people: People, room_of: Callable[[str], Room | None], silent_at: Checks
    ) -> None:
        """``room_of``: of an open table, however its name is written."""
        self._people = people
        self._room_of = room_of
        self._silent_at = silent_at
        self._buckets: OrderedDict[str, Bucket] = OrderedDict()

    async def check(self, connection: Connection, message: msgspec.Struct, now: float) -> None:
        """Nothing, if what a cleaned message says may be said now (real seconds).

        Raises:
            Refusal: ``muted``, ``too_many``, ``out_of_range``.
        """
        person = connection.speaker
        texts = list(texts_of(message))
        if person is None or not texts:
            return
        for part, text in texts:
            if isinstance(part, _NEEDED):
                check_line(text, _MOST.get(type(part), MAX_LINE))
        if isinstance(message, m.Oversee):
            return  # who may act against people is muted by losing that right
        person.check_may_talk(self._people.wall())
        room = None
        if isinstance(message, m.Say | m.Play) and message.table is not None:
            room = self._room_of(message.table)
        if room is not None:
            await self._silent_at(person, room.table)
            if isinstance(message, m.Play) and room.role_of(connection) == "referee":
                return  # a ruling
        if not self._bucket(person).take(now):
            raise Refusal(Code.TOO_MANY, "too many lines; wait a little")

    def _bucket(self, person: Person) -> Bucket:
        found = self._buckets.pop(person.id, None) or Bucket(_RATE, _BURST)
        self._buckets[person.id] = found
        while len(self._buckets) > _MOST_BUCKETS:
            self._buckets.popitem(last=False)
        return found
