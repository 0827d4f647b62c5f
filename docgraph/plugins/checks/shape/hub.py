"""Documents with more related documents than a plan follows from one document."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from docgraph.domain.request import RetrievalRequest
from docgraph.plugins.checks._check import BaseCheck
from docgraph.plugins.checks._document_format import TEXT_PLACES, is_containment, is_trace
from docgraph.plugins.checks._succession import is_succession
from docgraph.plugins.checks._wording import counted
from docgraph.ports import Outcome, RelationshipGraph


class Hub(BaseCheck):
    """Counted as plans count: other stored documents, each once; mentions are off in plans. What a document replaced,
    or what replaced it, is no part of what is read with it and does not count, and neither do parts of a whole
    and the traces of requirements, nor what was read in a text: nobody takes a link out of a sentence because a
    plan follows three of them. What was stated beside the texts somebody can choose among.

    Where more than ``custom`` of the documents that point at others are hubs, pointing at many is the custom of the
    corpus (lists, tables of contents, standards), nobody would change it, and the check is silent. Of fewer than
    ``min_documents`` that point at others nothing can be said about a custom.
    """

    check_id = "hub"
    title = "Links to more documents than are followed"
    why = "A plan follows only some relationships of one document. The question decides which."
    unit = "documents"
    causes = ("types",)
    parameters: Mapping[str, Any] = {
        "max_fan_out": RetrievalRequest.model_fields["max_fan_out"].default,
        "custom": 0.2,
        "min_documents": 40,
    }

    def find(self, graph: RelationshipGraph, parameters: Mapping[str, Any]) -> Outcome:
        """One finding a document; counted are the documents that point at another one."""
        targets: dict[str, set[str]] = {}
        stated: dict[str, set[str]] = {}
        for edge in graph.each(graph.typed):
            start, via, end = edge.key
            if is_containment(edge) or is_trace(edge):
                continue
            if start != end and start in graph.documents and end in graph.documents and not is_succession(via):
                targets.setdefault(start, set()).add(end)
                if edge.relationship_metadata.get("place") not in TEXT_PLACES:
                    stated.setdefault(start, set()).add(end)
        if not targets:
            return Outcome(0, skipped="no document leads to another")
        most = parameters["max_fan_out"]
        n_hubs = sum(len(ends) > most for ends in targets.values())
        if len(targets) >= parameters["min_documents"] and n_hubs > parameters["custom"] * len(targets):
            said = f"{n_hubs:,} of {len(targets):,} documents with relationships have more than {most:,}"
            return Outcome(0, skipped=f"{said}, so this is usual here")
        findings = [
            self.finding(
                f"{graph.title(start)} links to {counted(len(ends), 'document')}, and a plan follows {most:,} of "
                f"them: {len(ends) - most:,} can never be read at once with the others",
                document_ids=(start,),
            )
            for start, ends in graph.each(stated.items())
            if len(ends) > most
        ]
        return Outcome(len(targets), findings)


build = Hub
