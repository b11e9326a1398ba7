"""From when until when a certificate holds: read, and told to whoever runs the server."""

import logging
import shutil
import subprocess
import time
from pathlib import Path

import pytest

import headstring
from server.certificate import Validity, validity
from server.tls import ServerTls
from tests.server.bench_table import in_loop, serving
from tests.server.web.fetch import fetch

pytestmark = pytest.mark.skipif(shutil.which("openssl") is None, reason="openssl makes the keys")
DAY = 86_400.0

_AUTHORITY = """\
[ca]
default_ca=d
[d]
database=index
serial=serial
new_certs_dir=.
default_md=sha256
policy=p
[p]
commonName=supplied
"""


def _certificate(folder: Path, begins: str, ends: str) -> tuple[str, str]:
    """One that holds between two times (YYYYMMDDHHMMSSZ), and its key."""
    (folder / "ca.cnf").write_text(_AUTHORITY)
    (folder / "index").write_text("")
    (folder / "serial").write_text("01")
    for words in (
        "req -new -newkey rsa:2048 -nodes -keyout old.key -out old.csr -subj /CN=old",
        "ca -batch -config ca.cnf -selfsign -keyfile old.key -in old.csr -out old.pem "
        f"-startdate {begins} -enddate {ends}",
    ):
        subprocess.run(["openssl", *words.split()], check=True, capture_output=True, cwd=folder)
    return str(folder / "old.pem"), str(folder / "old.key")


def test_times_are_read_off_the_file(tmp_path: Path) -> None:
    """UTCTime and GeneralizedTime (from 2050 on), with the text that openssl puts before it."""
    file, _ = _certificate(tmp_path, "20200101000000Z", "20510203040506Z")
    assert not Path(file).read_text().startswith("-----")
    assert validity(file) == Validity(1_577_836_800.0, 2_559_009_906.0)
    (tmp_path / "none.pem").write_text("Dear club")
    with pytest.raises(ValueError, match="no certificate"):
        validity(str(tmp_path / "none.pem"))


@pytest.mark.parametrize(
    ("since_days", "left_days", "why"),
    [
        (100, -1, "has run out"),
        (-1, 100, "does not hold before"),
        (76, 13, "runs out on"),
        (75, 15, None),
        (3, 3, None),  # of six days
        (5, 1, "runs out on"),
    ],
)
def test_what_is_worth_a_warning(since_days: float, left_days: float, why: str | None) -> None:
    now = time.time()
    warning = Validity(now - since_days * DAY, now + left_days * DAY).warning()
    assert (warning is None) == (why is None) and (why or "") in (warning or "")


def test_a_server_with_an_old_certificate_says_so(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, capsys: pytest.CaptureFixture[str]
) -> None:
    certificate, key = _certificate(tmp_path, "20200101000000Z", "20210101000000Z")
    words = ["serve", "--check-config", "--tls-certificate", certificate, "--tls-key", key]
    assert headstring.main(words) == 0
    said = f"TLS: the certificate {certificate} has run out: it held until 2021-01-01 00:00 UTC"
    assert said in capsys.readouterr().err

    @in_loop
    async def start() -> None:
        async with serving(tmp_path, tls_certificate=certificate, tls_key=key) as server:
            assert server.listener.tls is not None
            assert server.house.metrics.certificate_days is not None
            assert server.house.metrics.certificate_days() < -2000

    with caplog.at_level(logging.WARNING):
        start()
    assert said in caplog.text
    assert ServerTls(certificate, key).warning() == said


@in_loop
async def test_without_tls_no_days_are_shown(tmp_path: Path) -> None:
    async with serving(tmp_path) as server:
        assert "certificate_days" not in (await fetch(server.port, "/metrics")).body
        server.house.metrics.certificate_days = lambda: 12.5
        assert "headstring_certificate_days 12.5" in (await fetch(server.port, "/metrics")).body
