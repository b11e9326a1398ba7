"""TLS on the server's port: who gets in, what is refused, and certificates read again."""

import argparse
import asyncio
import os
import shutil
import ssl
import subprocess
import sys
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from client.net.errand import Errand, ErrandFailed
from client.net.link import Link
from client.net.session import Lost, Opened
from client.reasons import reason_text
from client.trust import authority
from server.config import ServerConfig
from server.config.setting import ConfigFaults
from server.tls import ServerTls, TlsUnusable
from server.websocket import Websocket
from tests.server.bench_table import eventually, in_loop, real_lag, serving
from tests.server.wire_client import WireClient

pytestmark = pytest.mark.skipif(shutil.which("openssl") is None, reason="openssl makes the keys")


_EC = ("ec", "-pkeyopt", "ec_paramgen_curve:prime256v1")


def _make(folder: Path, name: str, *more: str, kind: tuple[str, ...] = _EC) -> tuple[str, str]:
    """A self-signed certificate for 127.0.0.1, and its key."""
    certificate, key = folder / f"{name}.pem", folder / f"{name}.key"
    subprocess.run(
        ["openssl", "req", "-x509", "-newkey", *kind, "-days", "2",
         "-subj", f"/CN={name}", "-addext", "subjectAltName=IP:127.0.0.1",
         "-keyout", str(key), "-out", str(certificate), *(more or ("-nodes",))],
        check=True, capture_output=True,
    )  # fmt: skip
    return str(certificate), str(key)


async def _name_shown(port: int, trusted: str) -> str:
    """The certificate's common name, as a client sees it that trusts this one alone."""
    context = ssl.create_default_context(cafile=trusted)
    _, writer = await asyncio.open_connection("127.0.0.1", port, ssl=context)
    subject = writer.get_extra_info("peercert")["subject"]
    writer.close()
    return str(dict(pair for rdn in subject for pair in rdn)["commonName"])


async def _first_event(port: int, trust: ssl.SSLContext | None) -> object:
    events: list[object] = []
    link = Link(f"wss://127.0.0.1:{port}", events.append, trust=trust)
    running = asyncio.create_task(link.run())
    await eventually(lambda: bool(events))
    link.close()
    await running
    return events[0]


@in_loop
async def test_our_client_comes_by_wss_with_the_clubs_own_certificate(tmp_path: Path) -> None:
    certificate, key = _make(tmp_path, "club")
    async with serving(tmp_path, tls_certificate=certificate, tls_key=key) as server:
        assert isinstance(await _first_event(server.port, authority(certificate)), Opened)
        async with Errand(f"wss://127.0.0.1:{server.port}", authority(certificate)) as errand:
            assert (await errand.hello("test", name="Ann")).name == "Ann"
        lost = await _first_event(server.port, None)
        assert isinstance(lost, Lost) and "certificate" in lost.reason
        old = ssl.create_default_context(cafile=certificate)
        with warnings.catch_warnings(action="ignore"):
            old.minimum_version = ssl.TLSVersion.MINIMUM_SUPPORTED
            old.maximum_version = ssl.TLSVersion.TLSv1_1
        with pytest.raises(OSError):  # SSLError is one
            await asyncio.open_connection("127.0.0.1", server.port, ssl=old)


@contextmanager
def _program(folder: Path, certificate: str, key: str) -> Iterator[int]:
    """``headstring serve`` over TLS as a process; its port."""
    words = [
        sys.executable, "-m", "headstring", "serve", "--port", "0", "--workers", "1",
        "--database", str(folder / "db.sqlite3"), "--log-level", "warning",
        "--tls-certificate", certificate, "--tls-key", key,
    ]  # fmt: skip
    root, pipe = Path(__file__).parents[2], subprocess.PIPE
    program = subprocess.Popen(words, cwd=root, stdout=pipe, text=True)
    try:
        assert program.stdout is not None
        line = program.stdout.readline()
        assert line.startswith("Headstring listens on wss://"), line
        yield int(line.rsplit(":", 1)[1])
    finally:
        program.kill()
        program.communicate()


def test_two_play_over_tls_where_uvloop_is_installed(tmp_path: Path) -> None:
    """The program takes the event loop with which its TLS works; several times, it is a race."""
    pytest.importorskip("uvloop")
    certificate, key = _make(tmp_path, "club")
    trust = authority(certificate)

    @in_loop
    async def play(port: int) -> None:
        ann, bob = [await WireClient.connect(port, name, trust=trust) for name in ("Ann", "Bob")]
        await bob.join(await ann.open())
        await real_lag(ann, bob)
        for number in range(20):
            await (await WireClient.connect(port, f"Eve {number}", trust=trust)).close()

    with _program(tmp_path, certificate, key) as port:
        play(port)


@in_loop
async def test_what_is_wrong_with_a_line_is_said_by_name(tmp_path: Path) -> None:
    """The same sentences at the table and on the command line, and Czech words for each."""
    certificate, key = _make(tmp_path, "club")
    other, _ = _make(tmp_path, "other")

    async def said(url: str, trusted: str | None) -> str:
        trust = authority(trusted) if trusted is not None else None
        events: list[object] = []
        link = Link(url, events.append, trust=trust)
        running = asyncio.create_task(link.run())
        await eventually(lambda: bool(events))
        link.close()
        await running
        lost = events[0]
        assert isinstance(lost, Lost), events
        with pytest.raises(ErrandFailed) as failed:
            await Errand(url, trust).__aenter__()
        assert str(failed.value) == lost.reason
        assert reason_text("cs", lost.reason) != lost.reason
        return lost.reason

    async with serving(tmp_path, tls_certificate=certificate, tls_key=key) as server:
        port = server.port
        unknown = f"the certificate of 127.0.0.1:{port} is not of anybody whom this computer trusts"
        assert (await said(f"wss://127.0.0.1:{port}", None)).startswith(unknown)
        assert "--ca names the club's own" in await said(f"wss://127.0.0.1:{port}", other)
        name = await said(f"wss://localhost:{port}", certificate)
        assert name == f"the certificate of localhost:{port} is for another name"
        assert "its address begins with wss://" in await said(f"ws://127.0.0.1:{port}", None)
    (tmp_path / "plain").mkdir()
    async with serving(tmp_path / "plain") as server:
        assert "speaks no TLS; its address may begin with ws://" in await said(
            f"wss://127.0.0.1:{server.port}", certificate
        )


@in_loop
async def test_files_are_read_again_and_connections_go_on(tmp_path: Path) -> None:
    certificate, key = _make(tmp_path, "used")
    next_certificate, next_key = _make(tmp_path, "next")
    first = shutil.copy(certificate, tmp_path / "first.pem")
    async with serving(tmp_path, tls_certificate=certificate, tls_key=key) as server:
        tls = server.listener.tls
        assert tls is not None and await _name_shown(server.port, str(first)) == "used"
        events: list[object] = []
        link = Link(f"wss://127.0.0.1:{server.port}", events.append, trust=authority(str(first)))
        running = asyncio.create_task(link.run())
        await eventually(lambda: bool(events))
        shutil.copy(next_certificate, certificate)
        with pytest.raises(TlsUnusable, match="is not that of the certificate"):
            tls.reload()  # half of it is there
        assert await _name_shown(server.port, str(first)) == "used"
        shutil.copy(next_key, key)
        tls.reload()
        assert await _name_shown(server.port, next_certificate) == "next"
        assert [type(event) for event in events] == [Opened]
        link.close()
        await running


@in_loop
async def test_a_certificate_of_another_kind_takes_the_place_of_the_old(tmp_path: Path) -> None:
    """Not beside it: who asks for the old kind must not get what was renewed."""
    certificate, key = _make(tmp_path, "used")
    next_certificate, next_key = _make(tmp_path, "next", kind=("rsa:2048",))

    def of_kind(kind: str, trusted: str) -> ssl.SSLContext:
        context = ssl.create_default_context(cafile=trusted)
        context.maximum_version = ssl.TLSVersion.TLSv1_2
        context.set_ciphers(f"ECDHE-{kind}-AES128-GCM-SHA256")
        return context

    async with serving(tmp_path, tls_certificate=certificate, tls_key=key) as server:
        tls = server.listener.tls
        assert tls is not None
        shutil.copy(next_certificate, certificate)
        shutil.copy(next_key, key)
        tls.reload()
        assert await _name_shown(server.port, next_certificate) == "next"
        rsa_only = of_kind("RSA", next_certificate)
        _, writer = await asyncio.open_connection("127.0.0.1", server.port, ssl=rsa_only)
        writer.close()
        ec_only = of_kind("ECDSA", next_certificate)
        with pytest.raises((OSError, EOFError)):
            await asyncio.open_connection("127.0.0.1", server.port, ssl=ec_only)


@in_loop
async def test_sockets_that_say_nothing_count_before_tls_stands(tmp_path: Path) -> None:
    certificate, key = _make(tmp_path, "club")
    limits = {"connections_per_address": 2, "sign_in_real_s": 1.0}
    async with serving(tmp_path, tls_certificate=certificate, tls_key=key, **limits) as server:
        gate, left = server.house.gate, 32
        silent = [
            await asyncio.open_connection("127.0.0.1", server.port) for _ in range(2 + left + 5)
        ]
        await eventually(lambda: gate.cut == 5)
        assert gate.half_open <= 2 + left
        # each has so long for TLS, and is gone then
        await eventually(lambda: gate.half_open == 0)
        assert isinstance(await _first_event(server.port, authority(certificate)), Opened)
        for _, writer in silent:
            writer.close()
        _, silent_one = await asyncio.open_connection("127.0.0.1", server.port)
        await eventually(lambda: gate.half_open == 1)
    silent_one.close()  # the server has not waited for it


@in_loop
async def test_a_connection_over_tls_keeps_no_large_buffer(tmp_path: Path) -> None:
    certificate, key = _make(tmp_path, "club")
    async with (
        serving(tmp_path, tls_certificate=certificate, tls_key=key) as server,
        Errand(f"wss://127.0.0.1:{server.port}", authority(certificate)) as errand,
    ):
        await errand.hello("test", name="Ann")
        (connection,) = server.house.connections
        line = connection._socket
        assert isinstance(line, Websocket)
        assert len(line.transport._ssl_protocol._ssl_buffer) <= 16 * 1024  # type: ignore[attr-defined]


def test_what_cannot_be_used_is_said(tmp_path: Path) -> None:
    certificate, key = _make(tmp_path, "club")
    _, other = _make(tmp_path, "other")
    locked, locked_key = _make(tmp_path, "locked", "-passout", "pass:secret")
    nonsense = tmp_path / "nonsense.pem"
    nonsense.write_text("Dear club")
    for pair, why in (
        ((str(tmp_path / "none.pem"), key), "can't read .*none.pem: No such file"),
        ((certificate, str(tmp_path)), "can't read"),
        ((certificate, other), "other.key is not that of the certificate"),
        ((key, certificate), "no certificate and key in PEM"),
        ((str(nonsense), key), "no certificate and key in PEM"),
        ((locked, locked_key), "has a password"),
    ):
        with pytest.raises(TlsUnusable, match=why):
            ServerTls(*pair)
    if os.name == "posix" and os.geteuid() != 0:
        os.chmod(key, 0)
        with pytest.raises(TlsUnusable, match=r"club.key: Permission denied"):
            ServerTls(certificate, key)
    for name in ("nonsense.pem", "none.pem"):
        with pytest.raises(argparse.ArgumentTypeError):
            authority(str(tmp_path / name))


def test_certificate_and_key_go_together() -> None:
    for given, missing in (("tls_certificate", "tls_key"), ("tls_key", "tls_certificate")):
        with pytest.raises(ConfigFaults) as error:
            ServerConfig(**{given: "x"})  # type: ignore[arg-type]
        assert [attribute for attribute, _ in error.value.faults] == [missing]
