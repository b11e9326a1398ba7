"""What a setting is: a field of a settings class that says its section, meaning and range.

``setting`` declares one in a line; everything else (file, environment, flags, checks, the annotated
file, ``docs/settings.md``) is read off the declaration.
"""

import dataclasses
import json
import math
import typing
from collections.abc import Iterator
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

PREFIX = "HEADSTRING_"
_DECLARED = "headstring setting"
_YES, _NO = ("true", "yes", "on", "1"), ("false", "no", "off", "0")
_KINDS = MappingProxyType(
    {str: "a text", int: "a whole number", float: "a number", bool: "true or false",
     tuple[str, ...]: "a list of texts"}
)  # fmt: skip


class ConfigFaults(ValueError):
    """Settings that make no sense; ``faults``: each attribute and what is wrong with it."""

    def __init__(self, faults: tuple[tuple[str, str], ...]) -> None:
        super().__init__("; ".join(f"{attribute}: {fault}" for attribute, fault in faults))
        self.faults = faults


def setting(
    default: Any,
    section: str,
    meaning: str,
    *,
    key: str = "",
    flag: str = "",
    within: tuple[float, float] | None = None,
    choices: tuple[str, ...] = (),
    secret: bool = False,
    path: bool = False,
    unset: str = "none",
) -> Any:
    """Declare a field of a settings class as a setting that people may make.

    Args:
        section: the table of the TOML file that it is in.
        meaning: one sentence for the annotated file and docs/settings.md.
        key: its name there, when it is not the attribute's without ``section_`` before it.
        flag: the option of ``headstring serve``, ``--…``; none without.
        within: least and greatest value.
        choices: the only values.
        secret: never shown; may also be read from a file that ``…_FILE`` names.
        path: a file; relative to the settings file when it is given there.
        unset: what an empty text means, in words.
    """
    declared = {
        "section": section, "meaning": meaning, "key": key, "flag": flag, "within": within,
        "choices": choices, "secret": secret, "path": path, "unset": unset,
    }  # fmt: skip
    return dataclasses.field(default=default, metadata={_DECLARED: declared})


@dataclass(frozen=True)
class Setting:
    """A declared setting; see ``setting``.  ``kind``: str, int, float, bool or tuple[str, ...]."""

    attribute: str
    kind: Any
    default: Any
    section: str
    key: str
    meaning: str
    flag: str
    within: tuple[float, float] | None
    choices: tuple[str, ...]
    secret: bool
    path: bool
    unset: str

    @property
    def name(self) -> str:
        """Its name in the file: section and key."""
        return f"{self.section}.{self.key}"

    @property
    def variable(self) -> str:
        """The variable of the environment that sets it."""
        return PREFIX + self.name.replace(".", "_").upper()

    @property
    def allowed(self) -> str:
        """In words, what it may be."""
        if self.within is not None:
            return f"{self.within[0]:.10g} to {self.within[1]:.10g}"
        if self.choices:
            return ", ".join(self.choices)
        return str(_KINDS[self.kind])

    def read(self, text: str) -> Any:
        """The value of a text of the environment or the command line.

        Raises:
            ValueError: it is not of the setting's kind.
        """
        text = text.strip()
        # Python reads 4_7 and digits of any alphabet as numbers
        strange = self.kind in (int, float) and ("_" in text or not text.isascii())
        try:
            if strange:
                raise ValueError(text)
            if self.kind is bool:
                return _boolean(text)
            if self.kind == tuple[str, ...]:
                return tuple(part.strip() for part in text.split(",") if part.strip())
            return self.kind(text)
        except ValueError:
            raise ValueError(self._not_of_its_kind(text)) from None

    def take(self, value: object) -> Any:
        """The value of a TOML value.

        Raises:
            ValueError: it is not of the setting's kind.
        """
        if self.kind is float and isinstance(value, int) and not isinstance(value, bool):
            return float(value)
        if self.kind == tuple[str, ...] and isinstance(value, list):
            if all(isinstance(part, str) for part in value):
                return tuple(value)
        elif type(value) is self.kind:
            return value
        raise ValueError(self._not_of_its_kind(value))

    def fault(self, value: Any) -> str | None:
        """What is wrong with a value of its kind; None: nothing."""
        if self.kind is float and not math.isfinite(value):
            return f"{value} is no number; it may be {self.allowed}"
        if self.within is not None and not self.within[0] <= value <= self.within[1]:
            return f"{value:.10g} is not within {self.allowed}"
        if self.key == "token" and not all(33 <= ord(letter) <= 126 for letter in value):
            return "a token has letters, digits and signs of ASCII only, no space or line break"
        if self.choices and value not in self.choices:
            return f"{self._shown(value)} is none of: {self.allowed}"
        return None

    def toml(self, value: Any) -> str:
        """A value as it is written in the file."""
        return json.dumps(list(value) if isinstance(value, tuple) else value, ensure_ascii=False)

    def _shown(self, value: object) -> str:
        return "what is given" if self.secret else repr(value)

    def _not_of_its_kind(self, value: object) -> str:
        wanted = str(_KINDS[self.kind]) + (f", {self.allowed}" if self.within else "")
        return f"{self._shown(value)} is not {wanted}"


def settings_of(kind: type) -> tuple[Setting, ...]:
    """All settings that a class declares, section by section, in their order."""
    found = list(_declared(kind))
    sections = list(dict.fromkeys(setting.section for setting in found))
    return tuple(sorted(found, key=lambda setting: sections.index(setting.section)))


def check(settings: tuple[Setting, ...], values: Any) -> list[tuple[str, str]]:
    """Attribute and fault of every setting of an object that is beyond what it may be."""
    faults = ((s.attribute, s.fault(getattr(values, s.attribute))) for s in settings)
    return [(attribute, fault) for attribute, fault in faults if fault is not None]


def _declared(kind: type) -> Iterator[Setting]:
    types = typing.get_type_hints(kind)
    for field in dataclasses.fields(kind):
        declared = field.metadata.get(_DECLARED)
        if declared is not None:
            key = declared["key"] or field.name.removeprefix(declared["section"] + "_")
            yield Setting(
                attribute=field.name,
                kind=types[field.name],
                default=field.default,
                **(declared | {"key": key}),
            )


def _boolean(text: str) -> bool:
    if text.lower() in _YES:
        return True
    if text.lower() in _NO:
        return False
    raise ValueError(text)
