"""Documents without a relationship."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from docgraph.domain.graph import StoredDocument
from docgraph.plugins.checks._check import BaseCheck
from docgraph.plugins.checks._specimens import is_part_of_pages, is_specimen
from docgraph.ports import Outcome, RelationshipGraph

MOST = 0.75
"""Share of the documents of a small corpus that stand alone: then nobody relates them."""
STUB = "stub"
"""Metadata field in which an import with a profile says why a document is only a stub."""


class Orphan(BaseCheck):
    """Mentions in running text do not count, nor relationships with itself or with what is not stored. A document that
    the import found to be a stub (an error page, a note that the text is elsewhere) needs none.

    Neither do templates, the data of tests, and what a site is generated with: they are no pages.

    Standing alone is worth a look only as a rare exception: where more than ``custom`` of the documents have no
    relationship, and more than ``few`` of them, that is a kind of page there (landing pages, lists that a navigation
    outside of the folder leads to), and the check is silent; of fewer than ``min_documents`` only where ``MOST`` have
    none.
    """

    check_id = "orphan"
    title = "Document without relationships"
    severity = "info"
    why = "Plans find it by its own text only, and it leads to no other document."
    unit = "documents"
    causes = ("types",)
    parameters: Mapping[str, Any] = {"custom": 0.02, "few": 2, "min_documents": 40}

    def find(self, graph: RelationshipGraph, parameters: Mapping[str, Any]) -> Outcome:
        """One finding a document. Skipped where no two documents are related: then nobody has begun."""
        related = {
            end
            for start, _, target in (edge.key for edge in graph.each(graph.typed))
            if start != target and start in graph.documents and target in graph.documents
            for end in (start, target)
        }
        if not related:
            return Outcome(0, skipped="no two documents are related")
        pages = [i for i, each in graph.each(graph.documents.items()) if i in related or not _is_no_page(each)]
        alone = [document_id for document_id in pages if document_id not in related]
        n = len(pages)
        usual = parameters["custom"] if n >= parameters["min_documents"] else max(parameters["custom"], MOST)
        if len(alone) > max(usual * n, parameters["few"]):
            return Outcome(0, skipped=f"{len(alone):,} of {n:,} documents have none, so this is usual here")
        findings = [
            self.finding(
                f"{graph.title(document_id)} has no relationships",
                document_ids=(document_id,),
            )
            for document_id in graph.each(alone)
            if STUB not in graph.documents[document_id].metadata
        ]
        return Outcome(n, findings)


def _is_no_page(document: StoredDocument) -> bool:
    return is_specimen(document) or is_part_of_pages(document)


build = Orphan
