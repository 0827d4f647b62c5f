"""Finds relationships in front matter: fields that name other documents."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from docgraph.domain.graph import Document, Relationship
from docgraph.domain.imports.fields import field_key
from docgraph.plugins.extractors._edges import Edges
from docgraph.plugins.extractors._named_targets import named_targets
from docgraph.plugins.extractors._targets import Targets, index_of
from docgraph.ports import Titles

_SAME_NAME = (
    "amended_by",
    "amends",
    "decided_by",
    "decision_for",
    "depends_on",
    "derived_from",
    "example_of",
    "explained_by",
    "explains",
    "extends",
    "implemented_by",
    "implements",
    "obsoleted_by",
    "obsoletes",
    "part_of",
    "references",
    "refines",
    "related_to",
    "relates_to",
    "replaced_by",
    "replaces",
    "requires",
    "see_also",
    "superseded_by",
    "supersedes",
)
DEFAULT_FIELDS: Mapping[str, str] = {**{name: name for name in _SAME_NAME}, "related": "related_to"}
_LIST_FIELD = "relations"


class FrontMatter:
    """Each mapped field gives edges of its type; ``relations`` holds a list of ``{type, to, note}`` of any type.

    Field names are read without regard to case, with ``-`` and spaces as ``_``. Values: ids, titles, paths, links,
    lists, comma lists, or mappings ``{to, note}``.
    """

    name = "front_matter"
    default_on = True

    def __init__(self, fields: Mapping[str, str]) -> None:
        self._fields = {field_key(name): relation_type for name, relation_type in fields.items()}

    @property
    def fields(self) -> tuple[str, ...]:
        """The fields that name documents, in lower case with ``_``."""
        return tuple(self._fields)

    def extract(self, document: Document, titles: Titles) -> Iterable[Relationship]:
        """Edges in the order of the fields."""
        edges = Edges(document, self.name)
        targets = index_of(titles)
        for name, value in document.metadata.items():
            key = field_key(name)
            if key in self._fields:
                _add(edges, self._fields[key], value, document, targets, field=name)
            elif key == _LIST_FIELD:
                for relation_type, target in _listed(value):
                    _add(edges, relation_type, target, document, targets, field=name)
        return edges.found()


def _listed(value: Any) -> Iterable[tuple[str, Any]]:
    """(relation type, value that names targets) of ``[{type, to, note}, …]`` or of ``{type: targets, …}``."""
    if isinstance(value, Mapping):
        return [(str(relation_type), targets) for relation_type, targets in value.items()]
    if isinstance(value, list):
        entries = [entry for entry in value if isinstance(entry, Mapping)]
        return [(str(entry["type"]), entry) for entry in entries if isinstance(entry.get("type"), str)]
    return []


def _add(edges: Edges, relation_type: str, value: Any, document: Document, targets: Targets, *, field: str) -> None:
    for named in named_targets(value, document, targets, field=field):
        said = f"{field}: {named.raw}"
        edges.add(
            relation_type, named.document_id, place="front_matter", text=said, anchor=named.anchor, note=named.note
        )


def build(*, fields: Mapping[str, str] | None = None, more_fields: Mapping[str, str] | None = None) -> FrontMatter:
    """An extractor for ``fields`` (field → relation type; default: the list in docs), plus ``more_fields``."""
    return FrontMatter({**(DEFAULT_FIELDS if fields is None else fields), **(more_fields or {})})
