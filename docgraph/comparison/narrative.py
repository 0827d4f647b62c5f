"""The verdict in one counted sentence, and why two runs are identical; generated from counts, never free text."""

from __future__ import annotations

from collections.abc import Sequence

from docgraph.domain.comparison import ChunkChange, DocumentChange, LayerTokens, Phrase, Rows
from docgraph.domain.run import Run


def verdict(
    label: str, documents: Sequence[DocumentChange], chunks: Sequence[ChunkChange], *, n_top: int,
    tokens: Sequence[LayerTokens],
) -> tuple[Phrase, ...]:  # fmt: skip
    """ "MS5 adds 3 documents and 4 chunks; 4 chunks leave; the top 2 stay; +611 tokens." in phrases.

    Counts of 0 are left out, except that at least one clause says what happened.
    """
    clauses = [
        *_clause(f"{label} adds ", [("documents_added", _n(documents, "added"), "document"),
                                    ("chunks_added", _n(chunks, "added"), "chunk")], ""),
        *_clause("", [("documents_left", _n(documents, "left"), "document"),
                      ("chunks_left", _n(chunks, "left"), "chunk")], " leave"),
    ]  # fmt: skip
    if not clauses:
        clauses = [_same_chunks(label, sum(c.moved("document") != 0 for c in chunks))]
    if 0 < n_top < sum(c.change != "left" for c in chunks):
        clauses.append([Phrase(text="the "), Phrase(text=f"top {n_top}", rows="top"),
                        Phrase(text=" stay" if n_top > 1 else " stays")])  # fmt: skip
    difference = next((t.difference for t in tokens if t.layer == "total"), 0)
    clauses.append([Phrase(text=signed_tokens(difference), rows="tokens")])
    return _sentence(clauses)


def _same_chunks(label: str, moved: int) -> list[Phrase]:
    if not moved:
        return [Phrase(text=f"{label} reads the same chunks in the same order")]
    number = _count("moved", moved, "chunk")
    return [Phrase(text=f"{label} reads the same chunks in another order: "), number,
            Phrase(text=" moves" if moved == 1 else " move")]  # fmt: skip


def signed_tokens(difference: int) -> str:
    """``+611 tokens``, ``−84 tokens``, ``the same number of tokens``."""
    if difference == 0:
        return "the same number of tokens"
    sign = "+" if difference > 0 else "−"
    return f"{sign}{abs(difference):,} token{'' if abs(difference) == 1 else 's'}"


def why_identical(a: Run, b: Run) -> str:
    """One sentence that says why nothing differs."""
    if a.plan.plan_id == b.plan.plan_id:
        return "Both runs made the same plan on the same data, so they read the same chunks with the same scores."
    related = next((run for run in (b, a) if run.plan.constraints.use_relationships), None)
    if related is None:
        return "Relationships are off on both sides, and the limits that differ cut nothing."
    if related.plan.expanded_documents:
        return "The plans differ in their limits, and none of the limits that differ cuts anything."
    n = len(related.plan.consulted)
    if n == 0:
        return "No seed expands under these limits, so the plan is that of plain similarity search (MS3)."
    seeds = f"{n} seed{'' if n == 1 else 's'}"
    switched = " that this request follows" if _restricted(related) else ""
    return (
        f"No outgoing relationship{switched} leads from the {seeds} to another document, "
        "so nothing is expanded and the result is that of plain similarity search (MS3), chunk by chunk."
    )


def _restricted(run: Run) -> bool:
    overrides = run.request.overrides
    hidden = overrides.without_types or overrides.without_edges
    return run.plan.constraints.relation_types is not None or bool(hidden)


def _n(rows: Sequence[DocumentChange] | Sequence[ChunkChange], change: str) -> int:
    return sum(row.change == change for row in rows)


def _clause(before: str, counts: list[tuple[Rows, int, str]], after: str) -> list[list[Phrase]]:
    """Nothing when every count is 0, else one clause: before, counts joined by "and", after."""
    counted = [_count(rows, n, noun) for rows, n, noun in counts if n]
    if not counted:
        return []
    joined = [counted[0]] if len(counted) == 1 else [counted[0], Phrase(text=" and "), counted[1]]
    one = len(counted) == 1 and sum(n for _, n, _ in counts) == 1
    ending = f"{after}s" if after and one else after
    return [[p for p in (Phrase(text=before), *joined, Phrase(text=ending)) if p.text]]


def _count(rows: Rows, n: int, noun: str) -> Phrase:
    return Phrase(text=f"{n:,} {noun}" if n == 1 else f"{n:,} {noun}s", rows=rows)


def _sentence(clauses: Sequence[Sequence[Phrase]]) -> tuple[Phrase, ...]:
    phrases: list[Phrase] = []
    for i, clause in enumerate(clauses):
        phrases += [Phrase(text="; "), *clause] if i else clause
    return (*phrases, Phrase(text="."))
