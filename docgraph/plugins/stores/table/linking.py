"""Relationships out of the metadata of a foreign table's chunks: fields that name documents, and LlamaIndex's own."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from docgraph import plugins
from docgraph.domain.graph import Document, DocumentRef, Relationship, StoredDocument
from docgraph.domain.imports.fields import field_key
from docgraph.plugins.stores._rows.writing import MAX_KEY_BYTES
from docgraph.plugins.stores.table.rows import Row, name_of
from docgraph.ports import NamedTarget, RelationExtractor, Titles

PLACE = "metadata"
NODE_TYPES = {"2": "previous", "3": "next", "4": "parent", "5": "child"}
"""LlamaIndex's numbers of relations between nodes; 1 is the document that a node was cut out of."""
MAX_PER_FIELD = 1_000
"""Values of one field that are read of one document."""
_MORE_FIELDS = {"links": "links_to"}
_LIST = "relations"
_ADDRESS = re.compile(r"[A-Za-z][A-Za-z0-9+.-]{1,20}://|mailto:", re.IGNORECASE)


def field_extractor(mapping: Mapping[str, str] | None) -> RelationExtractor:
    """Reads the fields of ``mapping`` (field → relation type), else those of front matter and ``links``."""
    extractor: RelationExtractor = (
        plugins.build("extractors", "front_matter", more_fields=_MORE_FIELDS)
        if mapping is None
        else plugins.build("extractors", "front_matter", fields=dict(mapping))
    )
    return extractor


class Linking:
    """Finds the relationships of documents, each with the chunks that it was put together of."""

    def __init__(
        self,
        documents: Mapping[str, tuple[StoredDocument, Sequence[Row]]],
        extractor: RelationExtractor,
        names: Mapping[str, Sequence[str]],
    ) -> None:
        self._documents, self._extractor = documents, extractor
        self._fields = {*getattr(extractor, "fields", ()), _LIST}
        self._of_node = {row.key: i for i, (_, rows) in documents.items() for row in rows if row.key}
        refs = tuple(DocumentRef(document_id=i, title=stored.title) for i, (stored, _) in documents.items())
        sources = {i: stored.source for i, (stored, _) in documents.items() if stored.source}
        self._titles = Titles(refs, sources, reading=_Names.of(names, self._of_node))

    def of(self, document_id: str) -> tuple[Relationship, ...]:
        """The relationships that start at a document, each once, in the order in which the chunks tell them."""
        stored, rows = self._documents[document_id]
        document = Document(
            document_id=document_id, title=stored.title, source=stored.source, metadata=self._values(rows)
        )
        found: dict[tuple[str, str, str], Relationship] = {}
        for edge in self._extractor.extract(document, self._titles):
            if edge.to_document_id != document_id:
                said = {**edge.relationship_metadata, "extractor": PLACE, "place": PLACE}
                found[edge.key] = edge.model_copy(update={"relationship_metadata": said})
        for edge in self._of_nodes(document_id, rows, len(found)):
            found.setdefault(edge.key, edge)
        return tuple(edge for key, edge in found.items() if len("".join(key).encode()) <= MAX_KEY_BYTES)

    def _values(self, rows: Sequence[Row]) -> dict[str, Any]:
        """The fields that name documents, with what any chunk says in them."""
        values: dict[str, list[Any]] = {}
        for row in rows:
            for field, value in (row.fields or {}).items():
                if (key := field_key(field)) in self._fields:
                    there = values.setdefault(field, [])
                    said = _as_list(value, typed=key == _LIST)
                    there += [each for each in said if each not in there][: MAX_PER_FIELD - len(there)]
        return dict(values)

    def _of_nodes(self, document_id: str, rows: Sequence[Row], order: int) -> Iterator[Relationship]:
        """What LlamaIndex says of nodes, where both are in the table, as relationships of their documents."""
        for row in rows:
            for number, node_id in _related(row.node):
                other = self._of_node.get(node_id)
                if other is not None and other != document_id:
                    yield Relationship(
                        from_document_id=document_id,
                        relation_type=NODE_TYPES[number],
                        to_document_id=other,
                        relationship_metadata={"extractor": "llama_index", "place": PLACE, "order": order},
                    )
                    order += 1


def _related(node: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    relations = node.get("relationships")
    for number, given in relations.items() if isinstance(relations, Mapping) else ():
        for each in given if isinstance(given, list) else [given]:
            if number in NODE_TYPES and isinstance(each, Mapping) and (node_id := name_of(each.get("node_id"))):
                yield number, node_id


def _as_list(value: Any, *, typed: bool) -> list[Any]:
    if typed and isinstance(value, Mapping):
        return [{"type": name, "to": targets} for name, targets in value.items()]
    return value if isinstance(value, list) else [value]


@dataclass(frozen=True)
class _Names:
    """What a field may call a document beside its id, path and title (``ports.NameReading``): web addresses too."""

    known: Mapping[str, str]
    words: Sequence[str] = ()
    citations: bool = False

    @classmethod
    def of(cls, names: Mapping[str, Sequence[str]], of_node: Mapping[str, str]) -> _Names:
        """A name that several documents have names none of them."""
        owners: dict[str, set[str]] = {node: {document_id} for node, document_id in of_node.items()}
        for document_id, own in names.items():
            for name in own:
                owners.setdefault(name, set()).add(document_id)
        return cls({name: next(iter(ids)) for name, ids in owners.items() if len(ids) == 1})

    def numbered(self, word: str, number: int) -> str | None:
        """None: numbers are read by the rules that always hold."""
        return None

    def target(self, name: str, document: Document, find: Callable[[str], str | None], *, field: str) -> NamedTarget:
        """The document that is called so or meant by the rules; else the name as it is, unless it is an address."""
        found = self.known.get(name) or find(name)
        if found is None and _ADDRESS.match(name):
            return NamedTarget(name, names_none=True)
        return NamedTarget(name, found or name)
