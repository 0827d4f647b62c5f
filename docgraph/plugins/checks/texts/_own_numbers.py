"""The number of a document as its name, a field and its title give it, in series whose members mostly agree."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Mapping

from docgraph.domain.imports.fields import with_header
from docgraph.domain.imports.numbering import Numbered, field_value, number_of, numbered_groups
from docgraph.ports import RelationshipGraph

AGREE = 0.8
"""Share of the members of a series whose field, or title, gives the number of their name: then it is meant to."""

_TITLE = re.compile(r"^\W*(?:[^\W\d_]{2,12}[-_ ]?#?)?0*(\d{1,6})(?=[.:)\]]|\s*[-–—:]|$)")

Numbers = Mapping[str, int]
"""Where it stands (``name``, ``title``, or a field) → the number."""


def own_numbers(graph: RelationshipGraph) -> dict[str, Numbers]:
    """document_id → its numbers, for documents that have two or more."""
    there = {
        document_id: Numbered(
            document=document_id,
            stem=posixpath.basename(document_id),
            fields=with_header(document.metadata),
            title=document.title,
        )
        for document_id, document in graph.each(graph.documents.items())
    }
    found: dict[str, Numbers] = {}
    for group in numbered_groups(list(there.values())):
        named, field = group.numbers, group.field
        stated = {i: number_of(field_value(there[i].fields, field)) for i in named} if field else {}
        titled = {i: _in_title(there[i].title) for i in graph.each(named)}
        places = {"name": named, field: _agreeing(named, stated), "title": _agreeing(named, titled)}
        for document_id in named:
            numbers = {place: given[document_id] for place, given in places.items() if document_id in given}
            if len(numbers) > 1:
                found[document_id] = numbers
    return found


def _agreeing(named: Numbers, given: Mapping[str, int | None]) -> dict[str, int]:
    """The numbers of another place; none where too few of them are those of the names."""
    found = {document_id: number for document_id, number in given.items() if number is not None}
    n_same = sum(named[document_id] == number for document_id, number in found.items())
    return found if n_same >= AGREE * len(named) else {}


def _in_title(title: str) -> int | None:
    found = _TITLE.match(title)
    return int(found[1]) if found else None
