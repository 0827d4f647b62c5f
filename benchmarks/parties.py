"""What a hanging, a slow and a crashing provider cost the questions that are asked beside them.

    python -m benchmarks.parties [--questions 1000] [--askers 4] [--timeout 1] [--rest 2]

The sample corpus in memory, asked in the mode *accurate* by several threads at once: ``graph`` answers, ``hanging``
never comes back, ``slow`` needs up to twice the time that it has, ``crashing`` raises. Printed: how many questions were
answered and with whose candidates, how long they took, how often each provider was asked, and the threads that are
left. ``--rest`` = seconds that a breaker rests, shortened so that trials happen during the run.
"""

from __future__ import annotations

import argparse
import json
import random
import threading
import time
from collections import Counter
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import docgraph
from docgraph import Docgraph
from docgraph.domain.packet import PacketMode, PacketRequest, ProviderHit, ProviderStatus, RetrievalResponse
from docgraph.orchestration import breaker
from docgraph.orchestration.sources import Sources
from docgraph.ports.retrieval import Access

SAMPLE = Path(__file__).resolve().parent.parent / "sample_data"


@dataclass
class Bad:
    """A provider that behaves badly and counts how often it is asked."""

    name: str
    behaviour: Any
    priority: int = 1
    modes: tuple[PacketMode, ...] = ("accurate",)
    stands_in_for: str | None = None
    native_rerank: bool = False
    n_asked: int = 0
    lock: threading.Lock = field(default_factory=threading.Lock)

    def status(self) -> ProviderStatus:
        return "available"

    def search(self, request: PacketRequest, access: Access) -> Sequence[ProviderHit]:
        with self.lock:
            self.n_asked += 1
        self.behaviour()
        return ()


@dataclass(frozen=True)
class Asked:
    """One question: how long it took, and what came of it."""

    seconds: float
    response: RetrievalResponse


def ask_beside(opened: Docgraph, queries: Sequence[str], *, n: int, n_askers: int) -> list[Asked]:
    """``n`` questions by ``n_askers`` threads."""

    def ask(number: int) -> Asked:
        started = time.perf_counter()
        response = opened.retrieve(queries[number % len(queries)])
        return Asked(time.perf_counter() - started, response)

    with ThreadPoolExecutor(n_askers) as pool:
        return list(pool.map(ask, range(n)))


def bad_parties(timeout: float, gate: threading.Event) -> tuple[Bad, Bad, Bad]:
    """One that hangs until ``gate`` opens, one that takes up to twice ``timeout``, one that raises."""
    chance = random.Random(7)

    def crash() -> None:
        raise ConnectionError("no route to host")

    slow = Bad("slow", lambda: gate.wait(chance.uniform(0.0, 2 * timeout)))
    return Bad("hanging", gate.wait), slow, Bad("crashing", crash)


def figures(asked: Sequence[Asked], bad: Sequence[Bad], n_threads: int) -> list[str]:
    """What is printed."""
    took = sorted(each.seconds for each in asked)
    found = Counter(each.response.context_packet.provider or "nobody" for each in asked)
    at = {share: took[min(len(took) - 1, int(share * len(took)))] for share in (0.5, 0.95, 0.99)}
    return [
        f"answered {len(asked)}, with candidates {sum(bool(a.response.context_packet.candidates) for a in asked)}",
        f"candidates of {dict(found)}",
        "milliseconds: " + ", ".join(f"p{100 * share:g} {1000 * s:.0f}" for share, s in at.items()),
        f"slowest {1000 * took[-1]:.0f} ms, all together {sum(took):.0f} s of waiting",
        f"asked: {', '.join(f'{each.name} {each.n_asked}' for each in bad)}",
        f"threads left behind: {n_threads}",
    ]


def main() -> None:
    """Ask beside three bad parties, and without them."""
    parser = argparse.ArgumentParser(description="what bad providers cost")
    parser.add_argument("--questions", type=int, default=1_000)
    parser.add_argument("--askers", type=int, default=4)
    parser.add_argument("--timeout", type=float, default=1.0)
    parser.add_argument("--rest", type=float, default=breaker.REST_SECONDS)
    given = parser.parse_args()
    breaker.REST_SECONDS = given.rest
    lines = (SAMPLE / "queries.jsonl").read_text(encoding="utf-8").splitlines()
    queries = [json.loads(line)["query"] for line in lines]
    gate = threading.Event()
    with docgraph.connect(store="memory", workspace="parties") as opened:
        opened.ingest(SAMPLE / "harbor")
        adapters = replace(opened.session.adapters, provider_timeout=given.timeout)
        for label, bad in (("alone", ()), ("beside three bad parties", bad_parties(given.timeout, gate))):
            asking = replace(adapters, providers=(*adapters.providers, *bad), sources=Sources())
            beside = Docgraph(asking, opened.workspace_name, owns_database=False)
            n_before = threading.active_count()
            asked = ask_beside(beside, queries, n=given.questions, n_askers=given.askers)
            print(f"{label}:", *figures(asked, bad, threading.active_count() - n_before), sep="\n  ", flush=True)
    gate.set()


if __name__ == "__main__":
    main()
