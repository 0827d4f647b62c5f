"""Beside the graph: what is read of the selected document first, why it was chosen, and whether it answers."""

from __future__ import annotations

from docgraph.orchestration.docgraph import Docgraph
from docgraph.views.lanes.layout import node_id
from tests.ui.conftest import Open, page_text

QUESTION = "Why is the queue limited to 400 bookings?"
FILLER = "Nothing of interest stands in this sentence at all. " * 60
LIMITS = (
    f"# Limits\n\n## Why\n\nThe queue is limited to 400 bookings <b>per route</b>.\n\n## How\n\n{FILLER}\n\n"
    f"## Since\n\nThe queue is older than the quay. {FILLER}\n"
)


def _best(text: str) -> str:
    return text.split('<section class="pl-best')[1].split("</section>")[0]


def test_the_selected_document_shows_its_best_passage_and_why_it_was_chosen(
    docgraph: Docgraph, open_page: Open
) -> None:
    docgraph.ingest_files([("limits.md", LIMITS.encode())])
    best = _best(page_text(open_page("plan", query=QUESTION)))
    assert "<mark>queue</mark> is <mark>limited</mark> to <mark>400</mark> <mark>bookings</mark>" in best
    assert "&lt;b&gt;per route&lt;/b&gt;" in best
    assert "Words found: queue, limited, 400, bookings" in best
    assert "chunk=limits%23" in best, "the link opens the document at the passage"
    assert "1st of " in best
    assert "answers" not in best


def test_a_passage_that_somebody_marked_is_shown_before_a_more_similar_one(docgraph: Docgraph, open_page: Open) -> None:
    docgraph.ingest_files([("limits.md", LIMITS.encode())])
    (found,) = docgraph.run({"query": QUESTION}).context.documents
    marked = next(chunk for chunk in found.chunks if "older than the quay" in chunk.text)
    assert marked != found.chunks[0]
    docgraph.judgments.judge_passage(QUESTION, marked.chunk_id, 2, by="Ann")
    best = _best(page_text(open_page("plan", query=QUESTION)))
    assert best.startswith(" pl-best-answers")
    assert "answers</span>" in best
    assert "is older than the quay" in best


def test_a_document_of_which_nothing_is_read_shows_none(docgraph: Docgraph, open_page: Open) -> None:
    texts = {"a": "The queue is bounded.", "b": "A queue."}
    docgraph.ingest_files([(f"{name}.md", f"# {name}\n\n{text}\n".encode()) for name, text in texts.items()])
    at = open_page("plan", query="queue", chunks="1")
    run = at.session_state["docgraph.state"].run
    (unread,) = [each.document.document_id for each in run.context.documents if not each.chunks]
    at.session_state["docgraph.state"].selected = node_id(unread)
    assert f'<code class="pl-id">{unread}</code>' in _selected(page_text(at.run()))
    assert "pl-best" not in _selected(page_text(at))


def _selected(text: str) -> str:
    return text.split('class="pl-title"')[1].split("pl-h3")[0]
