"""The compiler behind ``physics.compiled``: numba, and how a build is made, loaded and found.

Imported at a kernel's first call.  What the store has is loaded past numba's dispatcher, which
would look for new declarations everywhere before each of them.
"""

# numba has no types.
# mypy: allow-untyped-calls, allow-untyped-decorators
import pickle
import platform
import sys
from collections.abc import Callable, Iterable
from functools import lru_cache
from pathlib import Path
from types import FunctionType
from typing import Any

import llvmlite
import llvmlite.binding
import numba
import numpy as np
from numba import types
from numba.core import sigutils
from numba.core.compiler import CompileResult
from numba.core.compiler_lock import global_compiler_lock
from numba.core.funcdesc import ExternalFunctionDescriptor
from numba.core.imputils import impl_ret_new_ref
from numba.core.registry import CPUDispatcher, cpu_target
from numba.core.runtime.nrt import rtsys
from numba.core.serialize import dumps
from numba.core.typing.templates import make_concrete_template
from numba.extending import lower_builtin

from physics.kernel_store import KernelStore

_SOURCES = ("compiled.py", "kernel_builds.py")
#: Builds in use: their code lives as long as they do.
_alive: list[Any] = []


@lru_cache
def compiler_key() -> str:
    """What of the compiler, of this machine and of our way to call it a build follows from."""
    codegen = cpu_target.target_context.codegen()
    here = Path(__file__).parent
    parts = (
        sys.version, platform.machine(), numba.__version__, llvmlite.__version__, np.__version__,
        repr(codegen.magic_tuple()), repr(vars(numba.config)["OPT"]),
        *((here / name).read_text("utf-8") for name in _SOURCES),
    )  # fmt: skip
    return "\n".join(parts)


def build(
    function: Callable[[], FunctionType],
    signature: str,
    store: KernelStore,
    callees: Iterable[Any],
    counted: bool,
) -> Any:
    """The build of a kernel, from the store, or made and put there.

    ``function`` gives what is to be compiled, ``callees`` are the kernels that it calls;
    ``counted``: it makes arrays.
    """
    return _build(function, signature, store, callees, no_cpython_wrapper=True, _nrt=counted)


def entry(
    function: Callable[[], FunctionType], signature: str, store: KernelStore, kernel: Any
) -> Callable[..., Any]:
    """What Python calls in place of a kernel."""
    made: Callable[..., Any] = _build(function, signature, store, (kernel,)).entry_point
    return made


def _build(
    function: Callable[[], FunctionType],
    signature: str,
    store: KernelStore,
    callees: Iterable[Any],
    **options: bool,
) -> Any:
    kept = store.wait()
    if kept is not None:
        with global_compiler_lock:
            rtsys.initialize(cpu_target.target_context)  # memory of arrays; once, as often as asked
            made = CompileResult._rebuild(cpu_target.target_context, *pickle.loads(kept))
    else:
        try:
            made = _compiled(function(), signature, callees, options)
            store.keep(dumps(made._reduce()))
        finally:
            # What does not compile is nobody's: whoever comes next finds the same error.
            store.release()
    _alive.append(made)
    return made


def _compiled(
    function: FunctionType, signature: str, callees: Iterable[Any], options: dict[str, bool]
) -> Any:
    for each in callees:
        each._numba_type_  # noqa: B018 (declares it: numba looks for declarations just below)
    cpu_target.target_context.refresh()
    options = {"nopython": True, "no_cfunc_wrapper": True, **options}
    dispatcher: Any = CPUDispatcher(function, targetoptions={"error_model": "numpy", **options})
    dispatcher.compile(signature)
    (made,) = dispatcher.overloads.values()
    return made


def give_symbol(symbol: str, made: Any) -> None:
    """Let other kernels call a build."""
    address = made.library.get_pointer_to_function(made.fndesc.llvm_func_name)
    llvmlite.binding.add_symbol(symbol, address)


def give_any_address(symbol: str) -> None:
    """Give a symbol an address that nobody calls, so that its callers can be compiled."""
    llvmlite.binding.add_symbol(symbol, 1)


def called_by_symbol(symbol: str, signature: str) -> Any:
    """The type of a kernel in another one's eyes: a function of one signature, found by name."""
    arguments, result = sigutils.normalize_signature(signature)
    descriptor = ExternalFunctionDescriptor(symbol, result, arguments)

    @lower_builtin(symbol, *arguments)
    def call(context: Any, builder: Any, signature: Any, values: Any) -> Any:
        function = context.declare_function(builder.module, descriptor)
        status, value = context.call_conv.call_function(
            builder, function, result, arguments, values
        )
        with builder.if_then(status.is_error, likely=False):
            context.call_conv.return_status_propagate(builder, status)
        return impl_ret_new_ref(context, builder, result, value)

    return types.Function(make_concrete_template(symbol, symbol, [result(*arguments)]))
