"""The compliance suite for relationship extractors: what the pipeline relies on, whatever is extracted."""

from __future__ import annotations

import json

import pytest

from docgraph.domain.graph import Document, DocumentRef, Relationship
from docgraph.ports import RelationExtractor, Titles

MAX_QUOTE = 300


class ExtractorSuite:
    """Derive a class named ``Test…`` from this and give it the fixtures ``extractor`` and ``example``.

    ``example`` is a document that names the one with the id ``target_id`` and the title ``Beta target``.
    """

    @pytest.fixture
    def extractor(self) -> RelationExtractor:
        """The extractor under test."""
        raise NotImplementedError

    @pytest.fixture
    def example(self) -> Document:
        """A document with one relationship."""
        raise NotImplementedError

    @pytest.fixture
    def target_id(self) -> str:
        """The id of the document that the example names."""
        return "targets/beta"

    @pytest.fixture
    def titles(self, example: Document, target_id: str) -> Titles:
        """The example and its target."""
        return Titles(
            (
                DocumentRef(document_id=example.document_id, title=example.title),
                DocumentRef(document_id=target_id, title="Beta target"),
            ),
            {example.document_id: example.source, target_id: f"{target_id}.md"},
        )

    def test_it_names_itself_and_says_whether_it_is_on(self, extractor: RelationExtractor) -> None:
        """Both are shown where extractors are chosen."""
        assert extractor.name
        assert isinstance(extractor.default_on, bool)

    def test_it_finds_the_target_of_the_example(
        self, extractor: RelationExtractor, example: Document, titles: Titles, target_id: str
    ) -> None:
        """The edge starts at the document and ends at the id of the one that is named."""
        found = _extract(extractor, example, titles)
        assert [edge.to_document_id for edge in found] == [target_id]
        assert found[0].from_document_id == example.document_id

    def test_every_edge_carries_its_provenance(
        self, extractor: RelationExtractor, example: Document, titles: Titles
    ) -> None:
        """Extractor, place, order, and the words that name the target, on one short line."""
        for order, edge in enumerate(_extract(extractor, example, titles)):
            metadata = edge.relationship_metadata
            assert metadata["extractor"] == extractor.name
            assert metadata["place"] in ("front_matter", "header", "body", "status")
            assert metadata["order"] == order
            assert 0 < len(metadata["text"]) <= MAX_QUOTE
            assert "\n" not in metadata["text"]
            json.dumps(metadata)

    def test_an_edge_is_given_once(self, extractor: RelationExtractor, example: Document, titles: Titles) -> None:
        """Whatever the number of mentions: the key is unique in a workspace."""
        twice = example.model_copy(update={"text": f"{example.text}\n\n{example.text}"})
        keys = [edge.key for edge in _extract(extractor, twice, titles)]
        assert len(keys) == len(set(keys)) == 1

    def test_the_order_of_the_workspace_changes_nothing(
        self, extractor: RelationExtractor, example: Document, titles: Titles
    ) -> None:
        """Documents come in any order; relationships must not."""
        turned = Titles(tuple(reversed(titles.documents)), titles.sources)
        assert _extract(extractor, example, turned) == _extract(extractor, example, titles)

    def test_a_document_without_text_and_metadata_has_no_relationships(
        self, extractor: RelationExtractor, titles: Titles
    ) -> None:
        """Nothing is invented."""
        assert _extract(extractor, Document(document_id="empty", title="Empty"), titles) == []

    def test_an_empty_workspace_is_no_error(self, extractor: RelationExtractor, example: Document) -> None:
        """The first import: no target exists yet, so an edge is dangling or absent, never wrong."""
        for edge in _extract(extractor, example, Titles(())):
            assert edge.to_document_id

    def test_strange_metadata_is_no_error(
        self, extractor: RelationExtractor, example: Document, titles: Titles
    ) -> None:
        """Metadata comes from anywhere."""
        for strange in (None, True, 3.5, "", [], {}, [[["x"]]], {"to": None}, ["\x00", "\ud800"], "," * 1_000):
            names = ("requires", "relations", "links", "header", "status")
            metadata = {**dict.fromkeys(names, strange), "relations": [{"type": strange, "to": strange}]}
            _extract(extractor, example.model_copy(update={"metadata": metadata}), titles)
            _extract(extractor, example.model_copy(update={"metadata": {"header": metadata}}), titles)


def _extract(extractor: RelationExtractor, document: Document, titles: Titles) -> list[Relationship]:
    return list(extractor.extract(document, titles))
