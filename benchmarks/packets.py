"""Whether the packet keeps what the plan found: recall of both at equal k, for each public set and each mode.

    python -m benchmarks.packets DATA [--sets 2wiki-780 eips] [--top-k 5] [--database-url URL] [--json FILE]

DATA = a folder with the sets, each with ``queries.jsonl`` (docs/formats.md). The plan beside a packet has as many
chunks as the packet has candidates and no more documents than that, in the same mode (*conversation* plans like
*accurate*); *off* is the same plan without relationships. Recall = share of the relevant documents. The last columns
are the differences that the contract promises: packet against plan, at most 2 points; *fast* against *accurate*, never
above.

A set is imported once into a workspace ``packets-…`` and used again while its folder is the same.
"""

from __future__ import annotations

import argparse
import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from statistics import fmean
from typing import Any, get_args

import docgraph
from docgraph import Docgraph, PacketRequest, RetrievalRequest
from docgraph.domain.packet import PacketMode
from docgraph.domain.request import MODES as REQUEST_MODES

SETS = ("2wiki-780", "peps-small", "eips", "keps")
MODES: tuple[PacketMode, ...] = get_args(PacketMode)
COLUMNS = ("off", "plan", "packet", "unreranked", "packet-plan")
MAX_LOSS = 2.0
"""Points of recall that a packet may be behind its plan."""


@dataclass(frozen=True)
class Question:
    """One question with the documents that answer it."""

    query: str
    relevant: frozenset[str]


@dataclass(frozen=True)
class Row:
    """One set in one mode, in percent."""

    name: str
    mode: PacketMode
    top_k: int
    n_questions: int
    off: float
    plan: float
    packet: float
    packet_without_reranker: float


def questions_of(folder: Path, opened: Docgraph) -> list[Question]:
    """The set's questions in this workspace's ids; a document that is not here is nobody's to find."""
    known = {spelling: each.document_id for each in opened.documents.list() for spelling in spellings(each.document_id)}
    asked = []
    for row in map(json.loads, (folder / "queries.jsonl").read_text(encoding="utf-8").splitlines()):
        if ids := {known[each.casefold()] for each in row["relevant"] if each.casefold() in known}:
            asked.append(Question(row["query"], frozenset(ids)))
    return asked


def spellings(document_id: str) -> Iterator[str]:
    """How a question may write an id: as it is, its file's name, or ``kep-2433`` for a folder ``2433-topology``."""
    yield document_id.casefold()
    parts = re.sub(r"(/readme)?(\.md|\.rst)?$", "", document_id.casefold()).split("/")
    yield parts[-1]
    if number := re.match(r"0*(\d+)-", parts[-1]):
        yield f"kep-{number[1]}"


def recall(found: Sequence[str] | set[str], asked: Question) -> float:
    return len(asked.relevant.intersection(found)) / len(asked.relevant)


def of_plan(opened: Docgraph, asked: Question, mode: PacketMode, top_k: int, **fields: Any) -> float:
    """Recall of the documents that got a chunk, by a plan with as many documents and chunks as a packet."""
    request = RetrievalRequest(
        query=asked.query,
        mode="fast" if mode == "fast" else "accurate",
        max_documents=min(REQUEST_MODES["fast" if mode == "fast" else "accurate"].max_documents, top_k),
        max_chunks=top_k,
        **fields,
    )
    context = opened.execute(opened.plan(request))
    return recall({document_id for document_id, _ in context.ranked_chunks}, asked)


def of_packet(opened: Docgraph, asked: Question, mode: PacketMode, top_k: int) -> float:
    packet = opened.retrieve(PacketRequest(query=asked.query, mode=mode, top_k=top_k), timeout=60).context_packet
    return recall({candidate.metadata["document_id"] for candidate in packet.candidates}, asked)


def measured(opened: Docgraph, unordered: Docgraph, name: str, asked: list[Question], top_k: int) -> Iterator[Row]:
    """One row for each mode; ``unordered`` = the same workspace without a reranker."""
    for mode in MODES:
        parts = [
            (
                of_plan(opened, one, mode, top_k, use_relationships=False),
                of_plan(opened, one, mode, top_k),
                of_packet(opened, one, mode, top_k),
                of_packet(unordered, one, mode, top_k),
            )
            for one in asked
        ]
        yield Row(
            name, mode, top_k, len(asked), *(round(100 * fmean(column), 1) for column in zip(*parts, strict=True))
        )


def rows(data: Path, name: str, tops: Sequence[int], **options: Any) -> Iterator[Row]:
    """Import a set where it is not there yet, and measure it."""
    with docgraph.connect(workspace=f"packets-{name}", **options) as opened:
        opened.ingest(data / name)
        asked = questions_of(data / name, opened)
        adapters = replace(opened.session.adapters, reranker=None)
        unordered = Docgraph(adapters, opened.workspace_name, owns_database=False)
        for top_k in tops:
            yield from measured(opened, unordered, name, asked, top_k)


def promised(found: Sequence[Row]) -> list[str]:
    """What does not hold of it: a packet too far behind its plan, or *fast* ahead of *accurate*."""
    broken = [
        f"{r.name} {r.mode} k={r.top_k}: packet {r.packet}, plan {r.plan}"
        for r in found
        if r.plan - r.packet > MAX_LOSS
    ]
    by_mode = {(r.name, r.top_k, r.mode): r.packet for r in found}
    for (name, top_k, mode), packet in by_mode.items():
        accurate = by_mode.get((name, top_k, "accurate"), packet)
        if mode == "fast" and packet > accurate:
            broken.append(f"{name} k={top_k}: fast {packet}, accurate {accurate}")
    return broken


def main() -> None:
    """Print one row for each set, number of candidates and mode, and what is not kept."""
    parser = argparse.ArgumentParser(description="recall of packets beside that of their plans")
    parser.add_argument("data", type=Path)
    parser.add_argument("--sets", nargs="+", default=SETS)
    parser.add_argument("--top-k", nargs="+", type=int, default=(5, 8))
    parser.add_argument("--database-url")
    parser.add_argument("--store")
    parser.add_argument("--json", type=Path)
    given = parser.parse_args()
    options = {name: value for name in ("database_url", "store") if (value := getattr(given, name)) is not None}
    print(f"{'set':12} {'k':>3} {'mode':13} {'n':>4}", *(f"{title:>11}" for title in COLUMNS))
    found: list[Row] = []
    for name in given.sets:
        for r in rows(given.data, name, given.top_k, **options):
            found.append(r)
            figures = (r.off, r.plan, r.packet, r.packet_without_reranker, r.packet - r.plan)
            print(
                f"{r.name:12} {r.top_k:3} {r.mode:13} {r.n_questions:4}", *(f"{f:11.1f}" for f in figures), flush=True
            )
    if given.json:
        given.json.write_text(json.dumps([asdict(r) for r in found], indent=1) + "\n", encoding="utf-8")
    print("kept" if not (broken := promised(found)) else "NOT KEPT: " + "; ".join(broken))


if __name__ == "__main__":
    main()
