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


def test_while_nothing_is_selected_every_document_that_is_read_shows_its_best_passage(
    docgraph: Docgraph, open_page: Open
) -> None:
    names = ("quay", "queue", "gate")
    docgraph.ingest_files([(f"{n}.md", f"# <i>{n}</i>\n\nThe queue at the {n} is short.\n".encode()) for n in names])
    marked = docgraph.documents.chunks("gate")[0]
    docgraph.judgments.judge_passage("queue", marked.chunk_id, 2, by="Ann")
    at = open_page("plan", query="queue")
    run = at.session_state["docgraph.state"].run
    cards = page_text(at).split('<section class="pl-best')[1:]
    assert len(cards) == len([each for each in run.context.documents if each.chunks]) == 3
    assert [card.startswith(" pl-best-answers") for card in cards] == [True, False, False]
    assert "at the gate is short" in cards[0].replace("<mark>", "").replace("</mark>", "")
    assert "<i>gate</i>" not in page_text(at), "titles are hostile"
    at.button(key="plan_open_1").click().run()
    assert at.session_state["docgraph.state"].selected == node_id(
        next(each for each in run.plan.document_ids if each != "gate")
    )
    assert len(page_text(at).split('<section class="pl-best')) == 2
    at.button(key="plan_all_passages").click().run()
    assert len(page_text(at).split('<section class="pl-best')) == 4


def test_the_sentence_of_the_plan_says_where_the_marked_passage_is_read_and_that_it_is_not(
    docgraph: Docgraph, open_page: Open
) -> None:
    docgraph.ingest_files([("queue.md", b"# Queue\n\nThe queue is short.\n"), ("lamp.md", b"# Lamp\n\nIt shines.\n")])
    assert "answer" not in _sentence(page_text(open_page("plan", query="queue", docs="1")))
    docgraph.judgments.judge_passage("queue", docgraph.documents.chunks("lamp")[0].chunk_id, 2, by="Ann")
    at = open_page("plan", query="queue", docs="1")
    assert at.session_state["docgraph.state"].run.plan.document_ids == ("queue",)
    assert "The answering passage is not read." in _sentence(page_text(at))
    docgraph.judgments.judge_passage("queue", docgraph.documents.chunks("queue")[0].chunk_id, 2, by="Ann")
    assert "The answering passage is in <b>Queue</b>." in _sentence(
        page_text(open_page("plan", query="queue", docs="1"))
    )


def _sentence(text: str) -> str:
    return text.split('<div class="pl-sentence"')[1].split("</div>")[0]
