"""Finds links whose label names another document of the same series than the one that they lead to."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from docgraph.domain.edit import Edit
from docgraph.domain.finding import Finding
from docgraph.domain.graph import Relationship
from docgraph.domain.naming import names_another, numbered
from docgraph.domain.overrides import EdgeKey
from docgraph.plugins.checks._check import BaseCheck
from docgraph.plugins.checks._series import Name, series_in
from docgraph.ports import Outcome, RelationshipGraph

_LINK = re.compile(r"\[([^\[\]]{1,80})\]\(([^()\s]{1,300})\)")
MAX_TEXT = 4_000
"""Characters of one sentence that are looked at."""


class LinkLabel(BaseCheck):
    """Series are learnt from ids: ``eip`` where at least ``min_series`` documents are called ``…/eip-N``.

    Read is the line that an import keeps as the evidence of a relationship, and the later ones that it keeps because
    their label names another document.
    """

    check_id = "link_label"
    title = "Label names another document"
    why = "The label names one document and the link leads to another. Plans follow the link."
    parameters: Mapping[str, Any] = {"min_series": 3}

    def find(self, graph: RelationshipGraph, parameters: Mapping[str, Any]) -> Outcome:
        """One finding a relationship; the fix points it at the one document that the label names."""
        series = series_in(graph, least=parameters["min_series"])
        if not series:
            return Outcome(0, skipped="no series of numbered documents")
        keys, names = {edge.key for edge in graph.relationships}, {name for name, _ in series}
        n_checked, findings = 0, []
        for edge in graph.each(graph.typed):
            target = numbered(edge.to_document_id)
            if target is None or target[0] not in names:
                continue
            n_checked += 1
            wrong = next(_wrong_labels(edge), None)
            if wrong is not None:
                meant = series.get(wrong[0], ())
                findings.append(self._finding(graph, edge, *wrong, meant=meant, keys=keys))
        return Outcome(n_checked, findings, "" if n_checked else "no relationship leads into a series")

    def _finding(
        self,
        graph: RelationshipGraph,
        edge: Relationship,
        label: Name,
        line: str,
        *,
        meant: tuple[str, ...],
        keys: set[EdgeKey],
    ) -> Finding:
        start, via, end = edge.key
        one = meant[0] if len(meant) == 1 and meant[0] != start else None
        fixable = one is not None and (start, via, one) not in keys
        return self.finding(
            f"{graph.sentence(edge.key)}: its label says {label[0].upper()}-{label[1]}, and it leads to {end}",
            relationships=(edge.key,),
            evidence=line,
            fix=(Edit(action="retarget", key=edge.key, to_document_id=one),) if fixable else (),
        )


def _wrong_labels(edge: Relationship) -> Iterator[tuple[Name, str]]:
    """What labels of links to the target say, where it is another name of its series, and the line that is kept."""
    others = edge.relationship_metadata.get("other_lines", ())
    target = numbered(edge.to_document_id)
    for line in (edge.relationship_metadata.get("text"), *(others if isinstance(others, list | tuple) else ())):
        for label, address in _LINK.findall(line[:MAX_TEXT] if isinstance(line, str) else ""):
            page = re.sub(r"\.\w{1,8}$", "", re.split(r"[?#]", address, maxsplit=1)[0].rstrip("/"))
            said = numbered(label)
            if said is not None and numbered(page) == target and names_another(label, edge.to_document_id):
                yield said, line


build = LinkLabel
