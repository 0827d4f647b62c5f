"""Makes documents of nodes and relationships of edges, by the same conventions for every format of graph."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from typing import Any, NoReturn

from docgraph.boundary.imports.plain_values import plain_json
from docgraph.boundary.limits import MAX_JSON_FILE, MAX_JSON_FILE_VALUES, MAX_LINE
from docgraph.boundary.shape import check_json
from docgraph.boundary.text import check_length, check_lines, clean, decode, one_line
from docgraph.domain.graph import MAX_ID_LENGTH, MAX_TITLE, Document, Relationship, Section
from docgraph.plugins.loaders._composing import MAX_SUMMARY, MAX_TYPE, checked_id


def read_json(data: bytes, *, max_bytes: int = MAX_JSON_FILE) -> Any:
    """The value in ``data``. Raises ValueError with one line: too large, too deep, too many values, no JSON."""
    text = decode(data, max_bytes=max_bytes, max_line=max_bytes)
    try:
        check_json(text, max_values=MAX_JSON_FILE_VALUES)
        return json.loads(text, parse_constant=_refused)
    except json.JSONDecodeError as error:
        raise ValueError(f"the file is not JSON: {error.msg} in line {error.lineno}, character {error.colno}") from None
    except (ValueError, RecursionError) as error:
        raise ValueError(f"the file is refused: {one_line(str(error), 200)}") from None


def _refused(name: str) -> NoReturn:
    raise ValueError(f"{name} is not a JSON value")


TEXTS = ("text", "content", "page_content", "body", "description", "definition", "abstract", "summary", "comment")
TITLES = ("title", "name", "label", "entity_id", "heading")
TYPES = ("doc_type", "type", "entity_type", "kind", "category", "labels", "label")
SUMMARIES = ("summary", "abstract")
EDGE_TYPES = ("type", "relation_type", "relation", "relationship", "predicate", "rel", "kind", "label", "name")
RELATED = "related_to"
MAX_QUOTE = 300
_SPACE = re.compile(r"[\s-]+")


def node_document(
    node_id: Any,
    attributes: Mapping[str, Any],
    source: str,
    *,
    title: str = "",
    text: str | None = None,
    doc_type: str = "",
    sections: Sequence[Section] = (),
) -> Document:
    """The document of a node: its id, and what the attributes say by their names; all of them stay as metadata.

    Text: ``text``, else the first of ``text content body description definition abstract summary`` that has any, else
    every other text of it, line by line, else its title. Title: ``title``, else ``title name label``, else the id.
    Type: ``doc_type``, else ``type entity_type kind labels``. Raises ValueError with one line for an id that cannot be
    one and for a text beyond the limits.
    """
    fields = dict(plain_json(dict(attributes)))
    document_id = checked_id(one_line(clean(str(node_id)), MAX_ID_LENGTH + 1))
    name = one_line(title, MAX_TITLE) or one_line(first_of(fields, TITLES), MAX_TITLE) or document_id
    body = first_of(fields, TEXTS) if text is None else clean(text)
    body = body.strip("\n") if body.strip() else _all_texts(fields, name)
    check_length(body)
    check_lines(body, MAX_LINE)
    return Document(
        document_id=document_id,
        title=name,
        text=body,
        sections=tuple(sections) or (Section(text=body),),
        summary=one_line(first_of(fields, SUMMARIES), MAX_SUMMARY) if text is None and _has_text(fields) else "",
        source=source,
        doc_type=one_line(doc_type or first_of(fields, TYPES), MAX_TYPE),
        metadata=fields,
    )


def edge(
    start: Any, kind: str, end: Any, *, reader: str, source: str, order: int, text: str = "", **more: Any
) -> Relationship:
    """The relationship of an edge. Raises ValueError with one line for ends that cannot be ids.

    ``kind`` is put on one line; an empty one becomes ``related_to``. ``reader`` names the format in its provenance.
    """
    ends = [checked_id(one_line(clean(str(name)), MAX_ID_LENGTH + 1)) for name in (start, end)]
    quote = {"text": said} if (said := one_line(text, MAX_QUOTE)) else {}
    told = {name: value for name, value in plain_json(more).items() if value not in (None, "", [], {})}
    return Relationship(
        from_document_id=ends[0],
        relation_type=one_line(kind, 100) or RELATED,
        to_document_id=ends[1],
        relationship_metadata={
            **told,
            "extractor": reader,
            "place": "record",
            "order": order,
            "source": source,
            **quote,
        },
    )


def edge_type(attributes: Mapping[str, Any]) -> str:
    """The type that an edge's attributes name, "" for none."""
    return first_of(attributes, EDGE_TYPES)


def as_type(words: str) -> str:
    """``Refined By`` → ``refined_by``."""
    return _SPACE.sub("_", words.strip().casefold())


def first_of(attributes: Mapping[str, Any], names: Sequence[str]) -> str:
    """The first of these attributes that has a text, whatever the case of its name; a list of texts is joined."""
    folded = {str(name).casefold(): value for name, value in reversed(list(attributes.items()))}
    for name in names:
        value = folded.get(name)
        if isinstance(value, list) and value and all(isinstance(each, str) for each in value):
            value = ", ".join(value)
        if isinstance(value, str) and value.strip():
            return clean(value)
    return ""


def listed(value: Any) -> list[Any]:
    """``value`` where it is a list, else none."""
    return value if isinstance(value, list) else []


def mapped(value: Any) -> dict[str, Any]:
    """``value`` where it is a mapping, else none."""
    return value if isinstance(value, dict) else {}


def _has_text(fields: Mapping[str, Any]) -> bool:
    """Whether the text is something else than the summary."""
    return bool(first_of(fields, [name for name in TEXTS if name not in SUMMARIES]))


def _all_texts(fields: Mapping[str, Any], title: str) -> str:
    lines = [f"{name}: {value}" for name, value in fields.items() if isinstance(value, str) and value.strip()]
    return "\n".join(lines) or title
