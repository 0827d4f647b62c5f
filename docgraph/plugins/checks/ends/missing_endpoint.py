"""Relationships that start or end at a document that is not stored."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any

from docgraph.domain.edit import Edit
from docgraph.domain.finding import Finding
from docgraph.domain.graph import Relationship
from docgraph.domain.naming import numbered
from docgraph.plugins.checks._check import BaseCheck
from docgraph.plugins.checks._document_format import is_containment
from docgraph.plugins.checks._series import ranges_of, series_in
from docgraph.plugins.checks._specimens import is_specimen
from docgraph.plugins.checks.ends._close_ids import CloseIds
from docgraph.ports import MENTIONS, Outcome, RelationshipGraph

MIN_SERIES = 3
"""Documents that are called alike, but for their numbers, make a series."""
OF_NOTES = frozenset(("wiki_links", "note_fields"))
"""Extractors of links that name a note instead of a file."""
MAX_TEXT = 4_000
"""Characters of one sentence that are looked at."""
_CODE = re.compile(r"(`{1,2})([^`]{1,300})\1")


class MissingEndpoint(BaseCheck):
    """The target was deleted, renamed or mistyped; where one stored document is meant, the fix points there.

    A name that only stands in running text is an info: a text may speak of what is not there. So is a target in a
    folder of which nothing is stored: the relationship may be right, and the folder was not imported. So is one whose
    file an import rejected: it says why, and proposes nothing. A label of pages that were not imported, though a table
    of contents was, is one too. A number in running text that lies outside of its series (PEP 0, or the example
    PEP 9876) names no document of it.

    Passed over is what its author means to be so: a label that may belong to another project (intersphinx), which its
    build looks up there, and any label where neither the project's settings nor a table of contents were imported; what
    a template or the data of tests names; a link that its sentence shows as code beside it, for it is explained there;
    and links to notes (``[[note]]``) where more than ``unwritten`` of them lead to none, over at least
    ``min_documents`` documents: whether they are notes still to be written or another notation, they are the custom
    there. A label or a note that one stored document is similar to is found all the same.
    """

    check_id = "missing_endpoint"
    title = "Missing document"
    severity = "error"
    why = "The target is not stored, so the relationship adds nothing and its link leads nowhere."
    causes = ("folder", "target", "repair")
    parameters: Mapping[str, Any] = {"unwritten": 0.2, "min_documents": 40}

    def find(self, graph: RelationshipGraph, parameters: Mapping[str, Any]) -> Outcome:
        """One finding a relationship; ids are compared with ids and titles, numbers in them must agree.

        What is passed over as another project's, or as still to be written, was not looked at.
        """
        there = graph.documents
        lost = [edge for edge in graph.each(graph.relationships) if not {edge.key[0], edge.key[2]} <= there.keys()]
        lost = [edge for edge in _within_series(lost, graph) if not _is_made_up(edge, graph)]
        if not lost:
            return Outcome(len(graph.relationships), skipped="" if graph.relationships else "there is no relationship")
        missing = {end for edge in lost for end in (edge.key[0], edge.key[2]) if end not in there}
        close = CloseIds(graph.each(there.values()), missing)
        moved = {old: new for old, new in graph.moved.items() if new in there}
        meant = {
            each: moved.get(each) or (None if each in graph.rejected else close.one(each))
            for each in graph.each(missing)
        }
        is_custom = _unwritten_notes(graph, share=parameters["unwritten"], least=parameters["min_documents"])
        is_whole = any(edge.relation_type == "contains" and is_containment(edge) for edge in graph.each(graph.typed))
        n_lost = len(lost)
        lost = [
            edge
            for edge in graph.each(lost)
            if _moved(edge, meant) is not None
            or not (_is_elsewhere(edge, is_whole=is_whole) or (is_custom and _is_to_a_note(edge)))
        ]
        keys = {edge.key for edge in graph.relationships}
        taken = {key for edge in lost if (key := _moved(edge, meant)) is not None and key in keys}
        findings = [self._finding(graph, edge, meant, taken=taken) for edge in graph.each(lost)]
        n_checked = len(graph.relationships) - n_lost + len(lost)
        return Outcome(n_checked, findings, "" if n_checked else "none leads to a document of these files")

    def _finding(
        self,
        graph: RelationshipGraph,
        edge: Relationship,
        meant: Mapping[str, str | None],
        *,
        taken: set[tuple[str, str, str]],
    ) -> Finding:
        missing = [each for each in dict.fromkeys((edge.key[0], edge.key[2])) if each not in graph.documents]
        if (reason := graph.rejected.get(edge.key[2])) is not None and edge.key[2] in missing:
            return self._rejected(graph, edge, reason)
        said = f"{graph.sentence(edge.key)}: there is no document {' and no document '.join(missing)}"
        moved = _moved(edge, meant)
        fix = Edit(action="remove", key=edge.key)
        if moved is not None:
            knows = graph.moved.get(edge.key[2]) == moved[2]
            way = "it moved to {}" if knows else "most likely {} is meant"
            said += "; " + way.replace("{}", f"{graph.title(moved[2])} ({moved[2]})")
            if moved in taken:
                said += ", and that relationship already exists"
            else:
                fix = Edit(action="retarget", key=edge.key, to_document_id=moved[2])
        is_outside = moved is None and _outside(missing, graph)
        if is_outside:
            said += ", nor any in its folder, which was not imported"
        others = str(edge.relationship_metadata.get("may_be_in", "")) if moved is None else ""
        if others:
            said += f"; it may be in {others}"
        is_minor = bool(is_outside or others or edge.relation_type == MENTIONS)
        return self._about(graph, edge, said, is_minor=is_minor, fix=(fix,))

    def _rejected(self, graph: RelationshipGraph, edge: Relationship, reason: str) -> Finding:
        """A file lies where the relationship leads to: nothing is wrong with it, and the file may be mended."""
        return self._about(
            graph, edge, f"{graph.sentence(edge.key)}: its file was not imported: {reason}", is_minor=True
        )

    def _about(
        self, graph: RelationshipGraph, edge: Relationship, said: str, *, is_minor: bool, fix: tuple[Edit, ...] = ()
    ) -> Finding:
        return self.finding(
            said,
            severity="info" if is_minor else None,
            fix=fix,
            relationships=(edge.key,),
            document_ids=tuple(each for each in edge.key[::2] if each in graph.documents),
            evidence=str(edge.relationship_metadata.get("text", "")),
        )


def _is_made_up(edge: Relationship, graph: RelationshipGraph) -> bool:
    """Whether a template or the data of tests states it, or a sentence that shows how such a link is written."""
    start = graph.documents.get(edge.from_document_id)
    return (start is not None and is_specimen(start)) or _is_shown(str(edge.relationship_metadata.get("text", "")))


def _is_shown(sentence: str) -> bool:
    """Whether a link stands in a sentence twice, as code and as it is: ``"`[[Note]]` is shown as [[Note]]"``."""
    sentence = sentence[:MAX_TEXT]
    outside = _CODE.sub(" ", sentence)
    return any("[" in code[2] and code[2].strip() in outside for code in _CODE.finditer(sentence))


def _is_elsewhere(edge: Relationship, *, is_whole: bool) -> bool:
    """Whether a label may be one of another project, or of pages that were not imported of one that is not whole."""
    said = edge.relationship_metadata
    return bool(said.get("may_be_in")) and not ("partly" in said and is_whole)


def _is_to_a_note(edge: Relationship) -> bool:
    return edge.relationship_metadata.get("extractor") in OF_NOTES


def _unwritten_notes(graph: RelationshipGraph, *, share: float, least: int) -> bool:
    """Whether links to notes that are not there are the custom."""
    there = graph.documents
    if len(there) < least:
        return False
    ends = [edge.to_document_id in there for edge in graph.each(graph.typed) if _is_to_a_note(edge)]
    return ends.count(False) > share * len(ends)


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


build = MissingEndpoint
