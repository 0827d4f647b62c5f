"""Finds relationships about which the last import of a document and a person's decision disagree."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from docgraph.domain.curation import Contested
from docgraph.domain.decisions import EDITED, REVIEW, is_reviewed
from docgraph.domain.edit import Edit
from docgraph.domain.finding import Finding, Severity
from docgraph.domain.graph import Relationship
from docgraph.plugins.checks._check import BaseCheck
from docgraph.ports import Outcome, RelationshipGraph

OWN = (REVIEW, EDITED, "extractor", "order")
"""Metadata that say nothing of what an import states: a person's notes, who found it, and where in a list it stood."""


class ImportConflict(BaseCheck):
    """An import states what a person took away, or does not state any more what a person accepted."""

    check_id = "import_conflict"
    title = "An import disagrees with a decision"
    why = "The documents contradict a saved decision. Correct one of the two."
    unit = "decisions"

    def find(self, graph: RelationshipGraph, parameters: Mapping[str, Any]) -> Outcome:
        """Looks at what people accepted or made, and at what they took away and an import states again."""
        edges = {edge.key: edge for edge in graph.each(graph.relationships)}
        open_ones = [each for each in graph.contested if (each.relationship.key in edges) == (each.kind == "unstated")]
        decided = {key for key, edge in graph.each(edges.items()) if _is_decided(edge, graph)}
        decided |= {each.relationship.key for each in open_ones}
        findings = [
            _stated(each, graph, self) if each.kind == "stated" else _unstated(each, graph, self)
            for each in graph.each(open_ones)
        ]
        return Outcome(len(decided), findings, "" if decided else "no relationship has been decided")


def _stated(each: Contested, graph: RelationshipGraph, check: ImportConflict) -> Finding:
    edge = each.relationship
    again = each.before is not None and _says(each.before) == _says(edge)
    how = " as it did before" if again else ", different from when it was decided"
    sentence = f"{graph.sentence(edge.key)}: {_decision(each, graph)}, and an import states it{how}"
    both_stored = edge.from_document_id in graph.documents and edge.to_document_id in graph.documents
    on_other_grounds = not again and each.after is None  # what was made another would stand beside the other
    fix = (Edit(action="add", key=edge.key),) if on_other_grounds and both_stored else ()
    severity: Severity | None = "info" if again else None
    return check.finding(sentence, severity=severity, relationships=(edge.key,), evidence=_text(edge), fix=fix)


def _unstated(each: Contested, graph: RelationshipGraph, check: ImportConflict) -> Finding:
    key = each.relationship.key
    sentence = f"{graph.sentence(key)}: somebody accepted it, and the import no longer states it"
    fix = (Edit(action="remove", key=key),)
    return check.finding(sentence, relationships=(key,), evidence=_text(each.relationship), fix=fix)


def _decision(each: Contested, graph: RelationshipGraph) -> str:
    """What a person did to the relationship, as far as the history says."""
    if each.after is None:
        return "somebody removed it"
    return f"somebody made it {graph.sentence(each.after.key)}"


def _is_decided(edge: Relationship, graph: RelationshipGraph) -> bool:
    return edge.key in graph.reviewed or is_reviewed(edge) or EDITED in edge.relationship_metadata


def _says(edge: Relationship) -> dict[str, Any]:
    return {name: value for name, value in edge.relationship_metadata.items() if name not in OWN}


def _text(edge: Relationship) -> str:
    text = edge.relationship_metadata.get("text")
    return text if isinstance(text, str) else ""


build = ImportConflict
