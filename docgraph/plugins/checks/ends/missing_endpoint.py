"""Relationships that start or end at a document that is not stored."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from docgraph.domain.edit import Edit
from docgraph.domain.finding import Cause, Finding, Severity
from docgraph.domain.graph import Relationship
from docgraph.domain.naming import numbered
from docgraph.plugins.checks._given import is_containment
from docgraph.plugins.checks._series import ranges_of, series_in
from docgraph.plugins.checks.ends._close_ids import CloseIds
from docgraph.ports import MENTIONS, Outcome, RelationshipGraph

MIN_SERIES = 3
"""Documents that are called alike, but for their numbers, make a series."""


@dataclass(frozen=True)
class MissingEndpoint:
    """The target was deleted, renamed or mistyped; where one stored document is meant, the fix points there.

    A name that only stands in running text is an info: a text may speak of what is not there. So is a target in a
    folder of which nothing is stored: the relationship may be right, and the folder was not imported. A number in
    running text that lies outside of its series (PEP 0, or the example PEP 9876) names no document of it. A label that
    may belong to another project (intersphinx) is an info, and none where neither the project's settings nor a table of
    contents were imported: the rest of it lies elsewhere.
    """

    check_id: str = "missing_endpoint"
    title: str = "Missing document"
    severity: Severity = "error"
    why: str = "A relationship to a document that is not stored brings nothing in, and a reader follows it in vain."
    unit: str = "relationships"
    causes: tuple[Cause, ...] = ("folder", "target", "repair")
    parameters: Mapping[str, Any] = field(default_factory=dict)

    def find(self, graph: RelationshipGraph, parameters: Mapping[str, Any]) -> Outcome:
        """One finding a relationship; ids are compared with ids and titles, numbers in them must agree."""
        there = graph.documents
        lost = [edge for edge in graph.each(graph.relationships) if not {edge.key[0], edge.key[2]} <= there.keys()]
        lost = _of_whole_projects(_within_series(lost, graph), graph)
        if not lost:
            return Outcome(len(graph.relationships), skipped="" if graph.relationships else "there is no relationship")
        missing = {end for edge in lost for end in (edge.key[0], edge.key[2]) if end not in there}
        close = CloseIds(graph.each(there.values()), missing)
        moved = {old: new for old, new in graph.moved.items() if new in there}
        meant = {each: moved.get(each) or close.one(each) for each in graph.each(missing)}
        keys = {edge.key for edge in graph.relationships}
        taken = {key for edge in lost if (key := _moved(edge, meant)) is not None and key in keys}
        findings = [self._finding(graph, edge, meant, taken=taken) for edge in graph.each(lost)]
        return Outcome(len(graph.relationships), findings)

    def _finding(
        self,
        graph: RelationshipGraph,
        edge: Relationship,
        meant: Mapping[str, str | None],
        *,
        taken: set[tuple[str, str, str]],
    ) -> Finding:
        missing = [each for each in dict.fromkeys((edge.key[0], edge.key[2])) if each not in graph.documents]
        said = f"{graph.sentence(edge.key)}: there is no document {' and no document '.join(missing)}"
        moved = _moved(edge, meant)
        fix = Edit(action="remove", key=edge.key)
        if moved is not None:
            knows = graph.moved.get(edge.key[2]) == moved[2]
            way = "it moved to {}" if knows else "most likely {} is meant"
            said += "; " + way.replace("{}", f"{graph.title(moved[2])} ({moved[2]})")
            if moved in taken:
                said += ", and that relationship is there already"
            else:
                fix = Edit(action="retarget", key=edge.key, to_document_id=moved[2])
        is_outside = moved is None and _outside(missing, graph)
        if is_outside:
            said += ", nor any in its folder: it was not imported"
        others = str(edge.relationship_metadata.get("may_be_in", "")) if moved is None else ""
        if others:
            said += f"; it may be in {others}"
        severity: Severity = "info" if is_outside or others or edge.relation_type == MENTIONS else self.severity
        return Finding.about(
            self.check_id,
            severity,
            said,
            relationships=(edge.key,),
            fix=(fix,),
            document_ids=tuple(each for each in edge.key[::2] if each in graph.documents),
            evidence=str(edge.relationship_metadata.get("text", "")),
        )


def _of_whole_projects(lost: list[Relationship], graph: RelationshipGraph) -> list[Relationship]:
    """All but labels in texts for Sphinx of which neither the settings nor any table of contents were imported."""
    contents = (edge for edge in graph.each(graph.typed) if edge.relation_type == "contains" and is_containment(edge))
    if all("partly" not in edge.relationship_metadata for edge in lost) or next(contents, None) is not None:
        return lost
    return [edge for edge in lost if "partly" not in edge.relationship_metadata]


def _within_series(lost: list[Relationship], graph: RelationshipGraph) -> list[Relationship]:
    """All but the mentions of a number that is less, or more, than any that its series has."""
    if all(edge.relation_type != MENTIONS for edge in lost):
        return lost
    ranges = ranges_of(series_in(graph, least=MIN_SERIES))
    return [edge for edge in lost if edge.relation_type != MENTIONS or _may_belong(edge.to_document_id, ranges)]


def _may_belong(target: str, ranges: Mapping[str, tuple[int, int]]) -> bool:
    name = numbered(target)
    if name is None or name[0] not in ranges:
        return True
    least, most = ranges[name[0]]
    return least <= name[1] <= most


def _outside(missing: Iterable[str], graph: RelationshipGraph) -> bool:
    """Whether each of these ids stands in an uppermost folder of which nothing is stored."""
    tops = [each.split("/", 1)[0] if "/" in each else "" for each in missing]
    return all(top and top not in graph.folders for top in tops)


def _moved(edge: Relationship, meant: Mapping[str, str | None]) -> tuple[str, str, str] | None:
    """The key with the meant target; None when the start is missing, or nothing or the start itself is meant."""
    start, via, end = edge.key
    target = meant.get(end)
    return None if start in meant or target in (None, start) else (start, via, str(target))


def build() -> MissingEndpoint:
    """The check; it has no parameters."""
    return MissingEndpoint()
