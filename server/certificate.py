"""From when until when a certificate holds, read off its file.

``ssl`` tells that of a peer's certificate only after it was verified, which one that has run out
never is.  Of its DER form (RFC 5280, 4.1) all that is needed lies in the first few fields.
"""

import datetime
import re
import ssl
import time
from pathlib import Path
from typing import NamedTuple

_DAY_S = 86_400.0
_SOON_S = 14 * _DAY_S
_BLOCK = re.compile(r"-----BEGIN CERTIFICATE-----.+?-----END CERTIFICATE-----", re.S)
_SEQUENCE, _VERSION, _UTC_TIME, _GENERALIZED_TIME = 0x30, 0xA0, 0x17, 0x18


class Validity(NamedTuple):
    """Unix times between which a certificate holds."""

    begins: float
    ends: float

    def days_left(self) -> float:
        """Days until it has run out; below 0: it has."""
        return (self.ends - time.time()) / _DAY_S

    def warning(self) -> str | None:
        """What is wrong with it now, or soon; None: nothing.

        Soon is within two weeks, and for one of few days when two thirds of them are over.
        """
        now = time.time()
        if now > self.ends:
            return f"has run out: it held until {_day(self.ends)}"
        if now < self.begins:
            return f"does not hold before {_day(self.begins)}, by this machine's clock"
        if self.ends - now < min(_SOON_S, (self.ends - self.begins) / 3):
            return f"runs out on {_day(self.ends)}"
        return None


def validity(file: str) -> Validity:
    """That of the first certificate of a PEM file.

    Raises:
        OSError: it can't be read.
        ValueError: it holds no certificate.
    """
    block = _BLOCK.search(Path(file).read_text(encoding="utf-8", errors="replace"))
    if block is None:
        raise ValueError(f"{file} holds no certificate")
    try:
        return _read(ssl.PEM_cert_to_DER_cert(block[0]))
    except IndexError:
        raise ValueError(f"{file} holds no certificate") from None


def _read(der: bytes) -> Validity:
    certificate = _Der(_Der(der).take(_SEQUENCE))
    signed = _Der(certificate.take(_SEQUENCE))
    if signed.next == _VERSION:
        signed.take()
    for _ in ("serial number", "algorithm", "issuer"):
        signed.take()
    times = _Der(signed.take(_SEQUENCE))
    return Validity(times.time(), times.time())


class _Der:
    """A sequence of DER, taken field by field."""

    def __init__(self, content: bytes) -> None:
        self._content = content

    @property
    def next(self) -> int:
        return self._content[0]

    def take(self, kind: int | None = None) -> bytes:
        """The content of the next field."""
        content = self._content
        length, begin = content[1], 2
        if length & 0x80:
            begin += length & 0x7F
            length = int.from_bytes(content[2:begin], "big")
        if kind not in (None, content[0]) or begin + length > len(content):
            raise ValueError("this is no certificate")
        self._content = content[begin + length :]
        return content[begin : begin + length]

    def time(self) -> float:
        kind = self.next
        if kind not in (_UTC_TIME, _GENERALIZED_TIME):
            raise ValueError("this is no certificate")
        text = self.take().decode("ascii")
        if kind == _UTC_TIME:  # two digits of the year: 50 is 1950 (RFC 5280, 4.1.2.5.1)
            text = ("19" if text >= "50" else "20") + text
        read = datetime.datetime.strptime(text, "%Y%m%d%H%M%SZ")
        return read.replace(tzinfo=datetime.UTC).timestamp()


def _day(unix_time: float) -> str:
    return datetime.datetime.fromtimestamp(unix_time, datetime.UTC).strftime("%Y-%m-%d %H:%M UTC")
