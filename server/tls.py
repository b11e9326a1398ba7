"""TLS on the server's own port: certificate and key from files, read again when asked."""

import asyncio
import logging
import ssl

from server.certificate import Validity, validity
from server.config import ServerConfig

log = logging.getLogger("headstring.server.tls")


class TlsUnusable(Exception):
    """Certificate and key can't be used; the message tells a person why."""


class ServerTls:
    """``context``: for the next handshake, TLS 1.2 and later.  Each reading makes a new one: into
    one that has a key of another kind (RSA, EC) a key would be put beside it.  ``validity``: of the
    certificate.  Connections that are open go on; ``securing``: those in their handshake."""

    def __init__(self, certificate: str, key: str) -> None:
        """Files in PEM format; the certificate's holds the chain.

        Raises:
            TlsUnusable: they can't be used.
        """
        self.securing: set[asyncio.Task[None]] = set()
        self._files = (certificate, key)
        self.context, self.validity = self._read()

    @classmethod
    def of(cls, config: ServerConfig) -> "ServerTls | None":
        """What the settings name; None: nothing."""
        if not config.tls_certificate:
            return None
        return cls(config.tls_certificate, config.tls_key)

    def reload(self) -> None:
        """Read the files again.

        Raises:
            TlsUnusable: they can't be used; the former ones stay in use.
        """
        self.context, self.validity = self._read()

    def give_up(self) -> None:
        """End the handshakes that are under way."""
        for task in tuple(self.securing):
            task.cancel()

    def warning(self) -> str | None:
        """That the certificate does not hold, or not for long; None: it does."""
        why = self.validity.warning()
        return None if why is None else f"TLS: the certificate {self._files[0]} {why}"

    def days_left(self) -> float:
        """Days until the certificate that is in use runs out."""
        return self.validity.days_left()

    def warn(self) -> None:
        """Say that in the log."""
        if (why := self.warning()) is not None:
            log.warning("%s", why)

    def _read(self) -> tuple[ssl.SSLContext, Validity]:
        certificate, key = self._files
        for file in self._files:
            try:
                with open(file, "rb"):
                    pass
            except OSError as error:
                raise TlsUnusable(f"TLS: can't read {file}: {error.strerror or error}") from error
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.minimum_version = ssl.TLSVersion.TLSv1_2
        encrypted = False

        def password() -> str:
            nonlocal encrypted
            encrypted = True
            return ""

        try:
            context.load_cert_chain(certificate, key, password)
            held = validity(certificate)
        except (ssl.SSLError, ValueError) as error:
            reason = getattr(error, "reason", None) or str(error)
            if encrypted:
                why = f"the key {key} has a password; give one without"
            elif reason == "KEY_VALUES_MISMATCH":
                why = f"the key {key} is not that of the certificate {certificate}"
            else:
                why = f"{certificate} and {key} are no certificate and key in PEM: {reason}"
            raise TlsUnusable(f"TLS: {why}") from error
        return context, held
