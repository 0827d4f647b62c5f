"""JSON that is written piece by piece is, byte by byte, what it is in one piece."""

from __future__ import annotations

import json
import tracemalloc
from typing import Any

import pytest
from pydantic import Field

from docgraph.cli.text.output import plain, write_json
from docgraph.domain.frozen import Frozen


class Row(Frozen):
    text: str
    source: str = Field(default="", alias="from")
    values: dict[str, float | None] = Field(default_factory=dict)


class Rows(Frozen):
    name: str
    rows: tuple[Row, ...]
    hidden: str = Field(default="", exclude_if=lambda it: not it)
    others: tuple[Row, ...] = Field(default=(), alias="rest")
    last: tuple[int, ...] = ()


def made(n: int) -> Rows:
    rows = tuple(
        Row(**{"text": f"{i} \u202e\u0085\x1b", "from": "é", "values": {"a": i / 7, "b": None}}) for i in range(n)
    )
    return Rows(**{"name": "x", "rows": rows, "rest": rows[: n // 2], "last": tuple(range(n))})


@pytest.mark.parametrize("n", [0, 1, 99, 100, 250])
@pytest.mark.parametrize("indent", [2, None])
@pytest.mark.parametrize("beside", [None, {"gates": [], "z": 1}])
def test_long_lists_are_written_as_short_ones_are(
    capsysbinary: pytest.CaptureFixture[bytes], n: int, indent: int | None, beside: dict[str, Any] | None
) -> None:
    value = made(n)
    write_json(value, indent=indent, beside=beside)
    whole = json.dumps(value.model_dump(mode="json") | (beside or {}), indent=indent, ensure_ascii=False)
    whole = whole.replace("\u202e", "\\u202e").replace("\x85", "\\u0085")
    assert capsysbinary.readouterr().out == whole.encode() + b"\n"


def test_no_second_copy_of_the_rows_is_held() -> None:
    value = made(4_000)
    tracemalloc.start()
    try:
        held = plain(value)
        assert sum(len(piece) for piece in json.JSONEncoder(indent=2).iterencode(held)) > 100_000
        most = tracemalloc.get_traced_memory()[1]
        whole = value.model_dump(mode="json", include={"rows"})
        copied = tracemalloc.get_traced_memory()[0]
    finally:
        tracemalloc.stop()
    assert whole
    assert most < copied / 4
