"""The bundled embedder: few texts are embedded as many are, and one without numpy as with it, bit for bit."""

from __future__ import annotations

import json
import struct
from pathlib import Path

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from docgraph.errors import EmbedderError
from docgraph.plugins.bundled import pieces
from docgraph.plugins.embedders import _rows, wordllama
from docgraph.plugins.embedders._rows import Rows, unit
from docgraph.plugins.embedders.wordllama import WordLlamaEmbedder

WORDS = st.lists(
    st.sampled_from(["why", "the", "boarding", "queue", "bounded,", "ADR-011?", "\u2603", "é"]), max_size=60
)
NEVER, ALWAYS = 1 << 60, 0


def embedder(dimension: int = 256) -> WordLlamaEmbedder:
    return WordLlamaEmbedder(Rows(dimension), pieces())


MADE = {dimension: embedder(dimension) for dimension in wordllama.WIDTHS}


@settings(max_examples=60, deadline=None)
@given(st.one_of(WORDS.map(" ".join), st.text(alphabet=st.characters(exclude_categories=["Cs"]), max_size=40)))
@example("")
@example("a")
@example(" \n ")
@example("x" * 2_000)
@pytest.mark.parametrize("dimension", wordllama.WIDTHS)
def test_one_text_has_the_same_vector_without_numpy(dimension: int, text: str) -> None:
    plain = MADE[dimension].plain_vector(text)
    assert plain is not None
    assert plain.tobytes() == MADE[dimension].embed([text])[0].tobytes()


@settings(max_examples=100, deadline=None)
@given(st.lists(st.lists(st.floats(-1e4, 1e4, width=16), min_size=256, max_size=256), max_size=6))
def test_rows_are_added_up_as_numpy_adds_them(rows: list[list[float]]) -> None:
    total = np.asarray(rows, dtype=np.float32).reshape(-1, 256).sum(axis=0, dtype=np.float32).astype(np.float64)
    length = float(np.sqrt(np.square(total).sum()))
    wanted = np.asarray(total / length if length > 0 else total, dtype=np.float32)
    assert np.array_equal(np.asarray(unit(rows, 256)), wanted)


def test_a_long_text_is_left_to_numpy() -> None:
    assert embedder().plain_vector("x" * 2_001) is None


def test_few_texts_get_the_same_vectors_as_many(monkeypatch: pytest.MonkeyPatch) -> None:
    texts = ["why is the queue bounded?", "word " * 3_000, "", "é\u2603"]
    found = []
    for few in (NEVER, ALWAYS):
        monkeypatch.setattr(wordllama, "_FEW", few)
        found.append(embedder(128).embed(texts).tobytes())
    assert found[0] == found[1]


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"\xff" * 8,
        struct.pack("<Q", 2) + b"{}",
        struct.pack("<Q", 4) + b"null",
        *(
            struct.pack("<Q", len(text)) + text
            for text in (
                json.dumps({"embedding.weight": {"dtype": kind, "shape": shape, "data_offsets": [0, end]}}).encode()
                for kind, shape, end in (
                    ("F32", [1, 256], 0),
                    ("F16", [1, 8], 0),
                    ("F16", [9, 256], 4_608),
                    ("F16", [1], 0),
                )
            )
        ),
    ],
)
def test_a_file_that_is_no_model_is_an_error_with_a_hint(
    data: bytes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "model").write_bytes(data)
    monkeypatch.setattr(_rows, "bundled", lambda name: tmp_path / "model")
    with pytest.raises(EmbedderError, match="cannot be loaded") as caught:
        Rows(256)
    assert "pip install" in caught.value.hint
