"""Documents, chunks and relationships: what a workspace holds."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Annotated, Any, TypeAlias

from pydantic import Field, StringConstraints

from docgraph.domain.anchors import MAX_ANCHOR, section_name
from docgraph.domain.frozen import Frozen, is_none

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Vector: TypeAlias = NDArray[np.float32]
    """One embedding: shape (dimension,), float32, unit length."""

    Vectors: TypeAlias = NDArray[np.float32]
    """Embeddings of several texts: shape (n, dimension), float32, each row of unit length."""
else:  # a question from the shell waits longer for numpy than for its answer
    Vector = Vectors = Any

MAX_ID_LENGTH = 512
MAX_TITLE = 500
MAX_PLACE = 2**31 - 1
"""The largest number of a place: what a database keeps in four bytes."""
SECTIONS = "sections"
"""Field of a relationship's metadata: the sections of its target that it points to."""
MAX_SECTIONS = 20
"""Sections that are kept of one relationship, the first ones."""
MAX_METADATA_DEPTH = 30
"""Levels of nesting in a document's metadata."""
Identifier = Annotated[str, StringConstraints(min_length=1, max_length=MAX_ID_LENGTH, pattern=r"^[^\x00-\x1f\x7f]+$")]
"""An id as it stands in SQL, Python, JSON and on the screen: 1–512 characters, none of them a control character."""

RelationType = Annotated[str, StringConstraints(min_length=1, max_length=100, pattern=r"^[^\x00-\x1f\x7f]+$")]


class DocumentRef(Frozen):
    """Names a document: its id and the title a person knows it by."""

    document_id: Identifier
    title: str


class ChunkPlace(Frozen):
    """Where a text stands in its source: the characters ``start`` to ``end`` (excluded), counted from 0.

    They count in the source as it was read: decoded, with Unix newlines, front matter and headers included; of a record
    in its own text, of a PDF in the text of all pages. ``line`` (of a text) and ``page`` (of a PDF) are those at which
    it begins, counted from 1; None = the source has none.
    """

    start: int = Field(ge=0, le=MAX_PLACE)
    end: int = Field(ge=0, le=MAX_PLACE)
    line: int | None = Field(default=None, ge=1, le=MAX_PLACE)
    page: int | None = Field(default=None, ge=1, le=MAX_PLACE)


class Section(Frozen):
    """A stretch of a document's text under one heading; ``heading_path`` goes from the outermost heading inwards.

    ``place`` = where exactly this text stands in its source; None = not known, or put together from other texts.
    """

    heading_path: tuple[str, ...] = ()
    text: str
    place: ChunkPlace | None = Field(default=None, exclude_if=is_none)


class Chunk(Frozen):
    """A piece of a document that is embedded and retrieved as one; ``chunk_index`` counts from 0 in text order.

    ``place`` = where it stands in its source, as far as that is known.
    """

    chunk_id: Identifier
    chunk_index: int = Field(ge=0)
    text: str
    heading_path: tuple[str, ...] = ()
    token_count: int = Field(ge=0)
    vector: tuple[float, ...] | None = None
    place: ChunkPlace | None = Field(default=None, exclude_if=is_none)


class SectionRef(Frozen):
    """A section that a relationship points to: the ``anchor`` as it is written, and the ``heading`` path that it names.

    ``heading`` is empty for the beginning of the document; None = no section of that name was there at the import.
    """

    anchor: str = Field(min_length=1, max_length=MAX_ANCHOR)
    heading: str | None = Field(default=None, exclude_if=is_none)

    @property
    def name(self) -> str:
        """The heading as a reader knows it; empty where there is none."""
        return section_name(self.heading) if self.heading else ""


class Relationship(Frozen):
    """A typed edge from one document to another; its key is (from_document_id, relation_type, to_document_id).

    ``to_document_id`` may name a document that does not exist: a *dangling* edge is data to be checked, not an error.
    ``relationship_metadata`` keeps the provenance: ``extractor`` (its name), ``place`` (``front_matter``, ``header``,
    ``body`` …), ``order`` and, where there is one, ``text`` (the sentence that names the target). ``sections`` are the
    sections of the target that it points to; they are no part of its key.
    """

    from_document_id: Identifier
    relation_type: RelationType
    to_document_id: Identifier
    relationship_metadata: dict[str, Any] = Field(default_factory=dict)

    @property
    def key(self) -> tuple[str, str, str]:
        """(from_document_id, relation_type, to_document_id): unique in a workspace, and the order of expansion."""
        return (self.from_document_id, self.relation_type, self.to_document_id)

    @property
    def sections(self) -> tuple[SectionRef, ...]:
        """The sections of the target that it points to, in the order of the text; what is none is passed over."""
        given = self.relationship_metadata.get(SECTIONS)
        return tuple(filter(None, map(_section_ref, given[:MAX_SECTIONS]))) if isinstance(given, list | tuple) else ()


def _section_ref(given: object) -> SectionRef | None:
    """Metadata can hold anything: what is no section says nothing."""
    anchor, heading = (given.get("anchor"), given.get("heading")) if isinstance(given, dict) else (None, None)
    if not isinstance(anchor, str) or not 0 < len(anchor) <= MAX_ANCHOR:
        return None
    return SectionRef(anchor=anchor, heading=heading if isinstance(heading, str) else None)


class Document(Frozen):
    """A document as it is given to ingestion: by a loader, or by a caller of ``ingest_records``.

    ``text`` or ``sections`` is split into chunks unless ``chunks`` is given. ``vector`` (of the summary) and the
    chunks' vectors are computed unless they are given; given ones must have the workspace's width.
    """

    document_id: Identifier
    title: str
    text: str = ""
    sections: tuple[Section, ...] = ()
    summary: str = ""
    source: str = ""
    doc_type: str = ""
    ingestion_id: str = ""
    metadata: dict[str, Any] = Field(default_factory=dict)
    chunks: tuple[Chunk, ...] | None = None
    vector: tuple[float, ...] | None = None


class StoredDocument(Frozen):
    """A document as a workspace holds it, without its chunks; ``n_chunks`` counts them.

    ``content_hash`` (hex) is another one exactly when title or text are: what was judged by the text asks for it.
    """

    document_id: Identifier
    title: str
    summary: str = ""
    source: str = ""
    doc_type: str = ""
    ingestion_id: str = ""
    headings: tuple[str, ...] = ()
    metadata: dict[str, Any] = Field(default_factory=dict)
    content_hash: str = ""
    n_chunks: int = 0
    n_tokens: int = 0


class StoredChunk(Frozen):
    """A chunk as a workspace holds it, without its vector.

    ``place`` = where it stands in its source: what stands there is its text, but for white space and for what the cut
    itself wrote (headings of merged sections, repeated heading rows, fences). None = not known.
    """

    document_id: Identifier
    chunk_id: Identifier
    chunk_index: int
    text: str
    heading_path: tuple[str, ...] = ()
    token_count: int
    place: ChunkPlace | None = Field(default=None, exclude_if=is_none)


@dataclass(frozen=True)
class ImportHashes:
    """What an import had in its hands when a document was stored, each SHA-256 in hex; "" = not known, equal to none.

    ``text`` covers title and text. ``embedded`` covers everything that is cut into chunks, summarised and embedded, and
    how. ``stated`` covers all that was said of the document, with relationships, metadata and place.
    """

    text: str = ""
    embedded: str = ""
    stated: str = ""


@dataclass(frozen=True, eq=False)
class PreparedDocument:
    """A document ready to be written as a whole: its row, its chunks with vectors, its outgoing relationships.

    ``vector`` has shape (dimension,), ``chunk_vectors`` (len(chunks), dimension); ``relationships`` all start here.
    ``title_vector``, shape (dimension,), is that of a long document's title (``domain.document_vector``): of summary
    and title the more similar to a question counts. None = the summary does; a store keeps none of a short document.
    """

    document: StoredDocument
    vector: Vector
    chunks: tuple[StoredChunk, ...]
    chunk_vectors: Vectors
    relationships: tuple[Relationship, ...] = field(default=())
    hashes: ImportHashes = field(default=ImportHashes())
    title_vector: Vector | None = None


@dataclass(frozen=True)
class RestatedDocument:
    """What is said anew of a stored document whose title, text and vectors stay.

    ``there`` = the hash ``embedded`` that is stored with it: over another one nothing is said. ``chunks`` are those of
    the text as it stands now: a stored chunk with the same index and text gets their place, any other one has none.
    """

    document_id: str
    there: str
    content_hash: str
    source: str
    doc_type: str
    ingestion_id: str
    metadata: dict[str, Any]
    relationships: tuple[Relationship, ...]
    hashes: ImportHashes
    chunks: tuple[StoredChunk, ...] = ()
