"""Jupyter notebooks: prose, code, titles, refusals."""

from __future__ import annotations

import json
from typing import Any

import pytest

from docgraph import plugins
from docgraph.domain.graph import Document


def load(notebook: Any, **options: int) -> Document:
    data = notebook if isinstance(notebook, bytes) else json.dumps(notebook).encode()
    (document,) = plugins.build("loaders", "notebook", **options).load(data, source="work/study.ipynb")
    assert isinstance(document, Document)
    return document


def cell(kind: str, text: str | list[str], **more: Any) -> dict[str, Any]:
    return {"cell_type": kind, "source": text, "metadata": {}, **more}


NOTEBOOK = {
    "nbformat": 4,
    "nbformat_minor": 5,
    "metadata": {"kernelspec": {"language": "python", "name": "p"}, "title": "Wind", "widgets": {"x": 1}},
    "cells": [
        cell("markdown", ["# Study\n", "\n", "See [data](data.md)."]),
        cell("code", "# no heading\nprint(1)", outputs=[{"text": "secret output"}], execution_count=1),
        cell("raw", ""),
        cell("markdown", "## End\n\nDone."),
    ],
}


def test_prose_and_code_are_read_and_outputs_left_out() -> None:
    document = load(NOTEBOOK)
    assert (document.document_id, document.title) == ("work/study", "Wind")
    assert document.metadata == {"language": "python", "title": "Wind"}
    assert [(section.heading_path, section.text) for section in document.sections] == [
        (("Study",), "See [data](data.md).\n\n```python\n# no heading\nprint(1)\n```"),
        (("Study", "End"), "Done."),
    ]
    assert "secret" not in document.model_dump_json()


def test_code_that_holds_a_fence_stays_code() -> None:
    text = load({"cells": [cell("code", '"""\n```\n# no heading\n```\n"""')]}).text
    assert text.startswith("````\n")
    assert text.endswith("\n````")


def test_a_notebook_of_the_third_format_is_read() -> None:
    cells = [{"cell_type": "heading", "level": 1, "source": "Part"}, {"cell_type": "code", "input": "a = 1"}]
    document = load({"nbformat": 3, "worksheets": [{"cells": cells}]})
    assert [(section.heading_path, section.text) for section in document.sections] == [((), "```\na = 1\n```")]
    assert document.title == "Part"


def test_front_matter_in_the_first_cell_is_metadata() -> None:
    document = load({"cells": [cell("raw", "---\nrequires: base\n---"), cell("markdown", "Text.")]})
    assert (document.metadata, document.text.strip()) == ({"requires": "base"}, "Text.")


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b"{", "not JSON: Expecting property name"),
        (b"[1]", "is JSON but not a notebook"),
        (b'{"cells": 3}', "every cell is empty"),
        (b'{"cells": [{"cell_type": "code", "source": NaN}]}', "NaN is not a JSON value"),
        (b'{"cells": ' + b"[" * 200 + b"]" * 200 + b"}", "nested 201 levels deep"),
        (b'{"cells": [' + b"{}," * 10_001 + b"{}]}", "10,002 cells; at most 10,000"),
        (b'{"cells": [' + b"1," * 3_000_001 + b"1]}", "values; at most 3,000,000"),
        (json.dumps({"cells": [cell("code", "x" * 200_001)]}).encode(), "line 2 has 200,001 characters"),
        (b"\xff\xfea", "starts like utf-16"),
    ],
)
def test_a_refusal_names_what_was_found(data: bytes, reason: str) -> None:
    with pytest.raises(ValueError, match=reason):
        load(data)


def test_a_large_notebook_is_refused_before_it_is_parsed() -> None:
    with pytest.raises(ValueError, match="at most 1,000 are read"):
        load({"cells": [cell("markdown", "x" * 1_000)]}, max_bytes=1_000)
