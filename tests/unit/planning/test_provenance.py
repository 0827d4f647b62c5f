"""Each reason of a plan says where its edge comes from and what was judged of it: a plan proves itself."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from docgraph.domain.graph import PreparedDocument, Relationship
from docgraph.domain.plan import MAX_QUOTE, Reason, parse_plan
from docgraph.domain.request import RetrievalRequest
from docgraph.planning.planner import make_plan
from docgraph.plugins.stores import memory
from tests.builders import prepared
from tests.corpora import EMBEDDER, plan_of, probe

REQUEST = RetrievalRequest(query="queue", max_documents=2, seed_signal="chunk")


def documents(**metadata: Any) -> tuple[PreparedDocument, ...]:
    """``a`` explains ``b``, with this metadata of the edge."""
    a, b = (prepared(i, [text], embedder=EMBEDDER) for i, text in (("a", "queue"), ("b", "slot")))
    edge = Relationship(
        from_document_id="a", relation_type="explains", to_document_id="b", relationship_metadata=metadata
    )
    return PreparedDocument(a.document, a.vector, a.chunks, a.chunk_vectors, (edge,)), b


def reason(*, then: tuple[str, str] | None = None, **metadata: Any) -> Reason:
    """The reason of ``b``; ``then`` = the content hashes at which somebody accepted the edge."""
    if then is not None:
        metadata["review"] = {"reviewed_by": "Ann", "content_hashes": list(then)}
    store = memory.build().create_workspace("w", EMBEDDER.info)
    store.write(documents(**metadata))
    with store.reading() as snapshot:
        plan = make_plan(REQUEST, probe("queue"), snapshot)
    assert parse_plan(plan.model_dump_json()) == plan
    [found] = plan.expanded_documents[0].reasons
    return found


def hashes() -> tuple[str, str]:
    a, b = documents()
    return a.document.content_hash, b.document.content_hash


def test_a_reason_says_who_found_the_edge_where_and_in_which_words() -> None:
    found = reason(extractor="front_matter", place="body", text="See B.")
    assert (found.extractor, found.place, found.text, found.review) == ("front_matter", "body", "See B.", "unreviewed")


def test_an_edge_about_which_nothing_is_known_was_given() -> None:
    assert reason() == Reason.model_validate({"via": "explains", "from": "a"})


def test_an_accepted_edge_is_accepted_until_one_of_the_texts_changes() -> None:
    a, b = hashes()
    assert reason(then=(a, b)).review == "accepted"
    assert reason(then=(a, "other")).review == "suspect"
    assert reason(then=("other", b)).review == "suspect"
    assert reason(then=(b, a)).review == "suspect"


def test_a_long_quote_is_cut_to_what_a_plan_may_carry() -> None:
    assert reason(text="x" * 10_000).text == "x" * MAX_QUOTE


@pytest.mark.parametrize("value", [None, 3, ["x"], {"text": "x"}, True])
def test_what_is_no_text_is_left_out(value: Any) -> None:
    assert reason(extractor=value, place=value, text=value) == reason()


@given(st.dictionaries(st.sampled_from(["extractor", "place", "text", "review", "x"]), st.text(max_size=600)))
def test_any_metadata_makes_a_plan_that_can_be_read_again(metadata: dict[str, Any]) -> None:
    assert reason(**metadata).review == "unreviewed"


def test_a_target_that_left_makes_an_accepted_edge_suspect() -> None:
    a, b = hashes()
    store = memory.build().create_workspace("w", EMBEDDER.info)
    store.write(documents(review={"reviewed_by": "Ann", "content_hashes": [a, b]}))
    store.delete_documents(["b"])
    with store.reading() as snapshot:
        [cut] = plan_of(REQUEST, snapshot).cut
    assert (cut.document_id, cut.limit, cut.reasons[0].review) == ("b", "missing_document", "suspect")
