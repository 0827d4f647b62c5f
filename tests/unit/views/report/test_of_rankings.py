"""A ranking of one's own as a file: every document and figure is there, and what titles and ids say stays text."""

from __future__ import annotations

import csv
import io
import re
from typing import get_args

import pytest
from markdown_it import MarkdownIt
from markdown_it.token import Token

from docgraph.domain.graph import Document, Relationship
from docgraph.domain.judgment import JudgedFigure
from docgraph.domain.ranking_comparison import RankingComparison
from docgraph.domain.request import RetrievalRequest
from docgraph.orchestration.docgraph import Docgraph
from docgraph.views.report.of_rankings import COLUMNS, RankingReportKind, ranking_file_name, ranking_report
from tests.unit.orchestration.test_docgraph import adapters
from tests.unit.views.report.test_file import AT, HOSTILE, LATER

KINDS: tuple[RankingReportKind, ...] = get_args(RankingReportKind)
PARSER = MarkdownIt("commonmark", {"html": True}).enable(["table", "strikethrough"])


@pytest.fixture(scope="module")
def made() -> RankingComparison:
    """Three documents, one judged; the ranking has one in common, one that only it has, and an id of nobody."""
    documents = [
        Document(document_id=f"doc {i} <b>", title=f"{word} {HOSTILE}", text=f"{word} queue.\n\n=1+1 {HOSTILE}")
        for i, word in enumerate(("Queue", "Slot", "Alarm"))
    ]
    edge = Relationship(from_document_id="doc 0 <b>", relation_type="explains", to_document_id="doc 1 <b>")
    asked = RetrievalRequest(query=f"=queue {HOSTILE}", max_documents=2, seed_signal="mean")
    with Docgraph(adapters(), "test") as dg:
        dg.ingest_records(documents, [edge])
        run = dg.run(asked)
        (out,) = {each.document_id for each in documents} - set(run.plan.document_ids)
        dg.judgments.judge(asked.query, out, relevant=True, by="Ann")
        ranked = [(out, 9.5), (run.plan.document_ids[0], -3.0), (f"=nobody {HOSTILE}"[:200], 1.0)]
        made = dg.runs.compare_with(asked, ranked, name="=ours | <b>")
        counted = {"k": 2, "n_relevant": 1, "n_judged_a": 1, "n_judged_b": 0, "n_shown_a": 2, "n_shown_b": 2}
        recall = JudgedFigure(name="recall", title="recall", a=1.0, b=0.0, **counted)
        return made.model_copy(update={"judged": (recall,)})


def _rows(made: RankingComparison) -> list[dict[str, str]]:
    text = ranking_report(made, "csv", made_at=AT).decode()
    return list(csv.DictReader(io.StringIO(text, newline=""), strict=True))


@pytest.mark.parametrize("kind", KINDS)
def test_equal_comparisons_give_equal_bytes_but_for_the_line_of_the_time(
    made: RankingComparison, kind: RankingReportKind
) -> None:
    one, other = (ranking_report(made, kind, made_at=at).decode().split("\n") for at in (AT, LATER))
    differ = [(a, b) for a, b in zip(one, other, strict=True) if a != b]
    assert len(differ) == (0 if kind == "json" else 1)
    assert ranking_report(made, kind, made_at=AT) == ranking_report(made.model_copy(), kind, made_at=AT)


def test_json_is_the_value_itself(made: RankingComparison) -> None:
    text = ranking_report(made, "json", made_at=AT).decode()
    assert RankingComparison.model_validate_json(text) == made
    assert not {"\x1b", "\u202e"} & set(text)


def test_the_table_holds_every_document_figure_and_unmatched_id_of_the_value(made: RankingComparison) -> None:
    rows = _rows(made)
    assert tuple(rows[0]) == COLUMNS
    of = {kind: [row for row in rows if row["record"] == kind] for kind in ("document", "unknown", "figure", "judged")}
    assert [(r["document_id"], r["change"], r["place_a"]) for r in of["document"]] == [
        (r.document_id, r.change, "" if r.place_a is None else str(r.place_a)) for r in made.rows
    ]
    assert {row.change for row in made.rows} == {"kept", "added", "left"}
    assert [r["relevant"] for r in of["document"]].count("yes") == 1
    assert len(of["unknown"]) == len(made.a.unknown) == 1
    assert [float(r["similarity_b"]) for r in of["figure"] if r["similarity_b"]] == [
        f.value for f in made.figures if f.value is not None
    ]
    assert [r["title"] for r in of["judged"]] == [f"{f.title}@{f.k}" for f in made.judged]
    assert [(r["score_a"], r["similarity_b"]) for r in of["judged"]] == [("1.0", "0.0")]


def test_no_cell_is_a_formula(made: RankingComparison) -> None:
    cells = [cell for row in _rows(made) for cell in row.values() if not re.fullmatch(r"-?[\d.e-]*", cell)]
    assert not [cell for cell in cells if cell.lstrip().startswith(("=", "+", "-", "@", "\t"))]
    assert any(cell.startswith("'=") for cell in cells)


def _leaves(tokens: list[Token]) -> list[Token]:
    return [leaf for token in tokens for leaf in (token, *_leaves(token.children or []))]


def test_markdown_shows_titles_ids_and_the_ranking_s_name_letter_by_letter(made: RankingComparison) -> None:
    text = ranking_report(made, "markdown", made_at=AT).decode()
    kinds = {token.type for token in _leaves(PARSER.parse(text))}
    assert not {"link_open", "image", "html_inline", "html_block", "s_open"} & kinds
    assert not re.search(r"@\w|(?<!\w)#\d|https?:/|www\.\w", text)
    widths = [len(re.findall(r"(?<!\\)\|", row)) for row in text.split("\n") if row.startswith("| ")]
    assert widths.count(8) == len(made.rows) + 2  # head and rule
    assert set(widths) <= {4, 5, 8}


def test_a_ranking_that_failed_says_why_in_every_file(made: RankingComparison) -> None:
    failed = made.model_copy(update={"a": made.a.model_copy(update={"failure": "no answer in 10 s", "documents": ()})})
    for kind in KINDS:
        assert b"no answer in 10 s" in ranking_report(failed, kind, made_at=AT)


def test_the_file_name_is_plain(made: RankingComparison) -> None:
    assert re.fullmatch(r"[a-z0-9-]+-ours-b-[0-9a-f]{8}\.csv", ranking_file_name(made, "csv"))
