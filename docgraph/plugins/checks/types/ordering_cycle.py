"""Circles of relationships that put documents into an order."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from docgraph.domain.finding import Finding
from docgraph.domain.overrides import EdgeKey
from docgraph.domain.spelling import plain
from docgraph.plugins.checks._check import BaseCheck
from docgraph.plugins.checks._circles import components, shortest_way, successors_of
from docgraph.plugins.checks._wording import MAX_NAMED, counted
from docgraph.plugins.checks.types._inverses import INVERSES, families, spelt
from docgraph.ports import Outcome, RelationshipGraph

ORDERING = ("supersedes", "replaces", "obsoletes", "amends", "updates", "derived_from", "part_of", "requires")
MAX_STEPS = 200_000
"""Relationships that the search for a shortest circle may walk over in one component, roughly."""

Steps = dict[tuple[str, str], EdgeKey]
"""(from, to) → the relationship that says so; one that says it backwards is stored the other way round."""


class OrderingCycle(BaseCheck):
    """A strongly connected component of one ordering type and its inverses: no order of its documents can be right."""

    check_id = "ordering_cycle"
    title = "Circular chain"
    severity = "error"
    why = "If A supersedes B and B supersedes A, it is unclear which one is current."
    parameters: Mapping[str, Any] = {"ordering_types": ORDERING, "inverse_pairs": INVERSES}

    def find(self, graph: RelationshipGraph, parameters: Mapping[str, Any]) -> Outcome:
        """One finding a component, naming a shortest circle in it; in very large components a short one."""
        n_checked, findings = 0, []
        by_type: dict[str, list[EdgeKey]] = {}
        for edge in graph.each(graph.typed):
            if edge.from_document_id != edge.to_document_id:
                by_type.setdefault(edge.relation_type, []).append(edge.key)
        for forward, backward in _orders(graph.types, parameters["ordering_types"], parameters["inverse_pairs"]):
            edges = [key for name in forward | backward for key in by_type.get(name, ())]
            n_checked += len(edges)
            steps: Steps = {}
            for start, via, end in graph.each(sorted(edges)):
                steps.setdefault((start, end) if via in forward else (end, start), (start, via, end))
            findings += [self._finding(graph, steps, circle, n_documents=n) for circle, n in _circles(steps, graph)]
        return Outcome(n_checked, findings, "" if n_checked else "no relationship has an ordering type")

    def _finding(self, graph: RelationshipGraph, steps: Steps, circle: Sequence[str], *, n_documents: int) -> Finding:
        keys = tuple(steps[pair] for pair in zip(circle, [*circle[1:], circle[0]], strict=True))
        said = ", ".join(graph.sentence(key) for key in keys[:MAX_NAMED])
        more = f", and {len(keys) - MAX_NAMED:,} more" if len(keys) > MAX_NAMED else ""
        around = f"; {counted(n_documents, 'document')} are connected like this" if n_documents > len(circle) else ""
        sentence = f"{said}{more}: a circular chain of {counted(len(circle), 'document')}{around}"
        return self.finding(sentence, relationships=keys)


def _orders(
    names: Mapping[str, int], types: Sequence[str], pairs: Sequence[Sequence[str]]
) -> Iterator[tuple[frozenset[str], frozenset[str]]]:
    """(types as written, types that say it backwards) of every order that the corpus has."""
    wanted = {plain(name): name for name in types}
    for family in families(pairs):
        if any(plain(name) in wanted for pair in family for name in pair):
            forward = spelt(names, (pair[0] for pair in family))
            for name in (name for pair in family for name in pair):
                wanted.pop(plain(name), None)
            yield forward, spelt(names, (pair[1] for pair in family)) - forward
    for name in wanted.values():
        yield spelt(names, (name,)), frozenset()


def _circles(steps: Steps, graph: RelationshipGraph) -> Iterator[tuple[list[str], int]]:
    """(a shortest circle from its first id on, number of documents) of every component of two documents or more."""
    whole = successors_of(graph.each(sorted(steps)))
    found = [each for each in graph.each(components(whole)) if len(each) > 1]
    place = {document_id: i for i, component in enumerate(found) for document_id in component}
    inner: list[list[tuple[str, str]]] = [[] for _ in found]
    for start, end in graph.each(sorted(steps)):
        if start in place and place[start] == place.get(end):
            inner[place[start]].append((start, end))
    for component, pairs in zip(found, inner, strict=True):
        yield _shortest(pairs), len(component)


def _shortest(pairs: Sequence[tuple[str, str]]) -> list[str]:
    """Of the circles through the first steps, as many as the bound allows, a shortest one; two documents if it can."""
    there = set(pairs)
    for start, end in pairs:
        if start < end and (end, start) in there:
            return [start, end]
    component = successors_of(pairs)
    found = (shortest_way(component, end, start) for start, end in pairs[: max(1, MAX_STEPS // len(pairs))])
    circle: list[str] = min(found, key=len)
    first = circle.index(min(circle))
    return circle[first:] + circle[:first]


build = OrderingCycle
