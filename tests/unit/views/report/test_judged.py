"""Judged figures in reports: in all four kinds where documents are judged, and no word of them where none is."""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Callable
from typing import Any

import pytest

from docgraph.comparison.compare import compare
from docgraph.domain.comparison import Comparison, Side
from docgraph.domain.judgment import JudgedFigure, Judgment
from docgraph.domain.run import Run
from docgraph.plugins.measures import ndcg, recall
from docgraph.views.report.content import judged, judged_about
from docgraph.views.report.file import REPORT_KINDS, ReportKind, report

AT = "2026-11-22T08:00:00+00:00"
Compared = Callable[..., Comparison]


@pytest.fixture(scope="module")
def compared(make_run: Callable[..., Run]) -> Compared:
    """a and b stay, c and d leave, e comes in over an edge of a; judged as given."""
    a, b = make_run(("a", "b", "c", "d")), make_run(("a", "b"), ("e",), [("a", "explains", "e")])
    sides = (Side(name="ms3", label="MS3", run=a), Side(name="run", label="MS5", run=b))

    def made(**said: bool) -> Comparison:
        given = [
            Judgment(query=a.plan.query, document_id=i, relevant=relevant, by="Ann", at=AT)
            for i, relevant in said.items()
        ]
        return compare(*sides, [ndcg.build(), recall.build()], judgments=given)

    return made


def text_of(comparison: Comparison, kind: ReportKind) -> str:
    return report(comparison, kind, made_at=AT).decode("utf-8")


def figure(**fields: Any) -> JudgedFigure:
    counts = dict.fromkeys(("n_judged_a", "n_judged_b", "n_shown_a", "n_shown_b"), 1)
    return JudgedFigure.model_validate({"name": "n", "title": "N", "k": 3, "n_relevant": 1, **counts, **fields})


@pytest.mark.parametrize("kind", REPORT_KINDS)
def test_a_report_has_a_word_of_judgments_only_where_something_is_judged(compared: Compared, kind: ReportKind) -> None:
    assert "judged" not in text_of(compared(), kind).lower().replace('"judged": []', "")
    shown = re.sub(r"\\(.)", r"\1", text_of(compared(e=True, c=False), kind)).lower()
    assert "judged" in shown
    assert "ndcg" in shown


def test_every_kind_says_the_values_of_both_sides_and_what_they_rest_on(compared: Compared) -> None:
    comparison = compared(e=True, a=True, c=False)
    about = (
        "2 documents are judged relevant; 2 of 4 documents of A and 2 of 3 of B are judged; "
        "nobody judged 2 of the 5 documents shown: they count as not relevant"
    )
    rows = [(row.title, row.a, row.b, row.difference) for row in judged(comparison)]
    assert rows == [("nDCG@4", "0.61", "0.92", "+0.31"), ("Recall@4", "0.50", "1.00", "+0.50")]
    assert judged_about(comparison) == about
    markdown = re.sub(r"\\(.)", r"\1", text_of(comparison, "markdown")).replace("\u2060", "")
    assert f"### Judged figures\n\n{about}.\n" in markdown
    assert "| nDCG@4 | 0.61 | 0.92 | +0.31 | DCG@k" in markdown
    html = text_of(comparison, "html")
    assert re.search(r"nDCG@4.*?0\.61.*?0\.92.*?\+0\.31", html, re.DOTALL)
    assert f"{about}." in html
    records = list(csv.DictReader(io.StringIO(text_of(comparison, "csv"), newline="")))
    assert [(r["title"], r["score_b"]) for r in records if r["record"] == "judged"][1] == ("Recall@4", "1.0")
    assert [r["text"] for r in records if r["record"] == "judged_about"] == [about]
    read = json.loads(text_of(comparison, "json"))
    assert Comparison.model_validate(read["comparison"]).judged == comparison.judged


def test_an_unknown_value_is_never_0(compared: Compared) -> None:
    comparison = compared(a=False)
    assert {(row.a, row.b, row.difference) for row in judged(comparison)} == {("--", "--", "--")}
    assert judged_about(comparison).startswith(
        "1 of 4 documents of A and 1 of 3 of B are judged; no document is judged"
    )


@pytest.mark.parametrize(
    ("a", "b", "shown"),
    [
        (0.5, 0.5, ("0.50", "0.50", "0")),
        (1.0, 0.999, ("1.00", "0.999", "−<0.01")),
        (0.9999, 1.0, ("0.999", "1.00", "+<0.01")),
        (1.0, 0.25, ("1.00", "0.25", "−0.75")),
    ],
)
def test_only_a_whole_1_reads_as_one(compared: Compared, a: float, b: float, shown: tuple[str, ...]) -> None:
    [row] = judged(compared().model_copy(update={"judged": (figure(a=a, b=b),)}))
    assert (row.a, row.b, row.difference) == shown


def test_titles_of_plug_ins_stay_text(compared: Compared) -> None:
    evil = figure(a=1.0, b=1.0, title="<script>x</script>\n|`", formula="<b>", source="<img src=x>", note="</td>")
    text = text_of(compared().model_copy(update={"judged": (evil,)}), "html")
    assert "&lt;script&gt;x&lt;/script&gt;" in text
    assert not any(tag in text for tag in ("<script", "<img", "</td>."))
