"""Writing into the reference store: a content goes in, and another comes out."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace

from docgraph.domain.decisions import decisions
from docgraph.domain.graph import PreparedDocument, Relationship, RestatedDocument
from docgraph.domain.overrides import EdgeKey
from docgraph.domain.revision import (
    document_fingerprint,
    moved,
    moved_relationships,
    moved_vectors,
    relationship_fingerprint,
    with_vectors,
)
from docgraph.plugins.stores._rows.decided import decide, reviewed_of
from docgraph.plugins.stores._rows.history import no_start
from docgraph.plugins.stores._rows.ready import placed_anew
from docgraph.plugins.stores._rows.writing import RESTATED, is_manual
from docgraph.plugins.stores.memory.reading import Content


def replaced(content: Content, changed: Sequence[PreparedDocument], *, at: str) -> Content:
    """Put whole documents in the place of what was there; what people decided about relationships stands."""
    ids = {p.document.document_id for p in changed}
    there = [edge for edge in content.edges.values() if edge.from_document_id in ids]
    imported = [edge for edge in there if not is_manual(edge)]
    found = decide(
        (edge for p in changed for edge in p.relationships),
        decisions(content.history),
        manual={edge.key for edge in there if is_manual(edge)},
        reviewed=reviewed_of(imported),
        at=at,
    )
    removed = [_fingerprint(content.documents[i]) for i in ids if i in content.documents]
    added = list(map(_fingerprint, changed))
    contested = {key: each for key, each in content.contested.items() if key[0] not in ids}
    content = replace(
        content,
        documents=dict(content.documents) | {p.document.document_id: p for p in changed},
        contested=contested | {each.relationship.key: each for each in found.contested},
        revision=moved(content.revision, added=added, removed=removed),
        vectors=moved_vectors(content.vectors, added=added, removed=removed),
    )
    return with_edges(content, added=found.edges, removed=[edge.key for edge in imported])


def restated(content: Content, batch: Sequence[RestatedDocument], *, at: str) -> Content:
    """Put what is said of stored documents in the place of what was said; chunks and vectors stay."""
    changed = [
        replace(
            content.documents[each.document_id],
            document=content.documents[each.document_id].document.model_copy(
                update={name: getattr(each, name) for name in RESTATED}
            ),
            chunks=placed_anew(content.documents[each.document_id].chunks, each.chunks),
            relationships=each.relationships,
            hashes=each.hashes,
        )
        for each in batch
    ]
    return replaced(content, changed, at=at)


def stated(content: Content, edges: Sequence[Relationship], *, at: str) -> tuple[Content, tuple[Relationship, ...]]:
    """Import relationships beside those that are there; and those that came or changed. Raises NotFoundError."""
    for edge in edges:
        if edge.from_document_id not in content.documents:
            raise no_start(edge.from_document_id)
    there = {edge.key: content.edges[edge.key] for edge in edges if edge.key in content.edges}
    found = decide(
        edges,
        decisions(content.history),
        manual={key for key, edge in there.items() if is_manual(edge)},
        reviewed=reviewed_of(edge for edge in there.values() if not is_manual(edge)),
        at=at,
        whole=False,
    )
    changed = tuple(edge for edge in found.edges if there.get(edge.key) != edge)
    keys = {edge.key for edge in edges}
    contested = {key: each for key, each in content.contested.items() if key not in keys}
    contested |= {each.relationship.key: each for each in found.contested}
    content = replace(content, contested=contested)
    return with_edges(content, added=changed, removed=[edge.key for edge in changed]), changed


def with_edges(content: Content, *, added: Sequence[Relationship], removed: Sequence[EdgeKey]) -> Content:
    """The content without ``removed`` (as far as they are there) and with ``added``."""
    gone = set(removed)
    lost = [content.edges[key] for key in gone if key in content.edges]
    edges = {key: edge for key, edge in content.edges.items() if key not in gone}
    came, went = list(map(relationship_fingerprint, added)), list(map(relationship_fingerprint, lost))
    return replace(
        content,
        edges=edges | {e.key: e for e in added},
        revision=moved(content.revision, added=came, removed=went),
        relationships=moved_relationships(content.relationships, added=came, removed=went),
    )


def without(content: Content, document_ids: Collection[str]) -> Content:
    """The content without these documents, their outgoing relationships and what was contested of them."""
    gone = {i for i in document_ids if i in content.documents}
    lost = [relationship_fingerprint(edge) for edge in content.edges.values() if edge.from_document_id in gone]
    removed = [_fingerprint(content.documents[i]) for i in gone]
    return replace(
        content,
        documents={i: p for i, p in content.documents.items() if i not in gone},
        edges={key: edge for key, edge in content.edges.items() if edge.from_document_id not in gone},
        contested={key: each for key, each in content.contested.items() if key[0] not in gone},
        revision=moved(content.revision, removed=[*removed, *lost]),
        relationships=moved_relationships(content.relationships, removed=lost),
        vectors=moved_vectors(content.vectors, removed=removed),
    )


def _fingerprint(prepared: PreparedDocument) -> int:
    return with_vectors(document_fingerprint(prepared), prepared)
