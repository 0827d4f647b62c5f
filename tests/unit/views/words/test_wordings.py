"""What the views say: counts, limits, reasons, obstacles, what-ifs, and the words of the question."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from docgraph.domain.explanation import Obstacle
from docgraph.domain.graph import DocumentRef, Relationship
from docgraph.domain.plan import CutTotal
from docgraph.domain.run import ContractCheck
from docgraph.views.lanes.layout import edge_id, node_id
from docgraph.views.plan import remedies
from docgraph.views.plan.evidence import chunks_sentence, evidence_cards
from docgraph.views.plan.legend import legend
from docgraph.views.plan.reasons import selectable, selected_document, selected_edge
from docgraph.views.plan.summary import looked_at, summarize
from docgraph.views.plan.tables import cut_table, document_table, edge_table
from docgraph.views.words import counts
from docgraph.views.words.highlight import segments, terms

EDGES = [("a", "explains", "x"), ("a", "explains", "y"), ("b", "decision_for", "x")]


@pytest.mark.parametrize(
    ("n", "text"), [(1, "1st"), (2, "2nd"), (3, "3rd"), (11, "11th"), (22, "22nd"), (113, "113th")]
)
def test_ordinals(n: int, text: str) -> None:
    assert counts.ordinal(n) == text


def test_an_unknown_score_is_two_dashes_and_never_zero() -> None:
    assert (counts.score(None), counts.score(0.0), counts.score(0.032787)) == ("--", "0.00", "0.033")


@given(st.text(max_size=200), st.text(max_size=40))
@settings(max_examples=80, deadline=None)
def test_highlighting_changes_no_character(text: str, query: str) -> None:
    assert "".join(part for part, _ in segments(text, terms(query))) == text


def test_other_forms_of_a_word_are_found_and_stop_words_are_not() -> None:
    found = [
        part
        for part, hit in segments("The bookings were rejected; a booking is why.", terms("Why reject bookings?"))
        if hit
    ]
    assert found == ["bookings", "rejected", "booking"]


def test_the_sentence_says_what_will_be_read_and_how_much_of_it_matches(make_run: Any) -> None:
    one = summarize(make_run(["a"])).sentence
    assert one == "1 document will be read: it matches the question"
    assert summarize(make_run(["a", "b"])).sentence == "2 documents will be read: all match the question"
    related = summarize(make_run(["a"], ["x"], [EDGES[0]])).sentence
    assert related == "2 documents will be read: 1 matches the question, 1 is related to it"
    assert summarize(make_run([])).sentence == "No document found"


def test_a_planned_document_of_which_no_passage_is_read_is_not_counted_as_read(make_run: Any) -> None:
    run = make_run(["a", "b", "c"])
    first, *others = run.context.documents
    context = run.context.model_copy(update={"documents": (first.model_copy(update={"chunks": ()}), *others)})
    said = summarize(run.model_copy(update={"context": context})).sentence
    assert said == "2 of 3 planned documents will be read: all 3 match the question"


@pytest.mark.parametrize(
    ("kept", "total", "words"),
    [
        (2, 2, ""),
        (2, 3, "1 more document matched and is not read"),
        (2, 15, "13 more documents matched and are not read"),
    ],
)
def test_how_many_matched_and_are_not_read_is_said(make_run: Any, kept: int, total: int, words: str) -> None:
    totals = [CutTotal(limit="max_seeds", value=2, kept=kept, total=total)] if total > kept else []
    assert summarize(make_run(["a", "b"], cut_totals=totals)).left == words


def test_the_sentence_counts_matches_and_related_documents(make_run: Any) -> None:
    summary = summarize(make_run(["a", "b"], ["x", "y"], [*EDGES, ("a", "references", "b")]))
    assert summary.sentence == "4 documents will be read: 2 match the question, 2 are related to them"
    assert summary.types == "explains 2, decision_for 1, 1 relationship between matches"
    assert summary.same_as_ms3 == ""


@pytest.mark.parametrize(
    ("limits", "words"),
    [
        ({"use_relationships": False}, "Relationships are switched off."),
        ({"use_relationships": False, "preset": "literal"}, "switched off: this is plain vector search"),
        ({"relation_types": ()}, "Every relationship type is switched off"),
        ({"max_expanded": 0}, "No match is followed (a limit is 0)"),
    ],
)
def test_a_plan_in_which_relationships_change_nothing_says_why(
    make_run: Any, limits: dict[str, Any], words: str
) -> None:
    assert words in summarize(make_run(**limits)).same_as_ms3


def test_a_plan_in_which_nothing_expanded_names_the_documents_that_were_looked_at(make_run: Any) -> None:
    run = make_run()
    assert looked_at(run) == ""
    consulted = (DocumentRef(document_id="a", title="Queue"), DocumentRef(document_id="b", title="Hold"))
    asked = run.model_copy(update={"plan": run.plan.model_copy(update={"consulted": consulted})})
    assert looked_at(asked) == "Links followed from: Queue; Hold."


def test_every_limit_that_cut_something_is_named_with_n_of_m(make_run: Any) -> None:
    totals = [
        CutTotal(limit="max_expanded", value=2, kept=2, total=5),
        CutTotal(limit="max_expanding_seeds", value=1, kept=1, total=2),
    ]
    texts = [cut.text for cut in summarize(make_run(["a", "b"], ["x", "y"], EDGES, cut_totals=totals)).cuts]
    assert texts == [
        "3 of 5 related documents left out (limit: 2)",
        "1 of 2 matches followed (limit: 1)",
        "12 of 16 passages left out (limit: 3 passages per document)",
    ]


def test_a_broken_promise_is_counted(make_run: Any) -> None:
    checks = tuple(ContractCheck(name=str(i), title=str(i), passed=i != 1) for i in range(3))
    assert summarize(make_run().model_copy(update={"contract": checks})).n_passed == 2


# ---------------------------------------------------------------- evidence


def test_cards_stand_in_plan_order_and_say_how_many_chunks_are_shown(make_run: Any) -> None:
    cards = evidence_cards(make_run(["a", "b"], ["x", "y"], EDGES, chunks={"a": 2}, n_chunks=23))
    assert [card.document_id for card in cards] == ["a", "b", "x", "y"]
    assert cards[0].shown == "2 of 23 passages"
    assert cards[2].role == "expanded"
    assert cards[0].lines[1].position == "2 of 23"
    assert ("queue", True) in cards[0].lines[0].text


def test_a_document_without_chunks_says_that_it_was_eligible(make_run: Any) -> None:
    card = evidence_cards(make_run(["a", "b"], chunks={"b": 0}))[1]
    assert card.empty.startswith("In the plan, but none of its passages is read")
    assert evidence_cards(make_run(["a"], chunks={"a": 0}, n_chunks=0))[0].empty.endswith("has no passages.")


def test_the_chunk_sentence_names_the_limit_that_cut(make_run: Any) -> None:
    full = make_run(["a", "b"], chunks={"a": 5, "b": 5}, n_chunks=9)
    assert chunks_sentence(full) == "10 of 18 passages used, 8 left out (limit: 10 passages)"
    assert chunks_sentence(make_run(["a"], n_chunks=1)) == "1 of 1 passages of these documents used"


# ---------------------------------------------------------------- selection


def test_a_document_reached_by_two_edges_shows_both_reasons_with_where_they_are_stated(make_run: Any) -> None:
    edge = EDGES[2]
    stored = Relationship(
        from_document_id="b",
        relation_type="decision_for",
        to_document_id="x",
        relationship_metadata={"extractor": "front_matter", "place": "header", "text": "see x"},
    )
    found = selected_document(make_run(["a", "b"], ["x", "y"], EDGES), node_id("x"), {edge: stored})
    assert found is not None
    assert [(line.from_title, line.via) for line in found.reasons] == [
        ("Title a", "explains"),
        ("Title b", "decision_for"),
    ]
    assert (found.reasons[1].found, found.reasons[1].text) == ("stated in the header", "")
    assert found.why == "Included for 2 reasons"
    assert found.note == "Stays if either relationship is removed; drops out only without both."


def test_an_edge_says_whether_the_document_depends_on_it(make_run: Any) -> None:
    run = make_run(["a", "b"], ["x", "y"], EDGES)
    only, one_of_two = (selected_edge(run, edge_id(edge), {}) for edge in (EDGES[1], EDGES[0]))
    assert only is not None
    assert one_of_two is not None
    assert only.note.startswith("The only reason")
    assert one_of_two.note.startswith("One of 2 reasons")


def test_tables_select_the_same_things_as_the_graph(make_run: Any) -> None:
    run = make_run(["a", "b"], ["x", "y"], EDGES)
    ids = [*document_table(run).ids, *edge_table(run).ids]
    assert sorted(map(str, ids)) == sorted(selectable(run))
    assert document_table(run).index_of(node_id("x")) == 2
    assert edge_table(run).index_of(node_id("x")) is None
    assert cut_table(run).rows == ()


# ---------------------------------------------------------------- legend, obstacles, remedies


def test_the_legend_counts_edges_of_the_plan_and_shows_switched_off_types(make_run: Any) -> None:
    plan = make_run(["a", "b"], ["x", "y"], EDGES).plan
    entries = legend(
        {"explains": 9, "mentions": 99}, ("explains", "mentions"), allowed=frozenset({"explains"}), plan=plan
    )
    assert [(entry.relation_type, entry.count) for entry in entries] == [("explains", "2"), ("mentions", "off")]
    assert entries[0].dash == ()
    assert entries[1].dash != ()


def test_obstacles_speak_the_words_of_the_screen() -> None:
    off = Obstacle(kind="type_off", text="…", edges=(("a", "mentions", "x"),))
    cut = Obstacle(kind="cut_by_limit", text="…", limit="max_expanded", value=2, place=8)
    assert remedies.obstacle_words(off) == "1 type switched off: mentions"
    assert remedies.obstacle_words(cut) == "Related, but left out (limit: 2 related documents), next at position 8"
    assert remedies.obstacle_words(Obstacle(kind="no_edge", text="no relationship")) == "No relationship"


def test_a_remedy_says_what_it_changes_and_an_impossible_one_is_not_offered(make_run: Any) -> None:
    run = make_run(["a", "b"], ["x", "y"], EDGES, relation_types=("decision_for", "explains"))
    words = remedies.remedy_words(run.request, run.plan, {"max_documents": 5, "max_expanded": 3})
    assert words == "Raise the document limit to 5"
    assert (
        remedies.remedy_words(run.request, run.plan, {"relation_types": ["explains", "mentions"]}) == "Follow mentions"
    )
    assert remedies.changed(run.request, {"max_documents": 101}) is None
    assert remedies.changed(run.request, {"use_relationships": True}) is None, "it changes nothing"
    assert remedies.changed(run.request, {"max_documents": 9}).max_documents == 9  # type: ignore[union-attr]
