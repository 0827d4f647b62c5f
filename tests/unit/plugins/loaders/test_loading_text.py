"""What every text loader does alike: encodings, ids, titles, sections, refusals."""

from __future__ import annotations

import re

import pytest

from docgraph import plugins
from docgraph.domain.graph import Document
from docgraph.domain.report import Adjusted, Rejected
from docgraph.plugins.loaders.markdown import ONLY_HEADER


def load(name: str, data: bytes | str, source: str, **options: int) -> Document:
    loader = plugins.build("loaders", name, **options)
    (document,) = loader.load(data.encode() if isinstance(data, str) else data, source=source)
    assert isinstance(document, Document)
    return document


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-32"])
def test_marked_and_plain_unicode_gives_the_same_text(encoding: str) -> None:
    assert load("text", "Zürich – 東京\r\nnext".encode(encoding), "a.txt").text == "Zürich – 東京\nnext"


def test_western_text_without_a_mark_is_recognized() -> None:
    text = "Die Größe der Straße hängt vom Übergang ab, und das Café schließt früh. " * 5
    assert load("text", text.encode("cp1252"), "a.txt").text == text


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b"", "empty: 0 bytes"),
        (b" \n \n", "only white space"),
        (b"abc\x00def", "NUL byte at position 3"),
        (b"\xff\xfea", "starts like utf-16"),
        (b"x" * 1_001, "1,001 bytes; at most 1,000"),
        (b"ab\n" + b"x" * 101 + b"\nb", "line 2 has 101 characters; at most 100"),
        (b"\x01\x02\x03\x04abc", "4 control characters among 7"),
    ],
)
def test_a_refusal_names_what_was_found(data: bytes, reason: str) -> None:
    with pytest.raises(ValueError, match=reason):
        load("text", data, "a.txt", max_bytes=1_000, max_line=100)


def test_the_id_is_the_given_one_else_the_path_without_its_suffix() -> None:
    assert load("markdown", "---\nid: adr-7\n---\nx", "docs/x.md").document_id == "adr-7"
    assert load("markdown", "x", "user/features/tags.md").document_id == "user/features/tags"
    assert load("markdown", "x", "v1.2/notes.final.md").document_id == "v1.2/notes.final"


@pytest.mark.parametrize("given", ["a\x07b", "x" * 513])
def test_an_id_that_no_database_takes_is_refused(given: str) -> None:
    with pytest.raises(ValueError, match="the id"):
        load("markdown", f'---\nid: "{given.encode("unicode_escape").decode()}"\n---\nx', "a.md")


def test_the_title_is_the_field_else_the_first_heading_else_the_file_name() -> None:
    assert load("markdown", "---\ntitle: T\n---\n# H\nx", "a.md").title == "T"
    assert load("markdown", "# The *big* `H` [x](y.md)\n\nx", "a.md").title == "The big H x"
    assert load("markdown", "x", "folder/my-note.md").title == "my-note"


def test_front_matter_gives_summary_type_and_plain_metadata() -> None:
    document = load(
        "markdown", "---\ndescription: In short\ntype: note\ndate: 2026-01-02\ntags: [a, b]\nn: .nan\n---\nx", "a.md"
    )
    assert (document.summary, document.doc_type) == ("In short", "note")
    assert document.metadata["date"] == "2026-01-02"
    assert document.metadata["tags"] == ["a", "b"]
    assert document.metadata["n"] == ".nan"


def test_without_a_given_summary_there_is_none() -> None:
    assert load("markdown", "# H\n\nThe first paragraph.", "a.md").summary == ""


def test_toml_front_matter_is_read_too() -> None:
    assert load("markdown", '+++\ntitle = "T"\n+++\nx', "a.md").title == "T"


def test_rules_at_the_top_are_not_front_matter() -> None:
    text = "---\nJust words between rules.\n---\nx"
    assert load("markdown", text, "a.md").text == text


def test_markdown_sections_carry_heading_paths_and_raw_text() -> None:
    document = load(
        "markdown",
        "# T\nintro\n\n## A\n- one\n  - two\n\n### B\n```\n# no heading\n```\n## C\n> # quoted\n\nSet\n---\nx",
        "a.md",
    )
    assert [(section.heading_path, section.text) for section in document.sections] == [
        ((), "intro"),
        (("A",), "- one\n  - two"),
        (("A", "B"), "```\n# no heading\n```"),
        (("C",), "> # quoted"),
        (("Set",), "x"),
    ]


def test_a_heading_with_nothing_under_it_keeps_its_words() -> None:
    document = load("markdown", "# T\n\n## Alone\n\n## Outer\n### Inner\nx", "a.md")
    assert [section.text for section in document.sections] == ["Alone", "x"]


BOMB = "a: &a [x,x,x,x,x,x,x,x,x,x]\n" + "".join(
    f"{name}: &{name} [{','.join(['*' + before] * 10)}]\n" for before, name in zip("abcdefgh", "bcdefghi", strict=True)
)


@pytest.mark.parametrize(
    ("block", "reason"),
    [
        (BOMB, "more than 5,000 values when its aliases are written out"),
        ("a: &a [*a]", "an alias contains itself"),
        ("a: " + "[" * 1_000, "nested more than 40 levels"),
        ("a: " + "x" * 70_000, "70,004 characters; at most 64,000"),
    ],
)
def test_hostile_front_matter_is_left_out_with_one_line_and_the_text_is_kept(block: str, reason: str) -> None:
    loader = plugins.build("loaders", "markdown")
    told, document = loader.load(f"---\n{block}\n---\ntext".encode(), source="a.md")
    assert isinstance(told, Rejected)
    assert re.search(reason, told.reason)
    assert "\n" not in told.reason
    assert (document.text, document.metadata) == ("text", {})


@pytest.mark.parametrize("value", ["!!python/object/apply:os.system [id]", "!!timestamp x", "[1", "]", "*no", "{{a}}"])
def test_a_value_that_is_no_yaml_is_read_as_it_stands_and_told(value: str) -> None:
    loader = plugins.build("loaders", "markdown")
    told, document = loader.load(f"---\na: {value}\nb: 1\n---\ntext".encode(), source="a.md")
    assert isinstance(told, Adjusted)
    assert told.place == "header, line 2"
    assert "'a' in line 2" in told.reason
    assert document.metadata == {"a": value, "b": 1}


@pytest.mark.parametrize("value", ["2026-13-45", "1" * 5_000, "0x1F", "1_000", ".nan", "-.inf", "1e400"])
def test_a_value_that_no_number_or_date_would_say_is_its_text(value: str) -> None:
    assert load("markdown", f"---\na: {value}\n---\ntext", "a.md").metadata == {"a": value}


def test_a_few_aliases_are_no_bomb() -> None:
    document = load("markdown", "---\na: &x [1, 2]\nb: *x\n---\ntext", "a.md")
    assert document.metadata == {"a": [1, 2], "b": [1, 2]}


@pytest.mark.parametrize(
    ("header", "text"),
    [
        ("title: Blog", "Blog"),
        ("title: Blog\ndescription: What is new.\nhide: [toc]", "Blog\n\nWhat is new."),
        ("template: redirect.html\nlocation: start/", "template: redirect.html\nlocation: start/"),
    ],
)
def test_a_page_of_front_matter_alone_says_what_that_says_and_tells_it(header: str, text: str) -> None:
    told, document = plugins.build("loaders", "markdown").load(f"---\n{header}\n---\n\n".encode(), source="blog/a.md")
    assert isinstance(told, Adjusted)
    assert told.reason == ONLY_HEADER
    assert isinstance(document, Document)
    assert document.text == text


def test_a_file_with_neither_text_nor_a_header_is_no_document() -> None:
    for nothing in ("---\n---\n", "---\ntags: [a]\n---\n", " \n"):
        with pytest.raises(ValueError, match="no text"):
            load("markdown", nothing, "a.md")


PEP = """PEP: 387
Title: Backwards Compatibility
  Policy
Author: A <a@example.org>,
        B <b@example.org>
Type: Process
Requires: 5,
  :pep:`7`
Superseded-By: 9

Abstract
========

Words with an :unknown:`role`.

.. include:: /etc/hostname
.. raw:: html
   :file: /etc/hostname

----------
Over title
----------

::

    Not a title
    ===========

Deeper ``code``
~~~~~~~~~~~~~~~
End.
"""


def test_a_pep_gives_title_type_header_and_sections() -> None:
    document = load("restructuredtext", PEP, "peps/pep-0387.rst")
    assert document.document_id == "peps/pep-0387"
    assert document.title == "PEP 387 – Backwards Compatibility Policy"
    assert document.doc_type == "Process"
    assert document.metadata["header"]["requires"] == "5, :pep:`7`"
    assert document.metadata["header"]["superseded_by"] == "9"
    assert document.text.startswith("Abstract\n====")
    assert [section.heading_path for section in document.sections] == [
        ("Abstract",),
        ("Abstract", "Over title"),
        ("Abstract", "Over title", "Deeper code"),
    ]
    assert "Not a title\n    =====" in document.sections[1].text


def test_includes_are_never_followed(tmp_path: object) -> None:
    secret = f"{tmp_path}/secret.txt"
    with open(secret, "w", encoding="utf-8") as file:
        file.write("SECRET")
    text = f"T\n=\n\n.. include:: {secret}\n\n.. csv-table:: x\n   :file: {secret}\n\nx\n"
    assert "SECRET" not in load("restructuredtext", text, "a.rst").model_dump_json()


def test_a_docinfo_list_is_a_header_that_stays_in_the_text() -> None:
    document = load("restructuredtext", "Title\n=====\n\n:Author: Me\n:Requires: b\n\nText.\n", "a.rst")
    assert document.title == "Title"
    assert document.metadata["header"] == {"author": "Me", "requires": "b"}
    assert ":Author: Me" in document.text


def test_prose_with_a_colon_is_no_header() -> None:
    assert load("restructuredtext", "Note: this is prose\nthat goes on.\n\nMore.\n", "a.rst").metadata == {}


def test_text_takes_a_short_first_line_as_title() -> None:
    assert load("text", "My title\n\nBody.", "a/b.txt").title == "My title"
    assert load("text", "A first line\nthat goes on.", "a/b.txt").title == "b"
