"""Where the sentences of a text begin and end."""

from __future__ import annotations

import re
from collections.abc import Iterator

SENTENCE_END = re.compile(r"(?<=[.!?])[\"')\]]*\s+(?=[\"'(\[A-Z0-9À-ÞА-Я])")
"""The space between two sentences, with the quotes and brackets that close the first one."""

_BLOCK_END = re.compile(r"\n\s*\n|\n(?=[ \t]*(?:[-*+•>#|]|\d{1,3}[.)])[ \t])")
"""An empty line, or a line that begins an item of a list, a heading, a quotation or a row of a table."""

_CLOSING = re.compile(r"[\"')\]]*")


def sentence_spans(text: str) -> Iterator[tuple[int, int]]:
    """(start, end) of each sentence of ``text`` in order, without the space around it; together they hold every word.

    A sentence may go on over lines, and ends with its paragraph or its list item at the latest.
    """
    position = 0
    for block in (*_BLOCK_END.finditer(text), None):
        end = block.start() if block else len(text)
        start = position
        for found in SENTENCE_END.finditer(text, position, end):
            closing = _CLOSING.match(text, found.start(), found.end())
            yield from _trimmed(text, start, closing.end() if closing else found.start())
            start = found.end()
        yield from _trimmed(text, start, end)
        position = block.end() if block else end


def _trimmed(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    part = text[start:end]
    stripped = part.strip()
    if stripped:
        start += len(part) - len(part.lstrip())
        yield start, start + len(stripped)
