"""How numeric code is compiled: explicit types, and a cache that no edit can make stale.

numba looks only at the file of the function itself when it decides whether a cached build is
still good, not at the functions that it calls.  So the cache folder carries a digest of all
kernel sources: change one, and everything is built anew.
"""

import hashlib
import os
import shutil
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar, cast

import numba
from numba import config as numba_config

_HERE = Path(__file__).resolve().parent
_F = TypeVar("_F", bound=Callable[..., Any])


def _digest() -> str:
    digest = hashlib.sha256(numba.__version__.encode())
    for source in sorted(_HERE.glob("*.py")):
        text = source.read_bytes()
        if b"@kernel" in text or source.name in ("layout.py", "compiled.py"):
            digest.update(text)
    return digest.hexdigest()[:16]


def _forget_old(folder: Path) -> None:
    """Of the builds of other sources beside ``folder``, leave the newest two."""
    others = [old for old in folder.parent.glob("kernels-*") if old != folder]
    for old in sorted(others, key=lambda path: path.stat().st_mtime)[:-2]:
        shutil.rmtree(old, ignore_errors=True)


def _cache_folder() -> str:
    """Beside the sources where that can be written, else in the user's temporary folder."""
    name = f"kernels-{_digest()}"
    beside = _HERE / "__pycache__"
    try:
        beside.mkdir(exist_ok=True)
        if os.access(beside, os.W_OK):
            if not (beside / name).exists():
                _forget_old(beside / name)
            return str(beside / name)
    except OSError:
        # A read-only or vanishing folder: compiled code goes elsewhere.
        pass
    return str(Path(tempfile.gettempdir()) / f"headstring-{os.environ.get('USER', 'any')}" / name)


_FOLDER = _cache_folder()


def kernel(signature: str) -> Callable[[_F], _F]:
    """Compile a function for the given numba signature, now, from the cache where possible."""

    def build(function: _F) -> _F:
        # The setting is process-wide: other users of numba keep theirs.
        before = getattr(numba_config, "CACHE_DIR", "")
        setattr(numba_config, "CACHE_DIR", _FOLDER)  # noqa: B010
        try:
            return cast(_F, numba.njit(signature, cache=True, error_model="numpy")(function))
        finally:
            setattr(numba_config, "CACHE_DIR", before)  # noqa: B010

    return build
