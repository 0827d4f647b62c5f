"""Reads the output folder of Microsoft's GraphRAG, which is Parquet tables."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from docgraph.boundary.confined import Confined
from docgraph.domain.graph import Document, Relationship
from docgraph.domain.report import Rejected
from docgraph.plugins.loaders._graphs import graph_rag
from docgraph.plugins.loaders._graphs.nodes import node_document


class ParquetLoader:
    """``entities.parquet`` with ``relationships.parquet`` beside it is GraphRAG's: the folder is read as one.

    A table that stands alone is read when its rows have an id (or a title) and a text.
    """

    name = "parquet"
    suffixes: tuple[str, ...] = (".parquet",)
    holds_many = True
    confined = Confined(imports=("pyarrow.parquet",))

    def load(self, data: bytes, *, source: str) -> Iterator[Document | Relationship | Rejected]:
        """A document for each row. Raises ValueError with a one-line reason."""
        for number, row in enumerate(graph_rag.read_table(data), start=1):
            given = next((row[name] for name in ("id", "document_id", "title", "name") if row.get(name)), None)
            has_text = any(isinstance(row.get(name), str) for name in ("text", "content", "description"))
            if given is None or not has_text:
                raise ValueError(
                    "the table holds no documents: no columns id (or title) and text, content or description"
                )
            try:
                yield node_document(given, row, source)
            except ValueError as error:
                yield Rejected(reason=f"row {number}: {error}", place=f"row {number}")

    def groups(self, names: Sequence[str]) -> Iterator[tuple[str, ...]]:
        """Files that are read as one: (the entities of a GraphRAG folder, everything else in it)."""
        return graph_rag.groups(names)

    def load_group(
        self, read: Callable[[str], bytes], names: Sequence[str]
    ) -> Iterator[Document | Relationship | Rejected]:
        """What such a folder holds. Raises ValueError with a one-line reason, and OSError."""
        return graph_rag.read(read, names)


def build() -> ParquetLoader:
    """The loader; it has no options."""
    return ParquetLoader()
