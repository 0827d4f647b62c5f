"""Whether the passages that answer the question are read: of each side, in the text that a model would receive."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from docgraph.domain.comparison import AnsweringPassage
from docgraph.domain.judgment import Judgment, passage_hash
from docgraph.domain.passages.evidence import Evidence, ReadPassage, evidence_rank
from docgraph.domain.run import Run
from docgraph.errors import RequestError


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
