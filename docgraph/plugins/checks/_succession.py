"""Which documents were replaced by which, as relationships and the documents' own status say."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from docgraph.domain import standing
from docgraph.domain.graph import Relationship, StoredDocument
from docgraph.domain.imports.fields import status_word as status_of
from docgraph.plugins.checks._circles import components, successors_of
from docgraph.ports import RelationshipGraph

OLD_TO_NEW, NEW_TO_OLD = frozenset(standing.OLD_TO_NEW), frozenset(standing.NEW_TO_OLD)
"""Types that lead from what was replaced to what replaced it, and the other way round."""


@dataclass(frozen=True)
class Succession:
    """``successors`` = replaced document → what replaced it at once, by id; ``last`` = the end of that line, where one
    document follows the other and the last is stored."""

    successors: Mapping[str, tuple[str, ...]]
    last: Mapping[str, str]


def is_succession(relation_type: str) -> bool:
    """Whether relationships of this type say that one document replaced the other."""
    return type_name(relation_type) in OLD_TO_NEW | NEW_TO_OLD


def type_name(relation_type: str) -> str:
    """``Superseded-By`` → ``superseded_by``."""
    return relation_type.casefold().replace("-", "_").replace(" ", "_")


def old_and_new(edge: Relationship) -> tuple[str, str]:
    """(what was replaced, what replaced it) of a succession."""
    start, via, end = edge.key
    return (start, end) if type_name(via) in OLD_TO_NEW else (end, start)


def succession_of(graph: RelationshipGraph) -> Succession:
    """Who replaced whom. Documents that replace each other in a circle replace nobody there: it cannot be told who."""
    pairs = set(_old_and_new(graph))
    successors: dict[str, list[str]] = {}
    if pairs:
        circle = _circles(pairs, graph)
        for old, new in graph.each(sorted(pairs)):
            if circle[old] != circle[new]:
                successors.setdefault(old, []).append(new)
    return Succession({old: tuple(new) for old, new in successors.items()}, _ends(successors))


def status_word(document: StoredDocument) -> str:
    """First word of the status that the document's metadata (or its header) gives, in lower case; empty: none."""
    return status_of(document.metadata)


def _old_and_new(graph: RelationshipGraph) -> Iterator[tuple[str, str]]:
    for edge in graph.each(graph.typed):
        start, via, end = edge.key
        if start != end and start in graph.documents and end in graph.documents and is_succession(via):
            yield old_and_new(edge)


def _circles(pairs: Iterable[tuple[str, str]], graph: RelationshipGraph) -> dict[str, int]:
    """document_id → number of its strongly connected component: one document, or all those of a circle."""
    found = components(successors_of(graph.each(sorted(pairs))))
    return {document_id: number for number, component in enumerate(graph.each(found)) for document_id in component}


def _ends(successors: Mapping[str, list[str]]) -> dict[str, str]:
    """Where each line of single successors ends; a line that forks has no end. Every document is walked over once."""
    ends: dict[str, str | None] = {}
    for old in successors:
        line: list[str] = []
        here = old
        while here not in ends and len(successors.get(here, ())) == 1:
            line.append(here)
            here = successors[here][0]
        end = ends.get(here) if here in ends else None if here in successors else here
        ends.update(dict.fromkeys(line, end))
        ends.setdefault(old, None)
    return {old: end for old, end in ends.items() if end is not None}
