"""The keys of all kernels, remembered for the sources that they follow from.

To work a key out means to parse the kernel, half a second for all of them at every start.  They
follow from the sources of ``physics`` and of what it imports of ours, and from the compiler; so
they are kept in a file that is named by the hash of these, beside the builds.
"""

import contextlib
import hashlib
import json
import os
import platform
import sys
import tempfile
from functools import lru_cache
from importlib.metadata import version
from pathlib import Path
from typing import Protocol

import llvmlite.binding

from physics import kernel_store

_HERE = Path(__file__).resolve().parent
_FOLDERS = (_HERE, _HERE.parent / "shared_rules")
_PREFIX = "physics."


class Keyed(Protocol):
    """A kernel (``physics.compiled.Kernel``)."""

    @property
    def name(self) -> str: ...
    def worked_out_key(self) -> str: ...


def known(kernel: Keyed) -> str | None:
    """The key of one of the physics' kernels; None for any other, or where nothing can be kept."""
    if not kernel.name.startswith(_PREFIX):
        return None
    keys = _kept()
    if kernel.name not in keys:
        from physics.compiled import declared

        ours = [each for each in declared.values() if each.name.startswith(_PREFIX)]
        keys.update((each.name, each.worked_out_key()) for each in ours)
        _keep(keys)
    return keys.get(kernel.name)


@lru_cache
def _file() -> Path:
    """Where the keys lie that follow from the sources as they are."""
    processor = llvmlite.binding.get_host_cpu_name()
    features = llvmlite.binding.get_host_cpu_features().flatten()
    versions = tuple(version(name) for name in ("numba", "llvmlite", "numpy"))
    numba = sorted(item for item in os.environ.items() if item[0].startswith("NUMBA_"))
    machine = (sys.version, platform.machine(), processor, features, versions, numba)
    found = hashlib.sha256(repr(machine).encode())
    for folder in _FOLDERS:
        for path in sorted(folder.rglob("*.py")):
            found.update(path.read_bytes())
    return kernel_store.folders()[-1] / f"keys-{found.hexdigest()[:24]}.json"


@lru_cache
def _kept() -> dict[str, str]:
    with contextlib.suppress(OSError, ValueError):
        read = json.loads(_file().read_text("utf-8"))
        if isinstance(read, dict):
            return read
    return {}


def _keep(keys: dict[str, str]) -> None:
    with contextlib.suppress(OSError):  # a full disk: they are worked out again
        folder = _file().parent
        with tempfile.NamedTemporaryFile("w", dir=folder, suffix=".part", delete=False) as file:
            json.dump(keys, file)
        os.replace(file.name, _file())
        old = sorted(folder.glob("keys-*.json"), key=lambda path: -path.stat().st_mtime)
        for path in old[kernel_store.KEPT :]:
            path.unlink(missing_ok=True)
