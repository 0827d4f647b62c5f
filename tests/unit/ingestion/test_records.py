"""Records are taken as they are: their relationships, chunks and vectors are checked and kept."""

from __future__ import annotations

import functools
import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from docgraph.boundary import json_lines
from docgraph.domain.graph import Chunk
from docgraph.domain.report import Rejected
from docgraph.ingestion.records import read_relations
from tests.builders import document, relationship
from tests.unit.ingestion.importer import adds_up, ingestion, new_store, reasons


def test_records_beside_their_relations_are_linked_by_these_alone(tmp_path: Path) -> None:
    store = new_store()
    (tmp_path / "docs.jsonl").write_text("a|A|text needs:b\nb|B|text", encoding="utf-8")
    lines = ['{"from": "a", "to": "b", "type": "explains", "where": "header", "dangling": true}', "{", '{"from": "a"}']
    lines += [
        '{"from": "nobody", "to": "b", "type": "explains"}',
        "[1, 2]",
        '{"from": "a", "to": "b", "type": "\\u0000"}',
    ]
    (tmp_path / "relations.jsonl").write_text("\n".join(lines), encoding="utf-8")
    (tmp_path / "queries.jsonl").write_text("{}", encoding="utf-8")
    (tmp_path / "readme.md").write_text("not a document of this set", encoding="utf-8")
    report = ingestion(store).ingest_path(tmp_path)
    assert (report.n_stored, report.relationships, report.n_rejected) == (2, {"explains": 1}, 5)
    assert adds_up(report)
    assert "'nobody'" in reasons(report)["relations.jsonl, line 4"]
    with store.reading() as snapshot:
        (edge,) = snapshot.relationships()
    assert edge.relationship_metadata["place"] == "header"
    assert "dangling" not in edge.relationship_metadata
    assert ingestion(store).ingest_path(tmp_path).n_skipped == 2


def test_relations_keep_their_place_order_and_other_fields() -> None:
    data = (
        b'{"from": "a", "to": "b", "type": "t", "where": "header", "order": 5, "dangling": true, "weight": 2}\n'
        b'{"from": "a", "to": "c"}\n\n{"source": 7, "target": "x\\ny", "via": "t", "extractor": "manual"}\n'
    )
    first, bad, last = read_relations(data, source="relations.jsonl")
    assert isinstance(first, tuple)
    assert first[0] == "line 1"
    assert first[1].relationship_metadata == {
        "extractor": "jsonl",
        "place": "header",
        "order": 5,
        "source": "relations.jsonl",
        "weight": 2,
    }
    assert bad == Rejected(reason="line 2: the relationship has no 'type'", place="line 2")
    assert isinstance(last, tuple)
    assert last[1].key == ("7", "t", "x y")
    assert last[1].relationship_metadata == {
        "extractor": "jsonl",
        "place": "record",
        "order": 3,
        "source": "relations.jsonl",
    }


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("{", "line 1 is not JSON: Expecting property name enclosed in double quotes at character 2"),
        ("[1]", "line 1 is not an object but a JSON array"),
        ("[" * 100_000, "line 1 is refused: it is nested 100,000 levels deep; at most 100 are read: flatten it"),
        ('{"from": "a", "to": "b", "type": "t", "weight": NaN}', "line 1 is not JSON: NaN is not a JSON value"),
        ('{"from": "a", "to": ["b"], "type": "t"}', "line 1: the field 'to' is not a string but list"),
        ('{"from": " \\u0007 ", "to": "b", "type": "t"}', "line 1: the field 'from' is empty"),
        (
            '{"from": "a", "to": "' + "b" * 513 + '", "type": "t"}',
            "line 1: to_document_id: String should have at most 512 characters",
        ),
    ],
)
def test_a_bad_relation_says_what_is_wrong_and_the_next_one_is_read(line: str, reason: str) -> None:
    bad, good = read_relations(f'{line}\n{{"from": "a", "to": "b", "type": "t"}}'.encode(), source="relations.jsonl")
    assert bad == Rejected(reason=reason, place="line 1")
    assert isinstance(good, tuple)


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-32", "latin-1"])
def test_relations_are_read_in_every_encoding_that_documents_are(encoding: str) -> None:
    data = '{"from": "café", "to": "b", "type": "t"}'.encode(encoding)
    (item,) = read_relations(data, source="relations.jsonl")
    assert isinstance(item, tuple)
    assert item[1].from_document_id == "café"


def test_a_relations_file_without_lines_holds_none_and_a_binary_one_is_refused() -> None:
    assert list(read_relations(b" \n\n", source="relations.jsonl")) == []
    with pytest.raises(ValueError, match="binary"):
        list(read_relations(b"\x00\x01", source="relations.jsonl"))
    with pytest.raises(ValueError, match="at most 10 are read"):
        list(read_relations(b"{}" * 10, source="relations.jsonl", max_bytes=10))


def test_a_changed_edge_set_updates_the_document_that_it_starts_at() -> None:
    store = new_store()
    documents = [document("a"), document("b")]
    ingestion(store).ingest_records(documents, [relationship("a", "needs", "b")])
    report = ingestion(store).ingest_records(documents, [relationship("a", "explains", "b")])
    assert [o.document_id for o in report.outcomes if o.outcome == "updated"] == ["a"]
    with store.reading() as snapshot:
        assert snapshot.relation_types() == {"explains": 1}


def test_relationships_of_documents_that_are_already_stored_are_added_once() -> None:
    store = new_store()
    ingestion(store).ingest_records([document("a"), document("b")])
    first = ingestion(store).ingest_records([], [relationship("a", "needs", "b"), relationship("x", "needs", "b")])
    assert (first.n_in, first.n_relationships, list(reasons(first))) == (1, 1, ["relationship 2"])
    assert ingestion(store).ingest_records([], [relationship("a", "needs", "b")]).n_relationships == 0


def test_nothing_is_extracted_from_records() -> None:
    report = ingestion().ingest_records([document("a", "text needs:b")])
    assert report.n_relationships == 0


def test_given_chunks_and_vectors_are_kept_as_they_are() -> None:
    store, unit = new_store(), [0.0] * 15 + [1.0]
    chunk = Chunk(chunk_id="my-chunk", chunk_index=0, text="text", token_count=9, vector=tuple(unit))
    ingestion(store).ingest_records([document("a", chunks=(chunk,), vector=tuple(unit))])
    with store.reading() as snapshot:
        (hit,) = snapshot.nearest_chunks(np.asarray(unit, dtype=np.float32), limit=5)
    assert (hit.chunk.chunk_id, hit.chunk.token_count, hit.score) == ("my-chunk", 9, 1.0)


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({"vector": (1.0,) * 3}, "has 3 numbers, the workspace's embedder gives 16"),
        ({"vector": (0.0,) * 16}, "has the length 0"),
        ({"chunks": (Chunk(chunk_id="c", chunk_index=0, text=" ", token_count=1),)}, "chunk 0 is empty"),
        ({"text": " \n "}, "the document has no text"),
        ({"text": "word " * 5_000}, "more than 50 chunks"),
        ({"metadata": {"deep": functools.reduce(lambda x, _: [x], range(99), 0)}}, "nested deeper"),
        ({"document_id": "x" * 512}, "at most 500"),
    ],
)
def test_a_record_that_cannot_be_kept_is_rejected_with_its_reason(fields: dict[str, Any], words: str) -> None:
    store = new_store()
    given_fields = {"document_id": "bad", "text": "text", **fields}
    report = ingestion(store).ingest_records([document(**given_fields), document("good")])
    assert (report.n_stored, report.n_rejected) == (1, 1)
    assert words in report.outcomes[-1 if report.outcomes[0].outcome == "stored" else 0].reason


def test_texts_are_stored_without_nul_and_without_lone_surrogates() -> None:
    store = new_store()
    dirty = document("a", "nul \x00 and \ud800", title=" two\nlines ", metadata={"k\x00": ["\ud800", math.nan]})
    ingestion(store).ingest_records([dirty])
    with store.reading() as snapshot:
        stored = snapshot.documents_by_id(["a"])["a"]
        assert (stored.title, stored.metadata) == ("two lines", {"k": ["\ufffd", "nan"]})
        assert snapshot.chunks("a")[0].text == "nul  and \ufffd"


@pytest.mark.parametrize("name", ["docs.jsonl", "relations.jsonl"])
def test_a_file_of_which_more_is_refused_than_read_is_not_read_to_its_end(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    """A million lines that are no records, 3 MB, took 17 seconds."""
    monkeypatch.setattr(json_lines, "MAX_REFUSED", 3)
    (tmp_path / "docs.jsonl").write_text("a|A|text", encoding="utf-8")
    (tmp_path / name).write_text("{}\n" * 99, encoding="utf-8")
    report = ingestion(new_store()).ingest_path(tmp_path)
    assert report.n_rejected == 4
    assert reasons(report)[name] == "the rest of the file is not read: 3 of its first 3 records are refused"
    assert adds_up(report)


def test_a_file_of_which_less_is_refused_than_read_is_read_to_its_end(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(json_lines, "MAX_REFUSED", 3)
    good = [f"{n}|A|text" for n in range(5)]
    (tmp_path / "docs.jsonl").write_text("\n".join([*good, *["bad"] * 5, "last|A|text"]), encoding="utf-8")
    report = ingestion(new_store()).ingest_path(tmp_path)
    assert (report.n_stored, report.n_rejected) == (6, 5)


class StoppedAt:
    """A progress that is cancelled when it is asked for the n-th time."""

    def __init__(self, n: int) -> None:
        self.left = n

    def update(self, done: int, total: int, message: str) -> None:
        """Nobody looks."""

    def cancelled(self) -> bool:
        self.left -= 1
        return self.left <= 0


def test_a_file_of_many_records_can_be_stopped_while_it_is_read(tmp_path: Path) -> None:
    """It could not: a file of 20 MB with 800,000 records was read for a minute whatever was pressed."""
    lines = [*(f"{n}|A|text" for n in range(1_500)), "no record, which is told if it is read"]
    (tmp_path / "docs.jsonl").write_text("\n".join(lines), encoding="utf-8")
    progress = StoppedAt(2)  # before the file, and at its thousandth record
    report = ingestion(new_store()).ingest_path(tmp_path, progress=progress)
    assert (report.stopped, report.n_in) == (True, 0)
