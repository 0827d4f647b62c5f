"""Marks of Markdown and reStructuredText are not read aloud."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from docgraph.views.words.readable import readable


@pytest.mark.parametrize(
    ("written", "read"),
    [
        ("as proposed by :pep:`649` and :pep:`749`.", "as proposed by PEP 649 and PEP 749."),
        ("see :ref:`the queue <queue-limits>`", "see the queue"),
        ("a new ``Format.TYPE`` in ``annotationlib``", "a new Format.TYPE in annotationlib"),
        ("using :class:`~typing.Protocol`", "using typing.Protocol"),
        ("inspired by `mypy <mypy_>`_", "inspired by mypy"),
        ("see [ADR-014](adr-014.md) and ![a picture](x.png)", "see ADR-014 and a picture"),
        ("**Multiple** *annotations*", "Multiple annotations"),
        ("2 * 3 * 4 and a*b*c and __init__", "2 * 3 * 4 and a*b*c and __init__"),
        ("<script>alert(1)</script>", "<script>alert(1)</script>"),
    ],
)
def test_a_sentence_is_read_without_its_marks(written: str, read: str) -> None:
    assert readable(written) == read


@given(st.text())
def test_reading_never_makes_a_text_longer(text: str) -> None:
    assert len(readable(text)) <= len(text)
