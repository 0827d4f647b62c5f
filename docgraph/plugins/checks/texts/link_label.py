"""Finds links whose label names another document of the same series than the one that they lead to."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from docgraph.domain.edit import Edit
from docgraph.domain.finding import Cause, Finding, Severity
from docgraph.domain.graph import Relationship
from docgraph.domain.overrides import EdgeKey
from docgraph.plugins.checks._series import Name, name_of, series_in
from docgraph.ports import Outcome, RelationshipGraph

_LINK = re.compile(r"\[([^\[\]]{1,80})\]\(([^()\s]{1,300})\)")
MAX_TEXT = 4_000
"""Characters of one sentence that are looked at."""


@dataclass(frozen=True)
class LinkLabel:
    """Series are learnt from ids: ``eip`` where at least ``min_series`` documents are called ``…/eip-N``.

    Read is the sentence that an import keeps as the evidence of a relationship, so a link that only stands in a later
    sentence is not seen.
    """

    check_id: str = "link_label"
    title: str = "Label names another document"
    severity: Severity = "warning"
    why: str = "A reader is told of one document and sent to another; the plan follows the link, not the label."
    unit: str = "relationships"
    causes: tuple[Cause, ...] = ()
    parameters: Mapping[str, Any] = field(default_factory=lambda: {"min_series": 3})

    def find(self, graph: RelationshipGraph, parameters: Mapping[str, Any]) -> Outcome:
        """One finding a relationship; the fix points it at the one document that the label names."""
        series = series_in(graph, least=parameters["min_series"])
        if not series:
            return Outcome(0, skipped="no series of numbered documents")
        keys, names = {edge.key for edge in graph.relationships}, {name for name, _ in series}
        n_checked, findings = 0, []
        for edge in graph.each(graph.typed):
            target = name_of(edge.to_document_id)
            if target is None or target[0] not in names:
                continue
            n_checked += 1
            label = next((said for said in _labels(edge) if said[0] == target[0] and said[1] != target[1]), None)
            if label is not None:
                findings.append(self._finding(graph, edge, label, meant=series.get(label, ()), keys=keys))
        return Outcome(n_checked, findings, "" if n_checked else "no relationship leads into a series")

    def _finding(
        self, graph: RelationshipGraph, edge: Relationship, label: Name, *, meant: tuple[str, ...], keys: set[EdgeKey]
    ) -> Finding:
        start, via, end = edge.key
        one = meant[0] if len(meant) == 1 and meant[0] != start else None
        fixable = one is not None and (start, via, one) not in keys
        return Finding.about(
            self.check_id,
            self.severity,
            f"{graph.sentence(edge.key)}: its label says {label[0].upper()}-{label[1]}, and it leads to {end}",
            relationships=(edge.key,),
            evidence=str(edge.relationship_metadata.get("text", "")),
            fix=(Edit(action="retarget", key=edge.key, to_document_id=one),) if fixable else (),
        )


def _labels(edge: Relationship) -> Iterator[Name]:
    """What the labels of the links to the target say, in the sentence that is kept."""
    text = edge.relationship_metadata.get("text")
    if not isinstance(text, str):
        return
    target = name_of(edge.to_document_id)
    for label, address in _LINK.findall(text[:MAX_TEXT]):
        page = re.sub(r"\.\w{1,8}$", "", re.split(r"[?#]", address, maxsplit=1)[0].rstrip("/"))
        said = name_of(label)
        if said is not None and name_of(page) == target:
            yield said


def build() -> LinkLabel:
    """The check with its defaults."""
    return LinkLabel()
