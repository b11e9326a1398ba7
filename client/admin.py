"""``headstring admin`` and ``headstring account``: their options, requests, and what they print.

Where the requests go is the launcher's affair: over the wire to a server, or to the database of
one that does not run.
"""

import argparse
import asyncio
import sys
import time
from collections.abc import Callable
from typing import Any, get_args

from client import pins
from client.address import websocket_url
from client.net.errand import Errand, ErrandFailed
from client.net.session import first_id
from client.sign_in import NEW_PASSWORD, PASSWORD, enter, read_password
from client.trust import add_ca_argument
from shared_rules import messages as m
from shared_rules.messages import oversight as acts

ROLES = get_args(m.AccountRole)
_UNITS = {"m": 60.0, "h": 3600.0, "d": 86_400.0}
_PASSWORDS = f"""\
Passwords are asked for on a terminal; else they are lines of the input.  {PASSWORD}
(of --account) and {NEW_PASSWORD} (that is being set) go before both."""
_ADMIN_EPILOG = f"""\
examples:
  headstring admin --config server.toml create Adam --role administrator
  headstring admin --database club.sqlite3 --new create Adam --role administrator
  headstring admin --server pool.example.org --account Adam people
  headstring admin --server URL --account Adam suspend Bob --for 7d --reason "plays with a ruler"
  headstring admin --server URL --account Adam record --who Bob
  headstring admin --server URL --account Adam lift 3f2a90c1d7e4 --reason "it was a cue"
  headstring admin --server URL --account Adam pins > sheet.txt
  headstring admin --server URL --account Adam award K7Q2MX 1 --reason "left the club"

--database and --config are for a server that does not run: to make the first administrator.
A guest may be named by his id.
{_PASSWORDS}
"""
_ACCOUNT_EPILOG = f"""\
examples:
  headstring account --server pool.example.org --account Ann register
  headstring account --server URL --account Ann sessions
  headstring account --server URL --account Ann revoke 3f2a90c1d7e45b60
  headstring account --server URL --account Ann password
  headstring account --server URL --account Ann pin

{_PASSWORDS}
"""


def add_admin_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options of ``admin``."""
    parser.epilog = _ADMIN_EPILOG
    where = parser.add_mutually_exclusive_group()
    where.add_argument("--server", metavar="URL", type=websocket_url, help="a server that runs")
    add_ca_argument(parser)
    where.add_argument("--database", metavar="FILE_OR_URL", help="of a server that does not run")
    parser.add_argument(
        "--config", metavar="FILE",
        help="settings of a server that does not run, its database among them",
    )  # fmt: skip
    parser.add_argument(
        "--new", action="store_true", help="make the database, if it isn't there yet"
    )
    parser.add_argument("--account", metavar="NAME", help="whose rights to use, with --server")
    what = parser.add_subparsers(dest="what", metavar="WHAT", required=True)

    def command(name: str, text: str, *words: str, reason: bool = True) -> Any:
        sub = what.add_parser(name, help=text)
        for word in words:
            sub.add_argument(word)
        if reason:
            sub.add_argument("--reason", default="", help="goes on record, and to whom it concerns")
        return sub

    people = command("people", "list people", reason=False)
    people.add_argument("starts", nargs="?", default="", help="only names that begin so")
    record = command("record", "what officials have done", reason=False)
    record.add_argument("--who", metavar="NAME", help="only what was done to this person")
    record.add_argument("--table", metavar="ID", help="only what was done to this table")
    create = command("create", "make an account", "name")
    create.add_argument("--role", choices=ROLES, default="player")
    command("role", "change a role", "who").add_argument("role", choices=ROLES)
    command("password", "set a new password for somebody", "who")
    command("revoke", "revoke all tokens of a person", "who")
    command("pin", "give somebody a new PIN, and print it", "who")
    command("take-pin", "take somebody's PIN back, and sign him out", "who")
    pins.add_sheet_arguments(command("pins", "new PINs for members, a sheet to print"))
    for name, text in (("suspend", "keep somebody out"), ("mute", "let somebody say nothing")):
        sub = command(name, text, "who")
        sub.add_argument(
            "--for", dest="duration", type=_duration, metavar="TIME",
            help="30m, 12h or 7d (default: for good)",
        )  # fmt: skip
        sub.add_argument("--table", metavar="ID", help="evidence: the table")
        sub.add_argument("--shots", type=int, nargs="*", default=[], help="evidence: its shots")
    command("kick", "hang up on somebody", "who")
    command("lift", "take a suspension, mute or discount back", "action")
    command(
        "open-address",
        "let newcomers from a sanctioned guest's address in again; he himself stays out", "action",
    )  # fmt: skip
    command("adjourn", "adjourn a match", "table")
    command("close", "close a table; its match is kept", "table")
    command("reopen", "take a closing, or an award that ended a match, back", "table")
    award = command("award", "give a match to the player of a seat", "table")
    award.add_argument("seat", type=int, choices=(0, 1), help="0 has opened the table")
    award.add_argument("--scope", choices=("game", "set", "match"), default="match")
    command("discount", "let a rated match count for no rating (lift: again)", "table")


def add_account_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options of ``account``."""
    parser.epilog = _ACCOUNT_EPILOG
    parser.add_argument("--server", metavar="URL", type=websocket_url, required=True)
    add_ca_argument(parser)
    parser.add_argument("--account", metavar="NAME", required=True)
    what = parser.add_subparsers(dest="what", metavar="WHAT", required=True)
    what.add_parser("register", help="make the account")
    what.add_parser("password", help="change its password; the other devices are signed out")
    pin = what.add_parser("pin", help="another PIN, which is printed")
    pin.add_argument("--remove", action="store_true", help="have none any more")
    what.add_parser("sessions", help="list the devices that are signed in")
    revoke = what.add_parser("revoke", help="sign a device out, or all but this one")
    revoke.add_argument("session", nargs="?", help="as listed (default: all but this one)")


def _duration(text: str) -> float:
    unit = _UNITS.get(text[-1:])
    if unit is None or not text[:-1].isdigit() or int(text[:-1]) == 0:
        raise argparse.ArgumentTypeError("a time looks like 30m, 12h or 7d")
    return int(text[:-1]) * unit


# --- requests ------------------------------------------------------------------------------------


def admin_request(options: argparse.Namespace) -> m.Oversee | m.ListPeople | m.ListActions:
    """The request that the options of ``admin`` ask for.

    Raises:
        ErrandFailed: a password is needed and there is none.
    """
    number = first_id()
    if options.what == "people":
        return m.ListPeople(id=number, starts=options.starts, limit=100)
    if options.what == "record":
        return m.ListActions(id=number, who=options.who, table=options.table, limit=100)
    act = _ACTS[options.what](options)
    return m.Oversee(id=number, act=act, reason=options.reason or "no reason was given")


def _new_password(whose: str) -> str:
    return read_password(f"New password of {whose}", NEW_PASSWORD, twice=True)


def _sanction(kind: Any) -> Callable[[argparse.Namespace], acts.AnyAct]:
    def make(o: argparse.Namespace) -> acts.AnyAct:
        until = time.time() + o.duration if o.duration is not None else None
        made: acts.AnyAct = kind(who=o.who, until=until, table=o.table, shots=tuple(o.shots))
        return made

    return make


_ACTS: dict[str, Callable[[argparse.Namespace], acts.AnyAct]] = {
    "create": lambda o: acts.CreateAccount(
        name=o.name, password=_new_password(o.name), role=o.role
    ),
    "role": lambda o: acts.SetRole(who=o.who, role=o.role),
    "password": lambda o: acts.ResetPassword(who=o.who, password=_new_password(o.who)),
    "revoke": lambda o: acts.EndSessions(who=o.who),
    "pin": lambda o: acts.GivePin(who=o.who, pin=pins.new_pin_for(o)),
    "take-pin": lambda o: acts.TakePin(who=o.who),
    "suspend": _sanction(acts.SuspendPerson),
    "mute": _sanction(acts.MutePerson),
    "kick": lambda o: acts.KickPerson(who=o.who),
    "lift": lambda o: acts.LiftSanction(action=o.action),
    "open-address": lambda o: acts.OpenAddress(action=o.action),
    "adjourn": lambda o: acts.AdjournTable(table=o.table),
    "close": lambda o: acts.CloseTable(table=o.table),
    "reopen": lambda o: acts.ReopenTable(table=o.table),
    "discount": lambda o: acts.DiscountMatch(table=o.table),
    "award": lambda o: acts.AwardTable(table=o.table, seat=o.seat, scope=o.scope),
}


# --- running -------------------------------------------------------------------------------------


def run_admin_over_the_wire(options: argparse.Namespace) -> int:
    """Have a running server carry out what the options of ``admin`` ask for; the exit status."""
    if options.account is None:
        print("headstring admin: --server needs --account", file=sys.stderr)
        return 2

    async def visit() -> None:
        async with Errand(options.server, options.ca) as errand:
            await enter(errand, options.server, options.account, "headstring admin")
            if options.what == "pins":
                await pins.give_out(errand, options)
                return
            request = admin_request(options)
            while True:
                answer = await errand.ask(request)
                print_answer(answer, options)
                if not isinstance(answer, m.PeopleListed) or answer.more is None:
                    return
                request = m.ListPeople(
                    id=request.id + 1, starts=options.starts, after=answer.more, limit=100
                )

    return _run("admin", visit())


def run_account(options: argparse.Namespace) -> int:
    """Carry out what the options of ``account`` ask for; the exit status."""

    async def visit() -> None:
        async with Errand(options.server, options.ca) as errand:
            register = options.what == "register"
            await enter(errand, options.server, options.account, "headstring account", register)
            if register:
                print(f"{options.account} has an account now.")
                return
            if options.what == "revoke" and options.session is not None:
                await _check_device(errand, options.session)
            print_answer(await errand.ask(_own_request(options)), options)

    return _run("account", visit())


async def _check_device(errand: Errand, session: str) -> None:
    """The server ends what is there and calls that done; a mistyped device must not seem ended."""
    listed = await errand.ask(m.ListSessions(id=first_id()))
    if session not in {one.session for one in listed.sessions}:
        raise ErrandFailed(f"no device {session} is signed in; `sessions` lists them")


def _own_request(options: argparse.Namespace) -> m.ClientMessage:
    if options.what == "password":
        return m.ChangePassword(
            id=first_id(),
            old=read_password(f"Password of {options.account}"),
            new=_new_password(options.account),
        )
    if options.what == "pin":
        old = read_password(f"Password of {options.account}, or the PIN of now")
        pin = None if options.remove else pins.new_pin_for(options)
        return m.ChangePin(id=first_id(), old=old, pin=pin)
    if options.what == "revoke":
        return m.EndSession(id=first_id(), session=options.session)
    return m.ListSessions(id=first_id())


def _run(name: str, visit: Any) -> int:
    try:
        asyncio.run(visit)
    except (ErrandFailed, OSError) as error:
        print(f"headstring {name}: {error}", file=sys.stderr)
        return 1
    return 0


# --- what is printed -----------------------------------------------------------------------------


def print_answer(answer: m.ServerMessage, options: argparse.Namespace | None = None) -> None:
    """Tell a person what was answered to what the options asked for."""
    if isinstance(answer, m.PeopleListed):
        for person in answer.people:
            kind = person.role if person.account else "guest"
            kind += ", PIN" if person.pin else ""
            here = "here" if person.present else f"last {_when(person.used_at)}"
            more = [*person.tables, *(f"sanction {s}" for s in person.sanctions)]
            print("  ".join((person.person, f"{person.name:<24}", f"{kind:<15}", here, *more)))
    elif isinstance(answer, m.ActionsListed):
        for action in answer.actions:
            print(_action_line(action))
    elif isinstance(answer, m.Sessions):
        for session in answer.sessions:
            mark = "  (this one)" if session.current else ""
            used = _when(session.used_at)
            print(f"{session.session}  {session.client or '?':<20}  last {used}{mark}")
    elif isinstance(answer, m.Accepted):
        if pin := getattr(options, "new_pin", ""):
            print(f"the PIN is {pin} now; it can't be shown again")
        print(f"done; on record as {answer.action}" if answer.action else "done")


def _action_line(action: m.ActionSummary) -> str:
    parts = [action.action, _when(action.at), action.act, action.who or "", action.table or ""]
    line = "  ".join(part for part in parts if part)
    line += f"  by {action.by or 'the command line'}: {action.reason}"
    if action.shots:
        line += f"; shots {', '.join(map(str, action.shots))}"
    if action.in_force:
        until = f"until {_when(action.until)}" if action.until else "for good"
        line += f"  [in force {until}]"
    if action.undone_at is not None:
        by = action.undone_by or "the command line"
        line += f"  [undone {_when(action.undone_at)} by {by}: {action.undone_reason}]"
    return line


def _when(unix_time: float | None) -> str:
    if unix_time is None:
        return "never"
    return time.strftime("%Y-%m-%d %H:%M", time.localtime(unix_time))
