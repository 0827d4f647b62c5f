"""Retrievers of people's own: what they may be, and what they may answer."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pytest

from docgraph.boundary.retrievers import MAX_FOUND, as_retriever, found
from docgraph.errors import RequestError


@dataclass
class LangChainDocument:
    """A document as LangChain's retrievers answer with; newer ones have an ``id``."""

    metadata: dict[str, Any] = field(default_factory=dict)
    id: str | None = None


@dataclass
class LlamaNode:
    """A node of LlamaIndex with its score."""

    node: LangChainDocument
    score: float | None


class LangChainRetriever:
    def invoke(self, query: str) -> list[LangChainDocument]:
        return [LangChainDocument({"document_id": query}), LangChainDocument(id="b")]


class LlamaRetriever:
    def retrieve(self, query: str) -> list[LlamaNode]:
        return [LlamaNode(LangChainDocument({"doc_id": "low"}), 0.1), LlamaNode(LangChainDocument({"id": query}), 0.9)]


def test_a_callable_and_the_objects_of_two_libraries_answer_alike() -> None:
    assert as_retriever(lambda query: [(query, 1)])("a") == [("a", 1.0)]
    assert [i for i, _ in as_retriever(LangChainRetriever())("a")] == ["a", "b"]
    assert as_retriever(LlamaRetriever())("a") == [("a", 0.9), ("low", 0.1)]


@pytest.mark.parametrize(
    "answer",
    [
        [("b", 0.5), ("a", 2)],
        [["b", np.float32(0.5)], ["a", 2.0]],
        {"results": [{"id": "b", "score": 0.5}, {"document_id": "a", "score": 2}]},
        ({"metadata": {"source": i}, "score": s} for i, s in (("b", 0.5), ("a", 2))),
        [(LangChainDocument({"id": "b"}), 0.5), (LangChainDocument({"id": "a"}), 2)],
    ],
)
def test_results_are_sorted_by_their_score(answer: Any) -> None:
    assert found(answer) == [("a", 2.0), ("b", 0.5)]


def test_without_scores_the_order_counts_and_it_is_bounded() -> None:
    assert [i for i, _ in found(["c", "a", "b"])] == ["c", "a", "b"]
    assert len(found(f"d{i}" for i in range(MAX_FOUND + 5))) == MAX_FOUND


@pytest.mark.parametrize(
    ("answer", "what"),
    [
        ("a", "no list"),
        (None, "no list"),
        ({"hits": []}, "no list"),
        ([("a", float("nan"))], "result 1 .* no score"),
        ([("a", True)], "result 1 .* no score"),
        ([("a", 1), ("", 1)], "result 2 .* no id"),
        ([{"score": 1}], "no id"),
        ([("a", 1, 2)], "no id"),
    ],
)
def test_an_answer_that_is_none_says_which_result(answer: Any, what: str) -> None:
    with pytest.raises(ValueError, match=what):
        found(answer)


@pytest.mark.parametrize("given", ["file:///etc/passwd", "retriever", 3, None])
def test_what_cannot_answer_is_refused(given: Any) -> None:
    with pytest.raises(RequestError):
        as_retriever(given)
