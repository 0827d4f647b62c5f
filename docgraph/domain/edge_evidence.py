"""What two documents say about the relationship between them: the passages to judge it by."""

from __future__ import annotations

from pydantic import Field

from docgraph.domain.frozen import Frozen
from docgraph.domain.graph import Identifier, Relationship
from docgraph.domain.history import HistoryEntry


class Quote(Frozen):
    """A stretch of a passage's text, in characters: ``text[start:end]``."""

    start: int = Field(ge=0)
    end: int = Field(ge=0)


class Passage(Frozen):
    """The chunk of a document that fits the other document best; ``text`` is hostile data.

    ``names`` = the sentences in it that name the other document. ``n_naming`` counts such sentences in the whole
    document. ``chunk_index`` counts from 0.
    """

    document_id: Identifier
    title: str
    doc_type: str = ""
    heading_path: tuple[str, ...] = ()
    chunk_index: int = Field(default=0, ge=0)
    n_chunks: int = Field(default=0, ge=0)
    text: str = ""
    names: tuple[Quote, ...] = ()
    n_naming: int = Field(default=0, ge=0)


class EdgeEvidence(Frozen):
    """Both ends of a relationship (there or proposed) side by side.

    ``a``, ``b`` = None for a document that is not stored. ``similarity`` = cosine of the two summaries (None: unknown),
    ``rank`` = place of B among the ``n_ranked`` other documents by similarity to A, from 1. ``relationships`` = all
    between the two, in both directions, by key; ``history`` = what was done to those, newest first.
    """

    a: Passage | None = None
    b: Passage | None = None
    similarity: float | None = None
    rank: int | None = Field(default=None, ge=1)
    n_ranked: int = Field(default=0, ge=0)
    relationships: tuple[Relationship, ...] = ()
    history: tuple[HistoryEntry, ...] = ()
