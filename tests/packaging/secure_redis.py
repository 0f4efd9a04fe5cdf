"""A Redis server that speaks TLS alone, by a certificate that it made for itself."""

import ipaddress
import socket
import ssl
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

from tests.sharing.servers import RedisServer


class SecureRedis(RedisServer):
    """See above. Whoever trusts `certificate` reaches it."""

    @property
    def certificate(self) -> Path:
        return self.folder / "certificate.pem"

    @property
    def url(self) -> str:
        return f"rediss://127.0.0.1:{self.port}/0?ssl_ca_certs={self.certificate}"

    def prepare(self) -> None:
        super().prepare()
        key, certificate = _certificate()
        (self.folder / "key.pem").write_bytes(key)
        self.certificate.write_bytes(certificate)

    def command(self) -> Sequence[str]:
        papers = ("--tls-cert-file", str(self.certificate), "--tls-key-file", str(self.folder / "key.pem"))
        return (
            *("redis-server", "--bind", "127.0.0.1", "--port", "0", "--tls-port", str(self.port)),
            *(*papers, "--tls-auth-clients", "no", "--dir", str(self.folder), "--save", ""),
            *("--appendonly", "yes", "--appendfsync", "always"),
        )

    def is_ready(self) -> bool:
        trust = ssl.create_default_context(cafile=str(self.certificate))
        try:
            with (
                socket.create_connection(("127.0.0.1", self.port), timeout=1) as plain,
                trust.wrap_socket(plain, server_hostname="127.0.0.1") as secure,
            ):
                secure.sendall(b"PING\r\n")
                return secure.recv(64).startswith(b"+PONG")
        except OSError:
            return False


def _certificate() -> tuple[bytes, bytes]:
    """A key, and what says for a day that it is this computer's; both as PEM."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "a server of a test")])
    now = datetime.now(UTC)
    made = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - timedelta(hours=1))
        .not_valid_after(now + timedelta(days=1))
        .add_extension(
            x509.SubjectAlternativeName([x509.IPAddress(ipaddress.ip_address("127.0.0.1"))]), critical=False
        )
        .sign(key, hashes.SHA256())
    )
    pem = serialization.Encoding.PEM
    plain = serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    return key.private_bytes(pem, *plain), made.public_bytes(pem)
