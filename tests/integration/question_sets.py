"""Public sets with questions, each imported with and without its relationships, and what is measured on them.

Laws that hold for every question are asked of a part of them; ``make corpora`` (``DOCGRAPH_TEST_ALL_QUESTIONS``) asks
all. Figures that docs/quality.md gives are those of all questions in either form.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

import psycopg

import docgraph
from docgraph import Docgraph, RetrievalRequest
from docgraph.domain.baselines import TODAY, baseline_request
from docgraph.domain.context import RetrievedContext
from docgraph.domain.edit import Edit
from tests import ROOT

HARBOR = ROOT / "sample_data" / "harbor"
ALL_QUESTIONS = bool(os.environ.get("DOCGRAPH_TEST_ALL_QUESTIONS"))
Question = dict[str, Any]
Item = TypeVar("Item")


@dataclass(frozen=True)
class Corpus:
    """One set twice: with its relationships, and with every one of them removed."""

    linked: Docgraph
    bare: Docgraph
    questions: tuple[Question, ...]
    bare_url: str
    linked_url: str


class Library:
    """Imports a set when it is first asked for, in a database of its own; the bare one is a copy of it."""

    def __init__(self, url: str, test_data: Callable[[], Path]) -> None:
        self._url, self._test_data = url, test_data
        self._known: dict[str, Corpus] = {}
        self._databases: list[str] = []

    def __call__(self, name: str) -> Corpus:
        if name not in self._known:
            self._known[name] = self._make(name)
        return self._known[name]

    def _make(self, name: str) -> Corpus:
        folder = HARBOR if name == "harbor" else self._test_data() / name
        linked_url = self._create(f"figures_{len(self._databases)}")
        with connect(linked_url) as opened:
            report = opened.ingest(folder)
        assert report.n_stored > 30
        bare_url = self._create(f"figures_{len(self._databases)}", template=linked_url)
        linked, bare = connect(linked_url), connect(bare_url)
        bare.relationships.edit([Edit(action="remove", key=edge.key) for edge in bare.relationships.list()], by="tests")
        assert (linked.workspace.n_relationships, bare.workspace.n_relationships) == (report.n_relationships, 0)
        return Corpus(linked, bare, tuple(questions(folder, linked)), bare_url, linked_url)

    def _create(self, name: str, *, template: str = "") -> str:
        source = f"TEMPLATE {template.split('/')[3].split('?')[0]}" if template else ""
        with psycopg.connect(self._url, autocommit=True) as connection:
            connection.execute(f"DROP DATABASE IF EXISTS {name} WITH (FORCE)")
            connection.execute(f"CREATE DATABASE {name} {source}")
        self._databases.append(name)
        return self._url.replace("/docgraph?", f"/{name}?")

    def close(self) -> None:
        for corpus in self._known.values():
            corpus.linked.close()
            corpus.bare.close()
        with psycopg.connect(self._url, autocommit=True) as connection:
            for name in self._databases:
                connection.execute(f"DROP DATABASE {name} WITH (FORCE)")


def part(items: Sequence[Item], step: int) -> Sequence[Item]:
    """Every ``step``-th item, or all where all questions are asked."""
    return items if ALL_QUESTIONS else items[::step]


def connect(url: str) -> Docgraph:
    return docgraph.connect(url, embedder="wordllama", pool_size=2, workspace="set")


def questions(folder: Path, opened: Docgraph) -> Iterator[Question]:
    """The set's own questions; where there are none, every document's title is one."""
    for path in (folder / "queries.jsonl", folder.parent / "queries.jsonl"):
        if path.is_file():
            yield from map(json.loads, path.read_text(encoding="utf-8").splitlines())
            return
    for document in opened.documents.list():
        yield {"query": document.title, "relevant": [document.document_id]}


# ---------------------------------------------------------------- measures


def signal_fields(signal: str) -> dict[str, Any]:
    """Fields of a request with this seed signal; ``default`` leaves the choice to docgraph."""
    return {} if signal == "default" else {"seed_signal": signal}


def found(context: RetrievedContext) -> set[str]:
    return {document_id for document_id, _ in context.ranked_chunks}


def ask(opened: Docgraph, query: str, *, baseline: str = TODAY, **fields: Any) -> RetrievedContext:
    return opened.execute(opened.plan(baseline_request(RetrievalRequest(query=query, **fields), baseline)))


def perfect(opened: Docgraph, asked: Sequence[Question], **fields: Any) -> float:
    """Percent of questions for which all relevant documents came back."""
    hits = [set(q["relevant"]) <= found(ask(opened, q["query"], **fields)) for q in asked]
    return round(100 * sum(hits) / len(hits), 1)


def recall(opened: Docgraph, asked: Sequence[Question], **fields: Any) -> float:
    """Mean percent of the relevant documents that came back."""
    parts = [
        len(set(q["relevant"]) & found(ask(opened, q["query"], **fields))) / len(set(q["relevant"])) for q in asked
    ]
    return round(100 * sum(parts) / len(parts), 1)
