"""Edits and their history in the reference store: one new content holds both, so neither is there without the other."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from docgraph.domain.graph import Relationship
from docgraph.domain.history import HistoryEntry
from docgraph.domain.overrides import EdgeKey
from docgraph.domain.revision import moved, moved_relationships, relationship_fingerprint
from docgraph.plugins.stores._rows.history import (
    already_there,
    check_unchanged,
    check_undoes,
    entries_of,
    no_start,
    ready_changes,
)
from docgraph.plugins.stores._rows.moving import following
from docgraph.plugins.stores.memory.reading import Content
from docgraph.plugins.stores.memory.writing import with_edges
from docgraph.ports import EdgeChange


def changed(content: Content, changes: Sequence[EdgeChange], *, at: str, by: str, reason: str) -> Content:
    """The content after all ``changes``, with their entries at the end of its history. Raises as the port says."""
    edges, touched = dict(content.edges), dict[EdgeKey, None]()
    for change in changes:
        if change.before is not None:
            check_unchanged(change.before, edges.pop(change.before.key, None))
            touched[change.before.key] = None
        if change.after is not None:
            _put(edges, change.after, content)
            touched[change.after.key] = None
    came = [relationship_fingerprint(edges[key]) for key in touched if key in edges]
    went = [relationship_fingerprint(content.edges[key]) for key in touched if key in content.edges]
    new = entries_of(changes, first=len(content.history) + 1, at=at, by=by, reason=reason)
    return replace(
        content,
        edges=edges,
        history=_with_undone(content.history, new),
        revision=moved(content.revision, added=came, removed=went),
        relationships=moved_relationships(content.relationships, added=came, removed=went),
    )


def carried_over(content: Content, moves: Mapping[str, str], *, at: str, by: str) -> Content:
    """The content with what was decided about the old ids under the new ones; the old documents are still there."""
    ends = {*moves, *moves.values()}
    found = following(
        moves,
        [edge for edge in content.edges.values() if ends & {edge.from_document_id, edge.to_document_id}],
        content.history,
        content_hashes={i: prepared.document.content_hash for i, prepared in content.documents.items()},
    )
    cleared = with_edges(content, added=found.put, removed=found.cleared)
    return changed(cleared, ready_changes(found.changes), at=at, by=by, reason="") if found.changes else cleared


def found(
    content: Content, *, key: EdgeKey | None, document_id: str | None, limit: int, before: int | None
) -> tuple[HistoryEntry, ...]:
    """Entries, newest first."""
    rows = (
        entry
        for entry in reversed(content.history)
        if (before is None or entry.entry_id < before)
        and (key is None or key in entry.keys)
        and (document_id is None or any(document_id in (k[0], k[2]) for k in entry.keys))
    )
    return tuple(entry for _, entry in zip(range(limit), rows, strict=False))


def _put(edges: dict[EdgeKey, Relationship], edge: Relationship, content: Content) -> None:
    if edge.from_document_id not in content.documents:
        raise no_start(edge.from_document_id)
    if edge.key in edges:
        raise already_there(edge.key)
    edges[edge.key] = edge


def _with_undone(history: Sequence[HistoryEntry], new: Sequence[HistoryEntry]) -> tuple[HistoryEntry, ...]:
    entries = list(history)
    for entry in new:
        if entry.undoes is not None:
            check_undoes(entry.undoes, {each.entry_id: each.undone_by for each in entries})
            entries[entry.undoes - 1] = entries[entry.undoes - 1].model_copy(update={"undone_by": entry.entry_id})
        entries.append(entry)
    return tuple(entries)
