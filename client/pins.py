"""PINs from the command line: made here, told to the server, printed once.

The server keeps a hash alone, so what isn't printed is lost; each is printed as soon as it counts.
"""

import argparse
import secrets
import sys
import time
from pathlib import Path
from typing import Any

from client.net.errand import Errand, ErrandFailed
from client.net.session import first_id
from shared_rules import messages as m
from shared_rules.messages import oversight as acts
from shared_rules.pins import LENGTH, is_easy
from shared_rules.refusal import Code

MEMBERS = ("player", "spectator", "referee")
"""Roles that may have a PIN."""
_PAGE = 100
_WIDTH = 44


def add_sheet_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options of ``headstring admin pins``."""
    parser.add_argument("names", nargs="*", help="of members (default: all who have no PIN)")
    parser.add_argument("--file", metavar="FILE", help="more names, one a line; - is the input")
    parser.add_argument("--anew", action="store_true", help="also for those who have one already")
    parser.add_argument(
        "--create", action="store_true", help="make accounts for names that have none"
    )


def make_pin() -> str:
    """A PIN by chance, none of those that everybody tries."""
    while True:
        pin = f"{secrets.randbelow(10**LENGTH):0{LENGTH}}"
        if not is_easy(pin):
            return pin


def new_pin_for(options: argparse.Namespace) -> str:
    """A PIN that is printed (``new_pin`` of the options) once the server has taken it."""
    options.new_pin = make_pin()
    return str(options.new_pin)


async def give_out(errand: Errand, options: argparse.Namespace) -> None:
    """Give the members that the options name new PINs, and print a sheet to be cut up.

    Raises:
        ErrandFailed: some have none; the others' are printed.
    """
    people = await _people(errand)
    wanted = [*options.names, *_names_in(options.file)]
    made = wanted or [p.name for p in people if p.account and p.role in MEMBERS]
    having = {p.name for p in people if p.pin}
    numbers = iter(range(first_id(), 2**53))
    problems = []
    print(f"PINs for {errand.url}, {time.strftime('%Y-%m-%d')}. Keep yours to yourself.")
    print("-" * _WIDTH)
    for name in dict.fromkeys(made):
        if name in having and not options.anew:
            if wanted:
                problems.append(f"{name} has one already (--anew gives another)")
            continue
        pin = make_pin()
        try:
            await _give(errand, name, pin, numbers, options)
        except ErrandFailed as error:
            problems.append(f"{name}: {error}")
            continue
        print(f"{name:<{_WIDTH - LENGTH - 2}}  {pin}")
        print("-" * _WIDTH, flush=True)
    if problems:
        raise ErrandFailed("; ".join(problems))


async def _give(
    errand: Errand, name: str, pin: str, numbers: Any, options: argparse.Namespace
) -> None:
    reason = options.reason or "a PIN for the club"
    act = acts.GivePin(who=name, pin=pin)
    try:
        await errand.ask(m.Oversee(id=next(numbers), act=act, reason=reason))
    except ErrandFailed as error:
        if not options.create or error.code != Code.UNKNOWN_PERSON:
            raise
        made = acts.CreateAccount(name=name, pin=pin)
        await errand.ask(m.Oversee(id=next(numbers), act=made, reason=reason))


async def _people(errand: Errand) -> list[m.PersonSummary]:
    """Everybody, by name."""
    found: list[m.PersonSummary] = []
    after: str | None = None
    while True:
        request = m.ListPeople(id=first_id(), after=after, limit=_PAGE)
        answer = await errand.ask(request)
        found += answer.people
        after = answer.more
        if after is None:
            return found


def _names_in(file: str | None) -> list[str]:
    if file is None:
        return []
    try:
        text = sys.stdin.read() if file == "-" else Path(file).read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise ErrandFailed(f"can't read {file}: {error}") from error
    return [line.strip() for line in text.splitlines() if line.strip()]
