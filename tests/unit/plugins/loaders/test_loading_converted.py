"""Formats that pandoc converts: texts, titles, fields, links between files, and what is refused."""

from __future__ import annotations

import builtins
import zipfile
from collections.abc import Iterator
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest

from docgraph import plugins
from docgraph.domain.graph import Document, DocumentRef
from docgraph.plugins.loaders import pandoc as pandoc_loader
from docgraph.ports import Titles
from tests.unit.plugins.loaders.office_files import docx_file, pptx_file, zipped

ORG = """:PROPERTIES:
:ID: 5f0a-11
:END:
#+TITLE: Queue handling
#+SUPERSEDED-BY: base
* Part
All about /sailing/. [[file:other.org::*Part][the other]] and [[id:77aa-22][an idea]], [[https://example.org][web]].
"""
WIKI = "== Part ==\nAll about '''sailing'''. See [[Other page]], [[Third page#Part|the third]].\n\n[[Category:Boats]]\n"


@pytest.fixture
def pandoc() -> None:
    pytest.importorskip("pypandoc", reason="the extra 'formats' is not installed: pandoc converts these files")


def load(data: bytes | str, source: str, **options: Any) -> Document:
    loader = plugins.build("loaders", "pandoc", **options)
    (document,) = loader.load(data.encode() if isinstance(data, str) else data, source=source)
    assert isinstance(document, Document)
    return document


def targets(document: Document, *others: str) -> dict[str, list[str]]:
    """Extractor → the targets that it finds, where documents with the ids ``others`` stand as files of these names."""
    titles = Titles(
        tuple(DocumentRef(document_id=other, title=other) for other in others),
        {other: f"{other}.adoc" for other in others},
    )
    found: dict[str, list[str]] = {}
    for name in ("front_matter", "markdown_links", "wiki_links"):
        for edge in plugins.build("extractors", name).extract(document, titles):
            found.setdefault(f"{name}: {edge.relation_type}", []).append(edge.to_document_id)
    return found


@pytest.mark.usefixtures("pandoc")
class TestConverted:
    def test_org_has_its_title_fields_id_and_links(self) -> None:
        document = load(ORG, "notes/queue.org")
        assert (document.document_id, document.title) == ("5f0a-11", "Queue handling")
        assert [section.heading_path for section in document.sections] == [("Part",)]
        found = targets(document, "base", "77aa-22", "notes/other")
        assert found == {
            "front_matter: superseded_by": ["base"],
            "markdown_links: links_to": ["notes/other"],
            "wiki_links: links_to": ["77aa-22"],
        }

    def test_mediawiki_pages_link_by_their_names(self) -> None:
        document = load(WIKI, "wiki/Queue_handling.mediawiki")
        assert (document.document_id, document.title) == ("wiki/Queue_handling", "Queue handling")
        assert "All about **sailing**" in document.text
        found = targets(document, "wiki/Other_page", "wiki/Third_page")
        assert found["wiki_links: links_to"][:2] == ["wiki/Other_page", "wiki/Third_page"]

    def test_word_has_its_title_sections_and_links(self) -> None:
        document = load(docx_file("All about sailing. "), "queue.docx")
        assert (document.document_id, document.title) == ("queue", "Queue")
        assert [(s.heading_path, s.text) for s in document.sections] == [
            (("Part",), "All about sailing. [the other](other.docx)")
        ]
        assert targets(document) == {"markdown_links: links_to": ["other"]}

    def test_a_presentation_has_a_section_for_each_slide(self) -> None:
        document = load(pptx_file(("First", "All about sailing"), ("Second", "The end")), "queue.pptx")
        assert [(s.heading_path, s.text) for s in document.sections] == [
            (("First",), "All about sailing"),
            (("Second",), "The end"),
        ] or document.title == "First"
        assert "The end" in document.text

    @pytest.mark.parametrize("kind", ["odt", "rtf", "epub"])
    def test_other_documents_that_it_reads(self, kind: str, tmp_path: Path) -> None:
        import pypandoc

        target = tmp_path / f"queue.{kind}"
        pypandoc.convert_text(
            "# Queue\n\n## Part\n\nAll about sailing.\n",
            kind,
            format="markdown",
            outputfile=str(target),
            extra_args=["--standalone", "--metadata", "title=Queue"],
        )
        document = load(target.read_bytes(), target.name)
        assert "All about sailing." in document.text
        assert document.sections[-1].heading_path[-1:] == ("Part",)

    @pytest.mark.parametrize(
        ("name", "text"),
        [
            ("a.org", '#+TITLE: T\ntext\n#+INCLUDE: "{path}"\n'),
            ("a.org", "#+SETUPFILE: {path}\ntext\n"),
            ("a.mediawiki", "text <include>{path}</include> {{{{:{path}}}}}\n"),
        ],
    )
    def test_no_file_is_included(self, name: str, text: str, tmp_path: Path) -> None:
        secret = tmp_path / "secret.txt"
        secret.write_text("the secret words")
        try:
            said = load(text.format(path=secret), name).model_dump_json()
        except ValueError as error:
            said = str(error)
        assert "secret words" not in said

    def test_a_word_file_whose_text_is_an_entity_bomb_is_refused(self) -> None:
        entities = "".join(f'<!ENTITY l{n} "{f"&l{n - 1};" * 10}">' for n in range(1, 10))
        bomb = f'<?xml version="1.0"?><!DOCTYPE x [<!ENTITY l0 "lol">{entities}]><x>&l9;</x>'
        with pytest.raises(ValueError, match="cannot be read as docx"):
            load(docx_file(document=bomb), "a.docx")

    def test_a_file_that_expands_beyond_memory_is_refused(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(pandoc_loader, "MAX_CONVERSION_HEAP", 16_000_000)
        with pytest.raises(ValueError, match="takes more than 16 MB of memory"):
            load(docx_file("word " * 2_000_000), "a.docx")

    def test_deep_nesting_is_refused(self) -> None:
        with pytest.raises(ValueError, match="cannot be read as docx"):
            load(docx_file(document="<a>" * 100_000), "a.docx")

    def test_mark_up_that_takes_for_ever_is_refused(self) -> None:
        with pytest.raises(ValueError, match=r"took more than 0\.5 seconds"):
            load("{{" * 90_000, "a.wiki", seconds=0.5)

    def test_a_file_of_pictures_has_no_text(self) -> None:
        with pytest.raises(ValueError, match="no text: only metadata or pictures"):
            load("#+TITLE: T\n[[file:a.png]]\n", "a.org")


@pytest.mark.parametrize(
    ("data", "source", "reason"),
    [
        (b"PK\x03\x04" + b"x" * 40, "a.docx", "not a document in a zip container: "),
        (docx_file("x")[:-30], "a.docx", "not a document in a zip container: "),
        (b"plain text", "a.docx", "not a document in a zip container: "),
        (zipped({"a.txt": "x"}), "a.docx", "neither Word, PowerPoint"),
        (b"", "a.pptx", "empty: 0 bytes"),
        (b"\x00\x01", "a.org", "NUL byte at position 0"),
        (b"\xff\xfea", "a.org", "starts like utf-16"),
        (b"x" * 200_001, "a.org", "line 1 has 200,001 characters; at most 200,000"),
        (b"x\n" * 2_000_001, "a.wiki", "4,000,002 bytes; at most 4,000,000"),
    ],
)
def test_a_refusal_names_what_was_found(data: bytes, source: str, reason: str) -> None:
    with pytest.raises(ValueError, match=reason):
        load(data, source)


def test_a_zip_bomb_is_refused_before_it_is_opened() -> None:
    made = BytesIO()
    with (
        zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive,
        archive.open("word/document.xml", "w", force_zip64=True) as part,
    ):
        for _ in range(301):
            part.write(b" " * 1_000_000)
    with pytest.raises(ValueError, match="expands to 301,000,000 bytes; at most 300,000,000 are read: a zip bomb"):
        load(made.getvalue(), "a.docx")


@pytest.fixture
def without_pandoc(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    real = builtins.__import__

    def refuse(name: str, *rest: Any, **more: Any) -> Any:
        if name == "pypandoc":
            raise ModuleNotFoundError("No module named 'pypandoc'", name="pypandoc")
        return real(name, *rest, **more)

    pandoc_loader.program.cache_clear()
    monkeypatch.setattr(builtins, "__import__", refuse)
    yield
    pandoc_loader.program.cache_clear()


@pytest.mark.usefixtures("without_pandoc")
def test_without_the_extra_the_file_is_refused_with_what_to_install() -> None:
    with pytest.raises(ValueError, match=r"not installed: pip install 'docgraph\[formats\]'"):
        load("* Part\ntext\n", "a.org")
