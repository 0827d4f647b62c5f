"""What texts say of the succession of their own document: "This proposal was replaced by [X](x.md)"."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from docgraph.domain.graph import Relationship
from docgraph.plugins.checks._document_format import TEXT_PLACES
from docgraph.plugins.checks._succession import is_succession, old_and_new
from docgraph.plugins.checks.texts._quoting import links_in
from docgraph.ports import RelationshipGraph

_THIS = r"\bthis (?:[\w-]+ ){1,2}"
_PAST = r"(?:superseded|replaced|obsoleted) by\b"
_REPLACED = re.compile(
    rf"(?:^(?:>\s*)?(?:\*\*|__)?|^#[^\[\]()]{{0,200}}[\[(]|{_THIS}(?:has been|was|is)(?: now)? ){_PAST}", re.IGNORECASE
)
_REPLACES = re.compile(rf"{_THIS}(?:supersedes|replaces|obsoletes) (?=\[)", re.IGNORECASE)

Role = Literal["old", "new"]


@dataclass(frozen=True)
class Told:
    """A text says that its document is the ``old`` one of two, or the ``new`` one; ``edge`` holds the sentence."""

    document: str
    other: str
    role: Role
    edge: Relationship

    @property
    def pair(self) -> tuple[str, str]:
        """(what was replaced, what replaced it)."""
        return (self.document, self.other) if self.role == "old" else (self.other, self.document)


def told_successions(graph: RelationshipGraph) -> list[Told]:
    """Each pair of documents once, between stored documents."""
    found: dict[tuple[str, str], Told] = {}
    for edge in graph.each(graph.relationships):
        start, _, end = edge.key
        if start != end and start in graph.documents and end in graph.documents and is_in_text(edge, graph):
            for role in _roles(edge):
                told = Told(start, end, role, edge)
                if told.pair not in found or is_succession(edge.relation_type):
                    found[told.pair] = told
    return [told for _, told in sorted(found.items())]


def is_in_text(edge: Relationship, graph: RelationshipGraph) -> bool:
    """Whether a relationship was read in the text, and not in a field ``status``."""
    place, said = edge.relationship_metadata.get("place"), edge.relationship_metadata.get("text")
    status = graph.documents[edge.from_document_id].metadata.get("status")
    is_field = isinstance(status, str) and " ".join(status.split()) == said
    return place in TEXT_PLACES and not is_field


def _roles(edge: Relationship) -> Iterator[Role]:
    if is_succession(edge.relation_type):
        yield "old" if old_and_new(edge)[0] == edge.from_document_id else "new"
        return
    text = edge.relationship_metadata.get("text")
    if not isinstance(text, str):
        return
    for role, pattern in (("old", _REPLACED), ("new", _REPLACES)):
        found = pattern.search(text)
        if found and _leads_to(text[found.end() :], edge.to_document_id):
            yield "old" if role == "old" else "new"


def _leads_to(rest: str, target: str) -> bool:
    """Whether the first link after the words is the one to the target: by its name or its number."""
    link = next(links_in(rest), None)
    if link is None:
        return False
    stem = posixpath.basename(target).casefold()
    said = f"{link.label} {link.address}".casefold()
    number = re.match(r"(?:[^\W\d_]{2,12}[-_ ]?)?0*(\d{1,6})(?=$|[-_. ])", stem)
    return stem in said or (number is not None and re.search(rf"(?<!\d)0*{number[1]}(?!\d)", said) is not None)
