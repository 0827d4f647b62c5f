"""The compliance suite of loaders, on every loader that lies in the folder."""

from __future__ import annotations

import pytest

from docgraph import plugins
from docgraph.ports import Loader
from docgraph.testing.suites.loaders import LoaderSuite
from tests.unit.plugins.loaders.office_files import docx_file, xlsx_file
from tests.unit.plugins.loaders.pdf_files import pdf_file
from tests.unit.plugins.loaders.test_loading_graphs import table

EXAMPLES: dict[str, tuple[bytes, str]] = {
    "asciidoc": (b"= Queue\n\nAll about sailing.\n\n== Part\n\n* one\n", "sailing"),
    "canvas": (
        b'{"nodes": [{"id": "a", "type": "text", "x": 0, "y": 0, "text": "All about sailing."}]}',
        "sailing",
    ),
    "csv": (b"id:ID,name,text,:LABEL\n1,Queue,All about sailing.,Note\n", "sailing"),
    "graphml": (
        b'<graphml xmlns="http://graphml.graphdrawing.org/xmlns"><graph edgedefault="directed">'
        b'<node id="about sailing"/><edge source="about sailing" target="b"/></graph></graphml>',
        "sailing",
    ),
    "html": (
        b"<html><head><title>Queue</title></head><body><h1>Queue</h1><p>All about sailing.</p></body></html>",
        "sailing",
    ),
    "json": (b'{"nodes": [{"id": "a", "text": "All about sailing."}], "links": []}', "sailing"),
    "jsonl": (b'{"id": "a", "title": "A", "text": "All about sailing."}\n{"id": "b", "text": "More."}\n', "sailing"),
    "markdown": (
        b"---\ntitle: Queue\nrequires: [a, b]\n---\n# Queue\n\nAll about sailing.\n\n## Part\n\n- one\n",
        "sailing",
    ),
    "notebook": (
        b'{"cells": [{"cell_type": "markdown", "source": ["# Queue", "All about sailing."]}], "metadata": {}}',
        "sailing",
    ),
    "pandoc": (docx_file("All about sailing"), "sailing"),
    "parquet": (table([{"id": "a", "title": "Queue", "text": "All about sailing."}]), "sailing"),
    "pdf": (pdf_file("All about sailing", "Second page"), "sailing"),
    "reqif": (
        b'<REQ-IF><SPEC-OBJECT IDENTIFIER="a" DESC="All about sailing."/></REQ-IF>',
        "sailing",
    ),
    "restructuredtext": (
        b"PEP: 1\nTitle: Queue\nRequires: 2,\n  3\n\nPart\n====\n\nAll about sailing.\n",
        "sailing",
    ),
    "strictdoc": (b"[DOCUMENT]\nTITLE: Queue\n\n[TEXT]\nSTATEMENT: All about sailing.\n", "sailing"),
    "text": (b"Queue\n\nAll about sailing.\n", "sailing"),
    "xlsx": (xlsx_file(("ID", "Text"), ("R-1", "All about sailing.")), "sailing"),
    "yaml": (
        b"active: true\nderived: false\nlevel: 1.0\nlinks: []\nnormative: true\ntext: All about sailing.\n",
        "sailing",
    ),
}

NEEDS = {"pandoc": "pypandoc", "xlsx": "openpyxl"}


class TestLoaders(LoaderSuite):
    @pytest.fixture(params=plugins.available("loaders"))
    def name(self, request: pytest.FixtureRequest) -> str:
        return str(request.param)

    @pytest.fixture
    def loader(self, name: str) -> Loader:
        if name in NEEDS:
            pytest.importorskip(NEEDS[name], reason="an optional extra that is not installed (docs/dependencies.md)")
        built: Loader = plugins.build("loaders", name)
        return built

    @pytest.fixture
    def example(self, name: str) -> tuple[bytes, str]:
        assert name in EXAMPLES, f"give the loader {name!r} an example in EXAMPLES"
        return EXAMPLES[name]


def test_no_two_loaders_claim_a_suffix() -> None:
    suffixes = [suffix for name in plugins.available("loaders") for suffix in plugins.build("loaders", name).suffixes]
    assert len(suffixes) == len(set(suffixes))
