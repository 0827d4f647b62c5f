"""A small import set-up over the memory store: word tokens, hashed vectors, one loader, two tiny extractors."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from docgraph.domain.graph import Document, Relationship
from docgraph.domain.report import IngestReport, Rejected
from docgraph.ingestion.cutting.chunking import ChunkingOptions
from docgraph.ingestion.pipeline import Ingestion
from docgraph.plugins.stores import memory
from docgraph.ports import Store, Titles
from docgraph.testing.builders import FirstWords, HashingEmbedder, WordTokenizer
from tests.builders import relationship

EMBEDDER = HashingEmbedder(dimension=16)


class Lines:
    """``.md``: the whole file is one document; ``.jsonl``: each line ``id|title|text`` is one."""

    name = "lines"
    suffixes = (".md", ".jsonl")

    def load(self, data: bytes, *, source: str) -> Iterator[Document | Rejected]:
        text = data.decode("utf-8")
        if not text.strip():
            raise ValueError("the file has no text")
        if not source.endswith(".jsonl"):
            yield Document(document_id=source.removesuffix(".md"), title=source, text=text, source=source)
            return
        for number, line in enumerate(text.splitlines(), start=1):
            parts = line.split("|")
            if len(parts) == 3:
                yield Document(document_id=parts[0], title=parts[1], text=parts[2])
            else:
                yield Rejected(reason=f"line {number}: no record", place=f"line {number}")


class Words:
    """Finds ``word:target`` in a text; the word is the relation type."""

    def __init__(self, name: str, word: str, *, default_on: bool) -> None:
        self.name, self.word, self.default_on = name, word, default_on

    def extract(self, document: Document, titles: Titles) -> Iterator[Relationship]:
        for target in re.findall(rf"\b{self.word}:(\S+)", document.text):
            yield relationship(document.document_id, self.word, target, extractor=self.name, place="text")


def new_store() -> Store:
    return memory.build().create_workspace("default", EMBEDDER.info)


def ingestion(store: Store | None = None, **changes: Any) -> Ingestion:
    parts: dict[str, Any] = {
        "store": store or new_store(),
        "embedder": EMBEDDER,
        "tokenizer": WordTokenizer(),
        "summarizer": FirstWords(),
        "loaders": [Lines()],
        "extractors": [Words("links", "needs", default_on=True), Words("talk", "mentions", default_on=False)],
        "chunking": ChunkingOptions(target_tokens=20, max_tokens=25, max_chunks=50),
    }
    return Ingestion(**{**parts, **changes})


def adds_up(report: IngestReport) -> bool:
    """in = stored + updated + skipped + rejected, every source listed, every rejection with its reason."""
    return bool(
        report.n_in == sum(report.counts.values())
        and report.n_in == len(report.outcomes) + report.outcomes_cut
        and all(outcome.reason for outcome in report.outcomes if outcome.outcome == "rejected")
    )


def reasons(report: IngestReport) -> dict[str, str]:
    """source → reason of each rejection."""
    return {outcome.source: outcome.reason for outcome in report.outcomes if outcome.outcome == "rejected"}


def state(store: Store) -> list[Any]:
    """Everything a workspace holds, comparable."""
    with store.reading() as snapshot:
        documents = [document.model_dump() for document in snapshot.documents()]
        edges = [edge.model_dump() for edge in snapshot.relationships()]
        chunks = [c.model_dump() for d in snapshot.documents() for c in snapshot.chunks(d.document_id)]
        return [documents, edges, chunks, snapshot.workspace.revision]
