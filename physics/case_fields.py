"""Reading a case's keys, each with its type and limits: whatever is wrong names the key.

Used by ``physics.case_input``; knows nothing of tables or balls.
"""

import json
import math
from collections.abc import Iterable
from typing import NoReturn


class CaseError(ValueError):
    """A case that is refused: ``code`` is one of ``CODES``, the message a sentence."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code


#: Every code with which a case is refused.
CODES = (
    "bad_json", "missing", "unknown_key", "wrong_type", "not_finite", "out_of_range",
    "unknown_name", "conflict", "overlap",
)  # fmt: skip


class Fields:
    """A JSON object under a name, ``table`` or ``balls.3``, for the sentences of refusals."""

    def __init__(self, value: object, name: str) -> None:
        if not isinstance(value, dict):
            refuse_type(name, "an object", value)
        self.values: dict[str, object] = value
        self.name = name

    def path(self, key: str) -> str:
        """The key as refusals name it."""
        return f"{self.name}.{key}" if self.name else key

    def known(self, keys: Iterable[str]) -> None:
        """Refuse any other key."""
        allowed = tuple(keys)
        for key in self.values:
            if key not in allowed:
                raise CaseError(
                    "unknown_key",
                    f"{self.path(plain(key))} is no key; the keys here are {', '.join(allowed)}",
                )

    def __contains__(self, key: str) -> bool:
        return key in self.values

    def get(self, key: str) -> object:
        """The value.

        Raises:
            CaseError: ``missing``.
        """
        if key not in self.values:
            raise CaseError("missing", f"{self.path(key)} is required")
        return self.values[key]

    def number(self, key: str, low: float, high: float, *, above: bool = False) -> float:
        """A number in ``low`` .. ``high``; ``above``: strictly over ``low``."""
        return number(self.get(key), self.path(key), low, high, above=above)

    def vector(self, key: str, sizes: tuple[int, ...], limit: float) -> tuple[float, ...]:
        """A list of numbers, each within ``limit`` of zero, of one of the ``sizes``."""
        path = self.path(key)
        value = self.get(key)
        if not isinstance(value, list) or len(value) not in sizes:
            refuse_type(path, f"a list of {' or '.join(map(str, sizes))} numbers", value)
        return tuple(number(v, path, -limit, limit) for v in value)

    def choice(self, key: str, names: Iterable[str]) -> str:
        """One of the names."""
        value = self.get(key)
        options = tuple(names)
        if not isinstance(value, str):
            refuse_type(self.path(key), "a string", value)
        if value not in options:
            raise CaseError(
                "unknown_name", f"{self.path(key)} is {short(value)}; it must be {_either(options)}"
            )
        return value


def number(value: object, path: str, low: float, high: float, *, above: bool = False) -> float:
    """``value`` as a float in ``low`` .. ``high``; ``above``: strictly over ``low``.

    Raises:
        CaseError: ``wrong_type``, ``not_finite`` or ``out_of_range``.
    """
    if isinstance(value, bool) or not isinstance(value, int | float):
        refuse_type(path, "a number", value)
    if isinstance(value, float) and not math.isfinite(value):
        raise CaseError("not_finite", f"{path} must be a finite number")
    # Compared before it is a float: an integer may be too large to be one.
    if value < low or value > high or (above and value <= low):
        least = f"over {low:g}" if above else f"{low:g}"
        raise CaseError(
            "out_of_range", f"{path} is {short(value)}; the limits are {least} and {high:g}"
        )
    return float(value)


def refuse_type(path: str, wanted: str, value: object) -> NoReturn:
    """Raise ``wrong_type``."""
    raise CaseError("wrong_type", f"{path or 'a case'} must be {wanted}, not {short(value)}")


def short(value: object) -> str:
    """A value for a sentence, in JSON's words: never long, whatever was sent."""
    if isinstance(value, int) and not isinstance(value, bool) and abs(value) >= 10**18:
        return "a very large integer"
    if isinstance(value, dict | list):
        text = "an object" if isinstance(value, dict) else "a list"
    elif value is None or isinstance(value, bool | float):
        text = json.dumps(value)
    else:
        text = repr(value)
    return text if len(text) <= 60 else text[:57] + "..."


def plain(key: object) -> str:
    """A key that nobody knows, for a sentence: short, and without what can't be written out."""
    text = ascii(key)[1:-1] if isinstance(key, str) and not key.isprintable() else str(key)
    return text if len(text) <= 60 else text[:57] + "..."


def _either(options: tuple[str, ...]) -> str:
    return options[0] if len(options) == 1 else ", ".join(options[:-1]) + " or " + options[-1]
