"""Whatever the bytes are: a document, or a ValueError, in bounded time."""

from __future__ import annotations

import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from docgraph import plugins
from docgraph.boundary import limits
from docgraph.domain.graph import Document, DocumentRef
from docgraph.ingestion.records import read_relations
from docgraph.plugins.extractors._markdown_links import links_in
from docgraph.ports import Titles

LOADERS = {name: plugins.build("loaders", name) for name in plugins.available("loaders")}
EXTRACTORS = [plugins.build("extractors", name) for name in plugins.available("extractors")]
TITLES = Titles((DocumentRef(document_id="adr-0001", title="First record"), DocumentRef(document_id="a/b", title="b")))
MARKS = (
    b"---\n",
    b"[[",
    b"]]",
    b"](",
    b"`",
    b"```\n",
    b"\n\n",
    b": ",
    b"====\n",
    b"- ",
    b"| ",
    b"PEP 1",
    b":pep:`",
    b"{",
    b"}",
    b'"',
    b"[",
    b"<p>",
    b"<!--",
    b"&#0;",
    b"\\u0000",
    b"\xff\xfe",
    b"\x00",
    b"relations:\n",
    b"requires: ",
    b"*a",
    b"&a ",
    b"Status\n",
    b"Superseded by ",
    b'{"id":"a","text":"',
    b'"}\n',
    b"%PDF-1.4\n",
    b"1 0 obj<<",
    b">>",
    b"\xe9",
    b"\xed\xa0\x80",
)
BYTES = st.one_of(
    st.binary(max_size=300), st.lists(st.one_of(st.sampled_from(MARKS), st.binary(max_size=6))).map(b"".join)
)
SECONDS = 5.0


def read(name: str, data: bytes) -> int:
    """How many relationships come out; a ValueError counts as none."""
    try:
        records = list(LOADERS[name].load(data, source="folder/file"))
    except ValueError:
        return 0
    documents = [record for record in records if isinstance(record, Document)]
    return sum(len(tuple(extractor.extract(document, TITLES))) for document in documents for extractor in EXTRACTORS)


@pytest.mark.parametrize("name", LOADERS)
@settings(max_examples=120, deadline=None)
@given(data=BYTES)
def test_any_bytes_give_documents_or_a_value_error(name: str, data: bytes) -> None:
    read(name, data)


@settings(max_examples=120, deadline=None)
@given(data=BYTES)
def test_any_bytes_give_relations_or_a_value_error(data: bytes) -> None:
    try:
        list(read_relations(data, source="relations.jsonl"))
    except ValueError:
        return


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("markdown", b">" * 900_000 + b" a"),
        ("markdown", b"".join(b" " * (2 * depth) + b"- a\n" for depth in range(900))),
        ("markdown", (b"[" * 3_000 + b"]\n\n") * 20),
        ("markdown", b"[a](" * 20_000),
        ("markdown", (b"[a](" * 1_000 + b"\n") * 50),
        ("markdown", b"|[a" * 6_000 + b"\n" + b"|-" * 6_000 + b"\n" + (b"|" * 6_000 + b"\n") * 50),
        ("markdown", b"[[a|" * 200_000),
        ("markdown", b"-" * 500_000 + b"\n" + b" " * 500_000 + b"x"),
        ("markdown", b"a\n" * 20_000 + b"="),
        ("restructuredtext", b"".join(b" " * depth + b"a\n\n" for depth in range(900))),
        ("restructuredtext", b"- " * 200_000 + b"a"),
        ("restructuredtext", (b"+-" * 200 + b"+\n" + b"| " * 200 + b"|\n") * 100),
        ("restructuredtext", b".. note::\n   .. note::\n" * 8_000),
        ("restructuredtext", b"a" + b" " * 500_000 + b"b\n::"),
        ("html", b"<b>" * 30_000 + b"x"),
        ("jsonl", b"[" * 2_000_000),
        ("text", b"Status: superseded by " * 40_000),
    ],
    ids=lambda value: value if isinstance(value, str) else value[:12].decode("latin-1"),
)
def test_text_made_to_waste_time_is_read_or_refused_soon(name: str, data: bytes) -> None:
    start = time.process_time()
    read(name, data)
    assert time.process_time() - start < SECONDS


@pytest.mark.parametrize(
    ("limit", "found"),
    [("MAX_LINKS", ["a", "b"]), ("MAX_LINK_LINES", ["a"]), ("MAX_LINK_PLACES", ["a", "b", "c"])],
)
def test_links_are_looked_for_up_to_limits(monkeypatch: pytest.MonkeyPatch, limit: str, found: list[str]) -> None:
    """330,000 links, one a line, took 11 seconds: a text of which 5,000 become relationships."""
    monkeypatch.setattr(limits, limit, 2)
    text = f"[[a]]\n\n[[b]] [[c]]\n\n```\nlater, {limit}: [[d]]\n```\n"
    assert [link.target for link in links_in(text)] == found
