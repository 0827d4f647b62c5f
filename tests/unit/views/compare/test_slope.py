"""The slope chart: every chunk once on each side it is on, those that left below the line, nothing cut in silence."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import get_args

import pytest

from docgraph.domain.comparison import Comparison, Figure, Order, Side
from docgraph.domain.request import RetrievalRequest
from docgraph.orchestration.docgraph import Docgraph
from docgraph.views.compare.chart import PICK, slope_chart
from docgraph.views.compare.figures import figure_rows, numbers, value_text
from docgraph.views.compare.remedies import left_lines
from docgraph.views.compare.slope import chunk_key, slope
from docgraph.views.compare.tables import chunk_text
from docgraph.views.words.changes import counts, departure_text
from tests.corpora import corpus
from tests.unit.comparison.side_runs import opened

CORPUS = corpus(
    ("a", ["queue retry", "queue hold slot", "queue budget", "queue alarm gateway"], [("explains", "x")]),
    ("b", ["queue sailing", "queue booking route"], []),
    ("c", ["queue budget alarm"], []),
    ("x", ["gateway", "slot"], []),
)
REQUEST = RetrievalRequest(
    query="queue", max_documents=3, max_expanded=1, max_chunks=5, max_chunks_per_document=2, seed_signal="mean"
)
ORDERS: tuple[Order, ...] = get_args(Order)


@pytest.fixture(scope="module")
def dg() -> Iterator[Docgraph]:
    with opened(CORPUS) as dg:
        yield dg


@pytest.fixture(scope="module")
def comparison(dg: Docgraph) -> Comparison:
    found = dg.compare(REQUEST)
    assert found.chunks_with("added"), "the example shows an added chunk"
    assert found.chunks_with("left"), "the example shows a chunk that left"
    return found


@pytest.mark.parametrize("order", ORDERS)
def test_every_chunk_is_one_row_and_no_two_share_a_place(comparison: Comparison, order: Order) -> None:
    drawn = slope(comparison, order)
    assert {row.key for row in drawn.rows} == {chunk_key(c) for c in comparison.chunks}
    assert sorted(row.y_b for row in drawn.rows) == list(range(1, len(drawn.rows) + 1))
    assert sorted(row.y_a for row in drawn.rows if row.y_a) == list(range(1, drawn.n_a + 1))


@pytest.mark.parametrize("order", ORDERS)
def test_what_left_stands_below_the_line_with_its_reason(comparison: Comparison, order: Order) -> None:
    drawn = slope(comparison, order)
    below = [row for row in drawn.rows if row.below]
    assert [row.y_b for row in below] == list(range(drawn.n_b + 1, drawn.n_b + drawn.n_left + 1))
    assert all(row.why for row in below)
    assert drawn.line


def test_only_changes_leaves_out_what_kept_its_place(comparison: Comparison) -> None:
    same = counts(comparison, "score")["same"]
    drawn = slope(comparison, "score", only_changes=True)
    assert len(drawn.rows) == len(comparison.chunks) - same
    assert all(row.kind != "same" for row in drawn.rows)
    assert drawn.shown or not same


def test_a_filter_dims_and_moves_nothing(comparison: Comparison) -> None:
    before, after = slope(comparison, "document"), slope(comparison, "document", wanted="left")
    assert [(r.key, r.y_a, r.y_b) for r in before.rows] == [(r.key, r.y_a, r.y_b) for r in after.rows]
    assert [r.key for r in after.rows if not r.dimmed] == [r.key for r in after.rows if r.below]


def test_a_bounded_chart_says_n_of_m_and_draws_what_the_filter_shows_first(comparison: Comparison) -> None:
    n_left = len(comparison.chunks_with("left"))
    drawn = slope(comparison, "document", wanted="left", max_rows=n_left)
    assert drawn.shown == f"{n_left} of {len(comparison.chunks)}"
    assert all(row.below for row in drawn.rows)


def test_a_document_is_named_once_a_group(comparison: Comparison) -> None:
    drawn = slope(comparison, "document")
    heads = [row.head_b for row in sorted(drawn.rows, key=lambda r: r.y_b) if not row.below]
    names = [row.document for row in sorted(drawn.rows, key=lambda r: r.y_b) if not row.below]
    assert heads == ["" if i and names[i] == names[i - 1] else name for i, name in enumerate(names)]


def test_the_chart_tells_changes_apart_without_colour(comparison: Comparison) -> None:
    chart = slope_chart(slope(comparison, "document"), None)
    rows = chart["data"]["values"]
    shapes = {row["kind"]: row["shape"] for row in rows}
    assert len(set(shapes.values())) == len(shapes)
    assert any("strokeDash" in layer["mark"] for layer in chart["layer"])
    assert {row["dot"] for row in rows if row["kind"] == "left"} == {"var(--dg-bg)"}, "hollow"
    assert all(row["spoken"] for row in rows)


def test_the_chart_marks_the_selected_row_and_is_plain_json(comparison: Comparison) -> None:
    key = chunk_key(comparison.chunks[0])
    chart = json.loads(json.dumps(slope_chart(slope(comparison, "document"), key)))
    assert [row["key"] for row in chart["data"]["values"] if row["band"] != "transparent"] == [key]
    assert [p["name"] for layer in chart["layer"] for p in layer.get("params", [])] == [PICK]


def test_three_figures_are_in_sight_and_all_have_formula_and_paper(comparison: Comparison) -> None:
    kept = len(comparison.chunks_with("kept"))
    shown = numbers(comparison)
    assert [n.title for n in shown] == ["Shared passages", "Rank overlap", "Same order"]
    assert shown[0].value == f"{kept} of {len(comparison.chunks)}"
    assert {row.title for row in figure_rows(comparison)} == {f.title for f in comparison.figures}
    assert all(row.formula and row.source for row in figure_rows(comparison))


def test_a_what_if_beside_a_departure_takes_away_its_reason(dg: Docgraph, comparison: Comparison) -> None:
    """The chunk comes in, or the next limit is the one that keeps it out."""
    tried = 0
    for line in left_lines(comparison):
        if line.remedy is None:
            continue
        tried += 1
        b = Side(name="run", label="MS5", run=dg.run(line.remedy[1]))
        again = dg.runs.compare(comparison.a, b)
        [row] = [c for c in again.chunks if chunk_key(c) == line.key]
        assert row.left_because is None or departure_text(row.left_because) != line.why
    assert tried


def test_a_chunk_to_read_says_where_it_is_on_both_sides(comparison: Comparison) -> None:
    added = chunk_text(comparison, comparison.chunks_with("added")[0])
    assert (added.a.there, added.b.there) == (False, True)
    assert added.why.startswith("Added")
    left = chunk_text(comparison, comparison.chunks_with("left")[0])
    assert (left.a.there, left.b.there) == (True, False)
    assert left.why.startswith("Removed: ")
    kept = comparison.chunks_with("kept")[0]
    assert chunk_text(comparison, kept).score.endswith("in A and B")
    both = chunk_text(comparison, kept.model_copy(update={"text_b": kept.text + " now"}))
    assert both.versions is not None
    assert [p.text for p in both.versions[1] if p.kind == "added"] == [" now"]


@pytest.mark.parametrize(
    ("value", "text"),
    [(1.0, "1.00"), (0.996, "0.996"), (0.99999, "0.999"), (-0.997, "−0.997"), (0.8, "0.80"), (None, "--")],
)
def test_a_figure_that_is_nearly_1_is_not_shown_as_1(value: float | None, text: str) -> None:
    assert value_text(Figure(name="x", title="X", of="chunks", value=value, n=3)) == text
