"""Pairs of related documents, one of each document, in an order that a seed decides."""

from __future__ import annotations

import heapq
from itertools import groupby

from docgraph.evaluation.own_questions import order
from docgraph.ports import Snapshot


def pairs_of(snapshot: Snapshot, name: str, n: int, *, seed: int) -> list[tuple[str, str]]:
    """(A, B) of one relationship of this type each of at most ``n`` documents, in the seed's order."""
    edges = snapshot.relationships(relation_type=name, dangling=False)
    ends = (e.key for e in edges if e.from_document_id != e.to_document_id)
    firsts = groupby(ends, key=lambda key: key[0])
    chosen = ((a, min((key[2] for key in keys), key=lambda b: order(seed, name, a, b))) for a, keys in firsts)
    return heapq.nsmallest(n, chosen, key=lambda pair: order(seed, name, pair[0]))
