"""A newcomer's change is one file: on a copy of the tree, each is found, used and put under its contract suite."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

import pytest

from tests.architecture.copies import copied, python

NEWCOMERS = {
    "checks": '''
"""Titles that say nothing."""

from collections.abc import Mapping
from typing import Any

from docgraph.domain.finding import Finding
from docgraph.ports import Outcome, RelationshipGraph


class ShortTitle:
    check_id = "newcomer"
    title = "Short title"
    severity = "info"
    why = "A short title is found by nobody."
    unit = "documents"
    parameters = {"shortest": 6}

    def find(self, graph: RelationshipGraph, parameters: Mapping[str, Any]) -> Outcome:
        findings = [
            Finding.about(self.check_id, self.severity, f"{name} has a short title", document_ids=(name,))
            for name, document in graph.documents.items()
            if len(document.title) < parameters["shortest"]
        ]
        return Outcome(len(graph.documents), findings)


def build() -> ShortTitle:
    return ShortTitle()
''',
    "embedders": '''
"""Counts letters: a vector of 26 places."""

from collections.abc import Sequence

import numpy as np

from docgraph.domain.graph import Vectors
from docgraph.domain.workspace import EmbedderInfo


class LetterEmbedder:
    info = EmbedderInfo(name="newcomer", model="letters", dimension=26)

    def embed(self, texts: Sequence[str]) -> Vectors:
        counts = np.array([[text.lower().count(chr(97 + n)) for n in range(26)] for text in texts], dtype=np.float32)
        counts = counts.reshape(len(texts), 26)
        lengths = np.linalg.norm(counts, axis=1, keepdims=True)
        return np.divide(counts, lengths, out=np.zeros_like(counts), where=lengths > 0)


def build() -> LetterEmbedder:
    return LetterEmbedder()
''',
    "loaders": '''
"""Reads .newcomer files: the first line is the title."""

from collections.abc import Iterator

from docgraph.domain.graph import Document


class NewcomerLoader:
    name = "newcomer"
    suffixes = (".newcomer",)

    def load(self, data: bytes, *, source: str) -> Iterator[Document]:
        title, _, text = data.decode("utf-8").partition("\\n")
        yield Document(document_id=source, title=title, text=text, source=source)


def build() -> NewcomerLoader:
    return NewcomerLoader()
''',
    "extractors": '''
"""Every document follows the one that its text calls "after: ID"."""

from collections.abc import Iterable

from docgraph.domain.graph import Document, Relationship
from docgraph.ports import Titles


class AfterExtractor:
    name = "newcomer"
    default_on = True

    def extract(self, document: Document, titles: Titles) -> Iterable[Relationship]:
        text = "\\n".join([document.text, *(section.text for section in document.sections)])
        for line in text.splitlines():
            if line.startswith("after: "):
                yield Relationship(
                    from_document_id=document.document_id, relation_type="follows", to_document_id=line[7:].strip(),
                    relationship_metadata={"extractor": self.name, "place": "body", "order": 0},
                )


def build() -> AfterExtractor:
    return AfterExtractor()
''',
    "measures": '''
"""Overlap coefficient: the common part of the smaller set."""

from collections.abc import Sequence


class OverlapCoefficient:
    name = "newcomer"
    title = "Overlap coefficient"
    kind = "overlap"
    formula = "|A ∩ B| / min(|A|, |B|)"
    source = "Simpson (1943)"

    def compute(self, a: Sequence[str], b: Sequence[str]) -> float | None:
        smaller = min(len(a), len(b))
        return len({*a} & {*b}) / smaller if smaller else 0.0


def build() -> OverlapCoefficient:
    return OverlapCoefficient()
''',
    "stores": '''
"""The reference store under another name."""

from docgraph.plugins.stores.memory import MemoryDatabase


def build() -> MemoryDatabase:
    return MemoryDatabase()
''',
}

TRIP = """
import json, pathlib, sys
import docgraph
from docgraph import plugins
folder = pathlib.Path(sys.argv[1])
(folder / "a.newcomer").write_text("First\\nalpha beta")
(folder / "b.newcomer").write_text("Second\\nafter: a.newcomer\\ngamma delta")
with docgraph.connect(store="newcomer", embedder="newcomer") as dg:
    report = dg.ingest(folder)
    print(json.dumps({
        "found": [kind for kind in plugins.KINDS if "newcomer" in plugins.available(kind)],
        "embedder": dg.workspace.embedder.embedder_id, "stored": report.n_stored, "edges": report.relationships,
        "plan": list(dg.plan(docgraph.RetrievalRequest(query="gamma delta", max_documents=2)).document_ids),
        "checked": {r.check_id: len(r.findings) for r in dg.check().results}["newcomer"],
        "figure": dg.compare(docgraph.RetrievalRequest(query="gamma delta", max_documents=2)).figure("newcomer").value,
    }))
"""


@pytest.fixture(scope="module")
def tree(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the tree with one new file of every kind."""
    folder = copied(tmp_path_factory.mktemp("tree"))
    for kind, code in NEWCOMERS.items():
        (folder / "docgraph" / "plugins" / kind / "newcomer.py").write_text(code.lstrip())
    return folder


def test_new_plugins_are_found_and_work_together(tree: Path, tmp_path: Path) -> None:
    answer = json.loads(python(tree, "-c", TRIP, tmp_path))
    assert answer == {
        "found": ["checks", "embedders", "extractors", "loaders", "measures", "stores"],
        "embedder": "newcomer:letters:26",
        "stored": 2,
        "edges": {"follows": 1},
        "plan": ["b.newcomer", "a.newcomer"],
        "checked": 1,
        "figure": 1.0,
    }


@pytest.mark.parametrize("kind", sorted(NEWCOMERS))
def test_a_new_plugin_is_put_under_the_contract_suite_of_its_kind(tree: Path, kind: str) -> None:
    assert _collected(tree, f"tests/contract/test_{kind}.py")


def _collected(tree: Path, module: str) -> Sequence[str]:
    out = python(tree, "-m", "pytest", "--collect-only", "-q", "-p", "no:cacheprovider", module)
    return [line for line in out.splitlines() if "newcomer" in line]


def test_a_new_page_is_found_by_the_shell(tree: Path) -> None:
    (tree / "pages" / "newcomer.py").write_text('"""A new page."""\n\nPAGE = {"title": "Newcomer", "order": 77}\n')
    program = "from docgraph.ui.frame.navigation import pages; print([page.name for page in pages()])"
    assert "newcomer" in python(tree, "-W", "ignore", "-c", program)


def test_the_import_contracts_hold_for_new_files_as_well(tree: Path) -> None:
    linter = (
        "import sys; from importlinter.cli import lint_imports; sys.exit(lint_imports(no_cache=True, no_logo=True))"
    )
    python(tree, "-c", linter)


def test_a_new_file_that_breaks_a_contract_is_noticed(tree: Path) -> None:
    stray = tree / "docgraph" / "execution" / "stray.py"
    stray.write_text(
        '"""Asks the planner."""\n\nfrom docgraph.planning.planner import make_plan\n\n__all__ = ["make_plan"]\n'
    )
    linter = (
        "import sys; from importlinter.cli import lint_imports; sys.exit(not lint_imports(no_cache=True, no_logo=True))"
    )
    try:
        assert "Execution does not import planning BROKEN" in python(tree, "-c", linter)
    finally:
        stray.unlink()
