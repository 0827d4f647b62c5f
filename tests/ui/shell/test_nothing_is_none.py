"""No page shows Python's word for nothing: what is not known is ``--``."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import pandas
import pytest
from streamlit.testing.v1 import AppTest

from docgraph.domain.graph import Document
from docgraph.domain.request import RetrievalRequest
from docgraph.orchestration.docgraph import Docgraph
from tests.ui.conftest import Open

QUESTION = "Why is the queue bounded?"
PAGES: tuple[tuple[str, dict[str, str]], ...] = (
    ("home", {}),
    ("plan", {}),
    ("plan", {"query": QUESTION}),
    ("plan", {"query": QUESTION, "stage": "MS3"}),
    *(("plan", {"query": QUESTION, "tab": tab}) for tab in ("Evidence", "Context", "Trace")),
    ("compare", {"query": QUESTION}),
    ("relationships", {}),
    *(("relationships", {"tab": tab}) for tab in ("edges", "vocabulary", "suggestions", "history", "exchange")),
    ("conversation", {}),
    ("runs", {}),
    ("query_sets", {}),
    ("library", {}),
    *(("library", {"show": show}) for show in ("Documents", "Relationships", "Health")),
    ("library", {"show": "Documents", "document": "bare"}),
)
_NONE = re.compile(r"(?<![\w/-])(?:None(?! of \d)|nan|NaN|NaT|<NA>)(?![\w-])")


def _shown(at: AppTest) -> Iterator[str]:
    """What stands on the page: HTML, texts, labels, and the cells of every table, empty ones as they are drawn."""
    for block in at.get("html"):
        yield re.sub(r"<[^>]*>", " ", block.proto.body)
    for kind in ("markdown", "text", "caption", "button", "page_link", "metric"):
        for element in at.get(kind):
            proto: Any = element.proto
            yield str(getattr(proto, "body", "") or getattr(proto, "label", ""))
    for table in at.dataframe:
        for column in table.value.columns:
            for value in table.value[column]:
                empty = not isinstance(value, list | dict) and pandas.isna(value)
                shown = (table.proto.placeholder or "None") if empty else value
                yield f"{table.key or 'table'} column {column}: {shown}"


@pytest.mark.parametrize(("page", "query"), PAGES)
def test_what_is_not_known_is_never_called_none(
    checked: Docgraph, open_page: Open, page: str, query: dict[str, str]
) -> None:
    checked.ingest_records([Document(document_id="bare", title="Bare", text="Nothing is known of it.")])
    checked.runs.save(RetrievalRequest(query=QUESTION), name="Queue")
    at = open_page(page, **query)
    assert not at.exception
    found = [text for text in _shown(at) if _NONE.search(text)]
    assert not found, found
