"""Why no connection to a server came about, as far as a person can do something about it.

Each sentence has Czech words in ``client.reasons``.
"""

import os
import socket
import ssl

from websockets.exceptions import InvalidHandshake, InvalidMessage, InvalidStatus

LONGEST_SENTENCE = 200
# What OpenSSL calls bytes that are no TLS, in its versions.
_NO_TLS = ("WRONG_VERSION_NUMBER", "RECORD_LAYER_FAILURE", "HTTP_REQUEST", "UNKNOWN_PROTOCOL")
# X509_V_ERR_…: what a certificate is refused for.
_OUT_OF_DATE = (9, 10)  # not yet valid, expired
_OTHER_NAME = (62, 64)  # of a host, of an address
_UNKNOWN = (18, 19, 20, 21)  # signed by itself, or by nobody we know


def place_of(url: str) -> str:
    """Host and port, as people know a server."""
    return url.split("://", 1)[-1].split("/", 1)[0]


def why_not(url: str, error: Exception) -> str:
    """A sentence for what ``websockets.connect`` raised; ValueError for what is no address."""
    place = place_of(url)
    if isinstance(error, TimeoutError):
        return f"the server at {place} did not answer in time"
    if isinstance(error, InvalidStatus):
        return _turned_away(place, error)
    if isinstance(error, InvalidMessage) and isinstance(error.__cause__, EOFError | OSError):
        return _silent(place, url)
    if isinstance(error, InvalidHandshake):
        return f"what answers at {place} is no Headstring server"
    if isinstance(error, socket.gaierror):
        return f"there is no machine called {place.rsplit(':', 1)[0]}"
    if isinstance(error, ssl.SSLError):
        return _no_tls(place, error)
    if isinstance(error, ConnectionResetError):
        return _silent(place, url)
    if isinstance(error, ConnectionRefusedError):
        return f"nothing answers at {place}; is the server running?"
    if isinstance(error, OSError) and error.errno is not None:
        return f"the server at {place} cannot be reached: {os.strerror(error.errno)}"
    if isinstance(error, OSError):
        # without a number: several addresses of one machine, and none of them answers
        return f"nothing answers at {place}; is the server running?"
    return f"the connection failed: {error}"


def _silent(place: str, url: str) -> str:
    if url.startswith("ws://"):
        return (
            f"what answers at {place} says nothing; if it has TLS, its address begins with wss://"
        )
    return f"what answers at {place} speaks no TLS; its address may begin with ws://"


def _no_tls(place: str, error: ssl.SSLError) -> str:
    if isinstance(error, ssl.SSLCertVerificationError):
        return _not_trusted(place, error)
    if error.reason in _NO_TLS:
        return f"what answers at {place} speaks no TLS; its address may begin with ws://"
    return f"TLS with {place} failed: {error.reason or error}"


def _not_trusted(place: str, error: ssl.SSLCertVerificationError) -> str:
    if error.verify_code in _UNKNOWN:
        return (
            f"the certificate of {place} is not of anybody whom this computer trusts; "
            "--ca names the club's own"
        )
    if error.verify_code in _OTHER_NAME:
        return f"the certificate of {place} is for another name"
    if error.verify_code in _OUT_OF_DATE:
        return f"the certificate of {place} is out of date, or this computer's clock is wrong"
    return f"the certificate of {place} can't be trusted: {error.verify_message}"


def _turned_away(place: str, error: InvalidStatus) -> str:
    """The server's own sentence, when it is one of ours that lets nobody in now."""
    if "Headstring-Refusal" in error.response.headers:
        sentence = error.response.body.decode("utf-8", "replace").partition("\n")[0]
        if sentence.isprintable() and 0 < len(sentence) <= LONGEST_SENTENCE:
            return sentence
    return f"what answers at {place} is no Headstring server"
