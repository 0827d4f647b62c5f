"""A comparison as one HTML file that stands alone: no script, no request, light, dark and on paper."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from docgraph.boundary.installed import need_extra
from docgraph.domain.comparison import ChunkChange, Comparison
from docgraph.domain.saved_run import RunSummary
from docgraph.views.compare.tables import readable_texts
from docgraph.views.lanes.palette import THEME
from docgraph.views.lanes.svg import union_svg
from docgraph.views.report import content, rows
from docgraph.views.words.texts import clean, excerpt, line

if TYPE_CHECKING:
    from jinja2 import Template

WIDTH = 860
"""Width of the picture in CSS pixels before it is fitted to the page."""

_FOLDER = Path(__file__).parent


def as_html(comparison: Comparison, made_at: str, saved: RunSummary | None) -> str:
    """The report; the template escapes every text but the pictures, and line breaks are those of Unix."""
    parameters = content.parameters(comparison)
    chunks = list(zip(rows.chunk_rows(comparison), (_texts(comparison, c) for c in comparison.chunks), strict=True))
    return template("report.html.jinja").render(
        about=content.about(comparison, saved),
        alike=[row for row in parameters if not row.differs],
        changed=[pair for pair in chunks if pair[1]],
        chunk_counts=rows.counted(comparison.chunks),
        comparison=comparison,
        contract=content.contract(comparison),
        differing=[row for row in parameters if row.differs],
        document_counts=rows.counted(comparison.documents),
        documents=rows.document_rows(comparison),
        figures=content.figures(comparison),
        hashes=content.hashes(comparison),
        kept=[row for row, texts in chunks if not texts],
        judged=content.judged(comparison),
        judged_about=content.judged_about(comparison),
        keys=content.keys(comparison),
        picture=union_svg(comparison, palette=THEME, width=WIDTH),  # it escapes its texts itself
        sides=[content.size(side.run) for side in (comparison.a, comparison.b)],
        made_at=line(made_at),
        names=content.names(comparison),
        shared_chunks=content.shared(comparison, "chunks"),
        shared_documents=content.shared(comparison, "documents"),
        title=line(comparison.b.run.request.query),
        tokens=content.tokens(comparison),
    )


def _texts(comparison: Comparison, chunk: ChunkChange) -> tuple[tuple[str, str], ...]:
    """(whose, text) of a chunk that changed, for reading; empty for one that is the same on both sides."""
    text_a, text_b = readable_texts(comparison, chunk)
    if text_b is not None:
        return ("A", clean(text_a)), ("B", clean(text_b))
    return () if chunk.change == "kept" else (("", clean(text_a)),)


@cache
def template(name: str) -> Template:
    """A template of this folder; it escapes every text. Raises PluginError without the extra ``evaluate``."""
    need_extra("evaluate", "a report in HTML")
    from jinja2 import Environment, FileSystemLoader, StrictUndefined

    environment = Environment(
        loader=FileSystemLoader(_FOLDER, encoding="utf-8"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        newline_sequence="\n",
    )
    environment.filters["excerpt"] = excerpt
    return environment.get_template(name)
