"""Kernels as plain Python: what plays while they are compiled, the same to the last bit.

A kernel's text is changed in a few ways, so that Python does what the compiled code does, and fast
enough: rows of arrays become memory views (whose items are plain floats, read in a third of the
time that numpy takes), a division by zero and the root of a negative number give infinity and nan
instead of an error, and a square is a product.

Everything else must be the same in both by itself, so that a shot's bytes never tell which one
played it.  IEEE 754 says what + - * / and the square root give; what else a kernel may use stands
in the tables below, and anything else is refused.
"""

import ast
import math
import re
from collections.abc import Callable, Mapping
from math import copysign, inf, nan
from types import FunctionType, SimpleNamespace
from typing import Any, NoReturn, cast

import numpy as np

_ARRAYS = ("copy", "empty", "full", "zeros")
_CALLS = ("abs", "copysign", "exp", "float", "int", "max", "min", "range", "sqrt")
_NODES = (
    ast.Add, ast.And, ast.AnnAssign, ast.arg, ast.arguments, ast.Assign, ast.Attribute,
    ast.AugAssign, ast.BinOp, ast.BitOr, ast.BoolOp, ast.Break, ast.Call, ast.cmpop, ast.Compare,
    ast.Constant, ast.Continue, ast.Div, ast.Expr, ast.expr_context, ast.FloorDiv, ast.For,
    ast.FunctionDef, ast.If, ast.IfExp, ast.Mod, ast.Module, ast.Mult, ast.Name, ast.Not, ast.Or,
    ast.Pass, ast.Pow, ast.Return, ast.Slice, ast.Sub, ast.Subscript, ast.Tuple, ast.unaryop,
    ast.UnaryOp, ast.While,
)  # fmt: skip


def _quotient(a: float, b: float) -> float:
    """``a / b`` where ``b`` is 0 (IEEE 754, 7.3)."""
    if a == 0.0 or a != a:
        return nan
    return copysign(inf, a) * copysign(1.0, b)


def _exp(x: float) -> float:
    try:
        return math.exp(x)
    except OverflowError:
        return inf


def _items(count: int, kind: str) -> Any:
    return memoryview(bytearray(count * (1 if kind == "?" else 8))).cast(cast(Any, kind))


def _zeros(shape: int | tuple[int, ...], kind: str = "d") -> Any:
    if isinstance(shape, int):
        return _items(shape, kind)
    if len(shape) == 1:
        return _items(shape[0], kind)
    return [_zeros(shape[1:], kind) for _ in range(shape[0])]


def _full(count: int, value: float) -> Any:
    made = _items(count, "d" if isinstance(value, float) else "q")
    for k in range(count):
        made[k] = value
    return made


def _copied(array: Any) -> Any:
    if isinstance(array, list):
        return [_copied(row) for row in array]
    return memoryview(bytearray(array)).cast(array.format)


_NUMPY = SimpleNamespace(empty=_zeros, zeros=_zeros, full=_full, copy=_copied, bool_="?", int64="q")
#: What an interpreted kernel sees besides other kernels.
_SCOPE: Mapping[str, object] = {
    "np": _NUMPY, "exp": _exp, "sqrt": math.sqrt, "copysign": copysign,
    "_quotient": _quotient, "_copied": _copied, "_nan": nan,
}  # fmt: skip


class _Plainly(ast.NodeTransformer):
    """Changes a kernel's text so that Python does with it what the compiled code does.

    Raises:
        TypeError: the kernel uses what need not be the same in both.
    """

    def __init__(self, name: str, scope: Mapping[str, object]) -> None:
        self._kernel = name
        self._scope = scope
        self._names = 0

    def _refuse(self, node: ast.AST) -> NoReturn:
        raise TypeError(
            f"kernel {self._kernel} uses `{ast.unparse(node)}`.  Kernels also run as plain Python "
            "until they are compiled, and a shot must come out the same to the last bit either "
            "way.  Use + - * /, squares (x ** 2), sqrt, exp, copysign, abs, min and max, loops in "
            "place of array arithmetic, and physics.arithmetic; or work the value out beforehand "
            "and pass it in."
        )

    def visit(self, node: ast.AST) -> Any:
        if not isinstance(node, _NODES):
            self._refuse(node)
        return super().visit(node)

    def visit_Subscript(self, node: ast.Subscript) -> ast.expr:
        """``s[i, k]`` is ``s[i][k]``, ``s.shape[0]`` how many rows there are."""
        if isinstance(node.value, ast.Attribute):
            return self._extent(node)
        self.generic_visit(node)
        if not isinstance(node.slice, ast.Tuple):
            return node
        value = node.value
        *outer, last = node.slice.elts
        for index in outer:
            if isinstance(index, ast.Slice):
                self._refuse(node)
            value = ast.Subscript(value, index, ast.Load())
        return ast.Subscript(value, last, node.ctx)

    def _extent(self, node: ast.Subscript) -> ast.expr:
        value = node.value
        known = isinstance(node.slice, ast.Constant) and node.slice.value == 0
        if not isinstance(value, ast.Attribute) or value.attr != "shape" or not known:
            self._refuse(node)
        return ast.Call(ast.Name("len", ast.Load()), [value.value], [])

    def visit_Attribute(self, node: ast.Attribute) -> ast.expr:
        if not isinstance(node.value, ast.Name) or node.value.id != "np":
            self._refuse(node)
        if not hasattr(_NUMPY, node.attr):
            self._refuse(node)
        return node

    def visit_BinOp(self, node: ast.BinOp) -> ast.expr:
        if isinstance(node.op, ast.Pow):
            if not isinstance(node.right, ast.Constant) or node.right.value != 2:
                self._refuse(node)
            # The compiler multiplies, too, where Python would ask the C library for a power.
            write, read = self._name()
            return ast.BinOp(ast.NamedExpr(write, self.visit(node.left)), ast.Mult(), read)
        self.generic_visit(node)
        if isinstance(node.op, ast.Div):
            return self._divided(node.left, node.right)
        return node

    def visit_AugAssign(self, node: ast.AugAssign) -> ast.stmt:
        if isinstance(node.op, ast.Pow):
            self._refuse(node)
        if isinstance(node.op, ast.Div):
            old = ast.parse(ast.unparse(node.target), mode="eval").body
            value = ast.BinOp(old, ast.Div(), node.value)
            changed: ast.stmt = self.visit(ast.Assign([node.target], value))
            return changed
        self.generic_visit(node)
        return node

    def visit_AnnAssign(self, node: ast.AnnAssign) -> ast.stmt:
        if node.value is None:
            self._refuse(node)
        return ast.Assign([self.visit(node.target)], self.visit(node.value))

    def visit_Call(self, node: ast.Call) -> ast.expr:
        function = node.func
        if isinstance(function, ast.Attribute) and function.attr == "copy" and not node.args:
            return ast.Call(ast.Name("_copied", ast.Load()), [self.visit(function.value)], [])
        name = function.attr if isinstance(function, ast.Attribute) else ast.unparse(function)
        if node.keywords or not (
            name in (_ARRAYS if isinstance(function, ast.Attribute) else _CALLS)
            or _is_kernel(self._scope.get(name))
        ):
            self._refuse(node)
        self.generic_visit(node)
        if name != "sqrt":
            return node
        write, read = self._name()
        real = ast.Compare(ast.NamedExpr(write, node.args[0]), [ast.GtE()], [ast.Constant(0.0)])
        return ast.IfExp(real, ast.Call(function, [read], []), ast.Name("_nan", ast.Load()))

    def _divided(self, left: ast.expr, right: ast.expr) -> ast.expr:
        if isinstance(right, ast.Constant) and right.value:
            return ast.BinOp(left, ast.Div(), right)
        write, read = self._name()
        by_zero = ast.Call(ast.Name("_quotient", ast.Load()), [left, read], [])
        return ast.IfExp(ast.NamedExpr(write, right), ast.BinOp(left, ast.Div(), read), by_zero)

    def _name(self) -> tuple[ast.Name, ast.Name]:
        """A name of its own, to write and to read."""
        self._names += 1
        return ast.Name(f"_{self._names}", ast.Store()), ast.Name(f"_{self._names}", ast.Load())


def _is_kernel(value: object) -> bool:
    return hasattr(type(value), "interpreted")


def plain_function(name: str, tree: ast.Module, scope: Mapping[str, object]) -> FunctionType:
    """The kernel ``name`` as a function of plain Python, for callers that are so, too.

    Args:
        name: for errors.
        tree: its definition, without decorators and with the values of its constants.
        scope: the globals of its module; kernels among them have an attribute ``interpreted``.

    Raises:
        TypeError: it uses what need not give the same result when it is compiled.
    """
    changed = ast.fix_missing_locations(_Plainly(name, scope).visit(tree))
    (definition,) = changed.body
    known = dict(_SCOPE)
    for node in ast.walk(changed):
        if isinstance(node, ast.Name) and _is_kernel(scope.get(node.id)):
            known[node.id] = cast(Any, scope[node.id]).interpreted
    exec(compile(changed, f"<interpreted {name}>", "exec"), known)
    return cast(FunctionType, known[definition.name])


def _rows(array: np.ndarray[Any, Any]) -> list[Any]:
    """Memory views on the rows of a two-dimensional array."""
    if array.size == 0:
        return [memoryview(row) for row in array]
    whole: Any = memoryview(cast(Any, array))
    flat = whole.cast("B").cast(whole.format)
    width = array.shape[1]
    return [flat[k : k + width] for k in range(0, array.size, width)]


def _reader(kind: str) -> Callable[[Any], Any]:
    """What makes an argument or a result of a type of numba's, such as ``f8[:, ::1]``."""
    if "[" in kind:
        return _rows if "," in kind else memoryview
    readers = {"f8": float, "i8": int, "b1": bool}
    return readers.get(kind, lambda value: value)


#: A type in a signature: a name, with what it is made of, or how an array lies.
_TYPE = re.compile(r"\w+(?:\[[^\]]*\]|\([^)]*\))?")


def called_from_outside(function: Callable[..., Any], signature: str) -> Callable[..., Any]:
    """An interpreted kernel as Python calls it, with numpy's arrays, which it changes in place."""
    result, arguments = signature.rsplit(")", 1)[0], ""
    depth = 0
    for at in range(len(result) - 1, -1, -1):  # the bracket that the last one closes
        depth += {")": 1, "(": -1}.get(result[at], 0)
        if depth < 0:
            result, arguments = result[:at], result[at + 1 :]
            break
    readers = tuple(_reader(kind) for kind in _TYPE.findall(arguments))
    read = _reader(result)

    def call(*values: Any) -> Any:
        made = [reader(value) for reader, value in zip(readers, values, strict=True)]
        return read(function(*made))

    return call
