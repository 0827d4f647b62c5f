"""Finds documents whose fields (front matter, sidecar, header) say otherwise than their name, title or text."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from docgraph.domain.edit import Edit
from docgraph.domain.finding import Finding
from docgraph.domain.graph import StoredDocument
from docgraph.domain.imports.fields import STATUS_FROM, status_word
from docgraph.domain.standing import INACTIVE
from docgraph.plugins.checks._check import BaseCheck
from docgraph.plugins.checks._succession import NEW_TO_OLD, OLD_TO_NEW, is_succession, old_and_new, type_name
from docgraph.plugins.checks._wording import listed
from docgraph.plugins.checks.texts._own_numbers import Numbers, own_numbers
from docgraph.plugins.checks.texts._statements import Told, is_in_text, told_successions
from docgraph.ports import Outcome, RelationshipGraph


class FieldsDisagree(BaseCheck):
    """A number, a status or a successor that two places of one document give differently.

    Numbers: of the name, of the field and the title that mostly give it too in its series. Succession: the text says
    what replaced the document, or what it replaced, and its fields name another document, a status that still holds, or
    nothing at all. A document without fields says it in its text alone, as it may, and so does one whose partner's
    fields say it. Where more than ``custom`` of at least ``min_documents`` statements disagree, that is the custom.
    """

    check_id = "fields_disagree"
    title = "Fields and text disagree"
    why = "Lists and plans use the fields, readers use the text. One of the two is out of date."
    unit = "statements"
    parameters: Mapping[str, Any] = {"custom": 0.2, "min_documents": 40}

    def find(self, graph: RelationshipGraph, parameters: Mapping[str, Any]) -> Outcome:
        """One finding a document and kind; the fix adds a succession that the text alone states."""
        numbers = own_numbers(graph)
        fields = _Fields(graph)
        told = [each for each in told_successions(graph) if each.document in fields.documents]
        findings = [
            self._of_numbers(graph, document_id, found)
            for document_id, found in sorted(numbers.items())
            if len(set(found.values())) > 1
        ]
        findings += [
            self._of_succession(graph, each, said, fields)
            for each in graph.each(told)
            if (said := fields.objection(each))
        ]
        n = len(numbers) + len(told)
        if n >= parameters["min_documents"] and len(findings) > parameters["custom"] * n:
            return Outcome(0, skipped=f"{len(findings):,} of {n:,} statements disagree, so this is usual here")
        return Outcome(n, findings, "" if n else "no document states the same thing twice")

    def _of_numbers(self, graph: RelationshipGraph, document_id: str, numbers: Numbers) -> Finding:
        said = ", ".join(f"its {place} says {number}" for place, number in numbers.items())
        return self.finding(
            f"{graph.title(document_id)} ({document_id}): {said}",
            document_ids=(document_id,),
        )

    def _of_succession(self, graph: RelationshipGraph, told: Told, said: str, fields: _Fields) -> Finding:
        other, text = graph.title(told.other), told.edge.relationship_metadata.get("text")
        what = f"{other} replaced it" if told.role == "old" else f"it replaced {other}"
        missing = (told.document, fields.usual[told.role], told.other)
        is_fixable = fields.is_silent(told) and not is_succession(told.edge.relation_type)
        return self.finding(
            f"the text of {graph.title(told.document)} says that {what}, and {said}",
            relationships=(told.edge.key,),
            evidence=text if isinstance(text, str) else "",
            fix=(Edit(action="add", key=missing),) if is_fixable else (),
        )


class _Fields:
    """What the fields of documents say of succession: pairs, partners by document and role, and a status."""

    def __init__(self, graph: RelationshipGraph) -> None:
        self._graph = graph
        self._pairs: set[tuple[str, str]] = set()
        self._partners: dict[tuple[str, str], list[str]] = {}
        self.documents = {i for i, d in graph.each(graph.documents.items()) if _field_status(d)}
        for edge in graph.each(graph.typed):
            start, _, end = edge.key
            if start not in graph.documents or is_in_text(edge, graph):
                continue
            self.documents.add(start)
            if is_succession(edge.relation_type):
                old, new = old_and_new(edge)
                self._pairs.add((old, new))
                self._partners.setdefault((start, "old" if start == old else "new"), []).append(end)
        self.usual = {
            "old": _usual(graph, OLD_TO_NEW, "superseded_by"),
            "new": _usual(graph, NEW_TO_OLD, "supersedes"),
        }

    def objection(self, told: Told) -> str:
        """What the fields say instead; empty where they agree, or leave a stated succession to the text."""
        if told.pair in self._pairs:
            return ""
        partners = self._partners.get((told.document, told.role))
        if partners:
            return f"its fields name {listed([self._graph.title(each) for each in partners])}"
        status = _field_status(self._graph.documents[told.document])
        if told.role == "old" and status and status not in INACTIVE:
            return f"its status is {status}"
        return "" if is_succession(told.edge.relation_type) else "its fields name none"

    def is_silent(self, told: Told) -> bool:
        """Whether the fields name nobody and no status that still holds."""
        return self.objection(told) == "its fields name none"


def _usual(graph: RelationshipGraph, names: frozenset[str], default: str) -> str:
    """The type of a direction as the corpus writes it most."""
    used = {via: n for via, n in graph.types.items() if type_name(via) in names}
    return min(used, key=lambda via: (-used[via], via)) if used else default


def _field_status(document: StoredDocument) -> str:
    """The first word of the status that a field gives; what was read in the text is the text's own word."""
    return "" if STATUS_FROM in document.metadata else status_word(document.metadata)


build = FieldsDisagree
