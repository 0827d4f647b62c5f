"""The Plan page: its states, its inputs in the URL, its panels and its one-click what-ifs."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from docgraph.domain.request import RetrievalRequest
from docgraph.errors import ConflictError, EmbedderError, StoreError
from docgraph.orchestration import pipeline
from docgraph.orchestration.docgraph import Docgraph
from docgraph.ui.frame import resources
from docgraph.ui.plan.details.as_json import UPLOAD
from docgraph.ui.plan.details.settings import mode_words
from docgraph.ui.plan.state import WHY_NOT
from tests.ui.conftest import Open, on_page, page_text

QUESTION = "Why is the queue bounded?"


@pytest.fixture
def corpus(docgraph: Docgraph) -> Docgraph:
    """Six documents: the decision explains two others and is what the question is about."""
    texts = {
        "adr-1": (
            "Bounded queue",
            "The queue is bounded at 400 bookings.",
            "explains: [api]\nreferences: [gone, runbook]",
        ),
        "api": ("API: Reservations", "A full queue returns 429 with Retry-After.", ""),
        "runbook": ("Runbook: depth alarm", "Alarms ring; look at workers.", "explains: [far]"),
        "far": ("Far away", "Sailings leave at noon.", ""),
        "glossary": ("Glossary", "A slot is not a hold.", "references: [adr-1]"),
        "prices": ("Prices", "A crossing costs twelve crowns.", ""),
    }
    files = [
        (
            f"{name}.md",
            f"---\nid: {name}\ntitle: '{title}'\nsummary: {text}\n{edges}\n---\n# {title}\n\n{text}\n".encode(),
        )
        for name, (title, text, edges) in texts.items()
    ]
    docgraph.ingest_files(files)
    return docgraph


def _graph(at: AppTest) -> dict[str, Any]:
    (component,) = on_page(at, "bidi_component")
    return dict(json.loads(component.proto.json))


def _run(at: AppTest) -> Any:
    return at.session_state["docgraph.state"].run


def test_without_documents_the_page_says_so_and_leads_to_the_library(docgraph: Docgraph, open_page: Open) -> None:
    at = open_page("plan", query=QUESTION)
    assert "holds no documents yet" in page_text(at)
    assert "Add documents" in [link.proto.label for link in at.get("page_link")]


def test_without_a_question_the_page_asks_for_one(corpus: Docgraph, open_page: Open) -> None:
    at = open_page("plan")
    assert "Ask a question to see its plan" in page_text(at)
    assert not on_page(at, "bidi_component")


def test_a_link_with_a_question_draws_its_plan(corpus: Docgraph, open_page: Open) -> None:
    at = open_page("plan", query=QUESTION, docs="2")
    run = _run(at)
    assert run.plan.query == QUESTION
    assert run.plan.expanded_document_ids == ("api",)
    text = page_text(at)
    assert "2 documents will be read: 1 matches the question, 1 is related to it." in text
    assert "Checks passed: 9 of 9" in text
    labels = [node["label"] for node in _graph(at)["nodes"]]
    assert labels == [QUESTION, "Bounded queue", "API: Reservations"]


def test_junk_in_the_url_falls_back_and_never_raises(corpus: Docgraph, open_page: Open) -> None:
    junk = dict.fromkeys(
        ("docs", "seeds", "chunks", "per_doc", "mode", "stage", "types", "signal", "scope", "budget", "tab", "display"),
        "<img src=x>%00",
    )
    at = open_page("plan", query=QUESTION, **junk)
    assert _run(at).request == RetrievalRequest(query=QUESTION)


@pytest.mark.parametrize(("docs", "chunks"), [("0", "0"), ("-3", "501"), ("101", "99999")])
def test_numbers_outside_their_limits_are_not_used(corpus: Docgraph, open_page: Open, docs: str, chunks: str) -> None:
    request = _run(open_page("plan", query=QUESTION, docs=docs, chunks=chunks)).request
    assert (request.max_documents, request.max_chunks) == (None, None)


def test_the_inputs_of_the_url_reach_the_request(corpus: Docgraph, open_page: Open) -> None:
    at = open_page(
        "plan",
        query=QUESTION,
        stage="MS3",
        mode="fast",
        docs="4",
        seeds="2",
        related="1",
        per_doc="2",
        chunks="7",
        types="explains",
        signal="chunk",
        scope="filter",
        scope_field="doc_type",
        expanding="2",
        fan_out="5",
        budget="500",
        evidence="similarity",
        names="off",
        linked="40",
        named="prices",
    )
    assert _run(at).request == RetrievalRequest(
        query=QUESTION,
        use_relationships=False,
        mode="fast",
        max_documents=4,
        max_seeds=2,
        max_expanded=1,
        max_chunks_per_document=2,
        max_chunks=7,
        relation_types=("explains",),
        seed_signal="chunk",
        scope_mode="filter",
        scope_field="doc_type",
        max_expanding_seeds=2,
        max_fan_out=5,
        token_budget=500,
        evidence_rule="similarity",
        find_names=False,
        max_linked_percent=40,
        seed_document_ids=("prices",),
    )


def test_switching_relationships_off_is_shown_as_a_result(corpus: Docgraph, open_page: Open) -> None:
    at = open_page("plan", query=QUESTION, stage="MS3")
    assert "Relationships are switched off." in page_text(at)
    assert _graph(at)["empty"].startswith("Relationships are switched off")


def test_a_question_whose_matches_lead_nowhere_is_as_without_relationships(corpus: Docgraph, open_page: Open) -> None:
    at = open_page("plan", query="What does a crossing cost in crowns?", docs="2")
    assert "No match links to another document: same result as without relationships." in page_text(at)


def test_the_inspector_shows_the_reason_with_its_provenance(corpus: Docgraph, open_page: Open) -> None:
    at = open_page("plan", query=QUESTION, docs="2")
    at.session_state["docgraph.state"].selected = "doc:api"
    text = page_text(at.run())
    assert "Included for 1 reason" in text
    assert "stated in the header" in text
    assert "the document drops out without this relationship" in text


def test_why_not_names_the_obstacle_and_one_click_lifts_it(corpus: Docgraph, open_page: Open) -> None:
    at = open_page("plan", query=QUESTION, docs="2")
    at.selectbox(key=WHY_NOT).select("runbook").run()
    assert "Related, but left out (limit: 1 related document), next at position 3" in page_text(at)
    (button,) = [b for b in at.button if b.label.startswith("Raise the document limit to")]
    button.click().run()
    assert not at.exception
    assert _run(at).plan.expanded_document_ids == ("api", "runbook")
    assert at.number_input(key="docs").value == 3


def test_the_preset_literal_of_the_url_reaches_the_request_and_leaves_no_choice(
    corpus: Docgraph, open_page: Open
) -> None:
    at = open_page("plan", query=QUESTION, preset="literal", chunks="7", signal="mean", seeds="2", names="off")
    assert not at.exception
    assert _run(at).request == RetrievalRequest(query=QUESTION, preset="literal", max_chunks=7)
    assert at.number_input(key="seeds").disabled
    assert "As in the specification" in page_text(at)


def test_why_not_explains_two_hops_and_an_incoming_edge(corpus: Docgraph, open_page: Open) -> None:
    at = open_page("plan", query=QUESTION, docs="3", seeds="1")
    for document_id, words in (("far", "Two relationships away"), ("glossary", "It links to a document of the plan")):
        at.selectbox(key=WHY_NOT).select(document_id).run()
        assert words in page_text(at), document_id
    assert re.search(r'<code class="dg-id" title="([^"]+)">\1</code>', page_text(at)), "ids stand beside the titles"


def test_a_run_that_is_saved_here_is_known_as_saved_under_the_id_that_it_has(corpus: Docgraph, open_page: Open) -> None:
    """The id is that of the run with its contract, which is checked after the run is drawn."""
    at = open_page("plan", query=QUESTION)
    (save,) = [each for each in at.button if str(each.key).startswith("plan_save_") and str(each.key).endswith("_save")]
    save.click().run()
    assert not at.exception
    (saved,) = corpus.runs.list()
    text = page_text(at)
    assert "Saved as" in text
    assert f"<code>{saved.run_id}</code>" in text
    assert len(corpus.runs.get(saved.run_id).run.contract) == 9


def test_where_the_check_of_the_contract_fails_the_plan_is_drawn_and_the_error_is_written_under_it(
    corpus: Docgraph, open_page: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object, **__: object) -> None:
        raise StoreError("the database went away", hint="start it")

    monkeypatch.setattr(pipeline, "_proven", fail)
    at = open_page("plan", query=QUESTION)
    text = page_text(at)
    assert "The database went away." in text
    assert "could not be checked" in text
    assert QUESTION in [node["label"] for node in _graph(at)["nodes"]]


def test_a_contract_of_other_data_is_not_shown_as_that_of_the_plan(
    corpus: Docgraph, open_page: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Somebody imports between the plan and its check."""

    def moved(*_: object, **__: object) -> None:
        corpus.documents.delete(["api"])
        raise ConflictError("the run cannot be verified: the data have changed since it was made")

    monkeypatch.setattr(pipeline, "_proven", moved)
    assert "the data have changed: build the plan again" in page_text(open_page("plan", query=QUESTION))


def test_a_failing_embedder_is_a_written_error_and_the_inputs_stay(
    corpus: Docgraph, open_page: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object, **__: object) -> None:
        raise EmbedderError("the embedding server did not answer", hint="start it")

    monkeypatch.setattr(resources, "run_then", fail)
    at = open_page("plan", query=QUESTION)
    assert "The embedding server did not answer." in page_text(at)
    assert at.text_input(key="query").value == QUESTION


@pytest.mark.parametrize("tab", ["Evidence", "Passages", "Table", "Context", "Plan JSON", "Trace"])
def test_every_tab_draws_also_what_the_drawer_holds_now(corpus: Docgraph, open_page: Open, tab: str) -> None:
    at = open_page("plan", query=QUESTION, tab=tab)
    run = _run(at)
    shown = {
        "Evidence": lambda: "pl-card" in page_text(at),
        "Passages": lambda: "pl-card" in page_text(at),
        "Table": lambda: len(at.dataframe) > 0,
        "Context": lambda: at.code[0].value == run.assembled.text,
        "Plan JSON": lambda: json.loads(at.code[0].value)["plan_id"] == run.plan.plan_id,
        "Trace": lambda: "embed query" in page_text(at),
    }
    assert shown[tab]()


def test_a_downloaded_plan_can_be_uploaded_and_executed(corpus: Docgraph, open_page: Open) -> None:
    at = open_page("plan", query=QUESTION, tab="Plan JSON")
    plan = _run(at).plan
    at.file_uploader(key=UPLOAD).upload("plan.json", plan.model_dump_json().encode()).run()
    assert not at.exception
    assert f"Executed plan <code>{plan.plan_id[:12]}</code>" in page_text(at)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda text: text[:100], "this is not a valid plan"),
        (
            lambda text: text.replace('"max_relationship_depth":1', '"max_relationship_depth":2'),
            "max_relationship_depth",
        ),
        (lambda text: text.replace('"workspace":"harbor"', '"workspace":"other"'), "does not fit the content"),
    ],
)
def test_a_forged_plan_is_one_clear_line(corpus: Docgraph, open_page: Open, change: Any, words: str) -> None:
    at = open_page("plan", query=QUESTION, tab="Plan JSON")
    forged = change(_run(at).plan.model_dump_json())
    at.file_uploader(key=UPLOAD).upload("<b>plan</b>.json", forged.encode()).run()
    assert not at.exception
    text = page_text(at)
    assert words in text
    assert "&lt;b&gt;plan&lt;/b&gt;.json was not executed" in text


def test_the_table_twin_selects_what_the_graph_selects(corpus: Docgraph, open_page: Open) -> None:
    at = open_page("plan", query=QUESTION, docs="2", display="Table")
    at.session_state["docgraph.state"].selected = "doc:api"
    at.run()
    assert len(at.dataframe) > 0
    assert at.session_state["docgraph.plan.table"]["selection"]["rows"] == [1]


def test_hostile_titles_types_and_texts_are_shown_as_text(docgraph: Docgraph, open_page: Open) -> None:
    from docgraph.domain.graph import Document, Relationship

    evil = '<img src=x onerror="alert(1)"> ![x](https://evil.example/p.png) queue'
    docgraph.ingest_records(
        [Document(document_id=f"{evil}{i}", title=evil, text=evil, summary=evil) for i in range(3)],
        [
            Relationship(
                from_document_id=f"{evil}0",
                relation_type="</style>]",
                to_document_id=f"{evil}1",
                relationship_metadata={"text": evil},
            )
        ],
    )
    at = open_page("plan", query="queue", docs="2")
    raw = "\n".join(block.proto.body for block in at.get("html"))
    assert "<img" not in raw
    assert raw.count("</style>") == raw.count("<style>")


def test_the_numbers_of_the_modes_are_said_as_plans_are_made_by_them() -> None:
    assert mode_words() == (
        "Empty = set by the mode: accurate 6 documents, 40 % of them related; fast 5 documents, 20 % related"
    )


def test_a_number_without_an_end_in_a_link_is_read_as_if_it_were_not_there(corpus: Docgraph, open_page: Open) -> None:
    at = open_page("plan", query="queue", docs="9" * 5_000, chunks="-Infinity")
    assert at.number_input(key="docs").value is None
    assert at.number_input(key="chunks").value is None


def test_a_link_to_literal_says_so_at_once_and_follows_every_type(corpus: Docgraph, open_page: Open) -> None:
    """The inputs above the preset were drawn before it was read: types that the workspace switches off looked off."""
    corpus.relationships.set_off_types(["explains"])
    at = open_page("plan", query=QUESTION, preset="literal", seeds="3", per_doc="2")
    run = _run(at)
    assert run.request == RetrievalRequest(query=QUESTION, preset="literal")
    assert ("adr-1", "explains", "api") in run.plan.edges
    assert set(at.session_state["types"]) == {"explains", "references"}
    assert [at.number_input(key=key).disabled for key in ("seeds", "docs", "budget", "chunks")] == [
        True,
        False,
        False,
        False,
    ]
    assert "the documents of the 10 most similar passages" in page_text(at)


def test_the_types_go_with_the_preset_until_somebody_chooses_some(corpus: Docgraph, open_page: Open) -> None:
    corpus.relationships.set_off_types(["explains"])
    at = open_page("plan", query=QUESTION)
    assert at.session_state["types"] == ["references"]
    at.segmented_control(key="preset").set_value("literal").run()
    assert set(at.session_state["types"]) == {"explains", "references"}
    assert _run(at).request.relation_types is None
    at.segmented_control(key="preset").set_value("balanced").run()
    assert at.session_state["types"] == ["references"]
    assert _run(at).request == RetrievalRequest(query=QUESTION)


def test_edges_between_seeds_are_drawn_when_asked_for(corpus: Docgraph, open_page: Open) -> None:
    at = open_page("plan", query=QUESTION, seeds="5")
    n = sum(len(seed.reasons) for seed in _run(at).plan.seed_documents)
    assert n > 1
    assert _graph(at)["between"] is False
    assert f"<b>{n} relationships</b> between matches, not drawn" in page_text(at)
    at.button(key="plan_between_drawn").click().run()
    assert _graph(at)["between"] is True
