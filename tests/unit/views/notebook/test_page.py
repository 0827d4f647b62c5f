"""What a notebook shows: well-formed, self-contained, with every text escaped."""

from __future__ import annotations

import re
import subprocess
import sys
import xml.etree.ElementTree as ET
from types import SimpleNamespace
from typing import Any

import pytest

import docgraph
from docgraph.comparison.compare import compare
from docgraph.domain.comparison import Comparison, Side
from docgraph.domain.plan import CutDocument, CutTotal
from docgraph.views.lanes.single import MAX_DRAWN
from docgraph.views.lanes.svg import plan_svg

EDGES = [("a", "explains", "x"), ("b", "decision_for", "x"), ("b", "implements", "y")]
HOSTILE = "<script>alert(1)</script> \"'><img src=x onerror=alert(1)> ]]> & \x00\u202e${x}"
SVG = "{http://www.w3.org/2000/svg}"


@pytest.fixture
def run(make_run: Any) -> Any:
    return make_run(["a", "b", "c"], ["x", "y"], EDGES)


@pytest.fixture
def comparison(make_run: Any, run: Any) -> Comparison:
    return compare(
        Side(name="ms3", label="MS3", run=make_run(["a", "b", "c"])), Side(name="run", label="MS5", run=run), ()
    )


def _hostile(run: Any) -> Any:
    """The run with an attack for every title, text and for its question."""
    plan = run.plan
    content = {name: getattr(plan, name) for name in type(plan).model_fields if name != "plan_id"}
    for kind in ("seed_documents", "expanded_documents"):
        content[kind] = tuple(each.model_copy(update={"title": HOSTILE}) for each in content[kind])
    documents = tuple(
        each.model_copy(
            update={
                "document": each.document.model_copy(update={"title": HOSTILE}),
                "chunks": tuple(chunk.model_copy(update={"text": HOSTILE}) for chunk in each.chunks),
            }
        )
        for each in run.context.documents
    )
    return run.model_copy(
        update={
            "request": run.request.model_copy(update={"query": HOSTILE}),
            "plan": type(plan).sealed(**{**content, "query": HOSTILE}),
            "context": run.context.model_copy(update={"documents": documents, "query": HOSTILE}),
        }
    )


def _tree(page: str) -> ET.Element:
    return ET.fromstring(page)  # its own HTML is well-formed XML, too


def test_a_plan_is_drawn_with_its_documents_and_relationships(run: Any) -> None:
    page = run.plan._repr_html_()
    texts = [element.text or "" for element in _tree(page).iter(f"{SVG}text")]
    assert {"Title a", "Title b", "Title c", "Title x", "Title y", "implements", "score, mean"} <= set(texts)
    assert f"Plan {run.plan.plan_id[:8]} of harbor: 3 matches, 2 related documents" in page
    assert run.plan.query in page


def test_a_context_lists_its_passages_best_first(run: Any) -> None:
    page = run.context._repr_html_()
    assert [cell.text for cell in _tree(page).iter("td")][::4] == ["1", "2", "3", "4", "5"]
    assert "The queue of a was full." in page


def test_a_comparison_says_its_verdict_and_draws_both_plans(comparison: Comparison) -> None:
    page = comparison._repr_html_()
    assert "Title x" in [element.text for element in _tree(page).iter(f"{SVG}text")]
    assert comparison.sentence in "".join(_tree(page).itertext())


@pytest.mark.parametrize("of", ["plan", "context", "comparison"])
def test_hostile_texts_stay_texts(of: str, make_run: Any, run: Any) -> None:
    b, a = _hostile(run), _hostile(make_run(["a", "b", "c"]))
    value = getattr(b, of, None) or compare(
        Side(name="ms3", label="A", run=a), Side(name="run", label=HOSTILE, run=b), ()
    )
    page = value._repr_html_()
    allowed = {"div", "p", "b", "table", "tr", "td", "th", "br", "span"}
    allowed |= {f"{SVG}{name}" for name in ("svg", "g", "title", "text", "path", "rect", "circle")}
    elements = list(_tree(page).iter())
    assert {element.tag for element in elements} <= allowed
    assert not [
        name for element in elements for name in element.attrib if name.startswith("on") or name in ("href", "src")
    ]
    assert "alert(1)" in "".join(_tree(page).itertext())
    assert not re.search("[\x00\u202e]", page)


def test_a_long_plan_counts_what_is_not_drawn(make_run: Any) -> None:
    seeds = [f"s{n}" for n in range(MAX_DRAWN + 5)]
    edges = [(seeds[-1], "explains", "x"), (seeds[0], "explains", "s1")]
    cut = CutDocument(document_id="z", title="Z", limit="max_expanded", value=1, place=2)
    total = CutTotal(limit="max_expanded", value=1, kept=1, total=2)
    svg = plan_svg(make_run(seeds, ["x"], edges, cut=[cut], cut_totals=[total]).plan)
    said = " ".join(element.text or "" for element in ET.fromstring(svg).iter(f"{SVG}text"))
    for what in ("5 more documents", "1 relationship between matches", "1 relationship from hidden matches"):
        assert f"Not drawn: {what}" in said
    assert "1 of 2 left out (limit: 1)" in said


def test_boxes_stand_inside_the_picture_and_apart(run: Any) -> None:
    root = ET.fromstring(plan_svg(run.plan))
    boxes = [
        {name: float(rect.get(name) or 0) for name in ("x", "y", "width", "height")} for rect in root.iter(f"{SVG}rect")
    ]
    assert len(boxes) == 5
    assert all(box["y"] + box["height"] < float(root.get("height") or 0) for box in boxes)
    for one in boxes:
        below = [other for other in boxes if other["x"] == one["x"] and other["y"] > one["y"]]
        assert all(other["y"] >= one["y"] + one["height"] for other in below)


def test_a_plan_of_nothing_is_drawn(make_run: Any) -> None:
    assert "no related document" in plan_svg(make_run(["a"]).plan)
    assert "No document." in plan_svg(make_run([]).plan)


def test_outside_a_notebook_display_says_one_line(run: Any, capsys: pytest.CaptureFixture[str]) -> None:
    docgraph.display(run.plan)
    assert capsys.readouterr().out == f"Plan {run.plan.plan_id[:8]} of harbor: 3 matches, 2 related documents\n"


def test_in_a_notebook_display_shows_the_picture(run: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    shown: list[str] = []
    monkeypatch.setitem(sys.modules, "IPython", SimpleNamespace(get_ipython=object))
    monkeypatch.setitem(sys.modules, "IPython.display", SimpleNamespace(display=shown.append, HTML=str))
    docgraph.display(run.plan)
    assert shown == [run.plan._repr_html_()]


def test_what_has_no_picture_is_refused() -> None:
    with pytest.raises(TypeError, match="str has no picture"):
        docgraph.display("a plan")


def test_pandas_is_loaded_with_the_first_frame_alone() -> None:
    program = (
        "import sys, docgraph\n"
        "with docgraph.connect(store='memory') as dg:\n"
        "    dg.ingest_records([docgraph.Document(document_id='a', title='A', text='A queue.')])\n"
        "    plan = dg.plan('queue')\n"
        "plan._repr_html_()\n"
        "assert 'pandas' not in sys.modules\n"
        "assert list(plan.to_pandas().document_id) == ['a']\n"
    )
    finished = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert finished.returncode == 0, finished.stderr
