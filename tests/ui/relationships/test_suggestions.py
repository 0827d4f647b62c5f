"""Suggestions: one at a time, accepted and rejected by a person only, each taken back, hostile texts as text."""

from __future__ import annotations

from dataclasses import replace

import pytest

from docgraph import plugins
from docgraph.domain.request import RetrievalRequest
from docgraph.domain.suggestion import Suggestion, Suggestions
from docgraph.orchestration.docgraph import Docgraph
from docgraph.views.relationships import suggestions
from tests.ui.conftest import Open, edit_as, page_text, press

HOSTILE = "<script>alert(1)</script> ![x](h) queue"
ACCEPT, REJECT, FLIP, TYPE, UNDO = (
    f"docgraph.suggestions.{name}" for name in ("accept", "reject", "flip", "type", "undo")
)


@pytest.fixture(autouse=True)
def mentions(docgraph: Docgraph, monkeypatch: pytest.MonkeyPatch) -> None:
    """Titles in texts are found, as in the product."""
    extractors = tuple(plugins.build("extractors", name) for name in ("front_matter", "title_mentions"))
    monkeypatch.setattr(docgraph.session, "adapters", replace(docgraph.session.adapters, extractors=extractors))


@pytest.fixture
def named(harbor: Docgraph) -> Docgraph:
    """Two guides that name the queue and the decision in their texts; nothing says so."""
    texts = {
        "load": "Read Booking queue: bookings wait here for a worker.",
        "night": "Why Bounded queue? The queue had no end. The queue had no end.",
    }
    harbor.ingest_files(
        [
            (f"{name}.md", f"---\nid: {name}\ntitle: Guide of {name}\ntype: guide\n---\n{text}\n".encode())
            for name, text in texts.items()
        ]
    )
    return harbor


def first(docgraph: Docgraph) -> Suggestion:
    return docgraph.relationships.suggestions().suggestions[0]


def test_without_editing_everything_is_shown_and_nothing_can_be_done(named: Docgraph, open_page: Open) -> None:
    found = named.relationships.suggestions()
    assert found.suggestions
    text = page_text(at := open_page("relationships", tab="suggestions"))
    for part in (
        "Named in the text",
        suggestions.looked_at(found),
        "source on acceptance",
        "Effect if accepted",
        "1 of ",
    ):
        assert part in text, part
    assert at.button(key=ACCEPT).disabled
    assert at.button(key=REJECT).disabled
    assert not at.button(key=FLIP).disabled


def test_accepting_makes_the_relationship_with_its_provenance_and_undo_takes_it_away(
    named: Docgraph, open_page: Open
) -> None:
    suggestion = first(named)
    at = edit_as(open_page("relationships", tab="suggestions", suggestion=suggestion.suggestion_id))
    at.selectbox(key=f"{TYPE}.{suggestion.suggestion_id}").set_value("references").run()
    press(at, FLIP)
    press(at, ACCEPT)
    key = (suggestion.to_document_id, "references", suggestion.from_document_id)
    made = next(edge for edge in named.relationships.list() if edge.key == key)
    assert "Ann" in str(made.relationship_metadata)
    assert named.relationships.history()[0].edit.suggested == suggestion.suggestion_id
    assert suggestion.suggestion_id not in {
        each.suggestion_id for each in named.relationships.suggestions().suggestions
    }
    press(at, UNDO)
    assert key not in {edge.key for edge in named.relationships.list()}
    assert suggestion.suggestion_id in at.query_params["suggestion"]


def test_a_rejected_one_is_listed_with_its_reason_and_taken_back(named: Docgraph, open_page: Open) -> None:
    suggestion = first(named)
    at = edit_as(open_page("relationships", tab="suggestions"))
    at.text_input(key="docgraph.suggestions.reason").set_value("only in passing").run()
    press(at, REJECT)
    rejected = named.relationships.suggestions().rejected
    assert [(each.suggestion_id, each.dismissal.reason) for each in rejected if each.dismissal] == [
        (suggestion.suggestion_id, "only in passing")
    ]
    at.session_state["docgraph.suggestions.rejected"] = True
    at.run()
    press(at, f"docgraph.suggestions.back.{suggestion.suggestion_id}")
    assert not named.relationships.suggestions().rejected
    assert not named.relationships.history(), "a rejection changes no relationship"


def test_next_and_previous_walk_through_the_list(named: Docgraph, open_page: Open) -> None:
    ids = [each.suggestion_id for each in named.relationships.suggestions().suggestions]
    assert len(ids) > 1
    at = open_page("relationships", tab="suggestions")
    press(at, "docgraph.suggestions.next")
    assert ids[1] in at.query_params["suggestion"]
    press(at, "docgraph.suggestions.previous")
    assert ids[0] in at.query_params["suggestion"]
    assert at.button(key="docgraph.suggestions.previous").disabled


def test_the_next_type_is_proposed_by_a_key(named: Docgraph, open_page: Open) -> None:
    suggestion = first(named)
    at = open_page("relationships", tab="suggestions")
    box = f"{TYPE}.{suggestion.suggestion_id}"
    seen = {at.selectbox(key=box).value}
    for _ in suggestions.choices(suggestion, list(named.relationships.types())):
        press(at, TYPE)
        seen.add(at.selectbox(key=box).value)
    assert {"explains", "references"} <= seen


def test_nothing_to_suggest_is_a_result_with_its_denominators(harbor: Docgraph, open_page: Open) -> None:
    harbor.runs.save(RetrievalRequest(query="queue"), name="Queue")
    found = harbor.relationships.suggestions()
    assert not found.suggestions
    text = page_text(open_page("relationships", tab="suggestions"))
    assert "Nothing to suggest" in text
    assert f"Compared {found.n_pairs:,} pair" in text


def test_hostile_texts_are_shown_as_text(named: Docgraph, open_page: Open) -> None:
    text = "Read Booking queue: bookings wait here for a worker."
    named.ingest_files([("load.md", f"---\nid: load\ntitle: '{HOSTILE}'\n---\n{text}\n\n{HOSTILE}\n".encode())])
    at = edit_as(open_page("relationships", tab="suggestions"))
    assert "&lt;script&gt;alert(1)" in page_text(at)
    press(at, REJECT)
    assert "<script>" not in page_text(at)
    labels = [each.proto.label for each in at.get("page_link")] + [button.label for button in at.button]
    assert not [label for label in labels if "![x](h" in label]


def test_words_say_what_is_not_known() -> None:
    one = Suggestion.about("together", "a", "b", from_title="A", to_title="B", similarity=0.812, n_together=5)
    assert (
        suggestions.why(one, 12) == "5 of 12 saved questions read both A and B, and they are similar in meaning (0.81)"
    )
    assert suggestions.together(one, 0) == "--"
    assert suggestions.strength(one) == "read 5×, 0.81"
    assert suggestions.choices(one, ["z", "y"]) == ("y", "z")
    nothing = Suggestions(workspace="w", corpus_revision="r", n_pairs=212)
    assert suggestions.nothing(nothing).startswith("Compared 212 pairs of documents. Every mention already has")
    assert "no questions are saved yet" in suggestions.nothing(nothing)
