"""A session with a server as the drawing client has it: its link and the sign-in that is kept."""

import ssl
import sys
import time

from client.data_folder import Tokens
from client.net.session import Garbled, Session
from client.net.thread import NetThread
from client.net.view import Shot

FAREWELL_S = 0.5
"""So long a client that ends waits for the server to hear that."""


class Connection:
    """The session of a name at a server; whoever draws pumps it once a frame.

    Args:
        url: the server's address; None while it is not known yet.
        name: whom to sign in.
        key: under which the token is kept; the address if None.
        account: the name is an account's, which is signed in to already.
        trust: whose certificates count for ``wss://``; those the system trusts if None.
        token: of a sign-in that is not kept, as others use this computer too.
    """

    def __init__(
        self,
        url: str | None,
        name: str,
        key: str | None = None,
        account: bool = False,
        trust: ssl.SSLContext | None = None,
        token: str | None = None,
    ) -> None:
        self.url = url
        self.failure = ""
        """Why there is no server, if that is known before any link."""
        self._key, self._name, self._trust = key or url or "", name, trust
        self._tokens = Tokens()
        self._keeps = token is None
        self._kept: str | None = None
        self._net: NetThread | None = None
        self.session = Session(name, token or self._tokens.get(self._key, name))
        self.session.account = account

    def pump(self, now: float) -> None:
        """Give the session what has come, and send what it wants to say."""
        if self.failure and self.session.phase != "over":
            self.session.handle(Garbled(self.failure, now))
        if self._net is None:
            if self.url is None or self.session.phase == "over":
                return
            self._net = NetThread(self.url, self.session, self._trust)
            self._net.start()
        self._net.pump(now)
        if self._keeps and self.session.token not in (None, self._kept):
            self._kept = self.session.token
            self._keep(self._kept)

    def await_shot(self, longest_s: float) -> None:
        """Take what comes until the balls run that a stroke has set going, at most so long."""
        before = self._shot_known()
        end = time.monotonic() + longest_s
        while self._net is not None and self._shot_known() is before:
            event = self._net.next_event(max(end - time.monotonic(), 0.0))
            if event is None:
                return
            self.session.handle(event)

    def _shot_known(self) -> Shot | None:
        view = self.session.view
        return view.shot if view is not None else None

    def cut(self) -> None:
        """Break the connection, as a fault would: for tests."""
        if self._net is not None:
            self._net.cut()

    def close(self, farewell: bool = True) -> None:
        """End it; with ``farewell`` the others at the table are told that we go on purpose."""
        if self._net is None:
            return
        if farewell:
            self._say_that_we_leave(self._net)
        self._net.close()
        self._net = None

    def _say_that_we_leave(self, net: NetThread) -> None:
        """Going on purpose is no lost connection: the others are told which it was."""
        if self.session.phase != "ready":
            return
        asked = self.session.leave()
        until = time.monotonic() + FAREWELL_S
        while asked is not None and self.session.waiting_for(asked) and time.monotonic() < until:
            net.pump(time.monotonic())
            time.sleep(0.01)

    def _keep(self, token: str) -> None:
        try:
            self._tokens.keep(self._key, self._name, token)
        except OSError as error:
            print(f"the sign-in can't be kept: {error}", file=sys.stderr)
