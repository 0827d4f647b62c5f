"""Picks passages under the plan's limits: the windows that fit best, reranked, within the token budget."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from operator import index
from statistics import median

from docgraph.domain.context import ChunkGround, ScoredChunk
from docgraph.domain.passages.fitting import RERANK, WINDOW_WORDS, chunk_fit, word_fit
from docgraph.domain.passages.lexemes import Finder
from docgraph.domain.passages.windows import WINDOW_TOKENS, Span, framed, joined, windows
from docgraph.domain.plan import RetrievalPlan
from docgraph.errors import DocgraphError, EmbedderError, PlanError
from docgraph.execution.grouping import as_scored
from docgraph.ports import FittingChunk, FittingChunks
from docgraph.ports.retrieval import NamedReranker

MIN_SHORTLIST = 40
"""Chunks whose windows are compared at least; the measured figures do not change with more (docs/quality.md)."""
RERANKED = 60
"""Windows that a reranker reads, the best ones without it: those of about 30 chunks."""
DOCUMENT_TOKENS, CHUNK_TOKENS = 40, 8
"""What the frame of a document and of a chunk take in an assembled text, about: assembly counts exactly."""


@dataclass(frozen=True)
class _Window:
    """A window of a chunk: how well it fits, and what it takes of the budget, in tokens."""

    hit: FittingChunk
    span: Span
    fit: float
    tokens: int
    rerank_score: float | None = None

    @property
    def order(self) -> tuple[float, str, int, int]:
        """Best first; ties by document_id, then by place."""
        return (-self.fit, self.hit.chunk.document_id, self.hit.chunk.chunk_index, self.span[0])


@dataclass
class _Taken:
    """What was taken so far; a chunk is known by (document_id, chunk_index)."""

    max_chunks: int
    left: int
    spans: dict[tuple[str, int], list[Span]] = field(default_factory=dict)
    documents: set[str] = field(default_factory=set)

    def takes(self, window: _Window) -> bool:
        """Take the window where the limits allow it; the first one of all comes in whatever it costs."""
        chunk = window.hit.chunk
        key = (chunk.document_id, chunk.chunk_index)
        is_new = key not in self.spans
        cost = window.tokens + CHUNK_TOKENS * is_new + DOCUMENT_TOKENS * (chunk.document_id not in self.documents)
        if (is_new and len(self.spans) >= self.max_chunks) or (self.spans and cost > self.left):
            return False
        self.left -= cost
        self.documents.add(chunk.document_id)
        self.spans.setdefault(key, []).append(window.span)
        return True


def pick_passages(
    found: FittingChunks,
    document_order: Sequence[str],
    *,
    max_chunks: int,
    max_tokens: int | None,
    read: Callable[[Sequence[str]], Sequence[float]] | None = None,
) -> dict[str, tuple[ScoredChunk, ...]]:
    """document_id → its chunks by their best passage, every one with its rank over the whole context.

    ``read`` = the scores of a reranker, 0 to 1, of texts in their order; it is given the best ``RERANKED`` windows. A
    window that does not fit into what is left of ``max_tokens`` is passed over for a shorter one; once ``max_chunks``
    chunks are read, what is left of the budget goes to further windows of theirs.
    """
    ordered = sorted(_windows(found), key=lambda window: window.order)
    if read is not None:
        ordered = sorted(_reranked(ordered, read), key=lambda window: window.order)
    taken = _Taken(max_chunks, max_tokens if max_tokens is not None else 2**31)
    firsts = [window for window in _best_of_each(ordered, document_order) if taken.takes(window)]
    ids = set(map(id, firsts))
    grounds: dict[tuple[str, int], tuple[_Window, ChunkGround]] = {}
    for window in firsts:
        grounds[_key(window)] = (window, "best_of_document")
    for window in ordered:
        if id(window) not in ids and taken.takes(window):
            grounds.setdefault(_key(window), (window, "passage"))
    return _grouped(sorted(grounds.values(), key=lambda pair: pair[0].order), taken)


def _windows(found: FittingChunks) -> Iterator[_Window]:
    finder = Finder(found.weights)
    for hit in found.hits:
        text, whole = hit.chunk.text, chunk_fit(hit.score, hit.words)
        places, per_character = finder.places(text), hit.chunk.token_count / max(len(text), 1)
        for start, end in windows(text, hit.chunk.token_count):
            counts = Counter(word for place, word in places if start <= place < end)
            tokens = (end - start) * per_character
            words = word_fit(counts, found.weights, tokens=tokens, typical=WINDOW_TOKENS)
            yield _Window(hit, (start, end), round(whole + WINDOW_WORDS * words, 6), int(tokens) + 1)


def _reranked(ordered: Sequence[_Window], read: Callable[[Sequence[str]], Sequence[float]]) -> Iterator[_Window]:
    """The windows with what a reranker says of the best of them; the others count as the middle one of these."""
    best, rest = ordered[:RERANKED], ordered[RERANKED:]
    scores = read([window.hit.chunk.text[slice(*window.span)] for window in best])
    for window, score in zip(best, scores, strict=True):
        yield replace(window, fit=round(window.fit + RERANK * score, 6), rerank_score=score)
    middle = median(scores) if scores else 0.0
    for window in rest:
        yield replace(window, fit=round(window.fit + RERANK * middle, 6))


def _best_of_each(ordered: Sequence[_Window], document_order: Sequence[str]) -> list[_Window]:
    best: dict[str, _Window] = {}
    for window in ordered:
        best.setdefault(window.hit.chunk.document_id, window)
    return [best[document_id] for document_id in document_order if document_id in best]


def _grouped(chosen: Sequence[tuple[_Window, ChunkGround]], taken: _Taken) -> dict[str, tuple[ScoredChunk, ...]]:
    groups: dict[str, list[ScoredChunk]] = {}
    for rank, (window, ground) in enumerate(chosen, start=1):
        hit, chunk = window.hit, window.hit.chunk
        spans = joined(chunk.text, framed(chunk.text, tuple(taken.spans[_key(window)])))
        excerpt = () if _is_whole(chunk.text, spans) else spans
        scored = as_scored(chunk, hit.score, rank=rank, ground=ground, words=hit.words, excerpt=excerpt)
        if window.rerank_score is not None:
            scored = scored.model_copy(update={"rerank_score": window.rerank_score})
        groups.setdefault(chunk.document_id, []).append(scored)
    return {document_id: tuple(chunks) for document_id, chunks in groups.items()}


def _is_whole(text: str, spans: tuple[Span, ...]) -> bool:
    return len(spans) == 1 and not text[: spans[0][0]].strip() and not text[spans[0][1] :].strip()


def _key(window: _Window) -> tuple[str, int]:
    return (window.hit.chunk.document_id, window.hit.chunk.chunk_index)


Read = Callable[[Sequence[str]], Sequence[float]]
FAULT = "this is a fault of the reranker plug-in: reranker = none does without"


def reading(plan: RetrievalPlan, reranker: NamedReranker | None) -> Read | None:
    """What gives the plan's reranker's scores of texts, in their order; None where the plan names nobody.

    Raises PlanError where ``reranker`` is not the one that the plan names: another would choose other passages.
    """
    wanted = plan.constraints.reranker
    if not wanted:
        return None
    if reranker is None or reranker.model_id != wanted:
        here = "none is configured" if reranker is None else f"{reranker.model_id!r} is configured"
        raise PlanError(
            f"the plan's passages are chosen with the reranker {wanted!r}, but here {here}",
            hint="set reranker and reranker_model to that one, or build the plan again from its query",
        )
    return partial(_scores, reranker, plan.query)


def checked_scores(reranker: NamedReranker, query: str, texts: Sequence[str]) -> dict[int, float]:
    """Place of a text → its score, of those that were scored.

    Raises EmbedderError for places that are none, scores that are no finite numbers, and, by the name of its class, for
    whatever else the reranker raises.
    """
    try:
        said = {index(each.index): float(each.score) for each in reranker.rerank(query, list(texts))}
    except DocgraphError:
        raise
    except Exception as error:
        raise EmbedderError(
            f"the reranker {reranker.model_id!r} failed with {type(error).__name__}", hint=FAULT
        ) from error
    wrong = [place for place, score in said.items() if not (0 <= place < len(texts) and math.isfinite(score))]
    if wrong:
        raise EmbedderError(
            f"the reranker {reranker.model_id!r} gave {said[wrong[0]]!r} for passage {wrong[0]} of {len(texts)}",
            hint=FAULT,
        )
    return said


def _scores(reranker: NamedReranker, query: str, texts: Sequence[str]) -> list[float]:
    said = checked_scores(reranker, query, texts)
    if said.keys() != set(range(len(texts))):
        raise EmbedderError(
            f"the reranker {reranker.model_id!r} scored {len(said)} of {len(texts)} passages",
            hint="a plan that names a reranker needs its score for every passage: reranker = none does without",
        )
    return [said[place] for place in range(len(texts))]
