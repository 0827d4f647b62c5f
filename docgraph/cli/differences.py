"""How a comparison and what changed in the data look in a terminal."""

from __future__ import annotations

from docgraph.cli.output import heading, line, one_line, table
from docgraph.domain.comparison import ChunkChange, Comparison, DocumentChange, LayerTokens
from docgraph.domain.saved_run import CorpusChanges
from docgraph.views.changes import chunk_name, departure_text, movement_text
from docgraph.views.staleness import staleness

MARKS = {"added": ("+", "blue"), "left": ("−", "yellow"), "kept": (" ", "")}
_DRIFT = 6


def show_comparison(comparison: Comparison) -> None:
    """Both sides by name, the verdict, then every document and every chunk that came, went or moved, and why."""
    line(("A  ", "dim"), (one_line(comparison.a.label), "bold"), (f"  {comparison.a.name}", "dim"))
    line(("B  ", "dim"), (one_line(comparison.b.label), "bold"), (f"  {comparison.b.name}", "dim"))
    for label in comparison.labels:
        line((one_line(label), "yellow"))
    line("")
    line((comparison.sentence, "bold"))
    if comparison.identical:
        line(comparison.why_identical)
    _show_documents(comparison)
    _show_chunks(comparison)
    line("")
    line("tokens    " + "; ".join(map(_tokens, comparison.tokens)))
    if comparison.score_drift is not None:
        line(f"scores    {comparison.n_scores:,} in common, largest difference {comparison.score_drift:.{_DRIFT}f}")
    for side, run in (("A", comparison.a.run), ("B", comparison.b.run)):
        line(f"contract  {side}: {sum(c.passed for c in run.contract)} of {len(run.contract)} kept")
    for check in comparison.checks:
        if not check.passed:
            line((f"  broken: {check.title}: {check.detail}", "bold"))


def show_changes(changes: CorpusChanges) -> None:
    """One line whether the data are still those of the run, then what changed in them; nothing else is said."""
    found = staleness(changes)
    line((f"{found.sentence[:1].upper()}{found.sentence[1:]}.", "yellow" if found.state != "fresh" else "dim"))
    if found.remark:
        line((found.remark, "dim"))
    if found.rows:
        table(("", "name", "what"), [(r.kind, r.name, f"{r.what}{' (in this run)' if r.in_run else ''}")
                                     for r in found.rows], wrap=True)  # fmt: skip
    if found.counted:
        line((f"  {found.counted}: --json lists all", "dim"))


def _show_documents(comparison: Comparison) -> None:
    rows = [d for d in comparison.documents if d.change != "kept"]
    if not rows:
        return
    heading("Documents")
    for document in rows:
        mark = MARKS[document.change]
        line(f"{document.place_b or document.place_a or 0:>3}  ", mark, "  ", (one_line(document.title), "bold"),
             (f"  {document.document_id}", "dim"))  # fmt: skip
        if because := _why(document):
            line((because, "dim"), indent=9)


def _why(document: DocumentChange) -> str:
    if document.left_because is not None:
        return f"left: {departure_text(document.left_because)}"
    return ", ".join(f"← {reason.via} from {reason.from_document_id}" for reason in document.reasons)


def _show_chunks(comparison: Comparison) -> None:
    rows = [c for c in comparison.chunks if c.change != "kept" or c.moved("document") or c.text_b is not None]
    if not rows:
        return
    heading("Chunks")
    table(("A", "B", "score", "what", "chunk"), [_chunk(c) for c in rows], right=("A", "B", "score"), wrap=True)


def _chunk(chunk: ChunkChange) -> tuple[object, ...]:
    mark = MARKS[chunk.change][0].strip()
    what = movement_text(chunk, "document") + (", other text" if chunk.text_b is not None else "")
    why = f": {departure_text(chunk.left_because)}" if chunk.left_because is not None else ""
    return chunk.place_a, chunk.place_b, chunk.score, f"{mark} {what}".strip(), " ".join(chunk_name(chunk)) + why


def _tokens(layer: LayerTokens) -> str:
    return f"{layer.layer} {layer.a:,} → {layer.b:,}"
