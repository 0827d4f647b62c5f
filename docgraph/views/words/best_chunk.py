"""The one score of a document: the similarity of its best chunk, the same with and without relationships."""

from __future__ import annotations

from docgraph.domain.run import Run
from docgraph.views.words.counts import ordinal


def best_scores(run: Run) -> dict[str, float]:
    """document_id → similarity of its best chunk, for the documents of which a chunk is read; the others have none."""
    return {d.document.document_id: d.chunks[0].score for d in run.context.documents if d.chunks}


def rank_words(rank: int | None, signal: str) -> str:
    """``2nd by hybrid``: where the ranking by the seed signal has a document; it is no score, so it is never a bar."""
    return f"{ordinal(rank)} by {signal}" if rank else "not ranked"
