"""Vaults of notes, sites of documentation, decision records: what people write in them, read whole."""

from __future__ import annotations

from typing import Any

import pytest

from docgraph import plugins
from docgraph.boundary.imports.front_matter import split_front_matter
from docgraph.domain.graph import Document, Section
from docgraph.ingestion.linking import titles_of
from docgraph.plugins.loaders._markdown_outline import markdown_sections

VAULT = {
    "Projects/Boat.md": "---\naliases: [The ship, Schiff]\n---\n# Boat\n\nFloats.\n",
    "People/Ada.md": "# Ada\n\nBuilds boats.\n",
    "Sea.md": "# Sea\n\nWet. ^wet\n",
    "docs/intro.md": "---\nid: intro-page\nslug: /start\nsidebar_label: First steps\n---\n# Introduction\n\nHello.\n",
    "docs/guide/deep.md": "---\nslug: shallow\n---\n# Deep\n\nHello.\n",
    "posts/2020-old.md": "---\npermalink: /old/post/\n---\n# Old\n\nHello.\n",
    "adr/0002-queues.md": "# 2. Queues\n\n## Status\n\nAccepted\n",
    "adr/0005-zones.md": "---\nstatus: accepted\n---\n# Zones\n\nText.\n",
}


def document(source: str, text: str) -> Document:
    metadata, body, _ = split_front_matter(text)
    heading, sections = markdown_sections(body)
    return Document(
        document_id=str(metadata.get("id") or source.removesuffix(".md")),
        title=heading or source,
        text=body,
        sections=sections or (Section(text=body),),
        source=source,
        metadata=metadata,
    )


OTHERS = [document(source, text) for source, text in VAULT.items()]


def found(text: str, source: str = "Notes/today.md", **options: Any) -> set[tuple[str, str]]:
    """(type, target) of every edge that the extractors which are on by default find."""
    page = document(source, text)
    titles = titles_of((), [*OTHERS, page])
    extractors = [plugins.build("extractors", name, **options) for name in plugins.available("extractors")]
    return {
        (edge.relation_type, edge.to_document_id)
        for extractor in extractors
        if extractor.default_on
        for edge in extractor.extract(page, titles)
    }


@pytest.mark.parametrize(
    "link",
    ["[[Boat]]", "[[the ship]]", "[[Schiff|it]]", "![[Boat]]", "[[Boat#Part]]", "[[Boat#^b1]]", "[[Projects/Boat]]"],
)
def test_a_note_is_found_by_name_alias_heading_and_block(link: str) -> None:
    assert found(f"See {link} there.") == {("links_to", "Projects/Boat")}


def test_a_block_of_the_note_itself_is_no_relationship() -> None:
    assert found("See [[#Part]] and [[#^b1]] and ![[#Part]].\n\nup:: [[#Part]]") == set()


@pytest.mark.parametrize(
    "line",
    [
        "up:: [[Boat]]",
        "- up:: [[Boat]]",
        "* [ ] Up:: [[Boat|it]]",
        "**up**:: [[Boat]] and nothing else",
        "> up::[[The ship]]",
        "up:: [Boat](../Projects/Boat.md)",
    ],
)
def test_a_field_on_a_line_of_its_own_is_a_typed_relationship_and_no_other(line: str) -> None:
    assert found(f"Before.\n\n{line}\n\nAfter.") == {("up", "Projects/Boat")}


def test_several_links_in_one_field_and_several_fields_in_one_line() -> None:
    assert found("built by:: [[Ada]], [[Boat#^b]]") == {("built_by", "People/Ada"), ("built_by", "Projects/Boat")}
    assert {("on", "Sea"), ("with", "People/Ada")} <= found("Sailed (on:: [[Sea]]) today [with:: [[Ada]]].")


@pytest.mark.parametrize(
    "text",
    ["a::b [[ ]]", "rating:: 5", "std::vector", "```\nup:: [[Boat]]\n```", "~~~\nup:: [[Boat]]\n```\n~~~", "up: [[ ]]"],
)
def test_what_looks_like_a_field_and_is_none(text: str) -> None:
    assert found(text) == set()


def test_properties_whose_values_are_links_are_typed_relationships() -> None:
    fields = 'up: "[[Boat]]"\nBuilt by: ["[[Ada|A.]]", "[[Sea#^wet]]", plain]\nnext: [[Sea]]\ntags: ["[[Boat]]"]'
    assert found(f"---\n{fields}\n---\nText.") == {
        ("up", "Projects/Boat"),
        ("built_by", "People/Ada"),
        ("built_by", "Sea"),
        ("next", "Sea"),
    }


def test_a_property_that_front_matter_knows_is_read_once_under_its_type() -> None:
    assert found('---\nrelated: ["[[Boat]]"]\n---\nText.') == {("related_to", "Projects/Boat")}


@pytest.mark.parametrize(
    ("link", "target"),
    [
        ("[x](/start)", "intro-page"),
        ("[x](/docs/start#part)", "intro-page"),
        ("[x](/docs/guide/shallow)", "docs/guide/deep"),
        ("[x](/old/post/)", "posts/2020-old"),
        ("[x](../docs/intro.md)", "intro-page"),
        ("[[First steps]]", "intro-page"),
    ],
)
def test_a_page_is_found_at_its_address_and_by_its_label(link: str, target: str) -> None:
    assert found(f"See {link}.") == {("links_to", target)}


def test_a_path_that_exists_goes_before_an_address() -> None:
    others = [*OTHERS, document("start.md", "# Start\n\nHello.")]
    page = document("today.md", "See [x](/start).")
    (edge,) = plugins.build("extractors", "markdown_links").extract(page, titles_of((), [*others, page]))
    assert edge.to_document_id == "start"


@pytest.mark.parametrize(
    ("line", "relation_type"),
    [
        ("Supercedes [2. Queues](0002-queues.md)", "supersedes"),
        ("Superceded by [2. Queues](0002-queues.md)", "superseded_by"),
        ("Amends [2. Queues](0002-queues.md)", "amends"),
        ("Amended by [2. Queues](0002-queues.md)", "amended_by"),
        ("Clarifies [2. Queues](0002-queues.md)", "clarifies"),
        ("Clarified by [2. Queues](0002-queues.md)", "clarified_by"),
        ("Relates to [2. Queues](0002-queues.md)", "relates_to"),
        ("See [the queues](0002-queues.md) for it", "links_to"),
        ("Accepted in [a record](0002-queues.md)", "links_to"),
    ],
)
def test_links_of_adr_tools(line: str, relation_type: str) -> None:
    text = f"# 7. Next\n\nDate: 2020-01-01\n\n## Status\n\nAccepted\n\n{line}\n\n## Context\n\nWords.\n"
    assert found(text, "adr/0007-next.md") == {(relation_type, "adr/0002-queues")}


@pytest.mark.parametrize(
    "status",
    [
        "superseded by [ADR-0005](0005-zones.md)",
        "superseded by ADR-0005",
        "Superseded by [ADR 5](0005-zones.md)",
        "{proposed | rejected} superseded by [ADR-0005](0005-zones.md)",
    ],
)
def test_the_status_of_madr(status: str) -> None:
    text = f'---\nstatus: "{status}"\ndate: 2024-01-01\ndecision-makers: Ada\nconsulted: Bob\n---\n# Use it\n\nText.\n'
    assert found(text, "adr/0007-next.md") == {("superseded_by", "adr/0005-zones")}


def test_an_endless_line_of_fields_is_read_in_no_time() -> None:
    assert found("up:: " + "[[" * 90_000) == set()
    assert found("(a:: " * 30_000) == set()
    assert found("a" * 190_000 + ":: [[Boat]]") == {("links_to", "Projects/Boat")}


def test_the_properties_of_a_page_of_logseq_are_its_metadata_and_its_aliases_find_it() -> None:
    (page,) = plugins.build("loaders", "markdown").load(
        b"alias:: The Queue, [[Warteschlange]]\ntags:: [[infra]]\nstatus:: done\n"
        b"id:: 63f0a1b2-1111-2222-3333-444455556666\nup:: [[Boat]]\n\n- Bounded.\n",
        source="pages/Queue.md",
    )
    assert page.document_id == "pages/Queue"
    assert page.metadata["aliases"] == ["The Queue", "Warteschlange"]
    assert page.metadata["status"] == "done"
    other = document("pages/Crane.md", "- See [[the queue]] and [[Warteschlange]].\n")
    titles = titles_of((), [*OTHERS, page, other])
    links = {edge.to_document_id for edge in plugins.build("extractors", "wiki_links").extract(other, titles)}
    assert links == {"pages/Queue"}
    fields = {edge.key for edge in plugins.build("extractors", "note_fields").extract(page, titles)}
    assert fields == {("pages/Queue", "up", "Projects/Boat")}
