"""A program of a user that asks for everything ``Docgraph`` has: type checkers must know every answer exactly."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, assert_type

import docgraph
from docgraph import (
    CheckReport,
    Comparison,
    ConversationState,
    Docgraph,
    Document,
    Edit,
    Evaluation,
    ImpactReport,
    Judgment,
    PacketRequest,
    Relationship,
    RetrievalPlan,
    RetrievalRequest,
    RetrievalResponse,
    RetrievedContext,
    Rule,
    Run,
    SavedRun,
    Turn,
    Vocabulary,
)
from docgraph.domain.calibration import CalibrationReport
from docgraph.domain.comparison import Side
from docgraph.domain.context import AssembledContext
from docgraph.domain.curation import Contested, Dismissal, TraceabilityMatrix, TriageEntry
from docgraph.domain.edge_evidence import EdgeEvidence
from docgraph.domain.embedding import EmbeddingReport, EmbeddingState
from docgraph.domain.evaluation import KeptEvaluation
from docgraph.domain.exchange import RelationshipDiff
from docgraph.domain.explanation import Explanation
from docgraph.domain.graph import StoredChunk, StoredDocument
from docgraph.domain.history import HistoryEntry
from docgraph.domain.imports.look import Look
from docgraph.domain.imports.patch import SourcePatch
from docgraph.domain.imports.record import ImportDiff, ImportSummary
from docgraph.domain.judging import Agreement, Pile, Pool
from docgraph.domain.judgment import JudgmentsImported, PassageJudgment
from docgraph.domain.memory import Memory, MemoryHit, Remembered
from docgraph.domain.own_questions import Proposed, Trial
from docgraph.domain.packet import Calibration, ConfidenceSummary
from docgraph.domain.query_set import QuerySetSummary, StoredQuerySet
from docgraph.domain.ranking_comparison import RankingComparison
from docgraph.domain.report import IngestReport
from docgraph.domain.saved_run import CorpusChanges, ReviewEntry, RunSummary
from docgraph.domain.scoreboard import CapPressure, Scoreboard
from docgraph.domain.suggestion import Suggestions
from docgraph.domain.type_roles import TypeChange, TypeDecision
from docgraph.domain.workspace import EmbedderInfo, SearchChoice, Workspace
from docgraph.ports import Backup, Examination, FieldValue

KEY = ("a", "explains", "b")
EDIT = Edit(action="accept", key=KEY)


def documents_in(dg: Docgraph) -> None:
    a, b = Document(document_id="a", title="A", text="First."), {"document_id": "b", "title": "B", "text": "Second."}
    edge = Relationship(from_document_id="a", relation_type="explains", to_document_id="b")
    assert_type(dg.ingest("documents", prune=True), IngestReport)
    assert_type(dg.ingest_files([("a.md", b"# A")], dry_run=True), IngestReport)
    assert_type(dg.ingest_records([a, b], [edge]), IngestReport)
    look = dg.documents.look("documents")
    assert_type(look, Look)
    assert_type(dg.ingest("documents", profile=look.profile_of(["sidecars"])), IngestReport)
    assert_type(dg.documents.list(text="A"), Iterator[StoredDocument])
    assert_type(dg.documents.get("a"), StoredDocument)
    assert_type(dg.documents.by_id(["a"]), dict[str, StoredDocument])
    assert_type(dg.documents.chunks("a"), tuple[StoredChunk, ...])
    assert_type(dg.documents.fields(limit=3), tuple[FieldValue, ...])
    assert_type(dg.documents.delete(["a"]), int)


def questions(dg: Docgraph) -> None:
    request = RetrievalRequest(query="why", max_documents=3)
    assert_type(dg.plan(request), RetrievalPlan)
    plan = dg.plan("why", [0.5, 0.5])
    assert_type(dg.execute(plan), RetrievedContext)
    assert_type(dg.assemble(dg.execute(plan), token_budget=500), AssembledContext)
    assert_type(dg.run({"query": "why"}), Run)
    assert_type(dg.runs.verify(dg.run("why", verify="later")), Run)
    assert_type(dg.explain("why", "b"), Explanation)
    assert_type(dg.compare("why"), Comparison)
    assert_type(dg.runs.compare_with("why", [("a", 1.0)], name="ours"), RankingComparison)
    assert_type(dg.evaluate(["why"], ["off", "on"], measures=["recall@5"]), Evaluation)
    assert_type(dg.compare(dg.run(request), "today", anyway=True).sentence, str)
    assert_type(dg.retrieve("why"), RetrievalResponse)
    assert_type(dg.retrieve(PacketRequest(query="why"), timeout=2.0), RetrievalResponse)
    turn = dg.converse(None, "why", top_k=3)
    assert_type(turn, Turn)
    assert_type(turn.state, ConversationState)
    assert_type(dg.check({"hub": Rule(on=False)}), CheckReport)


def relationships(dg: Docgraph) -> None:
    there = dg.relationships
    assert_type(there.list(document_id="a"), Iterator[Relationship])
    assert_type(there.types(), dict[str, int])
    there.set_off_types(["mentions"])
    assert_type(there.type_roles(), tuple[TypeDecision, ...])
    assert_type(there.set_type_role("links_to", "reasons_only", by="me"), tuple[TypeChange, ...])
    assert_type(there.set_type_role(["links_to"], None), tuple[TypeChange, ...])
    assert_type(there.type_history(limit=3), tuple[TypeChange, ...])
    assert_type(there.undo_type(1), tuple[TypeChange, ...])
    assert_type(there.try_types(n_questions=40, seed=2, seconds=9.5), Trial)
    assert_type(there.trials(limit=3), tuple[Trial, ...])
    assert_type(there.adopt_trial(1), tuple[TypeChange, ...])
    assert_type(there.vocabulary(), Vocabulary)
    assert_type(there.suggestions(), Suggestions)
    assert_type(there.evidence("a", "b"), EdgeEvidence)
    assert_type(there.impact([EDIT]), ImpactReport)
    assert_type(there.effects([[EDIT], []]), tuple[ImpactReport, ...])
    assert_type(there.compare_edits("why", [EDIT]), Comparison)
    assert_type(there.scoreboard(["why"], leave_out=False), Scoreboard)
    entries = there.edit([EDIT, {"action": "remove", "key": KEY}], by="me", reason="read both")
    assert_type(entries, tuple[HistoryEntry, ...])
    there.add(Relationship(from_document_id="a", relation_type="explains", to_document_id="b"))
    there.update(KEY, {"from_document_id": "a", "relation_type": "cites", "to_document_id": "b"}, by="me")
    assert_type(there.remove(KEY), Relationship)
    assert_type(there.merge_edits(["explain"], "explains"), tuple[Edit, ...])
    assert_type(there.history(key=KEY, limit=3), tuple[HistoryEntry, ...])
    assert_type(there.undo(1, by="me"), HistoryEntry)
    assert_type(there.undo_act("1", by="me"), tuple[HistoryEntry, ...])
    assert_type(there.blocking(1), tuple[HistoryEntry, ...])
    assert_type(there.export("jsonl", history=True), Iterator[bytes])
    assert_type(there.read_file(b""), RelationshipDiff)
    assert_type(there.import_file(there.read_file(b""), by="me"), tuple[HistoryEntry, ...])
    assert_type(there.patch("folder"), SourcePatch)


def runs(dg: Docgraph) -> None:
    saved = dg.runs.save("why", name="First", by="me")
    assert_type(saved, SavedRun)
    assert_type(dg.runs.get("8f3c"), SavedRun)
    assert_type(dg.runs.list(everywhere=True), tuple[RunSummary, ...])
    assert_type(dg.runs.describe("8f3c", pinned=True), RunSummary)
    assert_type(dg.runs.delete("8f3c"), RunSummary)
    assert_type(dg.runs.restore("8f3c"), RunSummary)
    assert_type(dg.runs.review("8f3c", "approved", by="me"), ReviewEntry)
    assert_type(dg.runs.reviews("8f3c"), tuple[ReviewEntry, ...])
    side = dg.runs.baseline(saved, "ms3")
    assert_type(side, Side)
    assert_type(dg.runs.compare(side, Side.of(saved)), Comparison)
    assert_type(dg.runs.changes_since(saved), CorpusChanges)
    assert_type(dg.runs.rerun(saved), Comparison)


def decisions(dg: Docgraph) -> None:
    assert_type(dg.judgments.judge("why", "a", True, by="me"), Judgment | None)
    assert_type(dg.judgments.list("why"), tuple[Judgment, ...])
    assert_type(dg.judgments.import_relevant({"why": ["a"]}, by="me"), JudgmentsImported)
    assert_type(dg.judgments.judge_passage("why", "a#0", None, by="me"), PassageJudgment)
    assert_type(dg.judgments.withdraw_passage("why", "a#0", by="me"), bool)
    assert_type(dg.judgments.passages("why"), tuple[PassageJudgment, ...])
    assert_type(dg.judgments.of_documents("why"), tuple[Judgment, ...])
    passage = {"query": "why", "chunk_id": "a#0", "grade": 2}
    assert_type(dg.judgments.import_passages([passage], by="me"), JudgmentsImported)
    assert_type(dg.rules.get(), dict[str, Rule])
    dg.rules.set({"hub": {"on": False}})
    assert_type(dg.rules.dismiss(dg.check().queue, by="me", reason="known"), tuple[Dismissal, ...])
    seen = dg.check()
    assert_type(dg.rules.dismiss(seen.queue, by="me", reason="y", decisions=seen.decisions), tuple[Dismissal, ...])
    assert_type(dg.rules.withdraw(["x"]), int)
    assert_type(dg.rules.dismissals(), tuple[Dismissal, ...])
    assert_type(dg.rules.contested(), tuple[Contested, ...])
    assert_type(dg.triage.assign(seen.decisions, "Ann", by="me"), tuple[TriageEntry, ...])
    assert_type(dg.triage.due(seen.decisions, "2026-11-30", by="me"), tuple[TriageEntry, ...])
    assert_type(dg.triage.comment(seen.decisions, "On its way.", by="me"), tuple[TriageEntry, ...])
    assert_type(dg.triage.decided(seen.decisions, "Removed", by="me"), tuple[TriageEntry, ...])
    assert_type(dg.triage.withdraw([1]), int)
    assert_type(dg.triage.list(), tuple[TriageEntry, ...])
    assert_type(dg.imports.list(), tuple[ImportSummary, ...])
    assert_type(dg.imports.diff(1, 2), ImportDiff)
    assert_type(dg.imports.newest_diffs(limit=3), tuple[ImportDiff, ...])
    assert_type(dg.imports.since("2026-11-16").same, bool)
    assert_type(dg.embedding.embed("onnx", model="/models/bge", questions=0), EmbeddingReport)
    for offer in dg.embedding.offers():
        assert_type(dg.embedding.embed_with(offer).switched, bool)
    state = dg.embedding.state()
    assert_type(state, EmbeddingState | None)
    if state is not None and dg.embedding.offer_of(state) is None:
        assert_type(dg.embedding.abandon(), bool)
    assert_type(dg.backups.write("x.backup", workspaces=["w"]), Backup)
    assert_type(dg.backups.read("x.backup"), Backup)
    assert_type(dg.backups.restore("x.backup", names={"w": "v"}, replace=True), tuple[Workspace, ...])
    assert_type(dg.backups.verify(), tuple[Examination, ...])


def query_sets(dg: Docgraph) -> None:
    assert_type(dg.query_sets.keep(["why"], name="set", by="me"), StoredQuerySet)
    assert_type(dg.query_sets.propose(3), Proposed)
    assert_type(dg.query_sets.list(), tuple[QuerySetSummary, ...])
    assert_type(dg.query_sets.get("set"), StoredQuerySet)
    assert_type(dg.query_sets.export("set", "quepid"), str)
    matrix = dg.relationships.matrix(doc_type="requirement")
    assert_type(matrix, TraceabilityMatrix)
    assert_type(dg.relationships.matrix_file(matrix, "xlsx"), bytes)
    kept = dg.query_sets.run("set", ["off", "on"], measures=["recall@6"])
    assert_type(kept, KeptEvaluation)
    assert_type(dg.query_sets.runs("set"), tuple[KeptEvaluation, ...])
    assert_type(dg.query_sets.result(kept.evaluation_id), Evaluation)
    assert_type(dg.query_sets.pin(kept.evaluation_id), KeptEvaluation)
    assert_type(dg.query_sets.limits("set", values={"max_fan_out": [1]}), CapPressure)
    pool = dg.query_sets.pool("set", [kept.evaluation_id])
    assert_type(pool, Pool)
    assert_type(dg.query_sets.pile(pool, by="me", seed=7), Pile)
    assert_type(dg.query_sets.judges(pool), dict[str, int])
    assert_type(dg.query_sets.agreement(pool, "me", "you"), Agreement)
    dg.query_sets.remove_run(kept.evaluation_id)
    dg.query_sets.remove("set")


def memory(dg: Docgraph) -> None:
    assert_type(dg.memory.remember("The queue holds 400."), Remembered)
    assert_type(dg.memory.recall("queue", 3), tuple[MemoryHit, ...])
    assert_type(dg.memory.list(limit=10), tuple[Memory, ...])
    assert_type(dg.memory.forget(conversation_id="default"), int)
    assert_type(dg.calibration.fit([{"query": "why", "relevant": ["a"]}], dry_run=True), CalibrationReport)
    assert_type(dg.calibration.list(), tuple[Calibration, ...])
    assert_type(dg.calibration.reset(), int)
    assert_type(dg.calibration.confidence(dg.run("why")), ConfidenceSummary | None)


def workspaces(dg: Docgraph) -> None:
    assert_type(dg.workspace, Workspace)
    assert_type(dg.workspace_name, str)
    assert_type(dg.workspaces(), tuple[Workspace, ...])
    dg.create_workspace("drafts", title="Drafts")
    assert_type(dg.documents.set_vector_search("exact"), Workspace)
    assert_type(dg.documents.measure_vector_search(n_questions=5), SearchChoice)
    assert_type(dg.documents.search_recall(n_questions=5).recalls[0].share, float)
    assert_type(dg.use_workspace("drafts"), Docgraph)
    dg.drop_workspace("drafts")
    assert_type(dg.embedder, EmbedderInfo)
    assert_type(dg.may_write(), bool)
    assert_type(dg.acting_as({"name": "Ann", "role": "viewer"}), Docgraph)
    assert_type(dg.health(), dict[str, Any])
    dg.close()


def main() -> None:
    with docgraph.connect(store="memory") as dg:
        assert_type(dg, Docgraph)
        for part in (documents_in, questions, relationships, runs, decisions, memory, workspaces):
            part(dg)
