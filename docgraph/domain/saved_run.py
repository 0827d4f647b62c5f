"""A run that was kept: what it was called, when, by whom, on which state of the corpus, and what reviewers said."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from pydantic import Field

from docgraph.domain.frozen import Frozen, fingerprint
from docgraph.domain.plan import RetrievalPlan
from docgraph.domain.request import RetrievalRequest
from docgraph.domain.run import Run

RUN_ID_LENGTH = 12
MAX_NAME, MAX_NOTE, MAX_PERSON = 200, 4_000, 100
ReviewKind = Literal["item", "note", "approved", "withdrawn"]
DataChange = Literal["added", "removed", "changed", "renamed"]

CHECKLIST: tuple[tuple[str, str], ...] = (
    ("seeds", "The seeds are the documents I would start from"),
    ("expanded", "Every expanded document belongs to the question"),
    ("missing", "No document that belongs here is missing"),
    ("displaced", "What was displaced is worth less than what came in"),
    ("contract", "The contract is kept"),
)
"""What a reviewer looks at, in order: (key, sentence)."""


def content_hash(run: Run) -> str:
    """SHA-256 (hex) of everything in a run but its trace, so that equal runs have equal hashes at any speed."""
    return fingerprint(run.model_dump(mode="json", exclude={"trace"}))


class SavedRun(Frozen):
    """A frozen run under its short id, which is the beginning of its content hash: it can never mean another run.

    ``saved_at`` is UTC, ISO 8601 to the second. ``baselines`` holds the runs it was compared with when it was saved
    (``ms3``, ``plain``), so that the comparison stays what it was when the data change. ``content_revision`` = the
    workspace's, on which its plan was made (empty: it is not known); stands beside the run, not in it.
    """

    run_id: str = Field(min_length=RUN_ID_LENGTH, max_length=64, pattern=r"^[0-9a-f]+$")
    name: str = Field(max_length=MAX_NAME)
    note: str = Field(default="", max_length=MAX_NOTE)
    saved_at: str
    saved_by: str = Field(default="", max_length=MAX_PERSON)
    pinned: bool = False
    content_hash: str
    run: Run
    baselines: dict[str, Run] = Field(default_factory=dict)
    content_revision: str = ""

    @property
    def workspace(self) -> str:
        """The workspace it was made in."""
        return self.run.plan.workspace

    @property
    def corpus_revision(self) -> str:
        """The state of the corpus it was made on."""
        return self.run.plan.corpus_revision


@dataclass(frozen=True)
class KnownPlan:
    """A plan with the documents that it was made on: ``content_revision`` of its workspace, empty: not known."""

    plan: RetrievalPlan
    content_revision: str = ""


@dataclass(frozen=True)
class SavedQuestion:
    """One question as it is asked: a saved run's, or a member of a query set; a saved question is either, once.

    ``run_id`` = the saved run that holds it, empty for a member, which is asked by default limits. ``known`` = a plan
    that was made of it before, whatever became of the data since.
    """

    request: RetrievalRequest
    name: str
    run_id: str = ""
    known: KnownPlan | None = None

    @classmethod
    def of(cls, saved: SavedRun) -> SavedQuestion:
        """The question of a saved run, with the plan that the run holds."""
        known = KnownPlan(saved.run.plan, saved.content_revision)
        return cls(saved.run.request, saved.name, saved.run_id, known)


class RunSummary(Frozen):
    """A saved run in a list: everything but the run itself. ``approved_by`` is empty while nobody approves."""

    run_id: str
    workspace: str
    name: str
    note: str = ""
    query: str
    saved_at: str
    saved_by: str = ""
    pinned: bool = False
    content_hash: str
    plan_id: str
    corpus_revision: str
    content_revision: str = ""
    embedder_id: str
    n_seeds: int = 0
    n_expanded: int = 0
    n_chunks: int = 0
    n_tokens: int = 0
    approved_by: str = ""
    deleted_at: str = ""


class ReviewEntry(Frozen):
    """One line in a run's review: a checklist item ticked or unticked, a note, an approval or its withdrawal."""

    kind: ReviewKind
    at: str
    by: str = Field(default="", max_length=MAX_PERSON)
    item: str = ""
    checked: bool | None = None
    text: str = Field(default="", max_length=MAX_NOTE)


class CorpusState(Frozen):
    """What a workspace held at one revision, by which a later one is compared.

    ``documents``: document_id → (title, content hash); ``relationships``: sorted keys (from, type, to).
    ``complete`` is false for a corpus too large to be written down whole: then only the documents of the run, and
    the relationships at either end of them, are here.
    """

    workspace: str
    revision: str
    documents: dict[str, tuple[str, str]] = Field(default_factory=dict)
    relationships: tuple[tuple[str, str, str], ...] = ()
    off_relation_types: tuple[str, ...] = ()
    reasons_only_types: tuple[str, ...] = Field(default=(), exclude_if=lambda types: not types)
    complete: bool = True


class DocumentEdit(Frozen):
    """A document that is not as it was; ``in_run`` = it stands in the saved run's plan."""

    document_id: str
    title: str
    change: DataChange
    title_before: str = ""
    in_run: bool = False


class RelationshipEdit(Frozen):
    """A relationship that came or went, with the titles of its ends (the id of one that was never stored).

    ``in_run`` = it starts or ends at a document of the saved run's plan.
    """

    key: tuple[str, str, str]
    change: Literal["added", "removed"]
    in_run: bool = False
    from_title: str = ""
    to_title: str = ""


class CorpusChanges(Frozen):
    """What changed in the data since a run was saved; those that touch the run first, then by id.

    ``known`` is false when nothing was written down to compare with; then only the revisions speak. ``same_documents``
    = the content revision says that all documents are what they were (false where it is not known).
    """

    revision_before: str
    revision_now: str
    known: bool = True
    complete: bool = True
    same_documents: bool = False
    documents: tuple[DocumentEdit, ...] = ()
    relationships: tuple[RelationshipEdit, ...] = ()
    types_switched: tuple[str, ...] = ()

    @property
    def stale(self) -> bool:
        """Whether the data are not what they were."""
        return self.revision_before != self.revision_now
