"""The quality table: public sets with questions, plain vectors, relationships off and on, with paired intervals.

    python -m benchmarks.quality DATA [--sets eips,keps] [--mode fast] [--half 1] [--request '{"max_fan_out": 5}']
    python -m benchmarks.quality DATA --embedder onnx --model /models/all-MiniLM-L6-v2

DATA is a folder with one folder a set (``queries.jsonl`` inside). Every set is imported once into a database beside
DATA's name under ``--work`` and read from there again. Recall = mean share of the relevant documents that are read,
perfect = share of questions for which all are; in percent. The interval is a paired bootstrap (95 %, percentile) of the
difference between relationships on and off.

Questions and answers are kept there, question by question, published systems beside ours:
``DOCGRAPH_DATA_DIR=WORK/SET DOCGRAPH_WORKSPACE=set docgraph dashboard`` shows them on its page Query sets.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import yaml

import docgraph
from docgraph import Docgraph
from docgraph.domain.evaluation import Evaluation
from docgraph.domain.graph import Document, Relationship
from docgraph.domain.query_set import RELEVANT, JudgedQuery

SETS: dict[str, dict[str, int]] = {
    "2wiki-780": {"max_documents": 8, "max_chunks": 8},
    "peps-small": {"max_documents": 5, "max_chunks": 5},
    "peps": {"max_documents": 5, "max_chunks": 5},
    "eips": {"max_documents": 6, "max_chunks": 10},
    "keps": {"max_documents": 6, "max_chunks": 10},
}
"""Set → limits of its requests (06_quality: eight passages, five documents and chunks; elsewhere the default)."""

ORIGINALS = {"eips": "EIPS", "peps": "original"}
"""Set → the folder inside it whose files are imported as they were published; other sets are records."""

WAYS = ("off", "vectors", "on")
"""The first one is what the others are compared with."""


@dataclass(frozen=True)
class Question:
    """One question of a set, with the documents that answer it."""

    query: str
    relevant: frozenset[str]
    kind: str
    evidence: str = ""
    target: str = ""


def main() -> None:
    """Measure the sets that were asked for: their table, and after it the one of published systems."""
    options = _options().parse_args()
    extra = json.loads(options.request)
    beside: list[str] = []
    print("| set | n | measure | plain | off | on | difference, 95 % |\n|---|---|---|---|---|---|---|")
    for name in options.sets.split(","):
        with opened(options.data / name, options.work, embedder=options.embedder, model=options.model) as there:
            asked = answerable(there, questions(options.data / name, half=options.half))
            for line in table(name, there, asked, {"mode": options.mode, **SETS[name], **extra}):
                print(line, flush=True)
            beside += published(options.data / name, there, asked, {"mode": options.mode, **SETS[name]})
    print(*beside, sep="\n")


def _options() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", type=Path)
    parser.add_argument("--work", type=Path, default=Path("quality-work"), help="where databases are kept")
    parser.add_argument("--sets", default=",".join(SETS))
    parser.add_argument("--mode", default="accurate")
    parser.add_argument("--embedder", default="wordllama")
    parser.add_argument("--model", help="of the embedder: a local folder")
    parser.add_argument("--half", type=int, choices=(0, 1, 2), default=0, help="every second question; 0 = all")
    parser.add_argument("--request", default="{}", help="further fields of the request, as JSON")
    return parser


# ---------------------------------------------------------------- sets


def opened(folder: Path, work: Path, *, embedder: str, model: str | None) -> Docgraph:
    """The set in its database, imported when it is not there yet; a workspace for each embedder."""
    workspace = "set" if embedder == "wordllama" else f"set-{embedder}"
    data_dir = str(work / folder.name)
    there = docgraph.connect(data_dir=data_dir, workspace=workspace, embedder=embedder, embedder_model=model)
    if workspace not in {workspace.name for workspace in there.workspaces()}:
        if folder.name == "keps":
            documents = list(keps(folder / "keps"))
            there.ingest_records(*_records(documents))
        else:
            there.ingest(folder / ORIGINALS[folder.name] if folder.name in ORIGINALS else folder)
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
        print(f"{len(asked) - len(kept)} of {len(asked)} questions ask for what the set does not hold", file=sys.stderr)
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
    """A line for each measure: all questions, and the kinds that the set names; every value is of ``evaluate``."""
    k = max(fields["max_documents"], fields["max_chunks"])  # all that is read: plain vectors plan no documents
    whole = _kept(there, name, asked, WAYS, measures=[f"recall@{k}", f"perfect@{k}"], fields=fields)
    yield _line(name, "recall", whole, f"recall@{k}")
    yield _line(name, "perfect", whole, f"perfect@{k}")
    if having := [question for question in asked if question.target]:
        title = "target" if len(having) == len(asked) else f"target, {len(having)} of {len(asked)}"
        targets = [replace(question, relevant=frozenset({question.target})) for question in having]
        found = there.evaluate(_set(targets), WAYS, measures=[f"recall@{k}"], request=fields)
        yield _line(name, title, found, f"recall@{k}")
    for kind in sorted({question.kind for question in asked if question.kind}):
        inside = there.evaluate(
            _set([each for each in asked if each.kind == kind]), WAYS, measures=[f"recall@{k}"], request=fields
        )
        yield _line(f"{name}, {kind}", "recall", inside, f"recall@{k}")


def published(folder: Path, there: Docgraph, asked: Sequence[Question], fields: Mapping[str, Any]) -> Iterator[str]:
    """A line for each published system beside ours, over the passages that its authors say it returned.

    Ours under the mode that was asked for, always at eight passages: further fields of a request are not taken here.
    """
    path = folder / "reference_results.json"
    if not path.is_file():
        return
    ids = {question.query: f"q{number}" for number, question in enumerate(asked)}
    systems = {
        name: {ids[row["question"]]: row["evidence_titles"] for row in rows if row["question"] in ids}
        for name, rows in json.loads(path.read_text(encoding="utf-8")).items()
    }
    measures = ["recall@8", "perfect@8", "ndcg@8"]
    ways = {**systems, "off": "off", "on": "on"}
    found = _kept(there, f"{folder.name}, published systems", asked, ways, measures=measures, fields=fields)
    mode = "" if fields.get("mode", "accurate") == "accurate" else f", {fields['mode']}"
    yield f"\n| 2wiki-780, 8 passages{mode} | questions | recall | perfect | nDCG |\n|---|---|---|---|---|"
    for each in found.configurations:
        figures = [found.figure(each.name, measure) for measure in measures]
        means = " | ".join(_percent(None if figure is None else figure.mean) for figure in figures)
        n = next((figure.n for figure in figures if figure is not None), 0)
        yield f"| {each.label} | {n} | {means} |"


def _kept(
    there: Docgraph,
    name: str,
    asked: Sequence[Question],
    ways: Sequence[str] | Mapping[str, Any],
    *,
    measures: Sequence[str],
    fields: Mapping[str, Any],
) -> Evaluation:
    """The evaluation, kept under the name of its set and its mode."""
    named = f"{name}, {fields['mode']}" if fields.get("mode", "accurate") != "accurate" else name
    there.query_sets.keep(_set(asked), name=named)
    return there.query_sets.result(there.query_sets.run(named, ways, measures=measures, request=fields).evaluation_id)


def _set(asked: Sequence[Question]) -> list[JudgedQuery]:
    return [
        JudgedQuery(
            query_id=f"q{number}", query=each.query, kind=each.kind, grades=dict.fromkeys(each.relevant, RELEVANT)
        )
        for number, each in enumerate(asked)
    ]


def _line(name: str, title: str, found: Evaluation, measure: str) -> str:
    means = [found.figure(way, measure) for way in ("vectors", "off", "on")]
    gain = found.difference("on", measure)
    assert gain is not None
    low, high = (_signed(value) for value in (gain.low, gain.high))
    shown = " | ".join(_percent(None if figure is None else figure.mean) for figure in means)
    return f"| {name} | {found.n} | {title} | {shown} | {_signed(gain.mean)} ({low} … {high}) |"


def _percent(value: float | None) -> str:
    return "--" if value is None else f"{100 * value:.1f}"


def _signed(value: float | None) -> str:
    return "--" if value is None else f"{100 * value:+.1f}"


if __name__ == "__main__":
    main()
