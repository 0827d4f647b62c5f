"""A table that is only read: every page shows it, says so, and offers nothing that would have to be kept."""

from __future__ import annotations

import time
from collections.abc import Iterator

import pytest
import streamlit as st
from streamlit.testing.v1 import AppTest

from docgraph import plugins
from docgraph.orchestration.docgraph import Docgraph
from docgraph.orchestration.session import Adapters
from docgraph.plugins.stores import table
from docgraph.ports import ReadingOnly
from docgraph.testing.builders import FirstWords, HashingEmbedder, WordTokenizer
from docgraph.ui.frame import resources
from tests.builders import prepared
from tests.ui.conftest import Open, on_page, page_text

CLOSED = "docgraph only reads the example and stores nothing beside it"


@pytest.fixture
def read_only(monkeypatch: pytest.MonkeyPatch) -> Iterator[Docgraph]:
    """Two documents of a table, which the pages see as theirs."""
    monkeypatch.setenv("DOCGRAPH_WORKSPACE", "example")
    embedder = HashingEmbedder()
    documents = [
        prepared("a", ["The queue is bounded."], edges=[("explains", "b"), ("references", "gone")], embedder=embedder),
        prepared("b", ["Back pressure."], embedder=embedder),
    ]
    adapters = Adapters(
        database=ReadingOnly(table.example(embedder.info, documents), "table"),
        embedder=embedder,
        tokenizer=WordTokenizer(),
        summarizer=FirstWords(),
        loaders=(),
        extractors=(),
        clock=time.perf_counter,
        checks=tuple(plugins.build("checks", name) for name in plugins.available("checks")),
    )
    opened = Docgraph(adapters, "example")
    monkeypatch.setattr(resources, "connect", lambda **_: opened)
    st.cache_resource.clear()
    yield opened
    st.cache_resource.clear()


def keys(at: AppTest) -> set[str]:
    return {str(button.key) for button in at.button}


@pytest.mark.usefixtures("read_only")
@pytest.mark.parametrize(
    ("page", "query"),
    [
        ("plan", {"query": "queue"}),
        ("relationships", {}),
        ("relationships", {"tab": "history"}),
        ("query_sets", {}),
        ("library", {"show": "Import"}),
        ("library", {"show": "Workspaces"}),
    ],
)
def test_every_page_that_could_change_something_says_that_a_table_is_only_read(
    page: str, query: dict[str, str], open_page: Open
) -> None:
    text = page_text(open_page(page, **query))
    assert CLOSED in text
    assert "Read-only table" in text


@pytest.mark.usefixtures("read_only")
def test_nothing_is_imported_created_backed_up_or_dropped_beside_a_table(open_page: Open) -> None:
    assert "docgraph.library.import" not in keys(open_page("library", show="Import"))
    assert not {"docgraph.library.create", "docgraph.library.drop"} & keys(open_page("library", show="Workspaces"))


@pytest.mark.usefixtures("read_only")
def test_home_names_the_table_and_its_counts(open_page: Open) -> None:
    text = page_text(open_page())
    assert "example:" in text
    assert "Read-only table" in text
    assert "other embedder" not in page_text(open_page("library", show="Health"))


@pytest.mark.usefixtures("read_only")
def test_a_finding_over_a_table_is_shown_and_not_offered_to_be_assigned_or_decided(open_page: Open) -> None:
    """*Assign* and *Rule on* stood there, and every act with the advice to switch editing on."""
    at = open_page("relationships")
    offered = {key for key in keys(at) if key.startswith("docgraph.act.") or key == "docgraph.relationships.save"}
    assert offered == {"docgraph.act.next", "docgraph.act.previous"}
    assert [each.proto.popover.label for each in on_page(at, "popover")] == ["26 checks"]
    assert "Findings are read-only" in page_text(at)
