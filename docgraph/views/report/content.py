"""What every report says of a comparison, unescaped: figures, tokens, checks, judged measures, parameters, hashes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import docgraph
from docgraph.domain.comparison import ChunkChange, Comparison, DocumentChange, Figure, Side
from docgraph.domain.frozen import fingerprint
from docgraph.domain.judgment import JudgedFigure
from docgraph.domain.overrides import edge_text
from docgraph.domain.run import ContractCheck, Run
from docgraph.domain.saved_run import RunSummary, content_hash
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


@dataclass(frozen=True)
class Compared:
    """One line with a value for either side."""

    name: str
    a: str
    b: str

    @property
    def differs(self) -> bool:
        """Whether the two sides say different things."""
        return self.a != self.b


def parameters(comparison: Comparison) -> tuple[Compared, ...]:
    """Every field of both requests with the value it had in the end, those that differ first, then by name."""
    a, b = dict(_parameters(comparison.a)), dict(_parameters(comparison.b))
    rows = [Compared(name, a.get(name, counts.UNKNOWN), b.get(name, counts.UNKNOWN)) for name in {**a, **b}]
    return tuple(sorted(rows, key=lambda row: (not row.differs, row.name)))


def hashes(comparison: Comparison) -> tuple[Compared, ...]:
    """What identifies both runs, the data under them and the program that compared them."""
    a, b = comparison.a.run, comparison.b.run
    whole = fingerprint(comparison.model_dump(mode="json"))
    return (
        Compared("plan", a.plan.plan_id, b.plan.plan_id),
        Compared("content", content_hash(a), content_hash(b)),
        Compared("corpus revision", line(a.plan.corpus_revision), line(b.plan.corpus_revision)),
        Compared("embedder", line(a.plan.embedder_id), line(b.plan.embedder_id)),
        Compared("index", a.context.index, b.context.index),
        Compared("comparison", whole, whole),
        Compared("docgraph", docgraph.__version__, docgraph.__version__),
    )


def _parameters(side: Side) -> Iterator[tuple[str, str]]:
    """(name, value): what was asked for, and where the request leaves a limit open, what the plan took."""
    taken = side.run.plan.constraints.model_dump()
    asked = side.run.request.model_dump()
    overrides = asked.pop("overrides")
    taken.pop("overrides")
    asked.pop("query")
    for name in sorted({**taken, **asked}):
        value = asked.get(name)
        yield name, _shown(taken.get(name) if value is None else value, name)
    for name, values in overrides.items():
        edges = name == "without_edges"
        yield name, _shown([edge_text(v) for v in values] if edges else values, name)


def _shown(value: Any, name: str) -> str:
    if value is None:
        return "all" if name == "relation_types" else counts.UNKNOWN
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, list | tuple):
        return line(", ".join(map(str, value))) or "none"
    return f"{value:,}" if isinstance(value, int) else line(str(value))


HEAD = ("measure", "A", "B", "difference")


@dataclass(frozen=True)
class JudgedRow:
    """One judged measure of both sides; a value is ``--`` when no document is judged relevant."""

    title: str
    a: str
    b: str
    difference: str
    formula: str
    source: str


def judged(comparison: Comparison) -> tuple[JudgedRow, ...]:
    """Every judged measure, in the order of the measures; none when nobody judged a document of the question."""
    return tuple(map(_judged, comparison.judged))


def judged_about(comparison: Comparison) -> str:
    """What the values rest on; empty without judged figures.

    ``2 documents are judged relevant; 3 of 6 documents of A and 4 of 6 of B are judged; nobody judged 2 of the 8 …``
    """
    if not comparison.judged:
        return ""
    one = comparison.judged[0]
    verb = "is" if one.n_relevant == 1 else "are"
    relevant = f"{counts.plural(one.n_relevant, 'document')} {verb} judged relevant" if one.n_relevant else ""
    known = (
        f"{one.n_judged_a:,} of {counts.plural(one.n_shown_a, 'document')} of A "
        f"and {one.n_judged_b:,} of {one.n_shown_b:,} of B are judged"
    )
    return line("; ".join(part for part in (relevant, known, one.note) if part))


def _judged(figure: JudgedFigure) -> JudgedRow:
    a, b = figure.a, figure.b
    difference = counts.UNKNOWN if a is None or b is None else _signed(b - a)
    return JudgedRow(
        title=line(f"{figure.title}@{figure.k}"),
        a=counts.measured(a),
        b=counts.measured(b),
        difference=difference,
        formula=line(figure.formula),
        source=line(figure.source),
    )


def _signed(difference: float) -> str:
    """``+0.18``, ``−0.05``, ``0``."""
    short = f"{abs(difference):.2f}"
    if float(short) == 0:
        return "0" if difference == 0 else f"{'+' if difference > 0 else '−'}<0.01"
    return f"{'+' if difference > 0 else '−'}{short}"
