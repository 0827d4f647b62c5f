"""What changed since a run was saved, in words: counted whole, listed in bounds, those of the run first."""

from __future__ import annotations

import pytest

from docgraph.domain.saved_run import CorpusChanges, DocumentEdit, RelationshipEdit
from docgraph.views.words.staleness import MAX_LISTED, staleness

INSIDE = DocumentEdit(document_id="b", title="Bounded queue", change="renamed", title_before="Queue", in_run=True)
OUTSIDE = DocumentEdit(document_id="a", title="", change="removed")
EDGE = RelationshipEdit(key=("b", "explains", "c"), change="added", in_run=True, from_title="B")


def changed(**parts: object) -> CorpusChanges:
    return CorpusChanges.model_validate({"revision_before": "aaaaaaaa", "revision_now": "bbbbbbbb", **parts})


def test_equal_revisions_are_unchanged_data() -> None:
    said = staleness(changed(revision_now="aaaaaaaa"))
    assert (said.state, said.sentence, said.rows) == ("fresh", "Data unchanged since", ())


def test_the_sentence_counts_everything_and_what_of_it_touches_the_run() -> None:
    said = staleness(changed(documents=(INSIDE, OUTSIDE), relationships=(EDGE,)))
    assert said.sentence == "data changed since this run: 2 documents, 1 relationship (2 in this run)"


def test_the_rows_of_the_run_come_first_and_say_what_happened() -> None:
    said = staleness(changed(documents=(INSIDE, OUTSIDE), relationships=(EDGE,), types_switched=("mentions",)))
    assert [(row.name, row.what) for row in said.rows] == [
        ("Bounded queue", "has another title, before: ‘Queue’"),
        ("B —explains→ c", "was added"),
        ("a", "was deleted"),
        ("mentions", "was switched on or off for all plans"),
    ]
    assert "1 relationship type switched" in said.sentence


def test_a_long_list_is_cut_and_says_n_of_m() -> None:
    many = tuple(DocumentEdit(document_id=f"d{n:03}", title="", change="added") for n in range(MAX_LISTED + 7))
    said = staleness(changed(documents=many))
    assert len(said.rows) == MAX_LISTED
    assert said.counted == f"{MAX_LISTED} of {MAX_LISTED + 7}"


@pytest.mark.parametrize(
    ("changes", "state", "said"),
    [
        (changed(revision_now="", known=False), "dropped", "the workspace of this run was deleted"),
        (changed(known=False), "stale", "revision bbbbbb today"),
        (changed(), "stale", "nothing that plans use"),
    ],
)
def test_what_cannot_be_listed_is_said(changes: CorpusChanges, state: str, said: str) -> None:
    words = staleness(changes)
    assert words.state == state
    assert said in words.sentence
    assert words.rows == ()


def test_an_incomplete_comparison_says_so() -> None:
    assert "only what touches this run" in staleness(changed(complete=False, documents=(INSIDE,))).remark


def test_where_no_list_is_known_or_whole_the_content_revision_says_whether_documents_changed() -> None:
    """Where everything is listed, the list says it."""
    said = [staleness(changed(known=False, same_documents=same)).sentence for same in (True, False)]
    assert said == [
        "data changed since this run, documents did not: revision bbbbbb today",
        "data changed since this run: revision bbbbbb today",
    ]
    remarks = [staleness(changed(complete=False, same_documents=same, relationships=(EDGE,))) for same in (True, False)]
    assert [said.remark.endswith("compared. No document changed.") for said in remarks] == [True, False]
    assert staleness(changed(same_documents=True, relationships=(EDGE,))).remark == ""
