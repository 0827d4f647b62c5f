"""Laws of the overlay: it answers everything as a store does in which the edits were really made."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from docgraph.curation.impact import decides_the_same, decisions
from docgraph.curation.overlay import EditedSnapshot
from docgraph.domain.edit import Edit
from docgraph.domain.naming import name_keys
from docgraph.domain.overrides import EdgeKey
from docgraph.domain.plan import RetrievalPlan
from docgraph.domain.request import RetrievalRequest
from docgraph.errors import ConflictError, NotFoundError, UserError
from docgraph.plugins.stores import memory
from docgraph.ports import Snapshot
from tests.corpora import EMBEDDER, context_of, corpus, plan_of, probe, requests, texts
from tests.unit.curation.edited_worlds import NEW_TYPES, World, edited_corpora

laws = settings(max_examples=40, deadline=None)
SMALL = corpus(
    ("a", ["queue slot"], [("explains", "b"), ("implements", "c")]), ("b", ["slot"], []), ("c", ["alarm"], [])
)


def decided(plan: RetrievalPlan) -> dict[str, Any]:
    """All of a plan but the names of the two states and what is known of an edge beside that it is there."""
    return decisions(plan).model_dump(exclude={"plan_id", "corpus_revision"})


def keys_of(edges: Any) -> list[EdgeKey]:
    return [edge.key for edge in edges]


@laws
@given(edited_corpora(), st.data())
def test_relationships_are_read_as_if_the_edits_were_saved(world: World, data: st.DataObject) -> None:
    before, edits, after = world
    ids = st.sampled_from([*(d.document.document_id for d in before.documents), "gone-1", "gone-3"])
    asked = data.draw(st.lists(ids, max_size=6))
    types = data.draw(st.none() | st.lists(st.sampled_from(NEW_TYPES), max_size=3))
    limit = data.draw(st.integers(0, 4) | st.just(200))
    with before.reading() as below, after.reading() as really:
        seen = EditedSnapshot(below, edits)
        for name in ("outgoing", "incoming"):
            answers = [getattr(s, name)(asked, relation_types=types, limit=limit) for s in (seen, really)]
            assert keys_of(answers[0]) == keys_of(answers[1]), name
        assert seen.count_outgoing(asked, relation_types=types) == really.count_outgoing(asked, relation_types=types)
        assert seen.count_linking(asked, relation_types=types) == really.count_linking(asked, relation_types=types)
        assert list(seen.relation_types().items()) == list(really.relation_types().items())
        assert seen.followed_types() == really.followed_types()
        chosen = {
            "document_id": data.draw(st.none() | ids),
            "relation_type": data.draw(st.none() | st.sampled_from(NEW_TYPES)),
            "dangling": data.draw(st.none() | st.booleans()),
        }
        assert keys_of(seen.relationships(**chosen)) == keys_of(really.relationships(**chosen))


@laws
@given(edited_corpora(), texts())
def test_everything_else_is_read_as_it_is(world: World, query: str) -> None:
    before, edits, after = world
    request = RetrievalRequest(query=query)
    with before.reading() as below, after.reading() as really:
        seen = EditedSnapshot(below, edits)
        assert isinstance(seen, Snapshot)
        state = {"revision": below.workspace.revision, "places": below.workspace.places}
        assert seen.workspace == really.workspace.model_copy(update=state)
        vector = probe(query).vector
        ids = [d.document_id for d in really.documents()]
        assert [d.document_id for d in seen.documents(text="d", doc_type=None)] == ids
        assert seen.documents_by_id(ids) == really.documents_by_id(ids)
        keys = [key for d in really.documents() for key in name_keys(d.document_id, d.title, d.metadata)]
        assert seen.documents_named(keys) == really.documents_named(keys) != {}
        assert [seen.chunks(i) for i in ids] == [really.chunks(i) for i in ids]
        assert seen.nearest_chunks(vector, limit=5) == really.nearest_chunks(vector, limit=5)
        assert seen.nearest_chunks_of(ids, vector, per_document=2) == really.nearest_chunks_of(
            ids, vector, per_document=2
        )
        assert seen.documents_of_nearest_chunks(vector, limit=5) == really.documents_of_nearest_chunks(vector, limit=5)
        assert plan_of(request, seen).scope == plan_of(request, really).scope
        assert seen.statements() == ()


@laws
@given(edited_corpora(), requests())
def test_a_plan_on_the_overlay_is_the_plan_after_the_edits(world: World, request: RetrievalRequest) -> None:
    before, edits, after = world
    with before.reading() as below, after.reading() as really:
        foreseen, true = plan_of(request, EditedSnapshot(below, edits)), plan_of(request, really)
        assert decided(foreseen) == decided(true)
        assert context_of(foreseen, below).documents == context_of(true, really).documents


@settings(max_examples=100, deadline=None)
@given(edited_corpora(), requests(), st.sets(st.sampled_from(NEW_TYPES), max_size=2))
@pytest.mark.slow
def test_edits_that_touch_no_consulted_seed_change_no_plan(
    world: World, request: RetrievalRequest, off: set[str]
) -> None:
    before, edits, _ = world
    store = memory.build().create_workspace("laws", EMBEDDER.info)
    store.write(before.documents)
    store.set_off_relation_types(sorted(off))
    with store.reading() as below:
        seen, plan = EditedSnapshot(below, edits), plan_of(request, below)
        if seen.changed_sources.isdisjoint(ref.document_id for ref in plan.consulted):
            assert decides_the_same(plan, plan_of(request, seen))


def test_what_an_edit_says_about_a_relationship_that_stays_touches_no_plan() -> None:
    accept = Edit(action="accept", key=("a", "explains", "b"))
    with SMALL.reading() as below:
        seen = EditedSnapshot(below, [accept], by="Ada", at="2026-01-01T00:00:00+00:00")
        assert seen.changed_sources == frozenset()
        (edge,) = seen.outgoing(["a"], relation_types=None, limit=1)
    assert edge.relationship_metadata["review"]["reviewed_by"] == "Ada"


@pytest.mark.parametrize(
    ("edit", "error", "words"),
    [
        (Edit(action="remove", key=("a", "explains", "c")), NotFoundError, "there is no relationship"),
        (Edit(action="add", key=("a", "explains", "b")), ConflictError, "already"),
        (Edit(action="add", key=("x", "explains", "b")), NotFoundError, "'x'"),
        (Edit(action="retarget", key=("a", "explains", "b"), to_document_id="b"), UserError, "does not change"),
    ],
)
def test_an_edit_that_cannot_be_saved_cannot_be_foreseen(edit: Edit, error: type[Exception], words: str) -> None:
    with SMALL.reading() as below, pytest.raises(error, match=words):
        EditedSnapshot(below, [edit])


def test_many_removals_at_one_document_leave_the_limit_filled() -> None:
    hub = corpus(("hub", ["queue"], [("explains", f"t{n:02}") for n in range(30)]), ("other", ["slot"], []))
    removals = [Edit(action="remove", key=("hub", "explains", f"t{n:02}")) for n in range(20)]
    with hub.reading() as below:
        read = EditedSnapshot(below, removals).outgoing(["hub"], relation_types=None, limit=5)
    assert [edge.to_document_id for edge in read] == ["t20", "t21", "t22", "t23", "t24"]
