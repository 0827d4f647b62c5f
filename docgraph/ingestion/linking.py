"""Collects each document's outgoing relationships: given ones first, then what the extractors find."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from itertools import chain
from typing import Any

from docgraph.boundary.imports.markup.references import anchors_of, gathered
from docgraph.domain.anchors import SECTION_ANCHORS, Sections
from docgraph.domain.graph import (
    MAX_SECTIONS,
    SECTIONS,
    Document,
    DocumentRef,
    Relationship,
    SectionRef,
    StoredDocument,
)
from docgraph.domain.naming import numbered_as, other_names
from docgraph.errors import PluginError
from docgraph.ingestion.cleaning import clean_text, plain
from docgraph.ingestion.preparing import heading_paths
from docgraph.ingestion.profiling.dialects import Pages
from docgraph.ports import Anchor, NameReading, Outline, RelationExtractor, SphinxProject, Titles

MAX_RELATIONSHIPS = 50_000
RECORDS = "records"
MAX_KEPT = 256
"""Targets whose sections are kept at hand; a link to another one looks them up anew."""
# A self link that an author declared is a fault to be shown; one that an extractor reads out of a text is noise.
_DECLARED = ("front_matter", "header")
_BY_NUMBER = ("doorstop",)
"""Formats whose ids are compared by prefix and number."""
_ITEM = re.compile(r"(.{0,200}?)[-_.]?(\d{1,20})")


def titles_of(
    stored: Iterable[StoredDocument],
    incoming: Iterable[Document],
    reading: NameReading | None = None,
    *,
    projects: Iterable[SphinxProject] = (),
) -> Titles:
    """Everything a text may name: stored and incoming documents by id; an incoming title or source counts first.

    Each is looked at once and let go of.
    """
    found: dict[str, tuple[str, str, tuple[str, ...]]] = {}
    defined: dict[str, list[tuple[str, Anchor]]] = {}
    outlines: dict[str, Outline] = {}
    given: Iterable[StoredDocument | Document] = chain(stored, incoming)
    for each in given:
        names = (*other_names(each.metadata, each.source), *numbered_as(each.metadata))
        found[each.document_id] = (each.title, each.source, names)
        defined[each.document_id] = anchors_of(each)
        outlines[each.document_id] = _outline_of(each)
    ids = sorted(found)
    titles = tuple(DocumentRef(document_id=i, title=found[i][0]) for i in ids)
    sources = {i: found[i][1] for i in ids if found[i][1]}
    called = {i: found[i][2] for i in ids if found[i][2]}
    anchors = gathered(pair for i in ids for pair in defined[i])
    return Titles(titles, sources, called, reading, anchors, tuple(projects), outlines)


def _outline_of(document: Document | StoredDocument) -> Outline:
    """The sections of a document that is stored, or that comes in; as one text, for an import holds all of them."""
    if isinstance(document, StoredDocument):
        headings = document.headings
    else:
        paths = [section.heading_path for section in document.sections]
        headings = heading_paths(paths or [chunk.heading_path for chunk in document.chunks or ()])
    return Outline("\n".join(headings), document.metadata.get(SECTION_ANCHORS))


class _TargetSections:
    """Finds the sections that relationships point to among those of their targets."""

    def __init__(self, titles: Titles) -> None:
        self._outlines = titles.outlines
        self._titles = {ref.document_id: ref.title for ref in titles.documents}
        self._of = lru_cache(maxsize=MAX_KEPT)(self._looked_up)

    def named(self, edge: Relationship) -> Relationship:
        """The relationship with the heading of each section that it points to; an anchor that names none stays as is.

        What was found of the same target before does not count: its headings may be others today.
        """
        given = edge.sections
        if not given or edge.to_document_id not in self._outlines:
            return edge
        sections = self._of(edge.to_document_id)
        return _pointing(edge, [SectionRef(anchor=each.anchor, heading=sections.find(each.anchor)) for each in given])

    def _looked_up(self, document_id: str) -> Sections:
        outline = self._outlines[document_id]
        headings = outline.headings.split("\n") if outline.headings else []
        return Sections(self._titles.get(document_id, ""), headings, outline.anchors)


class Linker:
    """Links documents one by one and remembers which relation types are no more than mentions in running text.

    ``pages`` hear of every document with its relationships, and of links that were left.
    """

    def __init__(
        self,
        extractors: Sequence[RelationExtractor],
        titles: Titles,
        *,
        pages: Pages | None = None,
    ) -> None:
        self._pages = pages
        self._mentioning = frozenset(extractor.name for extractor in extractors if not extractor.default_on)
        # Extractors that are on by default go first: their edge stays when two find the same one.
        self._extractors = sorted(extractors, key=lambda extractor: (not extractor.default_on, extractor.name))
        self._titles = titles if pages is None else replace(titles, left=pages.leave)
        self._items: dict[tuple[str, str], list[str]] | None = None
        self._sections = _TargetSections(titles)

    def link(self, document: Document, given: Sequence[Relationship], *, extract: bool) -> tuple[Relationship, ...]:
        """Outgoing edges by key. Raises ValueError for more than 50,000, PluginError for an extractor gone astray."""
        edges: dict[tuple[str, str, str], Relationship] = {}
        for edge in map(self._known, given):
            edges.setdefault(edge.key, edge)
        for extractor in self._extractors if extract else ():
            for edge in extractor.extract(document, self._titles):
                _check_start(edge, document, extractor)
                if edge.to_document_id != document.document_id or edge.relationship_metadata.get("place") in _DECLARED:
                    before = edges.get(edge.key)
                    if before is None or _is_learnt(before) > _is_learnt(edge):
                        edges[edge.key] = _named(edge, extractor)
                    else:
                        edges[edge.key] = _with_sections_of(before, edge)
                if len(edges) > MAX_RELATIONSHIPS:
                    raise ValueError(f"the document has more than {MAX_RELATIONSHIPS:,} relationships")
        _leave_out_status_links(edges)
        _leave_out_learnt_mentions(edges)
        found = tuple(self._sections.named(edges[key]) for key in sorted(edges))
        if self._pages is not None:
            self._pages.note(document, [edge for edge in found if self._is_stated(edge)])
        return found

    def _known(self, edge: Relationship) -> Relationship:
        """A given edge that leads to the stored item which its format means, whatever the case and zeros of the id."""
        if edge.relationship_metadata.get("extractor") not in _BY_NUMBER:
            return edge
        if self._items is None:
            self._items = _items(ref.document_id for ref in self._titles.documents)
        target = edge.to_document_id
        there = self._items.get(_item(target), ())
        meant = there[0] if len(there) == 1 and target not in there else target
        return edge.model_copy(update={"to_document_id": meant}) if meant != target else edge

    def _is_stated(self, edge: Relationship) -> bool:
        """Whether an edge is more than a mention in running text."""
        return edge.relationship_metadata.get("extractor") not in self._mentioning

    def mention_only_types(self, edges: Iterable[Relationship]) -> set[str]:
        """Types all of whose edges are mere mentions: found by an extractor that is off by default, or, where an edge
        was given and not extracted, said to stand in the body. A link that an author set is no mere mention.
        """
        default_on = {extractor.name: extractor.default_on for extractor in self._extractors}
        mentioned: dict[str, bool] = {}
        for edge in edges:
            metadata = edge.relationship_metadata
            given_in_body = metadata.get("place") == "body"
            weak = not default_on.get(metadata.get("extractor", ""), not given_in_body)
            mentioned[edge.relation_type] = mentioned.get(edge.relation_type, True) and weak
        return {relation_type for relation_type, weak in mentioned.items() if weak}


def _item(name: str) -> tuple[str, str]:
    """An item's id as Doorstop compares it: by its prefix and its number, whatever the case, zeros and mark between."""
    found = _ITEM.fullmatch(name.casefold())
    return (found[1], found[2].lstrip("0") or "0") if found else (name.casefold(), "")


def _items(ids: Iterable[str]) -> dict[tuple[str, str], list[str]]:
    found: dict[tuple[str, str], list[str]] = {}
    for each in ids:
        found.setdefault(_item(each), []).append(each)
    return found


def _leave_out_status_links(edges: dict[tuple[str, str, str], Relationship]) -> None:
    """The link in a status line is what the line states, and no further link beside it."""
    stated = [edge for edge in edges.values() if edge.relationship_metadata.get("place") == "status"]
    lines = {(edge.to_document_id, str(edge.relationship_metadata.get("text", ""))) for edge in stated}
    ends = {end for end, _ in lines}
    for key in [key for key, edge in edges.items() if key[2] in ends and _is_plain_link(edge)]:
        text = str(edges[key].relationship_metadata.get("text", ""))
        if text and any(end == key[2] and line and (text in line or line in text) for end, line in lines):
            del edges[key]


def _is_plain_link(edge: Relationship) -> bool:
    metadata = edge.relationship_metadata
    return edge.relation_type == "links_to" and metadata.get("place") == "body" and "other_lines" not in metadata


def _is_learnt(edge: Relationship) -> bool:
    """Whether it is a mention by the word of a series that was learnt, which any other provenance goes before."""
    return "series" in edge.relationship_metadata


def _with_sections_of(edge: Relationship, other: Relationship) -> Relationship:
    """The relationship with the sections that another finding of it points to behind its own."""
    if not other.sections:
        return edge
    anchors = {each.anchor: each for each in (*other.sections, *edge.sections)}
    return _pointing(
        edge, [anchors[name] for name in dict.fromkeys(e.anchor for e in (*edge.sections, *other.sections))]
    )


def _pointing(edge: Relationship, sections: list[SectionRef]) -> Relationship:
    said = [each.model_dump(mode="json") for each in sections[:MAX_SECTIONS]]
    return edge.model_copy(update={"relationship_metadata": {**edge.relationship_metadata, SECTIONS: said}})


def _leave_out_learnt_mentions(edges: dict[tuple[str, str, str], Relationship]) -> None:
    """A mention of a series that was learnt says nothing new of a document that is related otherwise."""
    learnt = [key for key, edge in edges.items() if _is_learnt(edge)]
    others = {edge.to_document_id for key, edge in edges.items() if not _is_learnt(edge)}
    for key in learnt:
        if edges[key].to_document_id in others:
            del edges[key]


def cleaned_edge(edge: Relationship) -> Relationship:
    """A given edge with clean ids, plain metadata and a provenance. Raises ValueError for what is not valid text."""
    for value in edge.key:
        if clean_text(value) != value:
            raise ValueError(f"{ascii(value)[:80]} is not valid text")
    metadata: Mapping[str, Any] = plain(edge.relationship_metadata)
    return edge.model_copy(update={"relationship_metadata": {"extractor": RECORDS, **metadata}})


def _check_start(edge: Relationship, document: Document, extractor: RelationExtractor) -> None:
    if edge.from_document_id != document.document_id:
        raise PluginError(
            f"extractor {extractor.name!r} gave {document.document_id!r} an edge of {edge.from_document_id!r}",
            hint="an extractor returns outgoing relationships of the document it was given",
        )


def _named(edge: Relationship, extractor: RelationExtractor) -> Relationship:
    if edge.relationship_metadata.get("extractor") == extractor.name:
        return edge
    return edge.model_copy(
        update={"relationship_metadata": {**edge.relationship_metadata, "extractor": extractor.name}}
    )
