"""Cuts a document into chunks along its sections: each keeps its heading path, none is empty, all are bounded."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from docgraph.domain.graph import ChunkPlace, Document, Section, StoredChunk
from docgraph.ingestion.cutting.pieces import Cut, Limits, cut_text
from docgraph.ports import Tokenizer

_RST = (".rst", ".rest")


@dataclass(frozen=True)
class ChunkingOptions:
    """Sizes in tokens. Text is cut into pieces of about ``target_tokens``; none has more than ``max_tokens``.

    A passage (a document of one section that fits into twice the target) stays whole: its halves would answer less.
    Neighbouring sections under one parent are merged while one of them is small and both fit into the target.
    """

    target_tokens: int = 256
    max_tokens: int = 320
    max_chunks: int = 20_000

    @classmethod
    def around(cls, target_tokens: int) -> ChunkingOptions:
        """Options for a target, with a quarter of it as room."""
        return cls(target_tokens=target_tokens, max_tokens=target_tokens + target_tokens // 4)


@dataclass
class _Piece:
    """Sections in one chunk; ``path`` is what their heading paths share, ``parent`` where the first one hangs.

    ``place`` = where ``text`` stands in the source; of merged sections, where all of them do.
    """

    path: tuple[str, ...]
    parent: tuple[str, ...]
    text: str
    tokens: int
    place: ChunkPlace | None
    merged: bool = False


@dataclass(frozen=True)
class _Chunk:
    """A chunk without its number."""

    path: tuple[str, ...]
    text: str
    tokens: int
    place: ChunkPlace | None


@dataclass(frozen=True)
class _Cutter:
    """How one document is cut; ``literal_blocks`` = its text is reStructuredText."""

    tokenizer: Tokenizer
    options: ChunkingOptions
    literal_blocks: bool


def chunk_document(document: Document, tokenizer: Tokenizer, options: ChunkingOptions) -> tuple[StoredChunk, ...]:
    """The document's chunks by chunk_index: given ones as they are, else cut from its sections or its text.

    Raises ValueError with one line: no text, more than ``max_chunks`` chunks, an empty or doubled given chunk.
    """
    if document.chunks is not None:
        return _given_chunks(document, tokenizer, options)
    cutter = _Cutter(tokenizer, options, literal_blocks=document.source.lower().endswith(_RST))
    chunks = []
    for index, chunk in enumerate(_cut(_sections(document), cutter)):
        if index >= options.max_chunks:
            raise ValueError(f"the document has more than {options.max_chunks:,} chunks: split it into several")
        chunks.append(
            StoredChunk(
                document_id=document.document_id,
                chunk_id=f"{document.document_id}#{index}",
                chunk_index=index,
                text=chunk.text,
                heading_path=chunk.path,
                token_count=chunk.tokens,
                place=chunk.place,
            )
        )
    if not chunks and not document.summary:
        raise ValueError("the document has no text")
    return tuple(chunks)


def _sections(document: Document) -> Sequence[Section]:
    sections = [section for section in document.sections if section.text.strip()]
    return sections or [Section(text=document.text)]


def _cut(sections: Sequence[Section], cutter: _Cutter) -> Iterator[_Chunk]:
    """The chunks, lazily, so that a hostile document stops at the bound."""
    tokenizer, options = cutter.tokenizer, cutter.options
    if passage := _passage(sections, tokenizer, options):
        yield passage
        return
    current: _Piece | None = None
    for section in sections:
        text = section.text.strip()
        if not text:
            continue
        place = _stripped_place(section)
        piece = _Piece(section.heading_path, section.heading_path[:-1], text, tokenizer.count(text), place)
        merged = _merged(current, piece, tokenizer, options) if current else None
        if merged is None and current is not None:
            yield from _pieces(current, cutter)
        current = merged or piece
    if current is not None:
        yield from _pieces(current, cutter)


def _stripped_place(section: Section) -> ChunkPlace | None:
    """Where the section's text stands without the white space around it; None when its place differs."""
    place, text = section.place, section.text
    if place is None or place.end - place.start != len(text):
        return None
    bare = text.strip()
    if len(bare) == len(text):
        return place
    before = len(text) - len(text.lstrip())
    start = place.start + before
    line = None if place.line is None else place.line + text.count("\n", 0, before)
    return ChunkPlace(start=start, end=start + len(bare), line=line, page=place.page)


def _passage(sections: Sequence[Section], tokenizer: Tokenizer, options: ChunkingOptions) -> _Chunk | None:
    """A document of one section that fits into twice the target, as its only chunk."""
    if len(sections) != 1 or not (text := sections[0].text.strip()):
        return None
    tokens = tokenizer.count(text[: 64 * options.target_tokens])  # bounded: a long text is no passage anyway
    fits = tokens <= 2 * options.target_tokens and len(text) <= 64 * options.target_tokens
    return _Chunk(sections[0].heading_path, text, tokens, _stripped_place(sections[0])) if fits else None


def _merged(first: _Piece, second: _Piece, tokenizer: Tokenizer, options: ChunkingOptions) -> _Piece | None:
    """Both in one chunk under their common path, with their own headings in the text; None when they stay apart."""
    together = first.tokens + second.tokens
    small = options.target_tokens // 2
    if together > options.target_tokens or min(first.tokens, second.tokens) > small:
        return None
    if first.parent != second.parent and first.path != second.parent:
        return None
    path = first.path if first.merged else _common(first.path, second.path)
    if path != second.path[: len(path)]:
        return None
    text = f"{first.text if first.merged else _headed(first, path)}\n\n{_headed(second, path)}"
    tokens = tokenizer.count(text)
    if tokens > options.target_tokens:
        return None
    return _Piece(path, first.parent, text, tokens, _both(first.place, second.place), merged=True)


def _both(first: ChunkPlace | None, second: ChunkPlace | None) -> ChunkPlace | None:
    """From the first to the second, where they follow each other in one source."""
    if first is None or second is None or second.start < first.end:
        return None
    return first.model_copy(update={"end": second.end})


def _common(first: tuple[str, ...], second: tuple[str, ...]) -> tuple[str, ...]:
    n = 0
    while n < min(len(first), len(second)) and first[n] == second[n]:
        n += 1
    return first[:n]


def _headed(piece: _Piece, path: tuple[str, ...]) -> str:
    heading = " > ".join(piece.path[len(path) :])
    return f"{heading}\n{piece.text}" if heading else piece.text


def _pieces(piece: _Piece, cutter: _Cutter) -> Iterator[_Chunk]:
    options = cutter.options
    if piece.tokens <= options.max_tokens:
        yield _Chunk(piece.path, piece.text, piece.tokens, piece.place)
        return
    # Pieces of even size instead of full ones and a crumb.
    n = math.ceil(piece.tokens / options.target_tokens)
    size = min(options.max_tokens, math.ceil(piece.tokens / n * 1.1))
    limits = Limits(size, options.max_tokens)
    lines, counted = 0, 0
    for cut in cut_text(piece.text, cutter.tokenizer, limits, literal_blocks=cutter.literal_blocks):
        place = None
        if piece.place is not None and cut.start >= counted:
            lines, counted = lines + piece.text.count("\n", counted, cut.start), cut.start
            place = _within(piece.place, cut, lines=lines)
        yield _Chunk(piece.path, cut.text, cut.tokens, place)


def _within(place: ChunkPlace, cut: Cut, *, lines: int) -> ChunkPlace:
    """Where a cut of a text stands whose own place is given; ``lines`` of it come before."""
    line = None if place.line is None else place.line + lines
    return ChunkPlace(start=place.start + cut.start, end=place.start + cut.end, line=line, page=place.page)


def _given_chunks(document: Document, tokenizer: Tokenizer, options: ChunkingOptions) -> tuple[StoredChunk, ...]:
    given = document.chunks or ()
    if len(given) > options.max_chunks:
        raise ValueError(f"the document has {len(given):,} chunks; at most {options.max_chunks:,} are allowed")
    if len({chunk.chunk_index for chunk in given}) != len(given):
        raise ValueError("two chunks have the same chunk_index")
    if len({chunk.chunk_id for chunk in given}) != len(given):
        raise ValueError("two chunks have the same chunk_id")
    empty = next((chunk.chunk_index for chunk in given if not chunk.text.strip()), None)
    if empty is not None:
        raise ValueError(f"chunk {empty} is empty")
    return tuple(
        StoredChunk(
            document_id=document.document_id,
            chunk_id=chunk.chunk_id,
            chunk_index=chunk.chunk_index,
            text=chunk.text,
            heading_path=chunk.heading_path,
            token_count=chunk.token_count or tokenizer.count(chunk.text),
            place=chunk.place,
        )
        for chunk in sorted(given, key=lambda chunk: chunk.chunk_index)
    )
