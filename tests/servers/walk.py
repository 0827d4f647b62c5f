"""One walk through what docgraph does with a server: imports, questions by threads, edits, a backup and back."""

from __future__ import annotations

import io
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any

import docgraph
from docgraph import Document, RetrievalRequest
from docgraph.domain.edit import Edit
from docgraph.domain.graph import Relationship
from docgraph.domain.run import Run
from docgraph.errors import DocgraphError
from docgraph.orchestration.docgraph import Docgraph

WORDS = ("queue", "slot", "alarm", "storm", "clock", "crane")
QUESTIONS = [
    RetrievalRequest(query=f"Why does the {a} wait for the {b}?", max_documents=5) for a in WORDS for b in WORDS
]
N_DOCUMENTS = 30
Answer = tuple[Any, ...]


def fill(dg: Docgraph, version: int = 0) -> None:
    """Documents with relationships; all of them are others in another version."""
    documents, edges = [], []
    for n in range(N_DOCUMENTS):
        first, second = WORDS[(n + version) % 6], WORDS[(n * 5 + version) % 6]
        text = f"The {first} waits for the {second}. " + f"Part {n} of version {version}. " * 3
        documents.append(Document(document_id=f"d{n}", title=f"About {first} {n}", text=text))
        target = f"d{(n * 7 + 3) % 32}"  # some dangle
        edges.append(Relationship(from_document_id=f"d{n}", relation_type="explains", to_document_id=target))
    dg.ingest_records(documents, edges)


def answer(run: Run) -> Answer:
    """What must be the same wherever it was asked."""
    assert all(check.passed for check in run.contract)
    return run.plan, run.context, run.assembled


def answers(dg: Docgraph, n: int = 12) -> list[Answer]:
    """What one thread is told."""
    return [answer(dg.run(each)) for each in QUESTIONS[:n]]


@dataclass(frozen=True)
class Asked:
    """Answers that were right, that were others, and what was told in the place of one."""

    n_right: int
    n_wrong: int = 0
    errors: tuple[str, ...] = ()


def ask(dg: Docgraph, expected: Sequence[Answer], *, n: int, threads: int = 6) -> Asked:
    """``n`` questions, asked by several threads of one docgraph."""

    def one(place: int) -> bool | str:
        try:
            return answer(dg.run(QUESTIONS[place % len(expected)])) == expected[place % len(expected)]
        except DocgraphError as error:
            return str(error)

    with ThreadPoolExecutor(threads) as pool:
        found = list(pool.map(one, range(n)))
    return Asked(found.count(True), found.count(False), tuple(each for each in found if isinstance(each, str)))


def walk(url: str, expected: Sequence[Answer], *, may_make: bool = True, may_own: bool = True, **settings: Any) -> None:
    """Everything, in a database without workspaces; what a role may not do (``may_…``) is left out."""
    with docgraph.connect(url, pool_size=3, **settings) as dg:
        fill(dg, version=1)
        fill(dg)
        assert ask(dg, expected, n=48) == Asked(48)
        _curate(dg)
        kept = dg.runs.save(dg.run(QUESTIONS[0]), name="a run", by="Ann")
        assert dg.runs.get(kept.run_id).name == "a run"
        for mode in ("quantized", "hnsw", "exact") if may_own else ("quantized", "exact"):
            dg.documents.set_vector_search(mode)  # type: ignore[arg-type]
            assert ask(dg, expected, n=6).errors == ()
        assert ask(dg, expected, n=12) == Asked(12)
        file = io.BytesIO()
        dg.backups.write(file)
        if may_own:
            assert dg.embedding.embed("wordllama", dimension=64, questions=0).switched
            dg.backups.restore(file, replace=True)
            assert ask(dg, expected, n=12) == Asked(12)
        if may_make:
            dg.backups.restore(file, names={dg.workspace_name: "copy"})
            dg.drop_workspace("copy")
        assert not [each for each in dg.backups.verify() if each.faults]
        assert dg.documents.delete(["d1"]) == 1


def _curate(dg: Docgraph) -> None:
    """An edit and its undoing, and a judgment: the corpus is what it was."""
    (entry,) = dg.relationships.edit([Edit(action="remove", key=("d0", "explains", "d3"))], by="Ann")
    dg.relationships.undo(entry.entry_id, by="Ann")
    dg.judgments.judge(QUESTIONS[0].query, "d0", relevant=True, by="Ann")
