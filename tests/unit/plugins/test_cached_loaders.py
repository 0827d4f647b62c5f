"""What a loader gave for a file is given again for the same bytes under the same name, without parsing them."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date
from typing import Any

import pytest

from docgraph.domain.graph import Document
from docgraph.domain.report import Adjusted
from docgraph.plugins import build
from docgraph.plugins._byte_cache import ByteCache, key_of
from docgraph.plugins.cached_loaders import cached

PAGE = b"""---
title: The queue
tags: [a, b]
---
# The queue

It *stands* still.

## Why

<!-- nobody knows --> See [the worker](worker.md#limits).
"""


class Counting:
    """A loader that tells how often it parsed."""

    name = "markdown"
    suffixes = (".md",)

    def __init__(self, **metadata: Any) -> None:
        self.n_parsed, self._metadata = 0, metadata

    def load(self, data: bytes, *, source: str) -> Iterator[Document | Adjusted]:
        self.n_parsed += 1
        yield Adjusted(reason="a line is read otherwise", place="line 1")
        if data == b"bad":
            raise ValueError("it is bad")
        yield Document(document_id=source, title="T", text=data.decode(), metadata=self._metadata)


@pytest.mark.parametrize(("name", "source"), [("markdown", "a/b.md"), ("restructuredtext", "a/b.rst")])
def test_what_is_remembered_is_what_was_parsed(name: str, source: str) -> None:
    (loader,) = cached([build("loaders", name)])
    parsed = list(build("loaders", name).load(PAGE, source=source))
    for _ in range(3):
        assert list(loader.load(PAGE, source=source)) == parsed


def test_a_file_is_parsed_once_and_another_one_anew() -> None:
    counting = Counting(status="draft")
    (loader,) = cached([counting])
    first = [list(loader.load(b"text", source="a.md")) for _ in range(3)]
    assert first[0] == first[1] == first[2]
    assert counting.n_parsed == 1
    list(loader.load(b"other text", source="a.md"))
    (_, moved) = loader.load(b"text", source="b.md")
    assert counting.n_parsed == 3
    assert isinstance(moved, Document)
    assert moved.document_id == "b.md"


def test_an_error_is_said_each_time_behind_what_came_before_it() -> None:
    counting = Counting()
    (loader,) = cached([counting])
    for _ in range(2):
        items = loader.load(b"bad", source="a.md")
        assert isinstance(next(items), Adjusted)
        with pytest.raises(ValueError, match="it is bad"):
            next(items)
    assert counting.n_parsed == 2


def test_what_does_not_come_back_as_it_was_is_not_remembered() -> None:
    """A date would come back as its words."""
    counting = Counting(since=date(2026, 1, 1))
    (loader,) = cached([counting])
    for _ in range(2):
        _, document = loader.load(b"text", source="a.md")
        assert isinstance(document, Document)
        assert document.metadata["since"] == date(2026, 1, 1)
    assert counting.n_parsed == 2


def test_loaders_of_records_and_of_confined_formats_are_left_as_they_are() -> None:
    given = [build("loaders", name) for name in ("jsonl", "csv", "pdf")]
    assert list(cached(given)) == given


def test_the_cache_holds_the_newest() -> None:
    cache = ByteCache(most=200)
    for n in range(50):
        cache.put(key_of(str(n)), f"what is said of {n}".encode())
    assert cache.get(key_of("49")) == b"what is said of 49"
    assert cache.get(key_of("0")) is None
    assert 0 < len(cache) < 10
    assert key_of("ab", "c") != key_of("a", "bc")
