"""How numeric code is compiled: one kernel at a time, each kept under a key of its own.

A kernel's signature is written down, so whoever calls it needs to know nothing else of it: calls
between kernels go through a symbol, as between files of a C program, and no body is copied into
another.  So a kernel's build follows from its own source, the values of the constants that it
names, the signatures of the kernels that it calls, and the compiler.  All of that is its key
(``Kernel.key``): an edit compiles what it changes and nothing else, and a build of anything else
is never found.  ``physics.kernel_store`` keeps the builds and shares the work out,
``physics.kernel_start`` decides what plays meanwhile.

To declare a kernel costs nothing: the compiler (``physics.kernel_builds``) is imported when the
first one is called.
"""

import ast
import hashlib
import importlib
import inspect
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cached_property
from textwrap import dedent
from types import BuiltinFunctionType, CodeType, FunctionType, ModuleType
from typing import Any, TypeVar, cast

import numpy as np

from physics import kernel_keys
from physics.interpreted import called_from_outside, plain_function
from physics.kernel_start import get_ready
from physics.kernel_store import KernelStore

_F = TypeVar("_F", bound=Callable[..., Any])

#: All kernels of this process, by name.
declared: "dict[str, Kernel]" = {}


def _compiler() -> Any:
    """``physics.kernel_builds``, with numba behind it: a third of a second that many don't need."""
    return importlib.import_module("physics.kernel_builds")


class Kernel:
    """A function of one signature, called from other kernels or from Python.

    Called from Python it is compiled, or plain Python until the compiled one is there; which, is
    decided at its first call (``physics.kernel_start``) and makes no difference to the result.
    """

    def __init__(self, function: Callable[..., Any], signature: str) -> None:
        self.name = f"{function.__module__}.{function.__qualname__}"
        self.signature = signature
        self.symbol = f"headstring.{self.name}"
        self._original = cast(FunctionType, function)
        self._callable = False  # by other kernels
        self.entry: Callable[..., Any] = self._first_call

    def __call__(self, *arguments: Any) -> Any:
        """Call it from Python.  Arrays must be of the signature's types: nothing looks at them."""
        return self.entry(*arguments)

    def _first_call(self, *arguments: Any) -> Any:
        get_ready(self)
        return self.entry(*arguments)

    @cached_property
    def key(self) -> str:
        """Of its build: what that follows from, hashed.

        Raises:
            TypeError: it names what could change unseen.
        """
        return kernel_keys.known(self) or self.worked_out_key()

    def worked_out_key(self) -> str:
        """The key, from what the kernel is made of; ``kernel_keys`` remembers it."""
        plain, text = self._text
        return _key(plain, text, self.signature)

    @cached_property
    def _text(self) -> tuple[FunctionType, str]:
        return _plain(self._original)

    @cached_property
    def _store(self) -> KernelStore:
        return KernelStore(self.name, self.key)

    @cached_property
    def _numba_type_(self) -> Any:
        """What numba takes it for in kernels that call it."""
        return _compiler().called_by_symbol(self.symbol, self.signature)

    @cached_property
    def callees(self) -> "tuple[Kernel, ...]":
        """The kernels that it calls."""
        known = self._original.__globals__
        named = (known.get(name) for name in self._original.__code__.co_names)
        return tuple(each for each in named if isinstance(each, Kernel))

    @property
    def fresh(self) -> bool:
        """Whether it has not been called yet."""
        return self.entry == self._first_call

    @cached_property
    def needed(self) -> "tuple[Kernel, ...]":
        """It and all that is called on its account, whoever is called first."""
        found = {each.name: each for callee in self.callees for each in callee.needed}
        return (*found.values(), self)

    def kept(self) -> bool:
        """Whether the store has all that a call needs, undamaged."""
        return all(each._callable or each._store.find() for each in self.needed)

    def prepare(self) -> None:
        """Compile it and what it calls, or load what was compiled; others can call it then."""
        if self._callable:
            return
        for callee in self.callees:
            callee.prepare()
        _compiler().give_symbol(self.symbol, self._build())
        self._callable = True

    def use_compiled(self) -> None:
        """From now on Python calls the compiled one, which is made or loaded now."""
        self.prepare()
        self.entry = self._make_entry()

    def use_plain(self) -> None:
        """From now on Python calls the one of plain Python."""
        self.entry = called_from_outside(self.interpreted, self.signature)

    def compile_for_others(self) -> None:
        """Compile it into the store, unless somebody has or does."""
        if not self._store.find() and self._store.acquire():
            self._build()

    def _build(self) -> Any:
        return _compiler().build(
            lambda: self._text[0],
            self.signature,
            self._store,
            self.callees,
            # Only what makes arrays needs their memory counted.
            counted="np" in self._original.__code__.co_names,
        )

    @cached_property
    def interpreted(self) -> Callable[..., Any]:
        """It as a function of plain Python, for callers that are so, too."""
        return plain_function(self.name, _parsed(self._original), self._original.__globals__)

    def _make_entry(self) -> Callable[..., Any]:
        """What Python calls: few kernels need one, and it costs as much as a small kernel."""
        store = KernelStore(f"{self.name}.entry", self.key, quiet=True)
        return cast(Callable[..., Any], _compiler().entry(self._entry, self.signature, store, self))

    def _entry(self) -> FunctionType:
        code = self._original.__code__
        names = ", ".join(code.co_varnames[: code.co_argcount])
        scope = {"kernel": self, "__name__": self._original.__module__}
        exec(f"def entry({names}): return kernel({names})", scope)
        return cast(FunctionType, scope["entry"])


class _Constants(ast.NodeTransformer):
    """Puts the values of global numbers in, and works out what is constant then."""

    def __init__(self, names: Mapping[str, object]) -> None:
        self._names = names

    def visit_Name(self, node: ast.Name) -> ast.expr:
        value = self._names.get(node.id)
        if isinstance(node.ctx, ast.Load) and isinstance(value, int | float):
            return ast.copy_location(ast.Constant(value), node)
        return node

    def visit_BinOp(self, node: ast.BinOp) -> ast.expr:
        self.generic_visit(node)
        if isinstance(node.left, ast.Constant) and isinstance(node.right, ast.Constant):
            value = eval(compile(ast.Expression(node), "<constant>", "eval"))
            return ast.copy_location(ast.Constant(value), node)
        return node


def _parsed(function: Callable[..., Any]) -> ast.Module:
    """The text of the function, bare, with its constants put in (it halves the compiler's work)."""
    tree = ast.parse(dedent(inspect.getsource(function)))
    (definition,) = tree.body
    if not isinstance(definition, ast.FunctionDef):
        raise TypeError(f"{function!r} is no plain function")
    if ast.get_docstring(definition) is not None:
        del definition.body[0]
    definition.decorator_list = []
    definition.returns = None
    for argument in definition.args.args:
        argument.annotation = None
    local = {argument.arg for argument in definition.args.args}
    local |= {
        node.id for node in ast.walk(definition)
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)
    }  # fmt: skip
    names = {k: v for k, v in function.__globals__.items() if k not in local}
    return cast(ast.Module, ast.fix_missing_locations(_Constants(names).visit(tree)))


def _plain(function: Callable[..., Any]) -> tuple[FunctionType, str]:
    """The function as the compiler gets it, and its text."""
    original = cast(FunctionType, function)
    tree = _parsed(original)
    ast.increment_lineno(tree, original.__code__.co_firstlineno - 1)
    code = compile(tree, original.__code__.co_filename, "exec")
    (body,) = (part for part in code.co_consts if isinstance(part, CodeType))
    plain = FunctionType(body, original.__globals__, original.__name__)
    plain.__qualname__, plain.__module__ = original.__qualname__, original.__module__
    plain.__doc__ = original.__doc__
    return plain, ast.dump(tree)


def _key(function: FunctionType, text: str, signature: str) -> str:
    parts = [_compiler().compiler_key(), signature, text]
    for name in sorted(set(function.__code__.co_names)):
        if name in function.__globals__:
            parts.append(f"{name} = {_frozen(function.__globals__[name])}")
    return hashlib.sha256("\n".join(parts).encode()).hexdigest()[:24]


def _frozen(value: object) -> str:
    """What the compiler takes of a global that a kernel names.

    Raises:
        TypeError: it is nothing that a kernel may name, because it could change unseen.
    """
    if isinstance(value, Kernel):
        return f"{value.symbol} {value.signature}"
    if isinstance(value, ModuleType | BuiltinFunctionType | type | np.ufunc):
        return repr(getattr(value, "__name__", value))
    if isinstance(value, bool | int | float):
        return repr(value)
    if isinstance(value, tuple):
        return f"({', '.join(_frozen(item) for item in value)})"
    raise TypeError(f"a kernel may name numbers, kernels and modules, not {value!r}")


def kernel(signature: str) -> Callable[[_F], _F]:
    """Declare a function to be a kernel with the given numba signature."""

    def declare(function: _F) -> _F:
        made = Kernel(function, signature)
        declared[made.name] = made
        return cast(_F, made)

    return declare


@contextmanager
def interpreting() -> Iterator[None]:
    """While this lasts, kernels that Python calls run as plain Python, in all threads."""
    before = [(each, each.entry) for each in declared.values()]
    for each, _ in before:
        each.use_plain()
    try:
        yield
    finally:
        for each, entry in before:
            each.entry = entry


def compile_for_others(kernels: Sequence[Kernel]) -> None:
    """Compile kernels into the store, the last first; nothing here can call them."""
    for each in kernels:
        # A build is finished only when all that it calls has an address, whichever.
        _compiler().give_any_address(each.symbol)
    for each in reversed(kernels):
        each.compile_for_others()
