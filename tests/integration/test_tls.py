"""A database behind TLS that is checked: what a wrong certificate is told as, over real handshakes."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from urllib.parse import parse_qs, quote, urlsplit

import pytest

import docgraph
from docgraph.domain.graph import Document
from docgraph.errors import StoreError
from tests.integration.tls_front import Authority, tls_front

HOST = "localhost"


@pytest.fixture
def authority(tmp_path: Path) -> Authority:
    return Authority(tmp_path, "ours")


@pytest.fixture
def address(new_database_url: str) -> Callable[..., str]:
    """The URL of the new database behind a port, with parameters."""
    database = urlsplit(new_database_url).path

    def made(port: int, **parameters: object) -> str:
        told = "&".join(f"{name}={quote(str(value), safe='')}" for name, value in parameters.items())
        return f"postgresql://postgres@{HOST}:{port}{database}?hostaddr=127.0.0.1&{told}"

    return made


@pytest.fixture
def socket_path(new_database_url: str) -> str:
    """Of the server itself."""
    return f"{parse_qs(urlsplit(new_database_url).query)['host'][0]}/.s.PGSQL.5432"


def test_everything_is_done_over_a_checked_connection(
    authority: Authority, address: Callable[..., str], socket_path: str
) -> None:
    with (
        tls_front(socket_path, authority.context(HOST)) as port,
        docgraph.connect(address(port, sslmode="verify-full", sslrootcert=authority.path)) as dg,
    ):
        dg.ingest_records([Document(document_id=i, title=i, text=f"The queue of {i} is bounded.") for i in "ab"])
        assert set(dg.plan("queue").document_ids) == {"a", "b"}


@pytest.mark.parametrize(
    ("host", "days", "parameters", "said"),
    [
        (HOST, 1, {"sslmode": "verify-full", "sslrootcert": "{other}"}, "nobody known here has signed"),
        (HOST, 1, {"sslmode": "verify-ca", "sslrootcert": "{other}"}, "nobody known here has signed"),
        (HOST, 1, {"sslmode": "verify-full", "sslrootcert": "system"}, "nobody known here has signed"),
        (HOST, -1, {"sslmode": "verify-full", "sslrootcert": "{ours}"}, "out of date"),
        ("db.example", 1, {"sslmode": "verify-full", "sslrootcert": "{ours}"}, "the name that it states"),
        (HOST, 1, {"sslmode": "verify-full", "sslrootcert": "/nowhere"}, "name its file with sslrootcert="),
        (HOST, 1, {"sslmode": "require", "sslrootcert": "system"}, "sslmode=verify-full"),
        (HOST, 1, {"sslmode": "verify"}, "correct it in DOCGRAPH_DATABASE_URL"),
    ],
)
def test_a_certificate_that_does_not_hold_is_told_as_what_it_is(
    tmp_path: Path,
    authority: Authority,
    address: Callable[..., str],
    socket_path: str,
    host: str,
    days: int,
    parameters: dict[str, str],
    said: str,
) -> None:
    """An unknown mode and a key of somebody else were told as a server that does not run."""
    files = {"ours": authority.path, "other": Authority(tmp_path, "other").path}
    asked = {name: value.format(**files) for name, value in parameters.items()}
    with (
        tls_front(socket_path, authority.context(host, days=days)) as port,
        pytest.raises(StoreError, match="cannot open the database") as caught,
    ):
        docgraph.connect(address(port, **asked))
    assert said in caught.value.hint
    assert "is the server running" not in caught.value.hint


def test_another_host_is_let_in_where_only_the_authority_counts(
    authority: Authority, address: Callable[..., str], socket_path: str
) -> None:
    with (
        tls_front(socket_path, authority.context("db.example")) as port,
        docgraph.connect(address(port, sslmode="verify-ca", sslrootcert=authority.path)) as dg,
    ):
        assert list(dg.workspaces()) == []
