"""Two plans in one layout: what both have stands at the same pixel, nothing overlaps, nobody disappears unnamed."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from docgraph.comparison.compare import compare
from docgraph.domain.comparison import Comparison, Side
from docgraph.domain.graph import Document, Relationship
from docgraph.domain.plan import CutDocument, CutTotal
from docgraph.domain.request import RetrievalRequest
from docgraph.orchestration.docgraph import Docgraph
from docgraph.orchestration.session import Adapters
from docgraph.plugins.stores import memory
from docgraph.testing.builders import FirstWords, HashingEmbedder, WordTokenizer
from docgraph.views.lanes.drawing import Picture, TwinBox, TwinLanes, run_lanes, twin_lanes
from docgraph.views.lanes.lines import LABEL_STEP
from docgraph.views.lanes.picture import STOPS, lanes_at
from docgraph.views.lanes.text import shortened, text_width, wrapped

pytestmark = pytest.mark.slow


Plan = tuple[list[str], list[str], list[tuple[str, str, str]]]
IDS = "abcdefghijklmnop"
TYPES = ("explains", "implements", "references", "a_type_with_a_very_long_name_indeed")


@st.composite
def plans(draw: st.DrawFn, max_documents: int = 16) -> Plan:
    """Seeds, expanded documents and edges that a plan may have: every expanded one is reached from a seed."""
    ids = draw(st.lists(st.sampled_from(IDS), unique=True, min_size=1, max_size=max_documents))
    n = draw(st.integers(1, len(ids)))
    seeds, expanded = ids[:n], ids[n:]
    edge = st.tuples(st.sampled_from(seeds), st.sampled_from(TYPES))
    found = {(source, via, to) for to in expanded for source, via in draw(st.lists(edge, min_size=1, max_size=6))}
    return seeds, expanded, sorted(found)


def _compared(make_run: Any, a: Plan, b: Plan, **of_b: Any) -> Comparison:
    return compare(
        Side(name="a", label="MS3", run=make_run(*a)), Side(name="b", label="MS5", run=make_run(*b, **of_b)), ()
    )


def _places(picture: Picture) -> dict[str, tuple[float, float, float, float]]:
    return {box.key: (box.x, box.y, box.w, box.h) for box in picture.boxes}


def _here(picture: Picture) -> set[str]:
    return {box.key for box in picture.boxes if box.here}


@given(plans(), plans(), st.sampled_from([320, 440, 574, 700, 1152, 2000]), st.booleans())
@settings(max_examples=80, deadline=None)
def test_what_both_plans_have_stands_at_the_same_pixel(
    make_run: Any, a: Plan, b: Plan, width: int, only_changes: bool
) -> None:
    twins = twin_lanes(_compared(make_run, a, b), width=width, only_changes=only_changes, max_rows=20)
    first, second = _places(twins.a), _places(twins.b)
    both = _here(twins.a) & _here(twins.b)
    assert {key: first[key] for key in both} == {key: second[key] for key in both}
    assert first == second, "places that only one side fills are kept free on the other"
    assert twins.a.query_y == twins.b.query_y
    if not only_changes:
        assert both == {f"seed:{i}" for i in {*a[0]} & {*b[0]}} | {f"expanded:{i}" for i in {*a[1]} & {*b[1]}}


@given(plans(), plans(), st.sampled_from([440, 574, 900]))
@settings(max_examples=60, deadline=None)
def test_boxes_and_labels_never_overlap_and_stay_inside(make_run: Any, a: Plan, b: Plan, width: int) -> None:
    twins = twin_lanes(_compared(make_run, a, b), width=width)
    for picture in (twins.a, twins.b):
        for lane in ("seed", "expanded"):
            boxes = [box for box in picture.boxes if box.lane == lane]
            assert all(upper.y + upper.h < lower.y for upper, lower in pairwise(boxes))
            assert all(box.x >= 0 and box.x + box.w <= picture.width for box in boxes)
        heights = sorted(line.to_y for line in picture.lines)
        assert all(lower - upper >= LABEL_STEP for upper, lower in pairwise(heights))
        assert all(box.y + box.h <= picture.height for box in picture.boxes)


@given(plans(), plans(), st.integers(1, 6), st.booleans())
@settings(max_examples=60, deadline=None)
def test_every_document_is_drawn_or_counted_and_named(
    make_run: Any, a: Plan, b: Plan, max_rows: int, only_changes: bool
) -> None:
    twins = twin_lanes(_compared(make_run, a, b), only_changes=only_changes, max_rows=max_rows)
    for picture, plan in ((twins.a, a), (twins.b, b)):
        n, drawn = len(plan[0]) + len(plan[1]), len(_here(picture))
        folded = [note.tip for note in picture.notes if note.tip.startswith("Showing ")]
        assert drawn <= 2 * max_rows
        if drawn < n:
            assert folded[0].startswith(f"Showing {drawn} of {n} documents; not shown: ")
            missing = {f"Title {i}" for i in (*plan[0], *plan[1])} - {b.title for b in picture.boxes if b.here}
            assert all(title in folded[0] for title in missing)


@given(plans(), plans())
@settings(max_examples=40, deadline=None)
def test_equal_comparisons_give_equal_pictures(make_run: Any, a: Plan, b: Plan) -> None:
    one, other = (twin_lanes(_compared(make_run, a, b)) for _ in range(2))
    assert json.dumps(asdict(one)) == json.dumps(asdict(other))


@given(plans(), plans())
@settings(max_examples=40, deadline=None)
def test_every_edge_into_a_drawn_document_is_on_exactly_one_line(make_run: Any, a: Plan, b: Plan) -> None:
    picture = twin_lanes(_compared(make_run, a, b), max_rows=20).b
    drawn = [edge for line in picture.lines if line.look == "kept" for edge in line.edges]
    assert sorted(drawn) == sorted(b[2])


def _box(picture: Picture, key: str) -> TwinBox:
    return next(box for box in picture.boxes if box.key == key)


def _twins(make_run: Any) -> TwinLanes:
    a: Plan = (["a", "b", "c"], [], [])
    b: Plan = (["a", "n"], ["c", "x"], [("a", "explains", "x"), ("a", "implements", "x"), ("n", "depends_on", "c")])
    cut = [
        CutDocument(document_id="y", title="Title y", limit="max_expanded", value=2, place=5),
        CutDocument(document_id="b", title="Title b", limit="max_seeds", value=2, rank=3),
    ]
    totals = [CutTotal(limit="max_expanded", value=2, kept=2, total=3)]
    return twin_lanes(_compared(make_run, a, b, cut=cut, cut_totals=totals, max_documents=4))


def test_every_change_says_what_it_is_on_both_sides(make_run: Any) -> None:
    twins = _twins(make_run)
    looks = {key: (_box(twins.a, key).look, _box(twins.b, key).look) for key in _places(twins.a)}
    assert looks == {
        "seed:a": ("kept", "kept"),
        "seed:n": ("future", "added"),
        "seed:c": ("moved", "ghost"),
        "seed:b": ("kept", "left"),
        "expanded:x": ("future", "added"),
        "expanded:c": ("ghost", "moved"),
    }
    assert _box(twins.a, "expanded:x").note == "not planned in MS3"
    assert _box(twins.a, "seed:c").note == "expanded in MS5"
    assert _box(twins.b, "expanded:c").note == "a seed in MS3"
    assert _box(twins.b, "seed:b").note == "limit 2 seeds (would be 3rd)"
    assert "left: limit 2 seeds (would be 3rd)" in _box(twins.b, "seed:b").tip
    assert twins.note == "kept documents stay in place"
    assert twins.a.head == "A MS3 — 3 documents, 36 tokens"


def test_edges_between_the_same_two_documents_share_a_line_with_their_number(make_run: Any) -> None:
    lines = {line.target: line for line in _twins(make_run).b.lines}
    assert (lines["x"].label, lines["x"].short) == ("explains +1", "2 edges")
    assert lines["x"].spoken == "Title a —explains→ Title x\nTitle a —implements→ Title x"
    assert lines["c"].label == "depends_on"


def test_a_cut_is_counted_with_its_limit_and_names_whom_it_kept_out(make_run: Any) -> None:
    assert [note.tip for note in _twins(make_run).b.notes if note.cut] == ["1 of 3 cut: max docs 4: Title y"]


def test_an_expanded_document_that_left_keeps_its_edges_in_orange(make_run: Any) -> None:
    edges = [("a", "explains", "x")]
    twins = twin_lanes(_compared(make_run, (["a"], ["x"], edges), (["a"], [], [])))
    assert [(line.look, line.label, bool(line.dash)) for line in twins.b.lines] == [("left", "explains", True)]
    assert [line.look for line in twins.a.lines] == ["kept"]


def test_only_changes_keeps_the_ends_of_their_edges(make_run: Any) -> None:
    comparison = _compared(make_run, (["a", "b"], [], []), (["a", "b"], ["x"], [("a", "explains", "x")]))
    twins = twin_lanes(comparison, only_changes=True)
    assert [box.key for box in twins.b.boxes] == ["seed:a", "expanded:x"]
    assert [note.tip for note in twins.b.notes] == ["Showing 2 of 3 documents; not shown: Title b"]


def test_a_folded_picture_keeps_what_is_new_and_the_seeds_that_lead_to_it(make_run: Any) -> None:
    seeds = [f"s{i:02}" for i in range(30)]
    edges = [(seeds[20], "explains", "x"), (seeds[25], "implements", "y")]
    twins = twin_lanes(_compared(make_run, (seeds[:5], [], []), (seeds, ["x", "y"], edges)), max_rows=6)
    drawn = [box.document_id for box in twins.b.boxes]
    assert {"x", "y", "s20", "s25", "s00", "s05"} <= set(drawn)
    assert len(twins.b.lines) == 2
    assert any(box.here for box in twins.a.boxes)


def test_a_long_name_of_a_side_gives_way_to_its_letter(make_run: Any) -> None:
    long = Side(name="run", label="The run before the great clean-up of the corpus in autumn", run=make_run(["a"]))
    b = Side(name="b", label="MS5", run=make_run(["a"], ["x"], [("a", "explains", "x")]))
    assert _box(twin_lanes(compare(long, b, ())).a, "expanded:x").note == "not planned in A"


def test_expanded_documents_stand_in_the_order_of_the_seeds_that_lead_to_them(make_run: Any) -> None:
    edges = [("b", "explains", "x"), ("a", "explains", "y")]
    twins = twin_lanes(_compared(make_run, (["a", "b"], [], []), (["a", "b"], ["x", "y"], edges)))
    assert [box.document_id for box in twins.b.boxes if box.lane == "expanded"] == ["y", "x"]


def test_one_plan_alone_has_neither_before_nor_after(make_run: Any) -> None:
    picture = run_lanes(make_run(["a"], ["x"], [("a", "explains", "x")]))
    assert [(box.look, box.note) for box in picture.boxes] == [("kept", ""), ("added", "")]
    assert run_lanes(make_run(["a"])).empty == "no related document"


def test_lanes_keep_their_order_and_a_gap_for_labels_at_every_width() -> None:
    for width in range(200, 1400, 7):
        (x0, w0), (x1, w1) = lanes_at(width)
        assert x0 > 14
        assert x0 + w0 + 100 <= x1
        assert x1 + w1 <= max(width, STOPS[0][0])


@given(st.text(max_size=60), st.floats(20, 300))
@settings(max_examples=80, deadline=None)
def test_shortened_text_fits_and_wrapped_text_loses_nothing_before_its_last_line(text: str, room: float) -> None:
    assert text_width(shortened(text, room)) <= room or shortened(text, room) == "…"
    lines = wrapped(" ".join(text.split()), room, max_lines=3)
    assert 1 <= len(lines) <= 3
    assert all(text_width(line) <= room or line == "…" for line in lines)


@pytest.mark.parametrize("words", ["queue bounded", "slot payment", "alarm"])
def test_a_seed_of_both_stages_keeps_its_place_in_a_real_workspace(words: str) -> None:
    documents = [_document(i, words) for i in ("queue", "slot", "alarm", "hold", "gateway")]
    edges = [
        Relationship(from_document_id=a, relation_type="explains", to_document_id=b)
        for a, b in (("queue", "hold"), ("slot", "gateway"), ("alarm", "queue"))
    ]
    adapters = Adapters(
        database=memory.build(),
        embedder=HashingEmbedder(),
        tokenizer=WordTokenizer(),
        summarizer=FirstWords(),
        loaders=(),
        extractors=(),
        clock=lambda: 0.0,
    )
    with Docgraph(adapters, "test") as dg:
        dg.ingest_records(documents, edges)
        twins = twin_lanes(dg.compare(RetrievalRequest(query=words, max_documents=4)))
    assert _places(twins.a) == _places(twins.b)
    assert _here(twins.a) & _here(twins.b)


def _document(name: str, words: Sequence[str] | str) -> Document:
    return Document(document_id=name, title=name.title(), text=f"The {name} and its {words}.")
