"""A workspace embedded anew in place: how far it is, what is asked for on the way, and what is gained by it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from pydantic import Field

from docgraph.domain.frozen import Frozen
from docgraph.domain.workspace import EmbedderInfo, VectorSearch

if TYPE_CHECKING:
    from docgraph.domain.graph import StoredChunk, StoredDocument, Vector

MAX_QUESTIONS = 1_000
"""Own questions by which a gain is measured."""


class OwnAnswer(Frozen):
    """A generated question, made of one chunk of one document, and whether the default plan read either of them."""

    query: str
    document_id: str
    chunk_id: str
    document: bool = False
    passage: bool = False


class Share(Frozen):
    """Of how many questions something was read, in percent, before and after; on how many it is better or worse."""

    before: float = Field(ge=0, le=100)
    after: float = Field(ge=0, le=100)
    better: int = Field(ge=0)
    worse: int = Field(ge=0)

    @property
    def points(self) -> float:
        """Percentage points gained; negative = lost."""
        return round(self.after - self.before, 1)


class EmbeddingGain(Frozen):
    """What other vectors bring on ``n`` questions that the corpus asks of itself, by the default request.

    ``documents`` = the document that a question is made of is read, ``passages`` = the very chunk is.
    """

    n: int = Field(ge=0)
    documents: Share
    passages: Share


class EmbeddingState(Frozen):
    """Where embedding a workspace anew stands; the workspace is asked by its old vectors until ``switched``.

    ``by`` = who works at it, or did last; ``at`` = when it was begun (ISO 8601, UTC). ``n_done`` of ``n_total`` texts
    have a vector of the new embedder; what was changed since counts as not done. ``search`` = how the workspace is to
    be searched again at the end, where that had to be left on the way. ``asked`` = generated questions with what the
    old vectors read; ``finished`` = nothing is left to do, and ``gain`` says what it brought where that was measured.
    """

    embedder: EmbedderInfo
    before: EmbedderInfo
    at: str = ""
    by: str = ""
    n_done: int = Field(default=0, ge=0)
    n_total: int = Field(default=0, ge=0)
    switched: bool = False
    finished: bool = False
    search: VectorSearch | None = None
    asked: tuple[OwnAnswer, ...] = Field(default=(), max_length=MAX_QUESTIONS)
    gain: EmbeddingGain | None = None


class EmbeddingReport(Frozen):
    """What came of embedding a workspace anew: ``n_embedded`` texts in ``seconds``, this time.

    ``switched`` = the workspace is asked by the new vectors; else it was stopped, and the same call goes on there.
    ``n_done`` of ``n_total`` texts have their new vector. ``gain`` = what it brings, where that was measured.
    ``to_set`` = the setting without which the workspace cannot be asked from now on; empty = its embedder is known.
    """

    workspace: str
    before: str
    after: str
    n_embedded: int = 0
    n_done: int = 0
    n_total: int = 0
    switched: bool = False
    seconds: float = 0.0
    gain: EmbeddingGain | None = None
    to_set: str = ""


@dataclass(frozen=True)
class LackingVectors:
    """A document that has no whole set of vectors of the new embedder yet.

    ``stamp`` = what the document is made of; ``chunks`` = those that lack theirs, as many as were asked for;
    ``is_rest`` = with these nothing is lacking but the document's own.
    """

    document: StoredDocument
    stamp: str
    chunks: tuple[StoredChunk, ...]
    is_rest: bool


@dataclass(frozen=True, eq=False)
class NewVectors:
    """Vectors of the new embedder for a document that is made of ``stamp``, each of shape (dimension,).

    ``chunks``: chunk_index → vector. ``vector`` (of title and summary) comes with the last of them, and with it
    ``title_vector``, which a store keeps of a long document.
    """

    document_id: str
    stamp: str
    chunks: dict[int, Vector] = field(default_factory=dict)
    vector: Vector | None = None
    title_vector: Vector | None = None
