"""TLS on the server's own port: certificate and key from files, read again when asked."""

import ssl

from server.config import ServerConfig


class TlsUnusable(Exception):
    """Certificate and key can't be used; the message tells a person why."""


class ServerTls:
    """``context``: for the listening socket, TLS 1.2 and later.  New handshakes use what was read
    last; connections that are open go on."""

    def __init__(self, certificate: str, key: str) -> None:
        """Files in PEM format; the certificate's holds the chain.

        Raises:
            TlsUnusable: they can't be used.
        """
        self._files = (certificate, key)
        self.context = self._read()

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
        self._read()  # what can't be used must not touch the context that is
        self.context.load_cert_chain(*self._files)

    def _read(self) -> ssl.SSLContext:
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
        except (ssl.SSLError, ValueError) as error:
            reason = getattr(error, "reason", None) or str(error)
            if encrypted:
                why = f"the key {key} has a password; give one without"
            elif reason == "KEY_VALUES_MISMATCH":
                why = f"the key {key} is not that of the certificate {certificate}"
            else:
                why = f"{certificate} and {key} are no certificate and key in PEM: {reason}"
            raise TlsUnusable(f"TLS: {why}") from error
        return context
