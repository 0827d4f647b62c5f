"""What an embedder gives is checked wherever it is asked, and what it raises has a name of ours."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import pytest

from docgraph.errors import EmbedderError, StoreError
from docgraph.ports import checked_vectors as vectors
from docgraph.ports.checked_vectors import embed_checked
from docgraph.testing.builders import HashingEmbedder


class Wrong(HashingEmbedder):
    """Makes something else of the right vectors."""

    def __init__(self, change: Callable[[list[str], Any], Any]) -> None:
        super().__init__(4)
        self.change = change

    def embed(self, texts: Sequence[str]) -> Any:
        assert isinstance(texts, list)
        return self.change(texts, super().embed(texts))


def _raising(error: Exception) -> Callable[..., Any]:
    def change(*_: Any) -> Any:
        raise error

    return change


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (_raising(KeyError("hunter2")), "failed with KeyError for 2 texts"),
        (lambda _, right: None, "no numbers"),
        (lambda _, right: right[0], r"shape \(4,\), expected \(2, 4\)"),
        (lambda _, right: right[:, :3], r"shape \(2, 3\), expected \(2, 4\)"),
        (lambda _, right: right + 1j, "no numbers"),
        (lambda _, right: right.astype(str), "no numbers"),
        (lambda _, right: right * float("nan"), "not finite"),
        (lambda _, right: right.astype(float) + 1e300, "not finite"),
    ],
)
def test_a_broken_promise_is_one_line_of_ours(change: Callable[..., Any], said: str) -> None:
    with pytest.raises(EmbedderError, match=said) as caught:
        embed_checked(Wrong(change), ["one", "two"])
    assert "hunter2" not in caught.value.message
    assert "plug-in" in caught.value.hint


def test_an_error_of_ours_stays_what_it_is() -> None:
    with pytest.raises(StoreError):
        embed_checked(Wrong(_raising(StoreError("x", hint="y"))), ["one"])


def test_what_an_embedder_does_with_its_list_and_its_buffer_changes_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(vectors, "AT_ONCE", 2)
    texts = ["one", "two", "three"]
    buffers: list[Any] = []

    def meddle(given: list[str], right: Any) -> Any:
        given.clear()
        for each in buffers:
            each[...] = np.nan
        buffers.append(right)
        return right

    assert np.array_equal(embed_checked(Wrong(meddle), texts), HashingEmbedder(4).embed(texts))
    assert texts == ["one", "two", "three"]
