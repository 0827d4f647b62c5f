"""A ranking of somebody's own beside a run, as one file to hand on: JSON for programs, CSV for a table, Markdown."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from docgraph.domain.ranking_comparison import RankingComparison, RankingRow
from docgraph.views.blocks import Block, Heading, Item, Line, Rest, Table, Title
from docgraph.views.report.as_csv import Record, table_of
from docgraph.views.report.as_markdown import code, written
from docgraph.views.report.file import ENDINGS, json_text
from docgraph.views.words import counts
from docgraph.views.words.sides import SIGNS, figure_words, place_words, score_words, why_words
from docgraph.views.words.texts import excerpt, line, slug

RankingReportKind = Literal["markdown", "csv", "json"]

COLUMNS = (
    "record",
    "change",
    "document_id",
    "title",
    "place_a",
    "place_b",
    "score_a",
    "similarity_b",
    "role_b",
    "relevant",
    "why",
    "text",
)
MAX_SLUG, MAX_TITLE, MAX_UNKNOWN, _SHORT_ID = 60, 60, 100, 8


def ranking_report(made: RankingComparison, kind: RankingReportKind, *, made_at: str) -> bytes:
    """The comparison as a file of one kind, UTF-8; equal comparisons give equal bytes but for ``made_at``.

    JSON is the value itself, without a time: ``RankingComparison.model_validate_json`` reads it. Nothing in any of
    them runs, loads or links to anything, whatever titles and ids say.
    """
    if kind == "json":
        text = json_text(made.model_dump(mode="json"))
    elif kind == "csv":
        text = _as_csv(made, made_at)
    else:
        text = written(ranking_blocks(made)) + f"\nMade by docgraph at {code(line(made_at))}.\n"
    return text.encode("utf-8", "replace")


def ranking_file_name(made: RankingComparison, kind: RankingReportKind) -> str:
    """``why-is-the-queue-full-ours-3fd2a1b0.csv``: the question, the ranking, the beginning of the plan's id."""
    asked = slug(made.b.request.query, MAX_SLUG) or "comparison"
    return f"{asked}-{slug(made.a.label, 20) or 'own'}-{made.b.plan.plan_id[:_SHORT_ID]}.{ENDINGS[kind]}"


def _as_csv(made: RankingComparison, made_at: str) -> str:
    """A header, a record a document, what matched nothing, the figures, then what was compared (RFC 4180)."""
    return table_of(COLUMNS, _records(made, made_at))


def _records(made: RankingComparison, made_at: str) -> Iterator[Record]:
    for row in made.rows:
        yield _record(row, made)
    for given in made.a.unknown:
        yield {"record": "unknown", "document_id": given}
    for figure in made.figures:
        yield {"record": "figure", "title": figure.title, "similarity_b": figure.value}
    for judged in made.judged:
        yield {"record": "judged", "title": f"{judged.title}@{judged.k}", "score_a": judged.a, "similarity_b": judged.b}
    said = {"question": made.b.request.query, "a": made.a.label, "b": "docgraph", "verdict": made.sentence}
    said |= {"failure": made.a.failure} if made.a.failure else {}
    for name, text in (*said.items(), ("k", str(made.k)), ("made_at", made_at)):
        yield {"record": name, "text": line(text)}


def _record(row: RankingRow, made: RankingComparison) -> Record:
    return {
        "record": "document",
        "change": row.change,
        "document_id": row.document_id,
        "title": row.title,
        "place_a": row.place_a,
        "place_b": row.place_b,
        "score_a": row.score_a,
        "similarity_b": row.score_b,
        "role_b": row.role_b,
        "relevant": "" if row.relevant is None else "yes" if row.relevant else "no",
        "why": why_words(row, made),
    }


def ranking_blocks(made: RankingComparison) -> Iterator[Block]:
    """Both orders with the reasons, what matched no document, and the measures."""
    yield Title(made.b.request.query or made.b.plan.query)
    yield Line(made.sentence, "strong")
    if made.a.failure:
        yield Line(made.a.failure, label=f"{made.a.label} failed")
    yield Line(f"{made.a.label}, its first {made.k:,}; its scores are its own", label="A")
    yield Line(f"docgraph, in plan order; plan {made.b.plan.plan_id[:_SHORT_ID]}", label="B")
    yield Heading("Documents")
    rows = [
        (
            SIGNS[row.change],
            place_words(row.place_a),
            score_words(row.score_a),
            place_words(row.place_b),
            counts.UNKNOWN if row.score_b is None else counts.score(row.score_b),
            f"{excerpt(row.title, MAX_TITLE)} ({row.document_id}){', relevant' if row.relevant else ''}",
            why_words(row, made),
        )
        for row in made.rows
    ]
    head = ("read by", "A", "score of A", "B", "similarity", "document", "why")
    yield Table(head, rows, right=head[1:5], wrap=True)
    if made.a.unknown:
        yield Heading("Matched no document", f"{len(made.a.unknown):,}")
        yield from (Item(each) for each in made.a.unknown[:MAX_UNKNOWN])
        if len(made.a.unknown) > MAX_UNKNOWN:
            yield Rest(MAX_UNKNOWN, len(made.a.unknown))
    if made.figures:
        yield Heading("Measures", "over documents")
        figures = [(f.title, figure_words(f.value), f.note or f.formula) for f in made.figures]
        yield Table(("measure", "value", "note"), figures, wrap=True)
    if made.judged:
        yield Heading("Judged measures")
        judged = [(f"{f.title}@{f.k}", figure_words(f.a), figure_words(f.b), f.formula) for f in made.judged]
        yield Table(("measure", "A", "B", "formula"), judged, right=("A", "B"), wrap=True)
