"""How many saved questions depend on what a finding points at: the order of a curator's queue."""

from __future__ import annotations

from collections.abc import Iterable

from docgraph.domain.finding import Finding
from docgraph.domain.overrides import EdgeKey
from docgraph.ports import RelationshipGraph


class Effect:
    """An index of what the saved questions' plans reach; made once, then asked for every finding."""

    def __init__(self, graph: RelationshipGraph) -> None:
        self._reach, self._documents = graph.reach, graph.documents
        self._fired: dict[EdgeKey, list[int]] = {}
        self._consulted: dict[str, list[int]] = {}
        for place, reach in enumerate(graph.reach):
            for key in reach.fired:
                self._fired.setdefault(key, []).append(place)
            for document_id in reach.consulted:
                self._consulted.setdefault(document_id, []).append(place)

    def n_questions(self, finding: Finding) -> int:
        """In how many saved questions one of its relationships fires, or one that its fix would make could.

        A relationship could fire where it starts at a document whose relationships the plan reads, and ends at a stored
        one that is not in the plan. Whether it does is for limits and types to say: ``Relationships.impact`` finds out.
        """
        if not finding.fix:
            fired = [places for key in finding.relationships if (places := self._fired.get(key))]
            if len(fired) < 2:  # nearly all there are
                return len(fired[0]) if fired else 0
        return len(self._places(finding))

    def n_questions_of(self, findings: Iterable[Finding]) -> int:
        """The same of several findings at once: a question that depends on two of them counts once."""
        return len({place for finding in findings for place in self._places(finding)})

    def _places(self, finding: Finding) -> set[int]:
        """Which of the saved questions, by their place."""
        found = {place for key in finding.relationships for place in self._fired.get(key, ())}
        for edit in finding.fix:
            made = edit.result
            if made is None or edit.action == "accept" or made[2] not in self._documents:
                continue
            found.update(p for p in self._consulted.get(made[0], ()) if made[2] not in self._reach[p].planned)
        return found
