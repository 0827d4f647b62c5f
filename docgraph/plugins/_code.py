"""Where code stands in Markdown, so that what is no text can be told from examples of it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import cache, lru_cache
from itertools import accumulate

from markdown_it import MarkdownIt
from markdown_it.token import Token

from docgraph.boundary.limits import MAX_OUTLINE_CHARACTERS, MAX_OUTLINE_LINES
from docgraph.plugins._dialects import is_plain_around_tags, unfolded

Span = tuple[int, int]
_TICKS = re.compile(r"`+")


def blanked(text: str, pattern: re.Pattern[str], source: str) -> str:
    """``text`` with spaces for every match of ``pattern`` that begins outside code; line ends stay."""
    found = list(_outside(text, pattern.finditer(text), source)) if pattern.search(text) else []
    return with_spaces(text, (match.span() for match in found))


def with_spaces(text: str, spans: Iterable[Span]) -> str:
    """``text`` with spaces for what stands in the spans, which are in order; line ends stay."""
    parts, place = [], 0
    for start, end in spans:
        if start >= place:
            parts += [text[place:start], "\n".join(" " * len(line) for line in text[start:end].split("\n"))]
            place = end
    return "".join([*parts, text[place:]])


def code_in(text: str, source: str) -> list[Span]:
    """Where blocks and spans of code begin and end, in order; none are told of a text too large for a parser."""
    if len(text) > MAX_OUTLINE_CHARACTERS or text.count("\n") >= MAX_OUTLINE_LINES:
        return []
    starts = list(accumulate((len(line) + 1 for line in text.split("\n")), initial=0))
    code: set[Span] = set()
    for token in blocks_of(unfolded(text.replace("\r", " "), source), is_plain=is_plain_around_tags(source)):
        if token.map is None:
            continue
        start, end = starts[token.map[0]], min(starts[token.map[1]], len(text))
        if token.type in ("fence", "code_block"):
            code.add((start, end))
        elif token.type == "inline" and "`" in token.content:
            code.update((start + a, start + b) for a, b in _spans(text[start:end]))
    return sorted(code)


def _outside(text: str, matches: Iterable[re.Match[str]], source: str) -> Iterator[re.Match[str]]:
    """The matches that begin outside code; code inside one of them is part of it."""
    code = iter(code_in(text, source))
    here = next(code, None)
    place = 0
    for match in matches:
        while here is not None and (here[1] <= match.start() or here[0] < place):
            here = next(code, None)
        if match.start() >= place and (here is None or match.start() < here[0]):
            yield match
            place = match.end()


def _spans(paragraph: str) -> Iterator[Span]:
    """Code spans: between two runs of as many backticks."""
    runs = [run.span() for run in _TICKS.finditer(paragraph)]
    closing: list[int | None] = [None] * len(runs)
    seen: dict[int, int] = {}
    for number in range(len(runs) - 1, -1, -1):
        length = runs[number][1] - runs[number][0]
        closing[number], seen[length] = seen.get(length), number
    number = 0
    while number < len(runs):
        end = closing[number]
        if end is None:
            number += 1
        else:
            yield runs[number][0], runs[end][1]
            number = end + 1


@lru_cache(maxsize=1)
def blocks_of(text: str, *, is_plain: bool) -> Sequence[Token]:
    """The blocks of a Markdown text, none of them read; asked for more than once of a text, one after the other."""
    return _parser(is_plain).parse(text)


@cache
def _parser(is_plain: bool) -> MarkdownIt:
    """Blocks alone: inline parsing is where time can be wasted."""
    parser = MarkdownIt("commonmark")
    if is_plain:
        parser.disable(["code", "html_block"])
    parser.core.ruler.disable("inline")
    return parser
