"""The compliance suite of extractors, on every extractor that lies in the folder."""

from __future__ import annotations

import pytest

from docgraph import plugins
from docgraph.domain.graph import Document, Section
from docgraph.ports import RelationExtractor
from docgraph.testing.suites.extractors import ExtractorSuite

EXAMPLES: dict[str, dict[str, object]] = {
    "body_references": {"text": "As PEP 7 says, and :pep:`7` again."},
    "front_matter": {"metadata": {"requires": "Beta target"}, "text": "Words."},
    "header_fields": {"metadata": {"header": {"requires": "targets/beta"}}, "text": "Words."},
    "markdown_links": {"text": "Read [the target](beta.md#part) first."},
    "note_fields": {"text": "up:: [[Beta|the target]]"},
    "sphinx_references": {"source": "targets/alpha.rst", "text": "Read :doc:`the target <beta>` first."},
    "status_lines": {
        "sections": (Section(heading_path=("Status",), text="Superseded by [Beta](beta.md)"),),
        "text": "## Status\n\nSuperseded by [Beta](beta.md)",
    },
    "title_mentions": {"text": "The Beta target comes first."},
    "wiki_links": {"text": "Read [[Beta|the target]] first."},
}


class TestExtractors(ExtractorSuite):
    @pytest.fixture(params=plugins.available("extractors"))
    def name(self, request: pytest.FixtureRequest) -> str:
        return str(request.param)

    @pytest.fixture
    def extractor(self, name: str) -> RelationExtractor:
        built: RelationExtractor = plugins.build("extractors", name)
        return built

    @pytest.fixture
    def target_id(self, name: str) -> str:
        return "targets/pep-0007" if name == "body_references" else "targets/beta"

    @pytest.fixture
    def example(self, name: str) -> Document:
        assert name in EXAMPLES, f"give the extractor {name!r} an example in EXAMPLES"
        return Document.model_validate(
            {"document_id": "targets/alpha", "title": "Alpha page", "source": "targets/alpha.md", **EXAMPLES[name]}
        )
