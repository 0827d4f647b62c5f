"""How well two runs do by what people judged relevant: every judged measure, over the documents of each side."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from docgraph.domain.comparison import AnsweringPassage, RelevantDocument
from docgraph.domain.judgment import JudgedFigure, Judgment, passage_hash
from docgraph.domain.passages.evidence import Evidence, ReadPassage, evidence_rank
from docgraph.domain.run import Run
from docgraph.errors import RequestError
from docgraph.ports.plugins import JudgedMeasure

NOBODY_RELEVANT = "no document is judged relevant to this question"


def judged_figures(
    a: Run, b: Run, judgments: Sequence[Judgment], *, measures: Sequence[JudgedMeasure]
) -> tuple[JudgedFigure, ...]:
    """One figure for each measure, in their order; none without judgments of the question that both sides ask.

    None either for sides of different corpora: what was judged in one says nothing about the other.

    Documents are ranked as they are read: in the order of the context, which is that of the plan; one of which no
    chunk is read has no place, as in query sets. Both sides are cut at one k, as measures in the field are, and nothing
    that is read is cut off: k is the larger number of documents that a side reads. What nobody judged counts as not
    relevant, as in TREC; the note says how much that is.
    """
    x, y = a.context.read_document_ids, b.context.read_document_ids
    return figures_over(x, y, _said(a, b, judgments), measures=measures)


def figures_over(
    x: Sequence[str], y: Sequence[str], said: Mapping[str, bool], *, measures: Sequence[JudgedMeasure]
) -> tuple[JudgedFigure, ...]:
    """The same over two lists of documents; ``said`` = document_id → whether it is relevant to the question."""
    if not said:
        return ()
    relevant = frozenset(document_id for document_id, helps in said.items() if helps)
    k = max(len(x), len(y))
    counts: dict[str, Any] = {
        "n_relevant": len(relevant),
        "n_shown_a": len(x),
        "n_shown_b": len(y),
        "n_judged_a": sum(i in said for i in x),
        "n_judged_b": sum(i in said for i in y),
    }
    note = _note(tuple(dict.fromkeys((*x, *y))), said, any_relevant=bool(relevant))
    return tuple(
        JudgedFigure(
            name=measure.name,
            title=measure.title,
            k=k,
            note=note,
            formula=measure.formula,
            source=measure.source,
            a=measure.compute(x, relevant, k=max(k, 1)),
            b=measure.compute(y, relevant, k=max(k, 1)),
            **counts,
        )
        for measure in measures
    )


def relevant_documents(a: Run, b: Run, judgments: Sequence[Judgment]) -> tuple[RelevantDocument, ...]:
    """Every document judged relevant: those that A reads in its order, then those that B reads, then the others."""
    x, y = a.context.read_document_ids, b.context.read_document_ids
    return relevant_among(x, y, _said(a, b, judgments), names=titles_of(a) | titles_of(b))


def relevant_among(
    x: Sequence[str], y: Sequence[str], said: Mapping[str, bool], *, names: Mapping[str, str]
) -> tuple[RelevantDocument, ...]:
    """The same over two lists of documents; ``names`` = document_id → title, where it is known."""
    relevant = {document_id for document_id, helps in said.items() if helps}
    ids = [i for i in dict.fromkeys((*x, *y)) if i in relevant]
    return tuple(
        RelevantDocument(document_id=i, title=names.get(i, i), in_a=i in x, in_b=i in y)
        for i in (*ids, *sorted(relevant.difference(ids)))
    )


def _said(a: Run, b: Run, judgments: Sequence[Judgment]) -> dict[str, bool]:
    """document_id → whether it is relevant to the question that both sides ask of one corpus; else nothing."""
    if (a.plan.query, a.plan.workspace) != (b.plan.query, b.plan.workspace):
        return {}
    return {each.document_id: each.relevant for each in judgments if each.query == a.plan.query}


def titles_of(run: Run) -> dict[str, str]:
    """document_id → title, of the documents that a run's plan names."""
    plan = run.plan
    named = {cut.document_id: cut.title for cut in plan.cut}
    named |= {seed.document_id: seed.title for seed in plan.seed_documents}
    named |= {document.document_id: document.title for document in plan.expanded_documents}
    return {document_id: title or document_id for document_id, title in named.items()}


def _note(shown: Sequence[str], said: Mapping[str, bool], *, any_relevant: bool) -> str:
    """What is to be known beside the values; ``shown`` = the documents of either side, each once."""
    n_unjudged = sum(document_id not in said for document_id in shown)
    notes = [] if any_relevant else [NOBODY_RELEVANT]
    if n_unjudged:
        counts = f"nobody judged {n_unjudged} of the {len(shown)} documents shown"
        notes.append(counts if not any_relevant else f"{counts}: {_they(n_unjudged)} as not relevant")
    return "; ".join(notes)


def _they(n: int) -> str:
    return "it counts" if n == 1 else "they count"


def answering_passage(
    a: Run, b: Run, evidence: Sequence[Evidence], judgments: Sequence[Judgment]
) -> AnsweringPassage | None:
    """Which side reads all of the evidence; ``None`` where none is known, or the sides ask two things.

    Evidence that names no document is looked for in documents that are judged relevant, in any where none is.
    """
    if not evidence or (a.plan.query, a.plan.workspace) != (b.plan.query, b.plan.workspace):
        return None
    relevant = {each.document_id for each in judgments if each.query == a.plan.query and each.relevant}
    try:
        in_a, in_b = (evidence_rank(evidence, tuple(_standing(run)), relevant) is not None for run in (a, b))
    except RequestError:  # a pattern that takes too long says nothing
        return None
    return AnsweringPassage(n=len(evidence), in_a=in_a, in_b=in_b)


def _standing(run: Run) -> Iterator[ReadPassage]:
    """What of each chunk stands in the assembled text; of one that was shortened its beginning."""
    kept = {i for document in run.assembled.documents for i in document.chunk_ids}
    for document in run.context.documents:
        for chunk in document.chunks:
            if chunk.chunk_id in kept:
                text = _beginning(chunk.passage, run.assembled.text)
                whole = passage_hash(chunk.text) if text == chunk.passage else ""
                yield ReadPassage(document.document.document_id, chunk.chunk_id, text, whole)


def _beginning(passage: str, text: str) -> str:
    """The longest beginning of the passage that the text holds."""
    if passage in text:
        return passage
    low, high = 0, len(passage)
    while low + 1 < high:
        middle = (low + high) // 2
        low, high = (middle, high) if passage[:middle] in text else (low, middle)
    return passage[:low]
