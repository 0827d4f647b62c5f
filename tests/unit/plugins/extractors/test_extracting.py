"""What each extractor reads, and what it leaves alone."""

from __future__ import annotations

from typing import Any

import pytest

from docgraph import plugins
from docgraph.domain.graph import Document, DocumentRef
from docgraph.errors import SettingsError
from docgraph.ports import Titles

PAGES = {
    "index": "Home",
    "guide/setup": "Setup guide",
    "guide/Retry Queue": "Retry queue",
    "other/setup": "Other setup",
    "projects/index": "Projects",
    "adr/0004-dns": "4. DNS",
    "adr/0015-zones": "15. Zones, public and private",
    "pep-0007": "PEP 7 – C style",
    "pep-0008": "PEP 8 – Style",
}


def titles(**more: str) -> Titles:
    pages = {**PAGES, **more}
    refs = tuple(DocumentRef(document_id=document_id, title=title) for document_id, title in pages.items())
    return Titles(refs, {document_id: f"{document_id}.md" for document_id in pages})


def found(
    extractor: str,
    text: str = "",
    *,
    source: str = "guide/page.md",
    metadata: dict[str, Any] | None = None,
    **options: Any,
) -> list[tuple[str, str]]:
    """(type, target) of each edge of a document at ``source``."""
    document = Document(
        document_id=source.rsplit(".", 1)[0], title="Page", text=text, source=source, metadata=metadata or {}
    )
    built = plugins.build("extractors", extractor, **options)
    return [(edge.relation_type, edge.to_document_id) for edge in built.extract(document, titles())]


def targets(extractor: str, text: str, **more: Any) -> list[str]:
    return [target for _, target in found(extractor, text, **more)]


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ("guide/setup", ["guide/setup"]),
        ("Setup Guide", ["guide/setup"]),
        ("setup.md", ["guide/setup"]),
        ("../other/setup.md", ["other/setup"]),
        (["index", "Retry queue"], ["index", "guide/Retry Queue"]),
        ("index, setup guide", ["index", "guide/setup"]),
        ("15. Zones, public and private", ["adr/0015-zones"]),
        ({"to": "index", "note": "why"}, ["index"]),
        ([{"target": "index"}, "guide/setup"], ["index", "guide/setup"]),
        ("[[retry queue|it]]", ["guide/Retry Queue"]),
        ([["retry queue"]], ["guide/Retry Queue"]),
        ("[label](setup.md#part)", ["guide/setup"]),
        ("PEP 8", ["pep-0008"]),
        ("not there.md", ["guide/not there"]),
        ("No such title", ["No such title"]),
        ("https://example.org/x", []),
        (True, []),
        (None, []),
        ("", []),
    ],
)
def test_front_matter_values_are_read_in_every_usual_form(value: Any, expected: list[str]) -> None:
    assert found("front_matter", metadata={"requires": value}) == [("requires", target) for target in expected]


def test_front_matter_fields_give_their_types_and_the_list_any_type() -> None:
    metadata = {
        "Superseded-By": "index",
        "see also": "index",
        "tags": ["index"],
        "title": "index",
        "relations": [{"type": "inspired_by", "to": "index", "note": "n"}, {"to": "index"}, "index"],
    }
    assert found("front_matter", metadata=metadata) == [
        ("superseded_by", "index"),
        ("see_also", "index"),
        ("inspired_by", "index"),
    ]


def test_front_matter_fields_can_be_chosen() -> None:
    metadata = {"up": "index", "requires": "index"}
    assert found("front_matter", metadata=metadata, more_fields={"up": "child_of"}) == [
        ("child_of", "index"),
        ("requires", "index"),
    ]
    assert found("front_matter", metadata=metadata, fields={"up": "child_of"}) == [("child_of", "index")]


def test_a_note_travels_with_the_edge() -> None:
    document = Document(document_id="a", title="A", metadata={"requires": {"to": "index", "note": "because"}})
    (edge,) = plugins.build("extractors", "front_matter").extract(document, titles())
    assert edge.relationship_metadata == {
        "extractor": "front_matter",
        "place": "front_matter",
        "order": 0,
        "text": "requires: index",
        "note": "because",
    }


def test_header_numbers_belong_to_the_series_of_their_document() -> None:
    header = {"requires": "7, :pep:`8`, PEP 8,\n 3107", "title": "7", "superseded_by": ""}
    assert found("header_fields", source="pep-0001.rst", metadata={"header": header}) == [
        ("requires", "pep-0007"),
        ("requires", "pep-0008"),
        ("requires", "pep-3107"),
    ]


def test_wiki_links_are_resolved_as_notes_are() -> None:
    text = (
        "[[setup]] [[other/setup|x]] [[RETRY queue#part]] ![[projects]] [[/guide/setup]] [[./setup]] [[Home]] [[New]]"
    )
    assert targets("wiki_links", text) == [
        "guide/setup",
        "other/setup",
        "guide/Retry Queue",
        "projects/index",
        "index",
        "new",
    ]


def test_wiki_links_in_code_are_examples() -> None:
    text = "`[[index]]` and\n\n```\n[[projects]]\n```\n\n    [[setup]]\n\n[[#here]] [[ ]] \\[[escaped]]"
    assert targets("wiki_links", text) == []
    assert targets("wiki_links", text, code="inline") == ["index"]
    assert targets("wiki_links", text, code="all") == ["index", "projects/index", "guide/setup"]
    with pytest.raises(SettingsError, match="code is 'some'"):
        plugins.build("extractors", "wiki_links", code="some")


def test_wiki_links_in_tables_have_escaped_bars() -> None:
    assert targets("wiki_links", "| a | b |\n|---|---|\n| [[setup\\|label]] | x |") == ["guide/setup"]


def test_markdown_links_are_seen_from_the_folder_of_the_source() -> None:
    text = (
        "[a](setup.md#x) [b](../other/setup.md) [c](/index.md) [d][ref] ![p](setup.md) [e](https://x.org/y.md) "
        "[f](#part) [g](missing%20page.rst) [h](../projects/) [i](picture.png) [j](mailto:a@b.c) `[k](index.md)`\n\n"
        "[ref]: <Retry Queue.md>"
    )
    assert targets("markdown_links", text) == [
        "guide/setup",
        "other/setup",
        "index",
        "guide/Retry Queue",
        "guide/missing page",
        "projects/index",
    ]


def test_links_of_html_pages_come_from_their_metadata() -> None:
    metadata = {"links": [{"href": "setup.html", "text": "x"}, {"href": "https://x.org"}, "junk", {"href": 5}]}
    assert found("markdown_links", source="guide/page.html", metadata=metadata) == [("links_to", "guide/setup")]


def test_a_document_may_link_to_itself() -> None:
    """A self link is data for the person who checks relationships, so it is kept."""
    document = Document(document_id="index", title="Home", text="[[home]] [x](index.md)", source="index.md")
    for name in ("wiki_links", "markdown_links"):
        assert [edge.to_document_id for edge in plugins.build("extractors", name).extract(document, titles())] == [
            "index"
        ]


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("Superseded by [15. Zones](0015-zones.md)", [("superseded_by", "adr/0015-zones")]),
        ("Superceded by ADR-0015", [("superseded_by", "adr/0015-zones")]),
        ("Supercedes 4 and 15", [("supersedes", "adr/0004-dns"), ("supersedes", "adr/0015-zones")]),
        (
            "Amends [[0004-dns]], amended by [x](0015-zones.md)",
            [("amends", "adr/0004-dns"), ("amended_by", "adr/0015-zones")],
        ),
        ("Superseded by [gone](0099-gone.md).", [("superseded_by", "adr/0099-gone")]),
        ("Accepted", []),
        ("Superseded", []),
    ],
)
def test_status_lines_are_read_wherever_records_write_them(line: str, expected: list[tuple[str, str]]) -> None:
    source = "adr/0001-first.md"
    assert found("status_lines", f"# 1. First\n\n## Status\n\n{line}\n\n## Context\n\nx", source=source) == expected
    assert found("status_lines", f"# First\n\n* Status: {line}\n", source=source) == expected
    assert found("status_lines", "x", source=source, metadata={"status": line}) == expected


def test_status_phrases_elsewhere_are_prose() -> None:
    text = "## Context\n\nIt was superseded by [x](0015-zones.md)."
    assert found("status_lines", text, source="adr/0001-first.md") == []
    assert found("markdown_links", text, source="adr/0001-first.md") == [("links_to", "adr/0015-zones")]


def test_a_status_line_gives_one_edge_not_a_plain_link_beside_it() -> None:
    text = "## Status\n\nSuperseded by [x](0015-zones.md)"
    assert found("markdown_links", text, source="adr/0001-first.md") == []


def test_body_references_need_a_series_in_the_workspace() -> None:
    text = "PEP 8, :pep:`7`, :pep:`words <9#part>`, PEPs 7, 12 and 13; RFC 8, ADR 4, XPEP 10, PEP 3.11x, pep-0001"
    assert targets("body_references", text, source="pep-0001.rst") == [
        "pep-0008",
        "pep-0007",
        "pep-0009",
        "pep-0012",
        "pep-0013",
    ]
    assert plugins.build("extractors", "body_references").default_on is False


def test_titles_are_mentioned_whole_longest_first_and_as_written() -> None:
    pages = {
        "a": "Retry Queue",
        "b": "Retry",
        "c": "Retry Queue Limits",
        "d": "Zürich (city)",
        "e": "the",
        "f": "Queue",
    }
    refs = Titles(tuple(DocumentRef(document_id=key, title=title) for key, title in pages.items()))
    mentions = plugins.build("extractors", "title_mentions")

    def mentioned(text: str, document_id: str = "x") -> list[str]:
        document = Document(document_id=document_id, title="X", text=text)
        return [edge.to_document_id for edge in mentions.extract(document, refs)]

    assert mentioned("See Retry Queue Limits, then Zürich.") == ["c", "d"]
    assert mentioned("Retry Queues and xRetry Queue") == ["b", "f"]
    assert mentioned("retry queue") == []
    assert mentioned("Retry, or to retry: a word, not a name") == []
    assert mentioned("the Retry Queue", document_id="a") == []


def test_many_titles_are_looked_for_in_one_pass() -> None:
    refs = tuple(DocumentRef(document_id=f"d{n}", title=f"Topic number {n}") for n in range(10_000))
    everything = Titles(refs)
    mentions = plugins.build("extractors", "title_mentions")
    for n in range(0, 10_000, 50):
        document = Document(
            document_id=f"d{n}", title="x", text=f"About Topic number {(n + 1) % 10_000} and more. " * 20
        )
        assert [edge.to_document_id for edge in mentions.extract(document, everything)] == [f"d{(n + 1) % 10_000}"]


def test_quotes_are_short_and_hold_the_name() -> None:
    text = "word " * 500 + "[[setup]] " + "word " * 500
    document = Document(document_id="x", title="X", text=text)
    (edge,) = plugins.build("extractors", "wiki_links").extract(document, titles())
    assert "[[setup]]" in edge.relationship_metadata["text"]
    assert len(edge.relationship_metadata["text"]) <= 300


def test_of_several_links_to_one_document_those_with_the_name_of_another_are_kept_too() -> None:
    """Five at most, each once; a label in words, or one that names the target, adds nothing."""
    wrong = [f"[ADR-{n}](../adr/adr-4.md) in line {n}." for n in (5, 6, 7, 8, 9, 10)]
    lines = [
        "As [ADR-4](../adr/adr-4.md) says.",
        "Its [zones](../adr/adr-4.md), [ADR-0004](../adr/adr-4.md).",
        *wrong,
        *wrong,
    ]
    document = Document(document_id="guide/page", title="Page", text="\n\n".join(lines), source="guide/page.md")
    (edge,) = plugins.build("extractors", "markdown_links").extract(document, titles(**{"adr/adr-4": "4. DNS"}))
    assert edge.relationship_metadata["text"] == lines[0]
    assert edge.relationship_metadata["other_lines"] == wrong[:5]
