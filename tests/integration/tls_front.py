"""TLS before a PostgreSQL that was built without it, as a proxy ends it: for connections that check certificates."""

from __future__ import annotations

import datetime
import select
import socket
import ssl
import struct
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

_SSL_REQUEST = struct.pack("!II", 8, 80877103)


class Authority:
    """Signs certificates; ``path`` is its own, for ``sslrootcert``."""

    def __init__(self, folder: Path, name: str) -> None:
        self._folder, self._name = folder, x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, name)])
        self._key = ec.generate_private_key(ec.SECP256R1())
        own = self._made(self._name, self._key, days=1).add_extension(x509.BasicConstraints(True, None), critical=True)
        self.path = folder / f"{name}.pem"
        self.path.write_bytes(own.sign(self._key, hashes.SHA256()).public_bytes(serialization.Encoding.PEM))

    def context(self, host: str, *, days: int = 1) -> ssl.SSLContext:
        """TLS of a server that shows a certificate of ``host``; out of date where ``days`` is below 0."""
        key = ec.generate_private_key(ec.SECP256R1())
        asked = self._made(x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, host)]), key, days=days)
        asked = asked.add_extension(x509.SubjectAlternativeName([x509.DNSName(host)]), critical=False)
        made = self._folder / f"{host}{days}.pem"
        made.write_bytes(
            asked.sign(self._key, hashes.SHA256()).public_bytes(serialization.Encoding.PEM)
            + key.private_bytes(
                serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
            )
        )
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(made)
        return context

    def _made(self, name: x509.Name, key: ec.EllipticCurvePrivateKey, *, days: int) -> x509.CertificateBuilder:
        now = datetime.datetime.now(datetime.UTC)
        return (
            x509.CertificateBuilder()
            .subject_name(name)
            .issuer_name(self._name)
            .public_key(key.public_key())
            .serial_number(x509.random_serial_number())
            .not_valid_before(now - datetime.timedelta(days=9))
            .not_valid_after(now + datetime.timedelta(days=days))
        )


@contextmanager
def tls_front(server: str, context: ssl.SSLContext) -> Iterator[int]:
    """The port of this machine's where TLS is spoken; behind it stands the server of the Unix socket ``server``."""
    with socket.create_server(("127.0.0.1", 0)) as listening:
        thread = threading.Thread(target=_accepted, args=(listening, server, context), daemon=True)
        thread.start()
        yield listening.getsockname()[1]
        listening.shutdown(socket.SHUT_RDWR)
    thread.join(10)


def _accepted(listening: socket.socket, server: str, context: ssl.SSLContext) -> None:
    with suppress(OSError):
        while True:
            client, _ = listening.accept()
            threading.Thread(target=_served, args=(client, server, context), daemon=True).start()


def _served(client: socket.socket, server: str, context: ssl.SSLContext) -> None:
    with suppress(OSError), client, socket.socket(socket.AF_UNIX) as behind:
        if client.recv(8, socket.MSG_WAITALL) != _SSL_REQUEST:
            return
        client.sendall(b"S")
        with context.wrap_socket(client, server_side=True) as secured:
            behind.connect(server)
            _handed_on(secured, behind)


def _handed_on(secured: ssl.SSLSocket, behind: socket.socket) -> None:
    """Both ways in one thread, which a TLS socket needs."""
    while True:
        ready = [secured] if secured.pending() else select.select([secured, behind], [], [])[0]
        for source, target in ((secured, behind), (behind, secured)):
            if source in ready:
                if not (got := source.recv(65536)):
                    return
                target.sendall(got)
