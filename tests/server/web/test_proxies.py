"""The proxies of docs/server.md, as they are written there, where they are installed."""

import asyncio
import contextlib
import re
import shutil
import socket
import ssl
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from websockets.asyncio.client import connect

from shared_rules import messages as m
from shared_rules.wire import read_server_message, write_message
from tests.server.bench_table import in_loop, serving

NAME = "pool.example.org"
PAGE = Path(__file__).parents[3] / "docs" / "server.md"


def needs(program: str) -> pytest.MarkDecorator:
    missing = [name for name in (program, "openssl") if shutil.which(name) is None]
    return pytest.mark.skipif(bool(missing), reason=f"not installed: {', '.join(missing)}")


def written(language: str) -> str:
    """What the page gives for a proxy."""
    found = re.search(rf"\n[^\n]*{language}[^\n]*:\n```\n(.*?)```", PAGE.read_text(), re.DOTALL)
    assert found is not None
    return found.group(1)


def certificate_of(folder: Path) -> tuple[str, str]:
    """A self-signed certificate of ``NAME``, and its key."""
    certificate, key = str(folder / "club.pem"), str(folder / "club.key")
    subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1",
         "-days", "2", "-subj", f"/CN={NAME}", "-addext", f"subjectAltName=DNS:{NAME}",
         "-nodes", "-keyout", key, "-out", certificate],
        check=True, capture_output=True,
    )  # fmt: skip
    return certificate, key


def free_port() -> int:
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return int(found.getsockname()[1])


@contextlib.contextmanager
def running(*words: str) -> Iterator[None]:
    """A program that ends with the block."""
    process = subprocess.Popen(words, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        yield
    finally:
        process.terminate()
        process.wait(20)


async def _visit(port: int, trust: ssl.SSLContext) -> tuple[m.ServerMessage, str]:
    """Sign in through the proxy: the welcome, and what the front page says."""
    for _ in range(200):
        try:
            opening = connect(
                f"wss://{NAME}:{port}", host="127.0.0.1", ssl=trust, compression=None,
                proxy=None,
            )  # fmt: skip
            async with opening as client:
                await client.send(write_message(m.Hello(protocol=m.PROTOCOL, name="Ann")))
                data = await client.recv()
                assert isinstance(data, bytes)
                welcome = read_server_message(data)
            break
        except OSError:
            await asyncio.sleep(0.1)
    reader, writer = await asyncio.open_connection(
        "127.0.0.1", port, ssl=trust, server_hostname=NAME
    )
    writer.write(b"GET / HTTP/1.1\r\nHost: pool.example.org\r\nConnection: close\r\n\r\n")
    page = (await reader.read()).decode()
    writer.close()
    return welcome, page


async def _tried(tmp_path: Path, backend: int, front: int, trust: ssl.SSLContext) -> None:
    limits = {"trusted_proxies": ("127.0.0.1", "::1")}
    async with serving(tmp_path, port=backend, **limits) as server:
        welcome, page = await _visit(front, trust)
        assert isinstance(welcome, m.Welcome) and welcome.name == "Ann"
        # the server knows that players have TLS, and by which name
        assert "headstring play --server wss://pool.example.org" in page
        assert "Strict-Transport-Security" in page
        assert server.house.metrics.connections == 1


@needs("nginx")
@in_loop
async def test_nginx_as_written(tmp_path: Path) -> None:
    certificate, key = certificate_of(tmp_path)
    backend, front = free_port(), free_port()
    location = written("nginx").replace("4747", str(backend))
    settings = tmp_path / "nginx.conf"
    settings.write_text(
        f"daemon off; pid {tmp_path}/pid; error_log {tmp_path}/errors;\n"
        "events {}\nhttp {\n"
        f"access_log off; client_body_temp_path {tmp_path}/b; proxy_temp_path {tmp_path}/p;\n"
        f"fastcgi_temp_path {tmp_path}/f; uwsgi_temp_path {tmp_path}/u;\n"
        f"scgi_temp_path {tmp_path}/s;\n"
        f"server {{ listen 127.0.0.1:{front} ssl; server_name pool.example.org;\n"
        f"ssl_certificate {certificate}; ssl_certificate_key {key};\n{location}}}}}\n"
    )
    with running("nginx", "-c", str(settings), "-p", str(tmp_path)):
        await _tried(tmp_path, backend, front, ssl.create_default_context(cafile=certificate))


@needs("caddy")
@in_loop
async def test_caddy_as_written(tmp_path: Path) -> None:
    certificate, key = certificate_of(tmp_path)
    backend, front = free_port(), free_port()
    site = written("Caddy").replace("4747", str(backend))
    # with a certificate of ours in place of the one that Caddy would fetch
    site = site.replace(f"{NAME} {{", f"{NAME}:{front} {{\n    tls {certificate} {key}")
    settings = tmp_path / "Caddyfile"
    settings.write_text("{\n    admin off\n    auto_https disable_redirects\n}\n" + site)
    with running("caddy", "run", "--config", str(settings), "--adapter", "caddyfile"):
        await _tried(tmp_path, backend, front, ssl.create_default_context(cafile=certificate))
