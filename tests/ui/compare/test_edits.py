"""The Compare page over unsaved changes: it says so, works as ever, and a bad link is a message."""

from __future__ import annotations

import pytest
from streamlit.testing.v1 import AppTest

from docgraph.domain.edit import Edit
from docgraph.domain.request import RetrievalRequest
from docgraph.orchestration.docgraph import Docgraph
from docgraph.views.relationships.edges.edit_link import packed_edits
from tests.ui.conftest import Open, page_text

QUESTION = "Why is the queue bounded?"
LIMITS = {"docs": "3", "seeds": "2", "chunks": "3", "per_doc": "2", "signal": "mean"}
HOSTILE = "<script>alert(1)</script> ![x](https://evil.example/p.png)"
TEXTS = {
    "adr-1": ("Bounded queue", "The queue is bounded at 400 bookings."),
    "api": (HOSTILE, "A refusal carries Retry-After."),
    "runbook": ("Runbook", "Why is the alarm on? Is the queue long?"),
    "glossary": ("Glossary", "The queue is a line; why is it bounded?"),
    "prices": ("Prices", "A crossing costs twelve crowns."),
}
REMOVE = Edit(action="remove", key=("adr-1", "explains", "api"))


@pytest.fixture
def corpus(docgraph: Docgraph) -> Docgraph:
    """The decision explains the interface, which the question's words do not find."""
    for name, (title, text) in TEXTS.items():
        edges = "explains: [api]" if name == "adr-1" else ""
        content = f"---\nid: {name}\ntitle: '{title}'\n{edges}\n---\n# {title}\n\n{text}\n"
        docgraph.ingest_files([(f"{name}.md", content.encode())])
    return docgraph


def _open(open_page: Open, *edits: Edit, **query: str) -> AppTest:
    return open_page("compare", query=QUESTION, **{**LIMITS, "edits": packed_edits(edits), **query})


def _saves(at: AppTest) -> bool:
    return any((each.key or "").startswith("cp_save") for each in (*at.button, *at.text_input))


def test_the_page_names_the_edit_says_that_it_is_not_saved_and_shows_what_it_changes(
    corpus: Docgraph, open_page: Open
) -> None:
    at = _open(open_page, REMOVE)
    text = page_text(at)
    assert "B = the data with this edit (not saved): remove Bounded queue —explains→" in text
    assert "<script>" not in text
    assert "cp-gone" in text
    assert "Checks passed: 9 of 9" in text
    assert not _saves(at), "what is not saved is no state that a run could be frozen on"
    at.button(key="cp_no_edits").click().run()
    assert "edits" not in at.query_params
    assert "not saved" not in page_text(at)
    assert _saves(at)


def test_an_edit_that_this_question_does_not_follow_is_no_difference_and_says_why(
    corpus: Docgraph, open_page: Open
) -> None:
    text = page_text(_open(open_page, Edit(action="add", key=("prices", "explains", "api"))))
    assert "No difference" in text
    assert "This edit changes no relationship that this plan follows." in text


@pytest.mark.parametrize(
    ("edits", "said"),
    [
        ("nonsense", "The edits in this link"),
        ("", "The edits in this link"),
        (packed_edits([Edit(action="remove", key=("adr-1", "explains", "nowhere"))]), "There is no relationship"),
        (packed_edits([Edit(action="add", key=REMOVE.key)]), "already"),
    ],
)
def test_edits_that_cannot_be_read_or_applied_are_a_message_and_one_click_leaves_them_out(
    corpus: Docgraph, open_page: Open, edits: str, said: str
) -> None:
    at = _open(open_page, edits=edits or "=")
    assert said in page_text(at)
    assert not at.exception
    at.button(key="cp_no_edits").click().run()
    assert "cp-place" in page_text(at) or "No difference" in page_text(at)


def test_a_saved_run_gives_its_question_and_is_asked_on_the_data_of_today(corpus: Docgraph, open_page: Open) -> None:
    saved = corpus.runs.save(RetrievalRequest(query=QUESTION, max_documents=3, max_expanded=1), name="Queue")
    at = open_page("compare", run=saved.run_id, edits=packed_edits([REMOVE]))
    assert "B = the data with this edit (not saved)" in page_text(at)
