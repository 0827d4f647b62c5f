"""Protocols of what a store keeps beside documents: curation, judgments, memory, query sets, runs, imports."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from typing import TYPE_CHECKING, Protocol, runtime_checkable

if TYPE_CHECKING:
    from docgraph.domain.curation import Contested, Dismissal, TriageEntry
    from docgraph.domain.embedding import EmbeddingGain, EmbeddingState, LackingVectors, NewVectors, OwnAnswer
    from docgraph.domain.evaluation import BegunEvaluation, KeptEvaluation, Outcome
    from docgraph.domain.finding import Rule
    from docgraph.domain.graph import Vectors
    from docgraph.domain.imports.record import ImportState, ImportSummary
    from docgraph.domain.judgment import Judgment, PassageJudgment
    from docgraph.domain.memory import Memory, MemoryHit, Remembered
    from docgraph.domain.packet import Calibration
    from docgraph.domain.person import Role, SignIn
    from docgraph.domain.query_set import QuerySetSummary, StoredQuerySet
    from docgraph.domain.saved_run import CorpusState, ReviewEntry, RunSummary, SavedRun
    from docgraph.domain.workspace import EmbedderInfo
    from docgraph.ports.reading import Probe


class CurationStore(Protocol):
    """Rules, dismissals, triage and contested relationships of one workspace.

    They move no revision: plans never read them.
    """

    def may_write(self) -> bool:
        """Whether the role of the connection may change this workspace at all."""
        ...

    def rules(self) -> dict[str, Rule]:
        """check_id → rule, as they were stored; empty when nobody stored any."""
        ...

    def set_rules(self, rules: Mapping[str, Rule]) -> None:
        """Put these rules in the place of the stored ones."""
        ...

    def dismissals(self) -> tuple[Dismissal, ...]:
        """All dismissals, newest first, then by subject_id."""
        ...

    def dismiss(self, dismissals: Sequence[Dismissal]) -> None:
        """Keep them; a new one about the same subject takes the place of the old one."""
        ...

    def withdraw(self, subject_ids: Sequence[str]) -> int:
        """Forget the dismissals of these subjects; how many there were."""
        ...

    def triage(self) -> tuple[TriageEntry, ...]:
        """All that was said of decisions, oldest first."""
        ...

    def say_triage(self, entries: Sequence[TriageEntry]) -> tuple[TriageEntry, ...]:
        """Keep them, each under the next ``entry_id``; as they are kept. Numbers are not given twice."""
        ...

    def take_back_triage(self, entry_ids: Sequence[int]) -> int:
        """Forget these entries; how many there were."""
        ...

    def contested(self) -> tuple[Contested, ...]:
        """Where the last import of a document and a decision that still stands disagree, by key."""
        ...


class JudgmentStore(Protocol):
    """Judgments of one workspace, one for each question and document; they go with the workspace.

    Those of passages: one for each question, document, text and judge. They move no revision, because plans never read
    them, and they stay when a document is written anew or removed.
    """

    def judgments(self, query: str | None = None) -> tuple[Judgment, ...]:
        """All of them, or those of one question (its exact text); by query, then by document_id."""
        ...

    def judge(self, judgments: Sequence[Judgment], *, replace: bool = True) -> int:
        """Keep them, all or none; of two about the same question and document the last one counts.

        A stored one is replaced, or kept as it is when not ``replace``. Returns how many were not there before.
        """
        ...

    def withdraw_judgment(self, query: str, document_id: str) -> bool:
        """Forget one; whether it was there."""
        ...

    def passages(self, query: str | None = None) -> tuple[PassageJudgment, ...]:
        """Judgments of passages, all or those of one question; by query, document_id, text_hash, then by judge."""
        ...

    def said(self, query: str | None = None) -> tuple[tuple[Judgment, ...], tuple[PassageJudgment, ...]]:
        """``judgments`` and ``passages`` at once."""
        ...

    def judge_passages(self, judgments: Sequence[PassageJudgment]) -> int:
        """Keep them, all or none; one of the same judge about the same text is replaced. Returns how many were new."""
        ...

    def withdraw_passage(self, query: str, document_id: str, *, text_hash: str, by: str) -> bool:
        """Forget what one judge said of one text; whether it was there."""
        ...


class MemoryStore(Protocol):
    """Conversation memory of one workspace; it goes with the workspace and moves no revision: plans never read it."""

    def remember(
        self, memories: Sequence[Memory], vectors: Vectors, *, per_conversation: int, in_workspace: int
    ) -> Remembered:
        """Keep ``memories`` as the newest, in the order given; ``vectors`` has shape (len(memories), dimension).

        Turns are given out here. A memory whose id is there already is replaced, and is new. The oldest go where a
        conversation then has more than ``per_conversation``, or the workspace more than ``in_workspace``. Raises
        EmbeddingMismatchError for vectors of another width or with values that are not finite; then nothing is kept.
        """
        ...

    def recall(self, probe: Probe, *, limit: int, conversation_id: str | None = None) -> tuple[MemoryHit, ...]:
        """The best ``limit`` by similarity, words and recency, in the order of ``domain.memory.fused_order``.

        Candidates are the ``max(limit, 50)`` most similar ones and as many that fit best by words, exact.
        ``conversation_id`` = only of this conversation.
        """
        ...

    def memories(
        self, *, conversation_id: str | None = None, limit: int = 200, before: int | None = None
    ) -> tuple[Memory, ...]:
        """Memories, newest first; ``before`` = only those of a smaller turn."""
        ...

    def forget(self, *, conversation_id: str | None = None, memory_ids: Sequence[str] | None = None) -> int:
        """Remove those of a conversation, those of these ids, or those that are both; how many. With neither: none."""
        ...


class CalibrationStore(Protocol):
    """How raw scores become confidences in one workspace; it moves no revision."""

    def calibrations(self) -> tuple[Calibration, ...]:
        """All of the workspace, by embedder_id, then by score_kind."""
        ...

    def set_calibration(self, calibration: Calibration) -> None:
        """Keep it in the place of that of the same embedder and kind of score."""
        ...

    def remove_calibrations(self) -> int:
        """Forget all of them, so that the shipped ones count again; how many there were."""
        ...


class KeepsOutcomes(Protocol):
    """Keeps the outcomes of one evaluation, each as soon as it is finished: a file of them, or a database."""

    def begin(self, asked: str, revision: str) -> Iterable[Outcome]:
        """What is kept of this evaluation, in the order in which it was added; nothing of a new one.

        ``asked`` = ``domain.evaluation.what_is_asked``, ``revision`` = of the data now. Raises ConflictError where
        another evaluation is kept, or one of other data.
        """
        ...

    def add(self, outcome: Outcome) -> None:
        """Keep one more. Raises UserError or StoreError where that is not possible."""
        ...


class QuerySetArchive(Protocol):
    """Query sets and evaluations of all workspaces of a database, by the workspace's name; ``Database.query_sets``.

    They outlive the workspace, and are there again when one of its name is made. Every method that names a set or an
    evaluation raises NotFoundError for an unknown one. Text is kept without NUL.
    """

    def keep_set(self, workspace: str, stored: StoredQuerySet) -> None:
        """Keep a set, in the place of the one that has its name; evaluations stay."""
        ...

    def query_sets(self, workspace: str) -> tuple[QuerySetSummary, ...]:
        """All sets of a workspace by name; ``n_judged`` by what the sets say themselves."""
        ...

    def query_set(self, workspace: str, name: str) -> StoredQuerySet:
        """One set with its questions."""
        ...

    def remove_set(self, workspace: str, name: str) -> None:
        """Remove a set with its evaluations."""
        ...

    def begin_evaluation(self, begun: BegunEvaluation) -> None:
        """Keep a new evaluation, without outcomes. Raises ConflictError when another one has its id."""
        ...

    def evaluations(self, workspace: str, name: str | None = None) -> tuple[KeptEvaluation, ...]:
        """Those of a set, or of all sets, newest first, of one second by later ids; outcomes are counted alone."""
        ...

    def evaluation(self, workspace: str, evaluation_id: str) -> BegunEvaluation:
        """What is kept of one beside its outcomes."""
        ...

    def outcomes(self, workspace: str, evaluation_id: str) -> Iterator[Outcome]:
        """The kept outcomes, in the order of the questions."""
        ...

    def keep_outcomes(self, workspace: str, evaluation_id: str) -> KeepsOutcomes:
        """What keeps its outcomes; outcomes are added in the order of the questions, each counted once."""
        ...

    def sum_up(self, begun: BegunEvaluation) -> None:
        """Write what the outcomes that are kept come to: figures, differences, ``whole``, ``questions``, seconds.

        Note and pin stay as they are.
        """
        ...

    def pin_evaluation(self, workspace: str, evaluation_id: str, pinned: bool) -> KeptEvaluation:
        """Mark one as what others are compared with, or take the mark away."""
        ...

    def remove_evaluation(self, workspace: str, evaluation_id: str) -> None:
        """Remove one with its outcomes."""
        ...


class RunArchive(Protocol):
    """Saved runs of all workspaces of a database; ``Database.runs``.

    A ``run_id`` may be given as a prefix of at least 4 characters; a whole one means itself. Every method raises
    NotFoundError for an unknown one and UserError for a prefix that fits several. Deleted runs are found by
    ``restore``, ``delete(forever=True)`` and ``find(deleted=True)`` only. Text is kept without NUL.
    """

    def save(self, saved: SavedRun, state: CorpusState | None = None) -> SavedRun:
        """Keep a run, and the state of the corpus that it was made on (once a revision).

        The content decides the id: the same content again keeps what is there (also a deleted one comes back), but
        takes the new name, note, pin and baselines when they are given. States of a corpus too large to be written
        down whole are put together. Returns what is kept now. Raises UserError for a run whose hash is not that of
        its content and ConflictError when another run has its id.
        """
        ...

    def load(self, run_id: str, *, baselines: bool = True) -> SavedRun:
        """The run as it was saved; raises StoreError when what is stored is not what was saved.

        Without ``baselines`` these are not read: much the greater part of what is kept.
        """
        ...

    def find(
        self, *, workspace: str | None = None, text: str = "", deleted: bool = False, limit: int = 200
    ) -> tuple[RunSummary, ...]:
        """Pinned ones first, then the newest; ``text`` = part of name, note, query or id, whatever its case."""
        ...

    def describe(
        self, run_id: str, *, name: str | None = None, note: str | None = None, pinned: bool | None = None
    ) -> RunSummary:
        """Change what is said about a run, never the run.

        ``None`` leaves a field as it is; an empty name stands for the beginning of the question.
        """
        ...

    def delete(self, run_id: str, *, at: str, forever: bool = False) -> RunSummary:
        """Put a run away (``restore`` brings it back), or with ``forever`` remove it.

        Its review goes with it, and the state of the corpus when no other run was made on that.
        """
        ...

    def restore(self, run_id: str) -> RunSummary:
        """Restore a deleted run."""
        ...

    def add_review(self, run_id: str, entry: ReviewEntry) -> None:
        """Add a line to the review of a run; lines are never changed."""
        ...

    def reviews(self, run_id: str) -> tuple[ReviewEntry, ...]:
        """The review of a run, oldest line first."""
        ...

    def state(self, workspace: str, revision: str) -> CorpusState | None:
        """What the workspace held at a revision; None when that was not written down."""
        ...


class EmbeddingStore(Protocol):
    """Vectors of another embedder, kept beside those that answer until all are there, then put in their place.

    Nothing but vectors is changed by it, and what they decide: ids, texts, relationships and whatever people said stay.
    A document or memory that is changed meanwhile lacks its new vectors again.
    """

    def embedding(self) -> EmbeddingState | None:
        """Where it stands, or how the last one ended; None = it was never begun, or given up."""
        ...

    def embedding_turn(self, by: str) -> AbstractContextManager[None]:
        """Inside, nobody else works at it. Raises ConflictError, which says who does."""
        ...

    def begin_embedding(self, embedder: EmbedderInfo, *, at: str, by: str) -> EmbeddingState:
        """Begin it, or go on with it. Raises ConflictError while it is unfinished for another embedder."""
        ...

    def lacking_vectors(self, *, after: str, limit: int) -> tuple[LackingVectors, ...]:
        """The next documents by id behind ``after`` that lack vectors, with about ``limit`` texts to embed in all."""
        ...

    def lacking_memories(self, *, limit: int) -> tuple[Memory, ...]:
        """Memories that lack their vector, by id."""
        ...

    def put_vectors(self, batch: Sequence[NewVectors]) -> None:
        """Keep new vectors; those of the same document with another stamp go. Raises EmbeddingMismatchError."""
        ...

    def put_memory_vectors(self, memories: Sequence[Memory], vectors: Vectors) -> None:
        """Keep the new vectors of memories, shape (len(memories), dimension). Raises EmbeddingMismatchError."""
        ...

    def note_embedding(self, *, asked: Sequence[OwnAnswer] = (), gain: EmbeddingGain | None = None) -> None:
        """Keep what was read for generated questions before it, and what it brought, with the state."""
        ...

    def switch_vectors(self) -> bool:
        """Put all new vectors in the place of the old ones, in one transaction; False = some are lacking.

        The workspace has another embedder then, and another content revision. A reading meanwhile sees one or the
        other.
        """
        ...

    def finish_embedding(self) -> None:
        """After the switch: make again what search needs, free the room of the old vectors."""
        ...

    def abandon_embedding(self) -> bool:
        """Throw the unfinished vectors away; False = there are none. Raises ConflictError after the switch."""
        ...


@runtime_checkable
class ImportLog(Protocol):
    """The imports of one workspace; it moves no revision, and goes with the workspace."""

    def keep_import(self, summary: ImportSummary, state: ImportState | None, *, keep: int) -> ImportSummary:
        """Keep an import under the next ``import_id``, and of all the newest ``keep``; as it is kept.

        ``state`` None = it is too large to be kept (``summary.comparable`` is false). One that equals the newest one
        is not kept twice.
        """
        ...

    def imports(self) -> tuple[ImportSummary, ...]:
        """All that are kept, newest first."""
        ...

    def import_state(self, import_id: int) -> ImportState | None:
        """The state after an import: its own, or the newest before it; None where there is none."""
        ...


KEPT_DAYS = 30
"""For so long after its time a sign-in is kept, to be looked up."""


class SignInLog(Protocol):
    """Sign-ins of a database (``Database.sign_ins``); moments are ISO 8601 in UTC, to the second."""

    def begin_sign_in(self, sign_in: SignIn) -> None:
        """Keep a new one. Raises ConflictError for an id that is taken."""
        ...

    def forget_sign_ins(self, before: str) -> None:
        """Remove those whose time was over before that moment, ended or not."""
        ...

    def sign_ins(self, ids: Sequence[str]) -> tuple[SignIn, ...]:
        """Those of these ids that are kept, ended ones too, in no order."""
        ...

    def open_sign_ins(self, at: str) -> tuple[SignIn, ...]:
        """Those that count at that moment, newest first, of one second by id."""
        ...

    def saw_sign_in(self, sign_in_id: str, *, at: str, role: Role) -> bool:
        """Note that somebody is still there, and as what; whether their role is another than before.

        Of several processes that say so at once one is told of the change. One that was ended stays as it is.
        """
        ...

    def end_sign_ins(self, sign_ins: Sequence[SignIn], *, at: str, by: str) -> tuple[SignIn, ...]:
        """End those that nobody has ended yet; as they are kept now, by id. From then on they let nobody in."""
        ...
