"""Names of documents and texts of relationships for the Plan page, read once a revision and kept."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import islice, pairwise

import streamlit as st

from docgraph.domain.graph import Relationship
from docgraph.domain.workspace import Workspace
from docgraph.ui.frame import escape, resources
from docgraph.views.plan.routes import Edge

MAX_LISTED = 2_000
"""Most documents in one drop-down; beyond it an id is typed."""


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


def document_names(workspace: Workspace) -> DocumentNames:
    """The documents of a workspace as it is now."""
    return _names(workspace.name, workspace.revision, workspace.n_documents)


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
    return _types(workspace.name, workspace.revision)


@st.cache_resource(max_entries=16, ttl="6h", show_spinner=False)
def _types(workspace: str, revision: str) -> dict[str, int]:
    del revision
    return resources.docgraph(workspace).relationships.types()


def provenance(workspace: Workspace, edges: Sequence[Edge]) -> dict[Edge, Relationship]:
    """The stored relationships behind the edges of one document's reasons."""
    return _provenance(workspace.name, workspace.revision, tuple(edges))


@st.cache_resource(max_entries=256, ttl="1h", show_spinner=False)
def _provenance(workspace: str, revision: str, edges: tuple[Edge, ...]) -> dict[Edge, Relationship]:
    del revision
    wanted, found = set(edges), {}
    opened = resources.docgraph(workspace)
    for source, via in sorted({(edge[0], edge[1]) for edge in edges}):
        for relationship in opened.relationships.list(document_id=source, relation_type=via):
            if relationship.key in wanted:
                found[relationship.key] = relationship
    return found
