"""The child's side of the protocol: one JSON object a line in, one out; it needs numpy and nothing of docgraph.

``{"do": "load", …}`` fills the library's own tables, ``{"do": "ask", "questions": [0, 1, …], "way": "chunk"}`` answers
questions and says what each one cost, ``{"do": "stop"}`` ends. What goes wrong is answered with ``{"error": …}``.
"""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

import numpy as np

SEEDS, NEIGHBOURS, CHUNKS = 4, 12, 10
"""Documents that a question starts from, the most that one hop from them may add, and chunks that are wanted."""
NEAREST = 20
"""Chunks that are looked at to find the documents to start from."""


@dataclass(frozen=True)
class Way:
    """How a question is asked: by which vectors its documents are found, whether links are followed, in which part."""

    signal: str = "chunk"
    hop: bool = True
    part: str = ""


PART = "p3"
WAYS = {
    f"{signal}{said}": way
    for signal in ("summary", "chunk")
    for said, way in (
        ("", Way(signal)),
        (", no relationships", Way(signal, hop=False)),
        (", a tenth by a field", Way(signal, part=PART)),
    )
}
"""What each side is asked: with links, without, and with them where all documents have to be of one part."""


@dataclass(frozen=True)
class Given:
    """Documents with their chunks and links, their vectors, and the vectors of questions; the same for every side."""

    documents: list[dict[str, Any]]
    document_vectors: np.ndarray
    chunk_vectors: np.ndarray
    questions: np.ndarray

    @property
    def dimension(self) -> int:
        return int(self.questions.shape[1])

    def part(self, start: int, end: int) -> Given:
        """Some of the documents."""
        cut = slice(start, end)
        return Given(self.documents[cut], self.document_vectors[cut], self.chunk_vectors[cut], self.questions)


class Peer(Protocol):
    """A library with tables of its own, filled by its own means."""

    def load(self, given: Given) -> None:
        """Add documents."""
        ...

    def finish(self) -> None:
        """What has to be done when everything is loaded."""
        ...

    def ask(self, vector: np.ndarray, way: Way) -> tuple[Sequence[str], Sequence[str]]:
        """(ids of the planned documents, ids of the chunks): ``SEEDS`` documents and those one hop away."""
        ...


def read(folder: Path) -> Given:
    """What ``write`` wrote."""
    lines = (folder / "documents.jsonl").read_text(encoding="utf-8").splitlines()
    vectors = np.load(folder / "vectors.npz")
    return Given([json.loads(line) for line in lines], vectors["documents"], vectors["chunks"], vectors["questions"])


def write(given: Given, folder: Path) -> None:
    """One line a document, and the vectors."""
    lines = [json.dumps(each) for each in given.documents]
    (folder / "documents.jsonl").write_text("\n".join(lines) + "\n", encoding="utf-8")
    vectors = {"documents": given.document_vectors, "chunks": given.chunk_vectors, "questions": given.questions}
    np.savez(folder / "vectors.npz", **vectors)


def first_documents(document_ids: Sequence[str], n: int = SEEDS) -> list[str]:
    """The first ``n`` different ones."""
    return list(dict.fromkeys(document_ids))[:n]


def serve(make: Callable[[str, int], Peer]) -> None:
    """Answer line by line until the end; ``make`` gets a URL and the width of vectors. Only answers go to stdout."""
    out, sys.stdout = sys.stdout, sys.stderr
    peer: Peer | None = None
    given: Given | None = None
    for line in sys.stdin:
        asked = json.loads(line)
        try:
            if asked["do"] == "stop":
                return
            if asked["do"] == "load":
                given = read(Path(asked["folder"]))
                peer = make(asked["url"], given.dimension)
                answer = _load(peer, given, asked["timed"])
            else:
                assert peer is not None, "nothing is loaded"
                assert given is not None
                answer = _ask(peer, given.questions, asked["questions"], WAYS[asked["way"]])
        except Exception as error:  # whatever the library raises is the answer
            answer = {"error": f"{type(error).__name__}: {str(error).splitlines()[0] if str(error) else ''}"[:300]}
        print(json.dumps(answer), file=out, flush=True)


def _load(peer: Peer, given: Given, timed: int) -> dict[str, Any]:
    """The first ``timed`` documents are timed."""
    wall, cpu = time.perf_counter(), time.process_time()
    peer.load(given.part(0, timed))
    wall, cpu = time.perf_counter() - wall, time.process_time() - cpu
    fill = getattr(peer, "fill", peer.load)  # a peer that is very slow may have another way for what is not timed
    for start in range(timed, len(given.documents), 500):
        fill(given.part(start, start + 500))
    peer.finish()
    return {"documents": timed, "wall": wall, "cpu": cpu}


def _ask(peer: Peer, vectors: np.ndarray, questions: Sequence[int], way: Way) -> dict[str, Any]:
    found: dict[str, Any] = {"plans": [], "chunks": [], "wall": [], "cpu": []}
    for number in questions:
        cpu, wall = time.process_time(), time.perf_counter()
        plan, chunks = peer.ask(vectors[number], way)
        found["wall"].append(time.perf_counter() - wall)
        found["cpu"].append(time.process_time() - cpu)
        found["plans"].append(list(plan))
        found["chunks"].append(list(chunks))
    return found
