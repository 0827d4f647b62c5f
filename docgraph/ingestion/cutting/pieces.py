"""Cuts a text that is too long for one chunk: prose by the tokenizer, tables between rows and code between lines."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from docgraph.ingestion.cutting.blocks import Block, find_blocks
from docgraph.ports import Tokenizer


@dataclass(frozen=True)
class Limits:
    """Tokens of a piece: about ``size``, at most ``most``."""

    size: int
    most: int


@dataclass(frozen=True)
class Cut:
    """A piece: what the cut itself wrote before and behind it, and what stands in the text from ``start`` to ``end``.

    ``start`` is -1 when the tokenizer gave words that are not those of the text, so that their place is not known.
    """

    text: str
    tokens: int
    start: int
    end: int


@dataclass(frozen=True)
class _Part:
    """A stretch of the text with what the cut writes around it, and about how many tokens both have."""

    start: int
    end: int
    tokens: int
    head: str = ""
    tail: str = ""

    def within(self, text: str) -> str:
        return f"{self.head}{text[self.start : self.end]}{self.tail}"


def cut_text(text: str, tokenizer: Tokenizer, limits: Limits, *, literal_blocks: bool = False) -> Iterator[Cut]:
    """Pieces within the limits, in text order, none of them blank.

    A table or code block that fits into one piece stays whole. Of a longer one every piece has the heading rows,
    or the fence with its language, unless these take more than half of the size.
    """
    blocks = find_blocks(text, literal_blocks=literal_blocks)
    parts = _Parts(text, tokenizer, limits).of(blocks) if blocks else None
    if parts is None:
        yield from _plain(text, tokenizer, limits.size)
        return
    for part in parts:
        said = part.within(text)
        yield Cut(said, tokenizer.count(said), part.start, part.end)


def _plain(text: str, tokenizer: Tokenizer, size: int) -> Iterator[Cut]:
    pieces = [piece for piece in tokenizer.split(text, size) if piece.strip()]
    spans = located(text, pieces) or [(-1, -1)] * len(pieces)
    for piece, (start, end) in zip(pieces, spans, strict=True):
        yield Cut(piece, tokenizer.count(piece), start, end)


def located(text: str, pieces: Sequence[str]) -> list[tuple[int, int]] | None:
    """(start, end) of pieces that follow each other in ``text``, but for white space; None when a word differs."""
    spans: list[tuple[int, int]] = []
    end = 0
    for piece in pieces:
        bare = piece.strip()
        start = end = _word_start(text, end)
        for word in (bare,) if text.startswith(bare, start) else bare.split():
            end = _word_start(text, end)
            if not text.startswith(word, end):
                return None
            end += len(word)
        spans.append((start, end))
    return spans


def _word_start(text: str, place: int) -> int:
    while place < len(text) and text[place].isspace():
        place += 1
    return place


class _Parts:
    """One text on its way into parts; none is larger than the limits."""

    def __init__(self, text: str, tokenizer: Tokenizer, limits: Limits) -> None:
        self._text, self._tokenizer, self._size, self._max = text, tokenizer, limits.size, limits.most

    def of(self, blocks: Sequence[Block]) -> list[_Part] | None:
        """Parts in text order, neighbours together where they fit; None when the tokenizer's words are not the text."""
        parts: list[_Part] = []
        place = 0
        for block in (*blocks, None):
            prose = self._prose(place, block.start if block else len(self._text), self._size)
            if prose is None:
                return None
            inside = self._inside(block) if block else []
            if inside is None:
                return None
            parts += [*prose, *inside]
            place = block.stop if block else place
        return self._together(parts)

    def _prose(self, start: int, end: int, size: int) -> list[_Part] | None:
        text = self._text[start:end]
        if not text.strip():
            return []
        trimmed = start + len(text) - len(text.lstrip("\n")), start + len(text.rstrip())
        tokens = self._count(*trimmed)
        if tokens <= size:
            return [_Part(*trimmed, tokens)]
        spans = located(text, [piece for piece in self._tokenizer.split(text, size) if piece.strip()])
        if spans is None:
            return None
        found = [_Part(start + a, start + b, self._count(start + a, start + b)) for a, b in spans]
        return found if all(part.tokens <= self._max for part in found) else None

    def _inside(self, block: Block) -> list[_Part] | None:
        whole = self._count(block.start, block.stop)
        if whole <= self._max:
            return [_Part(block.start, block.stop, whole)]
        around = self._tokenizer.count(f"{block.head}\n{block.tail}") + 2
        if around > self._size // 2:
            return self._prose(block.start, block.stop, self._size)
        room = self._size - around
        packs = self._packed(block, room)
        parts: list[_Part] = []
        for pack in packs:
            found = self._part(block, pack, room)
            if found is None:
                return None
            parts += found
        return self._with_ends(block, parts)

    def _with_ends(self, block: Block, parts: list[_Part]) -> list[_Part]:
        """The parts with the block's own beginning and end in place of what the cut wrote there, where they fit."""
        if parts and parts[0].start > block.start:
            first = self._counted(replace(parts[0], start=block.start, head=""))
            parts[0] = first if first.tokens <= self._max else parts[0]
        if parts and parts[-1].end < block.stop:
            last = self._counted(replace(parts[-1], end=block.stop, tail=""))
            parts[-1] = last if last.tokens <= self._max else parts[-1]
        return parts

    def _packed(self, block: Block, room: int) -> list[tuple[int, int]]:
        """(first row, row behind the last one) of packs of even size; a row that is larger stands alone."""
        sizes = [self._count(start, end) + 1 for start, end in block.rows]
        even = min(room, math.ceil(sum(sizes) / math.ceil(sum(sizes) / room) * 1.1))
        packs, first, filled = [], 0, 0
        place = 0
        while place < len(sizes):
            if place > first and filled + sizes[place] > even:
                blank = next((row for row in range(place, (first + place) // 2, -1) if row in block.breaks), place)
                packs.append((first, blank))
                first = place = blank
                filled = 0
            filled += sizes[place]
            place += 1
        return [*packs, (first, len(sizes))]

    def _part(self, block: Block, pack: tuple[int, int], room: int) -> list[_Part] | None:
        """The part of a pack of rows, or several when it is too large for one."""
        first, behind = pack
        start, head = (block.start, "") if first == 0 else (block.rows[first][0], f"{block.head}\n")
        last = behind == len(block.rows)
        end, tail = (block.stop, "") if last else (block.rows[behind - 1][1], f"\n{block.tail}" if block.tail else "")
        part = self._counted(_Part(start, end, 0, head, tail))
        if not self._text[block.rows[first][0] : block.rows[behind - 1][1]].strip() and not (first == 0 and last):
            return []  # blank lines alone
        if part.tokens <= self._max:
            return [part]
        if behind - first > 1:
            middle = (first + behind) // 2
            halves = self._part(block, (first, middle), room), self._part(block, (middle, behind), room)
            return None if halves[0] is None or halves[1] is None else [*halves[0], *halves[1]]
        return self._of_row(block, first, room)

    def _of_row(self, block: Block, row: int, room: int) -> list[_Part] | None:
        """A row that is too large for one part, in several, each between head and tail."""
        start, end = block.rows[row]
        text = self._text[start:end]
        while room > 0:
            spans = located(text, [piece for piece in self._tokenizer.split(text, room) if piece.strip()])
            if spans is None:
                return None
            tail = f"\n{block.tail}" if block.tail else ""
            around = [_Part(start + a, start + b, 0, f"{block.head}\n", tail) for a, b in spans]
            parts = [self._counted(part) for part in around]
            if all(part.tokens <= self._max for part in parts):
                return parts
            room //= 2
        return None

    def _together(self, parts: Sequence[_Part]) -> list[_Part]:
        found: list[_Part] = []
        for part in parts:
            left = found[-1] if found else None
            if left and not left.tail and not part.head and left.tokens + part.tokens + 2 <= self._size:
                both = self._counted(_Part(left.start, part.end, 0, left.head, part.tail))
                if both.tokens <= self._max:
                    found[-1] = both
                    continue
            found.append(part)
        return found

    def _counted(self, part: _Part) -> _Part:
        tokens = self._tokenizer.count(part.within(self._text))
        return _Part(part.start, part.end, tokens, part.head, part.tail)

    def _count(self, start: int, end: int) -> int:
        return self._tokenizer.count(self._text[start:end])
