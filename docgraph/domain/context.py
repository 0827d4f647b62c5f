"""The result of executing a plan, and the context text that assembly makes of it (MS5)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from pydantic import Field

from docgraph.domain import shown
from docgraph.domain.frozen import Frozen
from docgraph.domain.graph import ChunkPlace, Identifier
from docgraph.domain.passages.windows import Span
from docgraph.domain.request import EvidenceRule
from docgraph.domain.standing import Standing

if TYPE_CHECKING:
    from pandas import DataFrame

GAP = " … "
"""Stands between two passages of a chunk."""

ChunkGround = Literal["best_of_document", "passage", "similarity"]
"""The rule that let a chunk in: as the best of its document, as one of the best passages, or by similarity alone."""


class EvidenceDocument(Frozen):
    """A planned document as execution sees it: what it is, never why it is in the plan.

    ``why`` it is in (``match 2``, ``explains, from adr-011``) and its ``standing`` (``None``: it holds) are put beside
    it afterwards, for whoever reads: nothing depends on them.
    """

    document_id: Identifier
    title: str
    summary: str = ""
    source: str = ""
    doc_type: str = ""
    headings: tuple[str, ...] = ()
    n_chunks: int = Field(default=0, ge=0)
    why: str = Field(default="", exclude_if=lambda why: not why)
    standing: Standing | None = Field(default=None, exclude_if=lambda standing: standing is None)

    @property
    def standing_words(self) -> str:
        """``superseded by ADR-0002``; empty where nothing speaks against it."""
        return self.standing.words if self.standing else ""


class ScoredChunk(Frozen):
    """A chunk with its similarity to the question.

    ``score`` = cosine similarity rounded to 6 digits, equal with and without relationships. ``words`` = how far it
    holds the words of the question, from 0 to 1 (``passages.fitting``; ``None`` where the rule does not look at words).
    ``rerank_score`` = what the plan's reranker says of its best passage, 0 to 1 (``None`` where it read none of it).
    ``rank`` counts from 1 over all chunks of the context, in the order of the rule: by the best passage, or by
    similarity. ``ground`` tells which rule let it in. ``excerpt`` = the (start, end) of its passages in ``text``, in
    characters; empty = all of it. ``place`` = where the chunk stands in its source, as far as that is known.
    """

    chunk_id: Identifier
    chunk_index: int = Field(ge=0)
    text: str
    score: float
    rank: int = Field(ge=1)
    ground: ChunkGround
    heading_path: tuple[str, ...] = ()
    token_count: int = Field(ge=0)
    words: float | None = Field(default=None, exclude_if=lambda words: words is None)
    rerank_score: float | None = Field(default=None, exclude_if=lambda score: score is None)
    excerpt: tuple[Span, ...] = Field(default=(), exclude_if=lambda spans: not spans)
    place: ChunkPlace | None = Field(default=None, exclude_if=lambda place: place is None)

    @property
    def passage(self) -> str:
        """What is read of it: its passages, with an ellipsis where something is left out between or around them."""
        if not self.excerpt:
            return self.text
        parts = GAP.join(self.text[start:end] for start, end in self.excerpt)
        before = "… " if self.text[: self.excerpt[0][0]].strip() else ""
        after = " …" if self.text[self.excerpt[-1][1] :].strip() else ""
        return f"{before}{parts}{after}"

    @property
    def passage_tokens(self) -> int:
        """Tokens of what is read of it, estimated by its share of the characters where that is not all."""
        if not self.excerpt:
            return self.token_count
        length = sum(end - start for start, end in self.excerpt)
        return -(-self.token_count * length // max(len(self.text), 1))


class DocumentEvidence(Frozen):
    """One planned document with its chunks by rank; no chunks means: eligible, but none passed the limits.

    ``best_score`` = similarity of its most similar chunk, read or not, where passages are chosen.
    """

    document: EvidenceDocument
    chunks: tuple[ScoredChunk, ...] = ()
    best_score: float | None = Field(default=None, exclude_if=lambda score: score is None)

    @property
    def score(self) -> float | None:
        """Similarity of its most similar chunk: the same number in every run of a question, whatever else is planned.

        ``None`` where no chunk is known.
        """
        if self.best_score is not None:
            return self.best_score
        return max((chunk.score for chunk in self.chunks), default=None)


class RetrievedContext(Frozen):
    """The result of executing a plan: documents in plan order, chunks grouped under them.

    ``n_eligible_chunks`` counts the chunks of all planned documents, ``n_chunks`` those that passed the limits.
    """

    schema_version: Literal["1"] = "1"
    plan_id: str
    workspace: str
    corpus_revision: str
    embedder_id: str
    query: str
    evidence_rule: EvidenceRule
    max_chunks: int
    max_chunks_per_document: int
    max_tokens: int | None = Field(default=None, exclude_if=lambda tokens: tokens is None)
    documents: tuple[DocumentEvidence, ...] = ()
    n_chunks: int = 0
    n_eligible_chunks: int = 0
    index: Literal["exact", "approximate"] = "exact"

    @property
    def document_ids(self) -> tuple[str, ...]:
        """Ids of all planned documents, in plan order, with or without chunks."""
        return tuple(d.document.document_id for d in self.documents)

    @property
    def read_document_ids(self) -> tuple[str, ...]:
        """Ids of the documents of which a chunk is read, in plan order: what judged measures look at."""
        return tuple(d.document.document_id for d in self.documents if d.chunks)

    @property
    def ranked_chunks(self) -> tuple[tuple[str, ScoredChunk], ...]:
        """(document_id, chunk) over the whole context by rank: the flat view, comparable with MS3."""
        pairs = [(d.document.document_id, c) for d in self.documents for c in d.chunks]
        return tuple(sorted(pairs, key=lambda pair: pair[1].rank))

    def to_pandas(self) -> DataFrame:
        """A row for each chunk by rank.

        Columns: ``rank``, ``document_id``, ``title``, ``place`` (of its document in the plan), ``chunk_id``,
        ``heading_path`` (``Part > Detail``), ``score``, ``words``, ``rerank_score``, ``ground``, ``token_count`` and
        ``text`` (of what is read of it). Needs pandas.
        """
        return shown.frame(self)

    def _repr_html_(self) -> str:
        """What a notebook shows: the passages, best first."""
        return shown.html(self)


class AssembledDocument(Frozen):
    """One document's share of the assembled context; counts are tokens."""

    document_id: Identifier
    title: str
    conceptual_tokens: int = Field(ge=0)
    evidence_tokens: int = Field(ge=0)
    chunk_ids: tuple[str, ...] = ()
    left_out_chunk_ids: tuple[str, ...] = ()
    summary_shortened: bool = False


class AssembledContext(Frozen):
    """The text that a model would receive, and its accounting.

    ``text`` = conceptual layer (one summary line a document), then evidence layer (chunks under their headings).
    ``total_tokens`` never exceeds ``token_budget``; the conceptual layer takes at most 40 % of it (ADR-003 step 6).
    """

    plan_id: str
    text: str
    token_budget: int
    total_tokens: int
    conceptual_tokens: int
    evidence_tokens: int
    frame_tokens: int
    documents: tuple[AssembledDocument, ...] = ()
    n_left_out: int = 0
