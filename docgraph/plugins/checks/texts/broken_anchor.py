"""Finds relationships that point to a section which their target does not have."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from docgraph.domain.anchors import BROKEN_ANCHORS, MAX_BROKEN, Sections, is_outlined, section_name, sections_of
from docgraph.domain.edit import MAX_HEADING, Edit
from docgraph.domain.finding import Finding
from docgraph.domain.graph import Relationship, StoredDocument
from docgraph.plugins.checks._check import BaseCheck
from docgraph.ports import Outcome, RelationshipGraph


class BrokenAnchor(BaseCheck):
    """Judged by the headings and ids of the target as it is stored today, of formats whose headings are all read.

    A target with parts that are written elsewhere (an included file, a generated page) is passed over. One finding an
    anchor. Where one heading is similar, the sentence names it, and the fix points the relationship at it by an anchor
    that leads there; links inside a document are no relationships, so that only their author can settle them.
    """

    check_id = "broken_anchor"
    title = "Missing section"
    why = "The linked section does not exist, so readers land at the top of the page."
    unit = "anchors"
    causes = ("target",)

    def find(self, graph: RelationshipGraph, parameters: Mapping[str, Any]) -> Outcome:
        """Looks at relationships that point to a section of a document whose sections are known.

        Of links inside a document an import keeps those alone that lead nowhere.
        """
        known: dict[str, Sections] = {}
        n_checked, findings = 0, []
        for edge in graph.each(graph.relationships):
            target = graph.documents.get(edge.to_document_id)
            if target is None or not (named := edge.sections):
                continue
            sections = known.get(target.document_id)
            if sections is None:
                sections = known[target.document_id] = _sections(target)
            if not sections.complete or not is_outlined(target.source):
                continue
            n_checked += len(named)
            broken = (each.anchor for each in named if sections.find(each.anchor) is None)
            findings += [self._finding(graph, edge, anchor, sections) for anchor in broken]
        for document in graph.each(graph.documents.values()):
            inside = _inside(document)
            n_checked += len(inside)
            findings += [self._own(document, anchor) for anchor in inside]
        return Outcome(n_checked, findings, "" if n_checked else "no relationship points to a section")

    def _finding(self, graph: RelationshipGraph, edge: Relationship, anchor: str, sections: Sections) -> Finding:
        close = sections.close(anchor)
        meant = f"; its section {section_name(close)} is similar" if close else ""
        return self.finding(
            f"{graph.sentence(edge.key)}: it has no section #{anchor}{meant}",
            relationships=(edge.key,),
            anchor=anchor,
            fix=_fix(edge, anchor, close, sections),
            evidence=str(edge.relationship_metadata.get("text", "")),
        )

    def _own(self, document: StoredDocument, anchor: str) -> Finding:
        close = _sections(document).close(anchor)
        meant = f"; its section {section_name(close)} is similar" if close else ""
        return self.finding(
            f"{document.title or document.document_id} links to its own section #{anchor}, and has none{meant}",
            document_ids=(document.document_id,),
            anchor=anchor,
        )


def _fix(edge: Relationship, anchor: str, close: str | None, sections: Sections) -> tuple[Edit, ...]:
    """The edit that points at the close section; none where no anchor leads to it."""
    meant = sections.anchor_to(close, anchor) if close and len(close) <= MAX_HEADING else None
    if meant is None:
        return ()
    return (Edit(action="reanchor", key=edge.key, anchor=anchor, to_anchor=meant, heading=close),)


def _inside(document: StoredDocument) -> list[str]:
    given = document.metadata.get(BROKEN_ANCHORS)
    found = [each for each in given if isinstance(each, str) and each] if isinstance(given, list) else []
    return list(dict.fromkeys(found))[:MAX_BROKEN]


def _sections(document: StoredDocument) -> Sections:
    return sections_of(document.title, document.headings, document.metadata)


build = BrokenAnchor
