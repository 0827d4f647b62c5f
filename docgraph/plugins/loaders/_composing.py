"""Makes a Document out of what a loader has read: id, title, summary and type by the same rules for every format."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import PurePosixPath
from typing import Any

from docgraph.boundary.limits import MAX_BYTES, MAX_LINE
from docgraph.boundary.text import one_line
from docgraph.domain.anchors import BROKEN_ANCHORS, MAX_BROKEN, PATH, SECTION_ANCHORS, sections_of
from docgraph.domain.graph import MAX_ID_LENGTH, MAX_TITLE, Document, Section
from docgraph.domain.naming import composed

MAX_SUMMARY = 4_000
MAX_TYPE = 100


class BoundedLoader:
    """Refuses files of more than ``max_bytes`` bytes, or with lines over ``max_line`` characters."""

    most_bytes = MAX_BYTES

    def __init__(self, *, max_bytes: int | None = None, max_line: int = MAX_LINE) -> None:
        self._max_bytes = self.most_bytes if max_bytes is None else max_bytes
        self._max_line = max_line


def compose(
    source: str,
    *,
    text: str,
    sections: Sequence[Section],
    title: str = "",
    doc_type: str = "",
    metadata: Mapping[str, Any] | None = None,
    anchors: Mapping[str, tuple[str, ...]] | None = None,
    links_inside: Sequence[str] = (),
) -> Document:
    """The document of a file.

    The id is the field ``id`` or ``document_id``, else ``source`` without its suffix. The title is the field
    ``title``, else ``title``, else the file's name. Summary: ``summary``, ``description`` or ``abstract``. Type:
    ``type`` or ``doc_type``, else ``doc_type``. A first heading equal to the title is left out of the heading paths,
    and of those that ``anchors`` lead to. These become metadata, and so do those of ``links_inside`` that lead nowhere.
    Raises ValueError for an id that cannot be one.
    """
    fields = dict(metadata or {})
    document_id = checked_id(_text_field(fields, "id", "document_id") or path_id(source))
    name = _text_field(fields, "title") or title or PurePosixPath(path_id(source)).name or document_id
    name = one_line(name, MAX_TITLE)
    titles = (name, one_line(title, MAX_TITLE))
    under = without_title(sections, titles)
    if anchors:
        fields[SECTION_ANCHORS] = {
            anchor: PATH.join(path[1:] if path and path[0] in titles else path) for anchor, path in anchors.items()
        }
    if broken := _broken(links_inside, titles, under, fields):
        fields[BROKEN_ANCHORS] = broken
    return Document(
        document_id=document_id,
        title=name,
        text=text,
        sections=under,
        summary=one_line(_text_field(fields, "summary", "description", "abstract"), MAX_SUMMARY),
        source=source,
        doc_type=one_line(_text_field(fields, "type", "doc_type") or doc_type, MAX_TYPE),
        metadata=fields,
    )


def _broken(
    anchors: Sequence[str], titles: Sequence[str], sections: Sequence[Section], fields: Mapping[str, Any]
) -> list[str]:
    if not anchors:
        return []
    headings = dict.fromkeys(PATH.join(section.heading_path) for section in sections if section.heading_path)
    known = [sections_of(title, tuple(headings), fields) for title in dict.fromkeys(titles)]
    if not known[0].complete:
        return []
    return [each for each in anchors if all(one.find(each) is None for one in known)][:MAX_BROKEN]


def path_id(source: str) -> str:
    """``source`` without its suffix, with ``/`` between the parts and without ``./`` in front, in one form (NFC)."""
    path = PurePosixPath(composed(source.replace("\\", "/")))
    return str(path.with_suffix("")) if path.name else str(path)


def checked_id(raw: str) -> str:
    """``raw`` without surrounding space. Raises ValueError with one line when it cannot be a document's id."""
    document_id = raw.strip()
    if not document_id or document_id == ".":
        raise ValueError("the document has no id: its id is empty")
    if len(document_id) > MAX_ID_LENGTH:
        raise ValueError(
            f"the id {document_id[:40]!r}… has {len(document_id)} characters; at most {MAX_ID_LENGTH} are allowed"
        )
    if any(ord(character) < 32 or ord(character) == 127 for character in document_id):
        raise ValueError(f"the id {document_id[:80]!r} has a control character in it")
    if any("\ud800" <= character <= "\udfff" for character in document_id):
        raise ValueError(f"the id {document_id[:80]!r} is not valid text")
    return document_id


def without_title(sections: Sequence[Section], titles: Sequence[str]) -> tuple[Section, ...]:
    """The sections with an outermost heading that only repeats one of ``titles`` left out of their heading paths."""
    return tuple(
        section.model_copy(update={"heading_path": section.heading_path[1:]})
        if section.heading_path and section.heading_path[0] in titles
        else section
        for section in sections
    )


def _text_field(fields: Mapping[str, Any], *names: str) -> str:
    for name in names:
        value = fields.get(name)
        if isinstance(value, (str, int, float)) and not isinstance(value, bool) and str(value).strip():
            return str(value).strip()
    return ""
