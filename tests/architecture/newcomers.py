"""A newcomer of every kind of plug-in, each as the text of its one file."""

from __future__ import annotations

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
    "dialects": '''
"""Pages of a tool that nobody knows begin with its name."""

from docgraph.ports import Dialect


class Newcomer(Dialect):
    name = "newcomer"
    title = "Newcomer"
    suffixes = (".md",)

    def marks(self, text: str, source: str) -> bool:
        return text.startswith("newcomer: ")


def build() -> Newcomer:
    return Newcomer()
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
from docgraph.ports.plugins import Embed


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
