"""Writes ``docs/settings.md`` from the declarations of the settings: ``make settings-page``."""

from pathlib import Path

from server.config import SETTINGS
from server.config.setting import Setting

PAGE = Path(__file__).parents[1] / "docs" / "settings.md"

_HEAD = """\
# Settings of a server

`make settings-page` writes this page from `server/config`.

A setting is taken from its flag, else from its variable of the environment, else from the settings
file, else it is the default. `headstring serve --config server.toml` (or `HEADSTRING_CONFIG`) names
the file; `--print-config` prints one with all defaults, `--check-config` says all that is wrong
with what it is given and ends with status 2, or 0 when nothing is.

The file is TOML; `tables.max_tables` is `max_tables` under `[tables]`. Files named in it are
relative to its folder. In variables a list is separated by commas, yes and no are `true` and
`false`, and an empty variable counts as none. A secret may also be in a file that the variable with
`_FILE` behind it names. Times are in seconds, `_real_s` in real ones, the others by the server's
clock (`server.time_scale`).
"""


def page() -> str:
    """The page as it must be."""
    lines = [_HEAD]
    section = ""
    for setting in SETTINGS:
        if setting.section != section:
            section = setting.section
            lines += [
                f"## [{section}]",
                "",
                "| setting | what | default | may be |",
                "|---|---|---|---|",
            ]
        lines.append(_row(setting))
        if setting is SETTINGS[-1] or SETTINGS[SETTINGS.index(setting) + 1].section != section:
            lines.append("")
    return "\n".join(lines).rstrip() + "\n"


def _row(setting: Setting) -> str:
    names = [f"`{setting.key}`", f"`{setting.variable}`"]
    if setting.secret:
        names.append(f"`{setting.variable}_FILE`")
    if setting.flag:
        names.append(f"`{setting.flag}`")
    default = f"`{setting.toml(setting.default)}`"
    if setting.default in ("", ()):
        default = setting.unset
    return f"| {'<br>'.join(names)} | {setting.meaning} | {default} | {setting.allowed} |"


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
