"""The whole trip over the reference store: what the front page promises, in its own words."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from docgraph.domain.graph import Document, Relationship
from docgraph.domain.plan import RetrievalPlan
from docgraph.domain.request import RetrievalRequest
from docgraph.errors import ConflictError, EmbeddingMismatchError, NotFoundError, StoreError
from docgraph.orchestration import pipeline
from docgraph.orchestration.docgraph import Docgraph
from docgraph.orchestration.pipeline import run_then
from docgraph.orchestration.session import Adapters, Session
from docgraph.plugins.loaders import markdown
from docgraph.plugins.stores import memory
from docgraph.ports import Probe, Snapshot
from docgraph.testing.builders import FirstWords, HashingEmbedder, WordTokenizer

DOCUMENTS = (
    Document(document_id="a", title="Queue", text="The queue is bounded."),
    Document(document_id="b", title="Slot", text="A slot holds a payment."),
    Document(document_id="c", title="Alarm", text="The alarm rings."),
)
EDGE = Relationship(from_document_id="a", relation_type="explains", to_document_id="b")
REQUEST = RetrievalRequest(query="queue bounded", max_documents=2, seed_signal="mean")


def adapters(database: memory.MemoryDatabase | None = None, dimension: int = 64) -> Adapters:
    ticks = itertools.count()
    return Adapters(
        database=database or memory.build(),
        embedder=HashingEmbedder(dimension),
        tokenizer=WordTokenizer(),
        summarizer=FirstWords(),
        loaders=(markdown.build(),),
        extractors=(),
        clock=lambda: float(next(ticks)),
    )


@pytest.fixture
def dg() -> Iterator[Docgraph]:
    with Docgraph(adapters(), "test") as docgraph:
        docgraph.ingest_records(DOCUMENTS, [EDGE])
        yield docgraph


def test_a_run_holds_plan_context_text_contract_and_trace_that_agree(dg: Docgraph) -> None:
    run = dg.run(REQUEST)
    assert run.plan == dg.plan(REQUEST)
    assert run.context == dg.execute(run.plan)
    assert run.assembled == dg.assemble(run.context)
    assert run.plan.expanded_document_ids == ("b",)
    assert [check.passed for check in run.contract] == [True] * 9
    assert [step.name for step in run.trace] == ["embed query", "plan", "execute", "assemble", "verify"]
    assert all(step.milliseconds == 1_000 for step in run.trace)


def test_a_run_is_checked_alike_in_every_way_and_later_as_well(dg: Docgraph) -> None:
    run, full, later = dg.run(REQUEST), dg.run(REQUEST, verify="full"), dg.run(REQUEST, verify="later")
    assert (full.plan, full.context, full.contract) == (run.plan, run.context, run.contract)
    assert (later.plan, later.context, later.contract) == (run.plan, run.context, ())
    assert [step.name for step in later.trace] == ["embed query", "plan", "execute", "assemble"]
    assert dg.runs.verify(later).contract == run.contract


def test_a_run_that_is_shown_before_its_check_asks_nothing_twice_for_it(dg: Docgraph) -> None:
    whole = dg.run(REQUEST)
    begun, proven = run_then(dg.session, REQUEST)
    assert (begun.plan, begun.context, begun.assembled, begun.contract) == (
        whole.plan,
        whole.context,
        whole.assembled,
        (),
    )
    then = proven()
    assert then.contract == whole.contract
    assert [step.name for step in then.trace] == [step.name for step in whole.trace]
    assert then.trace[:-1] == begun.trace
    dg.documents.delete(["c"])
    with pytest.raises(ConflictError, match="the data have changed"):
        proven()


def test_a_run_that_somebody_changed_does_not_verify(dg: Docgraph) -> None:
    later = dg.run(REQUEST, verify="later")
    forged = later.model_copy(update={"context": later.context.model_copy(update={"n_chunks": 0})})
    assert [check.name for check in dg.runs.verify(forged).contract if not check.passed] == ["replay"]


def test_a_run_is_not_verified_on_other_data(dg: Docgraph) -> None:
    later = dg.run(REQUEST, verify="later")
    dg.documents.delete(["c"])
    with pytest.raises(ConflictError, match="the data have changed"):
        dg.runs.verify(later)


def test_a_run_is_not_verified_on_other_vectors_of_the_same_texts_nor_by_another_search(dg: Docgraph) -> None:
    """The revision covers neither; a difference would be told as a broken promise of the planner."""
    given = Document(document_id="v", title="V", text="One text.", vector=(1.0, *[0.0] * 63))
    dg.ingest_records([given])
    later, revision = dg.run(REQUEST, verify="later"), dg.workspace.revision
    dg.ingest_records([given.model_copy(update={"vector": (0.0, 1.0, *[0.0] * 62)})])
    assert dg.workspace.revision == revision
    with pytest.raises(ConflictError, match="the data have changed"):
        dg.runs.verify(later)
    later = dg.run(REQUEST, verify="later")
    dg.documents.set_vector_search("quantized")
    with pytest.raises(ConflictError, match="the data have changed"):
        dg.runs.verify(later)
    by_summary = dg.run(REQUEST.model_copy(update={"seed_signal": "summary"}), verify="later")
    dg.documents.set_vector_search("exact")  # has no say in a ranking by summaries
    assert all(check.passed for check in dg.runs.verify(by_summary).contract)


def test_a_search_that_was_switched_is_not_told_as_failed_by_what_is_read_afterwards(
    dg: Docgraph, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = dg.session.store()

    def refused(_: Session) -> object:
        raise StoreError("the database is gone")

    def switched(mode: Any, **choice: Any) -> None:
        store.set_vector_search(mode, **choice)
        monkeypatch.setattr(Session, "reading", refused)

    only = SimpleNamespace(reading=store.reading, set_vector_search=switched)
    monkeypatch.setattr(Session, "store", lambda _: only)
    after = dg.documents.set_vector_search("quantized")
    monkeypatch.undo()
    assert after == dg.workspace
    assert (after.vector_search, after.search_choice.by) == ("quantized", "user")


def test_a_planner_that_is_not_pure_fails_its_replay(dg: Docgraph, monkeypatch: pytest.MonkeyPatch) -> None:
    """One that decides by what it saw before makes another plan of the same answers."""
    honest, made = pipeline.make_plan, itertools.count()

    def moody(request: RetrievalRequest, probe: Probe, snapshot: Snapshot) -> RetrievalPlan:
        chunks = request.chunk_limit + next(made)
        return honest(request.model_copy(update={"max_chunks": chunks}), probe, snapshot)

    monkeypatch.setattr(pipeline, "make_plan", moody)
    assert "replay" in [check.name for check in dg.run(REQUEST).contract if not check.passed]


def test_a_saved_run_has_its_contract_even_if_it_was_left_for_later(dg: Docgraph) -> None:
    assert len(dg.runs.save(dg.run(REQUEST, verify="later")).run.contract) == 9


def test_a_given_query_vector_is_used_instead_of_embedding(dg: Docgraph) -> None:
    vector = HashingEmbedder(64).embed(["alarm rings"])[0].tolist()
    assert dg.plan(REQUEST, query_vector=vector).seed_document_ids[0] == "c"


@pytest.mark.parametrize(
    ("vector", "words"),
    [
        ([1.0] * 3, "3 numbers, the workspace's embedder gives 64"),
        ([], "0 numbers"),
        ([[1.0] * 64], r"shape \(1, 64\)"),
        ([0.0] * 64, "no usable direction"),
        ([1e-30] * 64, "no usable direction"),
        ([1e38] * 64, "no usable direction"),
        ([float("nan")] * 64, "not finite"),
        ([1.0] * 63 + [float("-inf")], "not finite"),
        (["word"] * 64, "not a list of numbers"),
        ([[1.0], [1.0, 2.0]], "not a list of numbers"),
    ],
)
def test_a_query_vector_that_cannot_be_compared_is_refused(dg: Docgraph, vector: Any, words: str) -> None:
    with pytest.raises(EmbeddingMismatchError, match=words) as caught:
        dg.plan(REQUEST, query_vector=vector)
    assert caught.value.hint


def test_the_length_of_a_query_vector_makes_no_difference(dg: Docgraph) -> None:
    (vector,) = HashingEmbedder(dimension=64).embed(["queue"])
    plain = dg.run(REQUEST, query_vector=vector)
    scaled = dg.run(REQUEST, query_vector=vector * np.float32(1_000))
    assert scaled.context.document_ids == plain.context.document_ids
    assert all(check.passed for check in scaled.contract)


def test_relationships_can_be_added_changed_and_removed_by_hand(dg: Docgraph) -> None:
    added = Relationship(from_document_id="a", relation_type="implements", to_document_id="c")
    dg.relationships.add(added)
    assert dg.plan(REQUEST).cut[0].document_id == "c"
    dg.relationships.update(added.key, added.model_copy(update={"relation_type": "references"}))
    assert dg.relationships.types() == {"explains": 1, "references": 1}
    removed = dg.relationships.remove(("a", "references", "c"))
    assert removed.relationship_metadata["extractor"] == "manual"
    assert [r.key for r in dg.relationships.list()] == [EDGE.key]


def test_a_change_of_relationships_moves_the_revision_and_undoing_it_brings_it_back(dg: Docgraph) -> None:
    before = dg.workspace.revision
    edge = Relationship(from_document_id="b", relation_type="explains", to_document_id="c")
    dg.relationships.add(edge)
    assert dg.workspace.revision != before
    dg.relationships.remove(edge.key)
    assert dg.workspace.revision == before


def test_adding_what_exists_or_changing_what_does_not_is_refused(dg: Docgraph) -> None:
    with pytest.raises(ConflictError):
        dg.relationships.add(EDGE)
    with pytest.raises(NotFoundError):
        dg.relationships.update(("a", "nothing", "b"), EDGE)
    with pytest.raises(NotFoundError):
        dg.relationships.remove(("x", "y", "z"))
    with pytest.raises(NotFoundError):
        dg.relationships.add(EDGE.model_copy(update={"from_document_id": "nobody"}))


def test_a_move_onto_an_existing_relationship_is_refused_and_loses_nothing(dg: Docgraph) -> None:
    other = Relationship(from_document_id="a", relation_type="explains", to_document_id="c")
    dg.relationships.add(other)
    with pytest.raises(ConflictError):
        dg.relationships.update(other.key, EDGE)
    assert {r.key for r in dg.relationships.list()} == {EDGE.key, other.key}
    elsewhere = Relationship(
        from_document_id="b", relation_type="explains", to_document_id="b", relationship_metadata={"note": "kept"}
    )
    dg.relationships.add(elsewhere)
    with pytest.raises(ConflictError):
        dg.relationships.update(other.key, elsewhere.model_copy(update={"relationship_metadata": {}}))
    assert {r.key: r.relationship_metadata.get("note") for r in dg.relationships.list()} == {
        EDGE.key: None,
        other.key: None,
        elsewhere.key: "kept",
    }


def test_a_title_of_a_workspace_is_one_line_of_valid_text(dg: Docgraph) -> None:
    dg.create_workspace("titled", title="Harbor\n\x00\ud800 two " + "x" * 1_000)
    (title,) = (workspace.title for workspace in dg.workspaces() if workspace.name == "titled")
    assert title.startswith("Harbor \ufffd two xxx")
    assert len(title) == 200


def test_planning_and_executing_write_nothing(dg: Docgraph) -> None:
    before = dg.workspace
    dg.execute(dg.plan(REQUEST))
    dg.run(REQUEST)
    dg.explain(REQUEST, "c")
    assert dg.workspace == before


def test_a_workspace_of_another_embedder_is_refused_with_what_to_do(dg: Docgraph) -> None:
    database = dg.session.adapters.database
    other = Docgraph(adapters(database, dimension=32), "test")  # type: ignore[arg-type]
    with pytest.raises(EmbeddingMismatchError, match=r"hashing:sha256:64.*hashing:sha256:32.*new workspace"):
        other.plan(REQUEST)


def test_a_dry_run_into_a_new_workspace_reports_and_leaves_nothing_behind(tmp_path: Path) -> None:
    (tmp_path / "a.md").write_text("# Queue\n\nThe queue is bounded.\n")
    docgraph = Docgraph(adapters(), "new")
    report = docgraph.ingest(tmp_path, dry_run=True)
    assert (report.n_in, report.n_stored, report.dry_run) == (1, 1, True)
    assert docgraph.workspaces() == ()


def test_an_unknown_workspace_says_so() -> None:
    with pytest.raises(NotFoundError, match="'empty'"):
        Docgraph(adapters(), "empty").plan(REQUEST)


def test_workspaces_of_one_database_do_not_see_each_other(dg: Docgraph) -> None:
    other = dg.use_workspace("other")
    other.ingest_records([Document(document_id="z", title="Queue", text="Another queue.")])
    assert [d.document_id for d in other.documents.list()] == ["z"]
    assert other.plan(REQUEST).document_ids == ("z",)
    assert "z" not in dg.plan(REQUEST).document_ids
    dg.drop_workspace("other")
    assert [w.name for w in dg.workspaces()] == ["test"]


def test_deleting_a_document_leaves_edges_that_pointed_at_it_dangling(dg: Docgraph) -> None:
    assert dg.documents.delete(["b"]) == 1
    assert [r.key for r in dg.relationships.list(dangling=True)] == [EDGE.key]
    assert dg.plan(REQUEST).expanded_document_ids == ()
    with pytest.raises(NotFoundError):
        dg.documents.chunks("b")
