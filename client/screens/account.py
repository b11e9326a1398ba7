"""Signing in to an account from a screen: with the kept token, or with the password, once.

The password is never stored and not held longer than it is needed; the token is kept.
"""

import asyncio
import ssl
import threading

from client.data_folder import Tokens
from client.net.errand import Errand, ErrandFailed

PROGRAM = "headstring"


class SignIn:
    """Goes to the server in a thread of its own.  ``done``, then ``problem`` if it failed.

    ``token``: that of the sign-in.  It is kept unless ``keep`` is false.
    """

    def __init__(
        self,
        url: str,
        name: str,
        password: str,
        register: bool,
        trust: ssl.SSLContext | None = None,
        keep: bool = True,
    ) -> None:
        self.url, self.name = url, name
        self.trust, self.keeps = trust, keep
        self.token = ""
        self.done = False
        self.problem = ""
        arguments = (password, register)
        threading.Thread(target=self._main, args=arguments, daemon=True).start()

    def _main(self, password: str, register: bool) -> None:
        try:
            self.token = asyncio.run(self._ask(password, register))
            if self.keeps:
                Tokens().keep(self.url, self.name, self.token)
        except (ErrandFailed, OSError, ValueError) as error:
            self.problem = str(error)
        finally:
            self.done = True

    async def _ask(self, password: str, register: bool) -> str:
        async with Errand(self.url, self.trust) as errand:
            welcome = await errand.hello(
                PROGRAM, account=self.name, password=password, register=register
            )
        return welcome.token
