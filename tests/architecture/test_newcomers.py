"""A newcomer's change is one file: on a copy of the tree, each is found, used and put under its contract suite."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

import pytest

from docgraph import plugins
from tests import ROOT
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
    "providers": '''
"""What the workspace finds by words, under another name."""

from collections.abc import Sequence

from docgraph.domain.packet import PacketRequest, ProviderHit
from docgraph.ports.retrieval import Access


class WordsAgain:
    name = "newcomer"
    modes = ("fast", "accurate", "conversation")
    priority = 1
    stands_in_for = None
    native_rerank = False

    def status(self) -> str:
        return "available"

    def search(self, request: PacketRequest, access: Access) -> Sequence[ProviderHit]:
        return access.full_text(request.query, request.top_k)


def build() -> WordsAgain:
    return WordsAgain()
''',
    "rerankers": '''
"""Short texts first."""

from collections.abc import Sequence

from docgraph.ports.retrieval import Reranked


class ShortFirst:
    name = "newcomer"

    def rerank(self, query: str, texts: Sequence[str]) -> Sequence[Reranked]:
        return [Reranked(index=i, score=1 / (1 + len(text))) for i, text in enumerate(texts)]


def build() -> ShortFirst:
    return ShortFirst()
''',
    "rewriters": '''
"""Asks what the rules ask, the other way round."""

from collections.abc import Sequence


class Backwards:
    name = "newcomer"

    def rewrite(self, text: str, turns: Sequence[str], *, rules_query: str) -> str:
        return " ".join(reversed(rules_query.split()))


def build() -> Backwards:
    return Backwards()
''',
    "summarizers": '''
"""The first words of a document."""

from docgraph.domain.graph import Document
from docgraph.ports.texts import Embed


class FirstWords:
    name = "newcomer"

    def summarize(self, document: Document, embed: Embed) -> str:
        return " ".join(document.text.split()[:2])


def build() -> FirstWords:
    return FirstWords()
''',
    "tokenizers": '''
"""A token is a word."""


class Words:
    name = "newcomer"

    def count(self, text: str) -> int:
        return len(text.split())

    def shorten(self, text: str, max_tokens: int) -> str:
        return " ".join(text.split()[:max_tokens])

    def split(self, text: str, max_tokens: int) -> list[str]:
        words = text.split()
        return [" ".join(words[i : i + max_tokens]) for i in range(0, len(words), max_tokens)]


def build() -> Words:
    return Words()
''',
    "stores": '''
"""The reference store under another name."""

from docgraph.plugins.stores.memory import MemoryDatabase


def build() -> MemoryDatabase:
    return MemoryDatabase()
''',
}

SUITED = [kind for kind in NEWCOMERS if (ROOT / "tests" / "contract" / f"test_{kind}.py").is_file()]
"""Kinds that have a compliance suite."""

TRIP = """
import json, pathlib, sys
import docgraph
from docgraph import plugins
folder = pathlib.Path(sys.argv[1])
(folder / "a.newcomer").write_text("First\\nalpha beta")
(folder / "b.newcomer").write_text("Second\\nafter: a.newcomer\\ngamma delta")
roles = {role: "newcomer" for role in ("store", "embedder", "summarizer", "reranker", "rewriter")}
with docgraph.connect(**roles, providers=("newcomer",)) as dg:
    report = dg.ingest(folder)
    print(json.dumps({
        "found": [kind for kind in plugins.KINDS if "newcomer" in plugins.available(kind)],
        "embedder": dg.workspace.embedder.embedder_id, "stored": report.n_stored, "edges": report.relationships,
        "plan": list(dg.plan(docgraph.RetrievalRequest(query="gamma delta", max_documents=2)).document_ids),
        "checked": {r.check_id: len(r.findings) for r in dg.check().results}["newcomer"],
        "figure": dg.compare(docgraph.RetrievalRequest(query="gamma delta", max_documents=2)).figure("newcomer").value,
        "summary": dg.documents.get("b.newcomer").summary,
        "tokens": plugins.build("tokenizers", "newcomer").count("gamma delta"),
        "asked": dg.retrieve("gamma").context_packet.provider,
        "reranked": dg.retrieve("gamma alpha").routing_metadata["rerank_type"],
        "order": [c.metadata["document_id"] for c in dg.retrieve("gamma alpha").context_packet.candidates],
        "rewritten": dg.converse(dg.converse(None, "why gamma delta").state, "and for alpha?").understanding.query,
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
        "found": list(plugins.KINDS),
        "embedder": "newcomer:letters:26",
        "stored": 2,
        "edges": {"follows": 1},
        "plan": ["b.newcomer", "a.newcomer"],
        "checked": 1,
        "figure": 1.0,
        "summary": "after: a.newcomer",
        "tokens": 2,
        "asked": "newcomer",
        "reranked": "external",
        "order": ["a.newcomer", "b.newcomer"],
        "rewritten": "alpha? for delta gamma why",
    }


@pytest.mark.parametrize(
    "kind", sorted(kind for kind in NEWCOMERS if (ROOT / f"tests/contract/test_{kind}.py").is_file())
)
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
