"""Which event loop the server's process takes."""

import asyncio
import sys
from types import SimpleNamespace

import pytest

from server.speed import loop_factory


def test_uvloop_where_it_is_installed_but_not_under_tls(monkeypatch: pytest.MonkeyPatch) -> None:
    """uvloop loses what a client says before TLS can be begun on a socket."""
    monkeypatch.setitem(
        sys.modules, "uvloop", SimpleNamespace(new_event_loop=asyncio.new_event_loop)
    )
    assert loop_factory() is asyncio.new_event_loop
    assert loop_factory(tls=True) is None and loop_factory(fast=False) is None
    monkeypatch.setitem(sys.modules, "uvloop", None)
    assert loop_factory() is None
