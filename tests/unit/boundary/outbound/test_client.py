"""The HTTP client alone: connections used again, TLS, names that are not found, servers that do not listen."""

from __future__ import annotations

import datetime
import ipaddress
import json
import socket
import ssl
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

from docgraph.boundary.outbound.breaker import LOST, TIMEOUT, UNTRUSTED, CallError, Deadline
from docgraph.boundary.outbound.client import HttpClient, Reply
from tests.hostile_service import Hostile, Trick, Wire, head, hostile

JSON = {"Content-Type": "application/json"}
MAX_BYTES = 10_000
ENDLESS = 20.0
"""Seconds that no deadline here comes near, on the busiest machine; what is played would last longer."""


def post(client: HttpClient, seconds: float = ENDLESS, body: bytes = b"{}") -> Reply:
    return client.post("", body, JSON, Deadline(seconds), MAX_BYTES)


def failure(client: HttpClient, seconds: float = ENDLESS) -> CallError:
    with pytest.raises(CallError) as caught:
        post(client, seconds)
    return caught.value


@pytest.fixture
def client() -> Iterator[Callable[..., HttpClient]]:
    made: list[HttpClient] = []

    def make(url: str, **more: str) -> HttpClient:
        made.append(HttpClient(url, **more))  # type: ignore[arg-type]
        return made[-1]

    yield make
    for each in made:
        each.close()


@pytest.fixture
def server() -> Iterator[Hostile]:
    with hostile() as made:
        yield made


def test_a_connection_is_used_again_after_a_whole_answer(server: Hostile, client: Callable[..., HttpClient]) -> None:
    asked = client(server.url)
    assert [post(asked).body for _ in range(3)] == [b"{}"] * 3
    assert server.connections == 1


def _then_hangs_up(wire: Wire) -> None:
    wire.answer(wire.right)


def _with_another_behind_it(wire: Wire) -> None:
    """The length is too short: what is left would pass for the answer to the next request."""
    wire.send(head("Content-Length: 2"), b"{}", head("Content-Length: 4"), b'"no"')


def _with_another_later(wire: Wire) -> None:
    wire.answer(wire.right)
    time.sleep(0.05)
    wire.answer(b'"no"')


@pytest.mark.parametrize("trick", [_then_hangs_up, _with_another_behind_it, _with_another_later])
def test_a_connection_is_not_used_again_when_something_may_be_left_on_it(
    server: Hostile, client: Callable[..., HttpClient], trick: Trick
) -> None:
    server.trick, asked = trick, client(server.url)
    for _ in range(2):
        assert post(asked).body == b"{}"
        time.sleep(0.1)
    assert server.connections == 2


@pytest.mark.parametrize(("before_it_hangs_up", "connections"), [(b"", 2), (b"HTTP/1.1 20", 1)])
def test_a_kept_connection_that_ends_before_it_answers_is_followed_by_a_new_one(
    client: Callable[..., HttpClient], before_it_hangs_up: bytes, connections: int
) -> None:
    answers = [[head("Content-Length: 2") + b"{}", before_it_hangs_up], [head("Content-Length: 2") + b"{}"]]
    taken: list[int] = []

    def serve(listener: socket.socket) -> None:
        for said in answers[:connections]:
            sock, _ = listener.accept()
            taken.append(sock.fileno())
            for answer in said:
                while not sock.recv(65_536).endswith(b"{}"):
                    pass
                sock.sendall(answer)
            sock.close()

    with socket.create_server(("127.0.0.1", 0)) as listener:
        serving = threading.Thread(target=serve, args=(listener,), daemon=True)
        serving.start()
        asked = client(f"http://127.0.0.1:{listener.getsockname()[1]}")
        assert post(asked).body == b"{}"
        if before_it_hangs_up:
            assert failure(asked).kind == LOST
        else:
            assert post(asked).body == b"{}"
        serving.join(ENDLESS)
    assert len(taken) == connections


@pytest.mark.parametrize("status", ["500 No", "302 Found", "204 No Content"])
def test_a_connection_is_not_used_again_after_an_answer_that_was_not_read(
    server: Hostile, client: Callable[..., HttpClient], status: str
) -> None:
    server.trick, asked = (lambda wire: wire.answer(b'"no"', status=status)), client(server.url)
    assert {post(asked).status for _ in range(2)} == {int(status[:3])}
    assert server.connections == 2


def test_a_server_that_reads_nothing_is_given_up_in_time() -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        asked = HttpClient(f"http://127.0.0.1:{listener.getsockname()[1]}")
        began = time.monotonic()
        with pytest.raises(CallError, match=r"did not take the request within 0\.3 seconds"):
            post(asked, 0.3, b"x" * 50_000_000)
        assert time.monotonic() - began < ENDLESS


def test_an_answer_that_comes_before_the_request_was_read_is_heard(client: Callable[..., HttpClient]) -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener:

        def refuse() -> None:
            sock, _ = listener.accept()
            sock.recv(10)
            sock.sendall(head(status="413 Too Large"))
            time.sleep(0.1)
            sock.shutdown(socket.SHUT_WR)
            while sock.recv(65_536):
                pass
            sock.close()

        refusing = threading.Thread(target=refuse)
        refusing.start()
        assert post(client(f"http://127.0.0.1:{listener.getsockname()[1]}"), body=b"x" * 9_000_000).status == 413
        refusing.join()


def test_a_name_that_nobody_answers_for_is_given_up_in_time_and_looked_up_once(
    monkeypatch: pytest.MonkeyPatch, client: Callable[..., HttpClient]
) -> None:
    answered, looked_up = threading.Event(), []

    def hanging(host: str, port: int, **_: object) -> list[object]:
        looked_up.append(host)
        answered.wait(ENDLESS)
        raise socket.gaierror

    monkeypatch.setattr(socket, "getaddrinfo", hanging)
    asked = client("http://slow.example")
    for _ in range(3):
        began = time.monotonic()
        assert failure(asked, 0.1).said == "was not found by its name within 0.1 seconds"
        assert time.monotonic() - began < ENDLESS / 2
    answered.set()
    assert looked_up == ["slow.example"]


def test_a_name_that_is_none_is_said(client: Callable[..., HttpClient]) -> None:
    assert failure(client("http://nowhere.invalid")).said == "cannot be reached: its name is not known"


def test_of_several_addresses_the_first_that_answers_is_taken(
    monkeypatch: pytest.MonkeyPatch, server: Hostile, client: Callable[..., HttpClient]
) -> None:
    port = int(server.url.rpartition(":")[2])
    found = [(socket.AF_INET, socket.SOCK_STREAM, 6, "", ("127.0.0.1", each)) for each in (9, port)]
    monkeypatch.setattr("docgraph.boundary.outbound.client._found", lambda host, port: found)
    assert post(client("http://two.example")).status == 200


def test_proxies_and_passwords_of_the_environment_do_not_count(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, server: Hostile, client: Callable[..., HttpClient]
) -> None:
    (tmp_path / "netrc").write_text("default login me password secret\n", encoding="ascii")
    monkeypatch.setenv("NETRC", str(tmp_path / "netrc"))
    for name in ("http_proxy", "HTTP_PROXY", "ALL_PROXY"):
        monkeypatch.setenv(name, "http://127.0.0.1:9")
    heard: list[bytes] = []
    answering = server.trick

    def hearing(wire: Wire) -> None:
        heard.append(wire.asked)
        answering(wire)

    server.trick = hearing
    assert post(client(f"{server.url}/a b?k=1&é")).status == 200
    assert heard[0].startswith(b"POST /a%20b?k=1&%C3%A9 HTTP/1.1\r\n")
    assert b"authorization" not in heard[0].lower()
    assert b"Accept-Encoding: identity\r\n" in heard[0]


def test_name_and_password_of_the_url_are_sent_and_never_shown(
    server: Hostile, client: Callable[..., HttpClient]
) -> None:
    heard: list[bytes] = []
    server.trick = lambda wire: (heard.append(wire.asked), wire.answer(b"{}"))[1]
    asked = client(server.url.replace("//", "//me:p%40ss@"))
    assert post(asked).status == 200
    assert b"Authorization: Basic bWU6cEBzcw==\r\n" in heard[0]
    assert asked.shown_url == server.url


@pytest.mark.parametrize(
    ("url", "headers"),
    [
        ("file:///etc/passwd", {}),
        ("ftp://a", {}),
        ("http://", {}),
        ("http://me:secret@a:99999", {}),
        ("http://[secret", {}),
        ("http://secret..b", {}),
        (f"http://{'a' * 70}é.example", {}),
        ("http://a", {"Authorization": "Bearer secret\r\nX: y"}),
        ("http://a", {"Authorization": "Bearer secreté"}),
    ],
)
def test_what_is_no_url_and_no_header_is_refused_without_repeating_it(url: str, headers: dict[str, str]) -> None:
    with pytest.raises(ValueError, match=r"^it") as caught:
        HttpClient(url, headers=headers)
    assert "secret" not in str(caught.value)


# ---------------------------------------------------------------- TLS


def certificate(folder: Path, name: str, *, days: int = 1) -> tuple[Path, ssl.SSLContext]:
    """A certificate of ``name`` that is signed by itself, and TLS that shows it."""
    key = ec.generate_private_key(ec.SECP256R1())
    called = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, f"{name} with a secret")])
    now = datetime.datetime.now(datetime.UTC)
    made = (
        x509.CertificateBuilder()
        .subject_name(called)
        .issuer_name(called)
        .public_key(key.public_key())
        .serial_number(1)
        .not_valid_before(now - datetime.timedelta(days=9))
        .not_valid_after(now + datetime.timedelta(days=days))
        .add_extension(x509.SubjectAlternativeName([x509.IPAddress(ipaddress.ip_address(name))]), critical=False)
        .add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
        .sign(key, hashes.SHA256())
    )
    path, private = folder / f"{name}-{days}.pem", folder / f"{name}-{days}.key"
    path.write_bytes(made.public_bytes(serialization.Encoding.PEM))
    private.write_bytes(
        key.private_bytes(serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption())
    )
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(path, private)
    return path, context


def test_a_certificate_that_is_trusted_is_taken(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, client: Callable[..., HttpClient]
) -> None:
    path, context = certificate(tmp_path, "127.0.0.1")
    with hostile(context) as server:
        asked = client(server.url, trusted=str(path))
        assert [post(asked).body for _ in range(2)] == [b"{}", b"{}"]
        assert server.connections == 1
        monkeypatch.setenv("SSL_CERT_FILE", str(path))
        assert post(client(server.url)).status == 200


@pytest.mark.parametrize(
    ("name", "days", "trusted", "said"),
    [
        ("127.0.0.1", 1, False, "is self-signed"),
        ("127.0.0.2", 1, True, "is of another host"),
        ("127.0.0.1", -1, True, "has expired"),
    ],
)
def test_a_certificate_that_is_not_trusted_is_said_in_own_words(
    tmp_path: Path, client: Callable[..., HttpClient], name: str, days: int, trusted: bool, said: str
) -> None:
    path, context = certificate(tmp_path, name, days=days)
    with hostile(context) as server:
        found = failure(client(server.url, **({"trusted": str(path)} if trusted else {})))
    assert (found.kind, found.said) == (UNTRUSTED, f"cannot be trusted: its certificate {said}")


def test_tls_holds_the_deadline_too(tmp_path: Path, client: Callable[..., HttpClient]) -> None:
    path, context = certificate(tmp_path, "127.0.0.1")
    with hostile(context) as server:
        server.trick = lambda wire: (wire.send(head("Content-Length: 9999")), wire.drip(b" " * 9999))[0]
        began = time.monotonic()
        assert failure(client(server.url, trusted=str(path)), 2).kind == TIMEOUT
        assert time.monotonic() - began < ENDLESS
    with socket.create_server(("127.0.0.1", 0)) as silent:
        url = f"https://127.0.0.1:{silent.getsockname()[1]}"
        assert failure(client(url), 2).said == "did not agree on TLS within 2 seconds"


def test_who_speaks_no_tls_is_said(server: Hostile, client: Callable[..., HttpClient]) -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener:

        def answer() -> None:
            sock, _ = listener.accept()
            sock.recv(65_536)
            sock.sendall(head(status="400 Bad Request"))
            sock.close()

        answering = threading.Thread(target=answer)
        answering.start()
        found = failure(client(f"https://127.0.0.1:{listener.getsockname()[1]}"))
        answering.join()
    assert found.said == "does not speak TLS as it should"


def test_a_server_that_is_not_there_is_said_by_the_system_s_name_of_it(client: Callable[..., HttpClient]) -> None:
    found = failure(client("http://127.0.0.1:9"))
    assert (found.kind, found.said) == (LOST, "cannot be reached: Connection refused")


def test_many_threads_share_a_client(server: Hostile, client: Callable[..., HttpClient]) -> None:
    asked, said = client(server.url), list[str]()
    server.right = lambda given: given

    def ask(number: int) -> None:
        for each in range(20):
            body = json.dumps({"n": f"{number}.{each}"}).encode()
            said.append(json.loads(post(asked, body=body).body)["n"] == f"{number}.{each}")  # type: ignore[arg-type]

    threads = [threading.Thread(target=ask, args=(number,)) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert said == [True] * 160
