"""How a comparison looks in a terminal: the verdict, what changed and why, the figures, the contract."""

from __future__ import annotations

from rich.text import Text

from docgraph.cli.text.output import heading, line, one_line, table
from docgraph.domain.comparison import Comparison
from docgraph.views.report import content
from docgraph.views.report import rows as report_rows

SIGNS: dict[report_rows.Mark, tuple[str, str]] = {
    "added": ("+ added", "blue"),
    "left": ("− left", "yellow"),
    "moved": ("moved", "dim"),
    "kept": ("= kept", "dim"),
}
NUMBERS = ("A", "B", "score", "tokens")


def show_comparison(comparison: Comparison) -> None:
    """Everything a report says but the texts, the parameters and the hashes."""
    line((comparison.b.run.request.query, "bold"))
    line((comparison.sentence, "bold"))
    if comparison.identical:
        line(f"No difference: {comparison.why_identical}")
    for label in comparison.labels:
        line(("note: ", "bold"), label)
    line("")
    for name, text in content.about(comparison, None):
        line((f"{name:<16}", "dim"), text)
    _show_rows(comparison)
    _show_figures(comparison)
    _show_contract(comparison)


def _show_rows(comparison: Comparison) -> None:
    heading("Documents", report_rows.counted(comparison.documents))
    rows = report_rows.document_rows(comparison)
    cells = [(_sign(r.mark), r.place_a, r.place_b, r.tokens, _short(r.name, 44), r.why) for r in rows]
    table(("change", "A", "B", "tokens", "document", "why"), cells, right=NUMBERS, wrap=True)
    heading("Chunks", report_rows.counted(comparison.chunks))
    chunks = [
        (_sign(r.mark), r.place_a, r.place_b, r.score, _short(f"{r.name}  {r.detail}", 54), r.why)
        for r in report_rows.chunk_rows(comparison)
    ]
    table(("change", "A", "B", "score", "chunk", "why"), chunks, right=NUMBERS, wrap=True)


def _show_figures(comparison: Comparison) -> None:
    heading("Figures", "overlap of both runs")
    shared = ("on both sides", content.shared(comparison, "chunks"), content.shared(comparison, "documents"), "")
    rows = [shared, *((m.title, m.chunks, m.documents, m.note) for m in content.figures(comparison))]
    table(("measure", "chunks", "documents", "note"), rows, right=("chunks", "documents"), wrap=True)
    if judged := content.judged(comparison):
        heading("Judged figures", "over the documents that each side reads")
        cells = [(m.title, m.a, m.b, m.difference) for m in judged]
        table(content.HEAD, cells, right=content.HEAD[1:])
        line((f"{content.judged_about(comparison)}.", "dim"))
    heading("Tokens", "of the assembled context")
    table(("layer", "A", "B", "difference"), content.tokens(comparison), right=("A", "B", "difference"))


def _show_contract(comparison: Comparison) -> None:
    heading("Contract")
    for whose, checks in content.contract(comparison):
        kept = sum(check.passed for check in checks)
        line(f"{whose}: checks passed: {kept} of {len(checks)}" if checks else f"{whose}: not checked")
        for check in checks:
            if not check.passed:
                line((f"failed: {check.title}: {check.detail}", "bold"), indent=2)


def _sign(mark: report_rows.Mark) -> Text:
    text, style = SIGNS[mark]
    return Text(text, style)


def _short(text: str, limit: int) -> str:
    whole = one_line(text)
    return whole if len(whole) <= limit else whole[: limit - 1].rstrip() + "…"
