"""Imported relationships of documents that are stored already and not imported with them, in PostgreSQL."""

from __future__ import annotations

from collections.abc import Sequence

from docgraph.domain.decisions import is_reviewed
from docgraph.domain.graph import Relationship
from docgraph.plugins.stores._rows.batches import is_manual
from docgraph.plugins.stores._rows.decided import decide
from docgraph.plugins.stores._rows.history import no_start
from docgraph.plugins.stores.postgres.decisions import decisions_about, forget_contested_keys, put_contested
from docgraph.plugins.stores.postgres.writing import Writing, edge_of

_KEYS = "unnest(%s::text[], %s::text[], %s::text[]) AS k (f, t, d)"
_SAME = "e.from_document_id = k.f AND e.relation_type = k.t AND e.to_document_id = k.d"
_MISSING = """
SELECT min(f COLLATE "C") FROM unnest(%s::text[]) AS f
WHERE NOT EXISTS (SELECT 1 FROM {schema}.document_nodes WHERE document_id = f)"""
_THERE = f"""
SELECT e.from_document_id, e.relation_type, e.to_document_id, e.relationship_metadata
FROM {{schema}}.document_relationships e JOIN {_KEYS} ON {_SAME}"""
_DELETE = f"DELETE FROM {{schema}}.document_relationships e USING {_KEYS} WHERE {_SAME} RETURNING e.fingerprint"


def put_ingested(
    writing: Writing, workspace: str, edges: Sequence[Relationship], *, at: str
) -> tuple[Relationship, ...]:
    """Store ``edges``, whose starts the caller has locked, as far as decisions let it; those that came or changed."""
    missing = writing.rows(_MISSING, ([edge.from_document_id for edge in edges],))[0][0]
    if missing is not None:
        raise no_start(missing)
    keys = [edge.key for edge in edges]
    there = {row[:3]: edge_of(row) for row in writing.rows(_THERE, _columns(edges))}
    found = decide(
        edges,
        decisions_about(writing.connection, workspace, keys),
        manual={key for key, edge in there.items() if is_manual(edge)},
        reviewed={key: edge for key, edge in there.items() if is_reviewed(edge) and not is_manual(edge)},
        at=at,
        whole=False,
    )
    changed = [edge for edge in found.edges if there.get(edge.key) != edge]
    writing.change.edges_went(writing.rows(_DELETE, _columns(changed)))
    writing.copy_edges(changed)
    forget_contested_keys(writing.connection, workspace, keys)
    put_contested(writing.connection, workspace, found.contested)
    return tuple(changed)


def _columns(edges: Sequence[Relationship]) -> tuple[list[str], ...]:
    return tuple([edge.key[place] for edge in edges] for place in range(3))
