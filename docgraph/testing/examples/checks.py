"""Graphs for tests of checks: one made of keys in a line, one full of faults, one with nothing in it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Literal

import numpy as np

from docgraph.domain.curation import Contested
from docgraph.domain.graph import Relationship, StoredDocument
from docgraph.domain.overrides import EdgeKey
from docgraph.ports import MENTIONS, Reach, RelationshipGraph

Keys = Iterable[tuple[str, str, str]]

EMPTY = RelationshipGraph(documents={}, relationships=())
"""No document and no relationship."""

HOSTILE_TITLES = ("<script>alert(1)</script>", "| a | b |", "[click](javascript:x)", "\u202eevil", "'; DROP TABLE x;")


def stored(document_id: str, **fields: Any) -> StoredDocument:
    """A stored document with one chunk; the title defaults to words made of the id."""
    made = {"title": document_id.replace("-", " ").title(), "content_hash": f"hash-{document_id}", "n_chunks": 1}
    return StoredDocument(document_id=document_id, **{**made, **fields})


def graph_of(
    keys: Keys,
    *,
    documents: Iterable[StoredDocument | str] | None = None,
    texts: Mapping[str, str] | None = None,
    fired: Mapping[EdgeKey, int] | None = None,
    n_questions: int = 0,
    **fields: Any,
) -> RelationshipGraph:
    """A graph of (from, type, to) keys.

    ``documents`` default to every id that the keys name, so that nothing dangles; names stand for documents with that
    id. ``texts`` = relation type → text of its relationships. ``fired`` = in how many of the ``n_questions`` saved
    questions each relationship brought its target in. ``fields`` are those of the graph: ``mentions`` default to the
    relationships of the type ``mentions``.
    """
    edges = [
        Relationship(
            from_document_id=start,
            relation_type=via,
            to_document_id=end,
            relationship_metadata={"text": texts[via]} if texts and via in texts else {},
        )
        for start, via, end in sorted(keys)
    ]
    given = {end for edge in edges for end in (edge.key[0], edge.key[2])} if documents is None else documents
    there = [stored(each) if isinstance(each, str) else each for each in given]
    fields.setdefault("reach", tuple(_reach(fired or {}, i) for i in range(n_questions)))
    fields.setdefault("mentions", frozenset((e.key[0], e.key[2]) for e in edges if e.relation_type == MENTIONS))
    return RelationshipGraph(
        documents={each.document_id: each for each in sorted(there, key=lambda each: each.document_id)},
        relationships=tuple(edges),
        **fields,
    )


def _reach(fired: Mapping[EdgeKey, int], place: int) -> Reach:
    """A question that consults the starts of what fired in more than ``place`` questions."""
    keys = frozenset(key for key, n in fired.items() if n > place)
    starts, ends = (frozenset(key[end] for key in keys) for end in (0, 2))
    return Reach(consulted=starts, planned=starts | ends, fired=keys)


FAULTY_EDGES = frozenset(
    {
        *((f"guide-{i}", "explains", f"adr-{i}") for i in range(8)),
        ("adr-8", "explains", "guide-8"),
        ("guide-0", "explain", "adr-1"),
        ("guide-0", "explain", "adr-0"),
        ("svc-0", "dependson", "svc-1"),
        *((f"svc-{i}", "depends_on", f"svc-{i + 1}") for i in range(4)),
        ("svc-1", "depends_on", "svc-0"),
        ("svc-2", "depends_on", "svc-2"),
        ("svc-0", "implements", "svc-1"),
        ("adr-0", "supersedes", "adr-1"),
        ("adr-1", "supersedes", "adr-2"),
        ("adr-2", "supersedes", "adr-0"),
        *((f"adr-{i}", "superseded_by", f"adr-{i + 1}") for i in range(3, 7)),
        *((f"adr-{i + 1}", "supersedes", f"adr-{i}") for i in range(3, 6)),
        ("guide-0", "references", "adr-3"),
        ("guide-1", "references", "adr-01x"),
        ("guide-2", "references", "nowhere"),
        ("gone", "references", "adr-1"),
        *(("hub", "references", f"adr-{i}") for i in range(9)),
        ("guide-3", MENTIONS, "adr-4"),
        ("guide-0", MENTIONS, "adr-0"),
        ("guide-4", MENTIONS, "guide-4"),
    }
)
"""One edge, or a few, for every fault of the structure."""


def faulty_graph() -> RelationshipGraph:
    """Every fault that the shipped checks look for, among documents with hostile titles."""
    kinds = {"adr": "decision", "guide": "guide", "svc": "service", "hub": "guide"}
    ids = sorted({f"adr-{i}" for i in range(9)} | {f"guide-{i}" for i in range(9)} | {f"svc-{i}" for i in range(5)})
    documents = [
        stored(
            each,
            doc_type=kinds.get(each.split("-")[0], ""),
            n_chunks=0 if each == "adr-5" else 2,
            title=HOSTILE_TITLES[i] if i < len(HOSTILE_TITLES) else each.upper(),
            metadata={"status": "superseded" if each == "adr-3" else "accepted"},
        )
        for i, each in enumerate([*ids, "hub", "orphan", "orphan-2"])
    ]
    types = sorted({key[1] for key in FAULTY_EDGES})
    vectors = np.eye(len(types), dtype=np.float32)
    close = {"explain": "explains", "dependson": "depends_on"}
    return graph_of(
        FAULTY_EDGES,
        documents=documents,
        n_questions=4,
        fired={("guide-0", "explains", "adr-0"): 3},
        reviewed={
            ("guide-1", "explains", "adr-1"): ("hash-guide-1", "another"),
            ("guide-2", "explains", "adr-2"): ("hash-guide-2", "hash-adr-2"),
        },
        type_vectors={name: vectors[types.index(close.get(name, name))] for name in types},
        contested=(
            contested("guide-2", "explains", "adr-2", kind="unstated"),
            contested("guide-5", "decided_by", "adr-5", before={"text": "before"}, text="<b>now</b>"),
            contested("guide-6", "decided_by", "adr-6", before={"text": "same"}, text="same"),
            contested("guide-7", "decided_by", "nowhere", before={}, text="now"),
        ),
    )


def contested(
    start: str,
    via: str,
    end: str,
    *,
    kind: Literal["stated", "unstated"] = "stated",
    before: Mapping[str, Any] | None = None,
    after: Relationship | None = None,
    **metadata: Any,
) -> Contested:
    """A relationship about which an import and a decision disagree; ``before`` = its metadata when it was decided."""
    edge = Relationship(from_document_id=start, relation_type=via, to_document_id=end, relationship_metadata=metadata)
    was = None if before is None else edge.model_copy(update={"relationship_metadata": dict(before)})
    return Contested(kind=kind, relationship=edge, entry_id=1, before=was, after=after)
