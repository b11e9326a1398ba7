"""Signing in to an account from the command line: the kept token, else the password.

A password is never an argument: it comes from ``HEADSTRING_PASSWORD``, from the input, or is asked
for.  It is not kept; the token is, readable by its owner only.
"""

import argparse
import getpass
import os
import ssl
import sys

from client.data_folder import Tokens
from client.net.errand import Errand, ErrandFailed
from shared_rules import messages as m
from shared_rules.refusal import Code

PASSWORD = "HEADSTRING_PASSWORD"
NEW_PASSWORD = "HEADSTRING_NEW_PASSWORD"


def add_account_argument(parser: argparse.ArgumentParser) -> None:
    """Declare ``--account`` and ``--register``."""
    group = parser.add_argument_group("an account")
    group.add_argument(
        "--account", metavar="NAME",
        help=f"sign in to this account; its password is asked for, or in {PASSWORD}",
    )  # fmt: skip
    group.add_argument("--register", action="store_true", help="make the account --account first")


def read_password(prompt: str, variable: str = PASSWORD, twice: bool = False) -> str:
    """A password from the environment, a line of the input, or the terminal.

    Raises:
        ErrandFailed: there is none, or two that differ.
    """
    found = os.environ.get(variable, "")
    if not found and not sys.stdin.isatty():
        found = sys.stdin.readline().rstrip("\r\n")
    elif not found:
        found = getpass.getpass(f"{prompt}: ")
        if twice and getpass.getpass(f"{prompt}, again: ") != found:
            raise ErrandFailed("the two differ")
    if not found:
        what = prompt[0].lower() + prompt[1:]
        raise ErrandFailed(
            f"the {what} is needed: type it at a terminal, give it as a line of the input, "
            f"or set {variable}"
        )
    return found


async def enter(
    errand: Errand, server: str, account: str, program: str, register: bool = False
) -> m.Welcome:
    """Sign in to an account and keep the token.

    Raises:
        ErrandFailed: the server does not let us in.
    """
    tokens = Tokens()
    kept = None if register else tokens.get(server, account)
    if kept is not None:
        try:
            return await errand.hello(program, token=kept)
        except ErrandFailed as failed:
            if failed.code != Code.BAD_TOKEN:
                raise
            tokens.drop(server, account)
    password = read_password(f"Password of {account}", twice=register)
    welcome = await errand.hello(program, account=account, password=password, register=register)
    tokens.keep(server, account, welcome.token)
    return welcome


async def sign_in(
    server: str,
    account: str,
    program: str,
    register: bool = False,
    trust: ssl.SSLContext | None = None,
) -> str:
    """The token of an account, kept for the next time; see ``enter``."""
    async with Errand(server, trust) as errand:
        return (await enter(errand, server, account, program, register)).token
