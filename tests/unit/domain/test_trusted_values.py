"""What a store has kept becomes a value unchecked, and is the same value as one that was checked."""

from __future__ import annotations

import copy
import pickle
from typing import Any

import pytest
from pydantic import ValidationError

from docgraph.domain.frozen import Frozen
from docgraph.domain.graph import ChunkPlace, Relationship, StoredChunk, StoredDocument
from docgraph.domain.plan import RetrievalPlan
from docgraph.domain.request import RetrievalRequest
from docgraph.domain.type_roles import TypeDecision
from docgraph.domain.workspace import EmbedderInfo, SearchChoice, Workspace
from tests.corpora import corpus, plan_of

EMBEDDER = {"name": "e", "model": "m", "dimension": 3}
EXAMPLES: list[tuple[type[Frozen], dict[str, Any]]] = [
    (
        StoredChunk,
        {
            "document_id": "a",
            "chunk_id": "a#0",
            "chunk_index": 0,
            "text": "t",
            "heading_path": ("h",),
            "token_count": 1,
            "place": ChunkPlace(start=3, end=4, line=2),
        },
    ),
    (
        StoredDocument,
        {
            "document_id": "a",
            "title": "A",
            "summary": "s",
            "source": "f",
            "doc_type": "d",
            "ingestion_id": "i",
            "headings": ("h", "g"),
            "metadata": {"k": [1]},
            "content_hash": "c",
            "n_chunks": 1,
            "n_tokens": 2,
        },
    ),
    (
        Relationship,
        {
            "from_document_id": "a",
            "relation_type": "t",
            "to_document_id": "b",
            "relationship_metadata": {"order": 1},
        },
    ),
    (EmbedderInfo, EMBEDDER),
    (
        Workspace,
        {
            "name": "w",
            "title": "",
            "embedder": EmbedderInfo(**EMBEDDER),
            "revision": "0",
            "places": "1",
            "content_revision": "2",
            "off_relation_types": ("x",),
            "type_decisions": (TypeDecision(relation_type="y", role="reasons_only"),),
            "n_documents": 1,
            "n_relationships": 2,
            "n_chunks": 3,
            "vector_search": "quantized",
            "search_choice": SearchChoice(exact_ms=41.2, n_chunks=9, budget_ms=250),
            "made_with": "f:m:4",
        },
    ),
    (ChunkPlace, {"start": 3, "end": 4, "line": None, "page": 2}),
]
ALL = pytest.mark.parametrize(("kind", "values"), EXAMPLES, ids=[kind.__name__ for kind, _ in EXAMPLES])


@ALL
def test_a_trusted_value_is_the_checked_one(kind: type[Frozen], values: dict[str, Any]) -> None:
    trusted, checked = kind.trusted(dict(values)), kind(**values)
    assert trusted == checked
    assert trusted.model_dump_json() == checked.model_dump_json()
    assert trusted.model_fields_set == checked.model_fields_set
    assert copy.deepcopy(trusted) == pickle.loads(pickle.dumps(trusted)) == checked
    assert kind.model_validate_json(trusted.model_dump_json()) == trusted


@ALL
def test_trusted_values_of_a_kind_hold_the_names_of_their_fields_once(
    kind: type[Frozen], values: dict[str, Any]
) -> None:
    one, other = kind.trusted(dict(values)), kind.trusted(dict(values))
    assert one.model_fields_set is other.model_fields_set
    for copied in (one.model_copy(), copy.deepcopy(one), pickle.loads(pickle.dumps(one))):
        copied.model_fields_set.clear()
    assert other.model_fields_set == set(kind.model_fields)


@ALL
def test_a_trusted_value_is_frozen(kind: type[Frozen], values: dict[str, Any]) -> None:
    name, value = next(iter(values.items()))
    with pytest.raises(ValidationError, match="frozen"):
        setattr(kind.trusted(dict(values)), name, value)


@ALL
def test_a_field_less_or_another_order_is_refused(kind: type[Frozen], values: dict[str, Any]) -> None:
    """JSON tells fields in the order in which they stand: equal values must give equal text."""
    with pytest.raises(TypeError, match="in this order"):
        kind.trusted(dict(list(values.items())[1:]))
    with pytest.raises(TypeError, match="in this order"):
        kind.trusted(dict(reversed(values.items())))


def test_a_copy_of_a_trusted_value_with_other_content_leaves_it_as_it_is() -> None:
    document = StoredDocument.trusted(dict(EXAMPLES[1][1]))
    other = document.model_copy(update={"title": "B"})
    assert (document.title, other.title, other.summary) == ("A", "B", "s")


@pytest.fixture(scope="module")
def plan() -> RetrievalPlan:
    with corpus(("a", ["queue"], [("explains", "b")]), ("b", ["slot"], [])).reading() as snapshot:
        return plan_of(RetrievalRequest(query="queue", max_documents=2), snapshot)


def test_a_plan_knows_its_id_and_a_changed_copy_works_out_its_own(plan: RetrievalPlan) -> None:
    assert plan.content_id() == plan.plan_id == RetrievalPlan.model_validate(plan.model_dump()).plan_id
    changed = plan.model_copy(update={"query": "another"})
    assert changed.content_id() != plan.plan_id
    assert plan.model_copy().content_id() == plan.plan_id
    assert changed.model_copy(update={"query": plan.query}).content_id() == plan.plan_id


def test_what_a_plan_knows_of_itself_is_no_part_of_it(plan: RetrievalPlan) -> None:
    fresh = RetrievalPlan.model_construct(**dict(plan))
    before = fresh.model_dump_json()
    assert fresh.content_id() == plan.plan_id
    assert fresh.model_dump_json() == before == plan.model_dump_json()
    assert fresh == plan
    assert set(json_names(plan)) == set(RetrievalPlan.model_json_schema()["properties"])


def json_names(plan: RetrievalPlan) -> list[str]:
    return list(plan.model_dump(mode="json"))


def test_a_plan_that_breaks_its_limits_cannot_be_sealed(plan: RetrievalPlan) -> None:
    content = {name: value for name, value in plan if name != "plan_id"}
    with pytest.raises(ValidationError, match="twice"):
        RetrievalPlan.sealed(**{**content, "seed_documents": plan.seed_documents * 2})
