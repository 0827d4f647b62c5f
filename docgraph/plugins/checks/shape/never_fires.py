"""Finds relationships that brought nothing into any plan of the saved questions."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from docgraph.plugins.checks._check import BaseCheck
from docgraph.ports import Outcome, RelationshipGraph


class NeverFires(BaseCheck):
    """No plan of the saved questions names it as a reason.

    Silent below ``min_questions`` saved questions, and where they reach less than the share ``min_fired`` of the
    relationships: so few questions say nothing about the others.
    """

    check_id = "never_fires"
    title = "Never adds a document"
    severity = "info"
    why = "No saved question depends on it. It is never reached, always over a limit, or its type is not used."
    causes = ("types",)
    parameters: Mapping[str, Any] = {"min_questions": 10, "min_fired": 0.5}

    def find(self, graph: RelationshipGraph, parameters: Mapping[str, Any]) -> Outcome:
        """Looks at the typed relationships between two different stored documents: only they can bring one in."""
        n, least = graph.n_questions, parameters["min_questions"]
        if n < least:
            questions = "no saved questions" if not n else "1 saved question" if n == 1 else f"{n:,} saved questions"
            return Outcome(0, skipped=f"there {'is' if n == 1 else 'are'} {questions}, and {least} are needed")
        documents = graph.documents
        able = [
            edge.key
            for edge in graph.each(graph.typed)
            if edge.from_document_id in documents
            and edge.to_document_id in documents
            and edge.from_document_id != edge.to_document_id
        ]
        silent = [key for key in able if not graph.fired.get(key)]
        n_fired = len(able) - len(silent)
        if not able:
            return Outcome(0, skipped="no relationship could add a document")
        if n_fired < parameters["min_fired"] * len(able):
            return Outcome(0, skipped=f"the {n:,} saved questions reach only {n_fired:,} of {len(able):,}")
        findings = [
            self.finding(
                relationships=(key,),
                sentence=f"{graph.sentence(key)} adds nothing to the plans of the {n:,} saved questions",
            )
            for key in graph.each(silent)
        ]
        return Outcome(len(able), findings)


build = NeverFires
