"""F3: whatever stands in an address, the answer is a page or one message, and opening it changes nothing."""

from __future__ import annotations

import logging
import re
import time
from collections.abc import Iterator
from typing import Any

import psycopg
import pytest
import streamlit as st
from streamlit.testing.v1 import AppTest

from docgraph import Document
from docgraph.domain.graph import Relationship
from docgraph.domain.overrides import edge_text
from docgraph.orchestration.docgraph import Docgraph
from docgraph.ui.frame import navigation, resources
from docgraph.ui.shell.server import SHELL
from docgraph.views.words import address
from tests.survive.addresses import KINDS, Query
from tests.survive.tally import Case, Row, Tally
from tests.survive.workspaces import EDGE, fill, small, stored
from tests.ui.conftest import _nothing_looked_for_twice, page_text

__all__ = ["_nothing_looked_for_twice"]

ROW = Row(
    row="F3",
    what="addresses of every page: random bytes, 100 kB, arrays, payloads, numbers that are none, ids of other corpora",
    rule="a page or one message; nothing of it in the log; rows, revision, position of the write-ahead log as before",
    n=2_000,
    short=42,
    case="an address of a page",
)
OTHER = "other"
FOREIGN = ("o-first", "o-second")
SECONDS = 120
LONG_NUMBERS: tuple[tuple[str, Query], ...] = tuple(
    (name, {address.QUERY: ["queue a"], address.DOCS: ["9" * 5_000]}) for name in ("plan", "compare")
)
"""What Python does not read as a number where an input is one."""
QUIET = re.compile("Thread '%s': missing ScriptRunContext|Ignoring query string with %d (characters|parameters)")
"""Streamlit says the one of the test that starts the script; the other of an address over its limits, which it drops:
with the number, and with nothing of what stood in it."""


@pytest.fixture
def dg(new_database_url: str, monkeypatch: pytest.MonkeyPatch) -> Iterator[Docgraph]:
    """Two workspaces in one database that the pages see as theirs."""
    monkeypatch.setenv("DOCGRAPH_WORKSPACE", "w")
    with small(new_database_url) as made:
        fill(made)
        made.create_workspace(OTHER)
        there = made.use_workspace(OTHER)
        there.ingest_records([Document(document_id=i, title=i, text=f"The text of {i}.") for i in FOREIGN], [_edge()])
        monkeypatch.setattr(resources, "connect", lambda **_: made)
        st.cache_resource.clear()
        yield made
        st.cache_resource.clear()


def _edge() -> Relationship:
    return Relationship(from_document_id=FOREIGN[0], relation_type="foreign", to_document_id=FOREIGN[1])


def _ids(dg: Docgraph) -> list[str]:
    """What an address can name: of this corpus, and of the other one."""
    there = dg.use_workspace(OTHER)
    saved = [each.run_id for each in (*dg.runs.list(), there.runs.save("first", name="foreign"))]
    entries = [str(each.entry_id) for each in dg.relationships.history()]
    edges = [edge_text(key) for key in (EDGE.key, _edge().key)]
    return [*saved, *entries, *edges, *FOREIGN, OTHER, "w", "a", "foreign", "explains", "hub"]


def _opened(name: str, query: Query) -> AppTest:
    at = AppTest.from_file(str(SHELL), default_timeout=SECONDS)
    at.query_params.update(query)
    target = navigation.page(name)
    assert target is not None
    if name != "home":
        at.switch_page(str(target.path))
    return at.run()


def _page_or_message(at: AppTest) -> None:
    assert not at.exception, [each.message for each in at.exception]
    text = page_text(at)
    said = text.count('role="alert"') + len(at.error)
    assert said <= 1, f"{said} messages at once"
    assert text, "neither a page nor a message"
    assert "Traceback" not in text


def _position(watching: psycopg.Connection[Any]) -> str:
    row = watching.execute("SELECT pg_current_wal_insert_lsn()::text").fetchone()
    assert row is not None
    return str(row[0])


def _quiet(watching: psycopg.Connection[Any]) -> str:
    """The position once it stood still for a moment: the server may be at work on what other tests left."""
    position = _position(watching)
    for _ in range(60):
        time.sleep(0.1)
        now = _position(watching)
        if now == position:
            break
        position = now
    return position


def _writes_nothing(watching: psycopg.Connection[Any], name: str, query: Query) -> None:
    """Opened until the log stood still meanwhile: a background process may log something, but not every time."""
    before = stored(watching)
    for _ in range(5):
        position = _quiet(watching)
        _page_or_message(_opened(name, query))
        if _position(watching) == position:
            break
    else:
        pytest.fail("the write-ahead log grew each time")
    assert stored(watching) == before


@pytest.mark.timeout(7_200)
def test_f3_opening_an_address_shows_a_page_or_one_message_and_changes_nothing(
    tally: Tally, dg: Docgraph, new_database_url: str, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.WARNING)
    names, ids = [page.name for page in navigation.pages()], _ids(dg)
    with psycopg.connect(new_database_url, autocommit=True) as watching:
        watching.execute("CHECKPOINT")
        for case in tally.cases():
            with tally.trying(case):
                name, query = _address(case, names, ids)
                caplog.clear()
                _writes_nothing(watching, name, query)
                logged = [record.getMessage()[:500] for record in caplog.records if not QUIET.match(record.msg)]
                assert not logged, logged
        for name, query in LONG_NUMBERS:
            with tally.trying(f"a number of 5,000 digits on {name}"):
                _page_or_message(_opened(name, query))


def _address(case: Case, names: list[str], ids: list[str]) -> tuple[str, Query]:
    """Every kind on every page, in turn."""
    kind = KINDS[case.number // len(names) % len(KINDS)]
    query = kind(case.rng, ids)
    return names[case.number % len(names)], query
