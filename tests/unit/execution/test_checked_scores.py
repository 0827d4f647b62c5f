"""What a reranker says of passages is checked before it chooses any."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from docgraph.errors import EmbedderError
from docgraph.execution.passages import checked_scores
from docgraph.orchestration.caches import RememberedScores
from docgraph.ports.retrieval import Reranked


class Own:
    """Gives what it was made with, and turns the texts that it was given."""

    name, model_id = "own", "own/1"

    def __init__(self, said: Any) -> None:
        self.said = said

    def rerank(self, query: str, texts: Sequence[str]) -> Any:
        assert isinstance(texts, list)
        texts.reverse()
        if isinstance(self.said, Exception):
            raise self.said
        return self.said


@pytest.mark.parametrize(
    ("said", "told"),
    [
        ([Reranked(0, 0.1), Reranked(-1, 0.9)], "gave 0.9 for passage -1 of 2"),
        ([Reranked(0, 0.1), Reranked(2, 0.9)], "gave 0.9 for passage 2 of 2"),
        ([Reranked(0, float("nan"))], "gave nan for passage 0 of 2"),
        ([0.1, 0.9], "failed with AttributeError"),
        (KeyError("hunter2"), "failed with KeyError"),
        (None, "failed with TypeError"),
    ],
)
def test_what_is_no_score_of_a_passage_is_one_line_of_ours(said: Any, told: str) -> None:
    with pytest.raises(EmbedderError, match=told) as caught:
        checked_scores(Own(said), "q", ["one", "two"])
    assert "hunter2" not in caught.value.message


def test_scores_stay_with_their_texts_whatever_becomes_of_the_list() -> None:
    """What is remembered was looked up in the list that the reranker had turned."""
    remembered = RememberedScores(Own([Reranked(0, 0.1), Reranked(1, 0.9)]))
    for _ in range(2):
        assert remembered.rerank("q", ["one", "two"]) == (Reranked(0, 0.1), Reranked(1, 0.9))
