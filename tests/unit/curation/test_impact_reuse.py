"""What impact knows from saved plans is what it would find anew, byte for byte, whatever happened to the data since."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from docgraph.curation import impact as judged
from docgraph.curation.impact import decides_the_same
from docgraph.domain.edit import Edit
from docgraph.domain.graph import PreparedDocument
from docgraph.domain.request import RetrievalRequest
from docgraph.domain.saved_run import KnownPlan, SavedRun
from docgraph.domain.workspace import Workspace
from docgraph.errors import UserError
from docgraph.orchestration.docgraph import Docgraph
from docgraph.plugins.stores.memory.reading import MemorySnapshot
from tests.builders import prepared
from tests.corpora import EMBEDDER, TYPES, Corpus, any_requests, corpora, corpus
from tests.unit.curation.test_impact_truth import workspace

IDS = [f"d{i}" for i in range(10)]
_ends = st.sampled_from([*IDS, "gone-1"])
_keys = st.tuples(st.sampled_from(IDS), st.sampled_from(TYPES), _ends)
Drawn = tuple[str, int, tuple[str, str, str], str, str]
EDITS: st.SearchStrategy[list[Drawn]] = st.lists(
    st.tuples(
        st.sampled_from(("add", "remove", "retype", "flip", "retarget")),
        st.integers(0, 24),
        _keys,
        _ends,
        st.sampled_from(TYPES),
    ),
    min_size=1,
    max_size=2,
)
_documents = st.builds(
    lambda i, text, kind: prepared(i, [text], doc_type=kind, embedder=EMBEDDER),
    st.sampled_from(IDS),
    st.sampled_from(("queue hold", "retry sailing route", "budget")),
    st.sampled_from(("decision", "design")),
)
STEPS = st.one_of(
    st.tuples(st.just("edit"), EDITS),
    st.tuples(st.just("edit"), EDITS),
    st.tuples(st.just("off"), st.lists(st.sampled_from(TYPES), max_size=2)),
    st.tuples(st.just("write"), _documents),
    st.tuples(st.just("delete"), st.sampled_from(IDS)),
    st.tuples(st.just("vectors"), st.sampled_from(IDS)),
    st.tuples(st.just("search"), st.sampled_from(("exact", "quantized"))),
    st.tuples(st.just("import"), st.sampled_from(IDS)),
)
HUB = corpus(
    *((f"d{i:02}", [f"queue {word}"], [("explains", "hub")] if i else []) for i, word in enumerate("abcdefghijklmno")),
    ("hub", ["queue gateway"], []),
)


def possible(dg: Docgraph, drawn: Sequence[Drawn]) -> list[Edit]:
    """The edits; each but *add* is of a relationship that is there."""
    there = [edge.key for edge in dg.relationships.list()]
    return [
        Edit.model_validate(
            {
                "action": action,
                "key": key if action == "add" or not there else there[place % len(there)],
                "to_document_id": to,
                "relation_type": via,
            }
        )
        for action, place, key, to, via in drawn
    ]


def happen(dg: Docgraph, what: str, value: Any) -> None:
    """One change of the data; one that is refused is none."""
    store = dg.session.store()
    try:
        if what == "edit":
            dg.relationships.edit(possible(dg, value), by="Ann", new_types=True)
        elif what == "off":
            store.set_off_relation_types(value)
        elif what == "write":
            store.write([value])
        elif what == "delete":
            store.delete_documents([value])
        elif what == "search":
            store.set_vector_search(value)
        elif dg.documents.by_id([value]):
            store.write([_otherwise(dg, what, value)])
    except UserError:
        pass


def _otherwise(dg: Docgraph, what: str, document_id: str) -> PreparedDocument:
    """The stored document with other vectors of its own, or from another import; its relationships stay."""
    store = dg.session.adapters.database.open_workspace(dg.workspace_name)
    there: PreparedDocument = store.content.documents[document_id]  # type: ignore[attr-defined]
    anew = replace(there, hashes=replace(there.hashes, stated=f"{what} {there.hashes.stated}"[:60]))
    if what == "import":
        return replace(anew, document=there.document.model_copy(update={"ingestion_id": "notes"}))
    return replace(anew, vector=np.roll(there.vector, 1), chunk_vectors=np.roll(there.chunk_vectors, 1, axis=1))


@contextmanager
def nothing_known() -> Iterator[None]:
    """No saved plan is one of today's documents, as if all of them had been written anew."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(judged, "is_of_today", lambda saved, workspace: False)
        yield


@pytest.mark.slow
@settings(max_examples=150, deadline=None)
@given(corpora(), st.lists(any_requests(), min_size=1, max_size=4), st.lists(STEPS, max_size=5), EDITS)
def test_impact_with_what_saved_plans_say_equals_impact_anew(
    world: Corpus, asked: Sequence[RetrievalRequest], steps: Sequence[Any], drawn: list[Drawn]
) -> None:
    with workspace(world) as dg:
        for i, request in enumerate(asked):
            for step in steps[i : i + 1]:
                happen(dg, *step)
            try:
                dg.runs.save(request)
            except UserError:
                continue  # nothing is stored any more
        for step in steps[len(asked) :]:
            happen(dg, *step)
        edits = possible(dg, drawn)
        try:
            found = dg.relationships.effects([edits, edits[:1]])
        except UserError:
            return  # an edit that cannot be made
        with nothing_known():
            assert [e.model_dump_json() for e in dg.relationships.effects([edits, edits[:1]])] == [
                e.model_dump_json() for e in found
            ]


def known_of(saved: SavedRun) -> KnownPlan:
    return KnownPlan(saved.run.plan, saved.content_revision)


def counted(dg: Docgraph, edits: list[Edit]) -> tuple[int, int]:
    """How often is ranked for the impact, and how many plans it changes."""
    ranking, n = MemorySnapshot.rank_documents, 0

    def rank_documents(*given: Any, **options: Any) -> Any:
        nonlocal n
        n += 1
        return ranking(*given, **options)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(MemorySnapshot, "rank_documents", rank_documents)
        report = dg.relationships.impact(edits)
    return n, report.n_changed_plans


@pytest.fixture
def dg() -> Iterator[Docgraph]:
    """Four saved questions, each of which consults what links to a much linked document."""
    with workspace(HUB) as docgraph:
        for i in range(4):
            docgraph.runs.save(RetrievalRequest(query=f"queue {'bcde'[i]}", max_linked_percent=90))
        yield docgraph


REMOVE = [Edit(action="remove", key=("d14", "explains", "hub"))]


def test_after_an_edit_of_relationships_no_saved_question_is_ranked_again(dg: Docgraph) -> None:
    """As little as before it, and whether the edit is asked about, undone, or a type is not used."""
    changed = counted(dg, [Edit(action="remove", key=("d01", "explains", "hub"))])
    assert (changed[0], changed[1] > 0) == (0, True)
    entries = dg.relationships.edit([Edit(action="remove", key=("d13", "explains", "hub"))], by="Ann")
    assert counted(dg, [Edit(action="remove", key=("d01", "explains", "hub"))]) == changed
    dg.relationships.undo(entries[0].entry_id, by="Ann")
    dg.relationships.set_off_types(["mentions"])
    assert counted(dg, [Edit(action="remove", key=("d01", "explains", "hub"))]) == changed


def test_what_makes_a_much_linked_document_boilerplate_is_seen_after_an_edit(dg: Docgraph) -> None:
    """By who links to it: nobody's own relationships change."""
    assert counted(dg, REMOVE) == (0, 0)
    few = RetrievalRequest(query="queue b", max_linked_percent=87)
    dg.runs.save(few)
    assert any(cut.limit == "max_linked_percent" for cut in dg.plan(few).cut)
    dg.relationships.edit([Edit(action="add", key=("d00", "explains", "d01"))], by="Ann")
    assert counted(dg, REMOVE)[1] == 1


def test_after_a_document_came_every_saved_question_is_ranked_anew(dg: Docgraph) -> None:
    n_before = counted(dg, REMOVE)[0]
    dg.session.store().write([prepared("new", ["queue"], embedder=EMBEDDER)])
    assert (n_before, counted(dg, REMOVE)[0] >= 4) == (0, True)


def test_a_run_is_kept_with_the_content_that_its_plan_is_made_on(dg: Docgraph) -> None:
    """Not one of another vector, of data that are others by now, or of vectors that were given anew since."""
    request = RetrievalRequest(query="queue f")
    here = dg.workspace.content_revision
    made = dg.run(request)
    assert dg.runs.save(made, name="today's").content_revision == here
    assert [row.content_revision for row in dg.runs.list(limit=1)] == [here]
    other = dg.run(request, query_vector=EMBEDDER.embed(["gateway"])[0])
    assert dg.runs.save(other).content_revision == ""
    happen(dg, "vectors", "d05")
    assert dg.workspace.revision == made.plan.corpus_revision
    assert dg.runs.save(dg.run(RetrievalRequest(query="queue g"))).content_revision == dg.workspace.content_revision
    assert dg.runs.save(made).content_revision == here  # what was known of it stays
    dg.relationships.set_off_types(["mentions"])
    assert dg.runs.save(dg.run(request)).content_revision == dg.workspace.content_revision


def test_a_store_that_tells_one_revision_is_asked_anew_after_any_change(dg: Docgraph) -> None:
    """As before there were two."""
    one = Workspace(name="test", embedder=EMBEDDER.info, revision="1")
    known = KnownPlan(dg.runs.get(dg.runs.list(limit=1)[0].run_id).run.plan)
    for revision, is_of_today in (("1", False), (known.plan.corpus_revision, True)):
        there = one.model_copy(update={"revision": revision})
        assert judged.is_of_today(known, there) is is_of_today


def test_a_plan_by_another_vector_search_is_none_of_today(dg: Docgraph) -> None:
    """Which no revision covers; a ranking by summaries compares no chunks."""
    summaries = dg.runs.save(RetrievalRequest(query="queue b", seed_signal="summary"))
    chunks = dg.runs.save(RetrievalRequest(query="queue b", seed_signal="mean"))
    dg.session.store().set_vector_search("quantized")
    assert [judged.is_of_today(known_of(saved), dg.workspace) for saved in (summaries, chunks)] == [True, False]


def test_the_label_of_a_scope_decides_nothing(dg: Docgraph) -> None:
    """It may go by an import, which no revision covers."""
    request = RetrievalRequest(query="queue b", scope_field="ingestion_id")
    before = dg.plan(request)
    for i in range(15):
        happen(dg, "import", f"d{i:02}")
    after = dg.plan(request)
    assert (before.scope.value != after.scope.value, decides_the_same(before, after)) == (True, True)
