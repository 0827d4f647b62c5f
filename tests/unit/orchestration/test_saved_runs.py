"""Saved runs over the reference store: frozen whatever becomes of their documents, and honest about what changed."""

from __future__ import annotations

import itertools
import json
from collections.abc import Callable, Iterator

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from docgraph.comparison.staleness import changes
from docgraph.domain.frozen import fingerprint
from docgraph.domain.graph import Document, Relationship
from docgraph.domain.overrides import Overrides
from docgraph.domain.request import RetrievalRequest
from docgraph.domain.run import Run
from docgraph.domain.saved_run import RUN_ID_LENGTH, SavedRun, content_hash
from docgraph.errors import ComparisonError, NotFoundError, UserError
from docgraph.orchestration.docgraph import Docgraph
from docgraph.orchestration.saved_runs import corpus_state
from docgraph.orchestration.session import Adapters
from docgraph.plugins.stores import memory
from docgraph.testing.builders import FirstWords, HashingEmbedder, WordTokenizer
from tests.contract.stores.example_runs import example_run

TEXTS = {"a": "The queue is bounded.", "b": "A slot holds a payment.", "c": "The alarm rings.", "d": "Unrelated."}
REQUEST = RetrievalRequest(query="queue bounded", max_documents=2, max_expanding_seeds=1, seed_signal="mean")


def adapters(database: memory.MemoryDatabase, dimension: int = 64) -> Adapters:
    ticks, days = itertools.count(), itertools.count(1)
    return Adapters(
        database=database,
        embedder=HashingEmbedder(dimension),
        tokenizer=WordTokenizer(),
        summarizer=FirstWords(),
        loaders=(),
        extractors=(),
        clock=lambda: float(next(ticks)),
        now=lambda: f"2026-01-{next(days):02}T00:00:00Z",
    )


def document(document_id: str, text: str = "", title: str = "") -> Document:
    return Document(document_id=document_id, title=title or document_id.upper(), text=text or TEXTS[document_id])


def edge(start: str, end: str, kind: str = "explains") -> Relationship:
    return Relationship(from_document_id=start, relation_type=kind, to_document_id=end)


@pytest.fixture
def dg() -> Iterator[Docgraph]:
    with Docgraph(adapters(memory.build()), "test") as docgraph:
        docgraph.ingest_records([document(i) for i in TEXTS], [edge("a", "b"), edge("c", "d")])
        yield docgraph


@pytest.fixture
def saved(dg: Docgraph) -> SavedRun:
    return dg.runs.save(REQUEST, name="First", note="why", by="me")


# ---------------------------------------------------------------- keeping


def test_a_saved_run_carries_its_baselines_and_the_beginning_of_its_hash_as_id(dg: Docgraph, saved: SavedRun) -> None:
    assert saved.run_id == content_hash(saved.run)[:RUN_ID_LENGTH]
    assert dg.runs.get(saved.run_id[:4]) == saved
    assert sorted(saved.baselines) == ["ms3", "plain"]
    assert not any(run.request.use_relationships for run in saved.baselines.values())
    assert (saved.name, saved.note, saved.saved_by) == ("First", "why", "me")
    assert saved.saved_at == "2026-01-02T00:00:00Z", "the day after the import"


def test_its_baselines_stay_those_of_the_data_it_saw(dg: Docgraph, saved: SavedRun) -> None:
    """MS3 is the same request with relationships off, plain vector search another one; neither is run again."""
    assert saved.baselines["ms3"].request == REQUEST.model_copy(update={"use_relationships": False})
    assert saved.baselines["plain"].request.preset == "literal"
    before = {name: dg.compare(saved, name) for name in ("ms3", "plain")}
    dg.ingest_records([document("a", "Queue bounded, and another text."), document("e", "A bounded queue.")])
    for name, found in before.items():
        again = dg.compare(dg.runs.get(saved.run_id), name)
        assert again.a.run.context == saved.baselines[name].context
        assert again.documents == found.documents
    assert before["plain"].a.label == "Plain vector search"


def test_the_same_question_on_the_same_data_is_the_same_saved_run(dg: Docgraph, saved: SavedRun) -> None:
    """The clock of the second run differs; a new name is taken, none takes nothing away."""
    assert dg.runs.save(REQUEST) == saved
    assert dg.runs.save(dg.run(REQUEST), name="Second").name == "Second"
    assert [(s.run_id, s.name, s.saved_at) for s in dg.runs.list()] == [(saved.run_id, "Second", saved.saved_at)]


def test_a_run_saved_without_a_name_is_called_by_its_question(dg: Docgraph) -> None:
    assert dg.runs.save(REQUEST).name == "queue bounded"


def test_names_are_one_line_and_a_note_that_is_too_long_is_refused(dg: Docgraph, saved: SavedRun) -> None:
    assert dg.runs.describe(saved.run_id, name=" two\n\x00lines ", note="no\x00te\ud800").name == "two lines"
    assert dg.runs.get(saved.run_id).note == "note\ufffd"
    with pytest.raises(UserError, match="4,001 characters"):
        dg.runs.describe(saved.run_id, note="x" * 4_001)


def test_runs_of_other_workspaces_are_listed_on_request_only(dg: Docgraph, saved: SavedRun) -> None:
    other = dg.use_workspace("other")
    assert other.runs.list() == ()
    assert [s.run_id for s in other.runs.list(everywhere=True)] == [saved.run_id]
    assert other.runs.get(saved.run_id) == saved


def test_a_run_of_another_workspace_is_saved_with_the_baselines_of_its_own(dg: Docgraph) -> None:
    run = dg.run(REQUEST)
    saved = dg.use_workspace("other").runs.save(run)
    assert {each.plan.workspace for each in saved.baselines.values()} == {"test"}
    assert dg.runs.changes_since(saved).known


def test_a_run_on_data_that_moved_on_is_saved_without_baselines_and_state(dg: Docgraph) -> None:
    """Baselines made today would be of other data; a seed of the run may be gone."""
    run = dg.run(REQUEST.model_copy(update={"overrides": Overrides(added_seed_ids=("d",))}))
    dg.documents.delete(["d"])
    saved = dg.runs.save(run)
    assert saved.baselines == {}
    assert dg.runs.get(saved.run_id).run == run
    now = dg.runs.changes_since(saved)
    assert (now.stale, now.known, now.documents) == (True, False, ())
    dg.drop_workspace("test")
    assert dg.runs.save(run, name="after the drop").name == "after the drop"


def test_deleting_is_undone_unless_it_is_forever(dg: Docgraph, saved: SavedRun) -> None:
    assert dg.runs.delete(saved.run_id).deleted_at
    assert (dg.runs.list(), len(dg.runs.list(deleted=True))) == ((), 1)
    dg.runs.restore(saved.run_id)
    assert dg.runs.get(saved.run_id) == saved
    dg.runs.delete(saved.run_id, forever=True)
    with pytest.raises(NotFoundError, match=saved.run_id):
        dg.runs.restore(saved.run_id)


def test_a_review_keeps_every_line_and_approval_can_be_withdrawn(dg: Docgraph, saved: SavedRun) -> None:
    dg.runs.review(saved.run_id, "item", by="me", item="seeds", checked=True, text="fine")
    dg.runs.review(saved.run_id, "approved", by="you\n")
    assert dg.runs.list()[0].approved_by == "you"
    dg.runs.review(saved.run_id, "withdrawn", by="me")
    assert dg.runs.list()[0].approved_by == ""
    lines = dg.runs.reviews(saved.run_id)
    assert [line.kind for line in lines] == ["item", "approved", "withdrawn"]
    assert [line.at for line in lines] == sorted(line.at for line in lines)


@settings(max_examples=60, deadline=None)
@given(score=st.floats(allow_nan=False, allow_infinity=False), text=st.text(max_size=40))
def test_the_stored_text_of_a_run_has_the_hash_of_the_run(score: float, text: str) -> None:
    """So that it can be checked without being understood: a later docgraph may know more fields."""
    run = example_run(text=text)
    document = run.context.documents[0]
    chunks = tuple(chunk.model_copy(update={"score": score}) for chunk in document.chunks)
    changed = run.context.model_copy(update={"documents": (document.model_copy(update={"chunks": chunks}),)})
    run = run.model_copy(update={"context": changed})
    stored = run.model_dump_json()
    content = json.loads(stored)
    del content["trace"]
    assert fingerprint(content) == content_hash(run) == content_hash(Run.model_validate_json(stored))


# ---------------------------------------------------------------- staleness


def test_data_that_did_not_change_are_said_to_be_unchanged(dg: Docgraph, saved: SavedRun) -> None:
    found = dg.runs.changes_since(saved)
    assert (found.stale, found.known, found.documents, found.relationships) == (False, True, (), ())


def test_it_is_known_whether_documents_changed_even_where_nothing_is_listed(dg: Docgraph, saved: SavedRun) -> None:
    """By the content revision; of a run that has none it is not known."""
    dg.relationships.set_off_types(["mentions"])
    older = saved.model_copy(update={"content_revision": ""})
    assert [dg.runs.changes_since(each).same_documents for each in (saved, older)] == [True, False]
    dg.documents.delete(["c"])
    assert not dg.runs.changes_since(saved).same_documents


Change = Callable[[Docgraph], object]
CHANGES: dict[str, tuple[Change, list[tuple[str, str, bool]], list[tuple[tuple[str, str, str], str, bool]]]] = {
    "removed": (lambda dg: dg.documents.delete(["b"]), [("b", "removed", True)], []),
    "removed outside, with its edge": (
        lambda dg: dg.documents.delete(["c"]),
        [("c", "removed", False)],
        [(("c", "explains", "d"), "removed", False)],
    ),
    "renamed": (
        lambda dg: dg.ingest_records([document("b", title="New")]),
        [("b", "renamed", True)],
        [],
    ),
    "changed": (lambda dg: dg.ingest_records([document("b", "Another text.")]), [("b", "changed", True)], []),
    "added": (lambda dg: dg.ingest_records([document("e", "New.")]), [("e", "added", False)], []),
    "relationship added": (
        lambda dg: dg.relationships.add(edge("a", "d")),
        [],
        [(("a", "explains", "d"), "added", True)],
    ),
    "relationship removed": (
        lambda dg: dg.relationships.remove(("a", "explains", "b")),
        [],
        [(("a", "explains", "b"), "removed", True)],
    ),
}


@pytest.mark.parametrize("name", CHANGES)
def test_what_changed_since_is_named_and_the_frozen_run_stays(dg: Docgraph, saved: SavedRun, name: str) -> None:
    change, documents, relationships = CHANGES[name]
    change(dg)
    kept = dg.runs.get(saved.run_id)
    assert kept == saved
    assert content_hash(kept.run) == saved.content_hash
    found = dg.runs.changes_since(kept)
    assert (found.stale, found.known, found.complete) == (True, True, True)
    assert [(e.document_id, e.change, e.in_run) for e in found.documents] == documents
    assert [(e.key, e.change, e.in_run) for e in found.relationships] == relationships
    assert all(edit.from_title and edit.to_title for edit in found.relationships)
    again = dg.runs.rerun(kept)
    assert again.a.run.model_copy(update={"trace": saved.run.trace}) == saved.run
    assert again.b.run.plan.corpus_revision == found.revision_now
    assert dg.compare(kept).a.run.plan == saved.baselines["ms3"].plan  # the baseline of then, not of today


def test_changes_that_touch_the_run_come_first(dg: Docgraph, saved: SavedRun) -> None:
    dg.ingest_records([document("0", "Aside."), document("b", title="New")])
    dg.relationships.add(edge("0", "c"))
    dg.relationships.remove(("a", "explains", "b"))
    found = dg.runs.changes_since(saved)
    assert [(e.document_id, e.in_run) for e in found.documents] == [("b", True), ("0", False)]
    assert [e.in_run for e in found.relationships] == [True, False]
    assert found.documents[0].title_before == "B"


def test_a_type_that_was_switched_is_named(dg: Docgraph, saved: SavedRun) -> None:
    dg.relationships.set_off_types(["explains"])
    assert dg.runs.changes_since(saved).types_switched == ("explains",)


def test_a_rerun_says_what_left_because_its_document_is_gone(dg: Docgraph, saved: SavedRun) -> None:
    assert dg.runs.rerun(saved).identical
    dg.documents.delete(["b"])
    again = dg.runs.rerun(saved)
    [left] = again.documents_with("left")
    assert left.left_because is not None
    assert (left.document_id, left.left_because.cause) == ("b", "document_gone")


def test_a_rerun_whose_named_seed_is_gone_names_it(dg: Docgraph) -> None:
    saved = dg.runs.save(REQUEST.model_copy(update={"seed_document_ids": ("c",)}))
    dg.documents.delete(["c"])
    assert [e.document_id for e in dg.runs.changes_since(saved).documents] == ["c"]
    with pytest.raises(NotFoundError, match="'c'"):
        dg.runs.rerun(saved)
    assert dg.compare(saved).b.run.plan == saved.run.plan


def test_a_run_outlives_its_workspace_and_says_so(dg: Docgraph, saved: SavedRun) -> None:
    dg.drop_workspace("test")
    assert dg.runs.get(saved.run_id) == saved
    found = dg.runs.changes_since(saved)
    assert (found.revision_now, found.known, found.stale) == ("", False, True)
    with pytest.raises(NotFoundError, match=r"workspace 'test' of the saved run .* is gone"):
        dg.runs.rerun(saved)
    assert dg.compare(saved, "ms3").sentence
    dg.ingest_records([document(i) for i in TEXTS], [edge("a", "b"), edge("c", "d")])
    assert not dg.runs.changes_since(saved).stale  # the same content is the same revision


def test_another_embedder_opens_a_run_and_says_what_changed_but_does_not_run_it(dg: Docgraph, saved: SavedRun) -> None:
    database = dg.session.adapters.database
    assert isinstance(database, memory.MemoryDatabase)
    dg.relationships.add(edge("a", "d"))
    other = Docgraph(adapters(database, dimension=32), "test")
    assert other.runs.get(saved.run_id) == saved
    assert len(other.runs.changes_since(saved).relationships) == 1
    assert other.runs.save(saved.run, name="again").baselines == saved.baselines
    with pytest.raises(UserError, match="embedder"):
        other.runs.rerun(saved)
    database.drop_workspace("test")
    other.ingest_records([document("a")])
    with pytest.raises(ComparisonError, match="different embedders"):
        other.runs.rerun(saved)


def test_a_very_large_corpus_is_written_down_around_the_run_alone(dg: Docgraph) -> None:
    run = dg.run(REQUEST)
    with dg.session.reading() as snapshot:
        before = corpus_state(snapshot, run, max_entries=3)
    assert (before.complete, sorted(before.documents)) == (False, sorted(run.plan.document_ids))
    assert before.relationships == (("a", "explains", "b"),)
    dg.documents.delete(["b", "c"])
    dg.relationships.add(edge("a", "c"))
    with dg.session.reading() as snapshot:
        now = corpus_state(snapshot, run)
    found = changes(before, now, run)
    assert not found.complete
    assert [(e.document_id, e.change) for e in found.documents] == [("b", "removed")]
    assert [(e.key, e.change) for e in found.relationships] == [(("a", "explains", "c"), "added")]


def test_a_run_can_be_the_baseline_of_another_of_itself_and_of_a_question(dg: Docgraph, saved: SavedRun) -> None:
    """A run given as the baseline was looked up among the names of baselines: a bare TypeError."""
    first, second = dg.run("queue"), dg.run({"query": "queue", "max_documents": 1})
    assert dg.compare(first, first).identical
    moved = dg.compare(second, baseline=first)
    assert (moved.a.run.plan, moved.b.run.plan) == (first.plan, second.plan)
    assert dg.compare({"query": "queue", "max_documents": 1}, first).b.run.plan == second.plan
    assert dg.compare(saved.run, saved).identical
