"""JSON of somebody else: what is read, and what is refused before it costs anything."""

from __future__ import annotations

import json
import random
import time

import pytest

from docgraph.boundary.outbound.json_service import parsed


@pytest.mark.parametrize(
    ("content", "value"),
    [
        (b'{"a": [1, 2.5, "x", null, true]}', {"a": [1, 2.5, "x", None, True]}),
        (b'\xef\xbb\xbf{"a": "\xc3\xa9"}', {"a": "é"}),
        (b'{"a": 1, "a": 2}', {"a": 2}),
        (b"[1e999, -Infinity]", [float("inf"), float("-inf")]),
        (rb'"\ud800"', "\ud800"),
    ],
)
def test_what_is_read(content: bytes, value: object) -> None:
    assert parsed(content, 100) == value


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"{",
        b"\xff",
        '{"a": 1}'.encode("utf-16"),
        b"[" * 90_000,
        b'{"a":' * 40_000,
        b"9" * 5_000,
        b"1 2",
        b"<html>",
    ],
)
def test_what_is_no_json(content: bytes) -> None:
    with pytest.raises(ValueError, match=r"^did not answer with JSON$"):
        parsed(content, 100_000)


def test_there_are_never_more_values_than_were_counted() -> None:
    rng = random.Random(7)

    def made(depth: int) -> object:
        if depth == 0 or rng.random() < 0.3:
            return rng.choice([1, -2.5, "", 'a,"[{\\', "]}", None, True, "\\"])
        items = [made(depth - 1) for _ in range(rng.randrange(4))]
        return items if rng.random() < 0.5 else {f'k{n}",\\': each for n, each in enumerate(items)}

    def n_values(value: object) -> int:
        inside = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
        return 1 + sum(map(n_values, inside))

    for _ in range(300):
        value = made(5)
        content = json.dumps(value).encode()
        if n_values(value) > 2:
            with pytest.raises(ValueError, match="more than"):
                parsed(content, n_values(value) // 2 - 1)
        assert parsed(content, 3 * n_values(value) + 1) == value


def test_commas_and_brackets_inside_of_texts_are_no_values() -> None:
    assert parsed(json.dumps(["a, [b], {c}, " * 1_000]).encode(), 5)


@pytest.mark.parametrize(
    "content", [b'"' + rb"\"" * 1_500_000, b'"' * 3_000_000, b'"\\' * 1_500_000, b"[]," * 1_000_000]
)
def test_counting_takes_no_time_out_of_proportion(content: bytes) -> None:
    began = time.process_time()
    with pytest.raises(ValueError, match="answer"):
        parsed(content, 100_000)
    assert time.process_time() - began < 1
