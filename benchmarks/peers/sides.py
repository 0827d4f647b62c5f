"""The sides that are compared, each answering a block of questions: by hand, docgraph, and peers as child processes."""

from __future__ import annotations

import json
import subprocess
import threading
import time
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

import numpy as np

from benchmarks.handwritten import BEGIN, CHUNKS, INSIDE, Handwritten
from benchmarks.peers.child import CHUNKS as N_CHUNKS
from benchmarks.peers.child import NEAREST, NEIGHBOURS, SEEDS, WAYS, Given, Way, first_documents
from docgraph.domain.request import RetrievalRequest
from docgraph.orchestration.docgraph import Docgraph

ROOT = Path(__file__).resolve().parents[2]
START = {
    "chunk": """
SELECT document_id, cosine_distance(embedding, %(q)s::vector) AS distance
FROM hand.vector_chunks{inside} ORDER BY distance LIMIT %(n)s""",
    "summary": """
SELECT document_id, cosine_distance(summary_embedding, %(q)s::vector) AS distance
FROM hand.document_nodes{where} ORDER BY distance LIMIT %(n)s""",
}
LINKED = """
SELECT n.document_id, n.title, n.summary, r.from_document_id, r.relation_type FROM hand.document_relationships r
JOIN hand.document_nodes n ON n.document_id = r.to_document_id WHERE r.from_document_id = ANY(%(ids)s::text[])"""
OF_PART = " AND n.part = %(part)s"


@dataclass(frozen=True)
class Block:
    """Answers to a block of questions: plans, chunks, and seconds and CPU seconds of each."""

    plans: list[list[str]]
    chunks: list[list[str]]
    wall: list[float]
    cpu: list[float]


class Side(Protocol):
    """Whoever answers."""

    def ask(self, questions: Sequence[int], way: str) -> Block: ...

    def close(self) -> None: ...


class ByHand:
    """Three prepared statements in three round trips: nearest chunks, what their documents link to, best chunks."""

    def __init__(self, hand: Handwritten, given: Given) -> None:
        self.hand, self.given = hand, given

    def ask(self, questions: Sequence[int], way: str) -> Block:
        return in_process(self._one, self.given, questions, WAYS[way])

    def _one(self, number: int, way: Way) -> tuple[list[str], list[str]]:
        vector, connection = self.given.questions[number], self.hand.connection
        part = {"part": way.part} if way.part else {}
        start = START[way.signal].format(inside=INSIDE if part else "", where=" WHERE part = %(part)s" if part else "")
        n = NEAREST if way.signal == "chunk" else SEEDS
        with connection.pipeline():
            connection.execute(BEGIN, prepare=True)
            found = connection.execute(start, {"q": vector, "n": n, **part}, prepare=True, binary=True).fetchall()
            plan = first_documents([row[0] for row in found])
            if way.hop:
                said = f"{LINKED}{OF_PART if part else ''}"
                linked = connection.execute(said, {"ids": plan, **part}, prepare=True, binary=True).fetchall()
                plan = list(dict.fromkeys([*plan, *(row[0] for row in linked)]))
            wanted = {"q": vector, "ids": plan, "each": N_CHUNKS}
            best = connection.execute(f"{CHUNKS} LIMIT {N_CHUNKS}", wanted, prepare=True, binary=True)
            connection.execute("COMMIT", prepare=True)
        return plan, [row[5] for row in best.fetchall()]

    def close(self) -> None:
        self.hand.close()


class Ours:
    """docgraph's public face: a plan with reasons and cuts, then its evidence."""

    def __init__(self, dg: Docgraph, given: Given) -> None:
        self.dg, self.given = dg, given

    def ask(self, questions: Sequence[int], way: str) -> Block:
        return in_process(self._one, self.given, questions, WAYS[way])

    def _one(self, number: int, way: Way) -> tuple[list[str], list[str]]:
        request = RetrievalRequest.model_validate(
            {
                "query": f"question {number}",
                "seed_signal": way.signal,
                "use_relationships": way.hop,
                "where": f"part={way.part}" if way.part else None,
                "max_seeds": SEEDS,
                "max_documents": SEEDS + (NEIGHBOURS if way.hop else 0),
                "max_expanding_seeds": SEEDS,
                "max_fan_out": 100,
                "evidence_rule": "similarity",
                "max_chunks": N_CHUNKS,
                "find_names": False,
                "max_linked_percent": 100,
            }
        )
        vector = self.given.questions[number]
        plan = self.dg.plan(request, vector)
        context = self.dg.execute(plan, vector)
        return list(plan.document_ids), [chunk.chunk_id for each in context.documents for chunk in each.chunks]

    def close(self) -> None:
        """The database is closed by whoever opened it."""


class Child:
    """A peer in a process and an environment of its own, asked line by line. Raises PeerError with what it answers."""

    def __init__(self, python: Path, peer: str, program: Sequence[str] = ()) -> None:
        self._process = subprocess.Popen(
            [str(python), *(program or ("-m", f"benchmarks.peers.{peer}_peer"))],
            cwd=ROOT,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
        )

    def load(self, folder: Path, url: str, *, timed: int, patience: float) -> dict[str, Any]:
        """Fill its tables, for ``patience`` seconds at most; what the first ``timed`` documents cost."""
        late = threading.Event()

        def end() -> None:
            late.set()
            self._process.kill()

        ending = threading.Timer(patience, end)
        ending.start()
        try:
            return self._say({"do": "load", "folder": str(folder), "url": url, "timed": timed})
        except PeerError as error:
            if not late.is_set():
                raise
            raise PeerError(f"it had not loaded everything after {patience:.0f} seconds") from error
        finally:
            ending.cancel()

    def ask(self, questions: Sequence[int], way: str) -> Block:
        return Block(**self._say({"do": "ask", "questions": list(questions), "way": way}))

    def _say(self, message: dict[str, Any]) -> dict[str, Any]:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        try:
            self._process.stdin.write(json.dumps(message) + "\n")
            self._process.stdin.flush()
            line = self._process.stdout.readline()
        except BrokenPipeError:
            line = ""
        answer: dict[str, Any] = json.loads(line) if line else {"error": f"it ended with {self._process.wait()}"}
        if "error" in answer:
            raise PeerError(answer["error"])
        return answer

    def close(self) -> None:
        """Ask it to stop; end it when it does not."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        with suppress(BrokenPipeError):
            self._process.stdin.close()  # its loop over lines ends
        try:
            self._process.wait(timeout=30)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        self._process.stdout.close()


class PeerError(Exception):
    """What a peer could not do, in its own words."""


def in_process(one: Any, given: Given, questions: Sequence[int], way: Way) -> Block:
    """A block that is answered here, timed as a child times itself."""
    found = Block([], [], [], [])
    for number in questions:
        cpu, wall = time.process_time(), time.perf_counter()
        plan, chunks = one(number, way)
        found.wall.append(time.perf_counter() - wall)
        found.cpu.append(time.process_time() - cpu)
        found.plans.append(plan)
        found.chunks.append(chunks)
    return found


def brute_force(given: Given, number: int, way: Way = WAYS["chunk"]) -> tuple[set[str], set[str]]:
    """(planned documents, best chunks) by numpy over every vector."""
    distance = -(given.chunk_vectors @ given.questions[number])
    best = -(given.document_vectors @ given.questions[number]) if way.signal == "summary" else distance.min(axis=1)
    allowed = {each["id"] for each in given.documents if not way.part or each["part"] == way.part}
    order = [given.documents[int(at)] for at in np.argsort(best, kind="stable")]
    seeds = [each for each in order if each["id"] in allowed][:SEEDS]
    linked = {link for each in seeds for link in each["links"]} & allowed if way.hop else set()
    plan = {each["id"] for each in seeds} | linked
    rows = [at for at, each in enumerate(given.documents) if each["id"] in plan]
    pool = sorted(
        (float(distance[at, j]), chunk["id"]) for at in rows for j, chunk in enumerate(given.documents[at]["chunks"])
    )
    return plan, {chunk_id for _, chunk_id in pool[:N_CHUNKS]}
