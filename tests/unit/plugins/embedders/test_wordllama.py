"""The bundled embedder: sums of rows as numpy adds them; a broken file is an error with a hint."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from safetensors.numpy import save

from docgraph.errors import EmbedderError
from docgraph.plugins.bundled import WEIGHTS, bundled, pieces
from docgraph.plugins.embedders import wordllama

WORDS = st.lists(
    st.sampled_from(["why", "the", "boarding", "queue", "bounded,", "ADR-011?", "\u2603", "é"]), max_size=60
)
MADE = {dimension: wordllama.build(dimension=dimension) for dimension in wordllama.WIDTHS}


@settings(max_examples=60, deadline=None)
@given(st.one_of(WORDS.map(" ".join), st.text(alphabet=st.characters(exclude_categories=["Cs"]), max_size=40)))
@example("")
@example("a")
@example(" \n ")
@example("x" * 2_000)
@pytest.mark.parametrize("dimension", wordllama.WIDTHS)
def test_a_vector_is_the_direction_of_the_sum_of_the_rows_of_its_pieces(dimension: int, text: str) -> None:
    ids = pieces().ids(text.strip())
    rows = TABLE[ids, :dimension].astype(np.float64)
    total = rows.sum(axis=0)
    length = float(np.linalg.norm(total))
    expected = total / length if length > 0 else total
    assert np.allclose(MADE[dimension].embed([text])[0], expected, atol=2e-6)


def _table() -> np.ndarray:
    """Read without the library."""
    data = bundled(WEIGHTS).read_bytes()
    return np.frombuffer(data[8 + int.from_bytes(data[:8], "little") :], dtype="<f2").reshape(32_000, 256)


TABLE = _table()


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"\xff" * 8,
        b"\x02" + bytes(7) + b"{}",
        save({"other": np.zeros((1, 256), dtype=np.float16)}),
        save({"embedding.weight": np.zeros((1, 256), dtype=np.float32)}),
        save({"embedding.weight": np.zeros((1, 8), dtype=np.float16)}),
        save({"embedding.weight": np.zeros(256, dtype=np.float16)}),
        save({"embedding.weight": np.zeros((9, 256), dtype=np.float16)})[:-1],
    ],
)
def test_a_file_that_is_no_model_is_an_error_with_a_hint(
    data: bytes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "model").write_bytes(data)
    monkeypatch.setattr(wordllama, "bundled", lambda name: tmp_path / "model")
    with pytest.raises(EmbedderError, match="cannot be loaded") as caught:
        wordllama.WordLlamaEmbedder(256).embed(["a question"])
    assert "pip install" in caught.value.hint


def test_a_vector_is_the_same_alone_and_among_many() -> None:
    """Of many texts the rows of their pieces are made once, which must not change a bit of any vector."""
    embedder = wordllama.build()
    texts = [f"Document {n} says {'why ' * (n % 40)}the queue of worker {n * 7919} stands still." for n in range(600)]
    texts[5], texts[300] = "  ", "word " * 9_000
    together = embedder.embed(texts)
    for place in (0, 5, 255, 256, 300, 599):
        assert (together[place] == embedder.embed([texts[place]])[0]).all()
