"""The static picture: well-formed, self-contained, equal for equal input, and its colours are the dashboard's."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET
from dataclasses import fields
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from docgraph.comparison.compare import compare
from docgraph.domain.comparison import Comparison, Side
from docgraph.domain.run import Run
from docgraph.views.lanes.svg import DARK, LIGHT, PRINT, THEME, Palette, union_svg
from docgraph.views.lanes.union import union
from tests import ROOT

STYLE = ROOT / "docgraph" / "ui" / "frame" / "layout.css"

SVG = "{http://www.w3.org/2000/svg}"
EDGES = [("a", "explains", "x"), ("b", "decision_for", "x"), ("b", "implements", "y")]
HOSTILE = "<script>alert(1)</script> \"><img src=x onerror=alert(1)> ]]> & \x00\x07\u202e\ufffe ${x} 'q'"
OUTSIDE = re.compile(r"(?:href|src|url\(|@import|<script|<image|<foreignObject|\son\w+=)", re.IGNORECASE)


def _comparison(a: Run, b: Run, label: str = "MS5") -> Comparison:
    return compare(Side(name="ms3", label="MS3", run=a), Side(name="run", label=label, run=b), ())


@pytest.fixture
def comparison(make_run: Any) -> Comparison:
    return _comparison(make_run(["a", "b", "c"]), make_run(["a", "b"], ["x", "y"], EDGES))


def _named(run: Run, title: str) -> Run:
    """The run with ``title`` on every document of its plan."""
    plan = run.plan
    content = {name: getattr(plan, name) for name in type(plan).model_fields if name != "plan_id"}
    for kind in ("seed_documents", "expanded_documents"):
        content[kind] = tuple(document.model_copy(update={"title": title}) for document in content[kind])
    return run.model_copy(update={"plan": type(plan).sealed(**content)})


def _texts(svg: str) -> list[str]:
    return [element.text or "" for element in ET.fromstring(svg).iter(f"{SVG}text")]


@pytest.mark.parametrize("palette", [LIGHT, DARK, PRINT, THEME])
def test_a_picture_is_well_formed_stands_alone_and_speaks(comparison: Comparison, palette: Palette) -> None:
    svg = union_svg(comparison, palette=palette)
    root = ET.fromstring(svg)
    assert (root.get("role"), root.find(f"{SVG}title") is not None) == ("img", True)
    assert "Without relationships → With relationships: documents in the plan. Matches: Title a" in (
        root.get("aria-label") or ""
    )
    assert "Source Sans 3" in (root.get("font-family") or "")
    assert not OUTSIDE.search(svg)


def test_every_word_of_the_picture_is_real_text(comparison: Comparison) -> None:
    told = _texts(union_svg(comparison))
    assert {"Matches", "Related", "explains", "decision_for", "implements", "removed: limit 2 matches"} <= set(told)
    assert {f"Title {i}" for i in "abcxy"} <= set(told)
    assert all(told.count(f"Title {i}") == 1 for i in "abcxy"), "what both plans have stands once"


def test_what_left_is_dashed_in_its_place_and_the_legend_says_so(comparison: Comparison) -> None:
    rects = {
        (group.findtext(f"{SVG}title") or "").split("\n")[0]: group.find(f"{SVG}rect")
        for group in ET.fromstring(union_svg(comparison)).iter(f"{SVG}g")
    }
    dashed = {title for title, rect in rects.items() if rect is not None and rect.get("stroke-dasharray")}
    assert dashed == {"Title c"}
    assert "removed" in _texts(union_svg(comparison))


def test_every_box_stands_where_the_page_has_it(comparison: Comparison) -> None:
    found = {}
    for group in ET.fromstring(union_svg(comparison)).iter(f"{SVG}g"):
        rect = group.find(f"{SVG}rect")
        if rect is not None:
            found[(group.findtext(f"{SVG}title") or "").split("\n")[1]] = float(rect.get("y") or 0) - 0.5
    assert found == {box.document_id: box.y for box in union(comparison).boxes}


def test_equal_comparisons_give_equal_bytes(make_run: Any) -> None:
    one, other = (_comparison(make_run(["a", "b"]), make_run(["b"], ["x"], [("b", "explains", "x")])) for _ in range(2))
    assert union_svg(one).encode() == union_svg(other).encode()


@given(st.text(alphabet=st.characters(), max_size=80))
@settings(max_examples=60, deadline=None)
def test_no_title_breaks_the_picture(make_run: Any, title: str) -> None:
    run = _named(make_run(["a", "b"], ["x", "y"], EDGES), title)
    comparison = _comparison(_named(make_run(["a", "b"]), title), run, label=title)
    ET.fromstring(union_svg(comparison).encode())


def test_hostile_titles_types_and_labels_stay_text(make_run: Any) -> None:
    type_ = "<b onclick=alert(1)>&"
    run = _named(make_run(["a"], ["x"], [("a", type_, "x")]), HOSTILE)
    svg = union_svg(_comparison(_named(make_run(["a", "c"]), HOSTILE), run, label=HOSTILE))
    root = ET.fromstring(svg.encode())
    assert {element.tag.removeprefix(SVG) for element in root.iter()} <= {
        "svg",
        "title",
        "g",
        "path",
        "rect",
        "circle",
        "text",
    }
    assert not [name for element in root.iter() for name in element.attrib if name.startswith("on") or "href" in name]
    assert any("<script>alert(1)</script>" in (title.text or "") for title in root.iter(f"{SVG}title"))
    assert any("<b onclick" in text for text in _texts(svg))


def test_a_long_title_is_shortened_and_whole_in_its_tip(make_run: Any) -> None:
    title = "The very long title of a document about everything that ever happened to a booking " * 2
    run = _named(make_run(["a"]), title)
    svg = union_svg(_comparison(run, run))
    assert [text for text in _texts(svg) if text.endswith("…")]
    assert any(title.strip() in (tip.text or "") for tip in ET.fromstring(svg).iter(f"{SVG}title"))


def test_colours_are_the_tokens_of_the_dashboard() -> None:
    tokens = dict(re.findall(r"--dg-([a-z0-9-]+): light-dark\((#\w+, #\w+)\)", STYLE.read_text(encoding="utf-8")))
    for field in fields(Palette):
        name = field.name.replace("_", "-")
        assert tokens[name] == f"{getattr(LIGHT, field.name)}, {getattr(DARK, field.name)}"
        assert getattr(THEME, field.name) == f"var(--dg-{name})"
