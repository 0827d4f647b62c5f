"""Reads the output folder of Microsoft's GraphRAG, which is Parquet tables."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from docgraph.boundary.confined import Confined
from docgraph.boundary.limits import MAX_TABLE_BYTES, MAX_TABLE_EXPANDED, MAX_TABLE_ROWS
from docgraph.boundary.text import check_size, one_line
from docgraph.domain.graph import Document, Relationship
from docgraph.domain.report import Rejected
from docgraph.plugins.loaders._graphs.nodes import RELATED, edge, listed, node_document
from docgraph.plugins.loaders._graphs.xml_graph import WITHOUT_EXTRA
from docgraph.plugins.loaders._markdown_outline import markdown_sections

READER = "graphrag"
FOUND_IN, HOLDS, COVERS = "found_in", "holds", "covers"
ENTITIES, RELATIONSHIPS = "entities", "relationships"
_TABLES = (ENTITIES, RELATIONSHIPS, "text_units", "documents", "communities", "community_reports")
_OWN = ("embeddings.", "create_final_", "create_base_", "covariates", "stats.json", "context.json", "graph.graphml")
_VECTORS = "/lancedb/"
Row = dict[str, Any]


def groups(names: Sequence[str]) -> Iterator[tuple[str, ...]]:
    """(entities, others) of each folder that has GraphRAG's entities and relationships."""
    there = set(names)
    for name in names:
        folder, slash, file = name.rpartition("/")
        table = _table(file)
        other = f"{folder}{slash}{file.replace(ENTITIES, RELATIONSHIPS)}"
        if table == ENTITIES and other in there:
            beside = [each for each in names if each != name and each.startswith(f"{folder}{slash}")]
            yield (name, *(each for each in beside if _is_own(each[len(folder) + len(slash) :])))


def read_folder(
    read_file: Callable[[str], bytes], names: Sequence[str]
) -> Iterator[Document | Relationship | Rejected]:
    """Documents, entities, reports, then relationships: an entity is ``found_in`` a document, which ``holds`` it.

    What relates two entities is ``related_to`` in the direction of the table, with its description; a report ``covers``
    the entities of its community. Raises ValueError with one line, and OSError.
    """
    tables = {_table(name.rpartition("/")[2]): name for name in reversed(names) if name.endswith(".parquet")}
    rows: dict[str, list[Row]] = {
        table: list(read_table(read_file(tables[table]))) if table in tables else [] for table in _TABLES
    }
    titles = {str(row.get("id")): _name(row) for row in rows[ENTITIES]}
    source = names[0]
    units = {str(row.get("id")): _ids(row, "document_ids", "document_id") for row in rows["text_units"]}
    for row in rows["documents"]:
        yield _written(row.get("id"), row, source, text=row.get("text") or row.get("raw_content"), kind="document")
    for number, row in enumerate(rows[ENTITIES], start=1):
        try:
            yield node_document(_name(row), _told(row), source, doc_type=str(row.get("type") or ""))
        except ValueError as error:
            yield Rejected(reason=f"entity {number}: {error}", place=f"entity {number}")
    for row in rows["community_reports"]:
        yield _written(_report(row), row, source, text=row.get("full_content"), kind="community_report")
    known = {str(row.get("id")) for row in rows["documents"]}
    for order, (start, kind, end, text) in enumerate(_edges(rows, units, known, titles)):
        try:
            yield edge(start, kind, end, reader=READER, source=source, order=order, text=text)
        except ValueError as error:
            yield Rejected(reason=f"relationship {order + 1}: {error}", place=f"relationship {order + 1}")


def read_table(data: bytes) -> Iterator[Row]:
    """The rows of a Parquet file. Raises ValueError with one line: too large, too much expanded, not Parquet."""
    try:
        import pyarrow
        from pyarrow import parquet
    except ImportError:
        raise ValueError(WITHOUT_EXTRA) from None
    check_size(data, MAX_TABLE_BYTES)
    try:
        file = parquet.ParquetFile(pyarrow.BufferReader(data))
        groups = [file.metadata.row_group(number) for number in range(file.metadata.num_row_groups)]
        expanded = sum(group.total_byte_size for group in groups)
        if file.metadata.num_rows > MAX_TABLE_ROWS or expanded > MAX_TABLE_EXPANDED:
            raise ValueError(
                f"the table has {file.metadata.num_rows:,} rows of {expanded:,} bytes; at most {MAX_TABLE_ROWS:,} of "
                f"{MAX_TABLE_EXPANDED:,} are read"
            )
        for batch in file.iter_batches(batch_size=1_000):
            yield from batch.to_pylist()
    except (pyarrow.ArrowException, OSError, OverflowError) as error:
        raise ValueError(f"the file is not a Parquet table: {one_line(str(error), 200)}") from None


def _edges(
    rows: Mapping[str, list[Row]], units: Mapping[str, list[str]], known: set[str], titles: Mapping[str, str]
) -> Iterator[tuple[str, str, str, str]]:
    for row in rows[RELATIONSHIPS]:
        yield str(row.get("source")), RELATED, str(row.get("target")), str(row.get("description") or "")
    found = {
        (_name(row), document_id): None
        for row in rows[ENTITIES]
        for unit in _ids(row, "text_unit_ids")
        for document_id in units.get(unit, ())
        if document_id in known
    }
    for entity, document_id in found:
        yield entity, FOUND_IN, document_id, ""
        yield document_id, HOLDS, entity, ""
    members = {str(row.get("community")): _ids(row, "entity_ids") for row in rows["communities"]}
    for row in rows["community_reports"]:
        for entity_id in members.get(str(row.get("community")), ()):
            if entity_id in titles:
                yield _report(row), COVERS, titles[entity_id], ""


def _written(document_id: Any, row: Row, source: str, *, text: Any, kind: str) -> Document | Rejected:
    place = f"{kind.replace('_', ' ')} {one_line(str(document_id), 80)}"
    try:
        if not isinstance(text, str) or not text.strip():
            raise ValueError("it has no text")
        _, sections = markdown_sections(text)
        return node_document(document_id, _told(row), source, text=text, doc_type=kind, sections=sections)
    except ValueError as error:
        return Rejected(reason=f"{place}: {error}", place=place)


def _table(file: str) -> str:
    """Which table a file is, whatever release wrote it: ``create_final_entities.parquet`` → ``entities``."""
    name = file.removesuffix(".parquet").removeprefix("create_final_")
    return name if file.endswith(".parquet") and name in _TABLES else ""


def _is_own(name: str) -> bool:
    return bool(_table(name)) or name.startswith(_OWN) or f"/{name}".startswith(_VECTORS)


def _name(row: Row) -> str:
    return str(row.get("title") or row.get("name") or row.get("id") or "")


def _report(row: Row) -> str:
    return f"community report {row.get('community')}"


def _ids(row: Row, *names: str) -> list[str]:
    for name in names:
        value = row.get(name)
        if value is not None:
            return [str(each) for each in listed(value)] if isinstance(value, list) else [str(value)]
    return []


def _told(row: Row) -> Row:
    """What is kept as metadata: texts that are the document's, and lists of ids, are not."""
    left = ("text", "raw_content", "full_content", "full_content_json", "description_embedding", "findings")
    return {name: value for name, value in row.items() if name not in left and not isinstance(value, list)}


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
        for number, row in enumerate(read_table(data), start=1):
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

    groups, load_group = staticmethod(groups), staticmethod(read_folder)


build = ParquetLoader
