"""The quality table: public sets with questions, plain vectors, relationships off and on, with paired intervals.

    python -m benchmarks.quality DATA [--sets eips,keps] [--mode fast] [--half 1] [--request '{"max_fan_out": 5}']

DATA is a folder with one folder a set (``queries.jsonl`` inside). Every set is imported once into a database beside
DATA's name under ``--work`` and read from there again. Recall = mean share of the relevant documents that are read,
perfect = share of questions for which all are; in percent. The interval is a paired bootstrap (95 %, percentile) of the
difference between relationships on and off.
"""

from __future__ import annotations

import argparse
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import yaml
from scipy.stats import bootstrap

import docgraph
from docgraph import Docgraph
from docgraph.domain.baselines import MS3, PLAIN, baseline_request
from docgraph.domain.graph import Document, Relationship
from docgraph.domain.request import RetrievalRequest

SETS: dict[str, dict[str, int]] = {
    "2wiki-780": {"max_documents": 8, "max_chunks": 8},
    "peps-small": {"max_documents": 5, "max_chunks": 5},
    "peps": {"max_documents": 5, "max_chunks": 5},
    "eips": {"max_documents": 6, "max_chunks": 10},
    "keps": {"max_documents": 6, "max_chunks": 10},
}
"""Set → limits of its requests (06_quality: eight passages, five documents and chunks; elsewhere the default)."""

SIGNIFICANCE = 9_999
"""Samples of the bootstrap."""


@dataclass(frozen=True)
class Question:
    """One question of a set, with the documents that answer it."""

    query: str
    relevant: frozenset[str]
    kind: str
    evidence: str = ""
    target: str = ""


def main() -> None:
    """Measure the sets that were asked for and print one line each."""
    options = _options().parse_args()
    extra = json.loads(options.request)
    print("| set | n | measure | plain | off | on | difference, 95 % |\n|---|---|---|---|---|---|---|")
    for name in options.sets.split(","):
        with opened(options.data / name, options.work) as there:
            asked = answerable(there, questions(options.data / name, half=options.half))
            for line in table(name, there, asked, {"mode": options.mode, **SETS[name], **extra}):
                print(line, flush=True)


def _options() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", type=Path)
    parser.add_argument("--work", type=Path, default=Path("quality-work"), help="where databases are kept")
    parser.add_argument("--sets", default=",".join(SETS))
    parser.add_argument("--mode", default="accurate")
    parser.add_argument("--half", type=int, choices=(0, 1, 2), default=0, help="every second question; 0 = all")
    parser.add_argument("--request", default="{}", help="further fields of the request, as JSON")
    return parser


# ---------------------------------------------------------------- sets


def opened(folder: Path, work: Path) -> Docgraph:
    """The set in its database, imported when it is not there yet."""
    there = docgraph.connect(data_dir=str(work / folder.name), workspace="set", embedder="wordllama")
    if "set" not in {workspace.name for workspace in there.workspaces()}:
        if folder.name == "keps":
            documents = list(keps(folder / "keps"))
            there.ingest_records(*_records(documents))
        else:
            there.ingest(folder / "EIPS" if folder.name == "eips" else folder)
    return there


def questions(folder: Path, *, half: int = 0) -> list[Question]:
    """The questions of a set; ``half`` 1 or 2 = every second one."""
    rows = [json.loads(line) for line in (folder / "queries.jsonl").read_text(encoding="utf-8").splitlines() if line]
    found = [
        Question(
            row["query"],
            frozenset(row["relevant"]),
            row.get("kind", ""),
            evidence=row.get("evidence") or "",
            target=row.get("target") or "",
        )
        for row in rows
    ]
    return found if half == 0 else found[half - 1 :: 2]


def answerable(there: Docgraph, asked: Sequence[Question]) -> list[Question]:
    """The questions that the set can answer; how many it cannot is said.

    All relevant documents have to be stored, and one of them has to hold the evidence (a regular expression): of many
    EIPs only a stub is left that says where the text has gone.
    """
    stored = {document.document_id for document in there.documents.list()}
    kept = [q for q in asked if q.relevant <= stored and _holds_evidence(there, q)]
    if len(kept) < len(asked):
        print(f"{len(asked) - len(kept)} of {len(asked)} questions ask for what the set does not hold")
    return kept


def _holds_evidence(there: Docgraph, question: Question) -> bool:
    texts = (chunk.text for i in sorted(question.relevant) for chunk in there.documents.chunks(i))
    return not question.evidence or any(re.search(question.evidence, text, re.IGNORECASE) for text in texts)


def keps(folder: Path) -> Iterator[tuple[Document, list[tuple[str, str]]]]:
    """Each README.md with the title of the kep.yaml beside it, and (type, number) of what that file names."""
    for path in sorted(folder.glob("*/*/kep.yaml")):
        number, text = re.match(r"\d+", path.parent.name), path.with_name("README.md")
        if number is None or not text.is_file():
            continue
        try:
            fields = yaml.safe_load(path.read_text(encoding="utf-8")) or {}
        except (yaml.YAMLError, ValueError):
            fields = {}
        document_id = f"kep-{int(number[0])}"
        document = Document(
            document_id=document_id,
            title=f"KEP-{int(number[0])}: {fields.get('title') or path.parent.name}"[:500],
            text=text.read_text(encoding="utf-8", errors="replace"),
            doc_type="kep",
        )
        yield document, list(_named(fields))


def _named(fields: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    for field in ("see-also", "replaces", "superseded-by"):
        targets = fields.get(field)
        for target in [targets] if isinstance(targets, str) else targets or ():
            if found := re.search(r"(?:^|/)(\d{1,5})(?:-[^/]*)?(?:/|\.md|$)", str(target)):
                yield field.replace("-", "_"), f"kep-{int(found[1])}"


def _records(found: Sequence[tuple[Document, list[tuple[str, str]]]]) -> tuple[list[Document], list[Relationship]]:
    ids = {document.document_id for document, _ in found}
    edges = {
        (document.document_id, via, target)
        for document, named in found
        for via, target in named
        if target in ids and target != document.document_id
    }
    return [document for document, _ in found], [
        Relationship(from_document_id=a, relation_type=via, to_document_id=b) for a, via, b in sorted(edges)
    ]


# ---------------------------------------------------------------- figures


def table(name: str, there: Docgraph, asked: Sequence[Question], fields: Mapping[str, Any]) -> Iterator[str]:
    """A line for each measure: all questions, and the kinds that the set names."""
    runs = {way: [read(there, question, fields, way) for question in asked] for way in (PLAIN, MS3, "on")}
    yield _line(name, "recall", runs, _recall, asked)
    yield _line(name, "perfect", runs, _perfect, asked)
    if having := [i for i, question in enumerate(asked) if question.target]:
        some = {way: [rows[i] for i in having] for way, rows in runs.items()}
        title = "target" if len(having) == len(asked) else f"target, {len(having)} of {len(asked)}"
        yield _line(name, title, some, _recall, [_of_target(asked[i]) for i in having])
    for kind in sorted({question.kind for question in asked if question.kind}):
        inside = [i for i, question in enumerate(asked) if question.kind == kind]
        some = {way: [rows[i] for i in inside] for way, rows in runs.items()}
        yield _line(f"{name}, {kind}", "recall", some, _recall, [asked[i] for i in inside])


def _of_target(question: Question) -> Question:
    """The same question, of which only the document that holds the answer is looked for."""
    return replace(question, relevant=frozenset({question.target}))


def read(there: Docgraph, question: Question, fields: Mapping[str, Any], way: str) -> frozenset[str]:
    """The documents of which chunks are read."""
    request = RetrievalRequest.model_validate({"query": question.query, **fields})
    if way != "on":
        request = baseline_request(request, way)
    context = there.execute(there.plan(request))
    return frozenset(document_id for document_id, _ in context.ranked_chunks)


def _recall(read: frozenset[str], relevant: frozenset[str]) -> float:
    return 100 * len(read & relevant) / len(relevant)


def _perfect(read: frozenset[str], relevant: frozenset[str]) -> float:
    return 100.0 * (relevant <= read)


def _line(
    name: str, title: str, runs: Mapping[str, Sequence[frozenset[str]]], measure: Any, asked: Sequence[Question]
) -> str:
    values = {
        way: np.array([measure(r, q.relevant) for r, q in zip(rows, asked, strict=True)]) for way, rows in runs.items()
    }
    gain = values["on"] - values[MS3]
    low, high = interval(gain)
    means = " | ".join(f"{values[way].mean():.1f}" for way in (PLAIN, MS3, "on"))
    return f"| {name} | {len(asked)} | {title} | {means} | {gain.mean():+.1f} ({low:+.1f} … {high:+.1f}) |"


def interval(differences: np.ndarray) -> tuple[float, float]:
    """The paired bootstrap's 95 % interval of the mean difference (Efron 1979, percentile)."""
    if len(differences) < 2 or np.ptp(differences) == 0:
        return float(differences.mean()), float(differences.mean())
    found = bootstrap((differences,), np.mean, n_resamples=SIGNIFICANCE, method="percentile", rng=7)
    return float(found.confidence_interval.low), float(found.confidence_interval.high)


if __name__ == "__main__":
    main()
