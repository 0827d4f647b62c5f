"""Finds relationships in RFC-822 headers and docinfo: ``Requires: 234, PEP 345``."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from docgraph.domain.graph import Document, Relationship
from docgraph.plugins.extractors._edges import Edges
from docgraph.plugins.extractors._named_targets import named_targets
from docgraph.plugins.extractors._targets import index_of
from docgraph.ports import Titles

_SAME_NAME = (
    "amended_by",
    "amends",
    "depends_on",
    "obsoleted_by",
    "obsoletes",
    "replaced_by",
    "replaces",
    "requires",
    "see_also",
    "superseded_by",
    "supersedes",
    "updated_by",
    "updates",
)
DEFAULT_FIELDS: Mapping[str, str] = {name: name for name in _SAME_NAME}


class HeaderFields:
    """Each mapped field of ``metadata["header"]`` gives edges of its type.

    Values are numbers of the document's own series, ``PEP 123``, ``:pep:`123```, paths, ids, titles or comma lists.
    """

    name = "header_fields"
    default_on = True

    def __init__(self, fields: Mapping[str, str]) -> None:
        self._fields = {name.casefold().replace("-", "_"): kind for name, kind in fields.items()}

    @property
    def fields(self) -> tuple[str, ...]:
        """The fields that name documents, in lower case with ``_``."""
        return tuple(self._fields)

    def extract(self, document: Document, titles: Titles) -> Iterable[Relationship]:
        """Edges in the order of the fields."""
        edges = Edges(document, self.name)
        header = document.metadata.get("header")
        if not isinstance(header, Mapping):
            return edges.found()
        targets = index_of(titles)
        for name, value in header.items():
            relation_type = self._fields.get(str(name).casefold().replace("-", "_"))
            if relation_type is None or not isinstance(value, (str, int)):
                continue
            label = str(name).replace("_", "-").title()
            for named in named_targets(value, document, targets, field=str(name)):
                edges.add(
                    relation_type, named.document_id, place="header", text=f"{label}: {value}", anchor=named.anchor
                )
        return edges.found()


def build(*, fields: Mapping[str, str] | None = None, more_fields: Mapping[str, str] | None = None) -> HeaderFields:
    """An extractor for ``fields`` (field → relation type; default: the list in docs), plus ``more_fields``."""
    return HeaderFields({**(DEFAULT_FIELDS if fields is None else fields), **(more_fields or {})})
