"""Record files: documents and relationships, one JSON object per line."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from docgraph import plugins
from docgraph.domain.graph import Document
from docgraph.domain.report import Rejected
from docgraph.ingestion.records import read_relations


def documents(*lines: str) -> list[Document | Rejected]:
    return list(plugins.build("loaders", "jsonl").load("\n".join(lines).encode(), source="set/docs.jsonl"))


def test_one_bad_record_never_loses_the_others() -> None:
    found = documents(
        '{"id": "a", "text": "A"}',
        "{bad",
        "",
        "[1]",
        '{"id": "b", "text": " "}',
        '{"id": "a", "text": "again"}',
        '{"text": "no id"}',
        '{"id": "c", "text": 5.5}',
        "[" * 100_000,
        '{"id": "z", "text": "Z"}',
    )
    assert [record.document_id for record in found if isinstance(record, Document)] == ["a", "z"]
    assert [(record.place, record.reason) for record in found if isinstance(record, Rejected)] == [
        ("line 2", "line 2 is not JSON: Expecting property name enclosed in double quotes at character 2"),
        ("line 4", "line 4 is not an object but a JSON array"),
        ("line 5", "line 5: the document 'b' has no text"),
        ("line 6", "line 6: the id 'a' stands already on line 1"),
        ("line 7", "line 7: the document has no id: its id is empty"),
        ("line 8", "line 8: the field 'text' is not a string but float"),
        ("line 9", "line 9 is refused: it is nested 100,000 levels deep; at most 100 are read: flatten it"),
    ]


def test_known_keys_fill_the_document_and_others_its_metadata() -> None:
    (document,) = documents(
        json.dumps({"id": 7, "title": "T", "text": "x\x00\ud800", "doc_type": "adr", "summary": "S", "status": "new"})
    )
    assert isinstance(document, Document)
    assert document.model_dump(exclude={"sections", "chunks", "vector", "ingestion_id"}) == {
        "document_id": "7",
        "title": "T",
        "text": "x\ufffd",
        "doc_type": "adr",
        "summary": "S",
        "source": "set/docs.jsonl",
        "metadata": {"status": "new"},
    }


def test_text_is_cut_at_headings_as_its_source_would_be() -> None:
    markdown, rst, plain = documents(
        '{"id": "m", "source": "m.md", "text": "---\\nrequires: x\\n---\\n# M\\na\\n## B\\nc"}',
        '{"id": "r", "source": "r.rst", "text": "B\\n=\\n\\nc"}',
        '{"id": "p", "source": "somewhere", "text": "# B\\nc"}',
    )
    assert isinstance(markdown, Document)
    assert [section.heading_path for section in markdown.sections] == [(), ("B",)]
    assert markdown.metadata == {"requires": "x"}
    assert isinstance(rst, Document)
    assert rst.title == "B"
    assert isinstance(plain, Document)
    assert [section.text for section in plain.sections] == ["# B\nc"]


@pytest.mark.parametrize(
    ("line", "reason"), [('{"from": "a", "to": "b"}', "relations"), ('{"query": "q"}', "questions")]
)
def test_a_file_of_something_else_is_refused_as_such(line: str, reason: str) -> None:
    with pytest.raises(ValueError, match=reason):
        documents(line)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "n_documents", "n_relations", "n_dangling"),
    [("2wiki-780", 780, 211, 0), ("foam-docs", 86, 214, 30), ("govuk-adrs", 38, 6, 0), ("peps-small", 130, 310, 0)],
)
def test_the_public_sets_are_read_whole(
    test_data: Path, name: str, n_documents: int, n_relations: int, n_dangling: int
) -> None:
    loader = plugins.build("loaders", "jsonl")
    found = list(loader.load((test_data / name / "docs.jsonl").read_bytes(), source="docs.jsonl"))
    data = (test_data / name / "relations.jsonl").read_bytes()
    relations = [item[1] for item in read_relations(data, source="relations.jsonl") if isinstance(item, tuple)]
    ids = {document.document_id for document in found}
    assert len(ids) == n_documents
    assert len({relation.key for relation in relations}) == n_relations
    assert len([relation for relation in relations if relation.to_document_id not in ids]) == n_dangling
