"""Every reranker keeps the promises of the shipped suite, and the suite notices one that does not."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from typing import Any

import pytest

from docgraph import plugins
from docgraph.errors import EmbedderError, PluginError
from docgraph.ports.retrieval import Reranked, Reranker
from docgraph.testing.suites.rerankers import TEXTS, check_reranker

_SERVICES = {"cohere", "voyage"}  # driven against a local server in tests/unit/rerankers
_MODEL = "DOCGRAPH_TEST_CROSS_ENCODER"


def built(name: str) -> Any:
    options = {"model": os.environ.get(_MODEL, "")} if name == "cross_encoder" else {}
    try:
        return plugins.build("rerankers", name, **options)
    except (PluginError, EmbedderError) as error:
        pytest.skip(f"{error.message} (set {_MODEL} to a model folder)")


@pytest.mark.parametrize("name", sorted(set(plugins.available("rerankers")) - _SERVICES))
def test_every_reranker_keeps_every_promise(name: str) -> None:
    check_reranker(built(name), tolerance=0.0 if name == "lexical" else 1e-5)


@pytest.mark.parametrize("name", sorted(set(plugins.available("rerankers")) - _SERVICES))
def test_a_reranker_is_called_as_its_file(name: str) -> None:
    assert built(name).name == name


class Broken:
    """The built-in reranker with its answer changed."""

    name = "broken"

    def __init__(self, change: Callable[[list[Reranked], Sequence[str]], Any]) -> None:
        self._change, self._true = change, plugins.build("rerankers", "lexical")

    def rerank(self, query: str, texts: Sequence[str]) -> Any:
        return self._change(list(self._true.rerank(query, texts)), texts)


@pytest.mark.parametrize(
    ("change", "promise"),
    [
        (lambda found, _: [Reranked(each.index, 0.5) for each in found], "must score higher"),
        (lambda found, _: [Reranked(each.index + 1, each.score) for each in found], "out of range"),
        (lambda found, _: [*found, *found[:1]], "comes twice"),
        (lambda found, _: found[:-1], "5 texts, but 4 scores"),
        (lambda found, _: [Reranked(each.index, each.score * 9) for each in found], "outside 0…1"),
        (lambda found, _: [Reranked(each.index, float("nan")) for each in found], "not finite"),
        (lambda found, _: [(each.index, each.score) for each in found], "no Reranked"),
        (lambda found, _: [Reranked(each.index, each.score / (1 + each.index)) for each in found], "order of texts"),
        (lambda found, texts: [Reranked(e.index, 1.0 if not texts[e.index] else e.score) for e in found], "empty text"),
    ],
)
def test_a_reranker_that_breaks_a_promise_is_told_which(change: Any, promise: str) -> None:
    broken: Reranker = Broken(change)
    with pytest.raises(AssertionError, match=promise):
        check_reranker(broken)


def test_the_built_in_one_prefers_rare_words_headings_and_words_that_stand_together() -> None:
    reranker = plugins.build("rerankers", "lexical")
    question = "dead letter queue"
    texts = (
        "Notes\nA queue is a queue.",
        "Dead letter queue\nMessages that were refused.",
        "Notes\nThe dead wood; a letter came; the queue was long that day in the morning.",
        "Notes\nThe dead letter queue keeps them.",
    )
    scores = [each.score for each in reranker.rerank(question, texts)]
    assert scores[1] > scores[2] > scores[0]
    assert scores[3] > scores[2]
    assert max(scores) < 1.0


def test_a_text_without_a_word_of_the_question_scores_nothing() -> None:
    reranker = plugins.build("rerankers", "lexical")
    assert {each.score for each in reranker.rerank("zebra", TEXTS)} == {0.0}
