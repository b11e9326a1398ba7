"""Tells systemd how the server fares (``sd_notify``); says nothing where nobody listens.

``Type=notify``: READY=1 when players can come, STOPPING=1 when it ends, and WATCHDOG=1 from the
event loop, so that a loop that hangs is noticed.
"""

import asyncio
import logging
import os
import socket

log = logging.getLogger("headstring.server.systemd")


def notify(state: str) -> None:
    """Send a state to the socket that systemd has named, if it has."""
    place = os.environ.get("NOTIFY_SOCKET", "")
    if not place or not hasattr(socket, "AF_UNIX"):
        return
    address = "\0" + place[1:] if place.startswith("@") else place
    try:
        with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as unix:
            unix.setblocking(False)
            unix.sendto(state.encode(), address)
    except OSError as error:
        log.warning("systemd can't be told: %s", error)


async def feed_watchdog() -> None:
    """Tell systemd again and again that the loop turns, if it wants to know; runs for ever."""
    try:
        period_s = int(os.environ.get("WATCHDOG_USEC", "0")) / 1e6
    except ValueError:
        return
    if os.environ.get("WATCHDOG_PID", str(os.getpid())) != str(os.getpid()):
        return
    while period_s > 0:
        notify("WATCHDOG=1")
        await asyncio.sleep(period_s / 2)
