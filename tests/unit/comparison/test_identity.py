"""Why nothing differs, sentence by sentence, over real runs."""

from __future__ import annotations

from typing import Any

import pytest

from docgraph.domain.request import RetrievalRequest
from tests.corpora import Corpus, corpus
from tests.unit.comparison.side_runs import compared, opened

APART = corpus(("a", ["queue retry"], []), ("b", ["alarm slot"], []), ("c", ["budget route"], []))
RELATED = corpus(("a", ["queue retry"], [("explains", "b")]), ("b", ["alarm slot"], []), ("c", ["budget"], []))
DANGLING = corpus(("a", ["queue retry"], [("explains", "gone")]), ("b", ["alarm slot"], []))
EMPTY = Corpus(())
REQUEST = RetrievalRequest(query="queue", max_documents=3, max_expanded=1, seed_signal="mean")


def why(of: Corpus, a: dict[str, Any], b: dict[str, Any]) -> str:
    with opened(of) as dg:
        found = compared(dg, REQUEST.model_copy(update=a), REQUEST.model_copy(update=b))
    assert found.identical, found.sentence
    return found.why_identical


OFF = {"use_relationships": False}


@pytest.mark.parametrize(
    ("of", "a", "b", "sentence"),
    [
        (EMPTY, OFF, {}, "Both are empty: neither run found a document."),
        (
            APART,
            {},
            {},
            "Both runs made the same plan on the same data, so they read the same passages with the same scores.",
        ),
        (
            APART,
            {},
            {"token_budget": 3_000},
            "The requests differ in token_budget, but that does not change what is read.",
        ),
        (
            APART,
            OFF,
            {},
            "The top 2 matches link to no other document, so the result is the same as without relationships.",
        ),
        (
            DANGLING,
            OFF,
            {"max_expanding_seeds": 1},
            "The top match links to no other document, so the result is the same as without relationships.",
        ),
        (
            RELATED,
            OFF,
            {"relation_types": ()},
            "The top 2 matches link to no other document through the relationship types in use, "
            "so the result is the same as without relationships.",
        ),
        (
            RELATED,
            OFF,
            {"max_expanding_seeds": 0},
            "The limits follow no match, so the result is the same as without relationships.",
        ),
        (
            RELATED,
            OFF,
            {"max_expanded": 0},
            "The limits allow no related document, so the result is the same as without relationships.",
        ),
        (
            RELATED,
            OFF | {"max_expanded": None, "max_seeds": 3},
            {"max_expanded": None, "max_seeds": 3},
            "The limits allow no related document, so the result is the same as without relationships.",
        ),
        (
            APART,
            {"preset": "literal", "max_expanded": None, "seed_signal": "chunk", "evidence_rule": "similarity"}
            | {"max_fan_out": 100, "find_names": False, "max_linked_percent": 100, "max_documents": None}
            | OFF,
            {"seed_signal": "chunk", "evidence_rule": "similarity"},
            "The top 2 matches link to no other document, so the result is the same as plain vector search.",
        ),
        (
            APART,
            OFF | {"seed_signal": "chunk"},
            {"seed_signal": "chunk"},
            "The top 2 matches link to no other document, so the result is the same as without relationships.",
        ),
        (
            APART,
            OFF,
            OFF | {"max_fan_out": 1, "mode": "fast"},
            "The requests differ in mode and max_fan_out, but that does not change what is read.",
        ),
        (
            APART,
            OFF,
            OFF | {"max_fan_out": 1, "mode": "fast", "max_expanded": 2, "max_expanding_seeds": 1},
            "The requests differ in mode, max_expanded and 2 other fields, but that does not change what is read.",
        ),
        (
            APART,
            {"query": "queue"},
            {"query": "queue queue"},
            "The questions differ, but both read the same passages in the same order.",
        ),
    ],
)
def test_an_identical_comparison_says_why(of: Corpus, a: dict[str, Any], b: dict[str, Any], sentence: str) -> None:
    assert why(of, a, b) == sentence


def test_data_that_changed_elsewhere_are_named() -> None:
    more = Corpus((*APART.documents, *corpus(("z", ["gateway"], [])).documents))
    request = REQUEST.model_copy(update={"max_chunks": 1, "use_relationships": False})
    with opened(APART) as before, opened(more) as after:
        found = before.runs.compare(
            before.runs.baseline(before.run(request), "ms3"), before.runs.baseline(before.run(request), "ms3")
        )
        side_a, side_b = found.a, after.runs.baseline(after.run(request), "ms3")
        found = before.runs.compare(side_a, side_b)
    assert found.identical
    assert found.why_identical == "The data changed between the two runs, but nothing of what these runs read."
    assert found.labels == ("different revisions: the data changed between the two runs",)


def test_another_role_in_the_same_place_is_a_difference() -> None:
    """The chunks are the same, but one document is in for another reason: that must not read as no difference."""
    b = REQUEST.model_copy(update={"max_documents": 2, "max_chunks": 2, "seed_document_ids": ("a",)})
    a = b.model_copy(update={"use_relationships": False, "seed_document_ids": ("a", "b")})
    with opened(RELATED) as dg:
        found = compared(dg, a, b)
    assert found.b.run.plan.expanded_document_ids == ("b",)
    assert {row.change for row in (*found.documents, *found.chunks)} == {"kept"}
    assert not found.identical
    assert found.sentence == (
        "Compared with the run without relationships, the run with relationships adds no document; "
        "1 document is reached "
        "through a relationship now. Passages: 2 in both."
    )
