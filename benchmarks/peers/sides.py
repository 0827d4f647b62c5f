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

from benchmarks.handwritten import BEGIN, CHUNKS, Handwritten
from benchmarks.peers.child import CHUNKS as N_CHUNKS
from benchmarks.peers.child import NEAREST, NEIGHBOURS, SEEDS, Given, first_documents
from docgraph.domain.request import RetrievalRequest
from docgraph.orchestration.docgraph import Docgraph

ROOT = Path(__file__).resolve().parents[2]
START = """
SELECT document_id, chunk_id, cosine_distance(embedding, %(q)s::vector) AS distance
FROM hand.vector_chunks ORDER BY distance LIMIT %(n)s"""
LINKED = """
SELECT n.document_id, n.title, n.summary, r.from_document_id, r.relation_type FROM hand.document_relationships r
JOIN hand.document_nodes n ON n.document_id = r.to_document_id WHERE r.from_document_id = ANY(%(ids)s::text[])"""


@dataclass(frozen=True)
class Block:
    """Answers to a block of questions: plans, chunks, and seconds and CPU seconds of each."""

    plans: list[list[str]]
    chunks: list[list[str]]
    wall: list[float]
    cpu: list[float]


class Side(Protocol):
    """Whoever answers."""

    def ask(self, questions: Sequence[int]) -> Block: ...

    def close(self) -> None: ...


class ByHand:
    """Three prepared statements in three round trips: nearest chunks, what their documents link to, best chunks."""

    def __init__(self, hand: Handwritten, given: Given) -> None:
        self.hand, self.given = hand, given

    def ask(self, questions: Sequence[int]) -> Block:
        return in_process(self._one, self.given, questions)

    def _one(self, number: int) -> tuple[list[str], list[str]]:
        vector, connection = self.given.questions[number], self.hand.connection
        with connection.pipeline():
            connection.execute(BEGIN, prepare=True)
            start = connection.execute(START, {"q": vector, "n": NEAREST}, prepare=True, binary=True).fetchall()
            seeds = first_documents([row[0] for row in start])
            linked = connection.execute(LINKED, {"ids": seeds}, prepare=True, binary=True).fetchall()
            plan = list(dict.fromkeys([*seeds, *(row[0] for row in linked)]))
            wanted = {"q": vector, "ids": plan, "each": N_CHUNKS}
            found = connection.execute(f"{CHUNKS} LIMIT {N_CHUNKS}", wanted, prepare=True, binary=True)
            connection.execute("COMMIT", prepare=True)
        return plan, [row[5] for row in found.fetchall()]

    def close(self) -> None:
        self.hand.close()


class Ours:
    """docgraph's public face: a plan with reasons and cuts, then its evidence."""

    def __init__(self, dg: Docgraph, given: Given) -> None:
        self.dg, self.given = dg, given

    def ask(self, questions: Sequence[int]) -> Block:
        return in_process(self._one, self.given, questions)

    def _one(self, number: int) -> tuple[list[str], list[str]]:
        request = RetrievalRequest(
            query=f"question {number}",
            seed_signal="chunk",
            max_seeds=SEEDS,
            max_documents=SEEDS + NEIGHBOURS,
            max_expanding_seeds=SEEDS,
            max_fan_out=100,
            evidence_rule="similarity",
            max_chunks=N_CHUNKS,
            find_names=False,
            max_linked_percent=100,
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

    def ask(self, questions: Sequence[int]) -> Block:
        return Block(**self._say({"do": "ask", "questions": list(questions)}))

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


def in_process(one: Any, given: Given, questions: Sequence[int]) -> Block:
    """A block that is answered here, timed as a child times itself."""
    found = Block([], [], [], [])
    for number in questions:
        cpu, wall = time.process_time(), time.perf_counter()
        plan, chunks = one(number)
        found.wall.append(time.perf_counter() - wall)
        found.cpu.append(time.process_time() - cpu)
        found.plans.append(plan)
        found.chunks.append(chunks)
    return found


def brute_force(given: Given, number: int) -> tuple[set[str], set[str]]:
    """(planned documents, best chunks) by numpy over every vector."""
    distance = -(given.chunk_vectors @ given.questions[number])
    best = distance.min(axis=1)
    seeds = [given.documents[int(at)] for at in np.argsort(best, kind="stable")[:SEEDS]]
    plan = {each["id"] for each in seeds} | {link for each in seeds for link in each["links"]}
    rows = [at for at, each in enumerate(given.documents) if each["id"] in plan]
    pool = sorted(
        (float(distance[at, j]), chunk["id"]) for at in rows for j, chunk in enumerate(given.documents[at]["chunks"])
    )
    return plan, {chunk_id for _, chunk_id in pool[:N_CHUNKS]}
