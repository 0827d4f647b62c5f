"""Reports: equal comparisons give equal bytes, one line holds the time, and nothing in a document comes alive."""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Callable
from html.parser import HTMLParser
from typing import Any

import pytest

from docgraph.comparison.compare import compare
from docgraph.domain.comparison import Comparison, Side
from docgraph.domain.graph import Document, Relationship
from docgraph.domain.request import RetrievalRequest
from docgraph.domain.run import Run
from docgraph.domain.saved_run import RunSummary
from docgraph.orchestration.docgraph import Docgraph
from docgraph.plugins.measures import jaccard, rbo_90
from docgraph.views.report.as_csv import COLUMNS
from docgraph.views.report.file import REPORT_KINDS, ReportKind, file_name, report
from tests.unit.orchestration.test_docgraph import adapters

AT = "2026-11-22T08:00:00+00:00"
LATER = "2027-01-01T00:00:00+00:00"
MakeRun = Callable[..., Run]
HOSTILE = (
    '<script>alert(1)</script> "><img src=https://evil.example/i onerror=alert(1)> [a](javascript:alert(1)) '
    "![x](https://evil.example/p.png) @everyone #1 www.evil.example `code` | cell | %%{init: {}}%% \u202eevil \x1b[2J "
    "</style></title></svg> {{ 7 * 7 }} 'end\"] --> q"
)


class Tags(HTMLParser):
    """Every element with its attributes, and the text outside of style."""

    def __init__(self, text: str) -> None:
        super().__init__(convert_charrefs=True)
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.text: list[str] = []
        self.feed(text)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))

    def handle_data(self, data: str) -> None:
        self.text.append(data)


@pytest.fixture(scope="module")
def comparison(make_run: MakeRun) -> Comparison:
    """a and b stay, c and d leave, e comes in over an edge of a."""
    a = make_run(("a", "b", "c", "d"))
    b = make_run(("a", "b"), ("e",), [("a", "explains", "e")])
    measures = [jaccard.build(), rbo_90.build()]
    return compare(Side(name="ms3", label="MS3", run=a), Side(name="run", label="MS5", run=b), measures)


@pytest.fixture(scope="module")
def hostile() -> Comparison:
    """Question, title, heading, relation type and text are all as bad as they can be."""
    documents = [
        Document(document_id=f"doc {i} <b>", title=f"{word} {HOSTILE}", text=f"{word} queue.\n\n=1+1 {HOSTILE}")
        for i, word in enumerate(("Queue", "Slot", "Alarm"))
    ]
    evil_type = '<script>x</script> |`"]-->'
    edge = Relationship(from_document_id="doc 0 <b>", relation_type=evil_type, to_document_id="doc 1 <b>")
    with Docgraph(adapters(), "test") as dg:
        dg.ingest_records(documents, [edge])
        return dg.compare(RetrievalRequest(query=f"=queue {HOSTILE}", max_documents=2, seed_signal="mean"))


def _text(comparison: Comparison, kind: ReportKind, at: str = AT) -> str:
    return report(comparison, kind, made_at=at).decode("utf-8")


@pytest.mark.parametrize("kind", REPORT_KINDS)
def test_equal_comparisons_give_equal_bytes_and_the_time_is_one_line(comparison: Comparison, kind: ReportKind) -> None:
    again = Comparison.model_validate(comparison.model_dump())
    first, second = _text(comparison, kind), _text(again, kind, LATER)
    assert _text(again, kind) == first
    pairs = zip(first.split("\n"), second.split("\n"), strict=True)
    assert [AT in a and LATER in b for a, b in pairs if a != b] == [True]


@pytest.mark.parametrize("kind", REPORT_KINDS)
def test_a_report_says_the_verdict_and_the_name_of_every_document(comparison: Comparison, kind: ReportKind) -> None:
    text = _text(comparison, kind)
    shown = "".join(Tags(text).text) if kind == "html" else re.sub(r"\\(.)", r"\1", text)
    for phrase in ("adds", "Title e", "Title c", "MS3", "MS5"):
        assert phrase in shown
    assert comparison.sentence in shown or kind == "json"


def test_json_is_sorted_and_read_back_as_the_same_comparison(comparison: Comparison, hostile: Comparison) -> None:
    for one in (comparison, hostile):
        text = _text(one, "json")
        read = json.loads(text)
        assert Comparison.model_validate(read["comparison"]) == one
        assert list(read) == sorted(read)
        assert read["made_at"] == AT
        assert "\x1b" not in text
        assert "\u202e" not in text


def test_csv_has_a_record_for_every_document_and_chunk_under_one_header(comparison: Comparison) -> None:
    text = _text(comparison, "csv")
    rows = list(csv.DictReader(io.StringIO(text, newline=""), strict=True))
    assert tuple(rows[0]) == COLUMNS
    assert text.endswith("\r\n")
    found = [row["document_id"] for row in rows if row["record"] == "document"]
    assert found == [d.document_id for d in comparison.documents]
    chunks = [
        (row["chunk_id"], row["change"], row["place_a"], row["place_b"]) for row in rows if row["record"] == "chunk"
    ]
    assert len(chunks) == len(comparison.chunks)
    assert chunks[-1][1] == "left"
    assert chunks[-1][3] == ""
    assert rows[-1]["record"] == "made_at"


def test_no_cell_of_the_csv_is_a_formula(hostile: Comparison) -> None:
    rows = list(csv.DictReader(io.StringIO(_text(hostile, "csv"), newline=""), strict=True))
    cells = [cell for row in rows for cell in row.values() if not re.fullmatch(r"-?[\d.]*", cell)]
    assert not [cell for cell in cells if cell.lstrip().startswith(("=", "+", "-", "@", "\t"))]
    question = next(row["text"] for row in rows if row["record"] == "question")
    assert question.startswith("'=queue")


def test_no_text_becomes_an_element_an_attribute_or_a_template_of_the_html(hostile: Comparison) -> None:
    text = _text(hostile, "html")
    parsed = Tags(text)
    assert {tag for tag, _ in parsed.elements}.isdisjoint({"script", "img", "b1", "iframe", "object", "link", "base"})
    names = {name for _, attributes in parsed.elements for name in attributes}
    assert not [name for name in names if name.startswith("on") or name in {"src", "srcset", "action", "formaction"}]
    links = [attributes["href"] or "" for _, attributes in parsed.elements if "href" in attributes]
    assert all(link.startswith("#") for link in links)
    shown = "".join(parsed.text)
    assert "<script>alert(1)</script>" in shown
    assert "{{ 7 * 7 }}" in shown
    assert "\x1b" not in text
    assert "\u202e" not in text


def test_the_html_stands_alone_and_every_link_in_it_has_its_target(comparison: Comparison) -> None:
    text = _text(comparison, "html")
    parsed = Tags(text)
    policy = next(a["content"] for tag, a in parsed.elements if a.get("http-equiv") == "Content-Security-Policy")
    assert policy == "default-src 'none'; style-src 'unsafe-inline'; img-src data:"
    assert "url(" not in text
    assert "@import" not in text
    assert "http://www.w3.org" in text
    assert re.findall(r"https?://(?!www\.w3\.org/2000/svg)", text) == []
    ids = [a["id"] for _, a in parsed.elements if "id" in a]
    assert len(ids) == len(set(ids))
    assert {a["href"] for tag, a in parsed.elements if tag == "a"} <= {f"#{name}" for name in ids}
    heads = [a for tag, a in parsed.elements if tag == "th"]
    assert heads
    assert all(a.get("scope") in ("col", "row") for a in heads)
    assert sum(tag == "h1" for tag, _ in parsed.elements) == 1
    assert next(a for tag, a in parsed.elements if tag == "html")["lang"] == "en"


def test_what_left_says_why_and_a_changed_chunk_shows_its_text(comparison: Comparison) -> None:
    shown = "".join(Tags(_text(comparison, "html")).text)
    assert "limit 2 matches" in shown
    assert "The queue of c was full." in shown
    assert "The queue of a was full." not in shown  # kept: a row without its text
    assert "from Title a by explains" in shown


def test_identical_runs_get_one_card_that_says_why(make_run: MakeRun) -> None:
    run = make_run()
    same = compare(Side(name="ms3", label="MS3", run=run), Side(name="run", label="MS3", run=run), [])
    parsed = Tags(_text(same, "html"))
    shown = " ".join("".join(parsed.text).split())
    assert "No difference, and here is why" in shown
    assert same.why_identical in shown
    assert sum(tag == "figure" for tag, _ in parsed.elements) == 1
    assert "MS3 (A)" in shown
    assert "MS3 (B)" in shown
    assert "No difference" in _text(same, "markdown")


def test_two_versions_of_one_chunk_are_both_shown(comparison: Comparison) -> None:
    chunks = tuple(
        c.model_copy(update={"text_b": "The new words."}) if c.change == "kept" else c for c in comparison.chunks
    )
    edited = comparison.model_copy(update={"chunks": chunks})
    shown = "".join(Tags(_text(edited, "html")).text)
    assert "The new words." in shown
    assert "The queue of a was full." in shown
    assert "The new words." in _text(edited, "markdown")


def test_labels_a_broken_promise_and_an_unknown_value_are_said(comparison: Comparison) -> None:
    broken = comparison.checks[0].model_copy(
        update={"passed": False, "title": "scores changed by up to 0.2", "detail": "1 chunk"}
    )
    bad = comparison.model_copy(
        update={"labels": ("different revisions: the data changed",), "checks": (broken,), "score_drift": None}
    )
    shown = " ".join("".join(Tags(_text(bad, "html")).text).split())
    assert "Note well. different revisions: the data changed" in shown
    assert "broken: scores changed by up to 0.2: 1 chunk" in shown
    assert re.search(r"Score difference ?--", shown)
    markdown = _text(bad, "markdown")
    assert "Note: different revisions" in markdown
    assert "**failed** scores changed by up to 0.2: 1 chunk" in markdown


def test_a_saved_run_is_named_with_its_note_and_who_approved_it(comparison: Comparison) -> None:
    facts: dict[str, Any] = {"content_hash": "0", "plan_id": "0", "corpus_revision": "0", "embedder_id": "0"}
    saved = RunSummary(
        run_id="3fd2a1b0c4e5",
        workspace="harbor",
        name="Before <b>",
        note="Look here",
        query="q",
        saved_at=AT,
        saved_by="Ada",
        approved_by="Grace",
        **facts,
    )
    shown = "".join(Tags(report(comparison, "html", made_at=AT, saved=saved).decode()).text)
    for part in ("Before <b> (3fd2a1b0c4e5)", "by Ada", "Look here", "Grace"):
        assert part in shown
    assert json.loads(report(comparison, "json", made_at=AT, saved=saved))["saved"]["name"] == "Before <b>"


@pytest.mark.parametrize(
    ("query", "start"),
    [
        ("Why is the queue full?", "why-is-the-queue-full-ms3-"),
        ("../../etc/passwd\x00\n.html", "etc-passwd-html-ms3-"),
        ("¿Dónde está la cola?", "donde-esta-la-cola-ms3-"),
        ("列はなぜ", "comparison-ms3-"),
        ("long " * 100, "long-" * 11 + "long-ms3-"),
    ],
)
def test_a_file_name_is_ascii_says_the_question_and_ends_with_both_plans(
    comparison: Comparison, query: str, start: str
) -> None:
    request = comparison.b.run.request.model_copy(update={"query": query})
    run = comparison.b.run.model_copy(update={"request": request})
    asked = comparison.model_copy(update={"b": comparison.b.model_copy(update={"run": run})})
    name = file_name(asked, "markdown")
    assert name.startswith(start)
    assert re.fullmatch(r"[a-z0-9-]+\.md", name)
    assert asked.a.run.plan.plan_id[:8] in name
    assert asked.b.run.plan.plan_id[:8] in name
    assert len(name) < 120
