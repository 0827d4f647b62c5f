"""The places of a document that others refer to by names of their own: labels, sections, terms, needs."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from docgraph.boundary.imports.markup.references import DEFINES, folded
from docgraph.domain.graph import Document, StoredDocument
from docgraph.ports import Anchor

_SECTIONS = (".rst", ".rest")
"""Where a section's title is a label by itself (autosectionlabel)."""
MAX_SECTIONS = 500


def anchors_of(document: Document | StoredDocument) -> list[tuple[str, Anchor]]:
    """(name as it is compared, where it leads), labels first."""
    document_id, defines = document.document_id, document.metadata.get(DEFINES)
    found: list[tuple[str, Anchor]] = []
    if isinstance(defines, Mapping):
        labels = defines.get("labels")
        for name, section in labels.items() if isinstance(labels, Mapping) else ():
            found.append((folded(str(name)), Anchor(document_id, "label", str(section))))
        found += [(folded(name), Anchor(document_id, "term")) for name in _texts(defines.get("terms"))]
        found += [(folded(name), Anchor(document_id, "need")) for name in _texts(defines.get("needs"))]
    if document.source.casefold().endswith(_SECTIONS):
        titles = dict.fromkeys((document.title, *_headings(document)))
        found += [(folded(each), Anchor(document_id, "section", each)) for each in list(titles)[:MAX_SECTIONS]]
    return found


def gathered(found: Iterable[tuple[str, Anchor]]) -> dict[str, tuple[Anchor, ...]]:
    """Name → every place that has it, in the order given."""
    anchors: dict[str, list[Anchor]] = {}
    for name, anchor in found:
        anchors.setdefault(name, []).append(anchor)
    return {name: tuple(each) for name, each in anchors.items()}


def _headings(document: Document | StoredDocument) -> Iterator[str]:
    if isinstance(document, Document):
        yield from (section.heading_path[-1] for section in document.sections if section.heading_path)
    else:
        yield from (heading.rpartition(" > ")[2] for heading in document.headings)


def _texts(value: Any) -> Iterator[str]:
    yield from (each for each in value if isinstance(each, str)) if isinstance(value, list) else ()
