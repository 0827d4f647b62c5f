"""What edits of relationships would change in the answers to the saved questions, before they are saved."""

from __future__ import annotations

from pydantic import Field

from docgraph.domain.edit import Edit
from docgraph.domain.frozen import Frozen
from docgraph.domain.graph import DocumentRef, Identifier

MAX_LISTED = 50
"""Documents, and chunks, that are named of one question; all of them are counted."""

MAX_LISTED_QUESTIONS = 200
"""Questions that are listed of each kind; all of them are counted."""


class ChunkRef(Frozen):
    """Names a chunk and its document; ``heading_path`` and ``chunk_index`` say where it stands in it."""

    document_id: Identifier
    title: str
    chunk_id: Identifier
    chunk_index: int = Field(ge=0)
    heading_path: tuple[str, ...] = ()


class Gains(Frozen):
    """What comes in or goes out: counted, and the first ``MAX_LISTED`` of each named, in reading order.

    ``relevant`` = those of all its documents that are judged relevant to the question; ``n_relevant`` is ``None`` when
    no document is: then nobody knows.
    """

    n_documents: int = Field(default=0, ge=0)
    n_chunks: int = Field(default=0, ge=0)
    documents: tuple[DocumentRef, ...] = Field(default=(), max_length=MAX_LISTED)
    chunks: tuple[ChunkRef, ...] = Field(default=(), max_length=MAX_LISTED)
    n_relevant: int | None = Field(default=None, ge=0)
    relevant: tuple[DocumentRef, ...] = Field(default=(), max_length=MAX_LISTED)


class QuestionImpact(Frozen):
    """One saved question whose answer the edits would change.

    ``run_id`` = the saved run that holds it, empty for a member of a query set. ``gained`` is read with the edits only,
    ``lost`` without them only; both are empty when the same chunks come in another order. ``sentence`` is the verdict
    of the comparison.
    """

    run_id: str
    name: str
    query: str
    gained: Gains = Gains()
    lost: Gains = Gains()
    sentence: str


class AskedQuestion(Frozen):
    """A saved question that was asked without and with the edits, and whether another text is read with them."""

    run_id: str
    name: str
    query: str
    changed: bool = False


class QuestionLeftOut(Frozen):
    """A saved question that today's data has no plan for, and why."""

    run_id: str
    name: str
    query: str
    reason: str


class ImpactReport(Frozen):
    """What ``edits`` would change in the answers to the saved questions of a workspace.

    ``n_questions`` different questions were asked, without and with the edits: those of ``n_saved_runs`` saved runs,
    and ``n_in_sets`` members of query sets that no run holds, each text once.
    ``n_changed_plans`` get another plan; for ``n_changed`` of those, another text is read (documents, chunks or their
    order). ``n_left_out`` more could not be planned. ``questions`` and ``left_out`` are listed newest first, at most
    ``MAX_LISTED_QUESTIONS`` of each. ``complete`` is false when it was stopped: the counts are of what was asked by
    then. ``n_not_asked`` = saved runs and members beyond the limit of questions. ``asked`` = the first
    ``MAX_LISTED_QUESTIONS`` that were asked, whether they change or not: the same in the same order for all edits.
    """

    workspace: str
    corpus_revision: str
    edits: tuple[Edit, ...]
    n_saved_runs: int = Field(default=0, ge=0)
    n_in_sets: int = Field(default=0, ge=0)
    n_questions: int = Field(default=0, ge=0)
    n_changed_plans: int = Field(default=0, ge=0)
    n_changed: int = Field(default=0, ge=0)
    n_left_out: int = Field(default=0, ge=0)
    n_not_asked: int = Field(default=0, ge=0)
    complete: bool = True
    asked: tuple[AskedQuestion, ...] = Field(default=(), max_length=MAX_LISTED_QUESTIONS)
    questions: tuple[QuestionImpact, ...] = Field(default=(), max_length=MAX_LISTED_QUESTIONS)
    left_out: tuple[QuestionLeftOut, ...] = Field(default=(), max_length=MAX_LISTED_QUESTIONS)

    @property
    def sentence(self) -> str:
        """``3 of 41 saved questions change``."""
        noun = "saved question" if self.n_questions == 1 else "saved questions"
        change = "changes" if 1 in (self.n_changed, self.n_questions) else "change"
        return f"{self.n_changed:,} of {self.n_questions:,} {noun} {change}"
