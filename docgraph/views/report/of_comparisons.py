"""A comparison as blocks: verdict, documents, chunks, measures and checks, for a terminal or a Markdown file."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from docgraph.domain.comparison import Comparison
from docgraph.domain.saved_run import RunSummary
from docgraph.views.blocks import Block, Chart, Facts, Heading, Item, Line, Table, Title
from docgraph.views.compare.tables import readable_texts
from docgraph.views.report import content, rows
from docgraph.views.report.as_markdown import code, flowchart, written
from docgraph.views.words import counts
from docgraph.views.words.texts import excerpt, line

MAX_TEXT, MAX_NAME = 200, 44
"""Characters of a changed chunk that are quoted, and of a name on a terminal."""
SIGNS: dict[rows.Mark, str] = {"added": "+ added", "left": "− removed", "moved": "moved", "kept": "= unchanged"}


def as_markdown(comparison: Comparison, made_at: str, saved: RunSummary | None) -> str:
    """GitHub's Markdown; sections in the order of the HTML report."""
    return written(comparison_blocks(comparison, saved, full=True)) + f"\nMade by docgraph at {code(line(made_at))}.\n"


def comparison_blocks(
    comparison: Comparison, saved: RunSummary | None = None, *, full: bool = False
) -> Iterator[Block]:
    """The blocks; ``full`` = those of a file: also the chart, texts, formulas, parameters and hashes."""
    yield Title(comparison.b.run.request.query)
    yield Line(comparison.sentence, "strong")
    if comparison.identical:
        yield Line(comparison.why_identical, label="No difference")
    yield Facts((*content.about(comparison, saved), *(("Note", label) for label in comparison.labels)))
    if full:
        yield from (Heading("Plans"), Chart(flowchart(comparison)))
        if n := sum(len(seed.reasons) for seed in comparison.b.run.plan.seed_documents):
            yield Line(f"{counts.plural(n, 'relationship')} between seeds of B not drawn.")
    yield Heading("Documents", rows.counted(comparison.documents))
    documents = [
        (SIGNS[r.mark], r.place_a, r.place_b, _name(r.name, full=full), r.detail, r.tokens, r.why)
        for r in rows.document_rows(comparison)
    ]
    head = ("change", "A", "B", "document", "role", "tokens", "why")
    yield Table(head, documents, right=("A", "B", "tokens"), wrap=True)
    yield Heading("Chunks", rows.counted(comparison.chunks))
    head = ("change", "A", "B", "score", "chunk", "why", *(("text",) if full else ()))
    yield Table(head, list(_chunks(comparison, full=full)), right=("A", "B", "score"), wrap=True)
    yield from _measures(comparison, full=full)
    yield Heading("Contract")
    for whose, checks in content.contract(comparison):
        passed = sum(check.passed for check in checks)
        yield Line(f"{whose}: checks passed: {passed} of {len(checks)}" if checks else f"{whose}: not checked")
        yield from (Item(f"{c.title}: {c.detail}", mark="failed") for c in checks if not c.passed)
    if full:
        yield Heading("Parameters that differ")
        differ = [(row.name, row.a, row.b) for row in content.parameters(comparison) if row.differs]
        yield Table(("parameter", "A", "B"), differ)
        yield Heading("Hashes")
        yield Table(("of", "A", "B"), [(row.name, row.a, row.b) for row in content.hashes(comparison)], copied=True)


def _chunks(comparison: Comparison, *, full: bool) -> Iterator[Sequence[Any]]:
    """A row for every chunk; in a file of those that changed, with the beginning of the text."""
    for row, chunk in zip(rows.chunk_rows(comparison), comparison.chunks, strict=True):
        name = _name(f"{row.name}  {row.detail}", full=full)
        cells = (SIGNS[row.mark], row.place_a, row.place_b, row.score, name, row.why)
        if not full:
            yield cells
        elif chunk.change != "kept" or chunk.text_b is not None:
            text_a, text_b = readable_texts(comparison, chunk)
            yield (*cells, excerpt(text_b or text_a, MAX_TEXT))


def _measures(comparison: Comparison, *, full: bool) -> Iterator[Block]:
    formula = ("formula",) if full else ()
    yield Heading("Figures", "overlap of both runs")
    shared = ("shared", content.shared(comparison, "chunks"), content.shared(comparison, "documents"), "", "")
    found = [shared, *((m.title, m.chunks, m.documents, m.note, m.formula) for m in content.figures(comparison))]
    head = ("measure", "chunks", "documents", "note", *formula)
    yield Table(head, [row[: len(head)] for row in found], right=("chunks", "documents"), wrap=True)
    if measured := content.judged(comparison):
        yield Heading("Judged figures")
        yield Line(f"{content.judged_about(comparison)}.", "quiet")
        head = (*content.HEAD, *formula)
        cells = [(m.title, m.a, m.b, m.difference, m.formula)[: len(head)] for m in measured]
        yield Table(head, cells, right=content.HEAD[1:])
    yield Heading("Tokens", "of the assembled context")
    yield Table(("layer", "A", "B", "difference"), content.tokens(comparison), right=("A", "B", "difference"))


def _name(text: str, *, full: bool) -> str:
    return text if full else excerpt(text, MAX_NAME)
