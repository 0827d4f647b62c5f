"""The words of a comparison: why something left, how it moved, and which rows a number leads to."""

from __future__ import annotations

from typing import Any, get_args

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from docgraph.domain.comparison import Cause, ChunkChange, Comparison, DocumentChange, Order, Removal, Rows, Side
from docgraph.domain.run import Run
from docgraph.views.words.changes import (
    MOVEMENTS,
    below_text,
    chunk_name,
    chunks_in,
    counts,
    departure_brief,
    departure_text,
    documents_in,
    filter_of,
    filter_text,
    movement,
    movement_text,
)
from tests.unit.views.conftest import MakeRun

CAUSES = [name for part in get_args(Cause) for name in (get_args(part) or (part,))]


def chunk(name: str, a: int | None, b: int | None, **fields: Any) -> ChunkChange:
    change = "added" if a is None else "left" if b is None else "kept"
    return ChunkChange.model_validate(
        {
            "document_id": "d",
            "title": "D",
            "chunk_id": name,
            "chunk_index": 0,
            "change": change,
            "place_a": a,
            "place_b": b,
            "rank_a": a,
            "rank_b": b,
            **fields,
        }
    )


@pytest.fixture(scope="module")
def comparison(make_run: MakeRun) -> Comparison:
    """d and e are kept, f left, g was added; d's chunks do everything a chunk can do."""
    run: Run = make_run(("d",))
    documents = [("d", "kept"), ("e", "kept"), ("f", "left"), ("g", "added")]
    chunks = (
        chunk("1", 1, 1),
        chunk("2", 3, 2),
        chunk("3", 2, 3, text="old", text_b="new"),
        chunk("4", None, 4, document_id="g"),
        chunk("5", 4, None, document_id="f"),
    )
    return Comparison(
        a=Side(name="ms3", label="MS3", run=run),
        b=Side(name="run", label="MS5", run=run),
        n_top=1,
        chunks=chunks,
        documents=tuple(
            DocumentChange.model_validate({"document_id": i, "title": i, "change": c}) for i, c in documents
        ),
    )


@pytest.mark.parametrize(
    ("departure", "text"),
    [
        (Removal(cause="max_chunks", value=10, place=12), "total limit 10 (position 12)"),
        (
            Removal(cause="max_chunks", value=10, place=13, at_least=True, below=0.031),
            "total limit 10 (position 13 or later), 0.03 below the last one read",
        ),
        (
            Removal(cause="max_chunks_per_document", value=3, place=4),
            "limit 3 per document (position 4 in its document)",
        ),
        (Removal(cause="max_seeds", value=1, place=2), "limit 1 match (position 2)"),
        (
            Removal(cause="max_expanded", value=2, place=7, with_document=True),
            "document removed: limit 2 related documents (position 7)",
        ),
        (Removal(cause="relationships_off", relation_types=("explains",)), "relationships are off (explains)"),
        (Removal(cause="max_fan_out"), "limit -- related per match"),
    ],
)
def test_a_departure_names_the_limit_and_the_place_it_would_have(departure: Removal, text: str) -> None:
    assert departure_text(departure) == text


@pytest.mark.parametrize("cause", CAUSES)
def test_every_cause_has_words_of_its_own(cause: str) -> None:
    short = Removal.model_validate({"cause": cause, "value": 3}).short
    assert short
    assert "_" not in short


def test_a_departure_in_brief_keeps_limit_and_place() -> None:
    given_ = Removal(cause="max_chunks", value=10, place=12, at_least=True, below=0.5)
    assert departure_brief(given_) == "total limit 10, position 12+"
    assert departure_brief(Removal(cause="seed_gone", with_document=True)).startswith("document removed: ")


@pytest.mark.parametrize(
    ("value", "text"), [(0.123, "0.12"), (0.005, "0.01"), (0.0003, "0.0003"), (1e-6, "less than 0.0001")]
)
def test_a_distance_is_never_shown_as_0(value: float, text: str) -> None:
    assert below_text(value) == text


def test_a_chunk_is_named_by_its_last_heading_or_its_number() -> None:
    assert chunk_name(chunk("1", 1, 1, heading_path=("D", "Part", "Decision"))) == ("D", "§ Decision")
    assert chunk_name(chunk("1", 1, 1, heading_path=("D",), chunk_index=2)) == ("D", "passage 3")
    assert chunk_name(chunk("1", 1, 1, title=""))[0] == "d"


def test_movements_are_counted_from_a_to_b(comparison: Comparison) -> None:
    assert [movement(c, "document") for c in comparison.chunks] == ["same", "up", "down", "added", "left"]
    assert [movement_text(c, "document") for c in comparison.chunks][1:3] == ["up 1", "down 1"]
    assert counts(comparison, "document") == dict.fromkeys(MOVEMENTS, 1)


def test_every_number_of_a_verdict_leads_to_rows_or_to_the_tokens() -> None:
    assert [rows for rows in get_args(Rows) if rows and filter_of(rows) is None] == ["tokens"]


@pytest.mark.parametrize(
    ("name", "ids", "text"),
    [
        ("all", "12345", "All 4 documents"),
        ("added", "4", "1 passage added"),
        ("left", "5", "1 passage removed"),
        ("moved", "23", "2 passages moved"),
        ("rewritten", "3", "1 passage rewritten"),
        ("documents_added", "4", "1 added"),
        ("documents_left", "5", "1 removed"),
        ("documents_kept", "123", "2 unchanged"),
        ("relevant", "", "0 relevant"),
    ],
)
def test_a_filter_shows_its_rows_and_their_number(comparison: Comparison, name: Any, ids: str, text: str) -> None:
    assert "".join(c.chunk_id for c in chunks_in(comparison, name, "document")) == ids
    assert filter_text(comparison, name, "document") == text


def test_a_filter_of_documents_shows_documents_without_chunks_as_well(comparison: Comparison) -> None:
    assert [d.document_id for d in documents_in(comparison, "documents_kept")] == ["d", "e"]
    assert len(documents_in(comparison, "added")) == 4


@settings(max_examples=50, deadline=None)
@given(st.lists(st.tuples(st.none() | st.integers(1, 9), st.none() | st.integers(1, 9)), max_size=12))
def test_the_chips_divide_the_chunks(comparison: Comparison, places: list[tuple[int | None, int | None]]) -> None:
    chunks = [chunk(str(i), a, b) for i, (a, b) in enumerate(places) if a or b]
    some = comparison.model_copy(update={"chunks": tuple(chunks)})
    for order in get_args(Order):
        parts = [chunks_in(some, name, order) for name in MOVEMENTS]
        assert sum(map(len, parts)) == len(chunks)
        assert {c.chunk_id for part in parts for c in part} == {c.chunk_id for c in chunks}
