"""A dashboard that people sign in to, in a process of its own, and whoever asks it: over HTTP and by its web socket."""

from __future__ import annotations

import http.client
import json
import os
import secrets
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import docgraph
from docgraph import Document
from docgraph.domain.graph import Relationship
from docgraph.plugins.stores.postgres.archives.sign_ins import PostgresSignIns
from docgraph.settings import read_settings
from docgraph.ui.frame.sign_ins import SignIns, id_of
from tests import ROOT
from tests.e2e.conftest import _address_of, _stop

ORIGIN, HOST = "https://docs.example", "docs.example"
SECRET = "marker-cookie-secret-" + "x" * 32
METRICS = "marker-metrics-token-" + "m" * 20
MARKED = "marker-title-of-a-document"
"""What no page shows to who has not signed in."""
PEOPLE: dict[str, Any] = {
    "oidc_metadata_url": "http://127.0.0.1:9/.well-known/openid-configuration",
    "oidc_client_id": "docgraph",
    "oidc_client_secret": "marker-client-secret",
    "cookie_secret": SECRET,
    "public_url": ORIGIN,
    "admins": "ann@docs.example",
    "curators": "ben@docs.example",
    "metrics_token": METRICS,
}
SMALL = {"max_upload_mb": 1, "uploads_mb_per_session": 2, "uploads_mb_per_person": 3, "uploads_mb_in_all": 6}
"""Quotas that are soon full: one upload of 1, a page of 2, a person of 3, the process of 6 megabytes."""
SOON = """
from docgraph.ui.frame import quotas, sign_ins
from docgraph.ui.shell import leaving
leaving.LOOK_SECONDS, leaving.LEFT_SECONDS, leaving.SWEEP_SECONDS = 0.2, 0.5, 0.2
sign_ins.FRESH_SECONDS, quotas.TURN_SECONDS = 0.2, 2.0
from streamlit.web.server.starlette import starlette_routes
starlette_routes._METRICS_EXPENSIVE_STATS_TTL_SECONDS = 0.0
from docgraph.cli import main
main()
"""
"""The dashboard with another clock: what takes it seconds or a minute takes it a moment."""
PATIENCE = 60.0
"""Seconds until what has to come counts as missing."""


def claims(who: str, **more: Any) -> dict[str, Any]:
    """What a provider says of somebody, with a number of its own."""
    told = {"sub": who, "email": f"{who}@docs.example", "email_verified": True, "iat": int(time.time())}
    return {"is_logged_in": True, "nonce": secrets.token_hex(8), **told, **more}


def user_cookie(said: Mapping[str, Any], *, secret: str = SECRET, origin: str = ORIGIN) -> str:
    """The framework's cookie of a sign-in."""
    from streamlit.web.server.starlette.starlette_app_utils import create_signed_value

    value = create_signed_value(secret, "_streamlit_user", json.dumps({**said, "origin": origin}))
    return f"_streamlit_user={value.decode('latin-1')}"


def xsrf_token() -> str:
    """What the framework gives a browser against requests of other pages."""
    from streamlit.web.server.starlette.starlette_app_utils import generate_xsrf_token_string

    return generate_xsrf_token_string()


@dataclass(frozen=True)
class Signed:
    """Somebody who is signed in: their cookies, and what they are made of."""

    said: Mapping[str, Any]
    token: str

    @property
    def sign_in_id(self) -> str:
        """Under which it is kept."""
        return id_of(self.token)

    @property
    def cookie(self) -> str:
        """As a browser sends them."""
        return f"{user_cookie(self.said)}; docgraph_sign_in={self.token}"


@dataclass(frozen=True)
class Answer:
    """What came back over HTTP."""

    status: int
    body: bytes
    headers: Mapping[str, str]


@dataclass(frozen=True)
class Guarded:
    """The dashboard, the log of its sign-ins, its process and its own log."""

    url: str
    log: PostgresSignIns
    process: subprocess.Popen[bytes]
    place: Path
    database_url: str

    def signed(self, who: str, *, hours: float = 12.0, **more: Any) -> Signed:
        """Sign somebody in: Ann is an admin, Ben a curator, everybody else a viewer."""
        said = claims(who, **more)
        settings = read_settings(**{**PEOPLE, "sign_in_hours": hours})
        token = SignIns(self.log, lambda _: None, settings).begin(said, agent="")
        assert token is not None
        return Signed(said, token)

    def end(self, signed: Signed) -> None:
        """End a sign-in as another process does."""
        found = self.log.sign_ins([signed.sign_in_id])
        assert self.log.end_sign_ins(found, at=found[0].created, by="the duty desk")

    def ask(self, method: str, path: str, *, body: bytes | Iterator[bytes] | None = None, **headers: str) -> Answer:
        """One request, under the public name; ``_`` in the name of a header is a hyphen."""
        to = urlsplit(self.url)
        connection = http.client.HTTPConnection(str(to.hostname), to.port, timeout=PATIENCE)
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        try:
            with suppress(BrokenPipeError, ConnectionResetError):  # a refusal may come before all of it was sent
                connection.request(method, path, body, {"Host": HOST, **named})
            answer = connection.getresponse()
            return Answer(answer.status, answer.read(), {name.lower(): value for name, value in answer.getheaders()})
        finally:
            connection.close()

    def memory(self) -> int:
        """Bytes that the process has in memory."""
        pages = int(Path(f"/proc/{self.process.pid}/statm").read_text(encoding="ascii").split()[1])
        return pages * os.sysconf("SC_PAGE_SIZE")

    def said(self) -> str:
        """What stands in its log."""
        return (self.place / "server.log").read_text(encoding="utf-8", errors="replace")

    def acts(self) -> list[dict[str, Any]]:
        """The lines of its audit."""
        path = self.place / "audit.jsonl"
        return [json.loads(line) for line in path.read_text().splitlines()] if path.exists() else []


@contextmanager
def guarded_dashboard(database_url: str, **settings: Any) -> Iterator[Guarded]:
    """A dashboard with sign-in over a database, in which two documents are."""
    from docgraph import plugins

    place = Path(tempfile.mkdtemp(prefix="docgraph-test-"))
    with docgraph.connect(database_url, workspace="default") as dg:
        dg.ingest_records(
            [Document(document_id=i, title=MARKED, text=f"What the {i} queue holds.") for i in ("one", "two")],
            [Relationship(from_document_id="one", relation_type="explains", to_document_id="two")],
        )
    given = {"DOCGRAPH_" + name.upper(): str(value) for name, value in {**PEOPLE, **settings}.items()}
    environment = {
        **os.environ,
        "DOCGRAPH_DATABASE_URL": database_url,
        "DOCGRAPH_AUDIT_FILE": str(place / "audit.jsonl"),
        "PYTHONPATH": str(ROOT),
        **given,
    }
    command = [sys.executable, "-c", SOON, "dashboard", "--headless", "--port", str(_free_port())]
    database = plugins.build("stores", "postgres", database_url=database_url, pool_size=2)
    with (place / "server.log").open("wb") as out:
        server = subprocess.Popen(command, cwd=place, env=environment, stdout=out, stderr=subprocess.STDOUT)
    try:
        yield Guarded(_address_of(server, place / "server.log"), database.sign_ins, server, place, database_url)
    finally:
        _stop(server)
        database.close()


def _free_port() -> int:
    import socket

    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])
