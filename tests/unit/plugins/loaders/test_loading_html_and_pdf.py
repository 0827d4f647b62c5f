"""HTML and PDF: readable text, headings, refusals."""

from __future__ import annotations

import zlib

import pytest

from docgraph import plugins
from docgraph.domain.graph import Document
from tests.unit.plugins.loaders.pdf_files import pdf_file

PAGE = """<!doctype html><html><head><title>A &amp; B</title><meta name="description" content="In  short">
<style>p{}</style><script>alert('no')</script></head><body><h1>A &amp; B</h1>Start<p>One <b>bold</b> word</p>tail
<ul><li>first<li>second</ul><h2>Sub <i>part</i></h2><table><tr><td>1</td><td>2</td></tr></table>
<pre>  kept
   so</pre><a href="other.html#x">Other</a><template>no</template><p hidden>no</p></body></html>"""


def load(name: str, data: bytes, **options: int) -> Document:
    (document,) = plugins.build("loaders", name, **options).load(data, source="a/b")
    assert isinstance(document, Document)
    return document


def test_html_gives_readable_text_without_scripts_and_hidden_parts() -> None:
    document = load("html", PAGE.encode())
    assert [(section.heading_path, section.text) for section in document.sections] == [
        ((), "Start\nOne bold word\ntail\n- first\n- second"),
        (("Sub part",), "1 | 2\n\n  kept\n   so\nOther"),
    ]
    assert "alert" not in document.model_dump_json()
    assert (document.title, document.summary) == ("A & B", "In short")
    assert document.metadata["links"] == [{"href": "other.html#x", "text": "Other"}]


def test_html_in_a_declared_encoding_is_read_so() -> None:
    page = '<html><meta charset="iso-8859-1"><p>Größe</p></html>'.encode("latin-1")
    assert load("html", page).text == "Größe"


def test_a_page_of_too_many_tags_is_refused() -> None:
    with pytest.raises(ValueError, match="the page has 101 tags; at most 100"):
        load("html", b"<b>" * 101 + b"x", max_tags=100)


def test_deeply_nested_html_is_read() -> None:
    assert "x" in load("html", b"<div>" * 20_000 + b"x").text


def test_a_page_without_text_is_refused() -> None:
    with pytest.raises(ValueError, match="no text"):
        load("html", b"<html><script>only()</script></html>")


def test_a_pdf_gives_one_section_per_page_under_its_outline() -> None:
    document = load("pdf", pdf_file("First page", "Second page", "Third page", outline=("Intro", "Main")))
    assert [(section.heading_path, section.text) for section in document.sections] == [
        (("Intro",), "First page"),
        (("Main",), "Second page"),
        (("Main",), "Third page"),
    ]
    assert document.metadata["n_pages"] == 3


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b"hello", "not a PDF: it starts with b'hello'"),
        (b"%PDF-1.4\nbroken", "damaged"),
        (pdf_file("secret text", encrypt="password"), "encrypted: it opens only with a password"),
        (pdf_file(""), "no text"),
        (pdf_file(*["page"] * 4), "4 pages; at most 3"),
    ],
    ids=["no PDF", "damaged", "encrypted", "pictures", "too long"],
)
def test_a_pdf_that_cannot_be_read_is_refused_with_the_reason(data: bytes, reason: str) -> None:
    with pytest.raises(ValueError, match=reason):
        load("pdf", data, max_pages=3)


def test_drawing_without_end_is_stopped() -> None:
    with pytest.raises(ValueError, match="more than 5 drawing operations"):
        load("pdf", pdf_file("one", "two"), max_operations=5)


def test_a_decompression_bomb_is_refused() -> None:
    small = pdf_file("x")
    bomb = zlib.compress(b"BT (a) Tj ET " * 3_000_000, 9)
    start, end = small.index(b"<</Length"), small.index(b"endstream")
    with pytest.raises(ValueError, match="over a limit"):
        load("pdf", small[:start] + b"<</Length %d/Filter/FlateDecode>>stream\n%s\n" % (len(bomb), bomb) + small[end:])


def test_a_heading_row_of_a_table_is_followed_by_a_row_of_dashes() -> None:
    table = "<table><tr><th>Name<th>Unit</tr><tr><th>P1<td>ms</tr><tr><th>x<th>y</tr></table>"
    alone = "<table><tr><th>One</th></tr><tr><td>a</td></tr></table>"
    assert load("html", f"<p>Text{table}{alone}".encode()).text == (
        "Text\n\nName | Unit\n--- | ---\nP1 | ms\nx | y\n\nOne\na"
    )
