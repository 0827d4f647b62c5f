"""Compares two runs: rows, figures, tokens, drift, verdict; refuses what cannot be compared."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from docgraph.comparison.judged import answering_passage, judged_figures, relevant_documents
from docgraph.comparison.narrative import counted, verdict
from docgraph.comparison.overlap import Indexed, figures
from docgraph.comparison.rows import chunk_rows, document_rows
from docgraph.comparison.staleness import why_identical
from docgraph.domain.comparison import ChunkChange, Comparison, DocumentChange, LayerTokens, Side
from docgraph.domain.judgment import Judgment
from docgraph.domain.passages.evidence import Evidence
from docgraph.domain.run import ContractCheck, Run
from docgraph.domain.saved_run import RUN_ID_LENGTH
from docgraph.errors import ComparisonError
from docgraph.ports import AnyMeasure


def compare(
    a: Side,
    b: Side,
    measures: Sequence[AnyMeasure],
    *,
    anyway: bool = False,
    gone: Collection[str] = (),
    judgments: Sequence[Judgment] = (),
    evidence: Sequence[Evidence] = (),
) -> Comparison:
    """What changed from A to B; pure, so equal runs give an equal comparison.

    ``gone`` = documents of A that are not stored any more.
    ``judgments`` = those of stored documents; they fill ``judged`` and touch nothing else. ``evidence`` = the passages
    that answer the question.
    Raises ComparisonError for runs of different corpora or embedders unless ``anyway``, which labels the result.
    """
    labels = obstacles(a.run, b.run)
    if labels and not anyway:
        raise ComparisonError(f"these runs cannot be compared: {'; '.join(labels)}", hint="or compare anyway")
    before, after = Indexed(a.run), Indexed(b.run)
    documents = document_rows(before, after, gone=gone)
    chunks = chunk_rows(before, after, gone=gone)
    tokens, n_top = _tokens(a.run, b.run), _n_top(chunks)
    drift, n_scores = _drift(before, after)
    identical = _identical(documents, chunks, tokens, drift)
    made = Comparison(
        a=_traceless(a),
        b=_traceless(b),
        documents=documents,
        chunks=chunks,
        tokens=tokens,
        n_top=n_top,
        figures=figures(a.run, b.run, [m for m in measures if m.kind == "overlap" or m.kind == "correlation"]),
        judged=judged_figures(a.run, b.run, judgments, measures=[m for m in measures if m.kind == "judged"]),
        relevant=relevant_documents(a.run, b.run, judgments),
        passage=answering_passage(a.run, b.run, evidence, judgments),
        score_drift=drift,
        n_scores=n_scores,
        checks=(_drift_check(drift, n_scores, a.run, b.run),),
        identical=identical,
        why_identical=why_identical(a.run, b.run) if identical else "",
        labels=(*labels, *_remarks(a.run, b.run)),
    )
    return made.model_copy(update={"verdict": verdict(made, _spoken(a), _spoken(b))})


def obstacles(a: Run, b: Run) -> tuple[str, ...]:
    """What makes two runs incomparable, each in one line; empty when nothing does."""
    found = []
    if a.plan.workspace != b.plan.workspace:
        found.append(f"different corpora: workspace {a.plan.workspace!r} and {b.plan.workspace!r}")
    if a.plan.embedder_id != b.plan.embedder_id:
        found.append(f"different embedders: {a.plan.embedder_id} and {b.plan.embedder_id}, so scores have two scales")
    return tuple(found)


def _remarks(a: Run, b: Run) -> tuple[str, ...]:
    """What does not stand in the way, but must be said beside the numbers."""
    remarks = []
    if a.plan.query != b.plan.query:
        remarks.append("different questions: scores and ranks answer two things")
    if a.plan.workspace == b.plan.workspace and a.plan.corpus_revision != b.plan.corpus_revision:
        remarks.append("different revisions: the data changed between the two runs")
    return tuple(remarks)


def _tokens(a: Run, b: Run) -> tuple[LayerTokens, ...]:
    x, y = a.assembled, b.assembled
    return (
        LayerTokens(layer="conceptual", a=x.conceptual_tokens, b=y.conceptual_tokens),
        LayerTokens(layer="evidence", a=x.evidence_tokens, b=y.evidence_tokens),
        LayerTokens(layer="frame", a=x.frame_tokens, b=y.frame_tokens),
        LayerTokens(layer="total", a=x.total_tokens, b=y.total_tokens),
    )


def _n_top(chunks: Sequence[ChunkChange]) -> int:
    """How many of the first chunks in reading order are the same on both sides."""
    n = 0
    for place, chunk in enumerate((c for c in chunks if c.place_b is not None), start=1):
        if chunk.place_a != place:
            break
        n = place
    return n


def _drift(a: Indexed, b: Indexed) -> tuple[float | None, int]:
    """(largest score difference, over how many chunks): same question, same embedder, same embedded text.

    Title and headings are embedded with a chunk's text, so after a change of the data they have to be the same too.
    """
    if a.run.plan.query != b.run.plan.query or a.run.plan.embedder_id != b.run.plan.embedder_id:
        return None, 0
    shared = [
        abs(x.score - y.score)
        for key, (_, document, x) in a.chunks.items()
        if key in b.chunks
        for _, other, y in [b.chunks[key]]
        if (document.document.title, x.heading_path, x.text) == (other.document.title, y.heading_path, y.text)
    ]
    return (round(max(shared), 6), len(shared)) if shared else (None, 0)


def _drift_check(drift: float | None, n: int, a: Run, b: Run) -> ContractCheck:
    if drift is None:
        why = "no passage in common"
        if a.plan.query != b.plan.query:
            why = "different questions"
        elif a.plan.embedder_id != b.plan.embedder_id:
            why = "different embedders"
        return ContractCheck(
            name="score_drift", title="scores not compared", passed=True, detail=f"not compared: {why}"
        )
    title = "scores unchanged" if drift == 0 else f"scores changed by up to {drift:g}"
    return ContractCheck(
        name="score_drift", title=title, passed=drift == 0, detail=counted(n, "passage") + " in both runs"
    )


def _identical(
    documents: Sequence[DocumentChange],
    chunks: Sequence[ChunkChange],
    tokens: Sequence[LayerTokens],
    drift: float | None,
) -> bool:
    same_documents = all(
        d.change == "kept" and d.place_a == d.place_b and d.role_a == d.role_b and d.n_tokens_a == d.n_tokens_b
        for d in documents
    )
    same_chunks = all(
        c.change == "kept" and c.rank_a == c.rank_b and c.place_a == c.place_b and c.text_b is None for c in chunks
    )
    return same_documents and same_chunks and not drift and all(t.difference == 0 for t in tokens)


def _spoken(side: Side) -> str:
    """A side's label inside a sentence: the name that somebody gave to a saved run stands in quotes."""
    saved = len(side.name) >= RUN_ID_LENGTH and set(side.name) <= set("0123456789abcdef")
    return f"“{side.label}”" if saved else side.label


def _traceless(side: Side) -> Side:
    """A side whose run has no trace: its milliseconds are never the same twice."""
    return side.model_copy(update={"run": side.run.model_copy(update={"trace": ()})})
