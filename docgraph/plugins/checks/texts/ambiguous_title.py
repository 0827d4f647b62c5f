"""Finds documents that are called alike, so that a link or a mention by name cannot tell which of them is meant."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from docgraph.domain.finding import Cause, Finding, Severity
from docgraph.domain.graph import Relationship, StoredDocument
from docgraph.domain.imports.status import status_word
from docgraph.domain.naming import name_key, other_names
from docgraph.domain.standing import INACTIVE
from docgraph.plugins.checks._given import is_containment, joined
from docgraph.plugins.checks._succession import succession_of
from docgraph.plugins.checks._wording import counted, listed
from docgraph.ports import Outcome, RelationshipGraph

UNTITLED = "untitled"
"""Metadata field of a document whose title is only the beginning of its text."""
STUB = "stub"
"""Metadata field in which an import with a profile says why a document is only a stub."""


@dataclass(frozen=True)
class AmbiguousTitle:
    """Two documents share a title or an alias, whatever its case and its marks.

    Passed over is what nobody means by the name: documents whose status is inactive or that another one replaced, and
    stubs; and documents of one name that a format itself relates (a parent and its child), or that are parts of
    different wholes. Where more than ``custom`` of
    the documents share a name, names are not what tells them apart there, and the check is silent; of fewer than
    ``min_documents`` nothing can be said about a custom.
    """

    check_id: str = "ambiguous_title"
    title: str = "One name for several documents"
    severity: Severity = "warning"
    why: str = "A link or a mention by that name can mean either, so it leads to neither, and a reader cannot tell."
    unit: str = "documents"
    causes: tuple[Cause, ...] = ()
    parameters: Mapping[str, Any] = field(default_factory=lambda: {"custom": 0.2, "min_documents": 40})

    def find(self, graph: RelationshipGraph, parameters: Mapping[str, Any]) -> Outcome:
        """One finding a name; a person gives one of the documents another title or alias."""
        replaced = succession_of(graph).successors
        meant = {i: d for i, d in graph.each(graph.documents.items()) if i not in replaced and _holds(d)}
        called: dict[str, set[str]] = defaultdict(set)
        for document_id, document in graph.each(meant.items()):
            for name in _names(document):
                called[name].add(document_id)
        shared = sorted({tuple(sorted(ids)) for ids in called.values() if len(ids) > 1})
        groups = [group for group in shared if not joined(group, _between(graph, group))]
        groups = [group for group in groups if not _in_different_wholes(graph, group)]
        n_shared = len({document_id for group in groups for document_id in group})
        if len(meant) >= parameters["min_documents"] and n_shared > parameters["custom"] * len(meant):
            said = f"{n_shared:,} of {len(meant):,} documents share a name with another"
            return Outcome(0, skipped=f"{said}, so that is the custom")
        findings = [self._finding(graph, group) for group in graph.each(groups)]
        return Outcome(len(meant), findings, "" if meant else "there is no document that holds")

    def _finding(self, graph: RelationshipGraph, group: tuple[str, ...]) -> Finding:
        texts = {a for each in group for a in _naming(graph, each) if a not in group}
        said = f"{listed(group)} have one name: {graph.title(group[0])}"
        if texts:
            said += f"; {counted(len(texts), 'text')} {'names' if len(texts) == 1 else 'name'} it"
        return Finding.about(self.check_id, self.severity, said, document_ids=group)


def _in_different_wholes(graph: RelationshipGraph, group: tuple[str, ...]) -> bool:
    """Whether each is a part of another whole, as a format states: such a name is read inside of its document."""
    wholes = [frozenset(e.key[2] for e in graph.outgoing.get(each, ()) if is_containment(e)) for each in group]
    return all(wholes) and len(set(wholes)) == len(group)


def _between(graph: RelationshipGraph, group: tuple[str, ...]) -> Iterator[Relationship]:
    """The relationships that start at documents of a group."""
    return (edge for each in group for edge in graph.outgoing.get(each, ()))


def _holds(document: StoredDocument) -> bool:
    return not {STUB, UNTITLED} & document.metadata.keys() and status_word(document.metadata) not in INACTIVE


def _names(document: StoredDocument) -> Iterator[str]:
    """The folded title and aliases; not addresses, which are another page's or none's."""
    for name in (document.title, *other_names(document.metadata)):
        if not name.startswith("/") and (key := name_key(name)):
            yield key


def _naming(graph: RelationshipGraph, document_id: str) -> Iterator[str]:
    """Documents whose text names this one."""
    return (
        edge.from_document_id
        for edge in graph.incoming.get(document_id, ())
        if (edge.from_document_id, document_id) in graph.mentions
    )


def build() -> AmbiguousTitle:
    """The check with its defaults."""
    return AmbiguousTitle()
