"""AsciiDoc: what is text, code, a heading, a field, a link and a place; nothing is included, and nothing takes long."""

from __future__ import annotations

import time
from itertools import pairwise
from pathlib import Path

import pytest

from docgraph import plugins
from docgraph.boundary.limits import MAX_BYTES
from docgraph.domain.anchors import SECTION_ANCHORS
from docgraph.domain.graph import Document, DocumentRef
from docgraph.plugins.loaders.asciidoc import as_markdown
from docgraph.ports import Titles

PAGE = """// the first page
= Queue handling
Ann Author <ann@docs.example>
:status: accepted
:superseded-by: base
:product: Dock

All about *{product}*. See xref:other.adoc#part[the other] and link:third.adoc[Third].

[[limits]]
== Limits of `queues`
.What is bounded
[source,java]
----
xref:code.adoc[no link]
== no heading
----
* one
** two with <<limits,limits>>
. first
+
continued

NOTE: Mind the {unknown}.

====
[quote]
____
Said by xref:fourth.adoc[].
____
====

|===
|Name |xref:fifth.adoc[Fifth]
|===

////
xref:hidden.adoc[]
////
// xref:hidden.adoc[]
term:: its meaning
ifdef::env[]
=== Deeper [[deep]]here
endif::[]
include::rules/sixth.adoc[]
image::picture.png[A picture]
"""


def load(text: str, source: str = "notes/queue.adoc") -> Document:
    (document,) = plugins.build("loaders", "asciidoc").load(text.encode(), source=source)
    assert isinstance(document, Document)
    return document


def targets(document: Document) -> list[str]:
    titles = Titles((DocumentRef(document_id="base", title="base"),), {"base": "base.adoc"})
    found: list[str] = []
    for name in ("front_matter", "markdown_links"):
        found += [edge.to_document_id for edge in plugins.build("extractors", name).extract(document, titles)]
    return found


def test_title_fields_sections_and_links() -> None:
    document = load(PAGE)
    assert (document.document_id, document.title) == ("notes/queue", "Queue handling")
    assert (document.metadata["status"], document.metadata["superseded_by"]) == ("accepted", "base")
    paths = [section.heading_path for section in document.sections]
    assert paths == [(), ("Limits of queues",), ("Limits of queues", "Deeper here")]
    links = ["notes/other", "notes/third", "notes/fourth", "notes/fifth", "notes/rules/sixth"]
    assert targets(document) == ["base", *links]


def test_text_code_lists_tables_and_quotes() -> None:
    text = as_markdown(PAGE).text
    assert text.count("\n") == PAGE.count("\n"), "lines keep their numbers"
    assert "All about *Dock*." in text
    assert "Ann Author" not in text
    assert "```java\nxref:code.adoc[no link]\n== no heading\n```" in text
    assert "- one\n  - two with [limits](#limits)\n1. first\n\ncontinued" in text
    assert "> Said by [fourth.adoc](fourth.adoc)." in text
    assert "Name | [Fifth](fifth.adoc)" in text
    assert "**What is bounded**" in text
    assert "**term** its meaning" in text
    assert "Mind the {unknown}." in text
    assert "hidden" not in text
    assert "A picture" in text


def test_places_that_links_lead_to() -> None:
    anchors = load(PAGE).metadata[SECTION_ANCHORS]
    assert anchors["limits"] == "Limits of queues"
    assert anchors["_limits_of_queues"] == anchors["limits-of-queues"] == "Limits of queues"
    assert anchors["deep"].endswith("Deeper here")


def test_a_lone_backtick_hides_no_link() -> None:
    document = load("= T\n\nUse xref:a.adoc[the `A] or xref:b.adoc[b], and a `c` of xref:d.adoc[d].\n")
    assert targets(document) == ["notes/a", "notes/b", "notes/d"]


def test_a_link_in_code_is_none() -> None:
    assert targets(load("= T\n\nWrite `xref:a.adoc[a]` or ``xref:b.adoc[b]``.\n")) == []


def test_no_file_is_included(tmp_path: Path) -> None:
    secret = tmp_path / "secret.txt"
    secret.write_text("the secret words", encoding="utf-8")
    for written in (f"include::{secret}[]", f":a: {secret}\n\ninclude::{{a}}[]", f"  include::{secret}[]"):
        assert "secret words" not in load(f"= T\n\ntext\n\n{written}\n").text


@pytest.mark.parametrize("nothing", ["", "// a comment\n", ":a: b\n\n", "////\ntext\n////\n"])
def test_a_file_without_text_is_refused(nothing: str) -> None:
    with pytest.raises(ValueError, match=r"no text|empty|white space"):
        load(nothing)


@pytest.mark.parametrize(
    "line",
    [
        "*_" * 1_900,
        "[[" * 1_900,
        "{a}" * 1_300,
        "xref:" * 790,
        "`" * 3_900,
        "<<" * 1_900,
        "link:" + "x" * 3_900,
        "|===",
    ],
)
def test_hostile_lines_take_time_that_grows_with_the_text_alone(line: str) -> None:
    text = f":a: {'{a}' * 600}\n\n" + f"{line}\n" * min(MAX_BYTES // 2 // (len(line) + 1), 100_000)
    started = time.process_time()
    as_markdown(text)
    assert time.process_time() - started < 5


def test_attributes_that_name_each_other_do_not_grow() -> None:
    text = ":a: " + "x" * 1_000 + "\n" + "".join(f":{c}: {{{b}}}{{{b}}}{{{b}}}\n" for b, c in pairwise("abcdefghi"))
    assert len(as_markdown(f"{text}\n= T\n\n" + "{i}" * 1_000 + "\n").text) < 20_000
