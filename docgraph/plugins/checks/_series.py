"""Series of numbered documents, learnt from ids: ``eip`` where several documents are called ``…/eip-N``."""

from __future__ import annotations

from collections import defaultdict

from docgraph.domain.naming import numbered
from docgraph.ports import RelationshipGraph

Name = tuple[str, int]
"""(series in lower case, number)."""


def series_in(graph: RelationshipGraph, *, least: int) -> dict[Name, tuple[str, ...]]:
    """(series, number) → the documents that are called so, for series of enough documents."""
    called: dict[Name, list[str]] = defaultdict(list)
    members: dict[str, int] = defaultdict(int)
    for document_id in graph.each(sorted(graph.documents)):
        name = numbered(document_id)
        if name is not None:
            called[name].append(document_id)
            members[name[0]] += 1
    return {name: tuple(ids) for name, ids in called.items() if members[name[0]] >= least}


def ranges_of(series: dict[Name, tuple[str, ...]]) -> dict[str, tuple[int, int]]:
    """Series → its least and its greatest number."""
    found: dict[str, tuple[int, int]] = {}
    for word, number in series:
        least, most = found.get(word, (number, number))
        found[word] = (min(least, number), max(most, number))
    return found
