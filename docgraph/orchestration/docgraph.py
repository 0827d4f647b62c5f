"""The whole trip: ingest, plan, execute, assemble, verify, compare, evaluate, explain; read this module first.

files ─▶ ingestion ─▶ [store] ─▶ planning ─▶ execution ─▶ assembly ─▶ verification ─▶ comparison · evaluation
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from os import PathLike
from pathlib import Path
from typing import Any, Self

from docgraph.assembly.context import assemble
from docgraph.boundary.imports.excluding import patterns_of
from docgraph.boundary.imports.profile_toml import profile_of
from docgraph.boundary.records import as_plan, as_record, as_records, as_request, as_stream
from docgraph.boundary.text import one_line
from docgraph.domain.context import AssembledContext, RetrievedContext
from docgraph.domain.explanation import Explanation
from docgraph.domain.finding import CheckReport, Rule
from docgraph.domain.graph import Document, Relationship
from docgraph.domain.imports.profile import ImportProfile
from docgraph.domain.person import Person
from docgraph.domain.plan import RetrievalPlan
from docgraph.domain.report import IngestReport
from docgraph.domain.request import RetrievalRequest
from docgraph.domain.run import Run
from docgraph.domain.workspace import EmbedderInfo, Workspace, checked_workspace_name
from docgraph.orchestration import comparisons, conversations, packets, pipeline
from docgraph.orchestration.backups import Backups
from docgraph.orchestration.calibration import Calibrations
from docgraph.orchestration.comparisons import Question
from docgraph.orchestration.document_ids import stored_id, with_stored_ids
from docgraph.orchestration.documents import Documents
from docgraph.orchestration.evaluating import evaluate
from docgraph.orchestration.evaluating.query_sets import QuerySets
from docgraph.orchestration.importing import entering
from docgraph.orchestration.importing.embedding import Embedding
from docgraph.orchestration.importing.kept import Imports, recorded
from docgraph.orchestration.judgments import Judgments
from docgraph.orchestration.memories import Memories
from docgraph.orchestration.plans import plan_on
from docgraph.orchestration.relationships.insight import check
from docgraph.orchestration.relationships.namespace import Relationships
from docgraph.orchestration.relationships.rules import Rules
from docgraph.orchestration.relationships.triage import TriageLog
from docgraph.orchestration.saved_runs import Runs
from docgraph.orchestration.session import Adapters, Session
from docgraph.planning.explanation import explain
from docgraph.ports import Probe, Progress

MAX_TITLE = 200


class Docgraph:
    """One workspace of a database and every operation on it. Thread-safe for reading.

    Related operations are grouped: ``documents``, ``relationships``, ``runs``, ``judgments``, ``query_sets``,
    ``memory``, ``calibration``, ``rules``, ``triage``, ``imports``, ``embedding``, ``backups``. A request may be given
    as its question (text) or as a mapping of its fields; a record may be given as a mapping, which is validated like
    JSON.
    """

    def __init__(
        self,
        adapters: Adapters,
        workspace: str = "default",
        *,
        owns_database: bool = True,
        person: Person | None = None,
    ) -> None:
        self._session = Session(adapters, workspace, person=person)
        self._owns_database = owns_database

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the connections; the embedded server stops with its last client."""
        if self._owns_database:
            self.session.adapters.database.close()

    @property
    def session(self) -> Session:
        """The adapters and the workspace."""
        return self._session

    # ------------------------------------------------------------ what belongs together

    @cached_property
    def documents(self) -> Documents:
        """Documents: list, read with their chunks, delete."""
        return Documents(self.session)

    @cached_property
    def relationships(self) -> Relationships:
        """Relationships: list, edit, undo, impact of edits, import and export."""
        return Relationships(self.session)

    @cached_property
    def runs(self) -> Runs:
        """Saved runs: save, find, review, compare, run again."""
        return Runs(self.session)

    @cached_property
    def judgments(self) -> Judgments:
        """Judgments: which documents and passages are relevant to which question."""
        return Judgments(self.session)

    @cached_property
    def query_sets(self) -> QuerySets:
        """Query sets: keep, evaluate in several configurations, list evaluations."""
        return QuerySets(self.session)

    @cached_property
    def memory(self) -> Memories:
        """Conversation memory: remember, recall, forget."""
        return Memories(self.session)

    @cached_property
    def calibration(self) -> Calibrations:
        """Calibration of raw scores as confidences."""
        return Calibrations(self.session)

    @cached_property
    def rules(self) -> Rules:
        """Rules of checks; ignored findings and rejected suggestions."""
        return Rules(self.session)

    @cached_property
    def triage(self) -> TriageLog:
        """Assignment, due date and comments of decisions about findings."""
        return TriageLog(self.session)

    @cached_property
    def imports(self) -> Imports:
        """The log of imports, and the difference between two of them."""
        return Imports(self.session)

    @cached_property
    def embedding(self) -> Embedding:
        """Re-embedding of the workspace in place, with another embedder."""
        return Embedding(self.session)

    @cached_property
    def backups(self) -> Backups:
        """Backups of the database: write, read, restore, verify."""
        return Backups(self.session)

    # ------------------------------------------------------------ ingestion

    def ingest(
        self,
        path: str | PathLike[str],
        *,
        prune: bool = False,
        dry_run: bool = False,
        doc_type: str | None = None,
        profile: ImportProfile | Mapping[str, Any] | str | PathLike[str] | None = None,
        exclude: Sequence[str] = (),
        gitignore: bool = True,
        progress: Progress | None = None,
    ) -> IngestReport:
        """Import a folder or a file: unchanged documents are skipped, changed ones replaced as a whole.

        ``profile`` = how the folder is read: ``auto`` (as its analysis proposes), an ``ImportProfile``, or the path of
        a TOML file. ``exclude`` = patterns of files to leave out, as in a ``.gitignore``; the folder's own
        ``.gitignore`` files apply unless ``gitignore`` is false. Excluded files are counted, unreadable ones are
        rejections in the report. The workspace is created with its first document. Raises IngestionError when ``path``
        cannot be read or holds no file.
        """
        read_by = profile_of(profile)
        ingestion = entering.ingestion(self.session, dry_run=dry_run)
        report = ingestion.ingest_path(
            path,
            prune=prune,
            dry_run=dry_run,
            doc_type=doc_type,
            profile=read_by,
            exclude=patterns_of(exclude),
            gitignore=gitignore,
            progress=progress,
        )
        return recorded(self.session, report, source=Path(path).resolve().name, profile=read_by)

    def ingest_files(
        self,
        files: Iterable[tuple[str, bytes]],
        *,
        dry_run: bool = False,
        profile: ImportProfile | Mapping[str, Any] | str | PathLike[str] | None = None,
        exclude: Sequence[str] = (),
        progress: Progress | None = None,
    ) -> IngestReport:
        """Import uploaded files, given as (relative name, bytes); zip archives are opened within limits."""
        read_by = profile_of(profile)
        ingestion = entering.ingestion(self.session, dry_run=dry_run)
        left_out = patterns_of(exclude)
        report = ingestion.ingest_files(files, dry_run=dry_run, profile=read_by, exclude=left_out, progress=progress)
        return recorded(self.session, report, source="upload", profile=read_by)

    def ingest_records(
        self,
        documents: Iterable[Document | Mapping[str, Any]],
        relationships: Iterable[Relationship | Mapping[str, Any]] = (),
        *,
        progress: Progress | None = None,
    ) -> IngestReport:
        """Import domain records; missing chunks, summaries and vectors are made, given ones are kept.

        ``relationships`` are read first and held in memory. ``documents`` may be a generator: it is read while earlier
        documents are written, in constant memory; if it fails, what is written by then stays.
        """
        given = as_stream(documents, Document)
        edges = as_records(relationships, Relationship)
        return entering.ingestion(self.session, dry_run=False).ingest_records(given, edges, progress=progress)

    # ------------------------------------------------------------ planning and execution

    def plan(self, request: Question, query_vector: Sequence[float] | None = None) -> RetrievalPlan:
        """The documents that a search reads, and why; ``query_vector`` of shape (dimension,) saves embedding the query.

        Raises EmbeddingMismatchError for a query vector of another width, with NaN or infinity, or of length zero.
        """
        return plan_on(self.session, as_request(request), query_vector)

    def execute(
        self, plan: RetrievalPlan | Mapping[str, Any], query_vector: Sequence[float] | None = None
    ) -> RetrievedContext:
        """The evidence of a plan: chunks of its documents only. Raises PlanError for a foreign or changed plan."""
        planned = as_plan(plan)
        return pipeline.execute(self.session, planned, self.session.vector(planned.query, query_vector))

    def assemble(self, context: RetrievedContext | Mapping[str, Any], *, token_budget: int = 2_000) -> AssembledContext:
        """The text that a model would receive, within ``token_budget`` tokens."""
        found = as_record(context, RetrievedContext)
        return assemble(found, self.session.adapters.counting, token_budget=token_budget)

    def run(
        self, request: Question, query_vector: Sequence[float] | None = None, *, verify: pipeline.Verify = "replay"
    ) -> Run:
        """Plan, execute, assemble and verify on one snapshot; the run has a trace of every step.

        ``verify`` = *replay* (plan and execute again on the recorded answers, check the rest against the data), *full*
        (query the store a second time as well) or *later* (no contract yet; ``runs.verify`` adds it).
        """
        return pipeline.run(self.session, as_request(request), query_vector, verify=verify)

    def explain(self, request: Question, document_id: str) -> Explanation:
        """Why a document is in the plan of this request, or every limit and rule that excludes it."""
        asked = as_request(request)
        return self.session.with_new_vectors(lambda: self._explained(asked, document_id))

    def _explained(self, request: RetrievalRequest, document_id: str) -> Explanation:
        probe = Probe(self.session.vector(request.query), request.query)
        with self.session.reading() as snapshot:
            asked, wanted = with_stored_ids(request, snapshot), stored_id(snapshot, document_id)
            return explain(asked, wanted, probe, snapshot)

    compare = comparisons.compare
    evaluate = evaluate.evaluate
    retrieve = packets.retrieve
    converse = conversations.converse

    def check(
        self,
        rules: Mapping[str, Rule | Mapping[str, Any]] | None = None,
        *,
        owner_fields: Sequence[str] | None = None,
        progress: Progress | None = None,
    ) -> CheckReport:
        """Findings of every enabled check of the relationships, on one snapshot; read-only.

        ``rules`` disable checks or set their severity and parameters; None = the rules of the workspace. The effect of
        a finding is measured on the plans of the saved questions; questions that cannot be planned are left out and
        counted. Ignored findings are listed apart while their reason holds. ``owner_fields`` = metadata fields with a
        document's owners (``Decision.owners``); None = those of the settings. ``Decision.triage`` has assignments and
        comments. ``progress`` receives (n, N) checks and may stop them; ``not_run`` then names the rest. Raises
        UserError for an unknown rule.
        """
        given = None if rules is None else {check_id: as_record(rule, Rule) for check_id, rule in rules.items()}
        return check(self.session, self.rules.get() if given is None else given, progress, owner_fields=owner_fields)

    # ------------------------------------------------------------ workspaces

    @property
    def workspace(self) -> Workspace:
        """This workspace as it is now. Raises NotFoundError before the first import."""
        return self.session.with_new_vectors(self._workspace_now)

    def _workspace_now(self) -> Workspace:
        with self.session.reading() as snapshot:
            return snapshot.workspace

    @property
    def workspace_name(self) -> str:
        """The name of this workspace, whether it exists yet or not."""
        return self.session.workspace

    @property
    def embedder(self) -> EmbedderInfo:
        """The workspace's embedder; the configured one while there is no workspace, or its own is not available."""
        return self.session.embedder

    def workspaces(self) -> tuple[Workspace, ...]:
        """All workspaces of the database, by name."""
        return self.session.adapters.database.workspaces()

    def create_workspace(self, name: str, *, title: str = "") -> None:
        """Create an empty workspace with the configured embedder. Raises ConflictError, UserError (bad name)."""
        line, checked = one_line(title, MAX_TITLE), checked_workspace_name(name)
        self.session.database.create_workspace(checked, self.session.adapters.embedder.info, title=line)

    def drop_workspace(self, name: str) -> None:
        """Delete a workspace with everything in it. Raises NotFoundError."""
        self.session.database.drop_workspace(name)
        if name == self.workspace_name:
            self.session.forget()

    def use_workspace(self, name: str) -> Docgraph:
        """Another workspace of the same database; close the original, not this one. Raises UserError for a bad name."""
        person = self.session.person
        return Docgraph(self.session.adapters, checked_workspace_name(name), owns_database=False, person=person)

    def acting_as(self, person: Person | Mapping[str, Any]) -> Docgraph:
        """The same workspace for one person: their role is enforced, their name signs; close the original, not this.

        ``domain.person`` lists what each role may do; anything else raises ForbiddenError and changes nothing.
        """
        who = as_record(person, Person)
        return Docgraph(self.session.adapters, self.workspace_name, owns_database=False, person=who)

    def may_write(self) -> bool:
        """Whether the person and the connection may change this workspace."""
        return self.session.store().may_write()

    def health(self) -> dict[str, Any]:
        """Database, embedder and counts, as ``docgraph doctor`` shows them."""
        return {
            "database": self.session.adapters.database.health(),
            "embedder": self.embedder.model_dump(),
            "workspaces": [w.model_dump() for w in self.workspaces()],
        }
