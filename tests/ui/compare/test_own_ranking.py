"""The Compare page with a ranking of the reader's own as side A: hostile ids are text, and a failure leaves B whole."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from docgraph.orchestration.docgraph import Docgraph
from docgraph.ui.compare.switch import BASELINES_KEY
from tests.ui.conftest import Open, page_text

HOSTILE = "<script>alert(1)</script>"


@pytest.fixture
def corpus(docgraph: Docgraph) -> Docgraph:
    for name, text in (("adr-1", "The queue is bounded."), ("api", "A refusal carries Retry-After.")):
        docgraph.ingest_files([(f"{name}.md", f"---\nid: {name}\n---\n# {name.upper()}\n\n{text}\n".encode())])
    return docgraph


def _known(docgraph: Docgraph, retriever: Any) -> None:
    """As if the settings had named it."""
    object.__setattr__(docgraph.session, "adapters", replace(docgraph.session.adapters, retrievers={"ours": retriever}))


def test_the_reader_chooses_a_retriever_of_the_settings_and_sees_both_orders(corpus: Docgraph, open_page: Open) -> None:
    _known(corpus, lambda _: [("api", 12.5), (HOSTILE, 3)])
    at = open_page("compare", query="Why is the queue bounded?")
    at.selectbox(key=BASELINES_KEY).select("own:ours").run()
    text = page_text(at)
    assert "own:ours" in at.query_params["baseline"]
    assert "among the first 1 of ours" in text
    assert "12.5" in text
    assert "Matched no document: 1" in text
    assert "<script>" not in text
    assert not at.exception


def test_what_is_shown_is_handed_on_as_files_and_a_link_brings_a_retriever_of_the_settings_back(
    corpus: Docgraph, open_page: Open
) -> None:
    _known(corpus, lambda _: [("api", 12.5)])
    at = open_page("compare", query="Why is the queue bounded?", baseline="own:ours")
    assert [each.label for each in at.get("download_button")] == ["Markdown", "Table (CSV)", "Data (JSON)"]


def test_a_retriever_that_fails_is_said_and_the_plan_stands(corpus: Docgraph, open_page: Open) -> None:
    def fails(_: str) -> Any:
        raise OSError(HOSTILE)

    _known(corpus, fails)
    at = open_page("compare", query="Why is the queue bounded?", baseline="own:ours")
    text = page_text(at)
    assert "ours gave no ranking" in text
    assert "match, by its own score" in text
    assert "<script>" not in text


@pytest.mark.parametrize("baseline", ["own:http://127.0.0.1:1/", "own:nobody", "own:/run", "own:"])
def test_an_address_in_the_link_is_never_asked(corpus: Docgraph, open_page: Open, baseline: str) -> None:
    at = open_page("compare", query="Why is the queue bounded?", baseline=baseline)
    text = page_text(at)
    assert "here is no retriever" in text
    assert "cannot be reached" not in text
    assert not at.exception
