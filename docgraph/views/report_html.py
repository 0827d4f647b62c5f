"""A comparison as one HTML file that stands alone: no script, no request, light, dark and on paper."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined, Template

from docgraph.domain.comparison import ChunkChange, Comparison
from docgraph.domain.saved_run import RunSummary
from docgraph.views import report_content as content
from docgraph.views.report_words import clean, excerpt, line

_FOLDER = Path(__file__).parent


def as_html(comparison: Comparison, made_at: str, saved: RunSummary | None) -> str:
    """The report; every text is escaped by the template, and line breaks are those of Unix."""
    n_differ = sum(row.differs for row in content.parameters(comparison))
    chunks = [(content.chunk_row(c), _texts(c)) for c in comparison.chunks]
    return _template().render(
        comparison=comparison, title=line(comparison.b.run.request.query), names=content.names(comparison),
        about=content.about(comparison, saved), steps=content.steps(comparison),
        documents=content.document_rows(comparison),
        changed=[pair for pair in chunks if pair[1]], kept=[row for row, texts in chunks if not texts],
        keys=content.keys(comparison), document_counts=content.counted(comparison.documents),
        chunk_counts=content.counted(comparison.chunks), n_differ=f"{n_differ} differ" if n_differ else "all the same",
        figures=content.figures(comparison), tokens=content.tokens(comparison),
        contract=content.contract(comparison), parameters=content.parameters(comparison),
        hashes=content.hashes(comparison), shared_chunks=content.shared(comparison, "chunks"),
        shared_documents=content.shared(comparison, "documents"), lanes=(), made_at=line(made_at),
    )  # fmt: skip


def _texts(chunk: ChunkChange) -> tuple[tuple[str, str], ...]:
    """(whose, text) of a chunk that changed; empty for one that is the same on both sides."""
    if chunk.text_b is not None:
        return ("A", clean(chunk.text)), ("B", clean(chunk.text_b))
    return () if chunk.change == "kept" else (("", clean(chunk.text)),)


@cache
def _template() -> Template:
    environment = Environment(
        loader=FileSystemLoader(_FOLDER, encoding="utf-8"), autoescape=True, undefined=StrictUndefined,
        trim_blocks=True, lstrip_blocks=True, newline_sequence="\n",
    )  # fmt: skip
    environment.filters["excerpt"] = excerpt
    return environment.get_template("report.html.jinja")
