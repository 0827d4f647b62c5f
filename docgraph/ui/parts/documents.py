"""What the pages read of documents and relationships, once for each revision: rows, names, types, provenance."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import islice, pairwise

import streamlit as st

from docgraph.domain.graph import Relationship, StoredDocument
from docgraph.domain.passages.beginnings import beginning_of
from docgraph.domain.workspace import Workspace
from docgraph.ui.frame import escape, resources
from docgraph.views.lanes.layout import Edge
from docgraph.views.words.provenance import MENTIONS

MAX_ROWS = 1_000
"""Most rows of one table; the page says when there are more and asks for a narrower filter."""

MAX_LISTED = 2_000
"""Most documents in one drop-down; beyond it an id is typed."""


@dataclass(frozen=True)
class Rows:
    """The first rows of a listing; ``complete`` is False when there are more than ``MAX_ROWS``."""

    documents: tuple[StoredDocument, ...]
    complete: bool


@dataclass(frozen=True)
class Edges:
    """The first edges of a listing, the keys of those among them without a target, and whether that is all.

    ``titles`` names their ends by document_id; a missing document has none.
    """

    relationships: tuple[Relationship, ...]
    dangling: frozenset[tuple[str, str, str]]
    complete: bool
    titles: Mapping[str, str]

    def title(self, document_id: str) -> str:
        """What a person knows the document by: its title, else its id."""
        return self.titles.get(document_id) or document_id


def document_rows(workspace: Workspace, *, doc_type: str | None, text: str) -> Rows:
    """Documents by id whose title or id contains ``text``."""
    return _document_rows(workspace.name, workspace.state, doc_type, text.strip() or None)


@st.cache_resource(max_entries=32, ttl="1h", show_spinner=False)
def _document_rows(name: str, revision: str, doc_type: str | None, text: str | None) -> Rows:
    del revision  # part of the key only
    found = tuple(islice(resources.docgraph(name).documents.list(doc_type=doc_type, text=text), MAX_ROWS + 1))
    return Rows(found[:MAX_ROWS], len(found) <= MAX_ROWS)


def doc_types(workspace: Workspace) -> tuple[str, ...]:
    """The document types among the first ``MAX_ROWS`` documents, sorted."""
    return tuple(sorted({row.doc_type for row in document_rows(workspace, doc_type=None, text="").documents} - {""}))


def edges(
    workspace: Workspace, *, document_id: str | None = None, relation_type: str | None = None, dangling: bool = False
) -> Edges:
    """Relationships by key: at one document (both ends), of one type, or only those without a target."""
    return _edges(workspace.name, workspace.state, document_id, relation_type, dangling)


@st.cache_resource(max_entries=64, ttl="1h", show_spinner=False)
def _edges(name: str, revision: str, document_id: str | None, relation_type: str | None, dangling: bool) -> Edges:
    del revision  # part of the key only
    docgraph = resources.docgraph(name)
    only = True if dangling else None
    found = tuple(
        islice(
            docgraph.relationships.list(document_id=document_id, relation_type=relation_type, dangling=only),
            MAX_ROWS + 1,
        )
    )
    loose = found if dangling else docgraph.relationships.list(document_id=document_id, dangling=True)
    kept = found[:MAX_ROWS]
    ends = sorted({end for edge in kept for end in (edge.from_document_id, edge.to_document_id)})
    titles = {i: document.title for i, document in docgraph.documents.by_id(ends).items()}
    return Edges(kept, frozenset(edge.key for edge in loose), len(found) <= MAX_ROWS, titles)


@dataclass(frozen=True)
class DocumentNames:
    """Ids of the workspace's documents with their titles, by title; ``complete`` = nobody is left out."""

    titles: dict[str, str]
    total: int

    @property
    def ids(self) -> list[str]:
        """Ids in the order of their titles."""
        return list(self.titles)

    @property
    def complete(self) -> bool:
        """Whether every document is listed."""
        return len(self.titles) == self.total

    def title(self, document_id: str) -> str:
        """The title, or the id of a document that has none or is not listed."""
        return self.titles.get(document_id) or document_id

    def with_id(self, document_id: str) -> str:
        """``Queue design · design-queue``: for a box in which one may type either."""
        title, shown = self.title(document_id), escape.plain(document_id)
        return title if shown in title else f"{title} · {shown}"


def document_names(workspace: Workspace) -> DocumentNames:
    """The documents of a workspace as it is now."""
    return _names(workspace.name, workspace.state, workspace.n_documents)


@st.cache_resource(max_entries=16, ttl="6h", show_spinner=False)
def _names(workspace: str, revision: str, total: int) -> DocumentNames:
    del revision  # part of the key only
    documents = islice(resources.docgraph(workspace).documents.list(), MAX_LISTED)
    found = sorted((escape.plain(d.title or d.document_id), d.document_id) for d in documents)
    shared = {title for (title, _), (after, _) in pairwise(found) if title == after}
    # A drop-down tells its options apart by their words, so equal titles carry their ids.
    titles = {i: f"{title} ({escape.plain(i)})" if title in shared else title for title, i in found}
    return DocumentNames(titles, total)


def relation_types(workspace: Workspace) -> dict[str, int]:
    """relation_type → edges in the workspace as it is now."""
    return _types(workspace.name, workspace.state)


@st.cache_resource(max_entries=16, ttl="6h", show_spinner=False)
def _types(workspace: str, revision: str) -> dict[str, int]:
    del revision
    return resources.docgraph(workspace).relationships.types()


def provenance(workspace: Workspace, edges: Sequence[Edge]) -> dict[Edge, Relationship]:
    """The stored relationships behind these edges, and the mentions of their targets by the same documents."""
    return _provenance(workspace.name, workspace.state, tuple(edges))


@st.cache_resource(max_entries=256, ttl="1h", show_spinner=False)
def _provenance(workspace: str, revision: str, edges: tuple[Edge, ...]) -> dict[Edge, Relationship]:
    del revision
    wanted, found = {*edges, *((edge[0], MENTIONS, edge[2]) for edge in edges)}, {}
    opened = resources.docgraph(workspace)
    for source, via in sorted({(edge[0], edge[1]) for edge in wanted}):
        for relationship in opened.relationships.list(document_id=source, relation_type=via):
            if relationship.key in wanted:
                found[relationship.key] = relationship
    return found


def section_chunks(workspace: Workspace, document_id: str, sections: Sequence[str]) -> dict[str, str]:
    """Heading path → id of the chunk in which that section of a document begins; those that are gone are left out."""
    return _section_chunks(workspace.name, workspace.state, document_id, tuple(sections)) if sections else {}


@st.cache_resource(max_entries=256, ttl="1h", show_spinner=False)
def _section_chunks(workspace: str, revision: str, document_id: str, sections: tuple[str, ...]) -> dict[str, str]:
    del revision
    chunks = resources.docgraph(workspace).documents.chunks(document_id)
    found = {section: beginning_of(section, chunks) for section in sections}
    return {section: chunk.chunk_id for section, chunk in found.items() if chunk is not None}
