"""A set-up at fault, from end to end: one line, what to do, exit code 3, nothing touched, never a password or key."""

from __future__ import annotations

import json
import os
import re
import traceback
from pathlib import Path

import psycopg
import pytest

import docgraph
from docgraph.domain.graph import Document
from docgraph.errors import DocgraphError
from tests.integration.commands import PREFIX, Command, counts, left_connections, said
from tests.integration.server_programs import SECRET

MARKER = "Marker-9f3c"


# ---------------------------------------------------------------- the database


def test_a_database_of_a_newer_version_is_left_alone_and_named(command: Command, new_database_url: str) -> None:
    with docgraph.connect(new_database_url, workspace="w") as dg:
        dg.ingest_records([Document(document_id="a", title="a", text="Text.")])
    before = counts(new_database_url)
    for schema in ("ws_w", "docgraph"):
        with psycopg.connect(new_database_url, autocommit=True) as connection:
            connection.execute(f"UPDATE {schema}.schema_version SET version_num = '9999'")
        code, out, err = command("plan", "text", DATABASE_URL=new_database_url)
        assert (code, out) == (3, "")
        message, hint = said(err)
        assert "'9999'" in message
        assert "upgrade" in hint
        assert left_connections(new_database_url) == []
    assert counts(new_database_url) == before


def test_a_wrong_password_a_missing_database_and_a_missing_extension_are_told_apart(
    command: Command, password_server: str
) -> None:
    host = dict(part.split("=", 1) for part in password_server.split())["host"]
    as_root = f"postgresql://postgres@/docgraph?host={host}"
    with psycopg.connect(as_root, autocommit=True) as connection:
        connection.execute("ALTER DATABASE docgraph SET extension_control_path = '/nowhere'")
    cases = {
        f"postgresql://asked:{MARKER}@/docgraph?host={host}": ("password authentication failed", "user name and passw"),
        f"postgresql://asked@/docgraph?host={host}": ("no password supplied", "user name and password"),
        f"postgresql://postgres@/nope?host={host}": ("does not exist", "create the database"),
        f"postgresql://asked:{SECRET}@/postgres?host={host}": ("no pgvector", "superuser run CREATE EXTENSION"),
        as_root: ("no pgvector", "install pgvector on the server"),
    }
    for url, (words, advice) in cases.items():
        for arguments in (["documents"], ["doctor", "--json"]):
            code, out, err = command(*arguments, DATABASE_URL=url)
            assert code == 3
            assert words in out + err, url
            assert advice in out + err, url
            assert MARKER not in out + err
            assert SECRET not in out + err


def test_a_data_folder_of_another_version_is_refused_by_name(
    command: Command, made_folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv(f"{PREFIX}DATABASE_URL")
    (made_folder / "postgres").symlink_to(made_folder)
    version = made_folder / "pgdata" / "PG_VERSION"
    version.write_text("15\n")
    code, out, err = command("documents", DATA_DIR=str(made_folder))
    assert (code, out) == (3, "")
    message, hint = said(err)
    assert "made by PostgreSQL 15" in message
    assert "docgraph upgrade" in hint
    assert version.read_text() == "15\n"


def test_a_data_folder_that_cannot_be_written_is_one_line(
    command: Command, server_folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Root may write everywhere but in the kernel's own folders."""
    monkeypatch.delenv(f"{PREFIX}DATABASE_URL")
    server_folder.chmod(0o555)
    place = Path("/sys") if os.geteuid() == 0 else server_folder
    code, out, err = command("documents", DATA_DIR=str(place / "docgraph"))
    server_folder.chmod(0o755)
    assert (code, out) == (3, "")
    message, hint = said(err)
    assert re.search(rf"cannot use the data folder {place}/docgraph/postgres: \w+", message)
    assert "DOCGRAPH_DATA_DIR" in hint
    assert not (place / "docgraph").exists()


# ---------------------------------------------------------------- secrets

_AT = "127.0.0.1:1"
SECRET_URLS = [
    f"postgresql://me:{MARKER}@{_AT}/db",
    f"postgresql+psycopg://me:{MARKER}@{_AT}/db",
    f"postgresql://me:{MARKER}/x@{_AT}/db",
    f"postgresql://me:12/{MARKER}@{_AT}/db",
    f"postgresql://me:x@{MARKER}@{_AT}/db",
    f"postgresql://me:{MARKER}?x@{_AT}/db",
    f"postgresql://me:#{MARKER}@{_AT}/db",
    f"postgresql://me:{MARKER}%zz@{_AT}/db",
    f"postgresql://me:{MARKER} x@{_AT}/db",
    f"postgresql://me:{MARKER}@[::1/db",
    f"postgresql://me:{MARKER}@127.0.0.1:port/db",
    f"postgresql://me:{MARKER}@127.0.0.1:70000/db",
    f"postgresql://me:{MARKER}@/db?host=/nowhere/at/all",
    f"postgresql://me@{_AT}/db?password={MARKER}",
    f"postgresql://me:{MARKER}@{_AT}/db?sslmode=verify-full&sslrootcert=/nowhere",
    f"postgresql://me:{MARKER}@{_AT}/db?{MARKER}=1",
    f"mysql://me:{MARKER}@host/db",
    f"me:{MARKER}@host",
    f"host=127.0.0.1 password={MARKER}",
]
SECRET_SETTINGS: list[dict[str, str]] = [
    {"EMBEDDER": "ollama", "EMBEDDER_URL": f"ftp://{MARKER}"},
    {"EMBEDDER_API_KEY": MARKER},
    {"SUMMARIZER_API_KEY": MARKER},
    {
        "EMBEDDER": "openai_compatible",
        "EMBEDDER_API_KEY": MARKER,
        "EMBEDDER_MODEL": "m",
        "EMBEDDER_URL": f"http://u:{MARKER}@{_AT}/v1?key={MARKER}",
        "EMBEDDER_TIMEOUT": "0.2",
    },
    {"SUMMARIZER": "language_model", "SUMMARIZER_API_KEY": MARKER, "SUMMARIZER_URL": f"ftp://u:{MARKER}@h"},
    {"SUMMARIZER": "language_model", "SUMMARIZER_API_KEY": MARKER},
]
SECRET_CASES = [
    *({"DATABASE_URL": url} for url in SECRET_URLS),
    *({"READ_DATABASE_URL": url} for url in SECRET_URLS[:6]),
    *SECRET_SETTINGS,
]


@pytest.mark.parametrize("variables", SECRET_CASES, ids=range(len(SECRET_CASES)))
def test_no_failure_shows_a_password_or_a_key(
    command: Command, variables: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Not in the lines, not in JSON, not in what doctor finds, and not in a traceback that a person asked for."""
    monkeypatch.setattr("time.sleep", lambda seconds: None)  # pauses between attempts
    code, out, err = command("plan", "queue", **variables)
    assert (code, out) == (3, "")
    said(err)
    json_error = command("plan", "queue", "--json", **variables)
    doctor = command("doctor", "--json", **variables)
    assert (json_error[0], doctor[0]) == (3, 3)
    assert json.loads(json_error[2])["error"]["exit_code"] == 3
    assert json.loads(doctor[1])["ok"] is False
    with pytest.raises(DocgraphError) as caught:
        command("plan", "queue", DEBUG="1", **variables)
    told = "".join(traceback.format_exception(caught.value))
    for text in (err, *map(str, json_error), *map(str, doctor), told):
        assert MARKER not in text
