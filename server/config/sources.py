"""Where settings come from: a TOML file, then the environment, then flags; the last one counts.

All that is wrong is told at once, each setting by the name that its user wrote.
"""

import argparse
import difflib
import os
import re
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from server.config import SETTINGS, ServerConfig, database_url
from server.config.setting import PREFIX, ConfigFaults, Setting

CONFIG_VARIABLE = PREFIX + "CONFIG"
_FILE = "_FILE"
# What else of the project reads variables; the tests', too, which start servers.
_OTHERS = frozenset(
    PREFIX + name for name in ("CONFIG", "DATA", "KERNELS", "PASSWORD", "NEW_PASSWORD", "SOAK")
)
_NEEDS = PREFIX + "NEED_"
# Kubernetes tells a container of every service, also of one that is called headstring.
_SERVICE = re.compile(PREFIX + r"(SERVICE_(HOST|PORT)(_\w+)?|PORT_\d+_(TCP|UDP)(_\w+)?)")
_SERVICE_URL = (PREFIX + "PORT", "://")


class ConfigUnusable(Exception):
    """The settings make no sense; ``faults``: one line for a person each."""

    def __init__(self, faults: list[str]) -> None:
        super().__init__("\n".join(faults))
        self.faults = faults


class _Gathered:
    """Values so far, the name that each was given by, and what was wrong."""

    def __init__(self) -> None:
        self.values: dict[str, Any] = {}
        self.written: dict[str, str] = {}
        self.faults: list[str] = []

    def give(self, setting: Setting, written: str, value: Any) -> None:
        self.values[setting.attribute] = value
        self.written[setting.attribute] = written

    def read(self, setting: Setting, written: str, text: str) -> None:
        try:
            self.give(setting, written, setting.read(text))
        except ValueError as error:
            self.faults.append(f"{written}: {error}")

    def config(self) -> ServerConfig:
        """The settings; raises ``ConfigUnusable``."""
        config = None
        try:
            config = ServerConfig(**self.values)
        except ConfigFaults as error:
            names = {s.attribute: s.name for s in SETTINGS} | self.written
            self.faults += [f"{names.get(a, a)}: {fault}" for a, fault in error.faults]
        if config is None or self.faults:
            raise ConfigUnusable(self.faults)
        return config


def add_flags(parser: argparse.ArgumentParser) -> None:
    """Declare an option for each setting that has one; what isn't given stays None."""
    for setting in SETTINGS:
        if setting.flag:
            default = setting.unset if setting.default == "" else setting.default
            parser.add_argument(
                setting.flag,
                dest=setting.attribute,
                metavar=setting.key.upper(),
                help=f"{setting.meaning.rstrip('.')} (default: {default})".replace("%", "%%"),
            )


def load_config(
    file: Path | None, environment: Mapping[str, str], options: Mapping[str, Any]
) -> ServerConfig:
    """The settings of a file, an environment and parsed flags.

    Raises:
        ConfigUnusable: something is wrong; all of it is told.
    """
    gathered = _Gathered()
    if file is None and environment.get(CONFIG_VARIABLE):
        file = Path(environment[CONFIG_VARIABLE])
    if file is not None:
        _take_file(gathered, file)
    _take_environment(gathered, environment)
    for setting in SETTINGS:
        text = options.get(setting.attribute) if setting.flag else None
        if text is not None:
            gathered.read(setting, setting.flag, str(text))
    return gathered.config()


def config_of(options: argparse.Namespace) -> ServerConfig:
    """The settings of parsed options, this process's environment and the file that either names.

    Raises:
        ConfigUnusable: something is wrong.
    """
    file = _named(options.config)
    return load_config(file, os.environ, vars(options))


def _named(file: str | None) -> Path | None:
    """The settings file of ``--config``; raises ``ConfigUnusable`` for an empty name."""
    if file is None:
        return None
    if not file.strip():
        raise ConfigUnusable(["--config: no file is named"])
    return Path(file).expanduser()


def add_database(parser: argparse.ArgumentParser) -> None:
    """Declare the two ways to name the database of a server: ``--database`` and ``--config``."""
    parser.add_argument(
        "--database", metavar="FILE_OR_URL",
        help="SQLite file or SQLAlchemy URL (default: that of the settings, else "
        "server.sqlite3 in your data folder)",
    )  # fmt: skip
    parser.add_argument(
        "--config", metavar="FILE",
        help=f"settings of the server, its database among them (or named by {CONFIG_VARIABLE})",
    )  # fmt: skip


def url_of(options: argparse.Namespace) -> str:
    """URL of the database that the options of ``add_database`` name.

    Raises:
        ConfigUnusable: the settings make no sense.
    """
    file = _named(options.config)
    config = load_config(file, os.environ, {"database": options.database})
    return database_url(config.database)


def annotated_file() -> str:
    """A settings file that says every default and what it is about."""
    lines = [
        "# Settings of a Headstring server: headstring serve --config THIS-FILE",
        "# Each line shows a default; take the # away from what you change.",
    ]
    section = ""
    for setting in SETTINGS:
        if setting.section != section:
            section = setting.section
            lines += ["", f"[{section}]"]
        empty = f"  Empty: {setting.unset}." if setting.default in ("", ()) else ""
        allowed = f"  ({setting.allowed})" if setting.within or setting.choices else ""
        lines.append(f"# {setting.meaning}{allowed}{empty}")
        lines.append(f"#{setting.key} = {setting.toml(setting.default)}")
    return "\n".join(lines) + "\n"


# --- the sources ----------------------------------------------------------------------------------


def _take_file(gathered: _Gathered, file: Path) -> None:
    try:
        content = tomllib.loads(file.read_bytes().decode("utf-8-sig"))
    except OSError as error:
        gathered.faults.append(f"{file}: can't be read: {error.strerror or error}")
        return
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        gathered.faults.append(f"{file}: is no TOML: {error}")
        return
    known = {setting.name: setting for setting in SETTINGS}
    for section, keys in content.items():
        if not isinstance(keys, dict):
            gathered.faults.append(f"{file}: {section}: a setting belongs into a [section]")
            continue
        for key, value in keys.items():
            name = f"{section}.{key}"
            written = f"{file}: {name}"
            setting = known.get(name)
            if setting is None:
                gathered.faults.append(f"{written}: there is no such setting{_meant(name, known)}")
                continue
            try:
                gathered.give(setting, written, _from_here(setting, file, setting.take(value)))
            except ValueError as error:
                gathered.faults.append(f"{written}: {error}")


def _from_here(setting: Setting, file: Path, value: Any) -> Any:
    """A path in the file is relative to the file's folder."""
    if setting.path and value and "://" not in value:
        return str(file.absolute().parent / Path(value).expanduser())
    return value


def _take_environment(gathered: _Gathered, environment: Mapping[str, str]) -> None:
    known = {setting.variable: setting for setting in SETTINGS}
    files = {setting.variable + _FILE: setting for setting in SETTINGS if setting.secret}
    for variable, text in sorted(environment.items()):
        if not text:
            continue  # an empty variable is none: a container can't take one away
        if variable in known:
            gathered.read(known[variable], variable, text)
        elif variable in files:
            setting = files[variable]
            if environment.get(setting.variable):
                gathered.faults.append(f"{variable}: {setting.variable} is given too")
                continue
            try:
                content = Path(text).read_text(encoding="utf-8")
                if content.strip():
                    gathered.read(setting, variable, content)
                else:
                    gathered.faults.append(f"{variable}: the file {text} is empty")
            except (OSError, UnicodeDecodeError) as error:
                gathered.faults.append(f"{variable}: can't be read: {error}")
        elif variable.startswith(PREFIX) and not _is_of_others(variable, text):
            meant = _meant(variable, known)
            gathered.faults.append(f"{variable}: there is no such setting{meant}")


def _is_of_others(variable: str, text: str) -> bool:
    """Whether a variable with our prefix is no setting, and may be there all the same."""
    name, mark = _SERVICE_URL
    of_service = _SERVICE.fullmatch(variable) or (variable == name and mark in text)
    return variable in _OTHERS or variable.startswith(_NEEDS) or bool(of_service)


def _meant(name: str, known: Mapping[str, Setting]) -> str:
    near = difflib.get_close_matches(name, known, 1)
    return f"; is {near[0]} meant?" if near else ""
