"""Drafts and frozen runs on the Plan page: what starts one, what it says, how it ends, and that it never writes."""

from __future__ import annotations

import json
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from docgraph.domain.overrides import Overrides
from docgraph.domain.request import RetrievalRequest
from docgraph.orchestration.docgraph import Docgraph
from docgraph.ui.frame import resources
from docgraph.ui.plan.state import WHY_NOT
from docgraph.ui.plan.ways import WAY
from docgraph.views.lanes.layout import node_id
from tests.ui.conftest import Open, on_page, page_text

QUESTION = "Why is the queue bounded?"
EDGE = "adr-1|explains|api"
TEXTS = {
    "adr-1": ("Bounded queue", "The queue is bounded at 400.", "explains: [api]\nreferences: [runbook]"),
    "api": ("API: Reservations", "A full queue returns 429 with Retry-After.", ""),
    "runbook": ("Runbook: depth alarm", "Alarms ring; look at workers.", ""),
    "prices": ("Prices", "A crossing costs twelve crowns.", ""),
}


@pytest.fixture
def corpus(docgraph: Docgraph) -> Docgraph:
    """The decision explains the API and references the runbook."""
    pages = {
        f"{name}.md": f"---\nid: {name}\ntitle: '{title}'\nsummary: {text}\n{edges}\n---\n# {title}\n\n{text}\n"
        for name, (title, text, edges) in TEXTS.items()
    }
    docgraph.ingest_files([(name, page.encode()) for name, page in pages.items()])
    return docgraph


def _graph(at: AppTest) -> dict[str, Any]:
    components = [json.loads(c.proto.json) for c in on_page(at, "bidi_component")]
    return dict(next(c for c in components if "nodes" in c))


def _run(at: AppTest) -> Any:
    return at.session_state["docgraph.state"].run


def _press(at: AppTest, label: str) -> AppTest:
    next(button for button in at.button if button.label == label).click().run()
    assert not at.exception
    return at


def _select(at: AppTest, document_id: str) -> AppTest:
    at.session_state["docgraph.state"].selected = node_id(document_id)
    at.run()
    assert not at.exception
    return at


def _bar(at: AppTest) -> str:
    """The draft bar's words; empty while there is no draft."""
    return next((b for b in page_text(at).split("\n") if "pl-drafted" in b), "")


def test_switching_a_type_off_is_a_draft_and_discard_brings_the_base_back(corpus: Docgraph, open_page: Open) -> None:
    at = open_page("plan", query=QUESTION, docs="2")
    before = _graph(at)
    at.button_group(key="types").set_value(["references"]).run()
    assert "explains off" in _bar(at)
    assert "leaves: its only relationship is off" in json.dumps(_graph(at))
    assert [link.proto.label for link in at.get("page_link") if "Compare with" in link.proto.label]
    assert "Leaves because: 1 of 1 reason is off" in page_text(at)
    assert "against the plan as it was built" in page_text(at)
    _press(at, "Discard")
    assert not _bar(at)
    assert _graph(at)["nodes"] == before["nodes"]


def test_an_edge_goes_off_and_on_again_in_the_panel_and_nothing_is_written(corpus: Docgraph, open_page: Open) -> None:
    revision = corpus.workspace.revision
    at = _select(open_page("plan", query=QUESTION, docs="2"), "api")
    _press(at, "What if off")
    assert "1 relationship off" in _bar(at)
    assert at.query_params["no_edge"] == EDGE
    assert _run(at).plan.expanded_document_ids == ("runbook",)
    _press(at, "Switch on")
    assert not _bar(at)
    assert "no_edge" not in at.query_params
    assert corpus.workspace.revision == revision


def test_a_link_with_what_ifs_opens_as_a_draft_over_the_same_request_without_them(
    corpus: Docgraph, open_page: Open
) -> None:
    at = open_page("plan", query=QUESTION, docs="2", no_edge=EDGE, add_seed="prices")
    bar = _bar(at)
    assert "1 relationship off, 1 match added" in bar
    assert "Bounded queue —explains→ API: Reservations" in bar, "the counted things are named on hovering"
    assert _run(at).request.overrides == Overrides(
        without_edges=(("adr-1", "explains", "api"),), added_seed_ids=("prices",)
    )
    assert "base" not in at.query_params, "the inputs alone tell what the base is"


def test_a_base_with_other_inputs_stands_in_the_address(corpus: Docgraph, open_page: Open) -> None:
    at = open_page("plan", query=QUESTION, docs="2", base="?docs=3&seeds=1")
    assert "documents 3 → 2" in _bar(at)
    at.number_input(key="docs").set_value(4).run()
    assert "documents 3 → 4" in _bar(at)
    assert at.query_params["base"] == "?docs=3&seeds=1"


def test_build_plan_makes_the_inputs_the_base_and_another_question_drops_the_what_ifs(
    corpus: Docgraph, open_page: Open
) -> None:
    at = open_page("plan", query=QUESTION, docs="2", base="?docs=3", no_edge=EDGE)
    _press(at, "Build plan")
    bar = _bar(at)
    assert "1 relationship off" in bar
    assert "documents 3" not in bar
    at.text_input(key="query").set_value("What does a crossing cost?")
    _press(at, "Build plan")
    assert not _bar(at)
    assert not _run(at).request.overrides


def test_ms3_is_a_way_to_look_at_a_plan_and_no_draft(corpus: Docgraph, open_page: Open) -> None:
    at = open_page("plan", query=QUESTION, docs="2")
    at.button_group(key=WAY).set_value("Without").run()
    assert not _run(at).request.use_relationships
    assert at.query_params["stage"] == "MS3"
    assert not _bar(at)


def test_a_seed_is_dropped_and_taken_back_and_why_not_adds_one(corpus: Docgraph, open_page: Open) -> None:
    at = open_page("plan", query=QUESTION, docs="2")
    at.selectbox(key=WHY_NOT).select("prices").run()
    _press(at, "What if: add as a match")
    assert _run(at).plan.seed_document_ids == ("prices", "adr-1")
    assert "1 match added" in _bar(at)
    _press(at, "Discard")
    assert not _bar(at)


def test_junk_in_the_what_ifs_of_a_link_is_ignored_and_named(corpus: Docgraph, open_page: Open) -> None:
    at = open_page(
        "plan", query=QUESTION, no_edge="<b>junk</b>", add_seed="nobody", drop_seed="\x01", base="?mode=none"
    )
    text = page_text(at)
    assert "Ignored in the address: no_edge “&lt;b&gt;junk&lt;/b&gt;”: write it as FROM|TYPE|TO" in text
    assert "add_seed “nobody”: no document has this id" in text
    assert _run(at).request == RetrievalRequest(query=QUESTION)
    assert not _bar(at)


# ---------------------------------------------------------------- a frozen run


@pytest.fixture
def saved(corpus: Docgraph) -> Any:
    """A run that was kept: two documents, over one edge."""
    return corpus.runs.save(RetrievalRequest(query=QUESTION, max_documents=2), name="kept")


def test_a_frozen_link_draws_the_run_as_it_was_saved(corpus: Docgraph, saved: Any, open_page: Open) -> None:
    at = open_page("plan", run=saved.run_id)
    assert _run(at) == saved.run
    text = page_text(at)
    assert saved.run_id in text
    assert "Documents in all <b>2</b>" in text
    assert not at.text_input, "the inputs are facts"


@pytest.mark.parametrize("tab", ["Evidence", "Passages", "Table", "Context", "Plan JSON", "Trace"])
def test_a_frozen_run_outlives_its_documents_and_its_workspace(
    corpus: Docgraph, saved: Any, open_page: Open, tab: str
) -> None:
    corpus.documents.delete(list(saved.run.plan.document_ids))
    resources.forget("harbor")
    at = open_page("plan", run=saved.run_id, tab=tab)
    assert _run(at) == saved.run
    at.selectbox(key=WHY_NOT).select("prices").run()
    assert "The data changed since this run" in page_text(at)
    assert not at.exception
    corpus.drop_workspace("harbor")
    resources.forget("harbor")
    at = open_page("plan", run=saved.run_id, tab=tab)
    assert _run(at) == saved.run
    assert "The workspace of this run is gone" in page_text(at)


def test_a_what_if_on_a_frozen_run_is_a_draft_over_it(corpus: Docgraph, saved: Any, open_page: Open) -> None:
    at = _select(open_page("plan", run=saved.run_id), "api")
    _press(at, "What if off")
    assert "1 relationship off" in _bar(at)
    assert f"against saved run <code>{saved.run_id}</code>" in page_text(at)
    assert at.query_params["base"] == saved.run_id
    assert "run" not in at.query_params
    _press(at, "Discard")
    assert at.query_params["run"] == saved.run_id
    assert _run(at) == saved.run


def test_a_link_to_a_run_that_is_not_there_says_so_and_leads_on(corpus: Docgraph, open_page: Open) -> None:
    at = open_page("plan", run="ffff<b>")
    assert "No frozen run opens as “ffff&lt;b&gt;”" in page_text(at)
    assert "Ask a new question" in [link.proto.label for link in at.get("page_link")]


def test_hostile_names_in_a_draft_are_shown_as_text(docgraph: Docgraph, open_page: Open) -> None:
    from docgraph.domain.graph import Document, Relationship
    from docgraph.domain.overrides import edge_text

    evil = '<img src=x onerror="alert(1)"> ![x](https://evil.example/p.png) queue'
    ids = [f"{evil}|{i}" for i in range(3)]
    docgraph.ingest_records(
        [Document(document_id=i, title=evil, text=evil, summary=evil) for i in ids],
        [Relationship(from_document_id=ids[0], relation_type="</style>]", to_document_id=ids[1])],
    )
    at = open_page("plan", query="queue", docs="2", no_edge=edge_text((ids[0], "</style>]", ids[1])), add_seed=ids[2])
    assert "1 relationship off, 1 match added" in _bar(at)
    raw = "\n".join(block.proto.body for block in at.get("html"))
    assert "<img" not in raw
    assert raw.count("</style>") == raw.count("<style>")
