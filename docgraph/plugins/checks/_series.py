"""Series of numbered documents, learnt from ids: ``eip`` where several documents are called ``…/eip-N``."""

from __future__ import annotations

import re
from collections import defaultdict

from docgraph.ports import RelationshipGraph

_NUMBERED = re.compile(r"^\W*([^\W\d_]{2,12})[ _-]?0*(\d{1,9})\W*$")
"""A label, or the last part of an id, that is a name in a series and nothing else: ``EIP-2070``."""

Name = tuple[str, int]
"""(series in lower case, number)."""


def name_of(text: str) -> Name | None:
    """(series, number) of a label or of the last part of an id; None where it is no such name alone."""
    found = _NUMBERED.match(text.rsplit("/", 1)[-1].strip())
    return (found[1].casefold(), int(found[2])) if found else None


def series_in(graph: RelationshipGraph, *, least: int) -> dict[Name, tuple[str, ...]]:
    """(series, number) → the documents that are called so, for series of enough documents."""
    called: dict[Name, list[str]] = defaultdict(list)
    members: dict[str, int] = defaultdict(int)
    for document_id in graph.each(sorted(graph.documents)):
        name = name_of(document_id)
        if name is not None:
            called[name].append(document_id)
            members[name[0]] += 1
    return {name: tuple(ids) for name, ids in called.items() if members[name[0]] >= least}


def ranges_of(series: dict[Name, tuple[str, ...]]) -> dict[str, tuple[int, int]]:
    """Series → its least and its greatest number."""
    found: dict[str, tuple[int, int]] = {}
    for word, number in series:
        least, most = found.get(word, (number, number))
        found[word] = (min(least, number), max(most, number))
    return found
