"""The compliance suite for loaders: what the pipeline relies on, whatever the format."""

from __future__ import annotations

import pytest

from docgraph.domain.graph import Document
from docgraph.domain.report import Rejected
from docgraph.ports import Loader

MAX_REASON = 400
_JUNK: dict[str, bytes] = {
    "nothing": b"",
    "white space": b" \n\t\n ",
    "a NUL byte": b"some text\x00 and more",
    "bytes of no encoding": b"\xff\xfe\xfd\x00\xd8",
    "a cut-off UTF-16 text": b"\xff\xfea",
    "control characters": bytes(range(1, 32)) * 20,
    "a picture": b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR" + bytes(range(256)),
}


class LoaderSuite:
    """Derive a class named ``Test…`` from this and give it the fixtures ``loader`` and ``example``.

    ``example`` holds the bytes of one good file and a word that stands in its text.
    """

    @pytest.fixture
    def loader(self) -> Loader:
        """The loader under test."""
        raise NotImplementedError

    @pytest.fixture
    def example(self) -> tuple[bytes, str]:
        """(a good file's bytes, a word in its text)."""
        raise NotImplementedError

    def test_it_names_itself_and_its_suffixes(self, loader: Loader) -> None:
        """Suffixes start with a dot and are in lower case, as the pipeline compares them."""
        assert loader.name
        assert loader.suffixes
        assert all(suffix.startswith(".") and suffix == suffix.lower() for suffix in loader.suffixes)

    def test_a_good_file_gives_documents_with_id_title_text_and_source(
        self, loader: Loader, example: tuple[bytes, str]
    ) -> None:
        """What ingestion needs of every document."""
        documents = _documents(loader, example[0])
        assert documents
        assert any(example[1] in document.text for document in documents)
        for document in documents:
            assert document.document_id
            assert document.title.strip()
            assert "\n" not in document.title
            assert document.source

    def test_sections_hold_the_text_in_its_order(self, loader: Loader, example: tuple[bytes, str]) -> None:
        """Chunks are cut from sections: none may be empty, and their words come in the order of the text."""
        for document in _documents(loader, example[0]):
            assert document.sections
            assert all(section.text.strip() for section in document.sections)
            assert all(heading.strip() for section in document.sections for heading in section.heading_path)
            assert any(example[1] in section.text for section in document.sections) or example[1] not in document.text

    def test_the_same_bytes_give_the_same_documents(self, loader: Loader, example: tuple[bytes, str]) -> None:
        """Content hashes depend on it: an unchanged file must be skipped."""
        assert _documents(loader, example[0]) == _documents(loader, example[0])

    def test_nothing_in_a_document_is_refused_by_a_database(self, loader: Loader, example: tuple[bytes, str]) -> None:
        """No NUL and no lone surrogate; the whole document is JSON."""
        for document in _documents(loader, example[0]):
            written = document.model_dump_json()
            assert "\\u0000" not in written
            written.encode("utf-8")

    @pytest.mark.parametrize("junk", _JUNK)
    def test_junk_is_refused_with_one_line_that_says_what_was_found(self, loader: Loader, junk: str) -> None:
        """The line goes into the report as it stands."""
        try:
            found = list(loader.load(_JUNK[junk], source="a/b"))
            assert not [record for record in found if isinstance(record, Document)]
            reasons = [record.reason for record in found if isinstance(record, Rejected)]
        except ValueError as error:
            reasons = [str(error)]
        assert reasons
        assert all(reason.strip() and "\n" not in reason and len(reason) <= MAX_REASON for reason in reasons)

    def test_a_cut_off_file_raises_nothing_but_value_errors(self, loader: Loader, example: tuple[bytes, str]) -> None:
        """A download that broke, at every tenth of its length."""
        for tenth in range(10):
            data = example[0][: len(example[0]) * tenth // 10]
            _try(loader, data)
            _try(loader, data + b"\x80\x00")

    def test_a_source_deep_in_folders_gives_an_id_with_slashes(
        self, loader: Loader, example: tuple[bytes, str]
    ) -> None:
        """Ids that come from paths are relative to the import root; given ids win."""
        for document in _documents(loader, example[0], source=f"one/two/three{loader.suffixes[0]}"):
            assert "\\" not in document.document_id
            assert not document.document_id.startswith("/")


def _documents(loader: Loader, data: bytes, source: str = "folder/name") -> list[Document]:
    return [record for record in loader.load(data, source=source) if isinstance(record, Document)]


def _try(loader: Loader, data: bytes) -> None:
    try:
        list(loader.load(data, source="folder/name"))
    except ValueError as error:
        reason = str(error)
    else:
        return
    assert reason.strip()
    assert "\n" not in reason
