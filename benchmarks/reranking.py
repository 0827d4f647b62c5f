"""What a reranker does to the contract's candidates: nDCG@5, MRR and recall of documents, with it and without.

    python -m benchmarks.reranking DATA [RERANKER] [STORE]

DATA = a folder with the public sets ``2wiki-780`` and ``peps-small`` (see docs/calibration.md); the sample corpus is
the third. RERANKER = a plug-in (``lexical``), STORE = ``memory`` or ``postgres``. Mode *accurate*, top_k 5 and 10.
"""

from __future__ import annotations

import json
import math
import sys
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from statistics import fmean

import docgraph
from docgraph import Docgraph
from docgraph.domain.packet import PacketRequest

SAMPLE = Path(__file__).resolve().parent.parent / "sample_data"
SETS = ("harbor", "2wiki-780", "peps-small")
CUT = 5


def found(opened: Docgraph, query: str, top_k: int) -> list[str]:
    """The documents of the packet's candidates, each at its best place."""
    packet = opened.retrieve(PacketRequest(query=query, top_k=top_k), timeout=60).context_packet
    return list(dict.fromkeys(candidate.metadata["document_id"] for candidate in packet.candidates))


def ndcg(documents: Sequence[str], relevant: set[str]) -> float:
    best = sum(1 / math.log2(place + 2) for place in range(min(len(relevant), CUT)))
    return sum(1 / math.log2(i + 2) for i, one in enumerate(documents[:CUT]) if one in relevant) / best


def reciprocal_rank(documents: Sequence[str], relevant: set[str]) -> float:
    return next((1 / (i + 1) for i, one in enumerate(documents) if one in relevant), 0.0)


def recall(documents: Sequence[str], relevant: set[str]) -> float:
    return len(relevant.intersection(documents)) / len(relevant)


def measured(data: Path, name: str, reranker: str, store: str) -> Iterator[tuple[int, str, list[float]]]:
    """(top_k, reranker, [nDCG@5, MRR, recall]) of one set, in percent."""
    folder = SAMPLE if name == "harbor" else data / name
    asked = [json.loads(row) for row in (folder / "queries.jsonl").read_text(encoding="utf-8").splitlines()]
    with docgraph.connect(store=store, workspace=f"bench-{name}", reranker=reranker) as opened:
        opened.ingest(folder / name if name == "harbor" else folder)
        for top_k in (5, 10):
            for label, used in (("none", None), (reranker, opened.session.adapters.reranker)):
                adapters = replace(opened.session.adapters, reranker=used)
                asking = Docgraph(adapters, opened.workspace_name, owns_database=False)
                ranked = [(found(asking, q["query"], top_k), set(q["relevant"])) for q in asked]
                measures = (ndcg, reciprocal_rank, recall)
                yield top_k, label, [100 * fmean(measure(*row) for row in ranked) for measure in measures]


def main() -> None:
    """Print one row for each set, number of candidates and reranker."""
    data = Path(sys.argv[1])
    reranker, store = [*sys.argv[2:4], *("lexical", "memory")[len(sys.argv) - 2 :]]
    print(f"{'set':12} {'top_k':>5} {'reranker':14} {'nDCG@5':>7} {'MRR':>7} {'recall':>7}")
    for name in SETS:
        for top_k, label, figures in measured(data, name, reranker, store):
            print(f"{name:12} {top_k:5} {label:14}", *(f"{figure:7.1f}" for figure in figures), flush=True)


if __name__ == "__main__":
    main()
