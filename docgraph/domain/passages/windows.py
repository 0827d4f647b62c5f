"""Windows of a chunk: neighbouring sentences, list items and rows, about as long as one answer."""

from __future__ import annotations

import re
from functools import lru_cache

from docgraph.domain.content_words import sentence_spans

WINDOW_TOKENS = 60
"""What a window has at most where its sentences are shorter, by the chunk's own tokens per character."""

Span = tuple[int, int]
"""(start, end) in characters of a chunk's text."""

_LINE = re.compile(r"[^\n]+")
_FENCE = re.compile(r"[ \t>]*(?:[-*+][ \t]+)?(`{3,}|~{3,})")
_SEPARATOR = re.compile(r"[ \t>]*\|?[ \t]*:?-{2,}:?[ \t]*(?:\|[ \t]*:?-{2,}:?[ \t]*)*\|?[ \t]*")


@lru_cache(maxsize=4_096)
def windows(text: str, token_count: int) -> tuple[Span, ...]:
    """The windows of a chunk in order; together they hold every word of it, and none is empty.

    Sentences are joined while they fit into ``WINDOW_TOKENS``; one that is longer by far, as code and tables are, is
    cut at its lines. Tokens are estimated by the chunk's own (``token_count`` over its characters), so that execution
    needs no tokenizer.
    """
    most = max(int(WINDOW_TOKENS * len(text) / max(token_count, 1)), 40)
    found: list[Span] = []
    for start, end in (part for span in sentence_spans(text) for part in _lines(text, span, most)):
        if found and end - found[-1][0] <= most:
            found[-1] = (found[-1][0], end)
        else:
            found.append((start, end))
    return tuple(found)


def joined(text: str, spans: tuple[Span, ...]) -> tuple[Span, ...]:
    """The spans in order, those that overlap or that only white space parts made one."""
    made: list[Span] = []
    for start, end in sorted(spans):
        if made and not text[made[-1][1] : start].strip():
            made[-1] = (made[-1][0], max(made[-1][1], end))
        else:
            made.append((start, end))
    return tuple(made)


def framed(text: str, spans: tuple[Span, ...]) -> tuple[Span, ...]:
    """The spans, with the heading rows of tables and the fences of code that they are in: rows need their names."""
    frames = [
        frame
        for start, end, around in _blocks(text)
        if any(span[0] < end and start < span[1] for span in spans)
        for frame in around
    ]
    inside = [frame for frame in frames if not any(a <= frame[0] and frame[1] <= b for a, b in spans)]
    return (*spans, *inside)


def _blocks(text: str) -> list[tuple[int, int, tuple[Span, ...]]]:
    """(start, end, spans of what stands around its content) of each pipe table and fenced block, in order."""
    lines = [(line.start(), line.end()) for line in _LINE.finditer(text)]
    found, place = list[tuple[int, int, tuple[Span, ...]]](), 0
    while place < len(lines):
        start, end = lines[place]
        if fence := _FENCE.match(text, start, end):
            last = next((i for i in range(place + 1, len(lines)) if _closes(text, lines[i], fence[1])), len(lines) - 1)
            around = (lines[place], lines[last]) if last > place else (lines[place],)
        elif place + 1 < len(lines) and "|" in text[start:end] and _SEPARATOR.fullmatch(text, *lines[place + 1]):
            last = place + 1
            while (
                last + 1 < len(lines) and lines[last + 1][0] == lines[last][1] + 1 and _has_bar(text, lines[last + 1])
            ):
                last += 1
            around = ((start, lines[place + 1][1]),)
        else:
            place += 1
            continue
        found.append((start, lines[last][1], around))
        place = last + 1
    return found


def _closes(text: str, line: Span, fence: str) -> bool:
    return text[line[0] : line[1]].strip(" \t>").startswith(fence)


def _has_bar(text: str, line: Span) -> bool:
    return "|" in text[line[0] : line[1]]


def _lines(text: str, span: Span, most: int) -> tuple[Span, ...]:
    start, end = span
    if end - start <= 2 * most or "\n" not in text[start:end]:
        return (span,)
    lines = ((line.start(), line.end()) for line in _LINE.finditer(text, start, end))
    return tuple(line for line in lines if text[line[0] : line[1]].strip())
