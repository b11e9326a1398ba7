"""``headstring find``: which servers announce themselves on the local network."""

import argparse
import asyncio
import json
import sys
from typing import Any

from client.net.lan import Found, found_within
from client.options import within
from shared_rules.messages import PROTOCOL

SECONDS = 2.5


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options of ``find``."""
    parser.epilog = """\
examples:
  headstring find
  headstring find --json | jq -r '.[0].url'

Needs no internet.  Servers are found that listen on the network (headstring serve --host 0.0.0.0)
and let themselves be announced.  exit status: 0, or 1 when none was found
"""
    parser.add_argument(
        "--seconds", type=within(0.5, 60, "seconds"), default=SECONDS, metavar="S",
        help=f"how long to search (default {SECONDS:g})",
    )  # fmt: skip
    parser.add_argument("--json", action="store_true", help="print a list of objects")


def run(options: argparse.Namespace) -> int:
    """Search and print; the exit status."""
    found, problem = asyncio.run(found_within(options.seconds))
    if options.json:
        print(json.dumps([as_json(one) for one in found], ensure_ascii=False, indent=1))
    else:
        for one in found:
            print(_line(one))
    if not found:
        why = problem or "no server announces itself on this network"
        print(f"headstring find: {why}", file=sys.stderr)
        return 1
    return 0


def as_json(one: Found) -> dict[str, Any]:
    """What is known of a server that was found."""
    said = one.said
    return {
        "name": said.name, "url": one.url, "machine": said.machine, "host": one.host,
        "port": one.port, "tls": said.tls, "guests": said.guests, "pins": said.pins,
        "version": said.version, "protocol": said.protocol, "answers": one.answers,
        "why_not": why_not(one),
    }  # fmt: skip


def why_not(one: Found) -> str | None:
    """Why one can't play there, if one can't."""
    if not one.fits:
        older = "this program" if one.said.protocol > PROTOCOL else "it"
        return (
            f"it speaks protocol {one.said.protocol}, this program {PROTOCOL}: {older} is too old"
        )
    if not one.answers:
        return "nothing answers at its address; a firewall may be in the way"
    return None


def _line(one: Found) -> str:
    notes = [one.url, one.said.machine]
    notes += ["guests welcome"] if one.said.guests != "no" else ["members only"]
    notes += [f"version {one.said.version}"] if one.said.version else []
    if why := why_not(one):
        notes.append(why)
    return "  ".join((one.said.name, *filter(None, notes)))
