"""What every report says of a whole comparison, in plain unescaped words: who, figures, tokens, contract."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from docgraph.domain.comparison import ChunkChange, Comparison, DocumentChange, Figure
from docgraph.domain.run import ContractCheck, Run
from docgraph.domain.saved_run import RunSummary
from docgraph.views.compare.figures import value_text
from docgraph.views.words import counts
from docgraph.views.words.searching import SEARCHES
from docgraph.views.words.texts import line

LAYERS = {"conceptual": "summaries", "evidence": "evidence", "frame": "frame", "total": "whole context"}
"""Layer of the assembled context → its name in a report."""


@dataclass(frozen=True)
class Measured:
    """One measure over chunks and over documents; a value is ``--`` when there is none, and the note says why."""

    title: str
    chunks: str
    documents: str
    note: str
    formula: str
    source: str


def names(comparison: Comparison) -> tuple[str, str]:
    """What A and B are called, on one line each; B takes its id behind it when both would be called the same."""
    a, b = line(comparison.a.label) or comparison.a.name, line(comparison.b.label) or comparison.b.name
    return (a, b) if a != b else (f"{a} (A)", f"{b} (B)")


def about(comparison: Comparison, saved: RunSummary | None) -> tuple[tuple[str, str], ...]:
    """What was compared with what, where, and which saved run it is."""
    a, b = names(comparison)
    plan_a, plan_b = comparison.a.run.plan, comparison.b.run.plan
    facts = [("A", f"{a}, {size(comparison.a.run)}"), ("B", f"{b}, {size(comparison.b.run)}")]
    if comparison.a.run.request.query != comparison.b.run.request.query:
        facts.append(("Question of A", line(comparison.a.run.request.query)))
    here, there = line(plan_b.workspace), line(plan_a.workspace)
    facts.append(("Corpus", here if here == there else f"A {there}, B {here}"))
    searches = [SEARCHES[plan.constraints.vector_search] for plan in (plan_a, plan_b)]
    if set(searches) != {SEARCHES["exact"]}:
        facts.append(("Search", searches[0] if len(set(searches)) == 1 else f"A {searches[0]}, B {searches[1]}"))
    if saved is not None:
        facts.append(("Saved version", _saved(saved)))
        if saved.note.strip():
            facts.append(("Note", line(saved.note)))
        facts.append(("Approved by", line(saved.approved_by) or counts.UNKNOWN))
    return tuple(facts)


def figures(comparison: Comparison) -> tuple[Measured, ...]:
    """Every measure once, in the order of the measures, with its value over chunks and over documents."""
    found: dict[str, dict[str, Figure]] = {}
    for figure in comparison.figures:
        found.setdefault(figure.name, {})[figure.of] = figure
    return tuple(_measured(by) for by in found.values())


def shared(comparison: Comparison, of: Literal["chunks", "documents"]) -> str:
    """``8 of 16``: how many are on both sides; ``--`` when there are none on either."""
    rows: tuple[DocumentChange, ...] | tuple[ChunkChange, ...] = getattr(comparison, of)
    return counts.n_of_m(sum(r.change == "kept" for r in rows), len(rows)) if rows else counts.UNKNOWN


def keys(comparison: Comparison) -> tuple[tuple[str, str, str], ...]:
    """The key figures: (name, value, what stands under it)."""
    total = next((t for t in comparison.tokens if t.layer == "total"), None)
    drift = counts.UNKNOWN if comparison.score_drift is None else f"{comparison.score_drift:g}"
    return (
        _came_and_went("Documents", comparison.documents),
        _came_and_went("Passages", comparison.chunks),
        ("Passages in both", shared(comparison, "chunks"), _under(comparison, "jaccard")),
        (
            "Tokens",
            signed(total.difference) if total else counts.UNKNOWN,
            f"{total.a:,} → {total.b:,}" if total else "",
        ),
        ("Score difference", drift, f"over {counts.plural(comparison.n_scores, 'passage')} in both"),
    )


def tokens(comparison: Comparison) -> tuple[tuple[str, str, str, str], ...]:
    """(layer, A, B, difference) for every layer of the context."""
    return tuple((LAYERS[t.layer], f"{t.a:,}", f"{t.b:,}", signed(t.difference)) for t in comparison.tokens)


def contract(comparison: Comparison) -> tuple[tuple[str, tuple[ContractCheck, ...]], ...]:
    """(whose, promises) of both runs, then those of the comparison itself."""
    a, b = names(comparison)
    own = (("A  " + a, comparison.a.run.contract), ("B  " + b, comparison.b.run.contract))
    return (*own, ("Between both", comparison.checks))


def size(run: Run) -> str:
    """``6 documents, 10 chunks, 1,991 tokens``."""
    n_documents, n_chunks = len(run.plan.document_ids), run.context.n_chunks
    return (
        f"{counts.plural(n_documents, 'document')}, {counts.plural(n_chunks, 'passage')}, "
        f"{counts.plural(run.assembled.total_tokens, 'token')}"
    )


def signed(difference: int) -> str:
    """``+611``, ``−84``, ``0``."""
    return f"{'+' if difference > 0 else '−' if difference < 0 else ''}{abs(difference):,}"


def _saved(saved: RunSummary) -> str:
    by = f" by {line(saved.saved_by)}" if saved.saved_by.strip() else ""
    return f"{line(saved.name)} ({saved.run_id}), saved {line(saved.saved_at)}{by}"


def _came_and_went(name: str, rows: Sequence[DocumentChange] | Sequence[ChunkChange]) -> tuple[str, str, str]:
    n_added, n_left = (sum(row.change == change for row in rows) for change in ("added", "left"))
    gone = f"{signed(n_added)} {signed(-n_left)}" if n_added or n_left else "no change"
    return name, gone, f"{len(rows) - n_added - n_left:,} unchanged"


def _under(comparison: Comparison, measure: str) -> str:
    figure = comparison.figure(measure)
    return "" if figure is None else f"{line(figure.title)} {_value(figure)}"


def _measured(by: dict[str, Figure]) -> Measured:
    any_of = next(iter(by.values()))
    notes = [f"{of}: {f.note}" for of, f in by.items() if f.note]
    return Measured(
        title=line(any_of.title),
        chunks=_value(by.get("chunks")),
        documents=_value(by.get("documents")),
        note=line("; ".join(notes)),
        formula=line(any_of.formula),
        source=line(any_of.source),
    )


def _value(figure: Figure | None) -> str:
    return counts.UNKNOWN if figure is None or figure.value is None else value_text(figure)
