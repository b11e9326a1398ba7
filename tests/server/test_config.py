"""Settings from file, environment and flags: which counts, what is refused, and how it is told."""

import argparse
import dataclasses
import re
import tomllib
from pathlib import Path

import pytest

from server.command import add_arguments, run
from server.config import SETTINGS, ServerConfig
from server.config.setting import ConfigFaults, Setting
from server.config.sources import ConfigUnusable, annotated_file, load_config
from tests.settings_page import PAGE, page


def _file(tmp_path: Path, text: str) -> Path:
    file = tmp_path / "server.toml"
    file.write_text(text, encoding="utf-8")
    return file


def _faults(
    file: Path | None, environment: dict[str, str], options: dict[str, str] | None = None
) -> list[str]:
    with pytest.raises(ConfigUnusable) as error:
        load_config(file, environment, options or {})
    return error.value.faults


def _options(*words: str) -> argparse.Namespace:
    parser = argparse.ArgumentParser()
    add_arguments(parser)
    return parser.parse_args(words)


def test_flags_count_more_than_the_environment_and_that_more_than_the_file(tmp_path: Path) -> None:
    file = _file(
        tmp_path,
        '[listen]\nport = 1\nhost = "::1"\n[physics]\nworkers = 3\n[server]\ntime_scale = 2\n',
    )
    environment = {"HEADSTRING_LISTEN_PORT": "2", "HEADSTRING_PHYSICS_WORKERS": "4"}
    config = load_config(file, environment, {"port": "5"})
    assert (config.port, config.workers, config.host) == (5, 4, "::1")
    assert config.time_scale == 2.0 and isinstance(config.time_scale, float)
    assert config.max_tables == ServerConfig().max_tables
    named = load_config(None, environment | {"HEADSTRING_CONFIG": str(file)}, {})
    assert (named.port, named.host) == (2, "::1")


def test_all_faults_are_told_at_once_by_the_names_that_were_written(tmp_path: Path) -> None:
    file = _file(
        tmp_path,
        '[listen]\nport = 70000\nhots = "x"\n[tables]\nmax_tables = "many"\n'
        '[log]\nlevel = "loud"\n[nowhere]\nx = 1\n',
    )
    environment = {"HEADSTRING_TABLES_LINGER_S": "-1", "HEADSTRING_LISTEN_PROT": "1"}
    faults = _faults(file, environment, {"workers": "0", "time_scale": "fast"})
    for name, why in (
        (f"{file}: listen.port", "70000 is not within 0 to 65535"),
        (f"{file}: listen.hots", "no such setting; is listen.host meant?"),
        (f"{file}: tables.max_tables", "'many' is not a whole number, 1 to 100000"),
        (f"{file}: log.level", "'loud' is none of: debug, info, warning, error"),
        (f"{file}: nowhere.x", "no such setting"),
        ("HEADSTRING_TABLES_LINGER_S", "-1 is not within 0 to 86400"),
        ("HEADSTRING_LISTEN_PROT", "no such setting; is HEADSTRING_LISTEN_PORT meant?"),
        ("--workers", "0 is not within 1 to 64"),
        ("--time-scale", "'fast' is not a number, 0.1 to 1000"),
    ):
        assert [f for f in faults if f.startswith(name + ": ") and why in f], (name, faults)
    assert len(faults) == 9


@pytest.mark.parametrize(
    "text", ["port = 1\n", "[listen\n", "[listen]\nport = true\n", "[listen]\nport = 1.5\n", "\xff"]
)
def test_a_file_that_is_none_is_refused(tmp_path: Path, text: str) -> None:
    file = tmp_path / "server.toml"
    file.write_bytes(text.encode("latin-1"))
    (fault,) = _faults(file, {})
    assert fault.startswith(f"{file}: ")


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    assert "can't be read" in _faults(tmp_path / "none.toml", {})[0]


@pytest.mark.parametrize("value", ["nan", "inf", "-inf"])
def test_no_number_is_no_number(value: str, tmp_path: Path) -> None:
    assert len(_faults(None, {"HEADSTRING_SERVER_TIME_SCALE": value})) == 1
    assert len(_faults(_file(tmp_path, f"[tables]\nlinger_s = {value}\n"), {})) == 1


def test_an_empty_variable_is_none_and_strange_ones_are_left_alone() -> None:
    environment = {
        "HEADSTRING_LISTEN_PORT": "",
        "HEADSTRING_KERNELS": "/x",
        "PATH": "/bin",
        "HEADSTRING_PASSWORD": "x",
        "HEADSTRING_NEED_POSTGRESQL": "1",
        # Kubernetes, beside a service that is called headstring
        "HEADSTRING_SERVICE_HOST": "10.0.0.1",
        "HEADSTRING_SERVICE_PORT": "4747",
        "HEADSTRING_PORT": "tcp://10.0.0.1:4747",
        "HEADSTRING_PORT_4747_TCP_ADDR": "10.0.0.1",
    }
    assert load_config(None, environment, {}) == ServerConfig()


def test_a_secret_may_lie_in_a_file_and_is_never_shown(tmp_path: Path) -> None:
    secret = tmp_path / "url"
    secret.write_text("postgresql+asyncpg://club:secret@db/x\n")
    config = load_config(None, {"HEADSTRING_DATABASE_URL_FILE": str(secret)}, {})
    assert config.database == "postgresql+asyncpg://club:secret@db/x"
    both = {"HEADSTRING_DATABASE_URL_FILE": str(secret), "HEADSTRING_DATABASE_URL": "x"}
    assert "given too" in _faults(None, both)[0]
    assert "can't be read" in _faults(None, {"HEADSTRING_DATABASE_URL_FILE": "/nowhere"})[0]
    (fault,) = _faults(_file(tmp_path, '[database]\nurl = ["secret"]\n'), {})
    assert "secret" not in fault.partition("database.url")[2]


def test_files_named_in_a_file_are_relative_to_its_folder(tmp_path: Path) -> None:
    config = load_config(_file(tmp_path, '[database]\nurl = "club.sqlite3"\n'), {}, {})
    assert Path(config.database) == tmp_path / "club.sqlite3"
    url = "sqlite+aiosqlite:///x"
    assert load_config(_file(tmp_path, f'[database]\nurl = "{url}"\n'), {}, {}).database == url


def test_the_printed_file_holds_every_default(tmp_path: Path) -> None:
    text = annotated_file()
    assert tomllib.loads(text) == {setting.section: {} for setting in SETTINGS}
    bare = re.sub(r"^#(?=\w)", "", text, flags=re.M)
    assert load_config(_file(tmp_path, bare), {}, {}) == ServerConfig()
    written = tomllib.loads(bare)
    assert all(setting.key in written[setting.section] for setting in SETTINGS)


def test_a_file_that_begins_with_a_byte_order_mark_is_read(tmp_path: Path) -> None:
    """As editors on Windows write it."""
    file = tmp_path / "server.toml"
    file.write_bytes(b"\xef\xbb\xbf[listen]\nport = 4800\n")
    assert load_config(file, {}, {}).port == 4800


@pytest.mark.parametrize("token", ["two words", "a line\\n", "kůň"])
def test_a_token_that_no_header_can_hold_is_refused_unshown(tmp_path: Path, token: str) -> None:
    with pytest.raises(ConfigUnusable) as refused:
        load_config(_file(tmp_path, f'[metrics]\ntoken = "{token}"\n'), {}, {})
    assert "metrics.token" in str(refused.value) and token not in str(refused.value)


def test_print_and_check(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(_options("--print-config")) == 0
    file = _file(tmp_path, capsys.readouterr().out)
    assert run(_options("--check-config", "--config", str(file))) == 0
    assert run(_options("--check-config", "--config", str(file), "--port", "-1")) == 2
    assert "--port: -1 is not within" in capsys.readouterr().err


def test_every_field_is_a_setting_and_no_two_have_the_same_name() -> None:
    declared = {setting.attribute for setting in SETTINGS}
    fields = {field.name for field in dataclasses.fields(ServerConfig)}
    assert fields - declared == {"physics"}, "declare it by setting(...)"
    for names in ([s.name for s in SETTINGS], [s.variable for s in SETTINGS]):
        assert len(names) == len(set(names))
    assert all(setting.meaning.endswith(".") for setting in SETTINGS)


@pytest.mark.parametrize("setting", SETTINGS, ids=lambda s: s.name)
def test_numbers_have_a_range_and_what_is_beyond_it_is_refused(setting: Setting) -> None:
    if setting.kind not in (int, float):
        return
    assert setting.within is not None
    for value in (setting.within[0] - 1, setting.within[1] * 2 + 1):
        with pytest.raises(ConfigFaults) as error:
            ServerConfig(**{setting.attribute: setting.kind(value)})
        assert [attribute for attribute, _ in error.value.faults] == [setting.attribute]


def test_the_page_is_as_the_code_says() -> None:
    assert PAGE.read_text(encoding="utf-8") == page(), "run: make settings-page"


@pytest.mark.parametrize(
    ("variable", "meant"),
    [
        ("HEADSTRING_LISTN_PORT", "HEADSTRING_LISTEN_PORT"),
        ("HEADSTRING_PORT", "HEADSTRING_LISTEN_PORT"),
        ("HEADSTRING_DATABASE", "HEADSTRING_DATABASE_URL"),
        ("HEADSTRING_NOTHING_OF_OURS_AT_ALL", ""),
    ],
)
def test_every_variable_of_ours_that_is_unknown_is_a_fault(variable: str, meant: str) -> None:
    (fault,) = _faults(None, {variable: "1"})
    assert fault.startswith(f"{variable}: there is no such setting")
    assert meant in fault


@pytest.mark.parametrize("name", ["HEADSTRING_DATABASE_URL_FILE", "HEADSTRING_METRICS_TOKEN_FILE"])
def test_an_empty_secret_is_a_fault(name: str, tmp_path: Path) -> None:
    """Not the default: a secret that was not written yet must not open another database."""
    secret = tmp_path / "secret"
    secret.write_text(" \n")
    assert _faults(None, {name: str(secret)}) == [f"{name}: the file {secret} is empty"]


@pytest.mark.parametrize(
    ("option", "value", "why"),
    [
        ("host", "", "is no address and no name"),
        ("host", "256.1.1.1", "is no address and no name"),
        ("host", "club house", "is no address and no name"),
        ("database", "mysql://club:secret@h/x", "it is no database that is known here"),
        ("name", "", "characters that can be seen"),
        ("name", "x" * 5000, "characters that can be seen"),
        ("name", "a\nb\x1b[31m", "characters that can be seen"),
        ("port", "4_7", "is not a whole number"),
        ("port", "\u0664\u0667", "is not a whole number"),
        ("time_scale", "1_0", "is not a number"),
    ],
)
def test_what_cannot_be_meant_is_a_fault(option: str, value: str, why: str) -> None:
    (fault,) = _faults(None, {}, {option: value})
    assert why in fault and "secret" not in fault


@pytest.mark.parametrize("host", ["localhost", "pool.example.org", "::", "::1", "10.0.0.1", "pc-7"])
def test_addresses_and_names_are_hosts(host: str) -> None:
    assert load_config(None, {}, {"host": host}).host == host


def test_metrics_need_a_port_of_their_own(tmp_path: Path) -> None:
    for host, metrics, ours in (
        ("127.0.0.1", "127.0.0.1:4747", True),
        ("0.0.0.0", "127.0.0.1:4747", True),
        ("10.0.0.1", "127.0.0.1:4747", False),
        ("127.0.0.1", "127.0.0.1:4748", False),
    ):
        values = {"HEADSTRING_LISTEN_HOST": host, "HEADSTRING_METRICS_ADDRESS": metrics}
        if ours:
            assert "the server's own port" in _faults(None, values)[0]
        else:
            assert load_config(None, values, {}).metrics_address == metrics
    assert load_config(None, {"HEADSTRING_METRICS_ADDRESS": "127.0.0.1:0"}, {"port": "0"})


def test_an_empty_config_names_no_file(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(_options("--check-config", "--config", "")) == 2
    assert "--config: no file is named" in capsys.readouterr().err
