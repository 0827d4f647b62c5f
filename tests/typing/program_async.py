"""A program of a user that asks for everything ``AsyncDocgraph`` has: type checkers must know every answer exactly."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Any, assert_type

import docgraph
from docgraph import (
    AsyncDocgraph,
    CheckReport,
    Comparison,
    ConversationState,
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


async def documents_in(dg: AsyncDocgraph) -> None:
    a, b = Document(document_id="a", title="A", text="First."), {"document_id": "b", "title": "B", "text": "Second."}
    edge = Relationship(from_document_id="a", relation_type="explains", to_document_id="b")
    assert_type(await dg.ingest("documents", prune=True), IngestReport)
    assert_type(await dg.ingest_files([("a.md", b"# A")], dry_run=True), IngestReport)
    assert_type(await dg.ingest_records([a, b], [edge]), IngestReport)
    look = await dg.documents.look("documents")
    assert_type(look, Look)
    assert_type(await dg.ingest("documents", profile=look.profile_of(["sidecars"])), IngestReport)
    assert_type(dg.documents.list(text="A"), AsyncIterator[StoredDocument])
    assert_type(await dg.documents.get("a"), StoredDocument)
    assert_type(await dg.documents.by_id(["a"]), dict[str, StoredDocument])
    assert_type(await dg.documents.chunks("a"), tuple[StoredChunk, ...])
    assert_type(await dg.documents.fields(limit=3), tuple[FieldValue, ...])
    assert_type(await dg.documents.delete(["a"]), int)


async def questions(dg: AsyncDocgraph) -> None:
    request = RetrievalRequest(query="why", max_documents=3)
    assert_type(await dg.plan(request), RetrievalPlan)
    plan = await dg.plan("why", [0.5, 0.5])
    assert_type(await dg.execute(plan), RetrievedContext)
    assert_type(await dg.assemble(await dg.execute(plan), token_budget=500), AssembledContext)
    assert_type(await dg.run({"query": "why"}), Run)
    assert_type(await dg.runs.verify(await dg.run("why", verify="later")), Run)
    assert_type(await dg.explain("why", "b"), Explanation)
    assert_type(await dg.compare("why"), Comparison)
    assert_type(await dg.runs.compare_with("why", [("a", 1.0)], name="ours"), RankingComparison)
    assert_type(await dg.evaluate(["why"], ["off", "on"], measures=["recall@5"]), Evaluation)
    assert_type((await dg.compare(await dg.run(request), "today", anyway=True)).sentence, str)
    assert_type(await dg.retrieve("why"), RetrievalResponse)
    assert_type(await dg.retrieve(PacketRequest(query="why"), timeout=2.0), RetrievalResponse)
    turn = await dg.converse(None, "why", top_k=3)
    assert_type(turn, Turn)
    assert_type(turn.state, ConversationState)
    assert_type(await dg.check({"hub": Rule(on=False)}), CheckReport)


async def relationships(dg: AsyncDocgraph) -> None:
    there = dg.relationships
    assert_type(there.list(document_id="a"), AsyncIterator[Relationship])
    assert_type(await there.types(), dict[str, int])
    await there.set_off_types(["mentions"])
    assert_type(await there.type_roles(), tuple[TypeDecision, ...])
    assert_type(await there.set_type_role("links_to", "reasons_only", by="me"), tuple[TypeChange, ...])
    assert_type(await there.set_type_role(["links_to"], None), tuple[TypeChange, ...])
    assert_type(await there.type_history(limit=3), tuple[TypeChange, ...])
    assert_type(await there.undo_type(1), tuple[TypeChange, ...])
    assert_type(await there.try_types(n_questions=40, seed=2, seconds=9.5), Trial)
    assert_type(await there.trials(limit=3), tuple[Trial, ...])
    assert_type(await there.adopt_trial(1), tuple[TypeChange, ...])
    assert_type(await there.vocabulary(), Vocabulary)
    assert_type(await there.suggestions(), Suggestions)
    assert_type(await there.evidence("a", "b"), EdgeEvidence)
    assert_type(await there.impact([EDIT]), ImpactReport)
    assert_type(await there.effects([[EDIT], []]), tuple[ImpactReport, ...])
    assert_type(await there.compare_edits("why", [EDIT]), Comparison)
    assert_type(await there.scoreboard(["why"], leave_out=False), Scoreboard)
    entries = await there.edit([EDIT, {"action": "remove", "key": KEY}], by="me", reason="read both")
    assert_type(entries, tuple[HistoryEntry, ...])
    await there.add(Relationship(from_document_id="a", relation_type="explains", to_document_id="b"))
    await there.update(KEY, {"from_document_id": "a", "relation_type": "cites", "to_document_id": "b"}, by="me")
    assert_type(await there.remove(KEY), Relationship)
    assert_type(await there.merge_edits(["explain"], "explains"), tuple[Edit, ...])
    assert_type(await there.history(key=KEY, limit=3), tuple[HistoryEntry, ...])
    assert_type(await there.undo(1, by="me"), HistoryEntry)
    assert_type(await there.undo_act("1", by="me"), tuple[HistoryEntry, ...])
    assert_type(await there.blocking(1), tuple[HistoryEntry, ...])
    assert_type(there.export("jsonl", history=True), AsyncIterator[bytes])
    assert_type(await there.read_file(b""), RelationshipDiff)
    assert_type(await there.import_file(await there.read_file(b""), by="me"), tuple[HistoryEntry, ...])
    assert_type(await there.patch("folder"), SourcePatch)


async def runs(dg: AsyncDocgraph) -> None:
    saved = await dg.runs.save("why", name="First", by="me")
    assert_type(saved, SavedRun)
    assert_type(await dg.runs.get("8f3c"), SavedRun)
    assert_type(await dg.runs.list(everywhere=True), tuple[RunSummary, ...])
    assert_type(await dg.runs.describe("8f3c", pinned=True), RunSummary)
    assert_type(await dg.runs.delete("8f3c"), RunSummary)
    assert_type(await dg.runs.restore("8f3c"), RunSummary)
    assert_type(await dg.runs.review("8f3c", "approved", by="me"), ReviewEntry)
    assert_type(await dg.runs.reviews("8f3c"), tuple[ReviewEntry, ...])
    side = await dg.runs.baseline(saved, "ms3")
    assert_type(side, Side)
    assert_type(await dg.runs.compare(side, Side.of(saved)), Comparison)
    assert_type(await dg.runs.changes_since(saved), CorpusChanges)
    assert_type(await dg.runs.rerun(saved), Comparison)


async def decisions(dg: AsyncDocgraph) -> None:
    assert_type(await dg.judgments.judge("why", "a", True, by="me"), Judgment | None)
    assert_type(await dg.judgments.list("why"), tuple[Judgment, ...])
    assert_type(await dg.judgments.import_relevant({"why": ["a"]}, by="me"), JudgmentsImported)
    assert_type(await dg.judgments.judge_passage("why", "a#0", None, by="me"), PassageJudgment)
    assert_type(await dg.judgments.withdraw_passage("why", "a#0", by="me"), bool)
    assert_type(await dg.judgments.passages("why"), tuple[PassageJudgment, ...])
    assert_type(await dg.judgments.of_documents("why"), tuple[Judgment, ...])
    passage = {"query": "why", "chunk_id": "a#0", "grade": 2}
    assert_type(await dg.judgments.import_passages([passage], by="me"), JudgmentsImported)
    assert_type(await dg.rules.get(), dict[str, Rule])
    await dg.rules.set({"hub": {"on": False}})
    assert_type(await dg.rules.dismiss((await dg.check()).queue, by="me", reason="known"), tuple[Dismissal, ...])
    seen = await dg.check()
    known = await dg.rules.dismiss(seen.queue, by="me", reason="y", decisions=seen.decisions)
    assert_type(known, tuple[Dismissal, ...])
    assert_type(await dg.rules.withdraw(["x"]), int)
    assert_type(await dg.rules.dismissals(), tuple[Dismissal, ...])
    assert_type(await dg.rules.contested(), tuple[Contested, ...])
    assert_type(await dg.triage.assign(seen.decisions, "Ann", by="me"), tuple[TriageEntry, ...])
    assert_type(await dg.triage.due(seen.decisions, "2026-11-30", by="me"), tuple[TriageEntry, ...])
    assert_type(await dg.triage.comment(seen.decisions, "On its way.", by="me"), tuple[TriageEntry, ...])
    assert_type(await dg.triage.decided(seen.decisions, "Removed", by="me"), tuple[TriageEntry, ...])
    assert_type(await dg.triage.withdraw([1]), int)
    assert_type(await dg.triage.list(), tuple[TriageEntry, ...])
    assert_type((await dg.imports.list())[0].n_in, int)
    assert_type((await dg.imports.diff(1)).n_questions, int)
    assert_type(len(await dg.imports.newest_diffs(limit=3)), int)
    assert_type((await dg.imports.since("2026-11-16")).same, bool)
    assert_type(await dg.embedding.embed("onnx", model="/models/bge", questions=0), EmbeddingReport)
    for offer in await dg.embedding.offers():
        assert_type((await dg.embedding.embed_with(offer)).switched, bool)
    state = await dg.embedding.state()
    assert_type(state, EmbeddingState | None)
    if state is not None and await dg.embedding.offer_of(state) is None:
        assert_type(await dg.embedding.abandon(), bool)
    assert_type(await dg.backups.write("x.backup", workspaces=["w"]), Backup)
    assert_type(await dg.backups.read("x.backup"), Backup)
    assert_type(await dg.backups.restore("x.backup", names={"w": "v"}, replace=True), tuple[Workspace, ...])
    assert_type(await dg.backups.verify(), tuple[Examination, ...])


async def query_sets(dg: AsyncDocgraph) -> None:
    assert_type(await dg.query_sets.keep(["why"], name="set", by="me"), StoredQuerySet)
    assert_type(await dg.query_sets.propose(3), Proposed)
    assert_type(await dg.query_sets.list(), tuple[QuerySetSummary, ...])
    assert_type(await dg.query_sets.get("set"), StoredQuerySet)
    assert_type(await dg.query_sets.export("set", "quepid"), str)
    matrix = await dg.relationships.matrix(doc_type="requirement")
    assert_type(matrix, TraceabilityMatrix)
    assert_type(await dg.relationships.matrix_file(matrix, "xlsx"), bytes)
    kept = await dg.query_sets.run("set", ["off", "on"], measures=["recall@6"])
    assert_type(kept, KeptEvaluation)
    assert_type(await dg.query_sets.runs("set"), tuple[KeptEvaluation, ...])
    assert_type(await dg.query_sets.result(kept.evaluation_id), Evaluation)
    assert_type(await dg.query_sets.pin(kept.evaluation_id), KeptEvaluation)
    assert_type(await dg.query_sets.limits("set", values={"max_fan_out": [1]}), CapPressure)
    pool = await dg.query_sets.pool("set", [kept.evaluation_id])
    assert_type(pool, Pool)
    assert_type(await dg.query_sets.pile(pool, by="me", seed=7), Pile)
    assert_type(await dg.query_sets.judges(pool), dict[str, int])
    assert_type(await dg.query_sets.agreement(pool, "me", "you"), Agreement)
    await dg.query_sets.remove_run(kept.evaluation_id)
    await dg.query_sets.remove("set")


async def memory(dg: AsyncDocgraph) -> None:
    assert_type(await dg.memory.remember("The queue holds 400."), Remembered)
    assert_type(await dg.memory.recall("queue", 3), tuple[MemoryHit, ...])
    assert_type(await dg.memory.list(limit=10), tuple[Memory, ...])
    assert_type(await dg.memory.forget(conversation_id="default"), int)
    assert_type(await dg.calibration.fit([{"query": "why", "relevant": ["a"]}], dry_run=True), CalibrationReport)
    assert_type(await dg.calibration.list(), tuple[Calibration, ...])
    assert_type(await dg.calibration.reset(), int)
    assert_type(await dg.calibration.confidence(await dg.run("why")), ConfidenceSummary | None)


async def workspaces(dg: AsyncDocgraph) -> None:
    assert_type(await dg.workspace(), Workspace)
    assert_type(dg.workspace_name, str)
    assert_type(await dg.workspaces(), tuple[Workspace, ...])
    await dg.create_workspace("drafts", title="Drafts")
    assert_type(await dg.documents.set_vector_search("auto"), Workspace)
    assert_type(await dg.documents.measure_vector_search(n_questions=5), SearchChoice)
    assert_type((await dg.documents.search_recall(n_questions=5)).recalls[0].share, float)
    assert_type(await dg.use_workspace("drafts"), AsyncDocgraph)
    await dg.drop_workspace("drafts")
    assert_type(await dg.embedder(), EmbedderInfo)
    assert_type(await dg.may_write(), bool)
    assert_type(await dg.acting_as({"name": "Ann", "role": "viewer"}), AsyncDocgraph)
    assert_type(await dg.health(), dict[str, Any])
    await dg.close()


async def main() -> None:
    async with docgraph.aconnect(store="memory") as dg:
        assert_type(dg, AsyncDocgraph)
        for part in (documents_in, questions, relationships, runs, decisions, memory, workspaces):
            await part(dg)
