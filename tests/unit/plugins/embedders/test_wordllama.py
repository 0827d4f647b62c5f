"""The bundled embedder: one text is embedded without numpy as with it, bit for bit; memory for what is used alone."""

from __future__ import annotations

import json
import struct
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Barrier

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from docgraph.errors import EmbedderError
from docgraph.plugins.bundled import pieces
from docgraph.plugins.embedders import _rows, wordllama
from docgraph.plugins.embedders._rows import Rows, unit
from docgraph.plugins.embedders._widened import WidenedRows
from docgraph.plugins.embedders.wordllama import WordLlamaEmbedder

WORDS = st.lists(
    st.sampled_from(["why", "the", "boarding", "queue", "bounded,", "ADR-011?", "\u2603", "é"]), max_size=60
)


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


@settings(max_examples=60, deadline=None)
@given(st.lists(st.lists(st.integers(0, 40), min_size=1, max_size=30), max_size=12))
def test_widened_rows_are_the_stored_ones_and_take_memory_once(asked: list[list[int]]) -> None:
    stored = (np.arange(41 * 8, dtype=np.float32).reshape(41, 8) / 3).astype(np.float16)
    widened = WidenedRows(stored)
    for numbers in asked:
        found = widened.rows(numbers)
        assert found.dtype == np.float32
        assert np.array_equal(found, stored[numbers].astype(np.float32))
    assert widened.n_wide == len({number for numbers in asked for number in numbers})


def test_no_row_at_all_may_be_asked_for() -> None:
    assert WidenedRows(np.zeros((3, 8), dtype=np.float16)).rows([]).shape == (0, 8)


def test_threads_that_widen_at_once_find_whole_rows() -> None:
    stored = np.random.default_rng(1).normal(size=(3_000, 64)).astype(np.float16)
    widened, start = WidenedRows(stored), Barrier(4)

    def look(seed: int) -> bool:
        rng = np.random.default_rng(seed)
        start.wait()
        asked = [rng.integers(0, 3_000, 50).tolist() for _ in range(200)]
        return all(np.array_equal(widened.rows(each), stored[each].astype(np.float32)) for each in asked)

    with ThreadPoolExecutor(4) as threads:
        assert all(threads.map(look, range(4)))
    assert widened.n_wide <= 3_000


def test_many_texts_widen_the_rows_of_their_word_pieces_alone() -> None:
    """The whole table as 32-bit numbers is 32 MB, which a process that asks questions kept for ever."""
    made = embedder()
    made.embed([f"why is queue {number} bounded?" for number in range(200)])
    assert 0 < made._widened.n_wide < 50


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
