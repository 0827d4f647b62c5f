"""Chunks know where they stand in their source, and say nothing where they do not."""

from __future__ import annotations

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from docgraph import plugins
from docgraph.domain.graph import ChunkPlace, Document, Section, StoredChunk
from docgraph.ingestion.cleaning import cleaned
from docgraph.ingestion.cutting.chunking import ChunkingOptions, chunk_document
from tests.builders import document
from tests.unit.plugins.loaders.pdf_files import pdf_file

TOKENIZER = plugins.build("tokenizers", "wordllama")
OPTIONS = ChunkingOptions(target_tokens=40, max_tokens=50)


def loaded(loader: str, data: bytes, *, source: str = "a") -> Document:
    (found,) = plugins.build("loaders", loader).load(data, source=source)
    assert isinstance(found, Document)
    return found


def chunks_of(found: Document) -> tuple[StoredChunk, ...]:
    return chunk_document(cleaned(found), TOKENIZER, OPTIONS)


def checked(chunks: tuple[StoredChunk, ...], source: str) -> list[int | None]:
    """The lines of the chunks, each of which stands where it says."""
    lines = []
    for chunk in chunks:
        assert chunk.place is not None
        there = source[chunk.place.start : chunk.place.end]
        assert is_within(there, chunk.text), (there, chunk.text)
        assert chunk.place.line == 1 + source.count("\n", 0, chunk.place.start)
        lines.append(chunk.place.line)
    return lines


def is_within(there: str, text: str) -> bool:
    """Whether the words of the source are the chunk's in their order; headings between merged sections do not count."""
    words = iter(text.split())
    bare = "\n".join(line for line in there.split("\n") if not line.startswith("#"))
    return bool(bare.split() or there.split()) and all(word in words for word in bare.split())


_BLOCKS = st.sampled_from(
    [
        "# Top",
        "## Part of it",
        "### Deep",
        "A lamp is red. " * 3,
        "The gate stays shut while the lamp is red. " * 9,
        "| name | value |\n|---|---|\n" + "\n".join(f"| P{n} | {n * 7} |" for n in range(20)),
        "```python\n" + "\n".join(f"value_{n} = compute({n})" for n in range(20)) + "\n```",
        "- one\n- two\n\n  two goes on",
        "    indented code\n\n    goes on",
        "ß é 漢字 😀 combined",
    ]
)
_FRONT = st.sampled_from(["", "---\ntitle: A\n---\n", "---\ntitle: A\nid: x\n# remark\n---\n\n\n"])


@settings(deadline=None, max_examples=120)
@given(_FRONT, st.lists(_BLOCKS, min_size=1, max_size=9), st.sampled_from(["\n", "\n\n", "\n\n\n \n"]))
def test_the_source_at_a_chunk_s_place_is_its_text(front: str, blocks: list[str], between: str) -> None:
    source = front + between.join(blocks) + "\n"
    checked(chunks_of(loaded("markdown", source.encode())), source)


def test_lines_of_markdown_count_front_matter_and_survive_windows_newlines() -> None:
    source = "---\ntitle: A\n---\n\n# Top\n\nFirst.\n\n# Other\n\n" + "The gate is shut. " * 30
    found = chunks_of(loaded("markdown", source.replace("\n", "\r\n").encode()))
    lines = checked(found, source)
    assert (lines[0], lines[-1]) == (7, 11)


def test_lines_of_restructuredtext_count_the_header() -> None:
    source = "PEP: 1\nTitle: A\n\nTop\n===\n\nFirst.\n\nOther\n=====\n\n" + "The gate is shut. " * 30
    lines = checked(chunks_of(loaded("restructuredtext", source.encode(), source="a.rst")), source)
    assert (lines[0], lines[-1]) == (7, 12)


def test_plain_text_and_records_have_places_too() -> None:
    text = "\n\nTitle\n\n" + "The gate is shut. " * 60
    assert checked(chunks_of(loaded("text", text.encode())), text)[0] == 3
    for name in ("a.md", "a.rst", "a"):
        record = json.dumps({"id": "x", "text": text, "source": name})
        checked(chunks_of(loaded("jsonl", record.encode())), text)


def test_a_chunk_of_a_pdf_has_its_page_and_no_line() -> None:
    found = loaded("pdf", pdf_file("First page.", "", "The gate is shut. " * 5))
    places = [section.place for section in found.sections]
    assert [place and (place.page, place.line) for place in places] == [(1, None), (3, None)]
    assert [found.text[p.start : p.end] for p in places if p] == [section.text for section in found.sections]


def test_of_html_and_of_a_text_that_had_to_be_cleaned_no_place_is_said() -> None:
    assert {chunk.place for chunk in chunks_of(loaded("html", b"<h1>A</h1><p>Text</p>"))} == {None}
    section = Section(text="a\x00b", place=ChunkPlace(start=0, end=3, line=1))
    assert chunks_of(document("d", sections=(section,)))[0].place is None


def test_a_place_that_is_not_as_long_as_its_text_is_not_believed() -> None:
    section = Section(text="some words", place=ChunkPlace(start=0, end=3, line=1))
    assert chunks_of(document("d", sections=(section,)))[0].place is None


def test_sections_that_stand_in_another_order_than_in_the_source_have_no_place_together() -> None:
    sections = tuple(
        Section(heading_path=(name,), text="text", place=ChunkPlace(start=start, end=start + 4, line=1))
        for name, start in (("A", 90), ("B", 10))
    )
    (chunk,) = chunks_of(document("d", sections=sections))
    assert chunk.place is None


@pytest.mark.parametrize("value", [-1, 2**31])
def test_a_place_is_counted_in_numbers_that_every_store_keeps(value: int) -> None:
    with pytest.raises(ValueError, match="start"):
        ChunkPlace(start=value, end=1)
