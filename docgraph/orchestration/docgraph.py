"""The whole trip: ingest, plan, execute, assemble, verify, explain; read this module first.

files ─▶ ingestion ─▶ [store] ─▶ planning ─▶ execution ─▶ assembly ─▶ verification ─▶ comparison
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from os import PathLike
from typing import cast

from docgraph.comparison.compare import compare
from docgraph.comparison.staleness import changes
from docgraph.domain.baselines import BASELINES, MS3, MS3_GROUPED, TODAY, baseline_request
from docgraph.domain.comparison import Comparison, Side
from docgraph.domain.context import RetrievedContext
from docgraph.domain.explanation import Explanation
from docgraph.domain.finding import CheckReport, Rule
from docgraph.domain.graph import Document, Relationship
from docgraph.domain.judgment import Judgment
from docgraph.domain.plan import RetrievalPlan
from docgraph.domain.report import IngestReport
from docgraph.domain.request import RetrievalRequest
from docgraph.domain.run import Run
from docgraph.domain.saved_run import CorpusChanges, SavedRun
from docgraph.errors import NotFoundError
from docgraph.execution.executor import execute_plan
from docgraph.ingestion.chunking import ChunkingOptions
from docgraph.ingestion.nothing import EmptyWorkspace
from docgraph.ingestion.pipeline import Ingestion
from docgraph.orchestration.calibration import Calibrating
from docgraph.orchestration.conversations import Conversing
from docgraph.orchestration.memories import Remembering
from docgraph.orchestration.relationships.exchange import Exchanging
from docgraph.orchestration.relationships.insight import Insight
from docgraph.orchestration.relationships.rules import Curating
from docgraph.planning.explanation import explain
from docgraph.planning.planner import make_plan
from docgraph.ports import Probe, Progress, Store


class Docgraph(Insight, Exchanging, Conversing, Calibrating, Remembering, Curating):
    """One workspace of a database, with everything one can ask of it; safe to share between reading threads."""

    # ------------------------------------------------------------ ingestion

    def ingest(
        self,
        path: str | PathLike[str],
        *,
        prune: bool = False,
        dry_run: bool = False,
        doc_type: str | None = None,
        progress: Progress | None = None,
    ) -> IngestReport:
        """Import a folder or a file; unchanged documents are skipped, changed ones replaced whole.

        Bad files become rejections in the report. Raises IngestionError when ``path`` itself cannot be read.
        """
        ingestion = self._ingestion(dry_run=dry_run)
        return ingestion.ingest_path(path, prune=prune, dry_run=dry_run, doc_type=doc_type, progress=progress)

    def ingest_files(
        self, files: Iterable[tuple[str, bytes]], *, dry_run: bool = False, progress: Progress | None = None
    ) -> IngestReport:
        """Import uploaded files given as (relative name, bytes); zip archives are opened within limits."""
        return self._ingestion(dry_run=dry_run).ingest_files(files, dry_run=dry_run, progress=progress)

    def ingest_records(
        self,
        documents: Iterable[Document],
        relationships: Iterable[Relationship] = (),
        *,
        progress: Progress | None = None,
    ) -> IngestReport:
        """Import domain records; chunks, summaries and vectors that they do not carry are made."""
        return self._ingestion(dry_run=False).ingest_records(documents, relationships, progress=progress)

    # ------------------------------------------------------------ planning and execution

    def plan(self, request: RetrievalRequest, query_vector: Sequence[float] | None = None) -> RetrievalPlan:
        """Which documents may take part, and why; ``query_vector`` has shape (dimension,) and saves embedding.

        Raises EmbeddingMismatchError for a query vector of another width, with NaN or infinity, or without direction.
        """
        vector = self._vector(request.query, query_vector)
        with self._reading() as snapshot:
            return make_plan(request, Probe(vector, request.query), snapshot)

    def execute(self, plan: RetrievalPlan, query_vector: Sequence[float] | None = None) -> RetrievedContext:
        """The evidence of a plan: chunks of its documents only. Raises PlanError for a foreign or changed plan."""
        vector = self._vector(plan.query, query_vector)
        with self._reading() as snapshot:
            return execute_plan(plan, vector, snapshot)

    def explain(self, request: RetrievalRequest, document_id: str) -> Explanation:
        """Why a document is in the plan of this request, or everything that keeps it out."""
        vector = self._vector(request.query, None)
        with self._reading() as snapshot:
            return explain(request, document_id, Probe(vector, request.query), snapshot)

    # ------------------------------------------------------------ comparison and saved runs

    def compare(
        self, question: RetrievalRequest | Run | SavedRun, baseline: str = MS3, *, anyway: bool = False
    ) -> Comparison:
        """What changed from the baseline (A) to the run of ``question`` (B).

        ``baseline`` is ``ms3``, ``ms3_grouped``, ``today`` or the id of a saved run. A saved run is compared with the
        baselines that were saved with it. Against ``ms3`` the step of the limits and that of the relationships are
        counted apart. Raises ComparisonError for another corpus or embedder unless ``anyway``, and NotFoundError.
        """
        known = self.run(question) if isinstance(question, RetrievalRequest) else question
        run = known.run if isinstance(known, SavedRun) else known
        control = self.baseline(known, MS3_GROUPED) if baseline == MS3 and run.request.use_relationships else None
        return self.compare_sides(self.baseline(known, baseline), Side.of(known), control=control, anyway=anyway)

    def baseline(self, question: Run | SavedRun, name: str) -> Side:
        """A baseline of a run by name, as one side of a comparison. Raises NotFoundError."""
        if name not in BASELINES:
            return Side.of(self.saved_run(name))
        if isinstance(question, SavedRun) and name in question.baselines:
            return Side(name=name, label=BASELINES[name][0], run=question.baselines[name])
        there = self.use_workspace(question.workspace) if isinstance(question, SavedRun) else self
        run = question.run if isinstance(question, SavedRun) else question
        return Side(name=name, label=BASELINES[name][0], run=there.run(baseline_request(run.request, name)))

    def compare_sides(
        self,
        a: Side,
        b: Side,
        *,
        control: Side | None = None,
        anyway: bool = False,
        gone: Iterable[str] = (),
        judgments: Sequence[Judgment] | None = None,
    ) -> Comparison:
        """What changed between two runs that are there already. Raises ComparisonError.

        ``judgments`` = those to measure by, of stored documents; None = those that the workspace of the runs has now,
        which is all that the database is asked.
        """
        if judgments is None:
            judgments = self._judgments_that_count(b.run.plan.workspace, b.run.plan.query)
        return compare(
            a, b, self._adapters.measures, control=control, anyway=anyway, gone=frozenset(gone), judgments=judgments
        )

    def save_run(
        self, question: RetrievalRequest | Run, *, name: str = "", note: str = "", by: str = "", pinned: bool = False
    ) -> SavedRun:
        """Keep a run with its baselines; the same content keeps its id and takes the new name.

        When the data have changed since the run was made it is kept without baselines: they would be of other data.
        """
        run = question if isinstance(question, Run) else self.run(question)
        return self._keep(run, name=name, note=note, by=by, pinned=pinned, baselines=self._baselines_of(run))

    def changes_since(self, saved: SavedRun) -> CorpusChanges:
        """What changed in the data since a run was saved: documents and relationships, those of the run first."""
        then, now = saved.corpus_revision, self._revision_of(saved.workspace)
        if now in ("", then):
            return CorpusChanges(revision_before=then, revision_now=now, known=now == then)
        before, today = self._archive.state(saved.workspace, then), self._state_of(saved.run)
        if before is None or today is None:
            return CorpusChanges(revision_before=then, revision_now=now, known=False)
        return changes(before, today, saved.run)

    def rerun(self, saved: SavedRun) -> Comparison:
        """The saved run (A) beside the same request on today's data (B).

        Raises NotFoundError for a lost workspace, or when a seed that the request names is gone.
        """
        changed = self.changes_since(saved)
        if not changed.revision_now:
            raise NotFoundError(
                f"the workspace {saved.workspace!r} of the saved run {saved.run_id} is gone",
                hint="the saved run stays readable; import its documents again to run it on today's data",
            )
        gone = [edit.document_id for edit in changed.documents if edit.change == "removed"]
        today = self.use_workspace(saved.workspace).run(saved.run.request)
        return self.compare_sides(Side.of(saved), Side(name=TODAY, label=BASELINES[TODAY][0], run=today), gone=gone)

    # ------------------------------------------------------------ relationship data

    def check(self, rules: Mapping[str, Rule] | None = None, *, progress: Progress | None = None) -> CheckReport:
        """What is wrong with the relationships, by every check there is, on one snapshot; nothing is changed.

        ``rules`` switch checks off, or give them another severity and other parameters; None takes those that are
        stored in the workspace. What a finding has to do with the saved questions is seen in the plans that they get
        today; a question that cannot be planned today is left out and counted. Findings that were ignored are put
        aside as long as the reason holds. ``progress`` is told n of the N checks that are on and may stop them: the
        report then has what is finished, and names in ``not_run`` what is not. Raises UserError for an unknown rule.
        """
        return self._checked(self.rules() if rules is None else rules, progress)

    # ------------------------------------------------------------ inside

    def _baselines_of(self, run: Run) -> dict[str, Run]:
        """Name → baseline, all on the data that the run was made on; nothing when those are not there any more."""
        plan, there = run.plan, self.use_workspace(run.plan.workspace)
        then = (plan.corpus_revision, plan.embedder_id)
        if (self._revision_of(plan.workspace), self.embedder.embedder_id) != then:
            return {}
        made = {name: there.run(baseline_request(run.request, name)) for name in (MS3, MS3_GROUPED)}
        return {name: each for name, each in made.items() if each.plan.corpus_revision == plan.corpus_revision}

    def _ingestion(self, *, dry_run: bool) -> Ingestion:
        a = self._adapters
        try:
            store = self._store(create=not dry_run)
        except NotFoundError:
            store = cast(Store, EmptyWorkspace(self._name, self.embedder))
        return Ingestion(
            store=store,
            embedder=a.embedder,
            tokenizer=a.tokenizer,
            summarizer=a.summarizer,
            loaders=a.loaders,
            extractors=a.extractors,
            workspace=self._name,
            chunking=ChunkingOptions.around(a.chunk_tokens),
            now=a.now,
        )
