"""What every report says of a comparison, as plain unescaped words: steps, rows, figures, tokens, contract, hashes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import docgraph
from docgraph.domain.comparison import ChunkChange, Comparison, DocumentChange, Figure, Side
from docgraph.domain.frozen import fingerprint
from docgraph.domain.overrides import edge_text
from docgraph.domain.run import ContractCheck, Run
from docgraph.domain.saved_run import RunSummary, content_hash
from docgraph.views import wording
from docgraph.views.changes import chunk_name, departure_text
from docgraph.views.report_words import line

Mark = Literal["added", "left", "moved", "kept"]
Direction = Literal["added", "left", "up", "down", "same"]
MARKS: tuple[Mark, ...] = ("added", "left", "moved", "kept")
LAYERS = {"conceptual": "summaries", "evidence": "evidence", "frame": "frame", "total": "whole context"}
"""Layer of the assembled context → its name in a report."""


@dataclass(frozen=True)
class Row:
    """A document or a chunk: its name on one line, both places as text (``--``: not there), and why.

    ``mark`` says how it changed; of a kept one ``moved`` means another place, and ``direction`` which way it went.
    """

    mark: Mark
    name: str
    document_id: str
    place_a: str
    place_b: str
    score: str
    detail: str
    why: str
    tokens: str
    direction: Direction


@dataclass(frozen=True)
class Measured:
    """One measure over chunks and over documents; a value is ``--`` when there is none, and the note says why."""

    title: str
    chunks: str
    documents: str
    note: str
    formula: str
    source: str


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


def mark(change: DocumentChange | ChunkChange) -> Mark:
    """How a row changed: a kept one has moved when its place did."""
    if change.change == "kept":
        return "kept" if change.place_a == change.place_b else "moved"
    return change.change


def direction(change: DocumentChange | ChunkChange) -> Direction:
    """Which way a row went by its places."""
    if change.change != "kept":
        return change.change
    a, b = change.place_a or 0, change.place_b or 0
    return "same" if a == b else "up" if b < a else "down"


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
    if saved is not None:
        facts.append(("Saved run", _saved(saved)))
        if saved.note.strip():
            facts.append(("Note", line(saved.note)))
        facts.append(("Approved by", line(saved.approved_by) or wording.UNKNOWN))
    return tuple(facts)


def steps(comparison: Comparison) -> tuple[tuple[str, str, str], ...]:
    """(what acts, from → to, what it did) of the step of the limits and that of the relationships.

    Empty when nothing differs: then the planner fell back to MS3, and no step stands between.
    """
    if comparison.identical:
        return ()
    return tuple(
        (
            what,
            f"{step.label_a} → {step.label_b}",
            f"documents {step.documents_in} in, {step.documents_out} out; "
            f"chunks {step.chunks_in} in, {step.chunks_out} out",
        )
        for what, step in zip(("Limits alone", "Relationships"), comparison.steps, strict=False)
    )


def document_rows(comparison: Comparison) -> tuple[Row, ...]:
    """Every document, B's in plan order, then those that left."""
    titles = document_names(comparison)
    named = {*comparison.b.run.request.seed_document_ids, *comparison.b.run.request.overrides.added_seed_ids}
    return tuple(
        Row(
            mark=mark(d), name=titles[d.document_id], document_id=d.document_id, place_a=place(d.place_a),
            place_b=place(d.place_b), score=wording.score(d.score), detail=_role(d), why=_why(d, titles, named=named),
            tokens=_pair(d.n_tokens_a if d.place_a else None, d.n_tokens_b if d.place_b else None),
            direction=direction(d),
        )
        for d in comparison.documents
    )  # fmt: skip


def document_names(comparison: Comparison) -> dict[str, str]:
    """document_id → its title on one line, its id where it has none."""
    return {d.document_id: line(d.title) or d.document_id for d in comparison.documents}


def chunk_rows(comparison: Comparison) -> tuple[Row, ...]:
    """Every chunk, B's in reading order, then those that left; ``detail`` is where in its document it stands."""
    came = {d.document_id for d in comparison.documents_with("added")}
    return tuple(_chunk_row(c, "its document was added" if c.document_id in came else "") for c in comparison.chunks)


def _chunk_row(chunk: ChunkChange, came_because: str) -> Row:
    title, where = chunk_name(chunk)
    why = line(departure_text(chunk.left_because)) if chunk.left_because else came_because
    return Row(
        mark=mark(chunk), name=line(title), document_id=chunk.document_id, place_a=place(chunk.place_a),
        place_b=place(chunk.place_b), score=wording.score(chunk.score), detail=line(where),
        why=why, tokens=f"{chunk.token_count:,}", direction=direction(chunk),
    )  # fmt: skip


def figures(comparison: Comparison) -> tuple[Measured, ...]:
    """Every measure once, in the order of the measures, with its value over chunks and over documents."""
    found: dict[str, dict[str, Figure]] = {}
    for figure in comparison.figures:
        found.setdefault(figure.name, {})[figure.of] = figure
    return tuple(_measured(by) for by in found.values())


def shared(comparison: Comparison, of: Literal["chunks", "documents"]) -> str:
    """``8 of 16``: how many are on both sides; ``--`` when there are none on either."""
    rows: tuple[DocumentChange, ...] | tuple[ChunkChange, ...] = getattr(comparison, of)
    return wording.n_of_m(sum(r.change == "kept" for r in rows), len(rows)) if rows else wording.UNKNOWN


def counted(rows: Sequence[DocumentChange] | Sequence[ChunkChange]) -> str:
    """``3 added, 2 left, 1 moved, 2 in place``."""
    found = Counter(map(mark, rows))
    words = {"added": "added", "left": "left", "moved": "moved", "kept": "in place"}
    return ", ".join(f"{found[m]:,} {words[m]}" for m in MARKS)


def keys(comparison: Comparison) -> tuple[tuple[str, str, str], ...]:
    """The key figures: (name, value, what stands under it)."""
    total = next((t for t in comparison.tokens if t.layer == "total"), None)
    drift = wording.UNKNOWN if comparison.score_drift is None else f"{comparison.score_drift:g}"
    return (
        _came_and_went("Documents", comparison.documents),
        _came_and_went("Chunks", comparison.chunks),
        ("Chunks on both sides", shared(comparison, "chunks"), _under(comparison, "jaccard")),
        ("Tokens", signed(total.difference) if total else wording.UNKNOWN,
         f"{total.a:,} → {total.b:,}" if total else ""),
        ("Score drift", drift, f"over {wording.plural(comparison.n_scores, 'chunk')} in both"),
    )  # fmt: skip


def tokens(comparison: Comparison) -> tuple[tuple[str, str, str, str], ...]:
    """(layer, A, B, difference) for every layer of the context."""
    return tuple((LAYERS[t.layer], f"{t.a:,}", f"{t.b:,}", signed(t.difference)) for t in comparison.tokens)


def contract(comparison: Comparison) -> tuple[tuple[str, tuple[ContractCheck, ...]], ...]:
    """(whose, promises) of both runs, then those of the comparison itself."""
    a, b = names(comparison)
    own = (("A  " + a, comparison.a.run.contract), ("B  " + b, comparison.b.run.contract))
    return (*own, ("Between both", comparison.checks))


def parameters(comparison: Comparison) -> tuple[Compared, ...]:
    """Every field of both requests with the value it had in the end, those that differ first, then by name."""
    a, b = dict(_parameters(comparison.a)), dict(_parameters(comparison.b))
    rows = [Compared(name, a.get(name, wording.UNKNOWN), b.get(name, wording.UNKNOWN)) for name in {**a, **b}]
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


def size(run: Run) -> str:
    """``6 documents, 10 chunks, 1,991 tokens``."""
    n_documents, n_chunks = len(run.plan.document_ids), run.context.n_chunks
    return (
        f"{wording.plural(n_documents, 'document')}, {wording.plural(n_chunks, 'chunk')}, "
        f"{wording.plural(run.assembled.total_tokens, 'token')}"
    )


def place(value: int | None) -> str:
    """A place, or ``--`` for none."""
    return wording.UNKNOWN if value is None else f"{value:,}"


def signed(difference: int) -> str:
    """``+611``, ``−84``, ``0``."""
    return f"{'+' if difference > 0 else '−' if difference < 0 else ''}{abs(difference):,}"


# ---------------------------------------------------------------- inside


def _saved(saved: RunSummary) -> str:
    by = f" by {line(saved.saved_by)}" if saved.saved_by.strip() else ""
    return f"{line(saved.name)} ({saved.run_id}), saved {line(saved.saved_at)}{by}"


def _came_and_went(name: str, rows: Sequence[DocumentChange] | Sequence[ChunkChange]) -> tuple[str, str, str]:
    n_added, n_left = (sum(row.change == change for row in rows) for change in ("added", "left"))
    gone = f"{signed(n_added)} {signed(-n_left)}" if n_added or n_left else "no change"
    return name, gone, f"{len(rows) - n_added - n_left:,} kept"


def _under(comparison: Comparison, measure: str) -> str:
    figure = comparison.figure(measure)
    return "" if figure is None else f"{line(figure.title)} {_value(figure)}"


def _role(document: DocumentChange) -> str:
    roles = [role for role in (document.role_a, document.role_b) if role is not None]
    return " → ".join(dict.fromkeys(roles))


def _why(document: DocumentChange, titles: Mapping[str, str], *, named: Collection[str]) -> str:
    """Why it is in B (that it is a seed, its reasons), or why it left."""
    if document.left_because is not None:
        return line(departure_text(document.left_because))
    reasons = [f"from {titles.get(r.from_document_id, r.from_document_id)} by {r.via}" for r in document.reasons]
    if document.role_b == "seed":
        own = "named in the request" if document.document_id in named else "similar to the question"
        reasons = [own, *reasons]
    return line("; ".join(reasons))


def _pair(a: int | None, b: int | None) -> str:
    if a is not None and b is not None and a != b:
        return f"{a:,} → {b:,}"
    return place(a if b is None else b)


def _measured(by: dict[str, Figure]) -> Measured:
    any_of = next(iter(by.values()))
    notes = [f"{of}: {f.note}" for of, f in by.items() if f.note]
    return Measured(
        title=line(any_of.title), chunks=_value(by.get("chunks")), documents=_value(by.get("documents")),
        note=line("; ".join(notes)), formula=line(any_of.formula), source=line(any_of.source),
    )  # fmt: skip


def _value(figure: Figure | None) -> str:
    if figure is None or figure.value is None:
        return wording.UNKNOWN
    return f"{figure.value:.2f}".replace("-", "−")


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
        return "all" if name == "relation_types" else wording.UNKNOWN
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, list | tuple):
        return line(", ".join(map(str, value))) or "none"
    return f"{value:,}" if isinstance(value, int) else line(str(value))
