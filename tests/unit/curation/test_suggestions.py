"""``suggestions``: which pairs are proposed, in which order, and what becomes of those that a person judged."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from docgraph.domain.graph import Document
from docgraph.domain.request import RetrievalRequest
from docgraph.domain.suggestion import Suggestion
from docgraph.orchestration.docgraph import Docgraph
from tests.unit.curation.workspaces import documents, edges, workspace

HOSTILE = "<script>alert(1)</script> [[x]] ((((\u202e (a+)+$"


def _document(document_id: str, title: str, text: str = "") -> Document:
    return Document(document_id=document_id, title=title, text=text or f"Words of {document_id}.")


def _pairs(found: tuple[Suggestion, ...]) -> list[tuple[str, str, str]]:
    return [(each.kind, each.from_document_id, each.to_document_id) for each in found]


def test_a_text_that_names_another_document_is_suggested_with_the_words() -> None:
    dg = workspace((), extractors=["title_mentions"])
    dg.ingest_files(
        [
            ("a.md", b"# Retry rules\n\nRules of letters. See the Dead letter rules for more.\n"),
            ("b.md", b"# Dead letter rules\n\nRules of letters.\n"),
        ]
    )
    found = dg.relationships.suggestions()
    assert _pairs(found.suggestions) == [("mention", "a", "b")]
    assert found.suggestions[0].evidence == "Rules of letters. See the Dead letter rules for more."
    assert found.suggestions[0].sentence == (
        "Retry rules mentions Dead letter rules, with no other relationship between them"
    )
    assert (found.n_pairs, found.n_found, found.n_questions) == (1, 1, 0)


@pytest.mark.parametrize("key", [("a", "explains", "b"), ("b", "explains", "a")])
def test_a_pair_with_a_relationship_in_either_direction_is_not_suggested(key: tuple[str, str, str]) -> None:
    dg = workspace(documents("a", "b"), [*edges(key), *edges(("a", "mentions", "b"), text="adr-2")])
    assert dg.relationships.suggestions().suggestions == ()
    dg.relationships.remove(key)
    assert _pairs(dg.relationships.suggestions().suggestions) == [("mention", "a", "b")]


def test_an_id_that_is_named_needs_no_likeness_and_a_title_of_one_word_says_nothing() -> None:
    docs = [_document("a", "Tides and winds"), _document("b", "Backlinks"), _document("adr-2", "Queue")]
    dg = workspace(
        docs,
        [
            *edges(("a", "mentions", "b"), text="Backlinks and more"),
            *edges(("a", "mentions", "adr-2"), text="as ADR-2 says"),
        ],
    )
    assert _pairs(dg.relationships.suggestions().suggestions) == [("mention", "a", "adr-2")]


def test_a_title_that_is_part_of_the_texts_own_title_says_nothing() -> None:
    docs = [_document("a", "The big room (film)"), _document("b", "The big room (novel)")]
    assert (
        workspace(docs, edges(("a", "mentions", "b"), text="The big room is …")).relationships.suggestions().suggestions
        == ()
    )


def test_documents_that_name_each_other_are_one_suggestion_before_those_named_once() -> None:
    mentions = edges(("c", "mentions", "b"), ("a", "mentions", "b"), ("b", "mentions", "c"), text="ADR-1", order=0)
    found = workspace(documents("a", "b", "c"), mentions).relationships.suggestions()
    assert _pairs(found.suggestions) == [("mention", "b", "c"), ("mention", "a", "b")]
    assert found.suggestions[0].sentence == "B and C mention each other, with no other relationship between them"


def test_the_proposed_types_are_those_between_such_documents_else_the_most_frequent() -> None:
    docs = [*documents("d0", "d1", "d2", doc_type="decision"), *documents("s0", "s1", doc_type="service")]
    stated = edges(("d0", "decides", "s0"), ("d0", "amends", "d1"), ("d1", "amends", "d2"))
    mentions = edges(("d1", "mentions", "s1"), ("s1", "mentions", "d2"), text="ADR-1")
    found = {
        s.from_document_id: s.relation_types
        for s in workspace(docs, [*stated, *mentions]).relationships.suggestions().suggestions
    }
    assert found == {"d1": ("decides",), "s1": ("amends", "decides")}


def _read_together(n: int) -> Docgraph:
    docs = [
        _document("a", "Booking queue depth", "The booking queue depth is bounded."),
        _document("b", "Booking queue depth alarm", "The booking queue depth alarm rings."),
        _document("c", "Zebra crossing", "Somewhere else entirely."),
    ]
    dg = workspace(docs)
    for i in range(n):
        dg.runs.save(RetrievalRequest(query=f"booking queue depth {'why ' * i}", seed_document_ids=("a", "b", "c")))
    return dg


def test_neighbours_in_meaning_that_two_questions_read_are_suggested_and_strangers_are_not() -> None:
    assert _read_together(1).relationships.suggestions().suggestions == ()
    found = _read_together(2).relationships.suggestions()
    assert _pairs(found.suggestions) == [("together", "a", "b")]
    assert (found.suggestions[0].n_together, found.n_questions, found.n_pairs) == (2, 2, 3)
    assert found.suggestions[0].similarity is not None
    assert found.suggestions[0].similarity >= 0.5


def test_saving_one_question_again_does_not_make_it_two() -> None:
    dg = _read_together(1)
    dg.ingest_records([_document("d", "Delta", "Booking queue depth.")])
    dg.runs.save(RetrievalRequest(query="booking queue depth ", seed_document_ids=("a", "b", "c")))
    assert dg.relationships.suggestions().n_questions == 1


def test_a_rejected_one_is_put_aside_until_a_text_changes() -> None:
    mention = edges(("a", "mentions", "b"), text="ADR-2")
    dg = workspace(documents("a", "b"), mention)
    dg.rules.dismiss(dg.relationships.suggestions().suggestions, by="Ann", reason="by chance")
    found = dg.relationships.suggestions()
    assert (found.suggestions, _pairs(found.rejected)) == ((), [("mention", "a", "b")])
    dg.ingest_records([_document("b", "B", "Another text.")])
    [again] = dg.relationships.suggestions().suggestions
    assert again.dismissal is not None
    assert (again.dismissal.by, again.suggestion_id) == ("Ann", found.rejected[0].suggestion_id)
    dg.rules.withdraw([again.suggestion_id])
    assert dg.relationships.suggestions().suggestions[0].dismissal is None


def test_accepting_makes_a_relationship_that_says_it_was_suggested() -> None:
    dg = workspace(documents("a", "b"), edges(("a", "mentions", "b"), text="ADR-2"))
    [suggestion] = dg.relationships.suggestions().suggestions
    assert suggestion.relation_types == ()
    [entry] = dg.relationships.edit([suggestion.edit("explains", flipped=True)], by="Ann", new_types=True)
    assert entry.after is not None
    assert entry.after.key == ("b", "explains", "a")
    assert entry.after.relationship_metadata["suggested"] == {
        "suggestion": suggestion.suggestion_id,
        "accepted_by": "Ann",
        "accepted_at": entry.at,
    }
    assert dg.relationships.suggestions().suggestions == ()
    dg.relationships.undo(entry.entry_id, by="Ann")
    assert dg.relationships.suggestions().suggestions == (suggestion,)


def test_hostile_titles_stay_text() -> None:
    docs = [_document("a", HOSTILE), _document("b", f"{HOSTILE} and more")]
    [found] = (
        workspace(docs, edges(("a", "mentions", "b"), text=f"{HOSTILE} ADR-2")).relationships.suggestions().suggestions
    )
    assert found.from_title in found.sentence


KEYS = st.lists(
    st.tuples(
        st.sampled_from("abcd"), st.sampled_from(("mentions", "explains")), st.sampled_from(("a", "b", "c", "gone"))
    ),
    unique=True,
)


@given(KEYS)
@settings(max_examples=40, deadline=None)
def test_no_suggestion_names_a_related_pair_or_what_is_not_stored_and_no_pair_comes_twice(
    keys: list[tuple[str, str, str]],
) -> None:
    found = workspace(documents(*"abcd"), edges(*keys, text="ADR-1")).relationships.suggestions()
    pairs = [frozenset((each.from_document_id, each.to_document_id)) for each in found.suggestions]
    related = {frozenset((start, end)) for start, via, end in keys if via == "explains"}
    mentioned = {frozenset((start, end)) for start, via, end in keys if via == "mentions" and "gone" != end != start}
    assert set(pairs) == mentioned - related
    assert len(pairs) == len(set(pairs)) == found.n_found
