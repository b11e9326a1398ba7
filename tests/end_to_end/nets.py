"""Computers on a local network without internet: network namespaces joined by a bridge."""

import os
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

NEEDED = "HEADSTRING_NEED_NAMESPACES"
"""Set where they must be possible: there it is a failure that they are not."""


def _ip(*words: str) -> None:
    subprocess.run(["ip", *words], check=True, capture_output=True, text=True)


def why_none() -> str:
    """Why no namespaces can be made here; empty if they can."""
    if sys.platform != "linux":
        return "namespaces of the network are Linux's"
    if shutil.which("ip") is None:
        return "iproute2 is not installed"
    if os.geteuid() != 0:
        return "namespaces need root"
    name = f"hs{os.getpid()}try"
    try:
        _ip("netns", "add", name)
        _ip("-n", name, "link", "add", "name", "a", "type", "veth", "peer", "name", "b")
    except subprocess.CalledProcessError as error:
        return f"this machine makes no namespaces: {error.stderr.strip()}"
    finally:
        subprocess.run(["ip", "netns", "delete", name], check=False, capture_output=True)
    return ""


def need_namespaces() -> None:
    """Skip a test where there can be none, with the reason; fail where they are required."""
    why = why_none()
    if why and os.environ.get(NEEDED):
        pytest.fail(why)
    if why:
        pytest.skip(why)


class Computer:
    """A namespace with an address on the cable."""

    def __init__(self, namespace: str, address: str) -> None:
        self.namespace, self.address = namespace, address

    def command(self, *words: str) -> list[str]:
        """The command that runs ``headstring …`` there."""
        return [
            *("ip", "netns", "exec", self.namespace, sys.executable, "-m", "headstring"), *words
        ]  # fmt: skip

    def pull_the_plug(self, out: bool = True) -> None:
        """Take the address away, or give it back."""
        what = "delete" if out else "add"
        _ip("-n", self.namespace, "address", what, f"{self.address}/24", "dev", "lan")

    def go_down(self) -> None:
        """No address of any kind is left."""
        self.pull_the_plug()
        _ip("-n", self.namespace, "link", "set", "lan", "down")


@contextmanager
def two_computers() -> Iterator[tuple[Computer, Computer]]:
    """Two of them, joined by a cable, with addresses and nothing else: no route, no names."""
    names = [f"hs{os.getpid()}{which}" for which in "ab"]
    made = [Computer(name, f"192.168.77.{k + 1}") for k, name in enumerate(names)]
    try:
        for name in names:
            _ip("netns", "add", name)
        _ip(
            *("-n", names[0], "link", "add", "name", "lan", "type", "veth"),
            *("peer", "name", "lan", "netns", names[1]),
        )
        for computer in made:
            _ip("-n", computer.namespace, "link", "set", "lo", "up")
            _ip("-n", computer.namespace, "link", "set", "lan", "up")
            computer.pull_the_plug(out=False)
        yield made[0], made[1]
    finally:
        for name in names:
            subprocess.run(["ip", "netns", "delete", name], check=False, capture_output=True)


def until(condition, longest_s: float = 30.0) -> None:
    """Wait for something that comes by itself."""
    end = time.monotonic() + longest_s
    while not condition():
        assert time.monotonic() < end, "it did not come"
        time.sleep(0.05)
