"""Passages are chosen by similarity and words, every document's best first, until the token budget is full."""

from __future__ import annotations

from typing import Any

from docgraph.domain.context import RetrievedContext
from docgraph.domain.graph import StoredChunk
from docgraph.execution.passages import pick_passages
from docgraph.ports import FittingChunk, FittingChunks

FILLER = (
    "Nothing of interest stands in this sentence at all, it only goes on and on for a while and then it ends here. "
)


def hit(document_id: str, index: int, text: str, *, score: float = 0.2, words: float = 0.0) -> FittingChunk:
    tokens = max(len(text) // 4, 1)
    chunk = StoredChunk(
        document_id=document_id, chunk_id=f"{document_id}#{index}", chunk_index=index, text=text, token_count=tokens
    )
    return FittingChunk(chunk=chunk, score=score, words=words)


def picked(*hits: FittingChunk, order: str = "abc", **limits: Any) -> dict[str, list[tuple[str, str]]]:
    found = FittingChunks(hits, {"queue": 0.6, "limit": 0.4})
    groups = pick_passages(found, tuple(order), **{"max_chunks": 40, "max_tokens": 2_000, **limits})
    return {document_id: [(c.chunk_id, c.passage) for c in chunks] for document_id, chunks in groups.items()}


def test_of_a_long_chunk_the_sentences_that_hold_the_words_are_read() -> None:
    text = FILLER * 3 + "The queue limit is 400. " + FILLER * 3
    found = picked(hit("a", 0, text.strip(), words=0.5), max_tokens=90)
    [(_, passage)] = found["a"]
    assert "The queue limit is 400." in passage
    assert passage.startswith("…")
    assert passage.endswith("…")
    assert len(passage) < len(text) / 2


def test_every_document_gets_its_best_passage_before_any_gets_a_second() -> None:
    strong = [hit("a", n, f"The queue limit {n}. " + FILLER * 2, words=0.9) for n in range(9)]
    found = picked(*strong, hit("b", 0, FILLER, score=-0.3), order="ab", max_tokens=200)
    assert [chunk_id for chunk_id, _ in found["b"]] == ["b#0"]
    assert found["a"]


def test_what_the_budget_leaves_goes_to_further_windows_once_the_number_of_chunks_is_reached() -> None:
    text = (FILLER * 3 + "The queue limit is 400. " + FILLER * 3).strip()
    found = picked(hit("a", 0, text, words=0.9), hit("a", 1, "The queue.", words=0.1), max_chunks=1)
    assert found == {"a": [("a#0", text)]}


def test_the_first_passage_comes_in_whatever_it_costs() -> None:
    assert picked(hit("a", 0, FILLER), max_tokens=1)["a"]


def test_chunks_that_fit_alike_stand_in_the_order_of_their_documents_and_places() -> None:
    hits = [hit(d, n, "The queue limit.", words=0.5) for d in "ba" for n in (1, 0)]
    found = pick_passages(FittingChunks(tuple(hits), {"queue": 1.0}), ("b", "a"), max_chunks=9, max_tokens=900)
    ranked = sorted((c.rank, c.chunk_id) for chunks in found.values() for c in chunks)
    assert ranked == [(1, "a#0"), (2, "a#1"), (3, "b#0"), (4, "b#1")]


def test_a_passage_keeps_its_figures_whatever_else_is_planned() -> None:
    """No relationship changes a figure: they depend on the question and the workspace."""
    mine, other = hit("a", 0, "The queue limit is 400.", words=0.7), hit("b", 0, "The queue limit.", words=0.9)
    weights = {"queue": 0.6, "limit": 0.4}

    def figures(*hits: FittingChunk) -> list[tuple[float, float | None]]:
        groups = pick_passages(FittingChunks(hits, weights), ("a", "b"), max_chunks=9, max_tokens=900)
        return [(c.score, c.words) for c in groups["a"]]

    assert figures(mine) == figures(mine, other) == [(0.2, 0.7)]


def test_without_a_word_of_the_question_similarity_alone_decides() -> None:
    hits = (hit("a", 0, "One.", score=0.1), hit("a", 1, "Two.", score=0.4))
    groups = pick_passages(FittingChunks(hits, {}), ("a",), max_chunks=1, max_tokens=900)
    assert [c.chunk_id for c in groups["a"]] == ["a#1"]


def test_a_context_of_whole_chunks_is_written_as_it_always_was() -> None:
    """Saved runs are known by the hash of what is written: fields of passages stand only where there are any."""
    fields = {"plan_id": "p", "workspace": "w", "corpus_revision": "r", "embedder_id": "e", "query": "q"}
    limits = {"evidence_rule": "similarity", "max_chunks": 1, "max_chunks_per_document": 1}
    assert "max_tokens" not in RetrievedContext.model_validate({**fields, **limits}).model_dump(mode="json")
